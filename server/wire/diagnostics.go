package wire

import (
	"bytes"
	"encoding/json"
)

// DiagnosticsChangedParams are all diagnostics of one file, as its language
// server sees it now.
type DiagnosticsChangedParams struct {
	Params
	// The file.
	URI string `json:"uri"`
	// Version of the document that was looked at.
	Version *int32 `json:"version,omitzero"`
	// The whole set; it replaces the one before.
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is one finding of a language server: the members of LSP's
// Diagnostic that matter here.
type Diagnostic struct {
	// Where.
	Range Range `json:"range"`
	// 1 error, 2 warning, 3 information, 4 hint; error by default.
	Severity int `json:"severity,omitzero"`
	// Its code; a number or a text.
	Code Code `json:"code,omitzero"`
	// The language server or linter.
	Source string `json:"source,omitzero"`
	// What is wrong.
	Message Message `json:"message"`
}

// Code is the code of a diagnostic. On the wire it is a text or a number, or
// an object that holds one as value, as some editors have it.
type Code string

// UnmarshalJSON reads a text, a number, or an object with a value; anything
// else is no code.
func (c *Code) UnmarshalJSON(data []byte) error {
	var object struct{ Value json.RawMessage }
	if json.Unmarshal(data, &object) == nil && object.Value != nil {
		data = object.Value
	}
	var text string
	var number json.Number
	switch {
	case json.Unmarshal(data, &text) == nil:
		*c = Code(text)
	case json.Unmarshal(data, &number) == nil:
		*c = Code(number)
	default:
		*c = ""
	}
	return nil
}

// Message is the text of a diagnostic. On the wire it is a text or LSP's
// MarkupContent, of which only the value is kept.
type Message string

// UnmarshalJSON reads a text or a MarkupContent.
func (m *Message) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return json.Unmarshal(data, (*string)(m))
	}
	var markup struct{ Value string }
	err := json.Unmarshal(data, &markup)
	*m = Message(markup.Value)
	return err
}

// DiagnosticsChangedResult says what that changed.
type DiagnosticsChangedResult struct {
	// Errors that are open now and were not before.
	Opened []OpenError `json:"opened"`
	// Fingerprints of errors that are closed now.
	Closed []string `json:"closed"`
}

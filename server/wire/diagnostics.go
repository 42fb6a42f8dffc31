package wire

import (
	"bytes"
	"encoding/json"
)

// DiagnosticsChangedParams are the current diagnostics of a file.
type DiagnosticsChangedParams struct {
	Params
	// The file.
	URI string `json:"uri"`
	// The version of the document.
	Version *int32 `json:"version,omitzero"`
	// All diagnostics; they replace the previous ones.
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic has the members of LSP's Diagnostic that the server uses.
type Diagnostic struct {
	// The range.
	Range Range `json:"range"`
	// 1 error, 2 warning, 3 information, 4 hint; error by default.
	Severity int `json:"severity,omitzero"`
	// The code; a number or a string.
	Code Code `json:"code,omitzero"`
	// The language server or linter.
	Source string `json:"source,omitzero"`
	// What is wrong.
	Message Message `json:"message"`
}

// Code is the code of a diagnostic. On the wire it is a string, a number, or an object
// with one of these as value, which some editors send.
type Code string

// UnmarshalJSON decodes a string, a number, or an object with a value. Any other value is
// decoded as the empty code.
func (c *Code) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("{")) {
		var object struct{ Value json.RawMessage }
		if json.Unmarshal(data, &object) == nil && object.Value != nil {
			data = object.Value
		}
	}
	var str string
	var number json.Number
	switch {
	case json.Unmarshal(data, &str) == nil:
		*c = Code(str)
	case json.Unmarshal(data, &number) == nil:
		*c = Code(number)
	default:
		*c = ""
	}
	return nil
}

// Message is the message of a diagnostic. On the wire it is a string or the MarkupContent
// of LSP, of which only the value is used.
type Message string

// UnmarshalJSON decodes a string or a MarkupContent.
func (m *Message) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return json.Unmarshal(data, (*string)(m))
	}
	var markup struct{ Value string }
	err := json.Unmarshal(data, &markup)
	*m = Message(markup.Value)
	return err
}

// DiagnosticsChangedResult is the effect of the diagnostics.
type DiagnosticsChangedResult struct {
	// The errors that were opened.
	Opened []OpenError `json:"opened"`
	// The fingerprints of the errors that were closed.
	Closed []string `json:"closed"`
}

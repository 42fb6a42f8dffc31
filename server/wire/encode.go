package wire

import (
	"bytes"
	"encoding/json"
)

// Encode returns the JSON of a value, in which the characters of HTML stand as they are. The error
// is that of a value that has no JSON.
func Encode(value any) (json.RawMessage, error) {
	var doc bytes.Buffer
	encoder := json.NewEncoder(&doc)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(doc.Bytes(), []byte("\n")), nil
}

package backup

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// A value is a value of SQLite: nil, int64, float64, string or []byte. In JSON a string and an
// integer are what they are, nil is null, and the others, and a string that is not UTF-8, are
// objects with one member: {"real": "1e+100"}, {"blob": "AAE="}, {"text": "/w=="}.
type value struct{ of any }

// An other is a value that JSON does not have.
type other struct {
	Real string `json:"real,omitempty"`
	Blob []byte `json:"blob,omitempty"`
	Text []byte `json:"text,omitempty"`
	// Empty is set for a blob without bytes.
	Empty bool `json:"empty,omitzero"`
}

// MarshalJSON implements json.Marshaler.
func (v value) MarshalJSON() ([]byte, error) {
	switch of := v.of.(type) {
	case nil:
		return []byte("null"), nil
	case int64:
		return strconv.AppendInt(nil, of, 10), nil
	case float64:
		return json.Marshal(other{Real: strconv.FormatFloat(of, 'g', -1, 64)})
	case []byte:
		return json.Marshal(other{Blob: of, Empty: len(of) == 0})
	case string:
		if !utf8.ValidString(of) {
			return json.Marshal(other{Text: []byte(of)})
		}
		return json.Marshal(of)
	default:
		return nil, fmt.Errorf("a value of type %T is not known", v.of)
	}
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *value) UnmarshalJSON(doc []byte) (err error) {
	switch doc[0] {
	case 'n':
		v.of = nil
	case '"':
		var of string
		err = json.Unmarshal(doc, &of)
		v.of = of
	case '{':
		var of other
		if err = json.Unmarshal(doc, &of, json.RejectUnknownMembers(true)); err == nil {
			v.of, err = of.value()
		}
	default:
		v.of, err = strconv.ParseInt(string(doc), 10, 64)
	}
	if err != nil {
		return fmt.Errorf("a value cannot be read: %w", err)
	}
	return nil
}

func (o other) value() (any, error) {
	switch {
	case o.Real != "":
		real, err := strconv.ParseFloat(o.Real, 64)
		if err == nil && math.IsNaN(real) {
			return nil, nil // as SQLite stores it
		}
		return real, err
	case o.Text != nil:
		return string(o.Text), nil
	case o.Blob != nil || o.Empty:
		return append([]byte{}, o.Blob...), nil
	}
	return nil, fmt.Errorf("it must be a number, a string or a blob")
}

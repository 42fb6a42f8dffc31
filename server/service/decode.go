package service

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Decode decodes the JSON of params. It accepts the other names of members, see wire.Members,
// and returns the members that are not known. The error names the member that is missing or has
// another type.
func (op Operation) Decode(doc []byte) (Params, []wire.UnknownMember, error) {
	params := op.NewParams()
	doc, unknown := wire.Members(op.Name, params, doc)
	if err := unmarshal(doc, params); err != nil {
		return nil, unknown, InvalidJSON(err)
	}
	return params, unknown, missing(params, doc)
}

// unmarshal is json.Unmarshal, which would look through a document twice before params decode it themselves.
func unmarshal(doc []byte, params Params) error {
	if own, is := params.(json.Unmarshaler); is {
		return own.UnmarshalJSON(doc)
	}
	return json.Unmarshal(doc, params)
}

// InvalidJSON returns the fault for params that cannot be decoded.
func InvalidJSON(err error) error {
	var typeError *json.UnmarshalTypeError
	if errors.As(err, &typeError) {
		wanted, got := typeName(typeError.Type), typeError.Value
		kind, literal, _ := strings.Cut(got, " ") // "number 1e999" or "number"
		switch {
		case kind == "number" && wanted == aNumber:
			got = "one that is too large" // 1e999
		case kind == "number" && wanted == anInteger:
			got = cmp.Or(literal, "another number") // 1.5
		}
		return fault.Invalid(strings.TrimPrefix(typeError.Field, "Params."), "must be %s, got %s", wanted, got)
	}
	return fault.Invalid("", "invalid params: %s", err)
}

const aNumber, anInteger = "a number", "an integer"

// typeName returns the name of a JSON type, with an article.
func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return aNumber
	}
	return anInteger
}

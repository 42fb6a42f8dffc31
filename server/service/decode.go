package service

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"

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

// missing returns an error if a required member is absent, also in an object that is a member. It looks only for
// members that are zero after decoding.
func missing(params any, doc []byte) error {
	return missingIn("", reflect.ValueOf(params).Elem(), func() (json.RawMessage, error) { return doc, nil })
}

// missingIn is missing for an object that read returns, before the names of whose members stands within. The object is
// not read unless a required member is zero.
func missingIn(within string, object reflect.Value, read func() (json.RawMessage, error)) error {
	members := sync.OnceValues(func() (members map[string]json.RawMessage, err error) {
		doc, err := read()
		if err == nil {
			err = json.Unmarshal(doc, &members)
		}
		return members, err
	})
	for i := range object.NumField() {
		field, value := object.Type().Field(i), object.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch inner := reflect.Indirect(value); {
		case name == "":
		case value.IsZero() && options == "":
			all, err := members()
			if err != nil {
				return InvalidJSON(err)
			}
			if member := memberOf(all, name); member == nil || string(member) == "null" {
				return fault.Invalid(within+name, "is missing; must be %s", typeName(field.Type))
			}
		case !value.IsZero() && inner.Kind() == reflect.Struct:
			err := missingIn(within+name+".", inner, func() (json.RawMessage, error) {
				all, err := members()
				return memberOf(all, name), err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// memberOf returns a member, whose name encoding/json finds in any case. It is nil if there is none.
func memberOf(members map[string]json.RawMessage, name string) json.RawMessage {
	for given, value := range members {
		if strings.EqualFold(given, name) {
			return value
		}
	}
	return nil
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

package service

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// missing returns an error if a required member is absent or null, also in an object that is a member or an element of
// a list. A member that is not zero after decoding is there, so the document is read only if one is zero.
func missing(params any, doc []byte) error {
	value := reflect.ValueOf(params).Elem()
	if !lacks(value) {
		return nil
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(doc), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	err := missingIn(nil, value, decoder)
	if _, known := errors.AsType[*fault.Fault](err); err != nil && !known {
		return InvalidJSON(err)
	}
	return err
}

// A shape is what is known of the members of a struct type.
type shape struct {
	members []member
	byName  map[string]int
}

type member struct {
	name     string
	required bool
	field    int
	// inner is true if it is an object, or a list of objects.
	inner bool
}

var shapes sync.Map // of *shape, by the type

func shapeOf(t reflect.Type) *shape {
	if known, is := shapes.Load(t); is {
		return known.(*shape)
	}
	of := &shape{byName: map[string]int{}}
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		inner := field.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		of.byName[name] = len(of.members)
		of.members = append(of.members, member{name, options == "", i, inner.Kind() == reflect.Struct})
	}
	shapes.Store(t, of)
	return of
}

// find returns the place of a member, whose name encoding/json finds in any case, or -1.
func (s *shape) find(name string) int {
	if i, is := s.byName[name]; is {
		return i
	}
	return slices.IndexFunc(s.members, func(m member) bool { return strings.EqualFold(m.name, name) })
}

// lacks reports whether a required member is zero in an object, or in one of the objects of a list.
func lacks(value reflect.Value) bool {
	switch value = reflect.Indirect(value); value.Kind() {
	case reflect.Slice:
		for i := range value.Len() {
			if lacks(value.Index(i)) {
				return true
			}
		}
	case reflect.Struct:
		for _, m := range shapeOf(value.Type()).members {
			field := value.Field(m.field)
			zero := field.IsZero()
			if zero && m.required || !zero && m.inner && lacks(field) {
				return true
			}
		}
	}
	return false
}

// A memberPath says where a value is: its name or its index in the value around it.
type memberPath struct {
	around *memberPath
	name   string
	index  int
}

// String returns a path such as items[3].text.
func (p *memberPath) String() string {
	switch {
	case p == nil:
		return ""
	case p.name == "":
		return fmt.Sprintf("%s[%d]", p.around, p.index)
	case p.around == nil:
		return p.name
	}
	return p.around.String() + "." + p.name
}

// missingIn is missing for the value that the decoder reads next.
func missingIn(at *memberPath, value reflect.Value, decoder *jsontext.Decoder) error {
	value = reflect.Indirect(value)
	switch kind := decoder.PeekKind(); {
	case (kind == '{' || kind == 'n') && value.Kind() == reflect.Struct:
		return missingInObject(at, value, decoder)
	case kind == '[' && value.Kind() == reflect.Slice:
		_, err := decoder.ReadToken()
		for i := 0; err == nil && decoder.PeekKind() != ']'; i++ {
			if i < value.Len() {
				err = missingIn(&memberPath{around: at, index: i}, value.Index(i), decoder)
			} else { // the member stands twice, and the last one counts
				err = decoder.SkipValue()
			}
		}
		if err == nil {
			_, err = decoder.ReadToken()
		}
		return err
	}
	return decoder.SkipValue()
}

func missingInObject(at *memberPath, value reflect.Value, decoder *jsontext.Decoder) error {
	of := shapeOf(value.Type())
	there := make([]bool, len(of.members))
	begin, err := decoder.ReadToken()
	isObject := err == nil && begin.Kind() == '{' // or else null, in a list
	for isObject && err == nil && decoder.PeekKind() == '"' {
		var name jsontext.Token
		if name, err = decoder.ReadToken(); err != nil {
			break
		}
		i := of.find(name.String())
		if i < 0 || decoder.PeekKind() == 'n' {
			err = decoder.SkipValue()
			continue
		}
		if there[i] = true; !of.members[i].inner {
			err = decoder.SkipValue()
			continue
		}
		err = missingIn(&memberPath{around: at, name: of.members[i].name}, value.Field(of.members[i].field), decoder)
	}
	if isObject && err == nil {
		_, err = decoder.ReadToken()
	}
	if err != nil {
		return err
	}
	for i, m := range of.members {
		if field := value.Field(m.field); m.required && !there[i] && field.IsZero() {
			lacking := &memberPath{around: at, name: m.name}
			return fault.Invalid(lacking.String(), "is missing; must be %s", typeName(field.Type()))
		}
	}
	return nil
}

package overview

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// The limits of a state that is read or written.
const (
	MaxBytes = 256 << 10 // of its YAML or JSON
	MaxDepth = 20        // of nested maps and lists
	MaxLines = 2000      // of its YAML, which takes quadratic time to parse
	MaxLine  = 8 << 10   // bytes of a line of its YAML, for the same reason
)

// A State is the content of the sections of an overview as data (systems.md C6).
// Its top keys are meta, project, current_state and issues, in this order, followed
// by any others.
type State struct{ Map }

// A Map is a mapping that keeps the order of its keys. A value is nil, a bool, an
// int64, a uint64 above the largest int64, a finite float64, a string of valid
// UTF-8, a []any of values or a Map.
type Map []Member

// A Member is a key with its value. The keys of a Map are unique.
type Member struct {
	Key   string
	Value any
}

// Get returns the value of a key.
func (m Map) Get(key string) (any, bool) {
	for _, member := range m {
		if member.Key == key {
			return member.Value, true
		}
	}
	return nil, false
}

// With returns the map with a new value for the key, which is added at the end if it
// is not there.
func (m Map) With(key string, value any) Map {
	m = slices.Clone(m)
	for i := range m {
		if m[i].Key == key {
			m[i].Value = value
			return m
		}
	}
	return append(m, Member{key, value})
}

// Equal reports whether both states are equal, regardless of the order of keys.
func (s State) Equal(other State) bool { return equal(s.Map, other.Map) }

func equal(a, b any) bool {
	switch a := a.(type) {
	case Map:
		b, same := b.(Map)
		if !same || len(a) != len(b) {
			return false
		}
		known := make(map[string]any, len(b))
		for _, member := range b {
			known[member.Key] = member.Value
		}
		return !slices.ContainsFunc(a, func(member Member) bool {
			value, there := known[member.Key]
			return !there || !equal(member.Value, value)
		})
	case []any:
		b, same := b.([]any)
		return same && slices.EqualFunc(a, b, equal)
	case nil, bool, int64, uint64, float64, string:
		switch b.(type) {
		case nil, bool, int64, uint64, float64, string:
			return a == b
		}
	}
	return false
}

// check returns an error if a value cannot be written.
func check(value any, path string, depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("%s is nested more than %d deep: put the inner parts side by side", path, MaxDepth)
	}
	switch value := value.(type) {
	case Map:
		seen := make(map[string]bool, len(value))
		for _, member := range value {
			inner := join(path, member.Key)
			if !utf8.ValidString(member.Key) {
				return fmt.Errorf("the key %s is not valid UTF-8", inner)
			}
			if seen[member.Key] {
				return fmt.Errorf("duplicate key %s: remove one of them", inner)
			}
			seen[member.Key] = true
			if err := check(member.Value, inner, depth+1); err != nil {
				return err
			}
		}
		return nil
	case []any:
		for i, item := range value {
			if err := check(item, path+"["+strconv.Itoa(i)+"]", depth+1); err != nil {
				return err
			}
		}
		return nil
	case string:
		if !utf8.ValidString(value) {
			return fmt.Errorf("%s is not valid UTF-8", path)
		}
		return nil
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return fmt.Errorf("%s is not a finite number: write it as a string", path)
		}
		return nil
	case nil, bool, int64, uint64:
		return nil
	}
	return fmt.Errorf("%s has the type %T, which a state cannot hold", path, value)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// ordered returns the map with the top keys in their order.
func (m Map) ordered() Map {
	rank := func(member Member) int {
		if i := slices.Index(topKeys, member.Key); i >= 0 {
			return i
		}
		return len(topKeys)
	}
	m = slices.Clone(m)
	slices.SortStableFunc(m, func(a, b Member) int { return rank(a) - rank(b) })
	return m
}

// MarshalJSON writes the members in their order.
func (m Map) MarshalJSON() ([]byte, error) {
	if err := check(m, "", 0); err != nil {
		return nil, fmt.Errorf("writing the state as JSON: %w", err)
	}
	return appendJSON(nil, m), nil
}

func appendJSON(out []byte, value any) []byte {
	switch value := value.(type) {
	case Map:
		for i, member := range value {
			out = append(out, "{,"[min(i, 1)])
			out = append(quoted(out, member.Key), ':')
			out = appendJSON(out, member.Value)
		}
		return append(out, "{}"[min(len(value), 1):]...)
	case []any:
		for i, item := range value {
			out = append(out, "[,"[min(i, 1)])
			out = appendJSON(out, item)
		}
		return append(out, "[]"[min(len(value), 1):]...)
	case string:
		return quoted(out, value)
	case bool:
		return strconv.AppendBool(out, value)
	case int64:
		return strconv.AppendInt(out, value, 10)
	case uint64:
		return strconv.AppendUint(out, value, 10)
	case float64:
		return appendFloat(out, value)
	}
	return append(out, "null"...)
}

// quoted appends a string as JSON. It cannot fail: the string is valid UTF-8.
func quoted(out []byte, text string) []byte {
	out, _ = jsontext.AppendQuote(out, text)
	return out
}

// appendFloat appends a number so that it is parsed as a float again.
func appendFloat(out []byte, value float64) []byte {
	from := len(out)
	out = strconv.AppendFloat(out, value, 'g', -1, 64)
	if !bytes.ContainsAny(out[from:], ".e") {
		return append(out, ".0"...)
	}
	return out
}

// UnmarshalJSON reads an object, within the limits of a state.
func (m *Map) UnmarshalJSON(data []byte) error {
	if len(data) > MaxBytes {
		return fmt.Errorf(
			"the state has %d bytes, more than %d: put the longer parts into files under detail/",
			len(data),
			MaxBytes,
		)
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	value, err := readJSON(decoder, 0)
	if err != nil {
		return fmt.Errorf("reading the state from JSON: %w", err)
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("reading the state from JSON: unexpected data after the object")
	}
	object, is := value.(Map)
	if !is {
		return errors.New("reading the state from JSON: must be an object, got " + typeOf(value))
	}
	*m = object
	return nil
}

func readJSON(decoder *jsontext.Decoder, depth int) (any, error) {
	if depth > MaxDepth+1 {
		return nil, fmt.Errorf("%s is nested more than %d deep", decoder.StackPointer(), MaxDepth)
	}
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		return readObject(decoder, depth)
	case '[':
		list := []any{}
		for decoder.PeekKind() != ']' {
			item, err := readJSON(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err := decoder.ReadToken()
		return list, err
	case '"':
		return token.String(), nil
	case '0':
		return number(token.String(), string(decoder.StackPointer()))
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}

func readObject(decoder *jsontext.Decoder, depth int) (any, error) {
	object := Map{}
	for decoder.PeekKind() != '}' {
		key, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := key.String()
		value, err := readJSON(decoder, depth+1)
		if err != nil {
			return nil, err
		}
		object = append(object, Member{name, value})
	}
	_, err := decoder.ReadToken()
	return object, err
}

func number(text, path string) (any, error) {
	if !strings.ContainsAny(text, ".eE") {
		if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
			return whole, nil
		}
		if whole, err := strconv.ParseUint(text, 10, 64); err == nil {
			return whole, nil
		}
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%s: the number %s is too large: write it as a string", path, text)
	}
	return value, nil
}

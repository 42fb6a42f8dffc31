package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// A Layer is what one source says about the settings.
type Layer struct {
	// Name is how problems refer to the source: "client", or the path of a file.
	Name string
	// Values are the keys as tables within tables. Numbers are float64 or int64;
	// nil means that nothing is said.
	Values map[string]any
	// Trusted is false for a repository's file: it sets only what is marked
	// repo:"yes", and its lists add to those of the other layers.
	Trusted bool
}

// A Problem is something that a layer says and that is not followed.
type Problem struct {
	// Layer is the name of the layer, Key the setting, such as "memory.maxEntries".
	Layer, Key string
	// Reason says what is wrong, such as "is 900, more than 500".
	Reason string
	// Instead says what is used now; empty if it is simply left out.
	Instead string
}

// String returns the problem as a sentence.
func (p Problem) String() string {
	if p.Instead == "" {
		return fmt.Sprintf("%s: %s %s; it is ignored", p.Layer, p.Key, p.Reason)
	}
	return fmt.Sprintf("%s: %s %s; used instead: %s", p.Layer, p.Key, p.Reason, p.Instead)
}

// maxProblems bounds the problems that are told of one layer: a file may be
// anybody's.
const maxProblems = 20

// Merge lays the layers over the defaults, the first the strongest. A value
// that is wrong is left out and told as a problem; it never spoils another.
func Merge(layers ...Layer) (*Settings, []Problem) {
	settings := Default()
	m := merger{told: map[string]int{}, said: map[string]Layer{}}
	for _, layer := range slices.Backward(layers) {
		m.layer = layer
		m.table("", reflect.ValueOf(settings).Elem(), layer.Values)
	}
	m.add()
	m.rise("", reflect.ValueOf(settings).Elem(), reflect.ValueOf(Default()).Elem())
	m.typed(settings)
	problems := make([]Problem, 0, len(m.problems))
	for _, p := range m.problems {
		if p.value.IsValid() {
			p.Instead = show(p.value)
		}
		problems = append(problems, p.Problem)
	}
	return settings, problems
}

// A merger lays one layer after the other, the weakest first.
type merger struct {
	layer     Layer
	told      map[string]int   // problems, by the name of the layer
	said      map[string]Layer // who had the last word about a setting
	problems  []problem
	additions []addition
}

// A problem knows the setting that it is about, whose value is told once all
// layers are laid.
type problem struct {
	Problem
	value reflect.Value
}

// table lays the members of a table over the struct that holds its settings.
func (m *merger) table(prefix string, into reflect.Value, values map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values[name]
		field, ok := fieldFor(into.Type(), name)
		switch {
		case value == nil:
		case !ok:
			m.report(prefix+printable(name), "is no setting", reflect.Value{})
		case field.Type.Kind() == reflect.Struct:
			m.subtable(prefix+name, into.FieldByIndex(field.Index), value)
		default:
			m.setting(prefix+name, into.FieldByIndex(field.Index), field.Tag, value)
		}
	}
}

func (m *merger) subtable(key string, into reflect.Value, value any) {
	if list, ok := value.([]any); ok && len(list) == 0 {
		return // an empty table of Lua
	}
	values, ok := value.(map[string]any)
	if !ok {
		m.report(key, "is "+kindOf(value)+", not a table", reflect.Value{})
		return
	}
	m.table(key+".", into, values)
}

// setting lays one value.
func (m *merger) setting(key string, into reflect.Value, tag reflect.StructTag, value any) {
	if !m.layer.Trusted && tag.Get("repo") != "yes" {
		m.report(key, "cannot be set by a repository", into)
		return
	}
	if into.Kind() == reflect.Slice {
		m.list(key, into, tag, value)
		return
	}
	if reason := set(into, tag, value); reason != "" {
		m.report(key, reason, into)
		return
	}
	m.said[key] = m.layer
}

// report notes a problem of the layer. The value is the setting's, zero if
// there is none.
func (m *merger) report(key, reason string, value reflect.Value) {
	m.tell(problem{Problem: Problem{Key: key, Reason: reason}, value: value})
}

func (m *merger) tell(p problem) {
	p.Layer = m.layer.Name
	m.told[p.Layer]++
	switch told := m.told[p.Layer]; {
	case told <= maxProblems:
		m.problems = append(m.problems, p)
	case told == maxProblems+1:
		m.problems = append(m.problems,
			problem{Problem: Problem{Layer: p.Layer, Key: "the rest", Reason: "is wrong as well"}})
	}
}

// fieldFor returns the field of a struct of settings that has the key.
func fieldFor(table reflect.Type, key string) (reflect.StructField, bool) {
	for _, field := range reflect.VisibleFields(table) {
		if field.Tag.Get("wm") == key {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

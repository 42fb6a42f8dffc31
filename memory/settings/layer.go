package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// A Layer is the settings of one source.
type Layer struct {
	// Name identifies the source in problems: "client", or the path of a file.
	Name string
	// Values are the settings as nested tables. Numbers are float64 or int64. A nil
	// value is not set.
	Values map[string]any
	// Trusted is false for a repository's file. It can set only what is marked
	// repo:"yes", and its lists are added to those of the other layers.
	Trusted bool
	// Doc is the document of a file, in which problems have their lines.
	Doc []byte
}

// A Problem is a value of a layer that is ignored.
type Problem struct {
	// Layer is the name of the layer, Key the setting, such as "memory.maxEntries".
	Layer, Key string
	// Reason is what is wrong, such as "must be at most 500, got 900".
	Reason string
	// Instead is the value that is used now, or "" if there is none.
	Instead string
	// Line is the line of the file on which the value is set, from 1; 0 if it is not known.
	Line int
}

// String returns the problem as a sentence.
func (p Problem) String() string { return p.Layer + ": " + p.Sentence() }

// Sentence returns the problem without its layer.
func (p Problem) Sentence() string {
	if p.Instead == "" {
		return fmt.Sprintf("%s %s; it is ignored", p.Key, p.Reason)
	}
	return fmt.Sprintf("%s %s; used instead: %s", p.Key, p.Reason, p.Instead)
}

// maxProblems bounds the reported problems of one layer, which may not be trusted.
const maxProblems = 20

// Merge merges the layers with the defaults. The first layer takes precedence. An
// invalid value is ignored and reported as a problem; it does not affect others.
func Merge(layers ...Layer) (*Settings, []Problem) {
	settings := Default()
	m := newMerger()
	docs := map[string][]byte{}
	for _, layer := range slices.Backward(layers) {
		docs[layer.Name] = layer.Doc
		m.layer = layer
		m.table("", reflect.ValueOf(settings).Elem(), m.canonical(layer.Values))
	}
	m.extend()
	for _, a := range m.additions {
		if a.limit && a.items.Len() > 0 {
			settings.additions = append(settings.additions, a)
		}
	}
	m.checkOrder("", reflect.ValueOf(settings).Elem(), reflect.ValueOf(Default()).Elem())
	m.checkTypes(settings)
	problems := make([]Problem, 0, len(m.problems))
	for _, p := range m.problems {
		if p.value.IsValid() {
			p.Instead = show(p.value)
		}
		p.Line = lineOf(docs[p.Layer], p.Key)
		problems = append(problems, p.Problem)
	}
	return settings, problems
}

// A merger merges one layer after the other, the weakest first.
type merger struct {
	layer     Layer
	reported  map[string]int   // number of problems, by the name of the layer
	sources   map[string]Layer // the strongest layer that set each setting
	problems  []problem
	additions []addition
}

func newMerger() merger { return merger{reported: map[string]int{}, sources: map[string]Layer{}} }

// A problem refers to the value of its setting, which is known once all layers are
// merged.
type problem struct {
	Problem
	value reflect.Value
}

// table merges the members of a table into the struct that holds its settings.
func (m *merger) table(prefix string, into reflect.Value, values map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values[name]
		field, ok := fieldFor(into.Type(), name)
		switch {
		case value == nil:
		case !ok:
			m.report(prefix+printable(name), "is not a setting", reflect.Value{})
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
		m.report(key, "must be a table, got "+typeOf(value), reflect.Value{})
		return
	}
	m.table(key+".", into, values)
}

// setting merges one value.
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
	m.sources[key] = m.layer
}

// report adds a problem of the layer. value is the value of the setting, if there is
// one.
func (m *merger) report(key, reason string, value reflect.Value) {
	m.add(problem{Problem: Problem{Key: key, Reason: reason}, value: value})
}

func (m *merger) add(p problem) {
	p.Layer = m.layer.Name
	m.reported[p.Layer]++
	switch reported := m.reported[p.Layer]; {
	case reported <= maxProblems:
		m.problems = append(m.problems, p)
	case reported == maxProblems+1:
		m.problems = append(m.problems,
			problem{Problem: Problem{Layer: p.Layer, Key: "the rest", Reason: "is invalid too"}})
	}
}

// fieldFor returns the field of a struct of settings with the key.
func fieldFor(table reflect.Type, key string) (reflect.StructField, bool) {
	for field := range table.Fields() {
		if field.IsExported() && field.Tag.Get("wm") == key {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

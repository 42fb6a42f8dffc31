package settings

import (
	"reflect"
	"strings"
)

// Limits are values of the settings that bound what a workspace keeps, by key, as a layer has
// them. They are marked workspace:"yes".
type Limits map[string]any

// LimitsIn returns the valid limits that a layer sets.
func LimitsIn(layer Layer) Limits {
	m := newMerger()
	m.layer = layer
	values := m.canonical(layer.Values)
	m.table("", reflect.ValueOf(Default()).Elem(), values)
	limits := Limits{}
	for key := range m.sources {
		if !IsLimit(key) {
			continue
		}
		table, name, _ := strings.Cut(key, ".")
		if inner, isTable := values[table].(map[string]any); isTable {
			limits[key] = inner[name]
		}
	}
	return limits
}

// IsLimit reports whether a setting bounds what a workspace keeps.
func IsLimit(key string) bool {
	table, name, _ := strings.Cut(key, ".")
	outer, known := fieldFor(reflect.TypeFor[Settings](), table)
	if !known || outer.Type.Kind() != reflect.Struct {
		return false
	}
	field, known := fieldFor(outer.Type, name)
	return known && field.Tag.Get("workspace") == "yes"
}

// WithLimits returns a copy of the settings with limits in place of its own. Invalid ones, as a newer version may
// have written, are left out. What a repository adds to a list is added to that of the limits.
func (s *Settings) WithLimits(limits Limits) *Settings {
	limited := *s
	into := reflect.ValueOf(&limited).Elem()
	m := newMerger()
	m.layer = Layer{Name: "workspace", Trusted: true, Values: map[string]any{}}
	for key, value := range limits {
		table, name, _ := strings.Cut(key, ".")
		inner, is := m.layer.Values[table].(map[string]any)
		if !is {
			inner = map[string]any{}
			m.layer.Values[table] = inner
		}
		inner[name] = value
	}
	m.table("", into, m.layer.Values)
	for _, a := range s.additions {
		if _, replaced := m.sources[a.key]; replaced {
			a.to = valueAt(into, a.key)
			m.additions = append(m.additions, a)
		}
	}
	m.extend()
	return &limited
}

// Show returns a setting as it is shown to a person, "" if there is none with the key.
func (s *Settings) Show(key string) string {
	if value := valueAt(reflect.ValueOf(s).Elem(), key); value.IsValid() {
		return show(value)
	}
	return ""
}

// valueAt returns the value of a setting, the zero Value if there is none with the key.
func valueAt(table reflect.Value, key string) reflect.Value {
	name, rest, inner := strings.Cut(key, ".")
	field, known := fieldFor(table.Type(), name)
	switch {
	case !known:
		return reflect.Value{}
	case !inner:
		return table.FieldByIndex(field.Index)
	case field.Type.Kind() != reflect.Struct:
		return reflect.Value{}
	}
	return valueAt(table.FieldByIndex(field.Index), rest)
}

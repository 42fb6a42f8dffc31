package settings

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Settings that depend on each other are checked when all layers are merged, because
// they may come from different layers.

// checkOrder checks the settings that must be greater than another. If one is not, it
// and all related settings of its table are reset to their defaults.
func (m *merger) checkOrder(prefix string, table, defaults reflect.Value) {
	reported := false
	for i := range table.NumField() {
		field := table.Type().Field(i)
		key := prefix + field.Tag.Get("wm")
		if field.Type.Kind() == reflect.Struct {
			if m.isSet(key + ".") {
				m.checkOrder(key+".", table.Field(i), defaults.Field(i))
			}
			continue
		}
		lower := field.Tag.Get("above")
		if lower == "" || reported {
			continue
		}
		below, _ := fieldFor(table.Type(), lower)
		if here, there := table.Field(i), table.FieldByIndex(below.Index); numeric(here) <= numeric(there) {
			reported = true
			m.layer = m.source(key, prefix+lower)
			reason := fmt.Sprintf("must be greater than %s (%s), got %s", prefix+lower, show(there), show(here))
			m.add(problem{Problem: Problem{Key: key, Reason: reason, Instead: restore(table, defaults)}})
		}
	}
}

// isSet reports whether a layer sets a setting whose key begins with prefix. The
// defaults agree with each other.
func (m *merger) isSet(prefix string) bool {
	for key := range m.sources {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// source returns the layer that set the first of the settings that any layer set.
func (m *merger) source(keys ...string) Layer {
	for _, key := range keys {
		if layer, set := m.sources[key]; set {
			return layer
		}
	}
	return Layer{}
}

// restore resets the related settings of a table to their defaults and describes them.
func restore(table, defaults reflect.Value) string {
	var bound []string
	for i := range table.NumField() {
		if tag := table.Type().Field(i).Tag; tag.Get("above") != "" {
			bound = append(bound, tag.Get("above"), tag.Get("wm"))
		}
	}
	var used []string
	for _, key := range slices.Compact(bound) {
		field, _ := fieldFor(table.Type(), key)
		table.FieldByIndex(field.Index).Set(defaults.FieldByIndex(field.Index))
		used = append(used, key+" "+show(defaults.FieldByIndex(field.Index)))
	}
	return strings.Join(used, ", ")
}

func numeric(number reflect.Value) float64 {
	if number.CanInt() {
		return float64(number.Int())
	}
	return number.Float()
}

// checkTypes removes the patterns of memory whose type does not exist.
func (m *merger) checkTypes(settings *Settings) {
	const key = "memory.patterns"
	types := settings.Memory.AllTypes()
	settings.Memory.Patterns = slices.DeleteFunc(settings.Memory.Patterns, func(p MemoryPattern) bool {
		known := slices.Contains(types, p.Type)
		if !known {
			m.layer = m.source(key)
			m.report(key, "has the unknown type "+printable(p.Type)+"; use a built-in type or add it to memory.types",
				reflect.Value{})
		}
		return !known
	})
}

package settings

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// What has to agree with another setting is looked at when all layers are laid:
// each of the two may come from another one.

// rise sees to the settings that have to be above another. Where one is not, it
// and all that it is bound to have their defaults. Those of a table that no layer
// says anything about are the defaults, which agree.
func (m *merger) rise(prefix string, table, defaults reflect.Value) {
	told := false
	for i := range table.NumField() {
		field := table.Type().Field(i)
		key := prefix + field.Tag.Get("wm")
		if field.Type.Kind() == reflect.Struct {
			if !m.hasSaid(key + ".") {
				continue
			}
			m.rise(key+".", table.Field(i), defaults.Field(i))
			continue
		}
		lower := field.Tag.Get("above")
		if lower == "" || told {
			continue
		}
		below, _ := fieldFor(table.Type(), lower)
		if here, there := table.Field(i), table.FieldByIndex(below.Index); numeric(here) <= numeric(there) {
			told = true
			m.layer = m.lastWord(key, prefix+lower)
			reason := fmt.Sprintf("is %s, not above %s, which is %s", show(here), prefix+lower, show(there))
			m.tell(problem{Problem: Problem{Key: key, Reason: reason, Instead: restore(table, defaults)}})
		}
	}
}

// hasSaid reports whether a layer says anything about settings whose keys begin so.
func (m *merger) hasSaid(prefix string) bool {
	for key := range m.said {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// lastWord is the layer that said something about the first of the settings that
// any did say something about.
func (m *merger) lastWord(keys ...string) Layer {
	for _, key := range keys {
		if layer, said := m.said[key]; said {
			return layer
		}
	}
	return Layer{}
}

// restore gives the settings of a table that are bound to each other their
// defaults, and says which those are.
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

// typed leaves out the patterns of memory that would make entries of a type that
// there is not.
func (m *merger) typed(settings *Settings) {
	const key = "memory.patterns"
	types := settings.Memory.AllTypes()
	settings.Memory.Patterns = slices.DeleteFunc(settings.Memory.Patterns, func(p MemoryPattern) bool {
		known := slices.Contains(types, p.Type)
		if !known {
			m.layer = m.lastWord(key)
			m.report(key, "has one of type "+printable(p.Type)+", which is neither built in nor among memory.types", reflect.Value{})
		}
		return !known
	})
}

package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// The settings of the orchestrated memory have names of their own in the document that it follows, which clients
// may send as well (docs/systems.md E16): default_filters, enable_tool_tracking, enable_skill_extraction and
// memory_types. Any other setting may be written in snake_case, too.

// aliases are the paths of settings by their other names in camelCase.
var aliases = once.Value[map[string][2]string]{Make: func() map[string][2]string {
	return map[string][2]string{
		"defaultFilters":        {"recall", "defaultFilters"},
		"enableToolTracking":    {"items", "enableToolTracking"},
		"enableSkillExtraction": {"items", "enableSkillExtraction"},
		"memoryTypes":           {"items", "memoryTypes"},
	}
}}

// canonical returns the settings of a layer under the names that they have here. What is given under both names
// counts under the one that it has here.
func (m *merger) canonical(values map[string]any) map[string]any {
	values = maps.Clone(values)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		path, is := aliases.Get()[camelCase(name)]
		if !is {
			continue
		}
		value := values[name]
		delete(values, name)
		table, isTable := values[path[0]].(map[string]any)
		if !isTable && values[path[0]] != nil {
			continue // what is wrong with it is reported
		}
		if table = maps.Clone(table); table == nil {
			table = map[string]any{}
		}
		if _, set := table[path[1]]; !set {
			table[path[1]] = value
		}
		values[path[0]] = table
	}
	values = camelCased(values, reflect.TypeFor[Settings]())
	if items, isTable := values["items"].(map[string]any); isTable {
		values["items"] = m.memoryTypes(items)
	}
	return values
}

// camelCased returns a copy of a table with the names in camelCase that are settings then.
func camelCased(values map[string]any, of reflect.Type) map[string]any {
	if values == nil {
		return nil
	}
	renamed := make(map[string]any, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) { // "_" is behind the capital letters
		value := values[name]
		if _, known := fieldFor(of, camelCase(name)); known {
			name = camelCase(name)
		}
		field, known := fieldFor(of, name)
		if table, isTable := value.(map[string]any); isTable && known && field.Type.Kind() == reflect.Struct {
			value = camelCased(table, field.Type)
		}
		if _, set := renamed[name]; !set {
			renamed[name] = value
		}
	}
	return renamed
}

func camelCase(name string) string {
	first, rest, found := strings.Cut(name, "_")
	if !found || first == "" {
		return name
	}
	var b strings.Builder
	b.WriteString(first)
	upper := true
	for _, c := range rest {
		switch {
		case c == '_':
			upper = true
		case upper:
			b.WriteRune(unicode.ToUpper(c))
			upper = false
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// builtinLimits are the settings with the limits of the built-in memory types.
var builtinLimits = once.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"working": "maxWorking", "episodic": "maxEpisodic", "semantic": "maxSemantic",
		"conversation": "maxConversation",
	}
}}

// memoryTypes returns the table items in which the list memoryTypes has only memory types that are added: the limits
// of the built-in ones and the routes of all are settings of their own. The list may be a table by name, too.
func (m *merger) memoryTypes(items map[string]any) map[string]any {
	types, given := m.memoryTypeList(items["memoryTypes"])
	if !given {
		return items
	}
	items = maps.Clone(items)
	var added []any
	var routes []any
	for i, value := range types {
		one, isTable := value.(map[string]any)
		if !isTable {
			added = append(added, value)
			continue
		}
		one = maps.Clone(one)
		name, _ := one["name"].(string)
		for _, typ := range routesOf(one["routes"]) {
			routes = append(routes, map[string]any{"type": typ, "store": name})
		}
		delete(one, "routes")
		limit, builtin := builtinLimits.Get()[name]
		if !builtin {
			added = append(added, one)
			continue
		}
		if most, set := one["max"]; set && items[limit] == nil {
			items[limit] = most
		}
		for member := range one {
			if member != "name" && member != "max" {
				m.report(fmt.Sprintf("items.memoryTypes[%d].%s", i, printable(member)),
					"cannot be set for a built-in memory type", reflect.Value{})
			}
		}
	}
	if items["memoryTypes"] = added; added == nil {
		delete(items, "memoryTypes")
		if len(types) == 0 {
			items["memoryTypes"] = []any{}
		}
	}
	if len(routes) > 0 {
		own, _ := listOf(items["routes"])
		items["routes"] = append(slices.Clone(own), withoutTypes(routes, own)...)
	}
	return items
}

// memoryTypeList returns the list memoryTypes, of which a table by name is another form, and whether it is given.
func (m *merger) memoryTypeList(value any) (types []any, given bool) {
	byName, isTable := value.(map[string]any)
	if !isTable {
		return listOf(value)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		one, isTable := byName[name].(map[string]any)
		if !isTable {
			reason := "must be a table, got " + typeOf(byName[name])
			m.report("items.memoryTypes."+printable(name), reason, reflect.Value{})
			continue
		}
		one = maps.Clone(one)
		one["name"] = name
		types = append(types, one)
	}
	return types, true
}

// routesOf returns the types of items that are routed to a memory type: one, or a list of them.
func routesOf(value any) []any {
	if list, isList := listOf(value); isList {
		return list
	}
	if value == nil {
		return nil
	}
	return []any{value}
}

// withoutTypes returns routes for types that others do not route.
func withoutTypes(routes, others []any) []any {
	typeOf := func(route any) any {
		table, _ := route.(map[string]any)
		return table["type"]
	}
	return slices.DeleteFunc(routes, func(route any) bool {
		return slices.ContainsFunc(others, func(other any) bool { return typeOf(route) == typeOf(other) })
	})
}

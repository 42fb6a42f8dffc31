package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// The maximum lengths of a list of strings and of a list of tables.
const (
	maxItems  = 200
	maxTables = 50
)

// An addition holds items to add to a list once all layers are merged, because a
// stronger layer may replace the list.
type addition struct {
	layer     Layer
	key       string
	to, items reflect.Value
	limit     bool // of the workspace
}

// list merges the valid items. A trusted layer replaces the list, unless all of its
// items are invalid; a repository adds to it.
func (m *merger) list(key string, into reflect.Value, tag reflect.StructTag, value any) {
	values, ok := listOf(value)
	what, most := boundsOf(into.Type())
	if !ok {
		m.report(key, "must be a list of "+what+", got "+typeOf(value), into)
		return
	}
	if len(values) > most {
		m.report(key, fmt.Sprintf("must have at most %d items, got %d", most, len(values)), into)
		values = values[:most]
	}
	items := reflect.MakeSlice(into.Type(), 0, len(values))
	for i, value := range values {
		item := reflect.New(into.Type().Elem()).Elem()
		member, reason := fill(item, tag, value)
		if reason == "" {
			member, reason = duplicates(items, item)
		}
		if reason != "" {
			m.report(fmt.Sprintf("%s[%d]%s", key, i, member), reason, reflect.Value{})
			continue
		}
		items = reflect.Append(items, item)
	}
	switch {
	case !m.layer.Trusted:
		m.additions = append(m.additions, addition{m.layer, key, into, items, tag.Get("workspace") == "yes"})
	case items.Len() > 0 || len(values) == 0:
		into.Set(union(items, items.Slice(0, 0)))
		m.sources[key] = m.layer
	}
}

// listOf returns the items of a list, which may be an empty table of Lua.
func listOf(value any) (items []any, ok bool) {
	if table, isTable := value.(map[string]any); isTable && len(table) == 0 {
		return nil, true
	}
	items, ok = value.([]any)
	return items, ok
}

// boundsOf describes the items of a list and returns their maximum number.
func boundsOf(list reflect.Type) (what string, most int) {
	if list.Elem().Kind() == reflect.Struct {
		return "tables", maxTables
	}
	return "strings", maxItems
}

// fill sets one item of a list or returns what is wrong with it. member is the invalid
// column of a table, such as ".max".
func fill(into reflect.Value, tag reflect.StructTag, value any) (member, reason string) {
	if into.Kind() != reflect.Struct {
		text, reason := item(tag.Get("items"), value)
		into.SetString(text)
		return "", reason
	}
	values, ok := value.(map[string]any)
	if !ok {
		return "", "must be a table, got " + typeOf(value)
	}
	for i := range into.NumField() {
		column := into.Type().Field(i)
		name := column.Tag.Get("wm")
		reason := ""
		if value := values[name]; value != nil {
			reason = set(into.Field(i), column.Tag, value)
		} else if column.Tag.Get("optional") != "yes" {
			reason = "is missing"
		}
		if reason != "" {
			return "." + name, reason
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, known := fieldFor(into.Type(), name); !known {
			return "." + printable(name), "is not a setting"
		}
	}
	return "", ""
}

// duplicates returns a problem if a table has the identity of an earlier one. Equal
// strings are allowed.
func duplicates(items, item reflect.Value) (member, reason string) {
	if item.Kind() != reflect.Struct {
		return "", ""
	}
	for i := range items.Len() {
		if identity(items.Index(i)) == identity(item) {
			return "." + item.Type().Field(0).Tag.Get("wm"), "must be unique, got another " + printable(identity(item))
		}
	}
	return "", ""
}

// identity returns what distinguishes the items of a list: the first column of a table
// or the string itself.
func identity(item reflect.Value) string {
	if item.Kind() == reflect.Struct {
		item = item.Field(0)
	}
	return fmt.Sprint(item.Interface())
}

// union returns the items of both lists, and only the first of those with the same
// identity.
func union(list, more reflect.Value) reflect.Value {
	all := reflect.MakeSlice(list.Type(), 0, list.Len()+more.Len())
	known := map[string]bool{}
	for _, items := range []reflect.Value{list, more} {
		for i := range items.Len() {
			if id := identity(items.Index(i)); !known[id] {
				known[id] = true
				all = reflect.Append(all, items.Index(i))
			}
		}
	}
	return all
}

// extend adds the items of repositories to the lists, up to their maximum length.
func (m *merger) extend() {
	for _, a := range m.additions {
		all := union(a.to, a.items)
		if _, most := boundsOf(a.to.Type()); all.Len() > most {
			m.layer = a.layer
			m.report(a.key,
				fmt.Sprintf("must have at most %d items with those of other layers, got %d", most, all.Len()), a.to)
			all = all.Slice3(0, most, most)
		}
		a.to.Set(all)
	}
}

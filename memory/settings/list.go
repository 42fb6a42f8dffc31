package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// The bounds of a list of texts and of a list of tables.
const (
	maxItems  = 200
	maxTables = 50
)

// An addition are items for a list that wait until all layers are laid,
// because a stronger layer replaces the list.
type addition struct {
	layer     Layer
	key       string
	to, items reflect.Value
}

// list lays the items that are right. A trusted layer replaces the list, unless
// nothing of it is right; a repository adds to it.
func (m *merger) list(key string, into reflect.Value, tag reflect.StructTag, value any) {
	values, ok := listOf(value)
	what, most := boundsOf(into.Type())
	if !ok {
		m.report(key, "is "+kindOf(value)+", not a list of "+what, into)
		return
	}
	if len(values) > most {
		m.report(key, fmt.Sprintf("has %d items, more than %d", len(values), most), into)
		values = values[:most]
	}
	items := reflect.MakeSlice(into.Type(), 0, len(values))
	for i, value := range values {
		item := reflect.New(into.Type().Elem()).Elem()
		member, reason := fill(item, tag, value)
		if reason == "" {
			member, reason = repeats(items, item)
		}
		if reason != "" {
			m.report(fmt.Sprintf("%s[%d]%s", key, i, member), reason, reflect.Value{})
			continue
		}
		items = reflect.Append(items, item)
	}
	switch {
	case !m.layer.Trusted:
		m.additions = append(m.additions, addition{m.layer, key, into, items})
	case items.Len() > 0 || len(values) == 0:
		into.Set(union(items, items.Slice(0, 0)))
		m.said[key] = m.layer
	}
}

// listOf returns the items of a list; an empty table of Lua may be one.
func listOf(value any) (items []any, ok bool) {
	if table, isTable := value.(map[string]any); isTable && len(table) == 0 {
		return nil, true
	}
	items, ok = value.([]any)
	return items, ok
}

// boundsOf says what a list is of, and of how many at most.
func boundsOf(list reflect.Type) (what string, most int) {
	if list.Elem().Kind() == reflect.Struct {
		return "tables", maxTables
	}
	return "texts", maxItems
}

// fill lays one item of a list, or says what is wrong with it; member is which
// part of a table is wrong, such as ".max".
func fill(into reflect.Value, tag reflect.StructTag, value any) (member, reason string) {
	if into.Kind() != reflect.Struct {
		text, reason := item(tag.Get("items"), value)
		into.SetString(text)
		return "", reason
	}
	values, ok := value.(map[string]any)
	if !ok {
		return "", "is " + kindOf(value) + ", not a table"
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
			return "." + printable(name), "is no setting"
		}
	}
	return "", ""
}

// repeats says that a table is for what one before it is for. Two equal texts
// do no harm.
func repeats(items, item reflect.Value) (member, reason string) {
	if item.Kind() != reflect.Struct {
		return "", ""
	}
	for i := range items.Len() {
		if identity(items.Index(i)) == identity(item) {
			return "." + item.Type().Field(0).Tag.Get("wm"), "is " + printable(identity(item)) + " for the second time"
		}
	}
	return "", ""
}

// identity is what no two items of a list share: of a table its first column.
func identity(item reflect.Value) string {
	if item.Kind() == reflect.Struct {
		item = item.Field(0)
	}
	return fmt.Sprint(item.Interface())
}

// union returns the items of both lists, each once, the first of those that
// have the same identity.
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

// add lays what repositories add to lists, as far as there is room.
func (m *merger) add() {
	for _, a := range m.additions {
		all := union(a.to, a.items)
		if _, most := boundsOf(a.to.Type()); all.Len() > most {
			m.layer = a.layer
			m.report(a.key, fmt.Sprintf("makes %d items, with those of other layers, more than %d", all.Len(), most),
				a.to)
			all = all.Slice3(0, most, most)
		}
		a.to.Set(all)
	}
}

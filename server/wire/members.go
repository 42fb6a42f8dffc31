package wire

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// aliases are other names of members, by method: those of earlier tools for agents. A member
// with underscores is also known without them, such as keep_recent.
var aliases = once.Value[map[string]map[string]string]{Make: func() map[string]map[string]string {
	return map[string]map[string]string{
		"wm/usage/reported": {
			"visiblepromptchars": "promptChars", "estimatedlimit": "charLimit", "estimatedcontextlimit": "charLimit",
		},
		"wm/working/add":    {"type": "slot", "slottype": "slot"},
		"wm/working/clear":  {"type": "slot", "slottype": "slot"},
		"wm/working/remove": {"content": "match"},
		"wm/state/event":    {"context": "data"},
		"wm/context":        {"prompt": "query"},
		"wm/tool/executed":  {"toolname": "tool", "parameters": "input", "result": "output"},
		"wm/memorize":       {"item": "items"},
	}
}}

// A wrapping is what stands around a value of a kind that is given alone.
type wrapping struct {
	kind jsontext.Kind
	wrap func(value []byte) []byte
}

// within returns what puts a value between two strings.
func within(before, after string) func([]byte) []byte {
	return func(value []byte) []byte { return slices.Concat([]byte(before), value, []byte(after)) }
}

// asString makes a string of the JSON of a value.
func asString(value []byte) []byte {
	quoted, _ := jsontext.AppendQuote(nil, value) // what is not UTF-8 is replaced
	return quoted
}

// wrappings are those of members, by method and the name that is given: a budget is a number of tokens, one item is a
// list, a string is the text of an item, and the result of a tool may be structured.
var wrappings = once.Value[map[string]map[string][]wrapping]{Make: func() map[string]map[string][]wrapping {
	return map[string]map[string][]wrapping{
		"wm/tool/executed": {"result": {{'{', asString}, {'[', asString}}},
		"wm/context":       {"budget": {{'0', within(`{"tokens":`, `}`)}}},
		"wm/memorize":      {"item": {{'{', within(`[`, `]`)}, {'"', within(`[{"text":`, `}]`)}}},
	}
}}

// ToolNames are other names of methods: those of earlier tools for agents.
func ToolNames() map[string]string {
	return map[string]string{
		"compact_history": "wm/history/compact", "core_memory_read": "wm/core/read",
		"core_memory_update": "wm/core/update", "working_memory_add": "wm/working/add",
		"working_memory_clear": "wm/working/clear", "working_memory_clear_slot": "wm/working/clear",
		"working_memory_remove": "wm/working/remove", "assemble_context": "wm/context",
		"track_tool_invocation": "wm/tool/executed", "memorize": "wm/memorize", "commit": "wm/commit",
		"get_budget_status": "wm/budget",
	}
}

// An UnknownMember is a member of params that the method does not know.
type UnknownMember struct {
	// Name is the name, after that of the object that contains it and a dot.
	Name string
	// Nearest is the known member with the most similar name, Distance how many bytes of the names
	// differ.
	Nearest  string
	Distance int
	// Known are the members of that object, sorted.
	Known []string
}

// Members returns the JSON of params with the names and values that the method knows, and the members
// that it does not know. params is a pointer to the params type. JSON that is not an object is
// returned unchanged.
func Members(method string, params any, doc []byte) (renamed []byte, unknown []UnknownMember) {
	known := membersOf(reflect.TypeOf(params))
	given, values := scan(doc)
	names := map[string]string{} // by the given name
	for _, name := range given {
		if known.has(name) {
			if inner, is := known.objects[strings.ToLower(name)]; is {
				unknown = append(unknown, unknownIn(name, inner, values[name])...)
			}
			continue
		}
		plain := strings.ToLower(strings.ReplaceAll(name, "_", ""))
		meant, is := known.names[plain]
		if !is {
			meant = aliases.Get()[method][plain]
		}
		twice := slices.ContainsFunc(given, func(other string) bool { return strings.EqualFold(other, meant) })
		if meant == "" || twice {
			unknown = append(unknown, known.unknown("", name))
			continue
		}
		names[name] = meant
	}
	members, changed := map[string]json.RawMessage{}, len(names) > 0
	for _, name := range given {
		to := name
		if meant, is := names[name]; is {
			to = meant
		}
		members[to] = values[name]
		for _, w := range wrappings.Get()[method][name] {
			if jsontext.Value(values[name]).Kind() == w.kind {
				members[to], changed = w.wrap(values[name]), true
			}
		}
	}
	if !changed {
		return doc, unknown
	}
	renamed, err := json.Marshal(members)
	if err != nil {
		return doc, unknown
	}
	return renamed, unknown
}

func unknownIn(object string, known *members, doc []byte) (unknown []UnknownMember) {
	given, _ := scan(doc)
	for _, name := range given {
		if !known.has(name) {
			unknown = append(unknown, known.unknown(object+".", name))
		}
	}
	return unknown
}

// scan returns the names of the members of a JSON object, in order, and their values.
func scan(doc []byte) (names []string, values map[string]json.RawMessage) {
	values = map[string]json.RawMessage{}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(doc), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, values
	}
	for decoder.PeekKind() == '"' {
		token, err := decoder.ReadToken()
		if err != nil {
			return names, values
		}
		name := token.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return names, values
		}
		if _, twice := values[name]; !twice {
			names = append(names, name)
		}
		values[name] = json.RawMessage(value)
	}
	return names, values
}

// members are the members of a struct type.
type members struct {
	names   map[string]string   // by the lower-case name, as encoding/json matches them
	objects map[string]*members // those that are structs
}

func (m *members) has(name string) bool {
	_, is := m.names[strings.ToLower(name)]
	return is
}

// unknown returns a name that is not among the members. prefix is the name of the object with a dot, "" for the params.
func (m *members) unknown(prefix, name string) UnknownMember {
	nearest, distance := m.nearest(name)
	return UnknownMember{prefix + name, nearest, distance, slices.Sorted(maps.Values(m.names))}
}

// nearest returns the member with the most similar name.
func (m *members) nearest(name string) (best string, least int) {
	for _, known := range m.names {
		distance := editDistance(strings.ToLower(name), strings.ToLower(known))
		if best == "" || distance < least || distance == least && known < best {
			best, least = known, distance
		}
	}
	return best, least
}

var membersByType sync.Map // of *members

// membersOf returns the members of a struct, or of the struct that a pointer points to.
func membersOf(t reflect.Type) *members {
	if cached, is := membersByType.Load(t); is {
		return cached.(*members)
	}
	m := &members{names: map[string]string{}, objects: map[string]*members{}}
	of := t
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	for _, field := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous || name == "" || name == "-" {
			continue
		}
		m.names[strings.ToLower(name)] = name
		if inner := field.Type; inner.Kind() == reflect.Pointer && inner.Elem().Kind() == reflect.Struct {
			m.objects[strings.ToLower(name)] = membersOf(inner)
		}
	}
	membersByType.Store(t, m)
	return m
}

// editDistance returns the number of bytes to insert, delete or replace to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

package settings

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
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

// The bounds of a list, of one text in it, and of the problems that are told
// of one layer: a file may be anybody's.
const (
	maxItems     = 200
	maxItemChars = 500
	maxProblems  = 20
)

// maxAlternatives bounds the patterns that the braces of one glob stand for.
// Each is tried in turn, so that {a,a} twenty times would be a million tries
// for every file.
const maxAlternatives = 32

// Merge lays the layers over the defaults, the first the strongest. A value
// that is wrong is left out and told as a problem; it never spoils another.
func Merge(layers ...Layer) (*Settings, []Problem) {
	settings := Default()
	m := merger{}
	for _, layer := range slices.Backward(layers) {
		m.layer, m.told = layer, 0
		m.table("", reflect.ValueOf(settings).Elem(), layer.Values)
	}
	for _, addition := range m.additions {
		addition.to.Set(reflect.ValueOf(union(addition.to.Interface().([]string), addition.items)))
	}
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
	told      int // problems of this layer
	problems  []problem
	additions []addition
}

// A problem knows the setting that it is about, whose value is told once all
// layers are laid.
type problem struct {
	Problem
	value reflect.Value
}

// An addition are items for a list that wait until all layers are laid,
// because a stronger layer replaces the list.
type addition struct {
	to    reflect.Value
	items []string
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
	var reason string
	switch into.Kind() {
	case reflect.Bool:
		reason = setBool(into, value)
	case reflect.Int:
		reason = setInt(into, tag, value)
	case reflect.String:
		reason = setString(into, tag, value)
	case reflect.Slice:
		m.list(key, into, tag, value)
	}
	if reason != "" {
		m.report(key, reason, into)
	}
}

func setBool(into reflect.Value, value any) (reason string) {
	truth, ok := value.(bool)
	if !ok {
		return "is " + kindOf(value) + ", not true or false"
	}
	into.SetBool(truth)
	return ""
}

func setInt(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	var number float64
	switch value := value.(type) {
	case int64:
		number = float64(value)
	case float64:
		number = value
	default:
		return "is " + kindOf(value) + ", not a number"
	}
	least, most := bounds(tag)
	switch {
	case number != math.Trunc(number): // NaN too
		return fmt.Sprintf("is %v, not a whole number", number)
	case number < float64(least):
		return fmt.Sprintf("is %v, less than %d", number, least)
	case number > float64(most):
		return fmt.Sprintf("is %v, more than %d", number, most)
	}
	into.SetInt(int64(number))
	return ""
}

func setString(into reflect.Value, tag reflect.StructTag, value any) (reason string) {
	text, ok := value.(string)
	if !ok {
		return "is " + kindOf(value) + ", not a text"
	}
	if choices := strings.Split(tag.Get("oneof"), ","); !slices.Contains(choices, text) {
		return "is " + printable(text) + ", not one of " + strings.Join(choices, ", ")
	}
	into.SetString(text)
	return ""
}

// list lays the items that are right. A trusted layer replaces the list, unless
// nothing of it is right; a repository adds to it.
func (m *merger) list(key string, into reflect.Value, tag reflect.StructTag, value any) {
	values, ok := value.([]any)
	if table, isTable := value.(map[string]any); isTable && len(table) == 0 {
		ok = true // an empty table of Lua
	}
	if !ok {
		m.report(key, "is "+kindOf(value)+", not a list of texts", into)
		return
	}
	if len(values) > maxItems {
		m.report(key, fmt.Sprintf("has %d items, more than %d", len(values), maxItems), into)
		values = values[:maxItems]
	}
	items := []string{}
	for i, value := range values {
		item, reason := item(tag.Get("items"), value)
		if reason != "" {
			m.report(fmt.Sprintf("%s[%d]", key, i), reason, reflect.Value{})
			continue
		}
		items = append(items, item)
	}
	switch {
	case !m.layer.Trusted:
		m.additions = append(m.additions, addition{into, items})
	case len(items) > 0 || len(values) == 0:
		into.Set(reflect.ValueOf(union(nil, items)))
	}
}

// word is what can be the name of a type: it stands in what agents read, so
// there is no room for a sentence in it.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`) })

// item returns one text of a list as it is used, or what is wrong with it.
func item(kind string, value any) (text, reason string) {
	text, ok := value.(string)
	if !ok {
		return "", "is " + kindOf(value) + ", not a text"
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return "", "has characters that are no text"
	}
	if text = strings.TrimSpace(text); kind == "name" {
		text = strings.ToLower(text)
	}
	switch {
	case text == "":
		return "", "is empty"
	case utf8.RuneCountInString(text) > maxItemChars:
		return "", fmt.Sprintf("has more than %d characters", maxItemChars)
	case kind == "glob":
		return text, globReason(text)
	case kind == "word" && !word().MatchString(text):
		return "", "is not a word of at most 40 lower-case letters, digits, - and _"
	}
	return text, ""
}

func globReason(pattern string) string {
	switch {
	case !doublestar.ValidatePattern(pattern):
		return "is " + printable(pattern) + ", not a glob pattern"
	case alternatives(pattern) > maxAlternatives:
		return fmt.Sprintf("stands for more than %d patterns through its braces", maxAlternatives)
	}
	return ""
}

// alternatives returns at least the number of patterns that the braces of a
// glob stand for: the product over all groups of what each has to choose from.
func alternatives(pattern string) int {
	product := 1
	var open []int // alternatives so far of the groups that are open
	for i := 0; i < len(pattern) && product <= maxAlternatives; i++ {
		switch last := len(open) - 1; {
		case pattern[i] == '\\':
			i++
		case pattern[i] == '{':
			open = append(open, 1)
		case pattern[i] == ',' && last >= 0:
			open[last]++
		case pattern[i] == '}' && last >= 0:
			product *= open[last]
			open = open[:last]
		}
	}
	return product
}

// report notes a problem of the layer. The value is the setting's, zero if
// there is none.
func (m *merger) report(key, reason string, value reflect.Value) {
	switch m.told++; {
	case m.told <= maxProblems:
		m.problems = append(m.problems, problem{Problem{Layer: m.layer.Name, Key: key, Reason: reason}, value})
	case m.told == maxProblems+1:
		m.problems = append(m.problems, problem{Problem: Problem{Layer: m.layer.Name, Key: "the rest", Reason: "is wrong as well"}})
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

// bounds returns the range of a number. The tags are there: a test sees to it.
func bounds(tag reflect.StructTag) (least, most int) {
	least, _ = strconv.Atoi(tag.Get("min"))
	most, _ = strconv.Atoi(tag.Get("max"))
	return least, most
}

// union returns the items of both lists, each once.
func union(list, more []string) []string {
	all := []string{}
	for _, item := range slices.Concat(list, more) {
		if !slices.Contains(all, item) {
			all = append(all, item)
		}
	}
	return all
}

// show returns the value of a setting for a problem.
func show(value reflect.Value) string {
	if value.Kind() == reflect.Slice {
		return fmt.Sprintf("a list of %d", value.Len())
	}
	return fmt.Sprint(value.Interface())
}

// printable returns a text of unknown origin for a problem: quoted, on one
// line, and too short to tell a story.
func printable(text string) string {
	if utf8.RuneCountInString(text) > 40 {
		text = string([]rune(text)[:40]) + "…"
	}
	return strconv.Quote(text)
}

func kindOf(value any) string {
	switch value.(type) {
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}

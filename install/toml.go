package install

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A tomlFile is a TOML file, at the end of which a table is put.
type tomlFile struct {
	// table is the path of the table, lines are its members.
	table []string
	lines []string
	// hooks is the file with the hooks, if all of them are ours: what Codex says about those in the
	// tables hooks.state goes with them.
	hooks string
}

// add implements form.
func (f tomlFile) add(doc []byte) (additions, error) {
	body, _ := withoutMark(doc)
	var before map[string]any
	if err := toml.Unmarshal(body, &before); err != nil {
		return additions{}, notTOML(err)
	}
	if present := lookup(before, f.table); present != nil {
		if f.isOurs(present) {
			return additions{}, nil
		}
		return additions{}, fmt.Errorf(
			"%s is there already and runs something else; rename it, then run the command again",
			strings.Join(f.table, "."))
	}
	newline := styleOf(doc).newline
	text := "[" + strings.Join(f.table, ".") + "]" + newline + strings.Join(f.lines, newline) + newline
	switch {
	case len(body) == 0:
	case bytes.HasSuffix(body, []byte("\n")):
		text = newline + text
	default:
		text = newline + newline + text
	}
	var after map[string]any
	if err := toml.Unmarshal(append(slices.Clone(body), text...), &after); err == nil {
		parent := lookup(after, f.table[:len(f.table)-1])
		delete(parent, f.table[len(f.table)-1])
		if reflect.DeepEqual(withoutEmpty(before), withoutEmpty(after)) {
			return additions{insertions: []insertion{{len(doc), text}}}, nil
		}
	}
	return additions{}, fmt.Errorf(
		"%s is written in a form to which nothing can be added; add these lines yourself:\n%s",
		strings.Join(f.table[:len(f.table)-1], "."), text)
}

// withoutEmpty returns a document without its empty tables at the top.
func withoutEmpty(doc map[string]any) map[string]any {
	rest := map[string]any{}
	for key, value := range doc {
		if table, is := value.(map[string]any); !is || len(table) > 0 {
			rest[key] = value
		}
	}
	return rest
}

func notTOML(err error) error {
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, column := decode.Position()
		return fmt.Errorf("cannot be read as TOML (line %d, column %d: %w); correct it, then run the command again",
			line, column, err)
	}
	return fmt.Errorf("cannot be read as TOML (%w); correct it, then run the command again", err)
}

func lookup(doc map[string]any, table []string) map[string]any {
	for _, key := range table {
		next, is := doc[key].(map[string]any)
		if !is {
			if doc[key] != nil {
				return map[string]any{} // something else, which is not ours
			}
			return nil
		}
		doc = next
	}
	return doc
}

func (f tomlFile) isOurs(table map[string]any) bool {
	command, _ := table["command"].(string)
	return isProgram(command)
}

// remove implements form. It removes our table and those below it, which make no sense without it.
func (f tomlFile) remove(doc []byte, _ []string) (rest []byte, gone bool, err error) {
	body, skipped := withoutMark(doc)
	var values map[string]any
	if err := toml.Unmarshal(body, &values); err != nil {
		return nil, false, notTOML(err)
	}
	rest = doc
	if table := lookup(values, f.table); table != nil && f.isOurs(table) {
		rest = cut(doc, f.ranges(body, skipped, f.onlyOurHooks(values)))
		var left map[string]any
		body, _ := withoutMark(rest)
		if err := toml.Unmarshal(body, &left); err != nil || lookup(left, f.table) != nil {
			return nil, false, fmt.Errorf("%s is not a table of its own; remove it yourself",
				strings.Join(f.table, "."))
		}
	}
	return rest, len(bytes.TrimSpace(rest)) == 0, nil
}

// ranges returns the lines of the tables, with the empty lines before them.
func (f tomlFile) ranges(body []byte, skipped int, allState bool) (cuts []span) {
	var parser unstable.Parser
	parser.Reset(body)
	end := -1 // of the last expression of the table that is being read, -1 if it is not ours
	begin, done := 0, 0
	start := 0 // of what is left
	finish := func() {
		if end < 0 {
			return
		}
		if begin = max(begin, done); begin == start { // nothing is left before the empty lines behind it
			end += len(body[end:]) - len(bytes.TrimLeft(body[end:], "\r\n"))
			start = end
		}
		cuts = append(cuts, span{skipped + begin, skipped + end})
		done, end = end, -1
	}
	for parser.NextExpression() {
		expression := parser.Expression()
		if expression.Kind == unstable.Comment {
			continue
		}
		line, after := f.lineOf(body, expression)
		if expression.Kind == unstable.Table || expression.Kind == unstable.ArrayTable {
			finish()
			if !f.below(expression, allState) {
				continue
			}
			begin = len(bytes.TrimRight(body[:line], " \t\r\n"))
			if begin > 0 { // the line before keeps its line break
				begin += len(lineBreak(body[begin:]))
			}
			end = after
			continue
		}
		if end >= 0 {
			end = after
		}
	}
	finish()
	return cuts
}

// lineOf returns the start of the line on which an expression starts, and the end of that on
// which it ends.
func (f tomlFile) lineOf(body []byte, expression *unstable.Node) (line, after int) {
	keys := expression.Key()
	first, last := len(body), 0
	for keys.Next() {
		r := keys.Node().Raw
		first = min(first, int(r.Offset))
		last = max(last, int(r.Offset+r.Length))
	}
	line = bytes.LastIndexByte(body[:first], '\n') + 1
	after = last
	for after < len(body) { // a value may go on over several lines
		after += max(1, len(lineBreak(body[after:])))
		var whole map[string]any
		if toml.Unmarshal(body[line:after], &whole) == nil {
			break
		}
	}
	return line, after
}

// lineBreak returns a string up to the end of its first line.
func lineBreak(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return text
}

// onlyOurHooks reports whether the tables hooks.state are all about our hooks.
func (f tomlFile) onlyOurHooks(doc map[string]any) bool {
	for key := range lookup(doc, []string{"hooks", "state"}) {
		if !f.isOurHook(key) {
			return false
		}
	}
	return f.hooks != ""
}

// isOurHook reports whether a name of a hook, its file and its place in it, is that of one of ours.
func (f tomlFile) isOurHook(key string) bool {
	return f.hooks != "" && strings.HasPrefix(key, f.hooks+":")
}

// below reports whether a table is ours or below it, or what Codex says about our hooks. allState is
// true if it says nothing about others.
func (f tomlFile) below(table *unstable.Node, allState bool) bool {
	keys := table.Key()
	var at []string
	for keys.Next() {
		at = append(at, string(keys.Node().Data))
	}
	if len(at) >= 2 && at[0] == "hooks" && at[1] == "state" {
		return len(at) == 2 && allState || len(at) == 3 && f.isOurHook(at[2])
	}
	return len(at) >= len(f.table) && slices.Equal(at[:len(f.table)], f.table)
}

// equal implements form.
func (f tomlFile) equal(a, b []byte) bool {
	var values [2]map[string]any
	for i, doc := range [][]byte{a, b} {
		body, _ := withoutMark(doc)
		if toml.Unmarshal(body, &values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(withoutEmpty(values[0]), withoutEmpty(values[1]))
}

// holds implements form.
func (f tomlFile) holds(doc []byte) (bool, error) {
	body, _ := withoutMark(doc)
	var values map[string]any
	if err := toml.Unmarshal(body, &values); err != nil {
		return false, notTOML(err)
	}
	table := lookup(values, f.table)
	return table != nil && f.isOurs(table), nil
}

// owned implements form.
func (f tomlFile) owned() bool { return false }

// describe implements form.
func (f tomlFile) describe() string { return "" }

package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// lineOf returns the line, from 1, on which a TOML document sets what a problem names, such as
// "items.memoryTypes[1].limit", or else the innermost table or list around it; 0 if there is none.
func lineOf(doc []byte, key string) (line int) {
	wanted := strings.Split(strings.NewReplacer("[", ".#", "]", "").Replace(key), ".")
	var parser unstable.Parser
	parser.Reset(doc)
	var table []string
	found, items := 0, map[string]int{}
	for parser.NextExpression() {
		expression := parser.Expression()
		names, at := namesOf(expression.Key())
		switch expression.Kind {
		case unstable.Table:
			table = names
		case unstable.ArrayTable:
			list := strings.Join(names, ".")
			names = append(names, fmt.Sprint("#", items[list]))
			items[list]++
			table = names
		default:
			names = append(slices.Clone(table), names...)
		}
		if path := canonicalPath(names); len(path) > found && leads(path, wanted) {
			found, line = len(path), parser.Shape(at).Start.Line
		}
	}
	return line
}

// namesOf returns the names of a dotted key, and where the first of them stands.
func namesOf(key unstable.Iterator) (names []string, at unstable.Range) {
	for key.Next() {
		if names == nil {
			at = key.Node().Raw
		}
		names = append(names, string(key.Node().Data))
	}
	return names, at
}

// canonicalPath returns the path of a setting under the name that it has here.
func canonicalPath(names []string) []string {
	if alias, is := aliases.Get()[camelCase(names[0])]; is {
		return slices.Concat(alias[:], names[1:])
	}
	return names
}

// leads reports whether a path is that of a setting, or of a table or list around it.
func leads(path, to []string) bool {
	if len(path) > len(to) {
		return false
	}
	for i, name := range path {
		if name != to[i] && camelCase(name) != to[i] {
			return false
		}
	}
	return true
}

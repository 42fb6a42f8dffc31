package settings

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAProblemHasTheLineOfItsFile(t *testing.T) {
	for _, c := range []struct {
		name, doc, key string
		line           int
	}{
		{"a value of a table", "# limits\n[memory]\n\nmaxChars = 4000\nmaxEntries = 900\n", "memory.maxEntries", 5},
		{"a dotted key", "\nmemory.maxEntries = 900\n", "memory.maxEntries", 2},
		{"an inline table", "\nmemory = { maxChars = 4000, maxEntries = 900 }\n", "memory.maxEntries", 2},
		{"a name in snake_case", "[memory]\nmax_entries = 900\n", "memory.maxEntries", 2},
		{"a quoted name", "[\"memory\"]\n'maxEntries' = 900\n", "memory.maxEntries", 2},
		{"what is not a setting", "[memory]\nmaxEntriez = 900\n", "memory.maxEntriez", 2},
		{"a table that should be none", "[memory]\n[memory.maxEntries]\na = 1\n", "memory.maxEntries", 2},
		{"a value in place of a table", "\n\nmemory = 3\n", "memory", 3},
		{"an item of a list", "[hot]\n\nignore = [\n  \"[\",\n]\n", "hot.ignore[0]", 3},
		{"an item of a list of tables",
			"[[items.memoryTypes]]\nname = \"a\"\n[[items.memoryTypes]]\nname = \"b\"\nlimit = -1\n",
			"items.memoryTypes[1].limit", 5},
		{"the second item lacks a value", "[[items.memoryTypes]]\nlimit = 1\n[[items.memoryTypes]]\nname = \"b\"\n",
			"items.memoryTypes[1].limit", 3},
		{"a setting under its other name", "\ndefault_filters = 3\n", "recall.defaultFilters", 2},
		{"after a byte order mark", "\uFEFF[memory]\nmaxEntries = 900\n", "memory.maxEntries", 2},
		{"with line ends of Windows", "[memory]\r\nmaxEntries = 900\r\n", "memory.maxEntries", 2},
		{"what does not stand there", "[memory]\nmaxEntries = 900\n", "the rest", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			layer, err := ParseTOML("wm-lsp.toml", []byte(c.doc))
			require.NoError(t, err)
			assert.Equal(t, c.line, lineOf(layer.Doc, c.key))
		})
	}
}

func TestAProblemOfAMergeHasItsLine(t *testing.T) {
	layer, err := ParseTOML("wm-lsp.toml", []byte("[memory]\n\nmaxEntries = 900\n"))
	require.NoError(t, err)
	layer.Trusted = true
	client := map[string]any{"memory": map[string]any{"maxEntries": 0}}
	_, problems := Merge(Layer{Name: "client", Values: client}, layer)
	lines := map[string]int{}
	for _, p := range problems {
		lines[p.Layer] = p.Line
	}
	assert.Equal(t, map[string]int{"client": 0, "wm-lsp.toml": 3}, lines)
}

func TestAFileThatIsNotValidHasItsLine(t *testing.T) {
	_, err := ParseTOML("wm-lsp.toml", []byte("[memory]\nmaxEntries = \n"))
	assert.Equal(t, 2, InvalidAt(err))
}

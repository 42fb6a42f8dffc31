package install

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"
)

// wanted is a small file of ours: a hook and a server.
func wanted() jsonFile {
	return jsonFile{want: object{
		{"hooks", object{{"Stop", list{{object{{"hooks", []any{object{{"command", "wm-lsp hook"}}}}}}}}}},
		{"mcpServers", object{{"wm", entry{object{{"command", "wm-lsp"}}}}}},
	}}
}

const (
	stopHook = `{"hooks":[{"command":"wm-lsp hook"}]}`
	server1  = `{"command":"wm-lsp"}`
	// the members of wanted
	stop       = `"hooks":{"Stop":[` + stopHook + `]}`
	serverOnly = `"mcpServers":{"wm":` + server1 + `}`
	twoHooks   = `"hooks":{"Stop":[{"hooks":[{"command":"x"},{"command":"wm-lsp hook"}]}]}`
)

// compact returns a document without layout and comments.
func compact(t *testing.T, doc []byte) string {
	t.Helper()
	body, _ := withoutMark(doc)
	plain, err := hujson.Minimize(body)
	require.NoError(t, err)
	return string(plain)
}

func TestEntriesAreInsertedAndEverythingElseStays(t *testing.T) {
	for name, test := range map[string]struct{ before, after string }{
		"an empty file":   {"", "{" + stop + "," + serverOnly + "}"},
		"an empty object": {"{}", "{" + stop + "," + serverOnly + "}"},
		"another member":  {`{"a":1}`, `{"a":1,` + stop + "," + serverOnly + "}"},
		"another hook": {
			`{"hooks":{"Stop":[{"x":1}],"Go":[]}}`,
			`{"hooks":{"Stop":[{"x":1},` + stopHook + `],"Go":[]},` + serverOnly + `}`,
		},
		"another event": {
			`{"hooks":{"Go":[]}}`, `{"hooks":{"Go":[],"Stop":[` + stopHook + `]},` + serverOnly + `}`,
		},
		"another server": {
			`{"mcpServers":{"x":{"command":"x"}}}`,
			`{"mcpServers":{"x":{"command":"x"},"wm":` + server1 + `},` + stop + `}`,
		},
		"comments":         {"{ // a\n  \"a\": 1 // b\n  // c\n}", `{"a":1,` + stop + "," + serverOnly + "}"},
		"a trailing comma": {"{\"a\": 1,}", `{"a":1,` + stop + "," + serverOnly + "}"},
		"ours, by its path": {
			`{"mcpServers":{"m":{"command":"/usr/bin/wm-lsp"}},` + twoHooks + `}`,
			`{"mcpServers":{"m":{"command":"/usr/bin/wm-lsp"}},` + twoHooks + `}`,
		},
		"a name with a backslash": {
			`{"a\"b":"\u00e9\\"}`, `{"a\"b":"\u00e9\\",` + stop + "," + serverOnly + "}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			add, err := wanted().add([]byte(test.before))
			require.NoError(t, err)
			after, at := insert([]byte(test.before), add.insertions)
			plain := compact(t, []byte(test.after))
			assert.Equal(t, plain, compact(t, after))
			assert.Equal(t, test.before, string(takeOut(after, at)))
			again, err := wanted().add(after)
			require.NoError(t, err)
			assert.Empty(t, again.insertions)
		})
	}
}

func TestTheLayoutOfTheFileIsKept(t *testing.T) {
	for name, test := range map[string]struct{ before, after string }{
		"tabs": {
			"{\n\t\"a\": 1\n}\n",
			"{\n\t\"a\": 1,\n\t\"mcpServers\": {\n\t\t\"wm\": {\n\t\t\t\"command\": \"wm-lsp\"\n\t\t}\n\t}\n}\n",
		},
		"four spaces, no line break at the end": {
			"{\n    \"a\": 1\n}",
			"{\n    \"a\": 1,\n    \"mcpServers\": {\n        \"wm\": {\n            \"command\": \"wm-lsp\"\n" +
				"        }\n    }\n}",
		},
		"line breaks of Windows": {
			"{\r\n  \"a\": 1\r\n}\r\n",
			"{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"wm\": {\r\n      \"command\": \"wm-lsp\"\r\n" +
				"    }\r\n  }\r\n}\r\n",
		},
		"a byte order mark": {
			"\ufeff{}",
			"\ufeff{\n  \"mcpServers\": {\n    \"wm\": {\n      \"command\": \"wm-lsp\"\n    }\n  }\n}",
		},
		"a comment behind the last member stays behind it": {
			"{\n  \"a\": 1 // one\n}\n",
			"{\n  \"a\": 1, // one\n  \"mcpServers\": {\n    \"wm\": {\n      \"command\": \"wm-lsp\"\n    }\n  }\n}\n",
		},
		"one line": {
			`{"a": {"b": 1}}`,
			"{\"a\": {\"b\": 1},\n  \"mcpServers\": {\n    \"wm\": {\n      \"command\": \"wm-lsp\"\n    }\n  }\n}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := jsonFile{want: wanted().want[1:]}
			add, err := f.add([]byte(test.before))
			require.NoError(t, err)
			after, at := insert([]byte(test.before), add.insertions)
			assert.Equal(t, test.after, string(after))
			assert.Equal(t, test.before, string(takeOut(after, at)))
			rest, _, err := f.remove(after, add.existing)
			require.NoError(t, err)
			assert.Equal(t, compact(t, []byte(test.before)), compact(t, rest))
			if strings.Contains(test.before, "\n") {
				assert.Equal(t, test.before, string(rest))
			}
		})
	}
}

func TestAFileThatCannotBeReadIsRefusedWithTheLine(t *testing.T) {
	for before, message := range map[string]string{
		"{\n  \"a\": 1\n  \"b\": 2\n}": "line 3",
		"{\n  \"a\": ":                 "line 2",
		"not json":                     "line 1",
		"[]":                           "must be an object",
		"{\n\"hooks\": []}":            `line 2: "hooks" must be an object`,
		`{"hooks": {"Stop": {}}}`:      `"hooks.Stop" must be a list`,
		"{\"mcpServers\": {\n\n\"wm\": {\"command\": \"other\"}}}":      `line 3: "mcpServers.wm" is there already`,
		`{"hooks": {}, "hooks": {}}`:                                    `"hooks" is there twice`,
		strings.Repeat("[", 4<<20):                                      "more than 1000 nested levels",
		strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000): "more than 1000 nested levels",
	} {
		_, err := wanted().add([]byte(before))
		assert.ErrorContains(t, err, message, before[:min(len(before), 80)])
	}
}

func TestOnlyOursIsRemovedAfterSomebodyChangedTheFile(t *testing.T) {
	for name, test := range map[string]struct {
		before, after string
		existing      []string
	}{
		"containers that are empty then go, too": {
			before: `{"a":1,"hooks":{"Stop":[` + stopHook + `]},"mcpServers":{"wm":` + server1 + `}}`,
			after:  `{"a":1}`,
		},
		"those that were there stay": {
			before:   `{"hooks":{"Stop":[` + stopHook + `]},"mcpServers":{"wm":` + server1 + `}}`,
			after:    `{"hooks":{},"mcpServers":{}}`,
			existing: []string{"", "hooks", "mcpServers"},
		},
		"between others": {
			before: "{\n  \"mcpServers\": {\n    \"x\": {},\n" +
				"    \"wm\": {\"command\": \"wm-lsp\", \"env\": {}}, // ours\n    \"y\": {}\n  }\n}\n",
			after: "{\n  \"mcpServers\": {\n    \"x\": {},\n     // ours\n    \"y\": {}\n  }\n}\n",
		},
		"the first": {
			before: "{\n  \"mcpServers\": {\n    \"wm\": {\"command\": \"wm-lsp\"},\n    // next\n" +
				"    \"y\": {}\n  }\n}\n",
			after: "{\n  \"mcpServers\": {\n    // next\n    \"y\": {}\n  }\n}\n",
		},
		"the last, with a comment before": {
			before: "{\n  \"mcpServers\": {\n    \"x\": {}, // x\n\n    \"wm\": {\"command\": \"wm-lsp\"}\n  }\n}\n",
			after:  "{\n  \"mcpServers\": {\n    \"x\": {} // x\n\n  }\n}\n",
		},
		"trailing commas": {
			before: "{\"mcpServers\": {\"x\": {}, \"wm\": {\"command\": \"wm-lsp\"},}}",
			after:  "{\"mcpServers\": {\"x\": {}, }}",
		},
		"on a line that goes on, after a comment": {
			before: "{\"mcpServers\": {\"x\": {}, // x\n  \"wm\": {\"command\": \"wm-lsp\"} } }",
			after:  "{\"mcpServers\": {\"x\": {} // x\n   } }",
		},
		"before a comment over two lines": {
			before: "{\"mcpServers\": {\"x\": {}, // x\n  \"wm\": {\"command\": \"wm-lsp\"} /* a\n b */ }}",
			after:  "{\"mcpServers\": {\"x\": {} // x\n   /* a\n b */ }}",
		},
		"a comma on the next line": {
			before: "{\"mcpServers\": {\n  \"wm\": {\"command\": \"wm-lsp\"}\n  , \"x\": {}\n}}",
			after:  "{\"mcpServers\": {\n   \"x\": {}\n}}",
		},
		"one of two hooks in a group": {
			before: `{"hooks":{"Stop":[{"hooks":[{"command":"x"},{"command":"wm-lsp hook"}]}]}}`,
			after:  `{"hooks":{"Stop":[{"hooks":[{"command":"x"}]}]}}`,
		},
		"a comment in a container keeps it": {
			before: "{\"mcpServers\": {\n  // mine\n  \"wm\": {\"command\": \"wm-lsp\"}\n}}",
			after:  "{\"mcpServers\": {\n  // mine\n}}",
		},
		"a path with spaces": {
			before: `{"mcpServers":{"wm":{"command":"/opt/my tools/wm-lsp","args":["mcp"]},"x":{}},` +
				`"hooks":{"Stop":[{"hooks":[{"command":"'/opt/my tools/wm-lsp' hook"}]}]}}`,
			after: `{"mcpServers":{"x":{}}}`,
		},
		"commands that only name the program": {
			before: `{"hooks":{"Stop":[{"hooks":[{"command":"go build -o ~/bin/wm-lsp"},` +
				`{"command":"/bin/cp wm-lsp /opt/bin/wm-lsp"},{"command":"'/bin/rm' bin/wm-lsp"}]}]},` +
				`"mcpServers":{"x":{"command":"/opt/run","args":["wm-lsp"]}}}`,
			after: `{"hooks":{"Stop":[{"hooks":[{"command":"go build -o ~/bin/wm-lsp"},` +
				`{"command":"/bin/cp wm-lsp /opt/bin/wm-lsp"},{"command":"'/bin/rm' bin/wm-lsp"}]}]},` +
				`"mcpServers":{"x":{"command":"/opt/run","args":["wm-lsp"]}}}`,
		},
		"nothing of ours": {
			before: `{"mcpServers":{"wm":{"command":"other"}},"hooks":{"Stop":[]}}`,
			after:  `{"mcpServers":{"wm":{"command":"other"}},"hooks":{"Stop":[]}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			rest, _, err := wanted().remove([]byte(test.before), test.existing)
			require.NoError(t, err)
			assert.Equal(t, test.after, string(rest))
			there, err := wanted().holds(rest)
			require.NoError(t, err)
			assert.False(t, there)
		})
	}
}

// FuzzJSON checks that installing keeps every value, that cutting out restores every byte, and
// that removing after a change of the layout keeps every value of somebody else.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		"", " \n", "\v", "{}", "\ufeff{}", "{\"a\":1}\r\n", "{\n\t\"a\": [1, {}], // x\n\t/* y */\n}",
		`{"hooks":{"Stop":[{"hooks":[]}]}}`,
		`{"a":"\"[{// x","b":[{},{}]}`, "// [[\n{/* {{ */}",
		`{"mcpServers":{"x":{"command":["a"]},},}`, "{" + stop + "}", `{"hooks":null}`, `[1]`, `{"a":1`,
		"{\"mcpServers\": { // c\n }, \"hooks\": {\"Stop\": [ ]}}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, before string) {
		doc := []byte(before)
		add, err := wanted().add(doc)
		if err != nil {
			return
		}
		after, at := insert(doc, add.insertions)
		require.Equal(t, before, string(takeOut(after, at)))
		body, _ := withoutMark(after)
		root, err := hujson.Parse(body)
		require.NoError(t, err, "%q", after)
		again, err := wanted().add(after)
		require.NoError(t, err)
		require.Empty(t, again.insertions)
		if had, err := wanted().holds(doc); err != nil || had {
			return
		}
		var old, left map[string]any
		if body, _ := withoutMark(doc); !isBlank(body) {
			require.NoError(t, json.Unmarshal(standard(t, doc), &old))
		}
		root.Format()
		rest, _, err := wanted().remove(root.Pack(), append(add.existing, ""))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(standard(t, rest), &left))
		if len(old) == 0 && len(left) == 0 {
			return
		}
		require.Equal(t, old, left, "%q", rest)
	})
}

// FuzzRemoval checks that whatever can be read can be undone, and what is left can be read.
func FuzzRemoval(f *testing.F) {
	for _, seed := range []string{
		"{\"mcpServers\": {\"x\": {}, // x\n \"wm\": " + server1 + " /* a\n b */ }, \"a\": 1}",
		"{" + stop + ", // x\n" + serverOnly + "\n}", "{\n // x\n" + serverOnly + "\n , /* y */ " + stop + " }",
		"{" + twoHooks + ",\r\n\t" + serverOnly + ",}", "\ufeff{" + serverOnly + "}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, before string) {
		body, _ := withoutMark([]byte(before))
		if _, err := hujson.Parse(body); err != nil {
			return
		}
		rest, _, err := wanted().remove([]byte(before), nil)
		require.NoError(t, err)
		there, err := wanted().holds(rest)
		require.NoError(t, err)
		require.False(t, there)
		var old, left map[string]any
		if json.Unmarshal(standard(t, []byte(before)), &old) != nil {
			return // no object
		}
		require.NoError(t, json.Unmarshal(standard(t, rest), &left))
		for key := range old {
			if key != "hooks" && key != "mcpServers" {
				require.Equal(t, old[key], left[key])
			}
		}
	})
}

func standard(t *testing.T, doc []byte) []byte {
	t.Helper()
	body, _ := withoutMark(doc)
	plain, err := hujson.Standardize(append([]byte(nil), body...))
	require.NoError(t, err)
	return plain
}

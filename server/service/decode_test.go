package service

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParamsThatDecodeThemselvesAreRefusedAsOthers(t *testing.T) {
	known := newFace(t).known
	for params, says := range map[string]string{
		`{"metadata": {"type": "fact"}}`: "items: is missing; must be an array",
		`{"items": {}}`:                  "items: must be an array, got object",
		`{"items": [{"text": 1}]}`:       "items[0].text: must be a string, got number",
		`{"items": [{"text": "a"}`:       "invalid params",
		`[]`:                             "must be an object, got array",
	} {
		_, _, err := known["wm/memorize"].Decode([]byte(params))
		assert.ErrorContains(t, err, says, params)
	}
}

func TestANumberThatCannotBeIsNamed(t *testing.T) {
	known := newFace(t).known
	for name, c := range map[string]struct{ method, params, says string }{
		"a filter that is too large": {
			"wm/context", `{"query": "x", "filters": {"minImportance": 1e999}}`,
			"filters.minImportance: must be a number, got one that is too large",
		},
		"a member that is too large": {
			"wm/search", `{"query": "x", "minImportance": 1e999}`,
			"minImportance: must be a number, got one that is too large",
		},
		"one of several items": {
			"wm/memorize", `{"items": [{"text": "a"}, {"text": "b", "importance": -1e999}]}`,
			"items[1].importance: must be a number, got one that is too large",
		},
		"a fraction": {
			"wm/search", `{"query": "x", "limit": 1.5}`, "limit: must be an integer, got 1.5",
		},
		"an integer that is too large": {
			"wm/search", `{"query": "x", "limit": 1e30}`, "limit: must be an integer, got 1e30",
		},
		"neither a number nor a string": {
			"wm/trace", `{"since": {"seq": 3}}`, "since must be a number or a string",
		},
		"a string": {
			"wm/search", `{"query": "x", "limit": "many"}`, "limit: must be an integer, got string",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := known[c.method].Decode([]byte(c.params))
			assert.ErrorContains(t, err, c.says)
		})
	}
}

func TestAMissingMemberIsNamed(t *testing.T) {
	known := newFace(t).known
	const four = `"similarity": 1, "recency": 0, "importance": 0, "duplication": 0`
	const start = `{"line": 0, "character": 0}`
	const atStart = `{"message": "m", "range": {"start": ` + start + `, "end": ` + start + `}}`
	for name, c := range map[string]struct{ method, params, says string }{
		"of params": {"wm/search", `{}`, "query: is missing; must be a string"},
		"of an object": {
			"wm/search/tune", `{"coefficients": {` + four + `}}`, "coefficients.decay: is missing; must be a number",
		},
		"of an empty object": {
			"wm/search/tune", `{"coefficients": {}}`, "coefficients.similarity: is missing; must be a number",
		},
		"of params, if it is null": {"wm/search", `{"query": null}`, "query: is missing; must be a string"},
		"of an object, if it is null": {
			"wm/search/tune", `{"coefficients": {"decay": null, ` + four + `}}`,
			"coefficients.decay: is missing; must be a number",
		},
		"of an object in a list": {
			"wm/todos/changed", `{"todos": [{"content": "a", "status": "pending"}, {"content": "b"}]}`,
			"todos[1].status: is missing; must be a string",
		},
		"of an object in a list, if it is null": {
			"wm/diagnostics/changed", `{"uri": "file:///a.go", "diagnostics": [null]}`,
			"diagnostics[0].range: is missing; must be an object",
		},
		"of an object in an object in a list": {
			"wm/diagnostics/changed", `{"uri": "file:///a.go", "diagnostics": [` + atStart + `, {"message": "m", ` +
				`"range": {"start": {"line": 0}, "end": {"line": 0, "character": 3}}}]}`,
			"diagnostics[1].range.start.character: is missing; must be an integer",
		},
		"of an empty object in a list": {
			"wm/diagnostics/changed", `{"uri": "file:///a.go", "diagnostics": [{"message": "m", "range": {}}]}`,
			"diagnostics[0].range.start: is missing; must be an object",
		},
		"none, if all of an object in a list is zero": {
			"wm/diagnostics/changed", `{"uri": "file:///a.go", "diagnostics": [` + atStart + `]}`, "",
		},
		"none, if what holds for all items has it": {"wm/memorize", `{"items": [{}], "metadata": {"text": "a"}}`, ""},
		"none, if a list stands twice": {
			"wm/todos/changed",
			`{"todos": [{"content": "a", "status": ""}, {}], "todos": [{"content": "b", "status": ""}]}`, "",
		},
		"none, if it is zero": {
			"wm/search/tune", `{"coefficients": {"decay": 0, ` + four + `}}`, "",
		},
		"none, if its name is in capitals": {
			"wm/search/tune", `{"coefficients": {"Decay": 0, ` + four + `}}`, "",
		},
		"none, if there is no object":                {"wm/search/tune", `{}`, ""},
		"none, if the object is null":                {"wm/search/tune", `{"coefficients": null}`, ""},
		"none, if the object has only optional ones": {"wm/context", `{"budget": {"tokens": 1}}`, ""},
		"none, if a number stands for an object":     {"wm/trace", `{"since": 3}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := known[c.method].Decode([]byte(c.params))
			if c.says == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.says)
			}
		})
	}
}

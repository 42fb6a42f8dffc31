package settings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// both returns the layers of a client and of a repository's file.
func both(t *testing.T, doc, text string) (client, repository Layer) {
	t.Helper()
	client, err := FromJSON([]byte(doc))
	require.NoError(t, err)
	repository, err = ParseTOML("wm-lsp.toml", []byte(text))
	require.NoError(t, err)
	return client, repository
}

func expression(t *testing.T, text string) *pattern.Expression {
	t.Helper()
	compiled, err := pattern.NewExpression(text)
	require.NoError(t, err)
	return compiled
}

func TestA15_SlotsAndLinesAreAddedByTheClientAndByARepository(t *testing.T) {
	client, repository := both(t, `{
		"working": {"slots": [{"name": "risk", "max": 4, "pattern": "risk: (.+)"}, {"name": "error", "max": 7}]},
		"prune": {"lines": [{"pattern": "^KEEP", "keep": "always"}]}
	}`, `
		[working]
		maxChars = 900
		[[working.slots]]
		name = "risk"
		max = 50
		[[working.slots]]
		name = "question"
		max = 2
		[[prune.lines]]
		pattern = '^heartbeat \d+'
		keep = "never"
	`)
	got, problems := Merge(client, repository)
	require.Empty(t, problems)
	assert.Equal(t, 900, got.Working.MaxChars)
	risk := expression(t, `risk: (.+)`)
	assert.Equal(t, []Slot{{"risk", 4, risk}, {"error", 7, nil}, {"question", 2, nil}}, got.Working.Slots,
		"the client's risk counts")
	assert.Equal(t, []Slot{
		{"error", 7, nil}, {"decision", 5, nil}, {"todo", 3, nil}, {"dependency", 3, nil}, {"risk", 4, risk},
		{"question", 2, nil},
	},
		got.Working.AllSlots())
	always, never := got.Prune.Kept()
	assert.Equal(t, []*pattern.Expression{expression(t, `^KEEP`)}, always)
	assert.Equal(t, []*pattern.Expression{expression(t, `^heartbeat \d+`)}, never)

	assert.Len(t, Default().Working.AllSlots(), 4)
}

func TestB16_PatternsAreAddedAndARepositoryWritesNoMemories(t *testing.T) {
	client, repository := both(t, `{
		"memory": {"types": ["risk"], "patterns": [{"pattern": "(?i)^note: (.+)", "type": "risk"}]},
		"errors": {"patterns": [{"pattern": "^E (?P<message>.+)", "category": "house"}]}
	}`, `
		[[memory.patterns]]
		pattern = '.+'
		type = "feedback"
		[[errors.patterns]]
		pattern = '^(?P<file>\S+)!(?P<line>\d+)! (?P<message>.+)'
		category = "lint"
		command = "house-*"
	`)
	got, problems := Merge(client, repository)
	require.Len(t, problems, 1)
	assert.Equal(t, "wm-lsp.toml: memory.patterns cannot be set by a repository; used instead: a list of 1",
		problems[0].String())
	assert.Equal(t, []MemoryPattern{{expression(t, `(?i)^note: (.+)`), "risk"}}, got.Memory.Patterns)
	assert.Equal(t, []ErrorPattern{
		{expression(t, `^E (?P<message>.+)`), "house", ""},
		{expression(t, `^(?P<file>\S+)!(?P<line>\d+)! (?P<message>.+)`), "lint", "house-*"},
	}, got.Errors.Patterns)
}

func TestAWrongTableIsNamedAndSpoilsNoOther(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"no table": {`working.slots = ["risk"]`, `working.slots[0] must be a table, got string`},
		"no list": {
			`working.slots = "risk"`,
			`working.slots must be a list of tables, got string; used instead: a list of 0`,
		},
		"a table for a list": {
			`[working.slots]` + "\n" + `name = "risk"`,
			`working.slots must be a list of tables, got table; used instead: a list of 0`,
		},
		"a number too large": {
			`working.slots = [{name = "risk", max = 51}]`,
			`working.slots[0].max must be at most 50, got 51`,
		},
		"no number": {
			`working.slots = [{name = "risk", max = "5"}]`,
			`working.slots[0].max must be a number, got string`,
		},
		"a number missing": {`working.slots = [{name = "risk"}]`, `working.slots[0].max is missing`},
		"a name that is none": {
			`working.slots = [{name = "At risk", max = 5}]`,
			`working.slots[0].name must be a word of at most 40 lower-case letters, digits, - and _`,
		},
		"a column too many": {
			`working.slots = [{name = "risk", max = 5, colour = "red"}]`,
			`working.slots[0]."colour" is not a setting`,
		},
		"an open group": {
			`working.slots = [{name = "risk", max = 5, pattern = "(risk"}]`,
			`working.slots[0].pattern must be a regular expression, got "(risk": missing closing ) at "(risk"`,
		},
		"a reference back": {
			`prune.lines = [{pattern = '(a)\1', keep = "never"}]`,
			`prune.lines[0].pattern must be a regular expression, got "(a)\\1": invalid escape sequence at "\\1"`,
		},
		"no choice": {
			`prune.lines = [{pattern = "a", keep = "maybe"}]`,
			`prune.lines[0].keep must be one of always, never, got "maybe"`,
		},
		"an empty expression": {
			`prune.lines = [{pattern = "", keep = "never"}]`,
			`prune.lines[0].pattern must not be empty`,
		},
		"a number as expression": {
			`prune.lines = [{pattern = 1, keep = "never"}]`,
			`prune.lines[0].pattern must be a string, got number`,
		},
		"a line break in it": {
			`prune.lines = [{pattern = "a\nb", keep = "never"}]`,
			`prune.lines[0].pattern must be valid UTF-8 without control characters`,
		},
		"a long expression": {
			`prune.lines = [{pattern = "` + strings.Repeat("a", 501) + `", keep = "never"}]`,
			`prune.lines[0].pattern must have at most 500 characters, got 501`,
		},
		"many steps": {`prune.lines = [{pattern = '(?:.{99}x{9}){9}', keep = "never"}]`, ""},
		"too many steps": {
			`prune.lines = [{pattern = '(?:.{99}x{9}){9}y{99}', keep = "never"}]`,
			`prune.lines[0].pattern must have at most 1000 steps with its repetitions expanded`,
		},
		"repeated repetitions": {
			`prune.lines = [{pattern = '(?:a{100}){100}', keep = "never"}]`,
			`prune.lines[0].pattern must be a regular expression, got "(?:a{100}){100}": invalid repeat count at ` +
				`"{100}"`,
		},
		"no message": {
			`errors.patterns = [{pattern = "E (.+)", category = "lint"}]`,
			`errors.patterns[0].pattern must have a group (?P<message>…)`,
		},
		"a glob that is none": {
			`errors.patterns = [{pattern = "(?P<message>.)", category = "lint", command = "a["}]`,
			`errors.patterns[0].command must be a glob pattern, got "a["`,
		},
		"a type that is none": {
			`memory.patterns = [{pattern = "a", type = "risk"}]`,
			`memory.patterns has the unknown type "risk"; use a built-in type or add it to memory.types`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			layer, err := ParseTOML("user", []byte(test.text))
			require.NoError(t, err)
			layer.Trusted = true
			got, problems := Merge(layer)
			if test.want == "" {
				require.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1)
			want := "user: " + test.want
			if problems[0].Instead == "" {
				want += "; it is ignored"
			}
			assert.Equal(t, want, problems[0].String())
			assert.Equal(t, Default(), got)
		})
	}
}

func TestTheGoodTablesOfAListStay(t *testing.T) {
	layer, err := ParseTOML("user", []byte(`working.slots = [
		{name = "risk", max = 5}, {name = "plan", max = 0}, {name = "risk", max = 6}, {name = "question", max = 1},
	]`))
	require.NoError(t, err)
	for _, layer.Trusted = range []bool{true, false} {
		got, problems := Merge(layer)
		require.Len(t, problems, 2)
		assert.Equal(t, `working.slots[1].max must be at least 1, got 0`, problems[0].Key+" "+problems[0].Reason)
		assert.Equal(t, `working.slots[2].name must be unique, got another "risk"`,
			problems[1].Key+" "+problems[1].Reason)
		assert.Equal(t, []Slot{{"risk", 5, nil}, {"question", 1, nil}}, got.Working.Slots)
	}
}

func TestATrustedLayerReplacesTheListOfAWeakerOne(t *testing.T) {
	list := func(names ...string) Layer {
		slots := []any{}
		for _, name := range names {
			slots = append(slots, map[string]any{"name": name, "max": 2.0, "pattern": nil})
		}
		return Layer{Trusted: true, Values: map[string]any{"working": map[string]any{"slots": slots}}}
	}
	got, problems := Merge(list("a"), list("b", "c"))
	assert.Empty(t, problems)
	assert.Equal(t, []Slot{{"a", 2, nil}}, got.Working.Slots)

	got, problems = Merge(list(), list("b", "c"))
	assert.Empty(t, problems)
	assert.Empty(t, got.Working.Slots)
}

func TestAListHasRoomForFiftyTables(t *testing.T) {
	slots := func(name string, count int) []any {
		var list []any
		for i := range count {
			list = append(list, map[string]any{"name": fmt.Sprint(name, i), "max": int64(1)})
		}
		return list
	}
	layer := func(name string, count int) Layer {
		return Layer{Name: name, Values: map[string]any{"working": map[string]any{"slots": slots(name, count)}}}
	}
	got, problems := Merge(layer("repository", 60))
	require.Len(t, problems, 1)
	assert.Equal(t, "must have at most 50 items, got 60", problems[0].Reason)
	assert.Len(t, got.Working.Slots, 50)

	client := layer("client", 30)
	client.Trusted = true
	got, problems = Merge(client, layer("repository", 30))
	require.Len(t, problems, 1)
	assert.Equal(t, "repository: working.slots must have at most 50 items with those of other layers, got 60; used "+
		"instead: a list of 50", problems[0].String())
	require.Len(t, got.Working.Slots, 50)
	assert.Equal(t, "client29", got.Working.Slots[29].Name)
	requireSane(t, got)
}

func TestHostileExpressionsAreRefused(t *testing.T) {
	var lines []any
	for i := range 50 {
		pattern := strings.Repeat(`\pL{990}`, 62) + fmt.Sprint(i)
		lines = append(lines, map[string]any{"pattern": pattern, "keep": "never"})
	}
	got, problems := Merge(Layer{Values: map[string]any{"prune": map[string]any{"lines": lines}}})
	assert.Len(t, problems, maxProblems+1)
	assert.Equal(t, Default(), got)
}

package overview_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

func parsed(t *testing.T, doc string) overview.State {
	t.Helper()
	s, err := overview.ParseYAML([]byte(doc))
	require.NoError(t, err)
	return s
}

func TestC6_TheSectionsOfBothTemplatesHaveTheSameKeys(t *testing.T) {
	english, chinese := "", ""
	for _, h := range overview.Headings {
		english += "## " + strings.ToUpper(h.English) + "\nx\n\n"
		chinese += "## " + h.Chinese + "\nx\n\n"
	}
	want := parsed(
		t,
		"{meta: x, project: {about: x, known: x}, current_state: {task: x, status: x, next_step: x, "+
			"next_actions: x, decisions: x, recent: x}, issues: x}",
	)
	assert.True(t, overview.Read(english).Equal(want))
	assert.True(t, overview.Read(chinese).Equal(want))
}

func TestC6_TheContentOfASectionIsReadAsWhatItLooksLike(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"text":                              {"## Task\n\nFix it\nnow\n\n", "current_state: {task: \"Fix it\\nnow\"}"},
		"a flat list":                       {"## Open\n- a\n- b `c`\n", "issues: [a, b `c`]"},
		"a list with stars and blank lines": {"## Open\n* a\n\n* b\n", "issues: [a, b]"},
		"a list in a list is text":          {"## Open\n- a\n  - b\n", "issues: \"- a\\n  - b\""},
		"fenced YAML":                       {"## Open\n```yaml\n- {id: 1}\n```\n", "issues: [{id: 1}]"},
		"fenced YAML with text is text": {
			"## Open\n```yaml\na: 1\n```\nand\n",
			"issues: \"```yaml\\na: 1\\n```\\nand\"",
		},
		"fenced YAML that is none is text": {"## Open\n```yaml\na: [\n```\n", "issues: \"```yaml\\na: [\\n```\""},
		"a fence that nothing closes":      {"## Open\n```yaml", "issues: \"```yaml\""},
		"comments at the top": {
			"## Task\n<!-- a -->\n\n<!-- b\nc -->\nx <!-- d -->\n",
			"current_state: {task: x <!-- d -->}",
		},
		"no content makes no key":      {"## Task\n<!-- a -->\n## Open\n", ""},
		"CRLF":                         {"\ufeff## Task\r\na\r\nb\r\n", "current_state: {task: \"a\\nb\"}"},
		"a title with a line under it": {"Task\n---\nx", "current_state: {task: x}"},
		"the path of a key": {
			"## current_state.x-1\na\n## project.\"a b\"\nb\n## state.custom\nc\n## state.\"\"\nd\n",
			"{current_state: {x-1: a}, project: {a b: b}, custom: c, '': d}",
		},
		"unknown headings":          {"# Task\nx\n## Notes\ny\n### Task\nz\n## task.x\nv\n", ""},
		"a heading in fenced code":  {"```\n## Task\nx\n```\n", ""},
		"the first of two":          {"## Task\na\n## 任务\nb\n", "current_state: {task: a}"},
		"a member before the whole": {"## state.current_state\n1\n## Task\na\n", "current_state: {task: a}"},
		"not the server's blocks": {
			overview.SetBlock("## Recent\n- a\n", overview.History, "## Task\n- b"),
			"current_state: {recent: [a]}",
		},
		"bytes that are not UTF-8": {"## Task\na\xff\n", "current_state: {task: a\ufffd}"},
	} {
		got := overview.Read(c.text)
		assert.True(t, got.Equal(parsed(t, c.want)), "%s: %v", name, got)
	}
}

func TestC6_WritingAStateChangesOnlyWhatChanged(t *testing.T) {
	for name, c := range map[string]struct{ text, state, want string }{
		"nothing": {"## Task\nx  \n\n\n", "current_state: {task: x}", "## Task\nx  \n\n\n"},
		"a value": {
			"# N\nmine\n## Task\n<!-- c -->\n\nold\n## Mine\nkeep\n",
			"current_state: {task: new}",
			"# N\nmine\n## Task\n<!-- c -->\n\nnew\n\n## Mine\nkeep\n",
		},
		"a value where there was none": {
			"## Task\n<!-- c -->\n\n## Open",
			"{current_state: {task: new}, issues: [a]}",
			"## Task\n<!-- c -->\nnew\n\n## Open\n- a\n",
		},
		"a key that is gone from a template": {
			"## Task\n<!-- c -->\nold\n\n## Open\n",
			"",
			"## Task\n<!-- c -->\n\n## Open\n",
		},
		"a key that is gone": {
			"## Task\nx\n\n## Next step\nold\n\n## state.a\n1\n",
			"current_state: {task: x}",
			"## Task\nx\n\n",
		},
		"a comment outlasts its key": {"## Meta\n<!-- mine -->\nold\n", "", "## Meta\n<!-- mine -->\n"},
		"a new section in its place": {
			"## Task\nx\n## Mine\ny\n## Open\nz\n",
			"{current_state: {task: x, next_step: n}, issues: z}",
			"## Task\nx\n\n## Next step\nn\n\n## Mine\ny\n## Open\nz\n",
		},
		"a new section in Chinese": {
			"## 任务\nx",
			"current_state: {task: x, next_step: n}",
			"## 任务\nx\n\n## 下一步\nn\n",
		},
		"a new section before the blocks": {
			"mine\n\n<!-- wm:index -->\ni\n<!-- /wm:index -->\n",
			"a: 1",
			"mine\n\n## state.a\n```yaml\n1\n```\n\n<!-- wm:index -->\ni\n<!-- /wm:index -->\n",
		},
		"line ends of the text": {
			"## Task\r\nx\r\n",
			"current_state: {task: \"a\\nb\"}",
			"## Task\r\na\r\nb\r\n",
		},
		"text that looks like a list":     {"", "issues: \"- a\\n- b\"", "## Open\n```yaml\n|-\n  - a\n  - b\n```\n"},
		"text that would begin a section": {"", "issues: \"a\\n## b\"", "## Open\n```yaml\n|-\n  a\n  ## b\n```\n"},
		"no list and an empty one": {
			"",
			"{issues: [], meta: }",
			"## Open\n```yaml\n[]\n```\n\n## Meta\n```yaml\nnull\n```\n",
		},
		"all of a key that has no members": {"", "current_state: {}", "## state.current_state\n```yaml\n{}\n```\n"},
	} {
		got, err := overview.Write(c.text, parsed(t, c.state))
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
}

func TestC6_ATextThatHidesOrDoublesASectionIsLeftWithAnError(t *testing.T) {
	for _, text := range []string{"<!-- open\n", "```\nopen\n", "## state.a\n1\n## state.a\n2\n"} {
		_, err := overview.Write(text, parsed(t, "issues: [a]"))
		assert.ErrorContains(t, err, "reading it back would give another state", text)
	}
	_, err := overview.Write(
		"",
		overview.State{Map: overview.Map{{Key: "a", Value: overview.Map{{Key: "b", Value: 1}}}}},
	)
	assert.ErrorContains(t, err, "a.b has the type int")
}

func TestC6_AnErrorInYAMLNamesLineColumnAndKey(t *testing.T) {
	deep := strings.Repeat("[", 8_000)
	for name, c := range map[string]struct{ doc, want string }{
		"not a mapping":      {"- a", "line 1, column 1: the document is not a mapping"},
		"a key twice":        {"a:\n  b: 1\n  b: 2\n", "line 3, column 3: key a.b: duplicate key"},
		"not a number":       {"a:\n  b: .nan\n", "line 2, column 6: key a.b: .nan is not a finite number"},
		"infinity":           {"a: [1, -.inf]\n", "key a[1]: -.inf is not a finite number"},
		"an alias":           {"a: &x 1\nb: *x\n", "line 1, column 4: anchors and aliases"},
		"a tag":              {"a: !!binary x\n", "line 1, column 4: tags"},
		"a merge key":        {"a:\n  <<: 1\n", "line 2, column 3: merge keys"},
		"a second document":  {"a: 1\n---\nb: 2\n", "line 3, column 2: a second document"},
		"a mapping as a key": {"? {a: 1}\n: 2\n", "line 2, column 1"},
		"deep flow lists":    {"a: " + deep, "nested more than 20 deep"},
		"deep block lists":   {"a:\n " + strings.Repeat("- ", 4_000), "nested more than 20 deep"},
		"just too deep":      {"a: " + deep[:21] + strings.Repeat("]", 21), "nested more than 20 deep"},
		"no UTF-8":           {"a: \xff", "not valid UTF-8"},
		"too large":          {strings.Repeat("a", overview.MaxBytes+1), "more than 262144"},
		"a quote not closed": {"a: \"b\n", "line 1, column 4"},
	} {
		_, err := overview.ParseYAML([]byte(c.doc))
		assert.ErrorContains(t, err, c.want, name)
	}
	assert.Empty(t, parsed(t, "# nothing\n").Map)
	s := parsed(t, "a: "+deep[:20]+strings.Repeat("]", 20))
	text, err := overview.Write("", s)
	require.NoError(t, err)
	assert.True(t, overview.Read(text).Equal(s), "as deep as allowed")
}

func TestC6_JSONKeepsTheOrderOfKeysAndRefusesWhatAStateCannotHold(t *testing.T) {
	const data = `{"z":1,"a":{"y":[],"x":{}},"n":null,"b":true,"f":1.0,"g":1e+300,"u":18446744073709551615,"s":"\"<\n"}`
	var s overview.State
	require.NoError(t, json.Unmarshal([]byte(data), &s))
	out, err := json.Marshal(struct{ State overview.State }{s})
	require.NoError(t, err)
	assert.JSONEq(t, `{"State":`+data+`}`, string(out))
	assert.Less(t, strings.Index(string(out), `"y"`), strings.Index(string(out), `"x"`))
	assert.Less(t, strings.Index(string(out), `"z"`), strings.Index(string(out), `"a"`))
	for _, bad := range []string{
		`[]`,
		`{"a":1,"a":2}`,
		`{} {}`,
		`{"a":1e999}`,
		`{`,
		`{"a":` + strings.Repeat("[", 30) + strings.Repeat("]", 30) + `}`,
	} {
		assert.Error(t, s.UnmarshalJSON([]byte(bad)), bad)
	}
	empty, err := json.Marshal(overview.State{})
	require.NoError(t, err)
	assert.Equal(t, "{}", string(empty))
}

func TestC6_YAMLHasTheTopKeysInTheirOrder(t *testing.T) {
	doc, err := parsed(t, "{x: 1, issues: [a], project: {about: \"a\\nb\"}, meta: m}").YAML()
	require.NoError(t, err)
	assert.Equal(t, "meta: m\nproject:\n  about: |-\n    a\n    b\nissues:\n  - a\nx: 1\n", string(doc))
}

// pieces are the parts of strings in random states.
var pieces = strings.Split(
	"a|b c|- |* |# |## Task|\n|\n\n|\r|\r\n|\t| |  |```|```yaml|~~~|---|===|<!--|-->|<!-- wm:index -->|<!-- "+
		"/wm:index -->|<div>|<script>|: |: x|{|}|[|]|\"|'|\\|\\n|&a|*a|!t|%|@|`|null|true|~|1|0x1|1e3|.nan|-1|"+
		"2024-01-01|任务|🙂|\u2028|\u0085|\u00a0|\ufeff|\x00|\x07|\x7f|>|, |?|? |- - |1. |=|<<|y|no|0o7|1_000|",
	"|",
)

func randomString(r *rand.Rand) string {
	text := ""
	for range r.IntN(6) {
		text += pieces[r.IntN(len(pieces))]
	}
	return text
}

func randomValue(r *rand.Rand, depth int) any {
	switch kind := r.IntN(12); {
	case kind == 0:
		return nil
	case kind == 1:
		return r.IntN(2) == 0
	case kind == 2:
		return r.Int64() - r.Int64()
	case kind == 3:
		return r.NormFloat64() * 1e10
	case kind == 4:
		return uint64(1<<63 + r.Uint64()>>1)
	case kind < 8 || depth > 4:
		return randomString(r)
	case kind < 10:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, randomValue(r, depth+1))
		}
		return list
	}
	return randomMap(r, depth+1)
}

func randomMap(r *rand.Rand, depth int) overview.Map {
	m := overview.Map{}
	for range r.IntN(4) {
		m = m.With(randomString(r), randomValue(r, depth))
	}
	return m
}

func TestC6_AnyStateComesBackFromSectionsYAMLAndJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	keys := []string{
		"meta",
		"project",
		"current_state",
		"issues",
		"about",
		"task",
		"next_step",
		"decisions",
		"recent",
		"known",
	}
	text := ""
	states := slow.Rounds(3000)
	if raced.On {
		states = 600
	}
	for i := range states {
		s := overview.State{Map: randomMap(r, 0)}
		for _, top := range keys[:4] {
			if r.IntN(2) == 0 {
				continue
			}
			inner := randomMap(r, 1)
			for _, key := range keys[4:] {
				if r.IntN(3) == 0 {
					inner = inner.With(key, randomValue(r, 2))
				}
			}
			s.Map = s.With(top, inner)
		}
		if i%20 == 0 {
			text = texts[r.IntN(len(texts))]
		}
		out, err := overview.Write(text, s)
		require.NoError(t, err, "%q\n%#v", text, s)
		require.True(t, overview.Read(out).Equal(s), "%#v", s)
		text = out
		doc, err := s.YAML()
		require.NoError(t, err, "%#v", s)
		require.True(t, parsed(t, string(doc)).Equal(s), "%s", doc)
		data, err := json.Marshal(s)
		require.NoError(t, err)
		var read overview.State
		require.NoError(t, json.Unmarshal(data, &read))
		require.True(t, read.Equal(s), "%s", data)
	}
}

func TestC6_TheHeadingsOfTheOriginalSystemsHaveTheSameKeys(t *testing.T) {
	for title, want := range map[string]string{
		"核心设计原则": "current_state.decisions", "项目上下文": "project.known", "已知问题": "issues", "当前会话": "current_state.task",
		"Current task": "current_state.task", "KEY DECISIONS": "current_state.decisions",
		"当前任务": "current_state.task", "关键决策": "current_state.decisions", "已知信息": "project.known", "待解决": "issues",
		"最近操作": "current_state.recent", "Known issues": "issues", "Next actions": "current_state.next_actions",
	} {
		text := "# Working Memory\n\n## " + title + "\n- a line\n"
		state := overview.Read(text)
		top, member, part := strings.Cut(want, ".")
		value, there := state.Get(top)
		require.True(t, there, title)
		if part {
			value, there = value.(overview.Map).Get(member)
			require.True(t, there, title)
		}
		assert.Equal(t, []any{"a line"}, value, title)
		same, err := overview.Write(text, state)
		require.NoError(t, err)
		assert.Equal(t, text, same)
	}
	text, err := overview.Apply("# Working Memory\n\n## 核心设计原则\n- 轻量\n\n## 当前会话\n实现\n", "decision_made",
		map[string]any{"decision": "用 SQLite"}, at)
	require.NoError(t, err)
	assert.Contains(t, text, "## 核心设计原则\n- 轻量\n- 用 SQLite\n", "the section that is there is continued")
}

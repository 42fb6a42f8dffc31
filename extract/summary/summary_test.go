package summary_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/summary"
)

// A conversation of testdata with what is to be found in it.
type conversation struct {
	name       string
	messages   []summary.Message
	task, next string
	decisions  []string
}

func conversations(t *testing.T, file string) []conversation {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	require.NoError(t, err)
	var all []conversation
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "== "); ok {
			all = append(all, conversation{name: name})
			continue
		}
		if len(all) == 0 || line == "" {
			continue
		}
		c := &all[len(all)-1]
		if more, ok := strings.CutPrefix(line, "|"); ok {
			c.messages[len(c.messages)-1].Text += "\n" + more
			continue
		}
		key, value, ok := strings.Cut(line, ": ")
		require.True(t, ok, line)
		switch {
		case key == "task" && value != "-":
			c.task = value
		case key == "next" && value != "-":
			c.next = value
		case key == "decision" && value != "-":
			c.decisions = append(c.decisions, value)
		case !slices.Contains([]string{"task", "next", "decision"}, key):
			c.messages = append(
				c.messages,
				summary.Message{ID: fmt.Sprint("m", len(c.messages)), Role: key, Text: value},
			)
		}
	}
	return all
}

// holds reports whether a line that was found is an expected one.
func holds(found, want string) bool {
	return (want == "") == (found == "") && strings.Contains(found, want)
}

func TestC3_TheTaskTheNextStepAndDecisionsWithReasonsAreFoundInConversations(t *testing.T) {
	for file, least := range map[string]float64{"conversations.txt": 1, "aside.txt": 0.9} {
		t.Run(file, func(t *testing.T) { checkFound(t, conversations(t, file), least) })
	}
}

// checkFound checks that at least a share of the expected lines is found.
func checkFound(t *testing.T, all []conversation, least float64) {
	var tasks, steps, decisions, wanted int
	for _, c := range all {
		s := summary.Of(c.messages, summary.Facts{})
		count(t, &tasks, holds(s.Task, c.task), c.name, "task", s.Task)
		count(t, &steps, holds(s.NextStep, c.next), c.name, "next step", s.NextStep)
		wanted += max(1, len(c.decisions))
		if len(c.decisions) == 0 {
			count(t, &decisions, len(s.Decisions) == 0, c.name, "no decision", s.Decisions)
		}
		for i, want := range c.decisions {
			count(
				t,
				&decisions,
				len(s.Decisions) == len(c.decisions) && strings.Contains(s.Decisions[i], want),
				c.name,
				"decision",
				s.Decisions,
			)
		}
	}
	t.Logf("task %d/%d, next step %d/%d, decisions %d/%d", tasks, len(all), steps, len(all), decisions, wanted)
	assert.GreaterOrEqual(t, float64(tasks), least*float64(len(all)))
	assert.GreaterOrEqual(t, float64(steps), least*float64(len(all)))
	assert.GreaterOrEqual(t, float64(decisions), least*float64(wanted))
}

func count(t *testing.T, hits *int, hit bool, what ...any) {
	if hit {
		*hits++
		return
	}
	t.Logf("missed: %v", what)
}

func say(turns ...string) []summary.Message {
	var all []summary.Message
	for i, turn := range turns {
		role, text, _ := strings.Cut(turn, ": ")
		all = append(all, summary.Message{ID: fmt.Sprint("m", i), Role: role, Text: text})
	}
	return all
}

func TestC3_WhatIsKnownOfTheSessionIsPartOfTheSummary(t *testing.T) {
	s := summary.Of(
		say("user: Fix the parser in lang/parse.go, please.", "assistant: We'll use a table."),
		summary.Facts{
			Goal:      "Ship version 2.\nWith a new parser.",
			Decisions: []string{"We'll use a table, because it is short", "keep Go 1.26"},
			Todos:     []string{"write docs"},
			Files: []string{
				"go.mod",
				"go.mod",
			},
			Opened: []string{"parse.go:3 undefined: x"},
			Closed: []string{"lex.go:1 syntax error"},
		},
	)
	assert.Equal(t, summary.Summary{
		Task:      "Ship version 2.",
		NextStep:  "write docs",
		Decisions: []string{"We'll use a table, because it is short", "keep Go 1.26"},
		Files: []string{
			"go.mod",
			"lang/parse.go",
		},
		Opened: []string{"parse.go:3 undefined: x"},
		Closed: []string{"lex.go:1 syntax error"},
		Asked:  []string{"Fix the parser in lang/parse.go, please."},
	}, s)
}

func TestC3_FilesThatToolsWroteComeFirst(t *testing.T) {
	messages := append(say("user: Look at docs/plan.md and fix it"),
		summary.Message{Role: "tool", Tool: "Edit", Text: "The file src/a.go has been updated."},
		summary.Message{Role: "tool", Tool: "write", Command: "src/b.go", Text: "ok"},
		summary.Message{Role: "tool", Tool: "bash", Text: "vendor/x/y.go:3: warning"})
	assert.Equal(t, []string{"src/b.go", "src/a.go", "docs/plan.md"}, summary.Of(messages, summary.Facts{}).Files)
}

var full = summary.Summary{
	Task:      "Fix the parser",
	NextStep:  "write a test",
	Decisions: []string{"use a table because it is short", "keep the names"},
	Files: []string{
		"a/b.go",
	},
	Opened: []string{"b.go:1 broken"},
	Closed: []string{"c.go:2 gone"},
	Asked:  []string{"look at it"},
}

func TestC3_ASummaryIsWrittenInEnglishAndChinese(t *testing.T) {
	assert.Equal(t, `**Task:** Fix the parser
**Next step:** write a test
**Decisions:**
- keep the names
- use a table because it is short
**Errors opened:**
- b.go:1 broken
**Errors closed:**
- c.go:2 gone
**Files:**
- a/b.go
**Asked before:**
- look at it`, full.Markdown(1000, "en"))
	assert.True(
		t,
		strings.HasPrefix(full.Markdown(1000, "zh"), "**任务：** Fix the parser\n**下一步：** write a test\n**决定：**\n- keep"),
	)
	assert.Empty(t, summary.Summary{}.Markdown(1000, "en"))
}

func TestC3_WhatDoesNotFitGoesFromTheLeastImportant(t *testing.T) {
	whole := strings.Split(full.Markdown(1000, "en"), "\n")
	before := ""
	for limit := range 400 {
		text := full.Markdown(limit, "en")
		require.LessOrEqual(t, utf8.RuneCountInString(text), limit)
		for line := range strings.Lines(text) {
			require.Contains(t, whole, strings.TrimSuffix(line, "\n"))
		}
		require.GreaterOrEqual(t, len(text), len(before)-60)
		before = text
	}
	assert.Equal(t, "**Task:** Fix the parser\n**Next step:** write a test", full.Markdown(55, "en"))
	assert.Empty(t, full.Markdown(-1, "en"))
}

func TestC3_WhatAModelLeavesOutOfItsSummaryIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing is missing": {"We are fixing the parser. After that we write tests. The table is used " +
			"because of its short form; we keep all names.", nil},
		"the next step is missing": {
			"The parser is fixed; a table is used because it is so short, and we keep the names.",
			[]string{"write a test"},
		},
		"a task in the words of the model is a task": {
			"**Task:** make the reader of numbers work\nWe write a test next, use a table because it is short, " +
				"and keep the names.", nil,
		},
		"so is one under a heading of its own": {
			"## Current task\nMake the reader of numbers work.\nWe write a test next, use a table because it is " +
				"short, and keep the names.", nil,
		},
		"a sentence about tasks is none": {
			"The task list is long. We write a test next, use a table because it is short, and keep the names.",
			[]string{"Fix the parser"},
		},
		"an empty text has nothing": {
			"",
			[]string{"Fix the parser", "write a test", "use a table because it is short", "keep the names"},
		},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, missing(full, c.text)) })
	}
	chinese := summary.Summary{Task: "修复登录页面的超时问题", NextStep: "写迁移脚本"}
	assert.Equal(t, []string{"写迁移脚本"}, missing(chinese, "目前在修复登录页面的超时问题，已完成一半。"))
}

// missing returns the lines of a summary that are missing from a string.
func missing(s summary.Summary, text string) (lines []string) {
	rest := s.Without(text)
	for _, line := range append([]string{rest.Task, rest.NextStep}, rest.Decisions...) {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestTheSameConversationHasTheSameSummary(t *testing.T) {
	for _, c := range conversations(t, "conversations.txt") {
		assert.Equal(t, summary.Of(c.messages, summary.Facts{}), summary.Of(c.messages, summary.Facts{}), c.name)
	}
}

func TestALongDecisionKeepsItsBeginningAndItsReason(t *testing.T) {
	long := "We decided to keep the old importer " + strings.Repeat(
		"and its many readers ",
		14,
	) + "because customers still send such files"
	s := summary.Of(say("assistant: "+long), summary.Facts{})
	require.Len(t, s.Decisions, 1)
	assert.Equal(t, long, s.Decisions[0])
}

func FuzzSummary(f *testing.F) {
	for _, seed := range []string{
		"Fix it. We'll use Go because it is fast.", "下一步：写测试", "```\nx", "- [ ] a", "\xff\x00", "次に、書きます。",
		"a/b.go:3: x",
	} {
		f.Add(seed, seed, 200)
	}
	f.Fuzz(func(t *testing.T, asked, answered string, limit int) {
		s := summary.Of(
			[]summary.Message{
				{Role: "user", Text: asked},
				{Role: "assistant", Text: answered},
				{Role: "tool", Tool: "edit", Text: asked},
			},
			summary.Facts{Goal: answered, Todos: []string{asked}},
		)
		for _, line := range slices.Concat([]string{s.Task, s.NextStep}, s.Decisions, s.Files, s.Asked) {
			assert.NotContains(t, line, "\n")
			assert.True(t, utf8.ValidString(line))
			assert.LessOrEqual(t, utf8.RuneCountInString(line), 600)
		}
		text := s.Markdown(limit, "en")
		assert.LessOrEqual(t, utf8.RuneCountInString(text), max(0, limit))
		assert.Subset(t, slices.Concat([]string{s.Task, s.NextStep}, s.Decisions), missing(s, asked))
	})
}

func BenchmarkSummaryOfThousandMessages(b *testing.B) {
	var messages []summary.Message
	for i := range 1000 {
		messages = append(
			messages,
			say(
				fmt.Sprintf("user: Fix the parser of module %d, it fails on empty files.", i),
				fmt.Sprintf(
					"assistant: I looked at src/mod%d.go. We decided to keep the map because it is small. Next, I'll "+
						"add a test.",
					i,
				),
			)...)
	}
	for b.Loop() {
		summary.Of(messages, summary.Facts{})
	}
}

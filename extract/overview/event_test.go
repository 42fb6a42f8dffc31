package overview_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/overview"
)

var at = time.Date(2026, 3, 1, 9, 5, 0, 0, time.UTC)

type data = map[string]any

func TestC8_EachEventUpdatesTheStateInItsWay(t *testing.T) {
	for name, c := range map[string]struct {
		text, typ string
		data      data
		want      string
	}{
		"a task starts": {
			"## Task\n<!-- c -->\nold\n",
			"task_started",
			data{"task": "new", "next_step": "look"},
			"## Task\n<!-- c -->\nnew\n\n## Next step\nlook\n",
		},
		"a task starts without a next step": {
			"## Task\nold\n\n## Next step\nold\n",
			"task_started",
			data{"task": "new"},
			"## Task\nnew\n\n",
		},
		"a task is called description": {"", "task_started", data{"description": "a\n  b"}, "## Task\na b\n"},
		"a task that looks like a list": {
			"",
			"task_started",
			data{"text": "- a"},
			"## Task\n```yaml\n\"- a\"\n```\n",
		},
		"a decision": {
			"## Decisions\n- a\n",
			"decision_made",
			data{"decision": "b", "reason": "of\nc"},
			"## Decisions\n- a\n- b — because of c\n",
		},
		"a decision without a reason": {
			"## Decisions\n<!-- c -->\n\n## Open\n",
			"decision_made",
			data{"title": "b"},
			"## Decisions\n<!-- c -->\n- b\n\n## Open\n",
		},
		"a decision again": {
			"## Decisions\n- b — because c\n",
			"decision_made",
			data{"decision": "b", "reason": "c"},
			"## Decisions\n- b — because c\n",
		},
		"a decision again without its reason": {
			"## Decisions\n- b — because c\n",
			"decision_made",
			data{"decision": "b"},
			"## Decisions\n- b — because c\n",
		},
		"a decision again below text": {
			"## Decisions\nWe agreed:\n- b\n",
			"decision_made",
			data{"decision": "b"},
			"## Decisions\nWe agreed:\n- b\n",
		},
		"a decision below text": {
			"## Decisions\nWe  agreed. \n\n\n## Open\n",
			"decision_made",
			data{"decision": "b"},
			"## Decisions\nWe  agreed. \n\n- b\n\n\n## Open\n",
		},
		"a decision below a list below text": {
			"## Decisions\nText\n\n- a",
			"decision_made",
			data{"decision": "b"},
			"## Decisions\nText\n\n- a\n- b",
		},
		"a decision in fenced YAML": {
			"## Decisions\n```yaml\n- {id: 1}\n```\n",
			"decision_made",
			data{"decision": "b"},
			"## Decisions\n```yaml\n- id: 1\n- b\n```\n",
		},
		"a decision beside a mapping": {
			"## Decisions\n```yaml\na: 1\n```\n",
			"decision_made",
			data{"decision": "b"},
			"## Decisions\n```yaml\n- a: 1\n- b\n```\n",
		},
		"a decision in Chinese": {
			"## 决定\n- a\n",
			"decision_made",
			data{"decision": "b", "reason": "快"},
			"## 决定\n- a\n- b — 因为快\n",
		},
		"a bug": {
			"",
			"bug_found",
			data{"bug": "it fails", "file": "a.go"},
			"## Open\n- it fails (a.go)\n",
		},
		"a bug with CRLF": {
			"## Open\r\n- a\r\n",
			"bug_found",
			data{"bug": "b"},
			"## Open\r\n- a\r\n- b\r\n",
		},
		"a bug again": {
			"## Open\n- it fails (a.go)\n",
			"bug_found",
			data{"bug": "it fails", "file": "a.go"},
			"## Open\n- it fails (a.go)\n",
		},
		"a compaction": {
			"",
			"compression_completed",
			data{"summary": "20 turns", "archived_to": "detail/a.md"},
			"## Recent\n- 2026-03-01 09:05 Compacted the history: 20 turns (archived in detail/a.md)\n",
		},
		"a compaction that says nothing": {
			"",
			"compression_completed",
			nil,
			"## Recent\n- 2026-03-01 09:05 Compacted the history\n",
		},
		"a task is done": {
			"## Task\n<!-- c -->\nFix\nit\n\n## Next step\nlook\n\n## Recent\n- a\n",
			"task_completed",
			data{"result": "it works"},
			"## Task\n<!-- c -->\n\n## Status\ncompleted\n\n## Recent\n- a\n" +
				"- 2026-03-01 09:05 Done: Fix it → it works\n",
		},
		"a task that is named is done": {
			"## 任务\n修\n## 最近\n",
			"task_completed",
			data{"task": "修复"},
			"## 任务\n\n## 状态\ncompleted\n\n## 最近\n- 2026-03-01 09:05 完成：修复\n",
		},
		"a task that is data is done": {
			"## Task\n```yaml\n[a, 1]\n```\n",
			"task_completed",
			nil,
			"## Task\n\n## Status\ncompleted\n\n## Recent\n- 2026-03-01 09:05 Done: [\"a\",1]\n",
		},
		"the context changed": {
			"## Known\n* a\n",
			"context_changed",
			data{"context": "port 8080"},
			"## Known\n* a\n- port 8080\n",
		},
		"before the server's block": {
			"## Known\n\n<!-- wm:index -->\ni\n<!-- /wm:index -->\n",
			"context_changed",
			data{"context": "x"},
			"## Known\n- x\n\n<!-- wm:index -->\ni\n<!-- /wm:index -->\n",
		},
		"members that no event knows stay away": {
			"",
			"context_changed",
			data{"context": "x", "more": 1},
			"## Known\n- x\n",
		},
	} {
		got, err := overview.Apply(c.text, c.typ, c.data, at)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
}

func TestC8_AnEventThatIsWrongIsRefusedWithItsMember(t *testing.T) {
	for name, c := range map[string]struct {
		text, typ string
		data      data
		field     string
	}{
		"unknown":                  {"", "task_paused", nil, "type"},
		"without its main member":  {"", "decision_made", data{"reason": "x"}, "data.decision"},
		"with a blank main member": {"", "bug_found", data{"bug": " \n"}, "data.bug"},
		"with a number":            {"", "bug_found", data{"bug": 1}, "data.bug"},
		"with a list":              {"", "task_started", data{"task": "x", "next_step": []any{"a"}}, "data.next_step"},
		"a synonym, not a string":  {"", "task_started", data{"title": true}, "data.title"},
		"null instead of a string": {"", "context_changed", data{"context": nil}, "data.context"},
		"no task to complete":      {overview.Template("en"), "task_completed", nil, "data.task"},
		"a state without the mapping": {
			"## state.current_state\nx\n",
			"task_started",
			data{"task": "x"},
			"current_state",
		},
		"a line where there is no list": {"## state.project\nx\n", "context_changed", data{"context": "x"}, "project"},
	} {
		_, err := overview.Apply(c.text, c.typ, c.data, at)
		var wrong *overview.EventError
		require.True(t, errors.As(err, &wrong), name)
		assert.Equal(t, c.field, wrong.Field, name)
		assert.NotEmpty(t, wrong.Reason, name)
	}
}

func TestC8_AMemberOfAnotherTypeIsNamedWithItsType(t *testing.T) {
	for got, value := range map[string]any{
		"number": 1.0, "boolean": true, "array": []any{"a"}, "object": map[string]any{},
	} {
		_, err := overview.Apply("", "bug_found", data{"bug": value}, at)
		assert.EqualError(t, err, "data.bug must be a string, got "+got)
	}
}

func TestC8_TheNewestTwentyRecentLinesAreKept(t *testing.T) {
	for name, text := range map[string]string{
		"a list":                  "",
		"a list with blank lines": "## Recent\n- x\n\n- y\n",
		"below text":              "## Recent\nMine stays.\n",
		"fenced YAML":             "## Recent\n```yaml\n[1]\n```\n",
	} {
		for i := range 50 {
			var err error
			text, err = overview.Apply(text, "compression_completed", data{"summary": fmt.Sprintf("n%d.", i)}, at)
			require.NoError(t, err, name)
		}
		assert.Equal(t, 20, strings.Count(text, "- 2026-03-01"), name)
		assert.Contains(t, text, "n30.", name)
		assert.NotContains(t, text, "n29.", name)
		assert.Equal(t, name == "below text", strings.Contains(text, "Mine stays."), name)
	}
}

func TestC8_TheTableOfEventsIsWhatIsApplied(t *testing.T) {
	for _, event := range overview.Events {
		values := data{}
		for _, member := range event.Members {
			values[member.Name] = "the " + member.Name
		}
		text, err := overview.Apply(overview.Template("en"), event.Type, values, at)
		require.NoError(t, err, event.Type)
		for _, member := range event.Members {
			assert.Contains(t, text, "the "+member.Name, event.Type)
		}
		assert.NotEmpty(t, event.Effect)
	}
}

func FuzzApply(f *testing.F) {
	for _, text := range texts {
		f.Add(text, "it fails")
	}
	f.Add("## Open\n<!-- c\n\n```\nx", "## a")
	f.Fuzz(func(t *testing.T, text, bug string) {
		for _, event := range []string{"bug_found", "decision_made", "task_completed"} {
			once, err := overview.Apply(text, event, data{"text": bug}, at)
			if err != nil {
				return
			}
			require.Equal(t, overview.Block(text, overview.Index), overview.Block(once, overview.Index))
			if event != "task_completed" {
				again, err := overview.Apply(once, event, data{"text": bug}, at)
				require.NoError(t, err)
				require.Equal(t, once, again)
			}
		}
	})
}

func TestC8_ABugHasTheShapeOfTheIssuesThatAreThere(t *testing.T) {
	text := "## Open\n```yaml\n- id: issue-1\n  title: the tax is off\n  severity: medium\n  status: proposed\n```\n"
	bug := data{"bug": "the total is off", "severity": "high", "file": "a.go"}
	found, err := overview.Apply(text, "bug_found", bug, at)
	require.NoError(t, err)
	again, err := overview.Apply(found, "bug_found", data{"bug": "the total is off"}, at)
	require.NoError(t, err)
	assert.Equal(t, found, again, "it is there already")
	yaml, err := overview.Read(found).YAML()
	require.NoError(t, err)
	assert.Equal(t, `issues:
  - id: issue-1
    title: the tax is off
    severity: medium
    status: proposed
  - id: issue-2
    title: the total is off
    status: open
    severity: high
    file: a.go
`, string(yaml))
}

func TestC8_ATaskChangesTheStatusAndTheNextActions(t *testing.T) {
	state, err := overview.ParseYAML([]byte(`current_state:
  status: implementing
  task: Add auto-update
  next_actions: [Review it, Test it]
`))
	require.NoError(t, err)
	text, err := overview.Write("", state)
	require.NoError(t, err)
	text, err = overview.Apply(text, "task_completed", nil, at)
	require.NoError(t, err)
	yaml, err := overview.Read(text).YAML()
	require.NoError(t, err)
	assert.Equal(t, "current_state:\n  status: completed\n  recent:\n    - '2026-03-01 09:05 Done: Add auto-update'\n",
		strings.ReplaceAll(string(yaml), `"`, "'"))
	text, err = overview.Apply(text, "task_started", data{"task": "Ship"}, at)
	require.NoError(t, err)
	assert.Contains(t, text, "in_progress")
	assert.NotContains(t, text, "completed")
}

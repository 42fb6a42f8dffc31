package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A notebook is a client that uses the notes of its session.
type notebook struct{ *peer }

// configured starts a server with settings of notes.
func configured(t *testing.T, settings map[string]any) notebook {
	n := notebook{start(t, nil)}
	n.configure("", map[string]any{"notes": settings})
	return n
}

func (n notebook) root() string {
	var list wire.NotesListResult
	n.call("wm/notes/list", nil, &list)
	return list.Root
}

func (n notebook) read(path string) wire.NotesReadResult {
	var note wire.NotesReadResult
	n.call("wm/notes/read", map[string]any{"path": path}, &note)
	return note
}

func (n notebook) write(path, content string) wire.NotesWriteResult {
	var written wire.NotesWriteResult
	n.call("wm/notes/write", map[string]any{"path": path, "content": content}, &written)
	return written
}

// put writes a note on the disk, as an editor does.
func (n notebook) put(path, content string) {
	n.t.Helper()
	name := filepath.Join(n.root(), path)
	require.NoError(n.t, os.MkdirAll(filepath.Dir(name), 0o700))
	require.NoError(n.t, os.WriteFile(name, []byte(content), 0o600))
}

// remove deletes a note on the disk, as an editor does.
func (n notebook) remove(path string) {
	n.t.Helper()
	require.NoError(n.t, os.Remove(filepath.Join(n.root(), path)))
}

func (n notebook) context(params map[string]any) wire.ContextResult {
	var result wire.ContextResult
	n.call("wm/context", params, &result)
	return result
}

func (n notebook) refusal(method string, params map[string]any) wire.Refusal {
	var why wire.Refusal
	require.NoError(n.t, json.Unmarshal(n.fails(method, params).Data, &why))
	return why
}

func TestD2_TheOverviewIsMadeFromTheTemplateAndInEveryContext(t *testing.T) {
	n := notebook{start(t, nil)}
	assert.NoDirExists(t, n.root(), "nothing is made before it is asked for")
	first := n.context(nil)
	const empty = "<overview>empty: working-memory/overview.md</overview>"
	assert.Contains(t, first.Prefix, empty, "a template is not text")
	assert.Contains(t, n.context(map[string]any{"guide": true}).Text, filepath.Join(n.root(), "overview.md"))
	assert.Equal(t, overview.Template("en"), n.read("overview.md").Content)
	assert.Equal(t, first.Prefix, n.context(nil).Prefix)

	n.put("overview.md", "# Mine\n\nThe cart is red.\n")
	assert.Contains(t, n.context(nil).Prefix, "The cart is red.", "a change shows in the next context")
	require.NoError(t, os.Remove(filepath.Join(n.root(), "overview.md")))
	assert.Contains(t, n.context(nil).Prefix, empty, "it is made anew")
	require.NoError(t, os.Remove(filepath.Join(n.root(), "overview.md")))
	assert.NotContains(t, n.context(map[string]any{"exclude": []string{"overview"}}).Text, "<overview>")
	assert.NoFileExists(t, filepath.Join(n.root(), "overview.md"))
}

func TestD2_WhoOnlyLooksIsGivenNoOverview(t *testing.T) {
	n := notebook{start(t, nil)}
	preview := map[string]any{"preview": true}
	assert.NotContains(t, n.context(preview).Text, "<overview>")
	assert.NoDirExists(t, n.root())
	given := n.context(nil)
	assert.Contains(t, given.Text, "<overview>")
	assert.Equal(t, given.Text, n.context(preview).Text, "who looks sees what is given")
}

func TestD2_TheTemplateIsASetting(t *testing.T) {
	n := configured(t, map[string]any{"language": "zh"})
	assert.Contains(t, n.context(nil).Prefix, "<overview>空：")
	assert.Contains(t, n.read("overview.md").Content, "## 任务")
	n = configured(t, map[string]any{"template": "# House rules\n\n## Plan\n"})
	assert.Contains(t, n.context(nil).Prefix, "<overview>empty: ")
	assert.Equal(t, "# House rules\n\n## Plan\n", n.read("overview.md").Content)
	n = configured(t, map[string]any{"create": false})
	assert.NotContains(t, n.context(nil).Text, "<overview>")
	assert.NoDirExists(t, n.root())
}

func TestD2_OfASectionThatIsTooLongTheFirstLinesAreRendered(t *testing.T) {
	const hint = "\n\n(1 section is left out here; read overview.md)\n</overview>"
	lines := strings.Repeat("- a fact that matters\n", 300)
	for name, c := range map[string]struct{ text, shown string }{
		"lines without a heading":       {lines, "<overview>\n- a fact that matters\n- a fact"},
		"one section below a title":     {"# Overview\n\n## Task\nfix it\n\n" + lines, "## Task\nfix it\n\n- a"},
		"a line that is longer":         {"- ok\n" + strings.Repeat("y", 6000) + "\n- tail\n", "\n- ok" + hint},
		"nothing but a line too long":   {strings.Repeat("y", 6000), "<overview>\n" + hint[2:]},
		"a title above a line too long": {"# Overview\n\n" + strings.Repeat("y", 6000), "<overview>\n" + hint[2:]},
	} {
		t.Run(name, func(t *testing.T) {
			n := notebook{start(t, nil)}
			n.write("overview.md", c.text)
			result := n.context(nil)
			assert.Contains(t, result.Text, c.shown)
			assert.Contains(t, result.Text, hint[2:])
			for _, section := range result.Sections {
				if section.ID == "overview" {
					assert.LessOrEqual(t, section.Chars, 5000+len("<overview>\n\n</overview>"))
				}
			}
		})
	}
}

func TestD2_OfALongOverviewWholeSectionsAreRendered(t *testing.T) {
	n := notebook{start(t, nil)}
	n.write("overview.md",
		"# Top\n\n## One\n"+strings.Repeat("a line of the first section\n", 100)+"\n## Two\n"+strings.Repeat(
			"a line of the second section\n",
			100,
		))
	result := n.context(nil)
	assert.Contains(t, result.Text, "the first section")
	assert.NotContains(t, result.Text, "the second section")
	assert.Contains(t, result.Text, "\n\n(1 section is left out here; read overview.md)\n</overview>")
	assert.Equal(t, wire.KeepAll, result.History.Keep, "what is not shown does not stand for the history")
	for _, section := range result.Sections {
		if section.ID == "overview" {
			assert.LessOrEqual(t, section.Chars, 5000+len("<overview>\n\n</overview>"))
			assert.Equal(t, []wire.Omission{{ID: "Two", Reason: "budget"}}, section.Omitted)
		}
	}
}

func TestD3_ThePrefixStaysTheSameWhileNothingInItChanges(t *testing.T) {
	slow.Test(t)
	n := notebook{start(t, nil)}
	n.call("wm/memory/add", map[string]any{"text": "Money is kept in cents, never in floats."}, nil)
	n.call("wm/core/update", map[string]any{"block": "goal", "operation": "replace", "content": "Ship the cart"}, nil)
	n.write("overview.md", "# Cart\n\n## Task\nShip it.\n")
	for _, budget := range []map[string]any{nil, {"chars": 2500}, {"tokens": 600}} {
		params := map[string]any{"budget": budget}
		n.call("wm/usage/reported", map[string]any{"tokensUsed": 1, "tokensMax": 1000}, nil)
		want := n.context(params).Prefix
		assert.Contains(t, want, "Money is kept in cents")
		contexts := 100
		if raced.On {
			contexts = 20
		}
		for i := range contexts {
			n.call("wm/usage/reported", map[string]any{"tokensUsed": i * 1000 / contexts, "tokensMax": 1000}, nil)
			n.call("wm/message/received", map[string]any{
				"role": "user", "text": fmt.Sprintf("We decided to take road number %d round the lake.", i),
			}, nil)
			n.call("wm/tool/executed",
				map[string]any{"tool": "edit", "input": map[string]any{"path": fmt.Sprintf("f%d.go", i)}}, nil)
			require.Equal(t, want, n.context(params).Prefix, "context %d, budget %v", i, budget)
		}
		n.call("wm/core/update", map[string]any{"block": "goal", "operation": "append", "content": "by March"}, nil)
		assert.NotEqual(t, want, n.context(params).Prefix)
	}
}

func TestD4_HistoryIsKeptUntilTheOverviewIsMaintained(t *testing.T) {
	n := notebook{start(t, nil)}
	assert.Equal(t, wire.KeepAll, n.context(map[string]any{"exclude": []string{"overview"}}).History.Keep)
	history := n.context(nil).History
	assert.Equal(t, wire.KeepAll, history.Keep)
	assert.Contains(t, history.Reason, "still the template")
	n.write("detail/a.md", "# Tax\n")
	assert.Equal(t, wire.KeepAll, n.context(nil).History.Keep, "the index is not the writer's")
	n.put("overview.md", n.read("overview.md").Content+"\nThe parser stands; next is the tax.\n")
	history = n.context(nil).History
	assert.Equal(t, wire.KeepActiveTurn, history.Keep)
	assert.Contains(t, history.Reason, "maintained")
	assert.Equal(t, wire.KeepAll, n.context(map[string]any{"budget": map[string]any{"chars": 200}}).History.Keep,
		"the overview is not in it")
}

// metaOf returns the last element of a context.
func metaOf(t *testing.T, text string) map[string]any {
	t.Helper()
	at := strings.LastIndex(text, "<context_meta>")
	require.Positive(t, at)
	doc, ends := strings.CutSuffix(text[at+len("<context_meta>"):], "</context_meta>")
	require.True(t, ends, "it stands at the very end")
	var meta map[string]any
	require.NoError(t, json.Unmarshal([]byte(doc), &meta))
	return meta
}

func TestD5_TheContextEndsWithWhatItIs(t *testing.T) {
	n := notebook{start(t, nil)}
	n.write("overview.md", "# Cart\n\nred\n")
	assert.NotContains(t, n.context(nil).Text, "context_meta", "nothing was reported")
	n.call("wm/usage/reported", map[string]any{"tokensUsed": 339, "tokensMax": 1000, "messagesInHistory": 12}, nil)
	assert.Equal(t, map[string]any{
		"tokens_percent": 33.0, "working_memory_size": 12.0, "compress": "drop outputs of tools that are done with",
	}, metaOf(t, n.context(nil).Text), "the host knows what it reported")
	n.call("wm/usage/reported", map[string]any{"tokensUsed": 340, "tokensMax": 1000}, nil)
	assert.NotContains(t, n.context(nil).Text, "context_meta", "the hint is the same")
	n.call("wm/usage/reported", map[string]any{"promptChars": 130_000, "charLimit": 180_000}, nil)
	assert.Equal(t, 72.0, metaOf(t, n.context(nil).Text)["tokens_percent"])
}

func TestD5_TheFirstContextsTellWhereTheEmptyOverviewLies(t *testing.T) {
	n := notebook{start(t, nil)}
	path, _ := metaOf(t, n.context(nil).Text)["notes"].(string)
	_, err := os.Stat(path)
	require.NoError(t, err, "an agent can open it: %q", path)
	first := n.context(nil)
	n.call("wm/tool/executed", map[string]any{"tool": "read", "input": map[string]any{"filePath": "a.go"}}, nil)
	second := n.context(nil)
	assert.NotContains(t, second.Text, path, "it was told")
	assert.Equal(t, first.Prefix, second.Prefix)
	n = notebook{start(t, nil)}
	n.write("overview.md", "# Cart\n\nred\n")
	assert.NotContains(t, n.context(nil).Text, "context_meta", "it is not empty")
}

func TestD5_TheMessagesOfAKeptConversationAreCounted(t *testing.T) {
	n := conversed(t, 2)
	n.call("wm/usage/reported", map[string]any{"tokensUsed": 30, "tokensMax": 100}, nil)
	assert.Equal(t, 6.0, metaOf(t, n.context(nil).Text)["messages_in_history"])
}

func TestD5_TheReminderGrowsFirmer(t *testing.T) {
	n := notebook{start(t, nil)}
	n.write("overview.md", "# Cart\n\nred\n")
	reminder := func(percent int) string {
		n.call("wm/usage/reported", map[string]any{"tokensUsed": 10, "tokensMax": 100}, nil)
		n.call("wm/usage/reported", map[string]any{"tokensUsed": percent, "tokensMax": 100}, nil)
		said, _ := metaOf(t, n.context(nil).Text)["reminder"].(string)
		return said
	}
	assert.Empty(t, reminder(50))
	assert.Contains(t, reminder(51), "Write into overview.md what must not be lost")
	assert.Contains(t, reminder(60), "in this turn")
	assert.Contains(t, reminder(75), "now, before anything else")

	turns := func(count int) {
		for range count {
			n.call("wm/message/received", map[string]any{"role": "user", "text": "go on"}, nil)
		}
	}
	turns(9)
	assert.Empty(t, reminder(30))
	turns(1)
	assert.Equal(t, "overview.md has not changed for 10 turns: see whether it still holds.", reminder(10))
	turns(10)
	assert.Equal(t, "overview.md has not changed for 20 turns: bring it up to date now.", reminder(10))
	n.put("overview.md", "# Cart\n\nblue\n")
	assert.Empty(t, reminder(30), "an editor has changed it")
}

func TestD7_TheModelReadsAndWritesItsNotes(t *testing.T) {
	n := notebook{start(t, nil)}
	first := n.write("detail/tax.md", "# Tax\nrounded at the end\n")
	assert.Equal(t,
		wire.NotesReadResult{Path: "detail/tax.md", Content: "# Tax\nrounded at the end\n", Revision: first.Revision},
		n.read("detail/tax.md"))
	assert.NotContains(t, n.context(nil).Text, "rounded at the end", "details enter no context by themselves")
	var archived wire.NotesArchiveResult
	n.call("wm/notes/archive", map[string]any{"path": "detail/tax.md"}, &archived)
	assert.Equal(t, "archive/tax.md", archived.Path)
	n.write("overview.md", "# O\n")
	n.call("workspace/executeCommand",
		map[string]any{"command": "wm.archiveNote", "arguments": []any{map[string]any{"path": "overview.md"}}}, nil)
	var list wire.NotesListResult
	n.call("wm/notes/list", nil, &list)
	var paths []string
	for _, file := range list.Files {
		paths = append(paths, file.Path+" "+file.Title)
	}
	assert.Equal(t, []string{"archive/overview.md O", "archive/tax.md Tax"}, paths)
	assert.Equal(t, wire.RefusalNotFound, n.refusal("wm/notes/read", map[string]any{"path": "detail/tax.md"}).Reason)
	assert.EqualValues(t, wire.CodeInvalidParams,
		n.fails("wm/notes/write", map[string]any{"path": "../x.md", "content": "x"}).Code)
	assert.EqualValues(t, wire.CodeInvalidParams,
		n.fails("wm/notes/write", map[string]any{"path": "detail/x.md", "content": "\x00"}).Code)
	secret := "detail/ghp_" + strings.Repeat("a1B2", 9) + ".md"
	assert.Contains(t, n.fails("wm/notes/write", map[string]any{"path": secret, "content": "x"}).Message,
		"holds a secret")
	assert.Contains(t, n.fails("wm/notes/restore", map[string]any{"path": "archive/tax.md", "to": secret}).Message,
		"holds a secret")
	huge := n.refusal("wm/notes/write", map[string]any{"path": "detail/x.md", "content": strings.Repeat("x", 1<<20+1)})
	assert.Equal(t, wire.Refusal{Reason: wire.RefusalLimit, Used: 1<<20 + 1, Max: 1 << 20}, huge)
}

func TestC1_AConflictIsToldAndBothTextsCanBeRead(t *testing.T) {
	n := notebook{start(t, nil)}
	first := n.write("overview.md", "# First\n")
	n.put("overview.md", "# By an editor\n")
	why := n.refusal("wm/notes/write",
		map[string]any{"path": "overview.md", "content": "# Mine\n", "ifRevision": first.Revision})
	assert.Equal(t, wire.RefusalConflict, why.Reason)
	assert.Equal(t, why.Revision, n.read("overview.md").Revision)
	for revision, want := range map[wire.Revision]string{
		why.Kept: "# Mine\n", first.Revision: "# First\n", why.Revision: "# By an editor\n",
	} {
		var note wire.NotesReadResult
		n.call("wm/notes/read", map[string]any{"path": "overview.md", "revision": revision}, &note)
		assert.Equal(t, want, note.Content)
	}
	assert.Equal(t, "# By an editor\n", n.read("overview.md").Content)
}

func TestC5_TheOverviewHasAnIndexOfDetail(t *testing.T) {
	n := notebook{start(t, nil)}
	n.write("overview.md", "# Cart\n\n## Task\nShip it.\n")
	n.write("detail/tax.md", "# How tax is rounded\n")
	want := "# Cart\n\n## Task\nShip it.\n\n" +
		"<!-- wm:index -->\n## Details\n- [How tax is rounded](detail/tax.md)\n<!-- /wm:index -->\n"
	assert.Equal(t, want, n.read("overview.md").Content)
	assert.Contains(t, n.context(nil).Prefix, "[How tax is rounded](detail/tax.md)")
	n.put("overview.md", strings.Replace(want, "Ship it.", "Ship it by March.", 1))
	n.call("wm/notes/archive", map[string]any{"path": "detail/tax.md"}, nil)
	assert.Equal(t, "# Cart\n\n## Task\nShip it by March.\n",
		strings.TrimRight(n.read("overview.md").Content, "\n")+"\n", "the writer's text is not touched")
}

func TestC6_TheStateIsReadAndWrittenAsYAMLAndAsSections(t *testing.T) {
	n := notebook{start(t, nil)}
	var state wire.StateReadResult
	n.call("wm/state/read", nil, &state)
	assert.JSONEq(t, `{}`, string(state.State))
	yaml := "current_state:\n  task: Ship the cart\n  decisions:\n    - cents, not floats\n" +
		"issues:\n  - the tax is off by one\n"
	n.call("wm/state/write", map[string]any{"yaml": yaml}, nil)
	assert.Contains(t, n.read("overview.md").Content, "Ship the cart\n")
	assert.Contains(t, n.read("overview.md").Content, "- cents, not floats\n")
	n.call("wm/state/read", nil, &state)
	var read map[string]any
	require.NoError(t, json.Unmarshal(state.State, &read))
	meta := read["meta"].(map[string]any)
	assert.Equal(t, []any{"1.0", n.session}, []any{meta["version"], meta["session_id"]})
	assert.NotEmpty(t, meta["last_updated"])
	assert.NotContains(t, n.read("overview.md").Content, "session_id", "it is filled when it is read")
	delete(read, "meta")
	assert.Equal(t, map[string]any{
		"current_state": map[string]any{"task": "Ship the cart", "decisions": []any{"cents, not floats"}},
		"issues":        []any{"the tax is off by one"},
	}, read)
	before := n.read("overview.md")
	var written wire.StateWriteResult
	n.call("wm/state/write", map[string]any{"state": state.State}, &written)
	assert.Equal(t, before.Revision, written.Revision, "nothing changes what is the same")
	stale := n.refusal("wm/state/write", map[string]any{"yaml": "issues: [x]", "ifRevision": "0123456789abcdef"})
	assert.Equal(t, wire.RefusalConflict, stale.Reason)
	assert.Equal(t, state.Revision, stale.Revision)
	for _, wrong := range []map[string]any{
		{}, {"yaml": "a: [", "state": nil}, {"yaml": "x: 1", "state": map[string]any{}}, {"yaml": "a: 1\na: 2\n"},
		{"state": []any{1}},
	} {
		assert.EqualValues(t, wire.CodeInvalidParams, n.fails("wm/state/write", wrong).Code, wrong)
	}
	assert.Equal(t, before, n.read("overview.md"))
	n.put("overview.md", "# Cart\n\n<!-- a comment that nothing closes\n")
	assert.Equal(t, wire.RefusalConflict, n.refusal("wm/state/write", map[string]any{"yaml": yaml}).Reason,
		"a text that hides what would be written")
}

func TestC8_EventsChangeTheState(t *testing.T) {
	n := notebook{start(t, nil)}
	for _, e := range []struct {
		name string
		data map[string]any
	}{
		{"task_started", map[string]any{"task": "Ship the cart", "next_step": "round the tax"}},
		{"decision_made", map[string]any{"decision": "keep cents", "reason": "floats lose them"}},
		{"bug_found", map[string]any{"bug": "the tax is off by one"}},
		{"context_changed", map[string]any{"context": "the API is frozen"}},
		{"compression_completed", map[string]any{"summary": "the first half", "archived_to": "detail/a.md"}},
	} {
		n.call("wm/state/event", map[string]any{"type": e.name, "data": e.data}, nil)
	}
	text := n.read("overview.md").Content
	for _, said := range []string{
		"Ship the cart", "round the tax", "keep cents — because floats lose them", "the tax is off by one",
		"the API is frozen", "detail/a.md",
	} {
		assert.Contains(t, text, said)
	}
	n.notify("wm/state/event", map[string]any{"type": "task_completed", "data": map[string]any{"result": "shipped"}})
	var state wire.StateReadResult
	n.call("wm/state/read", nil, &state)
	assert.NotContains(t, state.YAML, "task:")
	assert.Contains(t, state.YAML, "shipped")
	for field, wrong := range map[string]map[string]any{
		"type":     {"type": "lunch", "data": map[string]any{}},
		"data.bug": {"type": "bug_found", "data": map[string]any{}},
	} {
		refused := n.fails("wm/state/event", wrong)
		assert.EqualValues(t, wire.CodeInvalidParams, refused.Code)
		assert.Contains(t, string(refused.Data), `"field":"`+field+`"`)
	}
}

func TestD8_OverHalfOfTheContextThingsToArchiveAreNamed(t *testing.T) {
	n := notebook{start(t, nil)}
	n.write(
		"overview.md",
		"# Cart\n\n## Open\n- [x] the tax\n- the bank\n\n## Known\n"+strings.Repeat(
			"- a fact of the cart that is known by now\n", 20),
	)
	suggestions := func(percent int) (list []string) {
		n.call("wm/usage/reported", map[string]any{"tokensUsed": 10, "tokensMax": 100}, nil)
		n.call("wm/usage/reported", map[string]any{"tokensUsed": percent, "tokensMax": 100}, nil)
		named, _ := metaOf(t, n.context(nil).Text)["suggestions"].([]any)
		for _, s := range named {
			list = append(list, fmt.Sprintf("%v: %v", s.(map[string]any)["why"], s.(map[string]any)["archive"]))
		}
		return list
	}
	assert.Empty(t, suggestions(50))
	named := suggestions(51)
	require.Len(t, named, 2)
	assert.Equal(t, "resolved: 1 line of overview.md that is done", named[0])
	assert.Equal(t, "largest: the section Known of overview.md, into detail/", named[1])
}

func TestAnOverviewThatCannotBeReadIsSaidAndLosesNothing(t *testing.T) {
	n := notebook{start(t, nil)}
	n.context(nil)
	for reason, content := range map[string]string{
		"not valid UTF-8": "\x00\xff",
		"at most":         strings.Repeat("x", 1<<20+1),
	} {
		n.put("overview.md", content)
		result := n.context(nil)
		assert.NotContains(t, result.Text, "<overview>")
		assert.Equal(t, wire.KeepAll, result.History.Keep)
		for _, section := range result.Sections {
			if section.ID == "overview" {
				require.Len(t, section.Omitted, 1)
				assert.Contains(t, section.Omitted[0].Reason, reason)
			}
		}
		there, err := os.ReadFile(filepath.Join(n.root(), "overview.md"))
		require.NoError(t, err)
		assert.Equal(t, content, string(there))
	}
}

func TestNothingIsNotedWhileRecordingIsPaused(t *testing.T) {
	n := notebook{start(t, nil)}
	n.call("wm/pause", nil, nil)
	for method, params := range map[string]map[string]any{
		"wm/notes/write": {"path": "overview.md", "content": "x"}, "wm/state/write": {"yaml": "a: 1"},
		"wm/working/add": {"content": "x"},
		"wm/core/update": {"block": "goal", "operation": "replace", "content": "x"},
	} {
		assert.Equal(t, wire.RefusalPaused, n.refusal(method, params).Reason, method)
	}
	n.call("wm/state/event", map[string]any{"type": "bug_found", "data": map[string]any{"bug": "x"}}, nil)
	assert.NotContains(t, n.context(nil).Text, "<overview>")
	assert.NoDirExists(t, n.root())
}

func TestWhatIsTakenAwayWhileRecordingIsPausedCanBePutBack(t *testing.T) {
	n := notebook{start(t, nil)}
	n.call("wm/notes/write", map[string]any{"path": "detail/a.md", "content": "# A\n"}, nil)
	n.call("wm/working/add", map[string]any{"content": "look at the parser", "slot": "todo"}, nil)
	n.context(nil) // makes the overview
	n.call("wm/pause", nil, nil)
	before := n.context(nil).Text
	for method, params := range map[string]map[string]any{
		"wm/notes/archive": {"path": "detail/a.md"}, "wm/working/clear": {},
	} {
		var taken struct{ Undo wire.Undo }
		n.call(method, params, &taken)
		assert.NotEqual(t, before, n.context(nil).Text, method)
		n.call(taken.Undo.Method, taken.Undo.Params, nil)
		assert.Equal(t, before, n.context(nil).Text, method)
	}
}

func TestTheNotesAreInThePanelAndCanBeArchivedThere(t *testing.T) {
	n := notebook{start(t, nil)}
	section := func() wire.PanelSection {
		var panel wire.PanelResult
		n.call("wm/panel", map[string]any{"sections": []string{"notes"}}, &panel)
		require.Len(t, panel.Sections, 1)
		return panel.Sections[0]
	}
	assert.Empty(t, section().Items)
	n.write("overview.md", "# The [cart](command:x)\n")
	n.write("detail/tax.md", "# Tax\n")
	shown := section()
	require.Len(t, shown.Items, 2)
	assert.Equal(t, "The [cart](command:x)", shown.Items[0].Label)
	assert.True(t, strings.HasSuffix(shown.Items[0].Location.URI, "/working-memory/overview.md"))
	var text wire.PanelResolveResult
	n.call("wm/panel/resolve", map[string]any{"id": shown.Items[0].ID}, &text)
	assert.Contains(t, text.Markdown, "```\n# The [cart](command:x)\n", "it is shown, not followed")
	archive := shown.Items[1].Actions[0]
	var archived wire.NotesArchiveResult
	n.call(archive.Method, archive.Params, &archived)
	shown = section()
	require.Len(t, shown.Items, 2)
	assert.Equal(t, "1 archived", shown.Items[1].Label)
	restore := shown.Items[1].Children[0].Actions[0]
	var restored wire.NotesRestoreResult
	n.call(restore.Method, restore.Params, &restored)
	assert.Equal(t, "detail/tax.md", restored.Path)
	n.call(restored.Undo.Method, restored.Undo.Params, nil)
	n.call(archived.Undo.Method, archived.Undo.Params, nil)
	assert.Equal(t, "note:detail/tax.md", section().Items[1].ID)
	n.call(archive.Method, archive.Params, nil)
	n.put("detail/by-hand.md", "# By hand\n")
	n.eventually("the panel shows what an editor wrote", func() bool { return len(section().Items) == 3 })
}

func TestTheContextBudgetIsInThePanel(t *testing.T) {
	n := notebook{start(t, nil)}
	n.call("wm/usage/reported", map[string]any{"tokensUsed": 720, "tokensMax": 1000}, nil)
	var panel wire.PanelResult
	n.call("wm/panel", map[string]any{"sections": []string{"budget"}}, &panel)
	require.Len(t, panel.Sections, 1)
	assert.Equal(t, "72 % · moderate", panel.Sections[0].Summary)
	assert.Equal(t, &wire.PanelBudget{Used: 720, Max: 1000, Unit: "tokens"}, panel.Sections[0].Budget)
	require.Len(t, panel.Sections[0].Items, 3)
}

func TestAFolderThatCannotBeWrittenIsSaidAndTheRestGoesOn(t *testing.T) {
	n := notebook{start(t, nil)}
	n.call("wm/working/add", map[string]any{"content": "call the bank"}, nil) // begins the session
	root := n.root()
	require.NoError(t, os.WriteFile(root, []byte("in the way"), 0o600))
	for method, params := range map[string]map[string]any{
		"wm/notes/write": {"path": "overview.md", "content": "x"}, "wm/state/write": {"yaml": "issues: [x]"},
		"wm/state/event": {"type": "bug_found", "data": map[string]any{"bug": "x"}},
		"wm/notes/list":  nil, "wm/notes/read": {"path": "overview.md"}, "wm/state/read": nil,
	} {
		why := n.fails(method, params)
		assert.EqualValues(t, wire.CodeRequestFailed, why.Code, method)
		assert.Contains(t, string(why.Data), `"reason":"store"`, method)
		assert.Contains(t, why.Message, "working-memory", method)
	}
	result := n.context(nil)
	assert.Contains(t, result.Text, "call the bank")
	assert.Equal(t, wire.KeepAll, result.History.Keep)
	require.NoError(t, os.Remove(root))
	n.write("overview.md", "Back.\n")
	assert.Contains(t, n.context(nil).Text, "Back.")
}

func TestAClockThatJumpsChangesNoOrder(t *testing.T) {
	n := notebook{start(t, nil)}
	for i, at := range []string{"2199-01-01T00:00:00Z", "1970-01-01T00:00:00Z", ""} {
		n.call("wm/message/received", map[string]any{
			"role": "user", "text": fmt.Sprintf("We decided to take road number %d round the lake.", i), "at": at,
		}, nil)
	}
	var read wire.WorkingReadResult
	n.call("wm/working/read", nil, &read)
	require.Len(t, read.Slots["decision"], 3)
	for i, item := range read.Slots["decision"] {
		assert.Contains(t, item.Content, fmt.Sprintf("number %d", 2-i), "the newest first, by events")
		assert.LessOrEqual(t, string(item.CreatedAt), time.Now().Add(time.Minute).UTC().Format(time.RFC3339))
	}
}

func TestE17_ASecretThatAnEditorWroteIsNotCopied(t *testing.T) {
	n := notebook{start(t, nil)}
	n.write("overview.md", "# First\n")
	n.put("overview.md", "export DB_PASSWORD="+"tr0ub4dorAnd3\n")
	n.write("overview.md", "# Second\n")
	n.put("overview.md", "export DB_PASSWORD="+"tr0ub4dorAnd4\n")
	n.refusal("wm/notes/write", map[string]any{"path": "overview.md", "content": "x", "ifRevision": "0123456789abcdef"})
	n.write("overview.md", "# Third\n")
	versions, err := filepath.Glob(filepath.Join(filepath.Dir(n.root()), "versions", "*"))
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(versions), 4)
	for _, version := range versions {
		content, err := os.ReadFile(version)
		require.NoError(t, err)
		assert.NotContains(t, string(content), "tr0ub4dor")
	}
}

func TestNothingInvisibleIsInTheIdsOfOmissionsAndOfThePanel(t *testing.T) {
	const path = "detail/pa\u202ey\u200bments.md"
	n := notebook{start(t, nil)}
	n.write("overview.md", "# Top\n\n## One\n"+strings.Repeat("a line of the first section\n", 100)+
		"\n## T\u200bw\u202eo\n"+strings.Repeat("a line of the second section\n", 100))
	n.write(path, "Payments are settled at night.")
	for _, section := range n.context(nil).Sections {
		if section.ID == "overview" {
			assert.Equal(t, []wire.Omission{{ID: "Two", Reason: "budget"}}, section.Omitted)
		}
	}
	var panel wire.PanelResult
	n.call("wm/panel", map[string]any{"sections": []string{"notes"}}, &panel)
	details := ""
	for _, item := range panel.Sections[0].Items {
		assert.NotRegexp(t, "[\u202e\u200b]", item.ID)
		var text wire.PanelResolveResult
		n.call("wm/panel/resolve", map[string]any{"id": item.ID}, &text)
		details += text.Markdown
	}
	assert.Contains(t, details, "Payments are settled at night.")
}

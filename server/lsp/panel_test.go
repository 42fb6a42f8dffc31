package lsp

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestOfTheErrorsOfOneCommandFiveAreShownAndTheRestIsCounted(t *testing.T) {
	p := start(t, nil)
	var output strings.Builder
	for i := range 12 {
		fmt.Fprintf(&output, "--- FAIL: TestNumber%d (0.00s)\n    a_test.go:%d: wrong answer\n", i, i+1)
	}
	var told wire.ToolExecutedResult
	p.call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go test ./..."}, "exitCode": 1,
		"output": output.String() + "FAIL\n",
	}, &told)
	assert.Len(t, told.Opened, 12)
	assert.Len(t, p.errors(), 12)

	var shown wire.PanelResult
	p.call("wm/panel", nil, &shown)
	for _, section := range shown.Sections {
		if section.ID != "errors" {
			continue
		}
		assert.Equal(t, "12", section.Summary)
		require.Len(t, section.Items, 6)
		last := section.Items[5]
		assert.Equal(t, "7 more of go test ./...", last.Label)
		assert.Len(t, last.Children, 7)
	}
	var context wire.ContextResult
	p.call("wm/context", nil, &context)
	assert.Equal(t, 3, strings.Count(context.Text, "- [test] "))
	assert.Contains(t, context.Text, "\n(9 more)\n")
}

func TestAFailureBehindAPipeIsMarked(t *testing.T) {
	p := start(t, nil)
	var told wire.ToolExecutedResult
	p.call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go test ./... | tail -5"}, "exitCode": 0,
		"output": "--- FAIL: TestTotal (0.00s)\n    a_test.go:3: wrong answer\nFAIL\nFAIL\tshop\t0.1s\n",
	}, &told)
	require.Len(t, told.Opened, 1)
	assert.True(t, told.Opened[0].Masked)
	var context wire.ContextResult
	p.call("wm/context", nil, &context)
	assert.Contains(t, context.Text, "TestTotal: wrong answer (a pipe hid the exit code)")
	p.call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go test ./..."}, "exitCode": 0, "output": "ok\n",
	}, &told)
	assert.Empty(t, p.errors())
}

func TestAnEntryAboutFilesOpensTheFirstThatIsThere(t *testing.T) {
	p := start(t, nil)
	first, second := p.write("first.go", ""), p.write("second.go", "")
	p.call("wm/memory/add", map[string]any{"text": "Prices are cents", "files": []string{"first.go", "second.go"}}, nil)
	place := func() string {
		var shown wire.PanelResult
		p.call("wm/panel", map[string]any{"sections": []string{"memory"}}, &shown)
		if location := shown.Sections[0].Items[0].Location; location != nil {
			return location.URI
		}
		return ""
	}
	assert.Equal(t, first, place())
	remove := func(uri, name string) {
		require.NoError(t, os.Remove(filepath.Join(p.root, name)))
		p.notify("workspace/didDeleteFiles", map[string]any{"files": []any{map[string]any{"uri": uri}}})
	}
	remove(first, "first.go")
	assert.Equal(t, second, place())
	remove(second, "second.go")
	assert.Empty(t, place())
}

func TestEachBuiltinTypeSaysWhatItIsFor(t *testing.T) {
	p := start(t, nil)
	p.configure("", map[string]any{"memory": map[string]any{"types": []any{"glossary"}}})
	var shown wire.PanelResult
	p.call("wm/panel", map[string]any{"sections": []string{"memory"}}, &shown)
	inputs := shown.Sections[0].Actions[0].Inputs
	var kinds []string
	for _, choice := range inputs[len(inputs)-1].Choices {
		kinds = append(kinds, choice.Value)
		assert.Equal(t, choice.Value != "glossary", choice.Detail != "", choice.Value)
	}
	assert.Equal(t, append(slices.Clone(settings.BuiltinTypes), "glossary"), kinds)
}

func TestOfASessionThatIsGoneNoEmptyMemoryIsShown(t *testing.T) {
	p := start(t, nil)
	begin := func(session string) {
		p.call("wm/core/update",
			map[string]any{"sessionId": session, "block": "goal", "operation": "replace", "content": "Of " + session},
			nil)
	}
	goal := func(session string) string {
		var shown wire.PanelResult
		p.call("wm/panel", map[string]any{"sessionId": session, "sections": []string{"core"}}, &shown)
		require.Len(t, shown.Sections[0].Items, 1)
		var text wire.PanelResolveResult
		p.call("wm/panel/resolve", map[string]any{"sessionId": session, "id": "core:goal"}, &text)
		assert.Contains(t, text.Markdown, strings.TrimPrefix(shown.Sections[0].Items[0].Label, "goal: "))
		return shown.Sections[0].Items[0].Label
	}
	begin("first")
	begin("second")
	assert.Equal(t, "goal: Of first", goal("first"))
	p.call("wm/session/delete", map[string]any{"sessionId": "first"}, nil)
	for _, gone := range []string{"first", "never begun"} {
		assert.Equal(t, "goal: Of second", goal(gone), "the panel that is shown by itself")
		var list wire.SessionListResult
		p.call("wm/session/list", map[string]any{"sessionId": gone}, &list)
		assert.Equal(t, "second", list.Shown, gone)
	}
	deleted := map[string]any{"sessionId": "first"}
	for _, method := range []string{
		"wm/core/read", "wm/working/read", "wm/notes/list", "wm/state/read", "wm/pressure", "wm/working/clear",
	} {
		assert.Contains(t, p.fails(method, deleted).Message, "the session first was deleted", method)
		p.call(method, map[string]any{"sessionId": "yet to begin"}, nil)
	}
	assert.Contains(t, p.fails("wm/notes/read", map[string]any{"sessionId": "first", "path": "overview.md"}).Message,
		"was deleted")
	assert.Contains(t, p.fails("wm/context", map[string]any{"sessionId": "first", "preview": true}).Message,
		"was deleted")
	p.call("wm/context", deleted, nil) // an agent that continues gets what the workspace knows
	p.call("wm/context", map[string]any{"sessionId": "yet to begin", "preview": true}, nil)
	p.call("wm/context", map[string]any{"sessionId": "begins now"}, nil)
	var list wire.SessionListResult
	p.call("wm/session/list", nil, &list)
	var known []string
	for _, s := range list.Sessions {
		known = append(known, s.SessionID)
	}
	assert.ElementsMatch(t, []string{"second", "begins now"}, known)
}

func TestWhatIsTakenBackInASessionThatHasEndedLeavesItEnded(t *testing.T) {
	p := start(t, nil)
	agent := func(more map[string]any) map[string]any {
		params := map[string]any{"sessionId": "the agent's"}
		maps.Copy(params, more)
		return params
	}
	sessions := func() (live []string, shown string) {
		var list wire.SessionListResult
		p.call("wm/session/list", nil, &list)
		for _, s := range list.Sessions {
			if s.Live {
				live = append(live, s.SessionID)
			}
		}
		return live, list.Shown
	}
	block := func(content string) map[string]any {
		return map[string]any{"block": "goal", "operation": "replace", "content": content}
	}
	var written wire.CoreUpdateResult
	p.call("wm/core/update", agent(block("Ship the cart")), nil)
	p.call("wm/core/update", agent(block("Ship two carts")), &written)
	p.call("wm/working/add", agent(map[string]any{"content": "call the bank"}), nil)
	p.call("wm/notes/write", agent(map[string]any{"path": "detail/plan.md", "content": "# Plan"}), nil)
	live, shown := sessions()
	assert.Equal(t, []string{"the agent's"}, live, "what is written into a session that is not known begins it")
	assert.Equal(t, "the agent's", shown)

	p.call("wm/session/end", agent(nil), nil)
	var cleared wire.WorkingClearResult
	p.call("wm/working/clear", agent(nil), &cleared)
	var archived wire.NotesArchiveResult
	p.call("wm/notes/archive", agent(map[string]any{"path": "detail/plan.md"}), &archived)
	for _, undo := range []*wire.Undo{written.Undo, cleared.Undo, archived.Undo} {
		p.call(undo.Method, undo.Params, nil)
	}
	live, shown = sessions()
	assert.Empty(t, live)
	assert.NotEqual(t, "the agent's", shown)
	var core wire.CoreReadResult
	p.call("wm/core/read", agent(nil), &core)
	assert.Equal(t, "Ship the cart", core.Blocks.Goal.Content, "it is taken back all the same")
	var held wire.WorkingReadResult
	p.call("wm/working/read", agent(nil), &held)
	assert.Len(t, held.Pool, 1)
	var notes wire.NotesListResult
	p.call("wm/notes/list", agent(nil), &notes)
	assert.Equal(t, "detail/plan.md", notes.Files[len(notes.Files)-1].Path)

	p.call("wm/message/received", agent(map[string]any{"role": "user", "text": "Go on."}), nil)
	live, _ = sessions()
	assert.Equal(t, []string{"the agent's"}, live, "an event of the session is life")
	p.call("wm/session/end", agent(nil), nil)

	p.call("wm/core/update", block("Mine"), nil)
	_, own := sessions()
	p.call("wm/session/end", map[string]any{"sessionId": own}, nil)
	p.call("wm/core/update", block("Mine still"), nil)
	live, _ = sessions()
	assert.Equal(t, []string{own}, live, "the connection's own session goes on with what its client writes")
}

func TestAnEditorSeesTheMemoryOfTheAgentThatWorks(t *testing.T) {
	p := start(t, nil)
	panelOf := func(params map[string]any) wire.PanelResult {
		var shown wire.PanelResult
		p.call("wm/panel", params, &shown)
		return shown
	}
	section := func(shown wire.PanelResult, id string) wire.PanelSection {
		for _, s := range shown.Sections {
			if s.ID == id {
				return s
			}
		}
		t.Fatalf("there is no section %s", id)
		return wire.PanelSection{}
	}
	agent := map[string]any{"sessionId": "the agent's"}
	tell := func(method string, params map[string]any) {
		params["sessionId"] = agent["sessionId"]
		p.call(method, params, nil)
	}
	tell("wm/session/start", map[string]any{"agent": "coder"})
	tell("wm/core/update", map[string]any{"block": "goal", "operation": "replace", "content": "Ship the cart"})
	tell("wm/working/add", map[string]any{"content": "call the bank", "slot": "todo"})
	tell("wm/notes/write", map[string]any{"path": "overview.md", "content": "# Cart\n"})
	tell("wm/usage/reported", map[string]any{"tokensUsed": 50, "tokensMax": 100})

	shownIn := func() string {
		var list wire.SessionListResult
		p.call("wm/session/list", nil, &list)
		return list.Shown
	}
	assert.Equal(t, "the agent's", shownIn())
	shown := panelOf(nil)
	assert.InDelta(t, 50, shown.Pressure.Percentage, 0.1)
	assert.Equal(t, "coder", section(shown, "core").Summary)
	assert.Equal(t, "1 · coder", section(shown, "working").Summary)
	assert.Equal(t, "1 · coder", section(shown, "notes").Summary)
	assert.Equal(t, "50 % · safe · coder", section(shown, "budget").Summary)
	item := section(shown, "working").Items[0].Children[0]
	var text wire.PanelResolveResult
	p.call("wm/panel/resolve", map[string]any{"id": item.ID}, &text)
	assert.Contains(t, text.Markdown, "call the bank")
	p.call(item.Actions[0].Method, item.Actions[0].Params, nil)
	assert.Empty(t, section(panelOf(nil), "working").Items, "the action is on the agent's")

	p.call("wm/session/start", map[string]any{"sessionId": "another"}, nil)
	another := map[string]any{"sessionId": "another"}
	assert.Empty(t, section(panelOf(another), "core").Items, "who names a session is shown that one")
	var listed wire.SessionListResult
	p.call("wm/session/list", another, &listed)
	assert.Equal(t, "another", listed.Shown)
	named := section(panelOf(agent), "core")
	assert.Equal(t, "coder", named.Summary)
	edit := named.Items[0].Actions[0]
	edit.Params["content"] = "Ship two carts"
	p.call(edit.Method, edit.Params, nil)
	assert.Contains(t, section(panelOf(nil), "core").Items[0].Label, "Ship two carts",
		"the action is on the one that was named")

	p.call("wm/core/update", map[string]any{"block": "goal", "operation": "replace", "content": "Mine"}, nil)
	assert.Contains(t, section(panelOf(nil), "core").Items[0].Label, "Mine", "who has a memory sees that")
	assert.NotEqual(t, "the agent's", shownIn())
}

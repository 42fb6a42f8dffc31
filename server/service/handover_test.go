package service

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// handedTo returns the handover in a context of a session, "" for none.
func (f *face) handedTo(session string, params wire.ContextParams) string {
	f.t.Helper()
	params.SessionID = session
	result := get[wire.ContextResult](f, "wm/context", &params)
	if result.Context == nil {
		return ""
	}
	for _, section := range result.Sections {
		if section.ID == "handover" {
			return section.Text
		}
	}
	return ""
}

func (f *face) starts(session string) {
	f.t.Helper()
	get[wire.SessionStartResult](f, "wm/session/start",
		&wire.SessionStartParams{Params: wire.Params{SessionID: session}, Agent: "coder"})
}

// leaves lets a session begin, leave a todo and end.
func (f *face) leaves(session, todo string) {
	f.t.Helper()
	f.starts(session)
	of := wire.Params{SessionID: session}
	get[wire.MessageReceivedResult](f, "wm/message/received",
		&wire.MessageReceivedParams{Params: of, Role: wire.RoleUser, Text: "Fix the rounding of the totals"})
	get[wire.Empty](f, "wm/todos/changed",
		&wire.TodosChangedParams{Params: of, Todos: []wire.Todo{{Content: todo, Status: "pending"}}})
	get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: of})
}

func TestOnlyTheFirstContextOfAnAgentHasAHandover(t *testing.T) {
	f := newFace(t)
	f.starts("there already")
	f.leaves("old", "round half up")
	assert.Empty(t, f.handedTo("", wire.ContextParams{}), "an editor is given nothing")
	assert.Empty(t, f.handedTo("there already", wire.ContextParams{}), "it began before the other ended")
	f.starts("new")
	assert.Empty(t, f.handedTo("new", wire.ContextParams{Exclude: []string{"handover"}}))
	f.starts("newer")
	assert.Contains(t, f.handedTo("newer", wire.ContextParams{Preview: true}), "Todo: round half up")
	assert.Contains(t, f.handedTo("newer", wire.ContextParams{}), "Todo: round half up")
	assert.Empty(t, f.handedTo("newer", wire.ContextParams{}))
	assert.Empty(t, f.handedTo("newer", wire.ContextParams{Preview: true}))
	f.starts("newest")
	assert.Empty(t, f.handedTo("newest", wire.ContextParams{}), "it is taken")
}

func TestAHandoverNamesTheNotesOnceAndShowsNoMarks(t *testing.T) {
	f := newFace(t)
	f.starts("old")
	of := wire.Params{SessionID: "old"}
	for path, content := range map[string]string{
		"detail/tax.md": "# The tax\n",
		"overview.md": "# Shop\n\n## Task\nTotals are right\n\n" +
			"<!-- wm:index -->\n## Details\n- [The tax](detail/tax.md)\n<!-- /wm:index -->\n",
	} {
		get[wire.NotesWriteResult](f, "wm/notes/write",
			&wire.NotesWriteParams{Params: of, Path: path, Content: content})
	}
	f.leaves("old", "round half up")
	f.starts("new")
	handed := f.handedTo("new", wire.ContextParams{})
	assert.Contains(t, handed, "overview.md, detail/tax.md: # Shop  ## Task Totals are right\n")
	assert.NotContains(t, handed, "wm:index")
}

func TestWhatAnEndedAgentLeftStaysInThePanelUntilAnotherGoesOn(t *testing.T) {
	f := newFace(t)
	f.write("cart.go", "package cart")
	old := wire.Params{SessionID: "old", AgentID: "coder"}
	get[wire.CoreUpdateResult](f, "wm/core/update",
		&wire.CoreUpdateParams{Params: old, Block: wire.CoreGoal, Content: "Totals are right"})
	get[wire.NotesWriteResult](f, "wm/notes/write",
		&wire.NotesWriteParams{Params: old, Path: "detail/tax.md", Content: "# The tax\n"})
	get[wire.ToolExecutedResult](f, "wm/tool/executed", &wire.ToolExecutedParams{
		Params: old, Tool: "Edit", Input: json.RawMessage(`{"file_path": "cart.go"}`),
	})
	shown := func() (labels []string) {
		built := get[wire.PanelResult](f, "wm/panel",
			&wire.PanelParams{Sections: []string{"core", "notes", "files"}}).Panel
		for _, section := range built.Sections {
			for _, item := range section.Items {
				label := item.Label
				if section.ID == "files" {
					label += " · " + item.Detail
				}
				labels = append(labels, section.Title+" ("+section.Summary+"): "+label)
			}
		}
		return labels
	}
	assert.Equal(t, []string{
		"Files (1): cart.go · edit, 1x · coder", "Goal & progress (coder): goal: Totals are right",
		"Agent notes (1 · coder): The tax",
	}, shown())
	get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: wire.Params{SessionID: "old"}})
	left := []string{
		"Files (1): cart.go · edit, 1x · coder, ended just now",
		"Goal & progress (coder, ended just now): goal: Totals are right",
		"Agent notes (1 · coder, ended just now): The tax",
	}
	assert.Equal(t, left, shown())
	assert.Equal(t, "s", get[wire.SessionListResult](f, "wm/session/list", &wire.SessionListParams{}).Shown,
		"the next context is not that of the one that ended")
	f.starts("new")
	assert.Equal(t, left, shown(), "it has not got the handover yet")
	assert.Contains(t, f.handedTo("new", wire.ContextParams{}), "Totals are right")
	assert.Equal(t, []string{"Agent notes (1 · coder): Overview"}, shown(), "another goes on with it")
	get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: wire.Params{SessionID: "new"}})
	assert.Equal(t, left, shown(), "it did nothing")
}

func TestWhoEndsWithoutHavingDoneAnythingGivesAHandoverBack(t *testing.T) {
	says := func(role wire.Role) func(*face, wire.Params) {
		return func(f *face, of wire.Params) {
			get[wire.MessageReceivedResult](f, "wm/message/received",
				&wire.MessageReceivedParams{Params: of, Role: role, Text: "The totals are next"})
		}
	}
	for name, c := range map[string]struct {
		does  func(f *face, of wire.Params)
		taken bool
	}{
		"it did nothing":    {func(*face, wire.Params) {}, false},
		"it was asked":      {says(wire.RoleUser), false},
		"it said something": {says(wire.RoleAssistant), true},
		"it used a tool": {func(f *face, of wire.Params) {
			f.ran(wire.ToolExecutedParams{Params: of, Tool: "Bash"})
		}, true},
		"it wrote a note": {func(f *face, of wire.Params) {
			get[wire.NotesWriteResult](f, "wm/notes/write",
				&wire.NotesWriteParams{Params: of, Path: "detail/tax.md", Content: "# The tax"})
		}, true},
		"it wrote core memory": {func(f *face, of wire.Params) {
			get[wire.CoreUpdateResult](f, "wm/core/update",
				&wire.CoreUpdateParams{Params: of, Block: wire.CoreProgress, Content: "Totals are next"})
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			f.leaves("old", "round half up")
			f.starts("taker")
			assert.Contains(t, f.handedTo("taker", wire.ContextParams{}), "round half up")
			of := wire.Params{SessionID: "taker"}
			c.does(f, of)
			get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: of})
			f.starts("next")
			assert.Equal(t, c.taken, f.handedTo("next", wire.ContextParams{}) == "")
		})
	}
}

func TestTheRowOfAnEndedAgentSaysWhoGoesOnWithItsWork(t *testing.T) {
	f := newFace(t)
	of := wire.Params{SessionID: "old"}
	row := func() panel.Item { // without what it was asked for, at the end of its detail
		t.Helper()
		built := get[wire.PanelResult](f, "wm/panel", &wire.PanelParams{Sections: []string{"sessions"}}).Panel
		for _, item := range built.Sections[0].Items {
			if item.ID == "session:old" {
				var asked bool
				item.Detail, asked = strings.CutSuffix(item.Detail, " · Fix the rounding of the totals")
				assert.True(t, asked)
				return item
			}
		}
		require.Fail(t, "it is not listed")
		return panel.Item{}
	}
	offers := func(cancel bool) {
		t.Helper()
		get[wire.SessionContinueResult](f, "wm/session/continue",
			&wire.SessionContinueParams{Params: of, Cancel: cancel})
	}
	f.leaves("old", "round half up")
	const ended = "ended just now · 0/1 done"
	assert.Equal(t, ended, row().Detail)
	offers(false)
	const offered = ended + " · the next agent continues it"
	assert.Equal(t, offered, row().Detail)
	offers(true)
	assert.Equal(t, ended, row().Detail)
	offers(false)

	next := wire.Params{SessionID: "next"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: next, Agent: "helper"})
	assert.NotEmpty(t, f.handedTo("next", wire.ContextParams{}))
	assert.Equal(t, ended+" · given to helper", row().Detail)
	assert.Equal(t, "Continue", row().Actions[0].Title)
	assert.Contains(t, get[wire.PanelResolveResult](f, "wm/panel/resolve",
		&wire.PanelResolveParams{ID: "session:old"}).Markdown, "- **Given to:** [helper](wm:session:next)\n")

	get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: next})
	assert.Equal(t, offered, row().Detail, "it did nothing")
	assert.Equal(t, "Don't continue", row().Actions[0].Title)
	offers(true)
	assert.Equal(t, ended+" · given to helper", row().Detail, "nobody offers it any more")
}

func TestThePageOfASessionTellsWhatItWorkedOn(t *testing.T) {
	f := newFace(t)
	page := func() string {
		return get[wire.PanelResolveResult](f, "wm/panel/resolve",
			&wire.PanelResolveParams{ID: "session:old", Full: true}).Markdown
	}
	f.leaves("old", "round half up")
	assert.Contains(t, page(), "### Work\n\n- Asked last: Fix the rounding of the totals\n- Todo: round half up\n")
	f.starts("old")
	assert.Contains(t, page(), "- Todo: round half up\n", "it goes on")
}

func TestAResumedSessionIsTheOneThatIsToldWhatItLeft(t *testing.T) {
	f := newFace(t)
	f.leaves("old", "round half up")
	f.starts("old")
	told := f.handedTo("old", wire.ContextParams{})
	assert.Contains(t, told, "and goes on. Left, and not checked since:\n- Todo: round half up\n</session_handover>")
	assert.Empty(t, f.handedTo("old", wire.ContextParams{}))
}

func TestWithoutHoursOnlyWhatAPersonGivesIsHandedOver(t *testing.T) {
	f := newFace(t)
	f.service.Configure([]byte(`{"session": {"handoverHours": 0}}`))
	f.leaves("old", "round half up")
	f.starts("new")
	assert.Empty(t, f.handedTo("new", wire.ContextParams{}))
	given := get[wire.SessionContinueResult](f, "wm/session/continue",
		&wire.SessionContinueParams{Params: wire.Params{SessionID: "old"}})
	assert.True(t, given.Handover.Offered)
	f.starts("next")
	assert.Contains(t, f.handedTo("next", wire.ContextParams{}), "round half up")
}

func TestWhatIsTakenBackIsNotGiven(t *testing.T) {
	f := newFace(t)
	f.starts("old")
	_, err := f.call("wm/session/continue", &wire.SessionContinueParams{Params: wire.Params{SessionID: "old"}})
	assert.ErrorContains(t, err, "must be a session that has ended")
	_, err = f.call("wm/session/handover", &wire.SessionHandoverParams{Params: wire.Params{SessionID: "unknown"}})
	assert.True(t, fault.Has(err, fault.NotFound))
	assert.Nil(t, get[wire.SessionHandoverResult](f, "wm/session/handover",
		&wire.SessionHandoverParams{Params: wire.Params{SessionID: "old"}}).Handover)
	assert.Nil(t, get[wire.SessionHandoverResult](f, "wm/session/handover",
		&wire.SessionHandoverParams{}).Handover, "nothing has ended")
	get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: wire.Params{SessionID: "old"}})
	for _, cancel := range []bool{false, true} {
		result := get[wire.SessionContinueResult](f, "wm/session/continue",
			&wire.SessionContinueParams{Params: wire.Params{SessionID: "old"}, Cancel: cancel})
		require.Equal(t, !cancel, result.Handover.Offered)
	}
	f.starts("new")
	assert.Empty(t, f.handedTo("new", wire.ContextParams{}))
}

func TestThePanelIsPaintedAgainWhenAnAgeChanges(t *testing.T) {
	var n notifier
	n.init()
	f := newFace(t)
	f.leaves("old", "round half up")
	n.service = f.service
	for range 2 {
		n.age()
		assert.Equal(t, int64(1), n.current(), "an age that was not painted is told once")
	}
	for _, folder := range f.service.folders.all() {
		assert.Subset(t, n.pending[folder.workspace], map[string]bool{"sessions": true, "files": true, "core": true})
	}
}

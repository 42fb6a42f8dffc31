package tui

import (
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// answers is what the memory answers to the calls of a person, in the order in which they are made. An answer is
// an error, or nil.
type answers []error

// plays presses keys on a panel with rows that can be forgotten, before any of the calls is answered, then answers
// them one after the other, and returns the calls.
func (with answers) plays(t *testing.T, keys ...string) (*model, []string) {
	t.Helper()
	s := section("memory", "one", "two")
	for i, each := range s.Items {
		s.Items[i].Actions = []panel.Action{
			{Title: "Forget", Key: "d", Method: "wm/none", Undo: &panel.Action{Title: each.Label, Method: "wm/none"}},
			{Title: "Read", Key: "v", Method: "wm/none"},
		}
	}
	m := newScreen(60, 20, s)
	m.main.asked = true // the panel is not asked for in between
	var calls []tea.Cmd
	press := func(key rune) {
		if command := m.press(tea.KeyPressMsg{Code: key, Text: string(key)}); command != nil {
			calls = append(calls, command)
		}
	}
	for _, each := range keys {
		for _, key := range each {
			press(key)
		}
	}
	var made []string
	for len(calls) > 0 {
		require.Len(t, calls, 1, "one call is made at a time")
		var answered error
		if len(made) < len(with) {
			answered = with[len(made)]
		}
		var then tea.Cmd
		switch call := calls[0]().(type) {
		case doneMsg:
			made = append(made, call.offer.name())
			call.err, call.outcome = answered, outcome{undo: call.offer.Undo}
			then = m.update(call)
		case undoneMsg:
			made = append(made, "undo "+call.undo.action.Title)
			call.err = answered
			then = m.update(call)
		case tea.QuitMsg:
			made, m.turns = append(made, "leave"), nil
		default:
			require.Failf(t, "no call", "%T", call)
		}
		if calls = nil; then != nil {
			calls = append(calls, then)
		}
	}
	assert.Empty(t, m.turns)
	return m, made
}

func TestWhatIsAskedForIsDoneInItsTurn(t *testing.T) {
	refused := errors.New("it is locked")
	gone := fault.Missing("one", "there is none")
	one, two, read := "Forget “one”", "Forget “two”", "Read “two”"
	for name, each := range map[string]struct {
		keys    string
		answers answers
		calls   []string
		says    string
	}{
		"an undo waits for the action under way and takes that back": {
			keys: "jdjdu", calls: []string{one, two, "undo two"}, says: "undone: Forget “two”",
		},
		"two undos take back the last two, the last first": {
			keys: "jdjduu", calls: []string{one, two, "undo two", "undo one"}, says: "undone: Forget “one”",
		},
		"an undo takes back what was asked for before it, not after it": {
			keys: "jdujd", calls: []string{one, "undo one", two}, says: "Forget (u undoes it)",
		},
		"what has no undo is passed over": {
			keys: "jdjvu", calls: []string{one, read, "undo one"}, says: "undone: Forget “one”",
		},
		"an undo of what is refused takes nothing back": {
			keys: "jdjdu", answers: answers{nil, refused}, calls: []string{one, two},
			says: "Forget: it is locked",
		},
		"the undo after that takes back what was done before": {
			keys: "jdjduu", answers: answers{nil, refused}, calls: []string{one, two, "undo one"},
			says: "undone: Forget “one”",
		},
		"an undo that is refused is tried again": {
			keys: "jdjduu", answers: answers{nil, nil, refused}, calls: []string{one, two, "undo two", "undo two"},
			says: "undone: Forget “two”",
		},
		"an undo of what is gone makes room for the one before": {
			keys: "jdjduu", answers: answers{nil, nil, gone}, calls: []string{one, two, "undo two", "undo one"},
			says: "undone: Forget “one”",
		},
		"without anything done there is nothing to undo": {keys: "uu", says: "there is nothing to undo"},
		"the panel is left when all is done": {
			keys: "jdjduq", calls: []string{one, two, "undo two", "leave"}, says: "undone: Forget “two”",
		},
		"the panel isn't left before a refusal is read": {
			keys: "jdq", answers: answers{refused}, calls: []string{one}, says: "Forget: it is locked",
		},
		"two keys on one row are both for that row": {
			keys: "jdv", answers: answers{nil, gone}, calls: []string{one, "Read “one”"},
			says: "Read: there is none",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, calls := each.answers.plays(t, each.keys)
			assert.Equal(t, each.calls, calls)
			assert.Contains(t, m.seenText(), each.says)
		})
	}
}

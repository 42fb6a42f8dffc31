package sessions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

func TestAnEditorThatIsBackAndLeftNothingIsNotListedAsEnded(t *testing.T) {
	type told struct {
		session, agent, worktree string
		body                     any
	}
	first := func(body any) told { return told{"first", "editor", "/w", body} }
	opened, closed := first(event.SessionStarted{}), first(event.SessionEnded{})
	back := told{"second", "editor", "/w", event.SessionStarted{}}
	for name, test := range map[string]struct {
		happened []told
		reader   string
		listed   []string
	}{
		"it is back":                          {[]told{opened, closed, back}, "", []string{"second"}},
		"it is back and only reads the panel": {[]told{opened, closed}, "editor", nil},
		"another editor reads it":             {[]told{opened, closed}, "other editor", []string{"first"}},
		"it reads the panel and had been asked for something": {
			[]told{opened, first(event.MessageReceived{Role: "user", Text: "go on"}), closed},
			"editor", []string{"first"},
		},
		"it is back once more": {
			[]told{opened, closed, back, {"second", "editor", "/w", event.SessionEnded{}}}, "", []string{"second"},
		},
		"it is not back": {[]told{opened, closed}, "", []string{"first"}},
		"it was asked for something": {
			[]told{opened, first(event.MessageReceived{Role: "user", Text: "go on"}), closed, back},
			"", []string{"second", "first"},
		},
		"another one is there": {
			[]told{opened, closed, {"second", "agent", "/w", event.SessionStarted{}}}, "", []string{"second", "first"},
		},
		"it is in another folder now": {
			[]told{opened, closed, {"second", "editor", "/v", event.SessionStarted{}}}, "", []string{"second", "first"},
		},
		"it has no name": {
			[]told{
				{"first", "", "/w", event.SessionStarted{}}, {"first", "", "/w", event.SessionEnded{}},
				{"second", "", "/w", event.SessionStarted{}},
			}, "", []string{"second", "first"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := sessions.New(room.Env{})
			now := began
			for _, e := range test.happened {
				now = now.Add(time.Second)
				changes, err := r.Observe(
					event.Event{At: now, Session: e.session, Agent: e.agent, Worktree: e.worktree, Body: e.body},
				)
				require.NoError(t, err)
				for _, c := range changes {
					c.At = now
					_, err := r.Fold(c)
					require.NoError(t, err)
				}
			}
			about := func(string) []panel.About { return nil }
			var listed []string
			reader := panel.Reader{Now: now, Worktree: "/w", Client: test.reader, About: about}
			for _, item := range r.Panels()[0].Paint(reader).Items {
				listed = append(listed, item.ID)
			}
			var want []string
			for _, session := range test.listed {
				want = append(want, sessions.ItemOf(session))
			}
			assert.Equal(t, want, listed)
		})
	}
}

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

func TestAnEndedSessionWithoutATitleIsToldByWhatItWasAskedFor(t *testing.T) {
	const asked = "Fix the rounding of the totals in the cart,\nthen the tax"
	for name, test := range map[string]struct {
		title  string
		ended  bool
		label  string
		detail string
	}{
		"without a title": {"", true, "agent", "ended just now · Fix the rounding of the totals in the c…"},
		"with a title":    {"The cart", true, "The cart", "agent · ended just now"},
		"one that goes on": {
			"", false, "agent", "since " + began.Local().Format("15:04"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := sessions.New(room.Env{})
			bodies := []any{event.SessionStarted{Title: test.title}, event.MessageReceived{Role: "user", Text: asked}}
			if test.ended {
				bodies = append(bodies, event.SessionEnded{})
			}
			for _, body := range bodies {
				changes, err := r.Observe(
					event.Event{At: began, Session: "s", Agent: "agent", Worktree: "/w", Body: body},
				)
				require.NoError(t, err)
				for _, c := range changes {
					c.At = began
					_, err := r.Fold(c)
					require.NoError(t, err)
				}
			}
			about := func(string) []panel.About { return []panel.About{{Asked: asked}, {}} }
			items := r.Panels()[0].Paint(panel.Reader{Now: began, Worktree: "/w", About: about}).Items
			require.Len(t, items, 1)
			assert.Equal(t, test.label, items[0].Label)
			assert.Equal(t, test.detail, items[0].Detail)
		})
	}
}

package service

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// weatherRoom is a room with only a section of the panel.
type weatherRoom struct{}

func (weatherRoom) Name() string                                 { return "weather" }
func (weatherRoom) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (weatherRoom) Fold(change.Change) ([]change.Row, error)     { return nil, nil }
func (weatherRoom) Load([]change.Row) error                      { return nil }
func (weatherRoom) paint(panel.Reader) panel.Section {
	return panel.Section{Title: "Weather", Items: forecast()}
}
func (weatherRoom) markdown(_ panel.Reader, id string) (string, bool) {
	return "It rains.\n", id == "weather:rain"
}

func (w weatherRoom) Panels() []panel.Part {
	return []panel.Part{{Section: "weather", Paint: w.paint, Markdown: w.markdown}}
}

func forecast() []panel.Item {
	return []panel.Item{{
		ID: "weather:rain", Label: "rain", HasMarkdown: true, Children: []panel.Item{{ID: "weather:hail"}},
	}}
}

// climate has a limit, a memory of one session, and entries to review.
type climate struct{ weatherRoom }

func (climate) Panels() []panel.Part {
	return []panel.Part{{Section: "climate", Paint: weatherRoom{}.paint}}
}

func (climate) HasMemory(session string) bool { return session == "agent" }

func (climate) Unreviewed() int { return 2 }

func (climate) Budgets(session string) []panel.Gauge {
	return []panel.Gauge{{
		ID: "climate", Label: "Climate of " + session,
		Budget: panel.Budget{Used: 1, Max: 9, Unit: panel.BudgetEntries},
	}}
}

func TestARoomFromOutsidePaintsASection(t *testing.T) {
	r := panelReader{session: "editor", workspace: newDesk(t, weatherRoom{}).w}
	assert.Equal(t,
		[]string{
			"problems", "sessions", "errors", "memory", "skills", "files", "core", "working", "notes", "weather",
			"budget",
		},
		r.sectionIDs())

	sections := r.build(nil).Sections
	require.Len(t, sections, 11)
	shown, err := json.Marshal(sections[9])
	require.NoError(t, err)
	assert.JSONEq(t, `{"id": "weather", "title": "Weather", "show": "", "items": [
		{"id": "weather:rain", "kind": "", "icon": "", "label": "rain", "actions": [], "hasMarkdown": true,
			"children": [{"id": "weather:hail", "kind": "", "icon": "", "label": "", "actions": []}]}]}`, string(shown))

	only := r.build([]string{"weather"}).Sections
	require.Len(t, only, 1)
	assert.Equal(t, sections[9], only[0])

	text, there := r.markdown("weather:rain")
	assert.True(t, there)
	assert.Equal(t, "It rains.\n", text)
	_, there = r.markdown("weather:hail")
	assert.False(t, there)
}

func TestARoomFromOutsideIsCountedWithTheOthers(t *testing.T) {
	d := newDesk(t, climate{})
	for _, session := range []string{"agent", "editor", "another"} {
		d.tell(session, event.SessionStarted{Explicit: true})
	}
	r := panelReader{session: "editor", workspace: d.w}
	assert.Equal(t, "agent", r.shown(r.left()))
	built := r.build([]string{"budget"})
	assert.Equal(t, 2, built.Badge)
	require.Len(t, built.Sections[0].Items, 3)
	gauge := built.Sections[0].Items[2]
	assert.Equal(t, []string{"budget:climate", "Climate of agent", "1 of 9 entries"},
		[]string{gauge.ID, gauge.Label, gauge.Detail})
}

package panel_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	model "github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/panel"
)

// weather is a room that has nothing but a section.
type weather struct{}

func (weather) Name() string                                 { return "weather" }
func (weather) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (weather) Fold(change.Change) ([]change.Row, error)     { return nil, nil }
func (weather) Load([]change.Row) error                      { return nil }
func (weather) paint(model.Reader) model.Section {
	return model.Section{Title: "Weather", Items: forecast()}
}
func (weather) markdown(_ model.Reader, id string) (string, bool) {
	return "It rains.\n", id == "weather:rain"
}

func (w weather) Panels() []model.Part {
	return []model.Part{{Section: "weather", Paint: w.paint, Markdown: w.markdown}}
}

func forecast() []model.Item {
	return []model.Item{{
		ID: "weather:rain", Label: "rain", HasMarkdown: true, Children: []model.Item{{ID: "weather:hail"}},
	}}
}

// climate has a limit, a memory of one session, and something to look at.
type climate struct{ weather }

func (climate) Panels() []model.Part {
	return []model.Part{{Section: "climate", Paint: weather{}.paint}}
}

func (climate) HasMemory(session string) bool { return session == "agent" }

func (climate) Unreviewed() int { return 2 }

func (climate) Budgets(session string) []model.Gauge {
	return []model.Gauge{{
		ID: "climate", Label: "Climate of " + session,
		Budget: model.Budget{Used: 1, Max: 9, Unit: model.BudgetEntries},
	}}
}

func TestARoomFromOutsidePaintsASection(t *testing.T) {
	r := panel.Reader{Session: "editor", Workspace: newDesk(t, weather{}).w}
	assert.Equal(t,
		[]string{"memory", "errors", "files", "core", "working", "notes", "weather", "sessions", "budget"},
		panel.SectionIDs(r.Workspace))

	sections := panel.Build(r, nil).Sections
	require.Len(t, sections, 9)
	shown, err := json.Marshal(sections[6])
	require.NoError(t, err)
	assert.JSONEq(t, `{"id": "weather", "title": "Weather", "show": "", "items": [
		{"id": "weather:rain", "kind": "", "icon": "", "label": "rain", "actions": [], "hasMarkdown": true, "children": [
			{"id": "weather:hail", "kind": "", "icon": "", "label": "", "actions": []}]}]}`, string(shown))

	only := panel.Build(r, []string{"weather"}).Sections
	require.Len(t, only, 1)
	assert.Equal(t, sections[6], only[0])

	text, there := panel.Markdown(r, "weather:rain")
	assert.True(t, there)
	assert.Equal(t, "It rains.\n", text)
	_, there = panel.Markdown(r, "weather:hail")
	assert.False(t, there)
}

func TestARoomFromOutsideIsCountedWithTheOthers(t *testing.T) {
	d := newDesk(t, climate{})
	for _, session := range []string{"agent", "editor", "another"} {
		d.tell(session, event.SessionStarted{Explicit: true})
	}
	r := panel.Reader{Session: "editor", Workspace: d.w}
	assert.Equal(t, "agent", panel.Agent(r))
	built := panel.Build(r, []string{"budget"})
	assert.Equal(t, 2, built.Badge)
	require.Len(t, built.Sections[0].Items, 3)
	gauge := built.Sections[0].Items[2]
	assert.Equal(t, []string{"budget:climate", "Climate of agent", "1 of 9 entries"},
		[]string{gauge.ID, gauge.Label, gauge.Detail})
}

package service_test

import (
	"context"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// weather is a complete memory type: it stores the weather of places.
type weather struct{ places change.Table[string] }

func newWeather(room.Env) room.Room { return &weather{change.Table[string]{}} }

func (w *weather) Name() string                                 { return "weather" }
func (w *weather) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (w *weather) Load(rows []change.Row) error                 { return w.places.LoadAll(rows) }
func (w *weather) Fold(c change.Change) ([]change.Row, error) {
	var sky string
	if c.Kind != "weather.seen" || c.Decode(&sky) != nil {
		return nil, nil
	}
	return []change.Row{w.places.Put(c.Subject, sky)}, nil
}

func (w *weather) Nouns() []room.Noun {
	return []room.Noun{{Name: "weather", Panel: []string{"weather"}, Context: []string{"weather"}}}
}

func (w *weather) Sections(room.Reader) []render.Section {
	return []render.Section{{ID: "weather", MaxChars: 100, Render: func(int, render.DedupSet) render.Part {
		return render.Part{Text: strings.TrimSpace("Bern: " + w.places["Bern"])}
	}}}
}

func (w *weather) Panels() []panel.Part {
	return []panel.Part{{Section: "weather", Paint: func(panel.Reader) panel.Section {
		return panel.Section{Title: "Weather", Items: []panel.Item{{ID: "weather:Bern", Label: w.places["Bern"]}}}
	}}}
}

type weatherParams struct {
	wire.Params
	Place, Sky string
}

func seeWeather(ctx context.Context, at *service.View, p *weatherParams) (places int, err error) {
	_, err = at.Apply(ctx, at.Actor(), func() ([]change.Change, error) {
		return []change.Change{change.New("weather.seen", p.Place, p.Sky)}, nil
	})
	return len(memory.RoomOf[*weather](at.Workspace).places), err
}

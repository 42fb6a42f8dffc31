package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Pressure implements wm/pressure.
func (s *Service) Pressure(_ context.Context, at *View, _ *wire.PressureParams) (wire.Pressure, error) {
	if err := at.Sessions().NotDeleted(at.who.Session); err != nil {
		return wire.Pressure{}, err
	}
	return at.pressure(), nil
}

// pressure returns the pressure of the session. Before the first report it is that of
// an empty context.
func (v *View) pressure() wire.Pressure {
	p := v.used()
	if p.Limit == 0 {
		p.Limit, p.Unit = v.Settings().Pressure.CharLimit, string(wire.UnitChars)
	}
	return wirePressure(p, v.Settings())
}

func wirePressure(p pressure.Pressure, s *settings.Settings) wire.Pressure {
	result := wire.Pressure{
		Level: wire.PressureLevel(p.Level(s.Pressure)), Hint: wire.PressureHint(p.Hint(s.Compact)),
		Advice:     p.Hint(s.Compact).Advice(),
		Percentage: p.Percentage(), Used: p.Used, Limit: p.Limit,
		Unit: wire.PressureUnit(p.Unit), InterventionsSent: p.Interventions, LastChecked: wire.At(p.LastChecked),
		History: []wire.PressurePoint{},
	}
	for _, point := range p.History {
		result.History = append(result.History, wire.PressurePoint{At: wire.At(point.At), Percentage: point.Percentage})
	}
	return result
}

// window returns what the window of the agent holds that is given a context.
func (v *View) window(c *assembly.Context) (parts []wire.WindowPart) {
	p, told := v.used(), c.Chars
	if p.Unit == string(wire.UnitTokens) {
		told = c.Tokens
	}
	for _, part := range p.Window(told) {
		parts = append(parts, wire.WindowPart{ID: string(part.ID), Label: part.Label, Size: part.Size})
	}
	return parts
}

package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// UsageReported notes how full an agent's context is. When it becomes critical
// the client is told, once for each time (systems.md A11).
func (s *Service) UsageReported(ctx context.Context, at *View, params *wire.UsageReportedParams) (wire.Pressure, error) {
	usage, err := at.usage(params)
	if err != nil {
		return wire.Pressure{}, err
	}
	before := memory.RoomOf[*pressure.Room](at.Workspace).Of(at.who.Session)
	if _, err := at.Observe(ctx, at.event(usage)); err != nil {
		return wire.Pressure{}, err
	}
	now := memory.RoomOf[*pressure.Room](at.Workspace).Of(at.who.Session)
	bounds := at.Settings().Compact
	if now.Hint(bounds) == pressure.Emergency && (before.Hint(bounds) != pressure.Emergency || memory.ServiceOf[*history.Service](at.Workspace).FallbackDue(at.who.Session)) {
		s.fallBack(ctx, at)
	}
	if now.Interventions > before.Interventions {
		s.intervene(at, params.VisiblePrompt)
	}
	return at.pressure(), nil
}

// maxReported is the most that can be reported of anything.
const maxReported = 1_000_000_000

// usage reads a report: tokens where they are given, else characters.
func (v *View) usage(params *wire.UsageReportedParams) (event.UsageReported, error) {
	for field, value := range map[string]*int{
		"promptChars": params.PromptChars, "charLimit": params.CharLimit, "tokensUsed": params.TokensUsed, "tokensMax": params.TokensMax,
		"messagesInHistory": params.MessagesInHistory,
	} {
		if value != nil && (*value < 0 || *value > maxReported) {
			return event.UsageReported{}, fault.Invalid(field, "must be 0 to %d, got %d", maxReported, *value)
		}
	}
	messages := 0
	if params.MessagesInHistory != nil {
		messages = *params.MessagesInHistory
	}
	switch {
	case params.TokensUsed != nil:
		if params.TokensMax == nil || *params.TokensMax == 0 {
			return event.UsageReported{}, fault.Invalid("tokensMax", "is missing; say how many tokens the context can hold")
		}
		return event.UsageReported{Used: *params.TokensUsed, Limit: *params.TokensMax, Unit: string(wire.UnitTokens), Messages: messages}, nil
	case params.PromptChars != nil:
		limit := v.Settings().Pressure.CharLimit
		if params.CharLimit != nil && *params.CharLimit > 0 {
			limit = *params.CharLimit
		}
		return event.UsageReported{Used: *params.PromptChars, Limit: limit, Unit: string(wire.UnitChars), Messages: messages}, nil
	}
	return event.UsageReported{}, fault.Invalid("promptChars", "is missing; report promptChars, or tokensUsed with tokensMax")
}

// intervene tells the client that the context of a session is nearly full.
func (s *Service) intervene(at *View, visiblePrompt string) {
	if visiblePrompt == "" {
		visiblePrompt = s.ContextText(at)
	}
	s.options.Outbox.Intervene(wire.Intervention{
		SessionID: at.who.Session, Pressure: at.pressure(), VisiblePrompt: visiblePrompt,
	})
}

// Pressure does wm/pressure.
func (s *Service) Pressure(_ context.Context, at *View, _ *wire.PressureParams) (wire.Pressure, error) {
	if err := at.NotDeleted(at.who.Session); err != nil {
		return wire.Pressure{}, err
	}
	return at.pressure(), nil
}

// pressure is that of the session; before any report it is that of an empty
// context.
func (v *View) pressure() wire.Pressure {
	p := memory.RoomOf[*pressure.Room](v.Workspace).Of(v.who.Session)
	if p.Limit == 0 {
		p.Limit, p.Unit = v.Settings().Pressure.CharLimit, string(wire.UnitChars)
	}
	return wirePressure(p, v.Settings())
}

func wirePressure(p pressure.Pressure, s *settings.Settings) wire.Pressure {
	told := wire.Pressure{
		Level: wire.PressureLevel(p.Level(s.Pressure)), Hint: wire.PressureHint(p.Hint(s.Compact)), Advice: p.Hint(s.Compact).Advice(),
		Percentage: p.Percentage(), Used: p.Used, Limit: p.Limit,
		Unit: wire.PressureUnit(p.Unit), InterventionsSent: p.Interventions, LastChecked: wire.At(p.LastChecked), History: []wire.PressurePoint{},
	}
	for _, point := range p.History {
		told.History = append(told.History, wire.PressurePoint{At: wire.At(point.At), Percentage: point.Percentage})
	}
	return told
}

// pruneMode is how much of an output is left out at the pressure of the session
// (systems.md A8).
func (v *View) pruneMode() wire.PruneMode {
	switch memory.RoomOf[*pressure.Room](v.Workspace).Of(v.who.Session).Level(v.Settings().Pressure) {
	case pressure.Critical:
		return wire.PruneHyper
	case pressure.High:
		return wire.PruneAggressive
	}
	return wire.PruneNormal
}

package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// UsageReported implements wm/usage/reported. It notifies the client each time that the
// level becomes critical (systems.md A11).
func (s *Service) UsageReported(
	ctx context.Context, at *View, params *wire.UsageReportedParams,
) (wire.Pressure, error) {
	usage, err := at.usage(params)
	if err != nil {
		return wire.Pressure{}, err
	}
	before := at.used()
	if _, err := at.Observe(ctx, at.event(usage)); err != nil {
		return wire.Pressure{}, err
	}
	now := at.used()
	bounds := at.Settings().Compact
	if now.Hint(bounds) == pressure.Emergency &&
		(before.Hint(bounds) != pressure.Emergency || at.history().FallbackDue(at.who.Session)) {
		s.fallBack(ctx, at)
	}
	if now.Interventions > before.Interventions {
		s.intervene(at, params.VisiblePrompt)
	}
	return at.pressure(), nil
}

// maxReported is the maximum of every reported number.
const maxReported = 1_000_000_000

// usage returns the event of a report. Tokens take precedence over characters.
func (v *View) usage(params *wire.UsageReportedParams) (event.UsageReported, error) {
	for field, value := range map[string]*int{
		"promptChars": params.PromptChars, "charLimit": params.CharLimit, "tokensUsed": params.TokensUsed,
		"tokensMax": params.TokensMax, "systemTokens": params.SystemTokens, "toolsTokens": params.ToolsTokens,
		"historyTokens": params.HistoryTokens, "messagesInHistory": params.MessagesInHistory,
	} {
		if value != nil && (*value < 0 || *value > maxReported) {
			return event.UsageReported{}, fault.Invalid(field, "must be 0 to %d, got %d", maxReported, *value)
		}
	}
	known := func(number *int) int {
		if number == nil {
			return 0
		}
		return *number
	}
	messages := known(params.MessagesInHistory)
	switch {
	case params.TokensUsed != nil:
		if params.TokensMax == nil || *params.TokensMax == 0 {
			return event.UsageReported{}, fault.Invalid("tokensMax",
				"is missing; must be the size of the context in tokens")
		}
		return event.UsageReported{
			Used: *params.TokensUsed, Limit: *params.TokensMax, Unit: string(wire.UnitTokens), Messages: messages,
			Split: event.Split{
				System: known(params.SystemTokens), Tools: known(params.ToolsTokens),
				History: known(params.HistoryTokens),
			},
		}, nil
	case params.PromptChars != nil:
		limit := v.Settings().Pressure.CharLimit
		if params.CharLimit != nil && *params.CharLimit > 0 {
			limit = *params.CharLimit
		}
		return event.UsageReported{
			Used: *params.PromptChars, Limit: limit, Unit: string(wire.UnitChars), Messages: messages,
		}, nil
	}
	return event.UsageReported{}, fault.Invalid("promptChars",
		"is missing; send promptChars, or tokensUsed with tokensMax")
}

// intervene notifies the client that the context of a session is nearly full.
func (s *Service) intervene(at *View, visiblePrompt string) {
	if visiblePrompt == "" {
		visiblePrompt = s.ContextText(at)
	}
	s.options.Outbox.Intervene(wire.Intervention{
		SessionID: at.who.Session, Pressure: at.pressure(), VisiblePrompt: visiblePrompt,
	})
}

package service

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// defaultTrace is the default of TraceParams.Limit.
const defaultTrace = 100

// Trace implements wm/trace.
func (s *Service) Trace(ctx context.Context, at *View, params *wire.TraceParams) (wire.TraceResult, error) {
	result := wire.TraceResult{Events: []wire.TraceEvent{}}
	since, err := params.Since.At.Parse()
	if err != nil {
		return result, fault.Invalid("since", "must be a time such as 2026-03-01T09:30:00.000Z, got %q",
			params.Since.At)
	}
	if params.Limit < 0 {
		return result, fault.Invalid("limit", "must be 0 or more, got %d", params.Limit)
	}
	if at.NoWorkspace() != nil {
		return result, nil
	}
	filter := store.Filter{
		Subject: params.ID, Kinds: params.Kinds, After: params.Since.Seq, Since: since, Limit: params.Limit,
	}
	if filter.Limit == 0 {
		filter.Limit = defaultTrace
	}
	changes, err := at.Trace(ctx, filter)
	if err != nil {
		return result, err
	}
	read, err := memory.ServiceOf[*reads.Service](at.Workspace).Trace(ctx, filter)
	if err != nil {
		return result, err
	}
	changes = append(changes, read...)
	slices.SortStableFunc(changes, func(a, b change.Change) int { return cmp.Compare(a.Seq, b.Seq) })
	result.Events = traceEvents(changes[max(0, len(changes)-filter.Limit):])
	return result, nil
}

func traceEvents(changes []change.Change) []wire.TraceEvent {
	events := make([]wire.TraceEvent, 0, len(changes))
	for _, c := range changes {
		events = append(events, traceEvent(c))
	}
	return events
}

func traceEvent(c change.Change) wire.TraceEvent {
	return wire.TraceEvent{
		Seq: c.Seq, At: wire.At(c.At), Kind: string(c.Kind), Subject: c.Subject, SessionID: c.Session, By: c.By,
		Before: readable(c.Before), After: readable(c.After), Reason: c.Reason,
	}
}

// readable returns a payload. One that something else than this program changed, and that is not JSON, is a string.
func readable(payload json.RawMessage) json.RawMessage {
	if len(payload) == 0 || utf8.Valid(payload) && json.Valid(payload) {
		return payload
	}
	text, err := json.Marshal(string(payload))
	if err != nil { // strings can be encoded
		panic(err)
	}
	return text
}

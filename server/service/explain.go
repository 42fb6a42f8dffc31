package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// MemoryExplain implements wm/memory/explain.
func (s *Service) MemoryExplain(
	ctx context.Context, at *View, params *wire.MemoryExplainParams,
) (wire.MemoryExplainResult, error) {
	if params.ID == "" {
		return wire.MemoryExplainResult{}, fault.Invalid("id", "is missing; must be the id of an entry or an item")
	}
	explained, err := at.longterm().Explain(params.ID)
	if err != nil {
		item, there, itemErr := s.itemToExplain(ctx, at, params.ID)
		switch {
		case itemErr != nil:
			return wire.MemoryExplainResult{}, itemErr
		case there:
			return at.explainItem(ctx, item)
		}
		return wire.MemoryExplainResult{}, at.missing(ctx, params.ID, err)
	}
	changes, err := at.Trace(ctx, store.Filter{Subject: params.ID})
	if err != nil {
		return wire.MemoryExplainResult{}, err
	}
	return wire.MemoryExplainResult{
		Entry: memoryEntry(explained.Entry), Events: traceEvents(changes), Markdown: explained.Markdown(changes),
		Retention: wire.Retention{Rank: explained.Rank, Rendered: explained.Rendered, Reason: explained.Reason},
	}, nil
}

// itemToExplain returns the item with an id, also if it was removed.
func (s *Service) itemToExplain(ctx context.Context, at *View, id string) (item items.Item, there bool, err error) {
	if at.NoWorkspace() != nil {
		return item, false, nil
	}
	at.WritePending(ctx) // it may be of a tool that just ran
	s.Settle(ctx, at)
	return memory.ServiceOf[*items.Service](at.Workspace).Read(ctx, id)
}

// explainItem returns where an item comes from, why it is in its store, and how long it is recalled.
func (v *View) explainItem(ctx context.Context, item items.Item) (wire.MemoryExplainResult, error) {
	changes, err := v.Trace(ctx, store.Filter{Subject: item.ID})
	if err != nil {
		return wire.MemoryExplainResult{}, err
	}
	status, kept := statusOf(item), v.keptFor(item)
	switch {
	case status != longterm.StatusActive:
		kept = item.Ended
		if reason := reasonOf(changes, change.Kind(items.Noun+"."+item.Ended)); reason != "" {
			kept += ": " + reason
		}
	case item.IsOver(v.AgeNow()): // which is written when its store needs the room
		status, item.DeletedAt = longterm.StatusEvicted, item.Until()
	}
	entry := v.entryOf(item, status)
	times := []time.Time{item.At, item.MemorizedAt, item.ModifiedAt, item.DeletedAt}
	entry.UpdatedAt = wire.At(slices.MaxFunc(times, time.Time.Compare))
	if item.Session != "" {
		entry.Origin = &wire.Origin{SessionID: item.Session, Agent: item.Agent}
	}
	full := v.wireItem(item, v.AgeNow())
	markdown, err := v.itemMarkdown(ctx, item, kept, changes)
	return wire.MemoryExplainResult{
		Entry: entry, Item: &full, Events: traceEvents(changes), Retention: wire.Retention{Reason: kept},
		Markdown: markdown,
	}, err
}

// statusOf returns the status of an item as that of an entry. One whose time is over had to go as an evicted one had.
func statusOf(item items.Item) longterm.Status {
	switch change.Kind(items.Noun + "." + item.Ended) {
	case items.Removed:
		return longterm.StatusRemoved
	case items.Superseded:
		return longterm.StatusSuperseded
	case items.Evicted, items.Expired:
		return longterm.StatusEvicted
	}
	return longterm.StatusActive
}

// reasonOf returns the reason of the latest change of a kind, "" if it has none or the log no longer holds it.
func reasonOf(changes []change.Change, kind change.Kind) (reason string) {
	for _, c := range changes {
		if c.Kind == kind {
			reason = c.Reason
		}
	}
	return reason
}

// keptFor returns how long an item is recalled, in words.
func (v *View) keptFor(item items.Item) string {
	kept := "recalled"
	if ended := v.items().SessionEnd(&item); !ended.IsZero() {
		kept += " by its session only, since that ended at " + panel.Clock(ended)
	}
	if item.From.After(v.AgeNow()) {
		kept += " from " + panel.Clock(item.From) + " on"
	}
	switch until := item.Until(); {
	case item.IsOver(v.AgeNow()):
		kept = "no longer recalled since " + panel.Clock(until)
	case !until.IsZero():
		kept += " until " + panel.Clock(until)
	case item.Retention == "forever" && item.From.IsZero():
		kept += " for ever"
	}
	if item.Retention != "" {
		kept += "; retention " + item.Retention
	}
	if item.TTL > 0 {
		kept += fmt.Sprintf(", ttl %d s", item.TTL)
	}
	return kept
}

// itemMarkdown returns what is told of an item as Markdown.
func (v *View) itemMarkdown(
	ctx context.Context, item items.Item, kept string, changes []change.Change,
) (string, error) {
	clock := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return panel.Clock(at)
	}
	session := ""
	if item.Session != "" {
		session = v.sessionName(item.Session)
	}
	known, err := v.items().Known(ctx, []string{item.Episode})
	if err != nil {
		return "", err
	}
	episode := item.Episode
	if line := known[item.Episode].Line; line != "" {
		episode += ": " + line
	}
	version := ""
	if item.Version > 0 {
		version = fmt.Sprint(item.Version)
	}
	facts := []panel.Fact{
		{Name: "From", Value: item.Source}, {Name: "Agent", Value: item.Agent}, {Name: "Session", Value: session},
		{Name: "Task", Value: item.Task}, {Name: "Thread", Value: item.Thread}, {Name: "Episode", Value: episode},
		{Name: "Type", Value: panel.TypeName(item.Type)}, {Name: "Store", Value: item.Store},
		{Name: "Routed", Value: reasonOf(changes, items.Memorized)},
		{Name: "Importance", Value: fmt.Sprintf("%.2f", item.Importance), Markdown: true},
		{Name: "Novelty", Value: fmt.Sprintf("%.2f", item.Novelty), Markdown: true},
		{Name: "Happened", Value: clock(item.At)}, {Name: "Memorized", Value: clock(item.MemorizedAt)},
		{Name: "Recalled", Value: clock(item.AccessedAt)}, {Name: "Changed", Value: clock(item.ModifiedAt)},
		{Name: "Deleted", Value: clock(item.DeletedAt)}, {Name: "Kept", Value: kept},
		{Name: "Version", Value: version}, {Name: "Replaces or follows from", Value: strings.Join(item.Lineage, ", ")},
		{Name: "Redacted", Value: string(cmp.Or(item.Redaction, items.None))}, {Name: "Id", Value: item.ID},
	}
	return panel.WithFacts(panel.Literal(item.Text), facts...) + longterm.Happened(changes), nil
}

package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Memorize implements wm/memorize.
func (s *Service) Memorize(ctx context.Context, at *View, params *wire.MemorizeParams) (wire.MemorizeResult, error) {
	if err := at.NoWorkspace(); err != nil {
		return wire.MemorizeResult{}, err
	}
	if err := at.recording(); err != nil {
		return wire.MemorizeResult{}, err
	}
	drafts := make([]items.Draft, 0, len(params.Items))
	for i := range params.Items {
		draft, err := draftOf(i, &params.Items[i])
		if err != nil {
			return wire.MemorizeResult{}, err
		}
		if _, isEntry := at.longterm().Get(strings.ToUpper(draft.ID)); isEntry { // ULIDs have no case
			return wire.MemorizeResult{}, fault.Invalid(fmt.Sprintf("items[%d].id", i),
				"is the id of an entry of the workspace memory; leave it out and the server makes one")
		}
		drafts = append(drafts, draft)
	}
	outcomes, err := at.memorize(ctx, drafts)
	if err != nil {
		return wire.MemorizeResult{}, err
	}
	result := wire.MemorizeResult{Results: make([]wire.MemorizeReceipt, 0, len(outcomes))}
	for _, o := range outcomes {
		receipt := wire.MemorizeReceipt{
			ID: o.ID, Stores: []string{}, Status: wire.MemorizeStatus(o.Status), Reason: o.Reason, Evicted: o.Evicted,
		}
		if o.Store != "" {
			receipt.Stores = append(receipt.Stores, o.Store)
		}
		if receipt.Evicted == nil {
			receipt.Evicted = []string{}
		}
		result.Results = append(result.Results, receipt)
	}
	return result, nil
}

// memorize stores drafts, and returns what became of each.
func (v *View) memorize(ctx context.Context, drafts []items.Draft) ([]items.Outcome, error) {
	held := v.items()
	actor, now := v.Actor(), v.AgeNow()
	origin := items.Item{Session: actor.Session, Agent: actor.Agent, Task: v.task, At: now}
	if !actor.At.IsZero() && actor.At.Before(now) {
		origin.At = actor.At
	}
	var outcomes []items.Outcome
	var err error
	v.cores.While(len(drafts), func() {
		var batch *items.Batch
		if batch, err = held.Prepare(drafts, origin, v.memoryTypes(), v.mandates()); err != nil {
			return
		}
		_, err = v.ApplyReading(ctx, v.operated(), func(tables room.Querier) (changes []change.Change, err error) {
			changes, outcomes, err = v.items().Decide(ctx, tables, batch, now)
			return changes, err
		})
	})
	return outcomes, err
}

// item returns an item, also if it was removed.
func (v *View) item(ctx context.Context, id string) (item items.Item, there bool, err error) {
	return memory.ServiceOf[*items.Service](v.Workspace).Item(ctx, id)
}

func (v *View) items() *items.Room { return memory.RoomOf[*items.Room](v.Workspace) }

// memoryTypes returns the stores of items.
func (v *View) memoryTypes() *items.Registry { return items.RegistryOf(v.Rooms(), v.Settings().Items) }

// mandates returns the rules of the user that are always in force: the pinned entries of feedback.
func (v *View) mandates() []gating.Mandate {
	var mandates []gating.Mandate
	for _, entry := range v.longterm().List([]string{"feedback"}, false) {
		if entry.Pinned {
			mandates = append(mandates, gating.MandateOf(entry.Text))
		}
	}
	return mandates
}

// draftOf returns an item of a client. place is its place in the params.
func draftOf(place int, m *wire.MemoryItem) (items.Draft, error) {
	d := items.Draft{
		Item: items.Item{
			ID: m.ID, Store: m.Store, Type: m.Type, Text: m.Text, Content: m.Content, Metadata: m.Metadata,
			Agent: m.AgentID, Task: m.TaskID, Episode: m.EpisodeID, Thread: m.Thread, Source: m.Source, Tags: m.Tags,
			Retention: m.Retention, TTL: m.TTL, Embedding: m.Embedding, Terms: m.SparseTerms, Position: m.Position,
			Step: m.StepIndex, Parent: m.ParentID, Chunk: m.ChunkIndex, Lineage: m.LineageIDs,
		},
		Importance: m.Importance, Sum: m.Checksum,
	}
	if m.Novelty != nil || m.Recency != nil {
		d.Scores = map[string]float64{}
		if m.Novelty != nil {
			d.Scores["novelty"] = *m.Novelty
		}
		if m.Recency != nil {
			d.Scores["recency"] = *m.Recency
		}
	}
	var err error
	parse := func(field string, value wire.Time) time.Time {
		if value == "" {
			return time.Time{}
		}
		parsed, wrong := parseTime(fmt.Sprintf("items[%d].%s", place, field), value)
		err = errors.Join(err, wrong)
		return parsed
	}
	d.At = parse("timestamp", m.Timestamp)
	if m.Validity != nil {
		d.From, d.To = parse("validity.from", m.Validity.From), parse("validity.to", m.Validity.To)
	}
	return d, err
}

// memoryTypesStatus returns the memory types with their sizes.
func (v *View) memoryTypesStatus(ctx context.Context) []wire.MemoryType {
	list := []wire.MemoryType{}
	if v.NoWorkspace() != nil || !v.Healthy() {
		return list
	}
	held, tokens, err := v.items().Counts(ctx)
	if err != nil {
		return list
	}
	for _, store := range v.memoryTypes().Stores() {
		list = append(list, wire.MemoryType{
			Name: store.Name, AppendOnly: store.AppendOnly, Versioned: store.Versioned, Searchable: store.Searchable,
			Bounded: store.Max > 0, MaxItems: store.Max, PerSession: store.PerSession, Retention: store.Retention,
			Items: held[store.Name], Tokens: tokens[store.Name],
		})
	}
	return list
}

package service

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/skills"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

const (
	// charsPerToken estimates the tokens of limits in characters.
	charsPerToken = 4
	// contextTime is what assembling a context should take at most.
	contextTime = 10 * time.Millisecond
)

// Budget implements wm/budget (systems.md E7).
func (s *Service) Budget(ctx context.Context, at *View, _ *wire.BudgetParams) (wire.BudgetResult, error) {
	result := wire.BudgetResult{Sections: []wire.SectionBudget{}, MemoryTypes: at.memoryTypesStatus(ctx)}
	if err := at.Sessions().NotDeleted(at.who.Session); err != nil {
		return result, err
	}
	began := time.Now()
	uses := s.contexts.Compose(at.Workspace, assembly.Request{Reader: at.contextReader()}).Uses()
	result.Time = wire.TimeBudget{Used: time.Since(began).Microseconds(), Budget: contextTime.Microseconds()}
	for _, use := range uses {
		result.Sections = append(result.Sections, wire.SectionBudget(use))
		result.Tokens.Used += use.Tokens
		result.Tokens.Max += use.MaxChars / charsPerToken
	}
	result.Tokens.Remaining = max(0, result.Tokens.Max-result.Tokens.Used)
	result.Events = at.working().Events(at.who.Session)
	return result, nil
}

// maxExported is the maximum number of items of a store in the result of wm/commit.
const maxExported = 200

// Commit implements wm/commit (systems.md E6).
func (s *Service) Commit(ctx context.Context, at *View, params *wire.CommitParams) (wire.CommitResult, error) {
	if err := at.NoWorkspace(); err != nil {
		return wire.CommitResult{}, err
	}
	if err := at.recording(); err != nil {
		return wire.CommitResult{}, err
	}
	var closed items.Closed
	var added string
	now := at.AgeNow()
	_, err := at.ApplyReading(ctx, at.operated(), func(tables room.Querier) ([]change.Change, error) {
		changes, step, err := at.items().Commit(ctx, tables, at.who.Session, at.memoryTypes(), now)
		if err != nil {
			return nil, err
		}
		var progress []change.Change
		if added, progress, err = at.progress(params.Progress, &step); err != nil {
			return nil, err
		}
		closed = step
		return append(changes, progress...), nil
	})
	if err != nil {
		return wire.CommitResult{}, err
	}
	result := wire.CommitResult{
		Turn: closed.Turn, Writes: []wire.CommitWrites{}, Summarized: append([]string{}, closed.Summarized...),
		Exports: wire.CommitExports{
			Episodic: at.exported(closed.Items[gating.Episodic], now),
			Semantic: at.exported(closed.Items[gating.Semantic], now),
			Episodes: commitEpisodes(closed.Episodes),
			Goals: wire.CommitGoals{
				Goal:     at.core().Get(at.who.Session, "goal").Content,
				Progress: at.core().Get(at.who.Session, "progress").Content, Added: added,
			},
		},
	}
	if closed.Summary != nil {
		summary := at.wireItem(*closed.Summary, now)
		result.Summary = &summary
	}
	for _, store := range at.memoryTypes().Stores() {
		writes := wire.CommitWrites{Store: store.Name, Items: len(closed.Items[store.Name])}
		for _, item := range closed.Items[store.Name] {
			writes.Tokens += item.Tokens
		}
		if writes.Items > 0 {
			result.Writes = append(result.Writes, writes)
		}
	}
	result.Skills = s.learned(ctx, at)
	return result, nil
}

// learned looks for skills in what was done and returns those that are new or have a new version.
// The step is closed also if that fails.
func (s *Service) learned(ctx context.Context, at *View) []wire.Skill {
	learned := []wire.Skill{}
	changes, err := at.skills().Extract(ctx, at.Actor())
	if err != nil {
		s.log.Warn("look for skills", "error", err)
	}
	for _, c := range changes {
		if skill, there := at.skillsRoom().Get(c.Subject); there && c.Kind != skills.Proven && c.Kind != skills.Forgot {
			learned = append(learned, wireSkill(skill))
		}
	}
	return learned
}

// progress returns the line that a step adds to the block progress of the core memory, and the
// change. The oldest lines of steps make room for it; what the agent wrote stays. There is none
// without a goal or an outcome, or if it does not fit.
func (v *View) progress(given string, step *items.Closed) (added string, changes []change.Change, err error) {
	outcome := shorten.Line(given)
	if outcome == "" {
		outcome = step.Outcome()
	}
	block := v.core().Get(v.who.Session, "progress")
	if outcome == "" || v.core().Get(v.who.Session, "goal").Content == "" || block.AsWritten {
		return "", nil, nil
	}
	added = fmt.Sprintf("%s%d: %s", stepMark, step.Turn, outcome)
	lines := []string{}
	if block.Content != "" {
		lines = strings.Split(block.Content, "\n")
	}
	lines = append(lines, added)
	for utf8.RuneCountInString(strings.Join(lines, "\n")) > v.core().MaxChars("progress") {
		oldest := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, stepMark) })
		if oldest == len(lines)-1 {
			return "", nil, nil
		}
		lines = slices.Delete(lines, oldest, oldest+1)
	}
	changes, err = v.core().Update(v.who.Session, "progress", core.Replace, strings.Join(lines, "\n"), "")
	return added, changes, err
}

// stepMark begins the lines of the block progress that wm/commit writes (systems.md E14).
const stepMark = "Step "

// exported returns the newest items of a list.
func (v *View) exported(list []items.Item, now time.Time) []wire.MemoryItem {
	exported := []wire.MemoryItem{}
	for _, item := range list[max(0, len(list)-maxExported):] {
		exported = append(exported, v.wireItem(item, now))
	}
	return exported
}

func commitEpisodes(records []items.Record) []wire.CommitEpisode {
	episodes := make([]wire.CommitEpisode, 0, len(records))
	for _, e := range records {
		episodes = append(episodes, wire.CommitEpisode{
			ID: e.ID, Line: e.Line, BegunAt: wire.At(e.Begun), LastAt: wire.At(e.Last), EndedAt: wire.At(e.Ended),
			Ending: e.Ending, Threads: e.Threads, Items: e.Items, SummaryID: e.Told.Summary,
		})
	}
	return episodes
}

// wireItem returns a stored item as clients see it.
func (v *View) wireItem(i items.Item, now time.Time) wire.MemoryItem {
	recency := math.Round(1000*recall.Recency(i.At, now, v.Settings().Recall.Decay)) / 1000
	redaction := i.Redaction
	if redaction == "" {
		redaction = items.None
	}
	item := wire.MemoryItem{
		Text: i.Text, ID: i.ID, Type: i.Type, Store: i.Store, Content: i.Content, Timestamp: wire.At(i.At),
		AgentID: i.Agent, TaskID: i.Task, EpisodeID: i.Episode, Thread: i.Thread, Importance: &i.Importance,
		Novelty: &i.Novelty, Recency: &recency, Source: i.Source, Tags: i.Tags, Metadata: i.Metadata,
		Retention: i.Retention, TTL: i.TTL, TokensEstimate: i.Tokens, RedactionStatus: string(redaction),
		Checksum: items.ChecksumOf(i.Text, i.Content), Embedding: i.Embedding, SparseTerms: i.Terms,
		Position: i.Position, StepIndex: i.Step, ParentID: i.Parent, ChunkIndex: i.Chunk, Version: i.Version,
		LineageIDs: i.Lineage, AccessedAt: wire.At(i.AccessedAt), ModifiedAt: wire.At(i.ModifiedAt),
		DeletedAt: wire.At(i.DeletedAt),
	}
	if !i.From.IsZero() || !i.To.IsZero() {
		item.Validity = &wire.Validity{From: wire.At(i.From), To: wire.At(i.To)}
	}
	return item
}

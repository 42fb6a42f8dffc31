package service

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// defaultTrace is how many changes wm/trace gives when it is not told.
const defaultTrace = 100

// Trace does wm/trace.
func (s *Service) Trace(ctx context.Context, at *View, params *wire.TraceParams) (wire.TraceResult, error) {
	result := wire.TraceResult{Events: []wire.TraceEvent{}}
	since, err := params.Since.At.Parse()
	if err != nil {
		return result, fault.Invalid("since", "must be a time such as 2026-03-01T09:30:00.000Z, got %q", params.Since.At)
	}
	if params.Limit < 0 {
		return result, fault.Invalid("limit", "must be 0 or more, got %d", params.Limit)
	}
	if at.NoWorkspace() != nil {
		return result, nil
	}
	filter := store.Filter{Subject: params.ID, Kinds: params.Kinds, After: params.Since.Seq, Since: since, Limit: params.Limit}
	if filter.Limit == 0 {
		filter.Limit = defaultTrace
	}
	changes, err := at.Trace(ctx, filter)
	result.Events = traceEvents(changes)
	return result, err
}

// Pause does wm/pause.
func (s *Service) Pause(ctx context.Context, at *View, params *wire.PauseParams) (wire.PauseResult, error) {
	if params.Minutes < 0 {
		return wire.PauseResult{}, fault.Invalid("minutes", "must be 0 or more, got %d", params.Minutes)
	}
	until := time.Time{}
	if !params.Resume {
		minutes := params.Minutes
		if minutes == 0 {
			minutes = at.Settings().Recording.PauseMinutes
		}
		until = time.Now().Add(time.Duration(minutes) * time.Minute)
	}
	err := at.Pause(ctx, at.Actor(), until)
	return wire.PauseResult{PausedUntil: at.pausedUntil()}, err
}

func (v *View) pausedUntil() wire.Time {
	if !v.Paused() {
		return ""
	}
	return wire.At(v.Sessions().PausedUntil())
}

// Status does wm/status.
func (s *Service) Status(ctx context.Context, at *View, _ *wire.StatusParams) (wire.StatusResult, error) {
	result := wire.StatusResult{
		Version: s.options.Version, Retrieval: wire.RetrievalLexical, PausedUntil: at.pausedUntil(), Problems: []wire.StatusProblem{},
	}
	if reason := at.NoWorkspace(); reason != nil {
		result.Problems = append(result.Problems, wire.StatusProblem{
			Severity: wire.ProblemWarning, Message: reason.Error(), Fix: "Open the folder of a project.",
		})
	} else {
		result.Store = wire.StatusStore{Path: at.Dir(), Healthy: at.Healthy()}
		result.Workspace = wire.StatusWorkspace{Root: at.Root(), Key: at.Key(), ResolvedBy: wire.ResolvedBy(at.folder.place.ResolvedBy)}
		result.Sizes = s.sizes(ctx, at)
	}
	for _, known := range at.Sessions().List() {
		if known.Live() {
			result.Sessions++
		}
	}
	for _, p := range at.Problems() {
		result.Problems = append(result.Problems, wire.StatusProblem{Severity: wire.ProblemSeverity(p.Severity), Message: p.Message, Fix: p.Fix})
	}
	for _, sentence := range s.config.told(at.Root()) {
		result.Problems = append(result.Problems, wire.StatusProblem{
			Severity: wire.ProblemWarning, Message: sentence, Fix: "Correct the setting.",
		})
	}
	return result, nil
}

func (s *Service) sizes(ctx context.Context, at *View) wire.StatusSizes {
	sizes := wire.StatusSizes{
		Files: len(memory.RoomOf[*hot.Room](at.Workspace).Files(at.who.Session, at.worktree(), 0)), Errors: len(memory.RoomOf[*hot.Room](at.Workspace).Errors(at.who.Session, at.worktree())),
	}
	sizes.Entries, _ = memory.RoomOf[*longterm.Room](at.Workspace).Used()
	if info, err := os.Stat(filepath.Join(at.Dir(), store.DatabaseName)); err == nil {
		sizes.DatabaseBytes = info.Size()
	}
	sizes.Changes, _ = at.LogLength(ctx)
	return sizes
}

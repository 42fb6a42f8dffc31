package service

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Status implements wm/status.
func (s *Service) Status(ctx context.Context, at *View, _ *wire.StatusParams) (wire.StatusResult, error) {
	result := wire.StatusResult{
		Version: s.options.Version, Retrieval: wire.RetrievalLexical, PausedUntil: at.pausedUntil(),
		MemoryTypes: at.memoryTypesStatus(ctx), Problems: []wire.StatusProblem{},
	}
	if reason := at.NoWorkspace(); reason != nil {
		fix := "" // the reason says what to do
		if errors.Is(reason, ErrNothingKept) {
			fix = "Its memory is made when something is remembered."
		}
		result.Problems = append(result.Problems, wire.StatusProblem{
			Severity: wire.ProblemWarning, Message: reason.Error(), Fix: fix,
		})
	} else {
		result.Store = wire.StatusStore{Path: at.Dir(), Healthy: at.Healthy()}
		result.Workspace = wire.StatusWorkspace{
			Root: at.Root(), Key: at.Key(), ResolvedBy: wire.ResolvedBy(at.folder.place.ResolvedBy),
		}
		result.Sizes = s.sizes(ctx, at)
		if progress := memory.RoomOf[*index.Room](at.Workspace).Building(); progress != nil {
			result.Index = &wire.StatusIndex{Done: progress.Done, Total: progress.Total}
		}
		if at.Healthy() {
			result.Rating = at.rating(ctx)
		}
		if is, set := memory.ServiceOf[*index.Service](at.Workspace).Status(ctx); set {
			result.Embeddings = &wire.StatusEmbeddings{
				Model: is.Model, Dimensions: is.Dimension, Done: is.Done, Total: is.Total, Fallback: is.Fallback,
			}
			if is.Fallback == "" {
				result.Retrieval = wire.RetrievalHybrid
			}
		}
	}
	for _, known := range at.Sessions().List() {
		if known.Live() {
			result.Sessions++
		}
	}
	known := at.allProblems()
	known = append(known, at.leftEdit(known)...)
	if s.options.Brief { // or else it is imported within a second
		known = append(known, at.waitingEdit(ctx)...)
	}
	for _, p := range known {
		result.Problems = append(result.Problems,
			wire.StatusProblem{Severity: wire.ProblemSeverity(p.Severity), Message: p.Message, Fix: p.Fix})
	}
	if at.NoWorkspace() == nil && at.Healthy() {
		if err := files.Writable(at.Dir()); err != nil {
			result.Problems = append(result.Problems, wire.StatusProblem{
				Severity: wire.ProblemError, Message: "nothing is remembered: " + at.Dir() + " cannot be written (" +
					err.Error() + ")",
				Fix: "Check its permissions, and that the disk is not mounted to be read only.",
			})
		}
	}
	return result, nil
}

// waitingEdit returns the problem that a hand edit of the readable copy is not imported yet.
func (v *View) waitingEdit(ctx context.Context) []memory.Problem {
	if v.NoWorkspace() != nil || !v.Healthy() {
		return nil
	}
	switch waits, wrong := memory.ServiceOf[*longterm.Service](v.Workspace).Waiting(ctx); {
	case wrong != nil:
		return []memory.Problem{room.Warning(wrong.Error(),
			"Correct it in "+v.Dir()+": the next server of an editor or agent sets it aside as it is.")}
	case waits:
		return []memory.Problem{room.Warning(store.CopyName+" was edited by hand and is not taken over yet.",
			"The server of an editor or agent takes it over when it runs.")}
	}
	return nil
}

// leftEdit returns the problem that a hand edit of the readable copy was set aside, unless it is among those that are
// known: only the process that has set it aside knows why.
func (v *View) leftEdit(known []memory.Problem) []memory.Problem {
	if v.NoWorkspace() != nil {
		return nil
	}
	left, err := fs.Glob(os.DirFS(v.Dir()), store.AsideCopies)
	if err != nil || len(left) == 0 {
		return nil
	}
	latest := filepath.Join(v.Dir(), slices.Max(left)) // by the time in its name
	if slices.ContainsFunc(known, func(p memory.Problem) bool {
		return strings.Contains(p.Fix, latest)
	}) {
		return nil
	}
	return []memory.Problem{room.Warning(
		"A hand edit of "+store.CopyName+" was not taken over. It was kept as "+latest+".",
		"Put what is missing into the new "+store.CopyName+", then delete the file.")}
}

func (s *Service) sizes(ctx context.Context, at *View) wire.StatusSizes {
	sizes := wire.StatusSizes{
		Files:  len(at.hot().Files(at.who.Session, at.worktree(), 0)),
		Errors: len(at.hot().Errors(at.who.Session, at.worktree())),
	}
	sizes.Entries, _ = at.longterm().Used()
	sizes.DatabaseBytes = databaseBytes(at.Dir())
	sizes.Changes, _ = at.LogLength(ctx)
	return sizes
}

// databaseBytes returns the size of the database in the folder of a workspace, with its
// write-ahead log, which holds the latest changes and may be larger.
func databaseBytes(dir string) (size int64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(filepath.Join(dir, store.DatabaseName+suffix)); err == nil {
			size += info.Size()
		}
	}
	return size
}

package service

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// ErrorsList returns the open errors.
func (s *Service) ErrorsList(
	_ context.Context, at *View, params *wire.ErrorsListParams,
) (wire.ErrorsListResult, error) {
	result := wire.ErrorsListResult{Errors: []wire.OpenError{}}
	for _, e := range memory.RoomOf[*hot.Room](at.Workspace).Errors(at.who.Session, at.worktree()) {
		if len(params.Paths) == 0 ||
			slices.ContainsFunc(params.Paths, func(p string) bool { return within(e.Path, p) }) {
			result.Errors = append(result.Errors, at.openError(e))
		}
	}
	return result, nil
}

func within(file, folder string) bool {
	folder = strings.TrimPrefix(path.Clean(folder), "./")
	return folder == "." || file == folder || strings.HasPrefix(file, folder+"/")
}

func (v *View) openError(e hot.Error) wire.OpenError {
	open := wire.OpenError{
		Fingerprint: e.Fingerprint, Category: e.Category, Summary: e.Summary, Path: e.Path, Line: e.Line, Tool: e.Tool, Command: e.Command,
		Count: e.Count, FirstSeen: wire.At(e.FirstSeen), LastSeen: wire.At(e.LastSeen),
		Verified: e.Verified(), MaybeFixed: e.MaybeFixed, Masked: e.Masked, Sources: []wire.ErrorSource{},
	}
	for _, s := range e.Sources {
		open.Sources = append(open.Sources, wire.ErrorSource{
			Origin: wire.ErrorOrigin(s.Origin), SessionID: s.Session, Live: v.Sessions().Live(s.Session),
		})
	}
	return open
}

// openedAndClosed reads from the changes of an event which errors are open
// since, and which are not any more.
func (v *View) openedAndClosed(changes []change.Change) (opened []wire.OpenError, closed []string) {
	opened, closed = []wire.OpenError{}, []string{}
	told := map[string]bool{}
	for _, c := range changes {
		if c.Kind != hot.ErrorSeen && c.Kind != hot.ErrorClosed || told[c.Subject] {
			continue
		}
		e, open := memory.RoomOf[*hot.Room](v.Workspace).Open(v.worktree(), c.Subject)
		switch {
		case c.Kind == hot.ErrorSeen && open:
			opened = append(opened, v.openError(e))
		case c.Kind == hot.ErrorClosed && !open:
			closed = append(closed, c.Subject)
		default:
			continue
		}
		told[c.Subject] = true
	}
	return opened, closed
}

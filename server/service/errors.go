package service

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// ErrorsList implements wm/errors/list.
func (s *Service) ErrorsList(
	_ context.Context, at *View, params *wire.ErrorsListParams,
) (wire.ErrorsListResult, error) {
	result := wire.ErrorsListResult{Errors: []wire.OpenError{}}
	for _, e := range at.hot().Errors(at.who.Session, at.worktree()) {
		inPath := func(path string) bool { return within(e.Path, path) }
		if len(params.Paths) == 0 || slices.ContainsFunc(params.Paths, inPath) {
			result.Errors = append(result.Errors, at.openError(e))
		}
	}
	return result, nil
}

// within reports whether a file is a folder or lies in it. Paths are relative.
func within(file, folder string) bool {
	folder = strings.TrimPrefix(path.Clean(folder), "./")
	return folder == "." || file == folder || strings.HasPrefix(file, folder+"/")
}

func (v *View) openError(e hot.Error) wire.OpenError {
	open := wire.OpenError{
		Fingerprint: e.Fingerprint, Category: e.Category, Summary: e.Summary, Path: e.Path, Line: e.Line, Tool: e.Tool,
		Command: e.Command,
		Count:   e.Count, FirstSeen: wire.At(e.FirstSeen), LastSeen: wire.At(e.LastSeen),
		Verified: e.Verified(), MaybeFixed: e.MaybeFixed, Masked: e.Masked, Sources: []wire.ErrorSource{},
	}
	for _, s := range e.Sources {
		open.Sources = append(open.Sources, wire.ErrorSource{
			Origin: wire.ErrorOrigin(s.Origin), SessionID: s.Session, Live: v.Sessions().Live(s.Session),
		})
	}
	return open
}

// openedAndClosed returns the errors that changes have opened, and the fingerprints of
// those that they have closed.
func (v *View) openedAndClosed(changes []change.Change) (opened []wire.OpenError, closed []string) {
	opened, closed = []wire.OpenError{}, []string{}
	seen := map[string]bool{}
	for _, c := range changes {
		if c.Kind != hot.ErrorSeen && c.Kind != hot.ErrorClosed || seen[c.Subject] {
			continue
		}
		e, open := v.hot().Open(v.worktree(), c.Subject)
		switch {
		case hot.Opens(c) && open:
			opened = append(opened, v.openError(e))
		case c.Kind == hot.ErrorClosed && !open:
			closed = append(closed, c.Subject)
		default:
			continue
		}
		seen[c.Subject] = true
	}
	return opened, closed
}

package service

import (
	"maps"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/hot"
)

// A Publication is the errors of one file that an editor shows at their places.
type Publication struct {
	At   *View
	Path string // of the file, relative to the worktree
	// Marks are the errors, one after the other.
	Marks []Mark
}

// A Mark is an error at its place. It is comparable.
type Mark struct {
	Line     int // from 1, 0 if it is not known
	Severity int // as in wire.Diagnostic
	Code     string
	Message  string
}

// Published returns the errors that an editor shows as diagnostics, of all folders. An agent gets them in
// its context.
func (s *Service) Published() []Publication {
	var published []Publication
	if !s.person {
		return nil
	}
	for _, f := range s.folders.all() {
		at := s.ownView(f)
		if !at.Settings().Errors.Publish {
			continue
		}
		byPath := at.hot().Published(at.own, at.worktree())
		for _, path := range slices.Sorted(maps.Keys(byPath)) {
			publication := Publication{At: at, Path: path}
			for _, e := range byPath[path] {
				publication.Marks = append(publication.Marks, mark(e))
			}
			published = append(published, publication)
		}
	}
	return published
}

const (
	severityError   = 1
	severityWarning = 2
)

// mark returns an error as an editor shows it. What was not checked since an edit, or since its session
// ended, may be gone.
func mark(e hot.Error) Mark {
	m := Mark{Line: e.Line, Severity: severityError, Code: e.Category, Message: e.Summary}
	if e.MaybeFixed || !e.Verified() {
		m.Severity = severityWarning
		m.Message += " (not checked since " + e.LastSeen.Local().Format("2 Jan 15:04") + ")"
	}
	if e.Command != "" {
		m.Message += "\n" + e.Command
	}
	return m
}

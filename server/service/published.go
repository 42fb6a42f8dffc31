package service

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/regular"
)

// A Publication is what an editor shows at its places in one file.
type Publication struct {
	At   *View
	Path string // of the file, relative to the worktree, or absolute
	// Marks are what is wrong, one after the other.
	Marks []Mark
}

// A Mark is an error, or an invalid setting, at its place. It is comparable.
type Mark struct {
	Line     int // from 1, 0 if it is not known
	Severity int // as in wire.Diagnostic
	Code     string
	Message  string
}

// Published returns what an editor shows as diagnostics, of all folders: the errors of commands, and what is wrong in
// settings files. An agent gets the errors in its context.
func (s *Service) Published() (published []Publication) {
	if !s.person {
		return nil
	}
	places := map[string]int{} // in published, by the URI of the file
	add := func(at *View, path string, marks []Mark) {
		uri := at.FileURI(path)
		place, is := places[uri]
		if !is {
			place = len(published)
			places[uri], published = place, append(published, Publication{At: at, Path: path})
		}
		published[place].Marks = append(published[place].Marks, marks...)
	}
	for _, f := range s.folders.all() {
		at := s.ownView(f)
		if at.Settings().Errors.Publish {
			byPath := at.hot().Published(at.own, at.worktree())
			for _, path := range slices.Sorted(maps.Keys(byPath)) {
				var marks []Mark
				for _, e := range byPath[path] {
					marks = append(marks, mark(e))
				}
				add(at, path, marks)
			}
		}
		byPath := s.config.marksOf(at.Root(), at.Settings())
		for _, path := range slices.Sorted(maps.Keys(byPath)) {
			if _, told := places[at.FileURI(path)]; !told || path != s.options.UserFile { // every folder has it
				add(at, path, byPath[path])
			}
		}
	}
	return published
}

// Text returns the text of the file on the disk.
func (p Publication) Text() (string, error) {
	if !filepath.IsAbs(p.Path) {
		return p.At.ReadFile(p.Path)
	}
	text, err := regular.Follow(p.Path, int64(p.At.Settings().Files.MaxBytes))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", p.Path, err)
	}
	return string(text), nil
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

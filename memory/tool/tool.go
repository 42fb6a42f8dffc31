// Package tool interprets the tools of agents: what a tool does, the files in its
// input, and the output of a command that it ran.
package tool

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/fingerprint"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// A Kind is what a tool does. The kinds of tools for files have the names of the
// actions on files (systems.md B8).
type Kind string

// The kinds.
const (
	Edit  Kind = "edit"
	Write Kind = "write"
	Grep  Kind = "grep"
	Glob  Kind = "glob"
	Read  Kind = "read"
	Shell Kind = "shell"
	Other Kind = ""
)

// KindOf returns the kind of a tool by its name in the settings.
func KindOf(tools settings.Tools, name string) Kind {
	name = strings.ToLower(name)
	for _, known := range []struct {
		kind  Kind
		names []string
	}{
		{Edit, tools.Edit}, {Write, tools.Write}, {Grep, tools.Grep}, {Glob, tools.Glob}, {Read, tools.Read},
		{Shell, tools.Shell},
	} {
		if slices.Contains(known.names, name) {
			return known.kind
		}
	}
	return Other
}

// A Run is a command and its output. The output is parsed once, on first use.
type Run struct {
	Command  command.Command
	Output   command.Output
	failures func() []Failure
}

// A Failure is an error that a command reported, with its fingerprint (systems.md B11).
type Failure struct {
	command.Error
	Fingerprint string
}

// NewRun returns the run of a command line in a worktree. A relative or empty folder
// cwd is relative to the worktree.
func NewRun(line, cwd, worktree string, output command.Output, errors settings.Errors) *Run {
	switch {
	case cwd == "":
		cwd = worktree
	case !filepath.IsAbs(cwd):
		cwd = filepath.Join(worktree, cwd)
	}
	output.Cwd, output.Root = cwd, worktree
	run := &Run{Command: command.Parse(line), Output: output.Shared()}
	run.failures = sync.OnceValue(func() []Failure {
		var failures []Failure
		for _, e := range run.Command.Errors(run.Output, ownPatterns(errors)...) {
			failures = append(failures, Failure{e, Fingerprint(e.Category, e.Test, e.Summary, e.Path)})
		}
		return failures
	})
	return run
}

// Failures returns the errors that the command reported.
func (r *Run) Failures() []Failure { return r.failures() }

// Examined returns what a run that failed looked at, if its failures are all that it found
// there.
func (r *Run) Examined() []command.Success {
	errors := make([]command.Error, 0, len(r.Failures()))
	for _, f := range r.Failures() {
		errors = append(errors, f.Error)
	}
	return r.Command.Examined(r.Output, errors)
}

// Fingerprint returns the fingerprint of an error of a command. A test has one, whatever
// its message is. What a test runner reports of no test, such as code that it cannot compile, has that of the
// compiler and the language server that report it, too.
func Fingerprint(category command.Category, test, summary, path string) string {
	if category == command.Test && test == "" {
		category = command.Build
	}
	return fingerprint.Of(string(category), cmp.Or(test, summary), path)
}

// ownPatterns returns the patterns of the settings (systems.md B16).
func ownPatterns(errors settings.Errors) []command.ErrorPattern {
	own := make([]command.ErrorPattern, 0, len(errors.Patterns))
	for _, p := range errors.Patterns {
		own = append(own,
			command.ErrorPattern{Line: p.Pattern, Category: command.Category(p.Category), Programs: p.Command})
	}
	return own
}

package hot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
)

// maxSummary is the maximum length of the summary of an error, in characters.
const maxSummary = 300

const (
	severityError   = 1
	severityWarning = 2
)

// observeDiagnostics compares the diagnostics of a file with those that the session
// reported before (systems.md B10). A known diagnostic on the same line makes no change.
func (r *Room) observeDiagnostics(ev event.Event, body event.Diagnostics) []change.Change {
	now := r.seenNow(ev.Worktree, body)
	opened := maps.Clone(now)
	var changes, left []change.Change
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		if e.Worktree != ev.Worktree || e.Path != body.Path {
			continue
		}
		still, there := now[e.Fingerprint]
		if !there || !body.ClosesOnly {
			left = append(left, r.closeLeft(e, ev.Session)...)
		}
		source, mine := e.From(Diagnostic, ev.Session)
		if !mine {
			continue
		}
		delete(opened, e.Fingerprint)
		switch {
		case !there:
			changes = append(changes, r.fix(e, source, "no longer reported", "", ev.Session))
		case !body.ClosesOnly && (!source.Verified || still.Line != e.Line):
			changes = append(changes, still.change())
		}
	}
	if !body.ClosesOnly {
		changes = append(changes, r.open(ev.Worktree, opened, maxErrors-(len(now)-len(opened)))...)
	}
	return append(changes, left...) // last: an error with a source left keeps its count
}

// open returns the changes that open diagnostics, in the order of their lines: those of the first ones, at most most.
// Others would only take their places.
func (r *Room) open(worktree string, diagnostics map[string]seen, most int) []change.Change {
	opened := make([]seen, 0, len(diagnostics))
	for fingerprint, s := range diagnostics {
		// Another editor that has the file open, or had it until its end, reports the same once.
		s.Again = !r.errors[key(errorTable, worktree, fingerprint)].isFrom(Diagnostic)
		opened = append(opened, s)
	}
	slices.SortFunc(opened, func(a, b seen) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Summary, b.Summary))
	})
	opened = opened[:min(len(opened), max(most, 0))]
	changes := make([]change.Change, 0, len(opened))
	for _, s := range opened {
		changes = append(changes, s.change())
	}
	return changes
}

// closeLeft returns the changes that close what language servers of other sessions, which were over since,
// reported of an error, because it was checked in a session.
func (r *Room) closeLeft(e Error, session string) []change.Change {
	var changes []change.Change
	for _, s := range e.Sources {
		if s.Session != session && r.isLeft(s) {
			changes = append(changes, e.close(s, "checked in another session"))
		}
	}
	return changes
}

// seenNow returns the errors of a set by fingerprint. Of errors with the same
// fingerprint it returns the one on the first line.
func (r *Room) seenNow(worktree string, body event.Diagnostics) map[string]seen {
	options := r.env.Settings().Errors
	now := map[string]seen{}
	for _, item := range body.Items {
		severity := cmp.Or(item.Severity, severityError)
		if severity > severityWarning || severity == severityWarning && !options.Warnings {
			continue
		}
		s := seen{
			Worktree: worktree, Category: string(command.Typecheck), Summary: oneLine(item.Message),
			Path: body.Path, Line: item.Line, Tool: item.Source, Code: item.Code, Origin: Diagnostic,
		}
		if slices.Contains(options.Linters, strings.ToLower(item.Source)) {
			s.Category = string(command.Lint)
		}
		fingerprint := s.change().Subject
		if known, there := now[fingerprint]; !there || s.Line < known.Line {
			now[fingerprint] = s
		}
	}
	return now
}

// oneLine returns a string as one line of at most maxSummary characters.
func oneLine(text string) string { return shorten.Chars(shorten.Line(text), maxSummary) }

// firstLine returns the first line of a command: the others are mostly the text of a file that it writes, or a
// program that it runs.
func firstLine(line string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(line), "\n")
	if first = oneLine(first); strings.TrimSpace(rest) != "" {
		first += " …"
	}
	return first
}

// Package prune shortens the output of a tool before it enters a conversation. It
// folds repetitions with a count, keeps the beginning and the end of what is long,
// and keeps every error line with the lines around it (systems.md A8). All
// functions are pure.
package prune

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A Mode determines how much is left out. It follows the pressure on the context.
type Mode string

// The modes of systems.md A8.
const (
	Normal     Mode = "normal"     // under 85 % of the context
	Aggressive Mode = "aggressive" // 85 to 95 %
	Hyper      Mode = "hyper"      // 95 % and more
)

// A Rule limits the lines of a mode. systems.md A8 lists the default rules.
type Rule struct {
	// Threshold is the number of lines up to which an output is not shortened.
	Threshold int
	// Keep is the number of first lines and of last lines kept of a longer output.
	Keep int
}

// Options control what is pruned and how much.
type Options struct {
	Mode Mode
	Rule Rule
	// Prints is true for the output of a command that prints or searches files.
	// Such an output mentions errors, as source files do; only lines that report
	// one, as in a log, are error lines.
	Prints bool
	// Reads is true for the output of a tool or command that shows the content of a file. Its
	// beginning is kept as it is, so that it can be edited, and the lines that are left out
	// are named.
	Reads bool
	// Synthetic is true for output that the host made for the model. It is not
	// pruned.
	Synthetic bool
	// Always matches lines to keep, Never lines to remove if anything is left out.
	// Error lines are always kept, and Always takes precedence over Never
	// (systems.md A15).
	Always, Never []*pattern.Expression
}

// A Result is the result of pruning an output.
type Result struct {
	// Output is the pruned text without its note (see Noted), or the unchanged text.
	Output string
	// Pruned reports whether anything was left out.
	Pruned bool
	// Kinds are the kinds of the output.
	Kinds []Kind
	// LinesIn and LinesOut count lines, CharsIn and CharsOut code points. LinesOut
	// and CharsOut include the note.
	LinesIn, LinesOut, CharsIn, CharsOut int
}

// RefLength is the length of a reference, in hex digits.
const RefLength = 16

// note is the last line of every pruned output. It marks an output as pruned.
const note = "[pruned by wm-lsp: %d of %d lines; all: wm/output/read ref %s]"

var noted = once.Compile(`(?m)^\[pruned by wm-lsp: \d+ of \d+ lines; all: .* ref [0-9a-f]{16}\]$`)

// Noted returns the pruned output with a last line that says how much was left out
// and how to read it. ref is the reference of the full text, RefLength long.
func (r Result) Noted(ref string) string {
	if !r.Pruned {
		return r.Output
	}
	return strings.TrimPrefix(r.Output+"\n", "\n") + fmt.Sprintf(note, r.LinesOut-1, r.LinesIn, ref)
}

// Undone returns the result of leaving the text unpruned.
func (r Result) Undone(text string) Result {
	return Result{
		Output: text, Kinds: r.Kinds, LinesIn: r.LinesIn, LinesOut: r.LinesIn, CharsIn: r.CharsIn, CharsOut: r.CharsIn,
	}
}

// IsPruned reports whether a string has been pruned already.
func IsPruned(text string) bool {
	return strings.Contains(text, "[pruned by wm-lsp: ") && noted.MatchString(text)
}

// Prune shortens a string. It returns the text unchanged if it has been pruned
// already, if it is synthetic or short, or if the result would not be shorter.
func Prune(text string, options Options) Result {
	result := Result{Output: text, CharsIn: utf8.RuneCountInString(text), LinesIn: countLines(text)}
	result.LinesOut, result.CharsOut = result.LinesIn, result.CharsIn
	if options.Synthetic || IsPruned(text) {
		return result
	}
	p := newPage(text, options)
	result.Kinds = p.kinds()
	if len(p.lines) <= options.Rule.Threshold && !p.hasLongLine() {
		return result
	}
	var output string
	var lines int
	if options.Reads && !p.is(Log) && !p.is(StackTrace) {
		output, lines = p.beginning(text)
	} else {
		p.filter()
		p.fold()
		p.choose()
		output, lines = p.render()
	}
	added := fmt.Sprintf("\n"+note, lines, result.LinesIn, strings.Repeat("0", RefLength))
	chars := utf8.RuneCountInString(output) + len(added)
	if chars >= result.CharsIn {
		return result
	}
	result.Output, result.Pruned, result.LinesOut, result.CharsOut = output, true, lines+1, chars
	return result
}

// countLines counts the lines of a string. A line break at the end does not begin
// another line.
func countLines(text string) int {
	if text == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}

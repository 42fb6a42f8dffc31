// Package prune shortens the output of a tool before it enters a conversation:
// what repeats is folded with a count, of what is long the beginning and the end
// stay, and every error line stays with the lines around it (systems.md A8).
// Everything here is a pure function of its input.
package prune

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A Mode says how much is left out. It follows the pressure on the context.
type Mode string

// The modes of systems.md A8.
const (
	Normal     Mode = "normal"     // under 85 % of the context
	Aggressive Mode = "aggressive" // 85 to 95 %
	Hyper      Mode = "hyper"      // 95 % and more
)

// A Rule is the measure of a mode, in lines. Those of systems.md A8 are the
// defaults of the settings.
type Rule struct {
	// Threshold is the number of lines up to which an output stays whole.
	Threshold int
	// Keep is how many of the first and how many of the last lines stay of what
	// is longer.
	Keep int
}

// Options say what is pruned, and how much.
type Options struct {
	Mode Mode
	Rule Rule
	// Prints says that the output is that of a command that prints or searches
	// files. Such an output talks about errors, as a source file does; it has
	// error lines only where a log is printed.
	Prints bool
	// Synthetic says that the output was made by the host, for the model to read
	// as it is.
	Synthetic bool
	// Always finds lines that stay as they are, Never lines that do not where
	// anything is left out. Error lines stay, and Always is stronger than Never
	// (systems.md A15).
	Always, Never []*pattern.Expression
}

// A Result is what became of an output.
type Result struct {
	// Output is the pruned text without its note (see Noted), or the text as it
	// was.
	Output string
	// Pruned says whether anything was left out.
	Pruned bool
	// Kinds are what the output was recognised as.
	Kinds []Kind
	// LinesIn and LinesOut count lines, CharsIn and CharsOut code points. What goes
	// out counts with the note.
	LinesIn, LinesOut, CharsIn, CharsOut int
}

// RefLength is the length of a reference, in hex digits.
const RefLength = 16

// note is the last line of every pruned output, and the sign that it is one.
const note = "[pruned by wm-lsp: %d of %d lines; all: wm/output/read ref %s]"

var noted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\[pruned by wm-lsp: \d+ of \d+ lines; all: .* ref [0-9a-f]{16}\]$`)
})

// Noted returns the pruned output with the line that says what was left out and
// how to read it back. ref is the reference of the full text, RefLength long.
func (r Result) Noted(ref string) string {
	if !r.Pruned {
		return r.Output
	}
	return strings.TrimPrefix(r.Output+"\n", "\n") + fmt.Sprintf(note, r.LinesOut-1, r.LinesIn, ref)
}

// Undone is the result of not pruning the text after all.
func (r Result) Undone(text string) Result {
	return Result{
		Output: text, Kinds: r.Kinds, LinesIn: r.LinesIn, LinesOut: r.LinesIn, CharsIn: r.CharsIn, CharsOut: r.CharsIn,
	}
}

// IsPruned reports whether a text was pruned before.
func IsPruned(text string) bool {
	return strings.Contains(text, "[pruned by wm-lsp: ") && noted().MatchString(text)
}

// Prune shortens a text. It returns the text as it was where it was pruned
// before, where it is synthetic or short, and where the shorter text would not be shorter.
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
	p.obey()
	p.fold()
	p.choose()
	output, lines := p.render()
	chars := utf8.RuneCountInString(output) + len(fmt.Sprintf("\n"+note, lines, result.LinesIn,
		strings.Repeat("0", RefLength)))
	if chars >= result.CharsIn {
		return result
	}
	result.Output, result.Pruned, result.LinesOut, result.CharsOut = output, true, lines+1, chars
	return result
}

// countLines counts the lines of a text; a line break at the end begins none.
func countLines(text string) int {
	if text == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}

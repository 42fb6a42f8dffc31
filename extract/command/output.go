package command

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/terminal"
)

// MaxErrors is the most errors that Errors returns for one command.
const MaxErrors = 200

// MaxSummary is the length of a summary, in Unicode code points.
const MaxSummary = 300

// maxWidth is how much of a line is read, in bytes.
const maxWidth = 4 << 10

// Output is what a command printed and how it ended.
type Output struct {
	// Stdout is the output and the error text, joined.
	Stdout string
	// ExitCode is nil if it is unknown.
	ExitCode *int
	// Failed is true if the command failed, without saying with which code.
	Failed bool
	// Cwd is the absolute folder in which the command ran.
	Cwd string
	// Root is the absolute folder of the worktree.
	Root string

	// ready makes Stdout ready for reading; it is nil if that is not shared.
	ready func() *prepared
}

// Shared returns the output for several questions: its text is made ready for reading when
// it is needed, and once. Stdout must not be changed.
func (o Output) Shared() Output {
	o.ready = sync.OnceValue(func() *prepared { return prepare(o.Stdout) })
	return o
}

// succeeded reports whether the exit code is known to be 0.
func (o Output) succeeded() bool { return o.ExitCode != nil && *o.ExitCode == 0 }

func (o Output) failed() bool {
	return o.ExitCode != nil && *o.ExitCode != 0 || o.ExitCode == nil && o.Failed
}

// An Error is one failure that a command reported.
type Error struct {
	Category Category
	// Summary is one line of at most MaxSummary characters; that of a test
	// starts with the id of the test.
	Summary string
	// Path is relative to the worktree with '/', absolute outside it, or "".
	Path string
	// Line counts from 1; 0 if it is unknown.
	Line int
	// Tool is the common name of the tool that reported the error.
	Tool string
	// Test is the id of the failing test, "" for what is not a test.
	Test string
	// Unnamed is true if tests failed and the output does not say which. Test is then the
	// runner with its scope.
	Unnamed bool
	// Check is what else than tests a test runner reports the error of: Build if it is of the compiler that
	// it runs, Lint if it is of the linter.
	Check Category
	// Warning is true if a linter reports it as a warning.
	Warning bool
	// Masked is true if the exit code was 0: a test runner's own summary says
	// that tests failed, and a pipe hid its exit code.
	Masked bool
}

// Errors reads the failures from the output of a command that failed, at most
// MaxErrors, in the order of the output. Nothing is opened by exit code 0 (but
// see Error.Masked), by an unknown outcome, and by commands that only print,
// search or move files (systems.md B9). The own patterns find more in the output
// of a command that failed (systems.md B16); an error that two find is one.
func (c Command) Errors(out Output, own ...ErrorPattern) []Error {
	switch {
	case out.failed():
		return c.failures(out, own)
	case out.succeeded():
		return c.masked(out)
	}
	return nil
}

func (c Command) failures(out Output, own []ErrorPattern) []Error {
	steps := c.checks()
	if len(steps) == 0 {
		return nil
	}
	t := newTranscript(out, c.tools)
	errors, ours := read(t, steps), t.own(steps, own)
	if len(errors)+len(ours) == 0 {
		errors = c.unread(t)
	}
	return tidy(append(c.ofProject(t, errors), ours...))
}

// checks are the steps whose output can open errors.
func (c Command) checks() []Step {
	return slices.DeleteFunc(slices.Clone(c.Steps), func(s Step) bool { return s.quiet() || s.Background })
}

// masked reads the failures that a test runner reports behind a pipe.
func (c Command) masked(out Output) []Error {
	runners := slices.DeleteFunc(c.checks(), func(s Step) bool {
		return !s.Piped || s.Category != Test && !c.tools.of(s.Tool).reads.mayTest
	})
	if len(runners) == 0 || !c.pipesIntoFilters() {
		return nil
	}
	t := newTranscript(out, c.tools)
	summary := t.runnerFailure()
	if summary == "" {
		return nil
	}
	errors := slices.DeleteFunc(read(t, runners), func(e Error) bool { return e.Category != Test })
	if len(errors) == 0 {
		errors = []Error{runners[0].unnamed(summary)}
	}
	for i := range errors {
		errors[i].Masked = true
	}
	return tidy(errors)
}

// maxNamedScope is how many items of a scope name a failure.
const maxNamedScope = 3

// unnamed returns the error of a run whose output only says that tests failed.
func (s Step) unnamed(summary string) Error {
	id := strings.Join(append([]string{s.Tool}, s.Scope[:min(len(s.Scope), maxNamedScope)]...), " ")
	return Error{Category: Test, Tool: s.Tool, Summary: id + ": " + summary, Test: id, Unnamed: true}
}

// pipesIntoFilters reports whether the last step only passes on what it gets.
func (c Command) pipesIntoFilters() bool {
	return len(c.Steps) > 0 && c.Steps[len(c.Steps)-1].quiet()
}

// tidy cuts, cleans and deduplicates what the readers found.
func tidy(errors []Error) []Error {
	type key struct {
		path, summary string
		line          int
	}
	seen := map[key]bool{}
	var kept []Error
	for _, e := range errors {
		e.Summary = oneLine(e.Summary)
		k := key{e.Path, e.Summary, e.Line}
		if e.Summary == "" || seen[k] {
			continue
		}
		seen[k] = true
		if kept = append(kept, e); len(kept) == MaxErrors {
			break
		}
	}
	return kept
}

func oneLine(s string) string {
	s = shorten.Line(s)
	if utf8.RuneCountInString(s) <= MaxSummary {
		return s
	}
	runes := []rune(s)
	return strings.TrimSpace(string(runes[:MaxSummary-1])) + "…"
}

// A prepared is a string made ready for reading. It is not changed.
type prepared struct {
	// text has no ANSI sequences, carriage returns and broken characters.
	text  string
	pairs pairSet
	lines []string
}

// A transcript is an output that is being read.
type transcript struct {
	*prepared
	out   Output
	tools *registry
	// step is the step whose output is being read; known says that its tool has
	// readers of its own.
	step  Step
	known bool
}

func newTranscript(out Output, tools *registry) *transcript {
	if out.ready == nil {
		out = out.Shared()
	}
	return &transcript{prepared: out.ready(), out: out, tools: tools}
}

func prepare(output string) *prepared {
	text := clean(output)
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "(eval):") // of zsh, about the command line itself
	})
	for i, line := range lines {
		if len(line) > maxWidth {
			lines[i] = strings.ToValidUTF8(line[:maxWidth], "")
		}
	}
	if unprefixed(lines) {
		text = strings.Join(lines, "\n")
	}
	p := &prepared{text: text, lines: lines}
	p.pairs.add(text)
	return p
}

func clean(text string) string {
	text = Excerpt(text)
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	if strings.IndexByte(text, '\x1b') >= 0 || strings.Contains(text, "\u009b") {
		text = terminal.Strip(text)
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = carriageReturns.Get().Replace(text)
	}
	return text
}

// carriageReturns ends a line where a progress bar begins anew.
var carriageReturns = once.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("\r\r\n", "\n", "\r\n", "\n", "\r", "\n")
}}

// path returns the path of a file as the tool printed it, see locate.
func (t *transcript) path(name string) string {
	if name == "" || strings.HasPrefix(name, "<") {
		return ""
	}
	if scheme, rest, ok := strings.Cut(name, "file://"); ok && scheme == "" {
		name = rest
	}
	return locate(t.out.Root, t.out.Cwd, t.step.Dir, name)
}

// libraries are folders of a workspace that hold the code of others.
var libraries = []string{
	"node_modules/", "site-packages/", "dist-packages/", ".venv/", "venv/", ".tox/", "vendor/", "target/debug/",
}

// inside reports whether a file that a tool printed is part of the workspace
// and not of a library that lies in it.
func (t *transcript) inside(name string) bool {
	if name == "" || strings.HasPrefix(name, "<") || strings.HasPrefix(name, "node:") {
		return false
	}
	located := t.path(name)
	if isAbs(located) || strings.HasPrefix(located, "../") {
		return false
	}
	for _, library := range libraries {
		if strings.HasPrefix(located, library) || strings.Contains(located, "/"+library) {
			return false
		}
	}
	return true
}

// enough reports whether a reader has found all that can be shown, with room for
// what it found twice.
func enough(errors []Error) bool { return len(errors) >= 2*MaxErrors }

func (t *transcript) has(marks ...string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool {
		return t.pairs.mayHold(mark) && strings.Contains(t.text, mark)
	})
}

// A pairSet holds which pairs of neighbouring bytes a string has. It answers most
// questions for a mark without another look at the text.
type pairSet [1 << 16 / 64]uint64

func (p *pairSet) add(text string) {
	for i := 1; i < len(text); i++ {
		pair := uint16(text[i-1])<<8 | uint16(text[i])
		p[pair>>6] |= 1 << (pair & 63)
	}
}

func (p *pairSet) mayHold(mark string) bool {
	for i := 1; i < len(mark); i++ {
		pair := uint16(mark[i-1])<<8 | uint16(mark[i])
		if p[pair>>6]&(1<<(pair&63)) == 0 {
			return false
		}
	}
	return true
}

// error makes an error of the step that is being read.
func (t *transcript) error(category Category, tool, file string, line int, summary string) Error {
	e := Error{Category: category, Tool: tool, Summary: summary, Line: line}
	if file != "" {
		e.Path = t.path(file)
	}
	if e.Path == "" || e.Path == "." {
		e.Path, e.Line = "", 0
	}
	return e
}

// maxReasons is how many lines below a message are read.
const maxReasons = 10

// reasons returns the lines from one on that begin with an indentation, each behind a space: those of a message
// that goes on below its position.
func (t *transcript) reasons(from int, indentation string) string {
	text := ""
	for _, line := range t.lines[from:min(from+maxReasons, len(t.lines))] {
		if !strings.HasPrefix(line, indentation) || strings.TrimSpace(line) == "" {
			break
		}
		text += " " + strings.TrimSpace(line)
	}
	return text
}

// failing makes an error of a test.
func (t *transcript) failing(tool, id, file string, line int, message string) Error {
	summary := id
	if message = strings.TrimSpace(message); message != "" {
		summary += ": " + message
	}
	e := t.error(Test, tool, file, line, summary)
	e.Test = id
	return e
}

// position reads "file:line:column: message"; the column and the message may
// be missing. A drive letter belongs to the file.
func position(s string) (file string, line int, message string, ok bool) {
	start := 0
	if len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') {
		start = 2
	}
	for i := start; i < len(s); {
		colon := strings.IndexByte(s[i:], ':')
		if colon < 0 {
			return "", 0, "", false
		}
		i += colon
		if i == 0 || s[0] == ' ' || s[0] == '\t' {
			return "", 0, "", false
		}
		number, after := digits(s[i+1:])
		if number == 0 {
			i++
			continue
		}
		rest := s[i+1+after:]
		if strings.HasPrefix(rest, ":") {
			if _, n := digits(rest[1:]); n > 0 {
				rest = rest[1+n:]
			}
		}
		message = strings.TrimSpace(strings.TrimPrefix(rest, ":"))
		return s[:i], number, message, rest == "" || rest[0] == ':' || rest[0] == ' '
	}
	return "", 0, "", false
}

// digits reads a decimal number of up to nine digits and returns its length.
func digits(s string) (number, length int) {
	for length < len(s) && length < 9 && s[length] >= '0' && s[length] <= '9' {
		number = number*10 + int(s[length]-'0')
		length++
	}
	return number, length
}

// extension is the lower-case ending of a file name, with its dot.
func extension(name string) string { return strings.ToLower(path.Ext(name)) }

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

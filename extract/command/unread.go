package command

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	expression "github.com/wm-lsp/wm-lsp/extract/pattern"
)

// unread makes one error of a failure that no reader understood: what the
// program said last that looks like an error, or how it ended.
func (c Command) unread(t *transcript) []Error {
	step, sure := c.culprit()
	if step == nil || step.Opaque || t.endedFromOutside(*step) || t.neverRan() {
		return nil
	}
	t.step = *step
	if nothing := t.family().reads.nothing; nothing != nil && t.has(nothing...) {
		return nil
	}
	if idle := t.family().reads.idle; idle != 0 && t.code() == idle {
		return nil
	}
	line := t.lastErrorLine()
	if line == "" && !sure {
		return nil
	}
	category := Runtime
	if step.Category != "" {
		category = step.Category
	}
	if line != "" {
		return []Error{t.error(category, step.Tool, "", 0, line)}
	}
	return []Error{t.error(category, step.Tool, "", 0, c.ending(*step, t))}
}

// culprit is the step that failed, as far as the command line tells: of those
// that can decide the exit code, the last check. sure is false if a program that
// only prints may have failed instead.
func (c Command) culprit() (culprit *Step, sure bool) {
	sure = true
	for i := range c.Steps {
		step := &c.Steps[i]
		switch {
		case !step.Decides:
		case step.quiet():
			sure = false
		case step.Background:
		default:
			culprit = step
		}
	}
	return culprit, sure
}

// Exit codes that say how a program was ended.
const (
	timedOutCode = 124
	signalBase   = 128
	interrupt    = 2
	kill         = 9
	terminate    = 15
)

func (t *transcript) code() int {
	if t.out.ExitCode == nil {
		return -1
	}
	return *t.out.ExitCode
}

// endedFromOutside reports whether the caller stopped the program: a limit that
// the caller set, or an interrupt, says nothing about the workspace.
func (t *transcript) endedFromOutside(step Step) bool {
	switch t.code() {
	case timedOutCode:
		return step.Limited
	case signalBase + kill:
		return step.Limited
	case signalBase + interrupt, signalBase + terminate:
		return true
	}
	return false
}

// ending returns how the step ended if it printed nothing that helps.
func (c Command) ending(step Step, t *transcript) string {
	name := step.Tool
	if step.Script != "" && !strings.HasPrefix(step.Script, "inline:") && !strings.HasSuffix(name, step.Script) {
		name += " " + step.Script
	}
	code := t.code()
	switch {
	case code == -1 && t.out.ExitCode == nil:
		return name + ": failed"
	case code == 139 || code == -11:
		return name + ": segmentation fault"
	case code == 134 || code == -6:
		return name + ": aborted"
	case code == 137 || code == -9:
		return name + ": killed"
	}
	return fmt.Sprintf("%s: exit code %d", name, code)
}

// The words by which a line is judged.
var (
	failureWords = expression.SetOf(
		`error errors fatal exception failed fails failure failures cannot can't couldn't unable
		denied refused invalid undefined unexpected unknown missing traceback abort aborted panic crash crashed not`,
	)
	countedWords = expression.SetOf(`error errors failure failures failed problem problems warning warnings exceptions`)
	noneWords    = expression.SetOf(`0 no zero without`)
	calmWords    = expression.SetOf(`info debug trace note hint notice warn warning passed pass ok`)
)

// maxTail is how many lines from the end are searched for the error.
const maxTail = 60

// lastErrorLine is the last line that names an exception or begins with "error";
// failing that, the last that speaks of a failure.
func (t *transcript) lastErrorLine() string {
	weak := ""
	for _, line := range slices.Backward(t.lines[max(0, len(t.lines)-maxTail):]) {
		if len(line) > 1000 || strings.HasPrefix(line, "{") || t.byQuietProgram(line) {
			continue
		}
		if strong(line) && !calm(line) {
			return t.withNext(line)
		}
		if weak == "" && speaksOfFailure(line) {
			weak = t.withNext(line)
		}
	}
	return weak
}

// fillers are the dots between the name of a check and its result.
var fillers = lazy(`\.{5,}`)

// withNext returns a line, with the one below it if it only announces it by a colon.
func (t *transcript) withNext(line string) string {
	text := strings.TrimSpace(line)
	if at := fillers.FindStringIndex(text); at != nil {
		text = text[:at[0]] + ": " + text[at[1]:]
	}
	if !strings.HasSuffix(text, ":") {
		return text
	}
	at := slices.Index(t.lines, line)
	for _, next := range t.lines[at+1:] {
		if next = strings.TrimSpace(next); next != "" {
			return text + " " + next
		}
	}
	return text
}

// strong reports whether a line names an exception or calls itself an error:
// "pkg.SomeError: …", "[ERROR] …", "prog: fatal error: …", "✖ …".
func strong(line string) bool {
	text := strings.TrimSpace(line)
	for _, mark := range []string{"✖ ", "✗ ", "× ", "❌ "} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	head := text[:min(max(strings.IndexAny(text+" ", " :("), 0), len(text))]
	name := head[strings.LastIndexByte(head, '.')+1:]
	if (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) && name[0] <= 'Z' {
		return true
	}
	lower := strings.ToLower(strings.TrimPrefix(text[:min(len(text), 200)], "["))
	for _, word := range []string{"error", "fatal", "critical"} {
		rest, ok := strings.CutPrefix(lower, word)
		if ok && (rest == "" || strings.ContainsRune(":] \t", rune(rest[0]))) {
			return true
		}
	}
	program, rest, ok := strings.Cut(lower, ": ")
	return ok && !strings.Contains(program, " ") &&
		beginsWith(rest, []string{"error:", "fatal error:", "internal error:"})
}

// speaksOfFailure reports whether a line has a word for a failure, and does not
// say that there was none.
func speaksOfFailure(line string) bool {
	for _, word := range plainWordsOf(line) {
		if failureWords.Has(word) {
			return !calm(line)
		}
	}
	return false
}

// plainWordsOf cuts a line into words in lower case.
func plainWordsOf(line string) []string {
	return strings.FieldsFunc(strings.ToLower(line), func(r rune) bool {
		return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// calm reports whether a line says that all is well, or is a log below the level
// of an error: "0 errors", "no tests failed", "errors: 0", "12:01 INFO …".
func calm(line string) bool {
	if beginsWith(strings.TrimSpace(line), []string{"✓", "✔", "at "}) {
		return true
	}
	all := plainWordsOf(line)
	for i, word := range all {
		switch {
		case i < 9 && calmWords.Has(word) && !slices.ContainsFunc(all[:i], failureWords.Has):
			return true
		case !countedWords.Has(word):
		case i > 0 && noneWords.Has(all[i-1]), i > 1 && noneWords.Has(all[i-2]), i+1 < len(all) && all[i+1] == "0":
			return true
		}
	}
	return false
}

// byQuietProgram reports whether a program that only prints wrote the line, such
// as "cat: x: No such file or directory".
func (t *transcript) byQuietProgram(line string) bool {
	name, _, ok := strings.Cut(line, ": ")
	return ok && t.tools.quiet[t.tools.programName(name)]
}

var runnerFailures = []pattern{
	lazy(`^=+ ?(.*\b[1-9]\d* (?:failed|errors?)\b.* in [\d.]+.*?) ?=+$`),
	lazy(`^([1-9]\d* failed\b.* in [\d.]+s.*)$`),
	lazy(`^(FAILED \((?:failures|errors|unexpected successes)=\d+.*\))$`),
	lazy(`^(FAIL\t\S+.*)$`),
	lazy(`^(FAIL)$`),
	lazy(`^(--- FAIL: .*)$`),
	lazy(`^Tests: +(.*\b[1-9]\d* failed.*)$`),
	lazy(`^Test Suites: +([1-9]\d* failed.*)$`),
	lazy(`^ +(?:Tests|Test Files) +([1-9]\d* failed.*)$`),
	lazy(`^test result: (FAILED\. .*)$`),
	lazy(`^\s+([1-9]\d* failing)$`),
	lazy(`^# (fail [1-9]\d*)$`),
	lazy(`^ ([1-9]\d* fail)$`),
	lazy(`^ℹ (fail [1-9]\d*)$`),
	lazy(`^(?:\[ERROR\] )?(Tests run: \d+, Failures: \d+, Errors: \d+.*)$`),
	lazy(`^\{"Time":.*"Action":"(fail)".*\}$`),
}

// runnerFailure is a test runner's own statement that tests failed, "" if the
// output has none.
func (t *transcript) runnerFailure() string {
	for _, line := range slices.Backward(t.lines) {
		if !strings.Contains(line, "ail") && !strings.Contains(line, "FAIL") && !strings.Contains(line, "error") {
			continue
		}
		for _, pattern := range runnerFailures {
			match := pattern.FindStringSubmatch(line)
			if match != nil && !strings.Contains(match[1], "Failures: 0, Errors: 0") {
				return match[1]
			}
		}
	}
	return ""
}

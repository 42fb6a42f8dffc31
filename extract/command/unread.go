package command

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// unread makes one error of a failure that no reader understood: what the
// program said last that looks like an error, or how it ended.
func (c Command) unread(t *transcript) []Error {
	step, sure := c.culprit()
	if step == nil || step.Opaque || t.endedFromOutside(*step) || step.Tool == "pytest" && t.code() == 5 {
		return nil
	}
	t.step = *step
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

// ending says how the step ended, when it printed nothing that helps.
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

var (
	errorLine = regexp.MustCompile(`(?i)^\s*(?:\[?(?:error|fatal|critical|panic)\]?\b|[\w./-]+: (?:fatal |internal )?error\b|error:|err!|[✖✗×❌] |failed\b|failure\b|exception\b|abort)|(?i)\b(?:error|fatal|exception|failed|failure|cannot|can't|could not|couldn't|unable to|not found|no such|denied|refused|invalid|undefined|unexpected|unknown|missing|traceback)\b`)
	harmless  = regexp.MustCompile(`(?i)\b(?:0|no|zero|without) (?:\w+ )?(?:errors?|failures?|failed|problems?|warnings?)\b|\berrors?: 0\b|\bfailed: 0\b|^\s*(?:✓|✔|ok\b|PASS)|^\s*at |^\s*(?:warn(?:ing)?|info|debug|note|hint)\b`)
	strong    = regexp.MustCompile(`^(?:[\w.]+\.)?\w*(?:Error|Exception)\b.*|(?i)^\s*(?:\[?(?:error|fatal|critical)\]?[:\s]|[\w./-]+: (?:fatal |internal )?error:)`)
)

// maxTail is how many lines from the end are searched for the error.
const maxTail = 200

// lastErrorLine is the last line that names an exception or begins with "error";
// failing that, the last that speaks of a failure.
func (t *transcript) lastErrorLine() string {
	tail := t.lines[max(0, len(t.lines)-maxTail):]
	for _, pattern := range []*regexp.Regexp{strong, errorLine} {
		for _, line := range slices.Backward(tail) {
			if len(line) < 1000 && !strings.HasPrefix(line, "{") && pattern.MatchString(line) && !harmless.MatchString(line) && !t.byQuietProgram(line) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}

// byQuietProgram reports whether a program that only prints wrote the line, such
// as "cat: x: No such file or directory".
func (t *transcript) byQuietProgram(line string) bool {
	name, _, ok := strings.Cut(line, ": ")
	return ok && quietPrograms[programName(name)]
}

var runnerFailures = []*regexp.Regexp{
	regexp.MustCompile(`^=+ ?(.*\b[1-9]\d* (?:failed|errors?)\b.* in [\d.]+.*?) ?=+$`),
	regexp.MustCompile(`^([1-9]\d* failed\b.* in [\d.]+s.*)$`),
	regexp.MustCompile(`^(FAILED \((?:failures|errors|unexpected successes)=\d+.*\))$`),
	regexp.MustCompile(`^(FAIL\t\S+.*)$`),
	regexp.MustCompile(`^(FAIL)$`),
	regexp.MustCompile(`^(--- FAIL: .*)$`),
	regexp.MustCompile(`^Tests: +(.*\b[1-9]\d* failed.*)$`),
	regexp.MustCompile(`^Test Suites: +([1-9]\d* failed.*)$`),
	regexp.MustCompile(`^ +(?:Tests|Test Files) +([1-9]\d* failed.*)$`),
	regexp.MustCompile(`^test result: (FAILED\. .*)$`),
	regexp.MustCompile(`^\s+([1-9]\d* failing)$`),
	regexp.MustCompile(`^# (fail [1-9]\d*)$`),
	regexp.MustCompile(`^ℹ (fail [1-9]\d*)$`),
	regexp.MustCompile(`^(?:\[ERROR\] )?(Tests run: \d+, Failures: \d+, Errors: \d+.*)$`),
	regexp.MustCompile(`^\{"Time":.*"Action":"(fail)".*\}$`),
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

package command

import (
	"slices"
	"strconv"
	"strings"
)

// passes are the lines with which test runners, type checkers and linters end a run
// without a failure.
var passes = []pattern{
	lazy(`^=+ ?(?:.*, )?\d+ passed\b.* in [\d.]+.*$`),
	lazy(`^\d+ passed\b.* in [\d.]+s.*$`),
	lazy(`^OK(?: \([^)]*\))?$`),
	lazy(`^Tests: +(?:\d+ (?:skipped|todo), )*\d+ passed, \d+ total$`),
	lazy(`^ +Tests +\d+ passed(?: \|.*)? \(\d+\)$`),
	lazy(`^test result: ok\. .*$`),
	lazy(`^\s+\d+ passing\b.*$`),
	lazy(`^[#ℹ] fail 0$`),
	lazy(`^ 0 fail$`),
	lazy(`^(?:\[INFO\] )?BUILD SUCCESS(?:FUL in .*)?$`),
	lazy(`^0 issues\.$`),
	lazy(`^All checks passed!$`),
	lazy(`^Success: no issues found in \d+ source files?$`),
	lazy(`^0 errors, \d+ warnings, .*$`),
	lazy(`^Found 0 errors\..*$`),
	lazy(`^DONE \d+ tests(?:, \d+ skipped)? in .*$`),
}

// goPasses is the last line of go test, if all packages passed. A package that passed says
// nothing of those before it.
var goPasses = lazy(`^(?:ok  \t\S+.*|PASS)$`)

// passed reports whether the summary of a runner says that all is well, and no line says
// that something failed.
func (t *transcript) passed() bool {
	if t.runnerFailure() != "" || t.has("[build failed]", "[setup failed]") {
		return false
	}
	last := ""
	for _, line := range t.lines {
		if slices.ContainsFunc(passes, func(p pattern) bool { return p.MatchString(line) }) {
			return true
		}
		if strings.TrimSpace(line) != "" {
			last = line
		}
	}
	return goPasses.MatchString(last)
}

// failureCount is a number of failures in the summary of a runner.
var failureCount = lazy(
	`(\d+) (?:failed|failing|fail|errors?)\b|(?:failures=|errors=|Failures: |Errors: |^fail )(\d+)`,
)

// failuresIn returns how many failures the summary of a runner counts, and whether it counts
// them.
func failuresIn(summary string) (count int, counted bool) {
	for _, match := range failureCount.FindAllStringSubmatch(summary, -1) {
		n, err := strconv.Atoi(match[1] + match[2])
		count, counted = count+n, counted || err == nil
	}
	return count, counted
}

// stopping are the options with which a runner stops at the first failure.
var stopping = []string{
	"-x", "--exitfirst", "--maxfail", "-failfast", "--failfast", "-f", "--bail", "-b", "--fail-fast", "--pdb", "--sw",
	"--stepwise", "--lf", "--last-failed",
}

// totals are the lines with which linters and type checkers count all that they found.
var totals = []pattern{
	issueCount,
	lazy(`^Found (\d+) (?:errors?|diagnostics?)\b`),
	lazy(`✖ (\d+) problems?\b`),
}

// listsAll reports whether the output counts what a checker found, and that so much was read.
func (t *transcript) listsAll(errors []Error) bool {
	total, counted := 0, false
	for _, line := range t.lines {
		for _, p := range totals {
			if match := p.FindStringSubmatch(line); match != nil {
				n, err := strconv.Atoi(match[1])
				total, counted = total+n, counted || err == nil
			}
		}
	}
	return counted && total <= len(errors)
}

// Examined returns what a run that failed looked at, if errors are all that it found
// there: an error that an earlier run found there, and this one did not, is gone. There
// are none if the output is cut, if the run stopped early, or if a build failed before
// the tests. Of a task runner it is what the one tool looked at whose errors these are.
func (c Command) Examined(out Output, errors []Error) []Success {
	checks := c.checks()
	if len(checks) != 1 || len(errors) == 0 || len(errors) >= MaxErrors || checks[0].Opaque {
		return nil
	}
	step, tool := checks[0], errors[0].Tool
	runsTask := step.Tool != tool && c.tools.of(step.Tool).recognises.recipe != nil
	if step.Category == Runtime || slices.ContainsFunc(step.Args, stops) || step.Tool != tool && !runsTask ||
		slices.ContainsFunc(errors, func(e Error) bool { return e.Tool != tool }) {
		return nil
	}
	t := newTranscript(out, c.tools)
	if t.has("too many errors", "[build failed]", "[setup failed]", "Interrupted:", "aborting due to") {
		return nil
	}
	if step.Category == Test {
		if slices.ContainsFunc(errors, func(e Error) bool { return e.Test == "" || e.Unnamed }) {
			return nil
		}
		summary := t.runnerFailure()
		count, counted := failuresIn(summary)
		if counted && count != len(errors) || !counted && (step.Piped || summary == "") {
			return nil
		}
	} else if step.Piped || runsTask && !t.listsAll(errors) {
		return nil
	}
	looked := c.tools.run(step, out.Cwd, out.Root)
	isOfBuild := func(e Error) bool { return e.Category == Build }
	switch {
	case tool == golangciName && slices.ContainsFunc(errors, isOfBuild):
		looked.Only = &Limit{tool, Build} // the linters do not look at what does not compile
	case runsTask:
		looked.Only = &Limit{Tool: tool}
	}
	return []Success{looked}
}

func stops(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains(stopping, name)
}

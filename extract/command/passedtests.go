package command

import (
	"regexp"
	"strings"
)

// maxPasses is how many tests that passed are read from the output of a run.
const maxPasses = 100

var (
	goPass     = lazy(`^--- PASS: ([^/\s]+) \(`)
	pytestPass = lazy(`^(\S+\.py::\S+) PASSED\b`)
)

// limitTo makes the step one that ran only the tests which the output says to have passed,
// where it has no summary: "--- PASS: TestX (0.00s)" of go test -v, "a.py::test_x PASSED" of
// pytest -v. It returns false if there are none.
func (s *Step) limitTo(t *transcript) bool {
	switch s.Tool {
	case goTestName:
		if names := t.passes(goPass); len(names) > 0 {
			for i, name := range names {
				names[i] = regexp.QuoteMeta(name)
			}
			s.Filter = "^(?:" + strings.Join(names, "|") + ")$"
			return true
		}
	case pytestName:
		if ids := t.passes(pytestPass); len(ids) > 0 {
			s.Scope, s.Filter = ids, ""
			return true
		}
	}
	return false
}

// passes returns the tests on the lines that a pattern matches.
func (t *transcript) passes(p pattern) []string {
	var names []string
	for _, line := range t.lines {
		if !strings.Contains(line, "PASS") {
			continue
		}
		if m := p.FindStringSubmatch(line); m != nil && len(names) < maxPasses {
			names = append(names, m[1])
		}
	}
	return names
}

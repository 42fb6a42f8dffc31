package command

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	expression "github.com/wm-lsp/wm-lsp/extract/pattern"
)

// An ErrorPattern finds the errors of a tool that has no reader here (systems.md
// B16).
type ErrorPattern struct {
	// Line finds an error in one line: its group message is the summary, its groups
	// file and line are the place, where it has them.
	Line *expression.Expression
	// Category may be none of the constants.
	Category Category
	// Programs is a glob of the names of programs; "" means all.
	Programs string
}

// own reads the output with the patterns of the settings, each as what the first
// step printed that it is for.
func (t *transcript) own(steps []Step, patterns []ErrorPattern) []Error {
	var search expression.Search
	var errors []Error
	for _, p := range patterns {
		step, ok := p.step(steps)
		if !ok {
			continue
		}
		t.step = step
		for _, line := range t.lines {
			if enough(errors) {
				return errors
			}
			if match := search.Submatch(p.Line, line); match != nil {
				errors = append(errors, t.matched(p, match))
			}
		}
	}
	return errors
}

// step is the first that the pattern is for.
func (p ErrorPattern) step(steps []Step) (step Step, ok bool) {
	for _, step := range steps {
		if p.Programs == "" {
			return step, true
		}
		if ok, err := doublestar.Match(p.Programs, step.Program); err == nil && ok {
			return step, true
		}
	}
	return Step{}, false
}

func (t *transcript) matched(p ErrorPattern, match []string) Error {
	line, _ := digits(p.Line.Group(match, "line"))
	file, message := strings.TrimSpace(p.Line.Group(match, "file")), p.Line.Group(match, "message")
	return t.error(p.Category, t.step.Tool, file, line, message)
}

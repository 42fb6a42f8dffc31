package pattern

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// MaxExpression is the maximum length of an Expression in code points, MaxSteps
// the maximum number of its steps with repetitions expanded. Each step may be
// tried at every character, which takes about 16 ns.
const (
	MaxExpression = 500
	MaxSteps      = 1000
)

const (
	// maxWork bounds the steps times bytes of one Search: some thousand lines
	// with several expressions, two seconds at worst.
	maxWork = 100_000_000
	// maxLine is the part of a line that is searched, in bytes.
	maxLine = 4 << 10
)

// An Expression is a regular expression (RE2) from settings, which may be those
// of an untrusted repository. Its size is bounded, and it is used through a Search.
type Expression struct {
	re    *regexp.Regexp
	steps int
}

// NewExpression compiles an expression. The error message is a predicate, such as
// "must not be empty", to be put after the name of the expression.
func NewExpression(text string) (*Expression, error) {
	switch {
	case text == "":
		return nil, errors.New("must not be empty")
	case utf8.RuneCountInString(text) > MaxExpression:
		return nil, fmt.Errorf("must have at most %d characters, got %d", MaxExpression, utf8.RuneCountInString(text))
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, invalid(text, err)
	}
	e := &Expression{steps: steps(parsed)}
	if e.steps > MaxSteps {
		return nil, fmt.Errorf("must have at most %d steps with its repetitions expanded", MaxSteps)
	}
	if e.re, err = regexp.Compile(text); err != nil {
		return nil, invalid(text, err)
	}
	return e, nil
}

// invalid returns a one-line error that says why a string is not an expression.
func invalid(text string, err error) error {
	why := err.Error()
	if wrong, ok := errors.AsType[*syntax.Error](err); ok {
		why = wrong.Code.String() + " at " + short(wrong.Expr)
	}
	return fmt.Errorf("must be a regular expression, got %s: %s", short(text), why)
}

func short(text string) string {
	return strconv.Quote(shorten.Chars(text, 40))
}

// steps returns the approximate number of steps of an expression with its
// repetitions expanded. The parser bounds nested repetitions.
func steps(expression *syntax.Regexp) int {
	count := 1
	for _, sub := range expression.Sub {
		count += steps(sub)
	}
	switch expression.Op {
	case syntax.OpLiteral:
		return len(expression.Rune)
	case syntax.OpRepeat:
		return (count - 1) * max(1, expression.Min, expression.Max)
	}
	return count
}

// String returns the expression as it was written.
func (e *Expression) String() string { return e.re.String() }

// Has reports whether the expression has a group with the name.
func (e *Expression) Has(group string) bool { return e.re.SubexpIndex(group) >= 0 }

// Group returns what a group matched, "" if there is no such group.
func (e *Expression) Group(match []string, name string) string {
	if i := e.re.SubexpIndex(name); i >= 0 {
		return match[i]
	}
	return ""
}

// A Search matches expressions against the lines of one string. Its work is
// bounded: once the bound is reached, which only an expression that is made to be
// slow does, nothing matches any more.
type Search struct{ work int }

// Submatch returns the leftmost match in a line and its groups by number, or nil
// if there is none.
func (s *Search) Submatch(e *Expression, line string) []string {
	if line = line[:min(len(line), maxLine)]; !s.may(e, line) {
		return nil
	}
	return e.re.FindStringSubmatch(line)
}

// Find returns the first group of the leftmost match in a line, or the whole match
// if the expression has no group. It returns "" if nothing matches.
func (s *Search) Find(e *Expression, line string) string {
	match := s.Submatch(e, line)
	if match == nil {
		return ""
	}
	return match[min(1, len(match)-1)]
}

// Match reports whether any of the expressions matches a line.
func (s *Search) Match(expressions []*Expression, line string) bool {
	line = line[:min(len(line), maxLine)]
	for _, e := range expressions {
		if s.may(e, line) && e.re.MatchString(line) {
			return true
		}
	}
	return false
}

func (s *Search) may(e *Expression, line string) bool {
	s.work += e.steps * (len(line) + 1)
	return s.work <= maxWork
}

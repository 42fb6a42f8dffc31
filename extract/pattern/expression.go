package pattern

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"unicode/utf8"
)

// MaxExpression is the length of an Expression in code points, MaxSteps how many
// steps it has with its repetitions written out. Each step may be tried at every
// character, for about 16 ns.
const (
	MaxExpression = 500
	MaxSteps      = 1000
)

const (
	// maxWork is how many steps at bytes one Search tries. It is some thousand
	// lines with several expressions, and takes two seconds at worst.
	maxWork = 100_000_000
	// maxLine is how much of a line is searched, in bytes.
	maxLine = 4 << 10
)

// An Expression is a regular expression (RE2) that comes from settings, where a
// repository may have written it: it is bounded, and used through a Search.
type Expression struct {
	re    *regexp.Regexp
	steps int
}

// NewExpression compiles an expression. The error goes on where a sentence says
// which expression it is.
func NewExpression(text string) (*Expression, error) {
	switch {
	case text == "":
		return nil, errors.New("is empty")
	case utf8.RuneCountInString(text) > MaxExpression:
		return nil, fmt.Errorf("has more than %d characters", MaxExpression)
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, none(text, err)
	}
	e := &Expression{steps: steps(parsed)}
	if e.steps > MaxSteps {
		return nil, fmt.Errorf("has more than %d steps, counting its repetitions", MaxSteps)
	}
	if e.re, err = regexp.Compile(text); err != nil {
		return nil, none(text, err)
	}
	return e, nil
}

// none says why a text is no expression, on one line and in few words.
func none(text string, err error) error {
	why := err.Error()
	if wrong, ok := errors.AsType[*syntax.Error](err); ok {
		why = wrong.Code.String() + " at " + short(wrong.Expr)
	}
	return fmt.Errorf("is %s, no regular expression: %s", short(text), why)
}

func short(text string) string {
	if utf8.RuneCountInString(text) > 40 {
		text = string([]rune(text)[:40]) + "…"
	}
	return strconv.Quote(text)
}

// steps is about how many steps an expression has once its repetitions are
// written out. The parser bounds what repetitions in repetitions come to.
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

// Has reports whether the expression has a group of the name.
func (e *Expression) Has(group string) bool { return e.re.SubexpIndex(group) >= 0 }

// Group returns what a group matched, "" if there is no such group.
func (e *Expression) Group(match []string, name string) string {
	if i := e.re.SubexpIndex(name); i >= 0 {
		return match[i]
	}
	return ""
}

// A Search looks for expressions in the lines of one text. It does only so much
// work: an expression that is made to be slow finds nothing more after it.
type Search struct{ work int }

// Submatch returns the leftmost match in a line and its groups, by number; nil if
// there is none.
func (s *Search) Submatch(e *Expression, line string) []string {
	if line = line[:min(len(line), maxLine)]; !s.may(e, line) {
		return nil
	}
	return e.re.FindStringSubmatch(line)
}

// Find returns what an expression is after in a line: its first group, or all that
// it matches where it has none. It is "" where nothing is found.
func (s *Search) Find(e *Expression, line string) string {
	match := s.Submatch(e, line)
	if match == nil {
		return ""
	}
	return match[min(1, len(match)-1)]
}

// Match reports whether any of the expressions matches in a line.
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

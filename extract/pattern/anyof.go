package pattern

import (
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// An AnyOf is alternatives of which most strings match none. An alternative is tried, and
// compiled, only on strings that contain one of the words without which it cannot match;
// these are derived from its expression.
type AnyOf struct {
	expressions []string
	once        sync.Once
	all         []*alternative // made at the first use
}

type alternative struct {
	Pattern
	once  sync.Once
	words []string
}

// Any returns the alternatives. An invalid one panics on first use.
func Any(expressions ...string) *AnyOf { return &AnyOf{expressions: expressions} }

func (a *AnyOf) alternatives() []*alternative {
	a.once.Do(func() {
		for _, e := range a.expressions {
			a.all = append(a.all, &alternative{Pattern: Pattern{parts: []string{e}}})
		}
	})
	return a.all
}

// Match reports whether one of the alternatives matches anywhere in the text.
func (a *AnyOf) Match(text string) bool {
	lower := strings.ToLower(text)
	for _, each := range a.alternatives() {
		if words := each.required(); (words == nil || Holds(lower, words)) && each.Pattern.Match(text) {
			return true
		}
	}
	return false
}

func (a *alternative) required() []string {
	a.once.Do(func() {
		parsed, err := syntax.Parse(`(?i)`+numbered(a.String()), syntax.Perl)
		if err == nil { // else Match panics
			a.words = literals(parsed)
		}
	})
	return a.words
}

const (
	// maxLiterals bounds the words of an alternative; more are not cheaper than the match.
	maxLiterals = 200
	// minLiteral is the length of the shortest useful word, in bytes.
	minLiteral = 2
)

// literals returns strings in lower case of which every match contains one, nil if there
// are none to rely on.
func literals(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 {
			text = strings.Map(unicode.ToLower, text)
		}
		if len(text) < minLiteral || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsUpper(r) }) {
			return nil
		}
		return []string{text}
	case syntax.OpCapture, syntax.OpPlus:
		return literals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literals(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			found := literals(sub)
			if found == nil || len(all)+len(found) > maxLiterals {
				return nil
			}
			all = append(all, found...)
		}
		return all
	case syntax.OpConcat:
		return ofConcat(re.Sub)
	}
	return nil
}

// ofConcat returns the literals of the part that rules out most strings: the one whose
// shortest literal is the longest. Neighbouring parts without a choice are one literal.
func ofConcat(parts []*syntax.Regexp) []string {
	var best []string
	for _, part := range parts {
		if found := literals(part); found != nil && shortest(found) > shortest(best) {
			best = found
		}
	}
	return best
}

func shortest(all []string) int {
	if len(all) == 0 {
		return 0
	}
	length := utf8.UTFMax * maxLiterals
	for _, s := range all {
		length = min(length, len(s))
	}
	return length
}

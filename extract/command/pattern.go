package command

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression that is compiled when it is first used: the
// readers have dozens, and a workspace needs those of a few tools.
type pattern struct{ *expressionText }

type expressionText struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// lazy returns the pattern of an expression. It panics when it is first used if
// it is none.
func lazy(expression string) pattern { return pattern{&expressionText{text: expression}} }

func (e *expressionText) compiled() *regexp.Regexp {
	e.once.Do(func() { e.re = regexp.MustCompile(e.text) })
	return e.re
}

func (p pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

func (p pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

func (p pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

func (p pattern) FindStringIndex(s string) []int { return p.compiled().FindStringIndex(s) }

func (p pattern) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}

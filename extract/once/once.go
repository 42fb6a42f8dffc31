// Package once has values that are made when they are first used. A variable of such a type needs no code at the
// start of the program, unlike one of sync.OnceValue or of a map: every package that runs code before main costs each
// start some microseconds (docs/decisions.md).
package once

import (
	"regexp"
	"sync"
)

// A Value is made by a function when it is first used. It is safe for concurrent use.
type Value[T any] struct {
	Make func() T

	once sync.Once
	made T
}

// Get returns the value.
func (v *Value[T]) Get() T {
	v.once.Do(func() { v.made = v.Make() })
	return v.made
}

// A Regexp is a regular expression that is compiled when it is first used: there are hundreds, and compiled at the
// start they would take 50 ms and 10 MB. It is safe for concurrent use.
type Regexp struct {
	expression string
	once       sync.Once
	compiled   *regexp.Regexp
}

// Compile returns the regular expression, which panics when it is first used if it is none.
func Compile(expression string) *Regexp { return &Regexp{expression: expression} }

// Get returns the compiled expression.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.expression) })
	return r.compiled
}

// MatchString is the method of regexp.Regexp, and so are those below.
func (r *Regexp) MatchString(s string) bool { return r.Get().MatchString(s) }

func (r *Regexp) FindString(s string) string { return r.Get().FindString(s) }

func (r *Regexp) FindStringIndex(s string) []int { return r.Get().FindStringIndex(s) }

func (r *Regexp) FindStringSubmatch(s string) []string { return r.Get().FindStringSubmatch(s) }

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Get().FindAllStringSubmatch(s, n)
}

func (r *Regexp) ReplaceAllString(s, with string) string { return r.Get().ReplaceAllString(s, with) }

// Package pattern provides regular expressions that are compiled on first use.
// The wordings of eight languages are many and large: compiled at startup they
// would take 50 ms and 10 MB, even if they are never used.
package pattern

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// A Pattern is a regular expression that ignores case. It is safe for
// concurrent use.
type Pattern struct {
	parts []string // of the source
	with  string   // separator of the parts
	once  sync.Once
	re    *regexp.Regexp
	seen  sync.Once
	needs *needed // by a match
}

// New returns the pattern that is the concatenation of its parts. Several groups
// may have the same name: see Group. An invalid pattern panics on first use.
func New(parts ...string) *Pattern { return &Pattern{parts: parts} }

func (p *Pattern) compiled() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.source()) })
	return p.re
}

// source returns what is compiled.
func (p *Pattern) source() string { return `(?i)` + numbered(p.String()) }

// mayMatch reports whether the pattern may match a string. It does not compile it.
func (p *Pattern) mayMatch(text string) bool {
	p.seen.Do(func() {
		if parsed, err := syntax.Parse(p.source(), syntax.Perl); err == nil { // else compiled panics
			p.needs = neededBy(parsed)
		}
	})
	return p.needs.mayBeIn(text)
}

// OneOf returns the pattern that matches any of the alternatives.
func OneOf(alternatives ...string) *Pattern { return &Pattern{parts: alternatives, with: "|"} }

// String returns the source of the pattern.
func (p *Pattern) String() string { return strings.Join(p.parts, p.with) }

// Match reports whether the pattern matches anywhere in the text.
func (p *Pattern) Match(text string) bool { return p.mayMatch(text) && p.compiled().MatchString(text) }

// Find returns the leftmost match, "" if there is none.
func (p *Pattern) Find(text string) string {
	if !p.mayMatch(text) {
		return ""
	}
	return p.compiled().FindString(text)
}

// FindAll returns the index pairs of at most limit matches.
func (p *Pattern) FindAll(text string, limit int) [][]int {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled().FindAllStringIndex(text, limit)
}

// Remove returns the text without the matches.
func (p *Pattern) Remove(text string) string {
	if !p.mayMatch(text) {
		return text
	}
	return p.compiled().ReplaceAllString(text, "")
}

// Submatch returns the leftmost match and its groups, by number, or nil.
func (p *Pattern) Submatch(text string) []string {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled().FindStringSubmatch(text)
}

// Group returns the first nonempty match of the groups with a name.
func (p *Pattern) Group(match []string, name string) string {
	for i, n := range p.compiled().SubexpNames() {
		if strings.TrimRight(n, "0123456789") == name && match[i] != "" {
			return match[i]
		}
	}
	return ""
}

// numbered makes the names of groups unique, as package regexp requires.
func numbered(source string) string {
	parts := strings.Split(source, "(?P<")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.Replace(parts[i], ">", fmt.Sprintf("%d>", i), 1)
	}
	return strings.Join(parts, "(?P<")
}

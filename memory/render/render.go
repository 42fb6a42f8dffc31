// Package render makes one text of what the rooms have to say: sections in the
// order from the most stable to the most volatile, under one budget, so that an
// agent is given as much as fits and the part that seldom changes stays byte
// for byte the same.
package render

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Section is one part of the context, not yet rendered. Its room sets ID,
// MaxChars, Guidance, State and Render; the rest is set by what assembles the
// context (memory/assembly).
type Section struct {
	ID string
	// MaxChars is the section's own limit, in characters.
	MaxChars int
	// Guidance is whether the section says what to do rather than what there is.
	Guidance bool
	// State is what the section depends on besides the changes of the workspace
	// and the settings, such as the revision of a file.
	State string
	// Stable sections make the prefix; they depend on stored state only.
	Stable bool
	// Share, where it is not 0, is the part of a budget that the section may take: one
	// in so many.
	Share int
	// Reserve is how many characters of a budget stable sections leave to a
	// volatile one that never gives way to them.
	Reserve int
	// Keep orders what is dropped when the budget is short: the lowest first.
	Keep int
	// Hears is whether Render is given what other sections say.
	Hears bool
	// Render returns the section in at most maxChars characters, whole items only.
	// Said is what the sections say that are kept longer; a volatile section is
	// also given what the stable ones say. Render may be called several times with
	// different arguments, and its result depends on nothing of the other calls.
	Render func(maxChars int, said Said) Part
}

// A Part is a section, rendered.
type Part struct {
	Text    string
	Items   []Item
	Omitted []Omission
	// Says is what other sections need not repeat. A part without a text says
	// nothing.
	Says Set
}

// An Item is one thing that a part tells, by the id that the client knows it by.
type Item struct{ ID, Text string }

// An Omission is one thing that was left out, and why.
type Omission struct{ ID, Reason string }

// A Rendered is a section with what became of it.
type Rendered struct {
	Section
	Part
}

// Context is the whole text. Text is Prefix + Suffix.
type Context struct {
	Prefix, Suffix string
	Sections       []Rendered
}

// Text is the prefix and the suffix.
func (c Context) Text() string { return c.Prefix + c.Suffix }

// Revision is a hash of the text: two contexts with the same one are the same.
func (c Context) Revision() string {
	sum := sha256.Sum256([]byte(c.Text()))
	return hex.EncodeToString(sum[:8])
}

// separator stands after every section of the prefix, and between those of the
// suffix, so that the prefix does not depend on what follows it.
const separator = "\n\n"

// A Budget is the most that a context may measure, in what its Measure counts:
// characters or tokens. Measure is asked again and again, so it should be quick.
type Budget struct {
	Max     int
	Measure func(text string) int
}

// Chars is a budget in characters.
func Chars(most int) Budget { return Budget{Max: most, Measure: utf8.RuneCountInString} }

// Pack renders the sections, which are in the order of the text, within every
// budget; with none there are only the sections' own limits. prefixChars bounds
// the stable sections together. Only a section that does not hold the limit it
// is given can make the text longer than a budget.
//
// The stable sections come first, within what is always left of a budget, so
// that they stay the same whatever the volatile ones say.
func Pack(sections []Section, prefixChars int, budgets ...Budget) Context {
	var stable, volatile []Section
	reserved := ""
	for _, s := range sections {
		if s.Stable {
			stable = append(stable, s)
			continue
		}
		volatile = append(volatile, s)
		reserved += strings.Repeat("word ", s.Reserve/len("word "))
	}
	ofPrefix := []Budget{Chars(prefixChars)}
	for _, b := range budgets {
		ofPrefix = append(ofPrefix, Budget{b.Max - b.Measure(reserved), b.Measure})
	}
	prefix := packWithin(stable, "", nil, ofPrefix)
	return packWithin(volatile, prefix.Prefix, prefix.said(), budgets).after(prefix, sections)
}

// packWithin packs sections that follow a prefix. They are measured one by one,
// each with the separator behind it. Where the whole measures more than they do,
// as a token may stand across a border, it is packed anew into less.
func packWithin(sections []Section, prefix string, said Said, budgets []Budget) Context {
	left := make([]int, len(budgets))
	for i, b := range budgets {
		left[i] = b.Max - b.Measure(prefix)
	}
	for step := 1; ; step *= 2 {
		context, fits := pack(sections, said, budgets, slices.Clone(left)), true
		for i, b := range budgets {
			if over := b.Measure(prefix+context.Text()) - b.Max; over > 0 && left[i] > 0 {
				left[i], fits = left[i]-over*step, false
			}
		}
		if fits {
			return context
		}
	}
}

// pack gives the sections what is left of each budget, those to keep longest
// first. Each is told what was said before.
func pack(sections []Section, said Said, budgets []Budget, left []int) Context {
	said = slices.Clip(said)
	rendered := make([]Rendered, len(sections))
	for _, i := range byKeep(sections) {
		part := fit(sections[i], said, budgets, left)
		rendered[i] = Rendered{sections[i], part}
		if part.Text == "" {
			continue
		}
		said = append(said, part.Says)
		for n, b := range budgets {
			left[n] -= b.Measure(part.Text + separator)
		}
	}
	return join(rendered)
}

// after joins a context with the prefix that it follows, in the order of the
// sections.
func (c Context) after(prefix Context, order []Section) Context {
	c.Prefix = prefix.Prefix
	parts := slices.Concat(prefix.Sections, c.Sections)
	c.Sections = make([]Rendered, 0, len(order))
	for _, s := range order {
		at := slices.IndexFunc(parts, func(r Rendered) bool { return r.ID == s.ID })
		c.Sections = append(c.Sections, parts[at])
	}
	return c
}

// fit renders a section with fewer and fewer characters until it fits into what
// is left: each time with as many as would fit if the whole were as dense as
// what was too long. A section that does not hold its limit is left as it is.
func fit(s Section, said Said, budgets []Budget, left []int) Part {
	if !s.Hears {
		said = nil
	}
	for limit := s.MaxChars; ; {
		limit = max(limit, 0)
		part := s.Render(limit, said)
		chars := utf8.RuneCountInString(part.Text)
		if chars == 0 || chars > limit {
			return part
		}
		next := limit
		for i, b := range budgets {
			room := left[i]
			if s.Share > 0 {
				room = min(room, b.Max/s.Share)
			}
			if size := b.Measure(part.Text + separator); size > room {
				next = min(next, chars-1, chars*room/size)
			}
		}
		if next == limit {
			return part
		}
		limit = next
	}
}

func join(rendered []Rendered) Context {
	var prefix, suffix strings.Builder
	for _, r := range rendered {
		switch {
		case r.Text == "":
		case r.Stable:
			prefix.WriteString(r.Text + separator)
		case suffix.Len() > 0:
			suffix.WriteString(separator + r.Text)
		default:
			suffix.WriteString(r.Text)
		}
	}
	return Context{Prefix: prefix.String(), Suffix: suffix.String(), Sections: rendered}
}

// byKeep returns the indexes of the sections, those to keep longest first.
func byKeep(sections []Section) []int {
	order := make([]int, len(sections))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sections[b].Keep - sections[a].Keep })
	return order
}

// Fixed is the rendering of a text that is given whole or not at all.
func Fixed(id, text string) func(int, Said) Part {
	return func(maxChars int, _ Said) Part {
		if utf8.RuneCountInString(text) > maxChars {
			return Part{Omitted: []Omission{{id, "budget"}}}
		}
		return Part{Text: text}
	}
}

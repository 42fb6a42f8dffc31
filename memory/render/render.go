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

// A Section is one part of the context, not yet rendered.
type Section struct {
	ID string
	// Stable sections make the prefix; they depend on stored state only.
	Stable bool
	// MaxChars is the section's own limit, in characters.
	MaxChars int
	// Keep orders what is dropped when the budget is short: the lowest first.
	Keep int
	// Render returns the section in at most maxChars characters, whole items only.
	Render func(maxChars int) Part
}

// A Part is a section, rendered.
type Part struct {
	Text    string
	Items   []Item
	Omitted []Omission
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

// Pack renders the sections, which are in the order of the text, under a budget
// in characters; 0 is no budget but the sections' own. prefixChars bounds the
// stable sections together.
func Pack(sections []Section, budget, prefixChars int) Context {
	left, leftOfPrefix := budget, prefixChars
	rendered := make([]Rendered, len(sections))
	for _, i := range byKeep(sections) {
		s := sections[i]
		limit := s.MaxChars
		if budget > 0 {
			limit = min(limit, left-len(separator))
		}
		if s.Stable {
			limit = min(limit, leftOfPrefix-len(separator))
		}
		part := s.Render(max(limit, 0))
		rendered[i] = Rendered{s, part}
		if part.Text == "" {
			continue
		}
		cost := utf8.RuneCountInString(part.Text) + len(separator)
		left -= cost
		if s.Stable {
			leftOfPrefix -= cost
		}
	}
	var context Context
	var prefix, suffix strings.Builder
	for _, r := range rendered {
		context.Sections = append(context.Sections, r)
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
	context.Prefix, context.Suffix = prefix.String(), suffix.String()
	return context
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
func Fixed(id, text string) func(int) Part {
	return func(maxChars int) Part {
		if utf8.RuneCountInString(text) > maxChars {
			return Part{Omitted: []Omission{{id, "budget"}}}
		}
		return Part{Text: text}
	}
}

// CharsPerToken is how many characters of Latin text make a token, about, in the
// tokenizers of today's models. A character of another script counts as one
// token. The estimate errs to the safe side for prose and code.
const CharsPerToken = 3.6

// Tokens estimates the length of a text in tokens.
func Tokens(text string) int {
	latin, other := 0, 0
	for _, c := range text {
		if c < 0x250 {
			latin++
		} else {
			other++
		}
	}
	return int(float64(latin)/CharsPerToken+0.999) + other
}

// Package render packs the sections of the rooms into the text of a context, within
// budgets. Sections are ordered from the most stable to the most volatile, so that the
// prefix, which seldom changes, stays byte for byte the same.
package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tag"
)

// A Section is one part of the context that is not rendered yet. Its room sets ID, Label,
// MaxChars, Guidance, State, Gone and Render. Package assembly sets the other fields.
type Section struct {
	ID string
	// Label is the name of the section for a person. If it is empty, that is the ID.
	Label string
	// MaxChars is the limit of the section in characters.
	MaxChars int
	// Guidance is true if the section is instructions rather than information.
	Guidance bool
	// State identifies what the section depends on besides the changes of the workspace
	// and the settings, such as the revision of a file.
	State string
	// Stable sections form the prefix. They depend on stored state only.
	Stable bool
	// Share limits the section to 1/Share of a budget. 0 means no such limit.
	Share int
	// Reserve is how many characters of a budget the stable sections leave to a volatile
	// section.
	Reserve int
	// News is the weight of the section in a delta. Items of sections with a higher one
	// come first.
	News int
	// Gone returns what a delta says of an item that the reader has and that the section
	// does not show any more, "" if the item still holds or is not worth a word. nil says
	// nothing of any item.
	Gone func(item Item) string
	// Keep is the priority of the section. Sections with a lower one are dropped first.
	Keep int
	// Dedup is true if Render is given the deduplication keys of other sections.
	Dedup bool
	// Render returns the section in at most maxChars characters, whole items only.
	// shown holds the keys of the sections with a higher Keep and, for a volatile section,
	// of the stable sections. Render may be called several times. A call does not depend
	// on other calls.
	Render func(maxChars int, shown DedupSet) Part
}

// A Part is a rendered section.
type Part struct {
	Text    string
	Items   []Item
	Omitted []Omission
	// DedupKeys are the keys of what other sections need not repeat. They are ignored if
	// Text is empty.
	DedupKeys DedupKeys
	// Withheld are the keys of what is known and not worth saying, in other sections either.
	Withheld DedupKeys
}

// visible returns the part without anything that a person does not see. What the rooms
// render comes from files, tools and people, so all of it passes through here.
func (p Part) visible() Part {
	p.Text = tag.Visible(p.Text)
	p.Items = slices.Clone(p.Items)
	for i := range p.Items {
		p.Items[i].Text = tag.Visible(p.Items[i].Text)
		p.Items[i].Told = tag.Visible(p.Items[i].Told)
	}
	return p
}

// An Item is one entry of a part.
type Item struct {
	// ID is the id that clients know.
	ID, Text string
	// Told is the text in a delta, "" for Text.
	Told string
	// Same is equal as long as the item is not new to a reader who has it, "" for Text.
	Same string
	// Silent is true if the reader knows the item without being told: a delta leaves it out.
	Silent bool
	// Path is the file that the item is about, At the time when it was last reported. Both
	// may be zero.
	Path string
	At   time.Time
	// Rest is a line that a delta says once behind the last item that has it, "" for none: how
	// many like it the section leaves out.
	Rest string
}

// Saying returns the text of the item in a delta.
func (i Item) Saying() string { return cmp.Or(i.Told, i.Text) }

// Sameness returns what differs from a former item if this one is news to a reader who has it.
func (i Item) Sameness() string { return cmp.Or(i.Same, i.Text) }

// An Omission is an item that was left out, with the reason.
type Omission struct {
	ID, Reason string
	// Needs is how many characters the item needs if Reason is "" and only Left are left. Of hundreds of items for
	// which there is no room, few are told.
	Needs, Left int
}

// Why returns the reason.
func (o Omission) Why() string {
	if o.Reason != "" {
		return o.Reason
	}
	return fmt.Sprintf("over budget: needs %d characters, %d are left", o.Needs, o.Left)
}

// A Rendered is a section with its rendered part.
type Rendered struct {
	Section
	Part
}

// A Context is a packed context.
type Context struct {
	Prefix, Suffix string
	Sections       []Rendered
}

// Text returns the prefix followed by the suffix.
func (c Context) Text() string { return c.Prefix + c.Suffix }

// Revision returns a hash of the text.
func (c Context) Revision() string {
	sum := sha256.Sum256([]byte(c.Text()))
	return hex.EncodeToString(sum[:8])
}

// separator ends the prefix and separates sections. So the prefix does not depend on the
// suffix.
const separator = "\n\n"

// A Budget limits a context to Max units of Measure, such as characters or tokens.
// Measure is called often and should be fast.
type Budget struct {
	Max     int
	Measure func(text string) int
}

// Chars returns a budget of n characters.
func Chars(n int) Budget { return Budget{Max: n, Measure: utf8.RuneCountInString} }

// Pack renders the sections, which are given in the order of the text, within every
// budget. prefixChars limits the stable sections together. The text exceeds a budget
// only if a section exceeds the limit that its Render is given.
//
// The stable sections are packed first, into the budgets without what is reserved for
// volatile sections. So they do not depend on the text of the volatile sections.
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
	return packWithin(volatile, prefix.Prefix, prefix.dedupSet(), budgets).after(prefix, sections)
}

// packWithin packs sections that follow a prefix. Sections are measured one by one, each
// with its separator. The whole may measure more, because a token can span two sections.
// It is then packed again into less.
func packWithin(sections []Section, prefix string, shown DedupSet, budgets []Budget) Context {
	left := make([]int, len(budgets))
	for i, b := range budgets {
		left[i] = b.Max - b.Measure(prefix)
	}
	for step := 1; ; step *= 2 {
		context, fits := pack(sections, shown, budgets, slices.Clone(left)), true
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

// pack fits the sections into what is left of each budget, in the order of byKeep. Each
// section is given the keys of those before it.
func pack(sections []Section, shown DedupSet, budgets []Budget, left []int) Context {
	shown = slices.Clip(shown)
	rendered := make([]Rendered, len(sections))
	for _, i := range byKeep(sections) {
		part := fit(sections[i], shown, budgets, left)
		rendered[i] = Rendered{sections[i], part}
		shown = append(shown, part.Withheld)
		if part.Text == "" {
			continue
		}
		shown = append(shown, part.DedupKeys)
		for n, b := range budgets {
			left[n] -= b.Measure(part.Text + separator)
		}
	}
	return join(rendered)
}

// after joins a context with the prefix that it follows. The sections are in the given
// order.
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

// fit renders a section with a decreasing limit until it fits into what is left. The next
// limit assumes the density of the last rendering. A section that exceeds its limit is
// returned as it is.
func fit(s Section, shown DedupSet, budgets []Budget, left []int) Part {
	if !s.Dedup {
		shown = nil
	}
	for limit := s.MaxChars; ; {
		limit = max(limit, 0)
		part := s.Render(limit, shown).visible()
		chars := utf8.RuneCountInString(part.Text)
		if chars == 0 || chars > limit {
			return part
		}
		next := limit
		for i, b := range budgets {
			free := left[i]
			if s.Share > 0 {
				free = min(free, b.Max/s.Share)
			}
			if size := b.Measure(part.Text + separator); size > free {
				next = min(next, chars-1, chars*free/size)
			}
		}
		if next == limit {
			return part
		}
		limit = next
	}
}

func join(rendered []Rendered) Context {
	context := Context{Sections: rendered}
	var last string // the section before
	whole := true   // whether nothing was left out since
	for _, r := range rendered {
		text := &context.Suffix
		if r.Stable {
			text = &context.Prefix
		}
		whole = whole && len(r.Omitted) == 0
		switch {
		case r.Text == "":
			continue
		case *text == "":
		case whole && isLine(last) && isLine(r.Text) && r.Stable:
			*text += " "
		case whole && isLine(last) && isLine(r.Text):
			*text += "\n"
		default:
			*text += separator
		}
		*text += r.Text
		last, whole = r.Text, true
	}
	if context.Prefix != "" {
		context.Prefix += separator
	}
	return context
}

// isLine reports whether a string is an element of one line. Neighbours of that kind share a line in
// the prefix, and stand below each other in the suffix, if no section between them was left out.
func isLine(text string) bool {
	return strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") && !strings.Contains(text, "\n")
}

// byKeep returns the indexes of the sections, the highest Keep first.
func byKeep(sections []Section) []int {
	order := make([]int, len(sections))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sections[b].Keep - sections[a].Keep })
	return order
}

// Fixed returns a Render function that returns the whole text, or nothing if it does not
// fit.
func Fixed(id, text string) func(int, DedupSet) Part {
	return func(maxChars int, _ DedupSet) Part {
		if utf8.RuneCountInString(text) > maxChars {
			return Part{Omitted: []Omission{{ID: id, Reason: "budget"}}}
		}
		return Part{Text: text}
	}
}

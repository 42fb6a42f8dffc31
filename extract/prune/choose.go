package prune

import (
	"strings"
	"unicode"
)

// A measure says how much of a long output stays besides its error lines.
type measure struct {
	// share is what error lines, first and last lines may take of the characters
	// of the output together, as far as the error lines leave anything.
	share float64
	// line is how many characters each of the first and last lines may take at
	// least, on average.
	line int
	// around is how many lines before and after an error stay.
	around int
	// width is how many bytes of a line stay that is no error line.
	width int
}

// The measures of the modes. Thirty lines at either end are more than a third of
// an output of 150 lines: an output of any size is bounded by its characters, so
// that about 70, 82 and 90 % are left out.
var measures = map[Mode]measure{
	Normal:     {share: 0.22, line: 22, around: 2, width: 400},
	Aggressive: {share: 0.12, line: 16, around: 1, width: 200},
	Hyper:      {share: 0.03, line: 5, around: 1, width: 100},
}

// small is the number of characters up to which all the first and last lines
// stay that the rule of the mode names.
const small = 3000

// choose decides which entries stay: all where folding was enough; else every
// error line, the lines around those that report one, and the first and last.
func (p *page) choose() {
	if len(p.entries) <= p.options.Rule.Threshold {
		for i := range p.entries {
			p.entries[i].kept = true
		}
		return
	}
	for i, e := range p.entries {
		switch p.lines[e.line].fault {
		case mentions:
			p.entries[i].kept = true
		case reports:
			p.keepReport(i)
		}
	}
	p.keepEnds()
}

// keepReport keeps an error, the lines around it, the heading it stands under, and
// the nearest lines that say where it happened.
func (p *page) keepReport(at int) {
	for i := max(0, at-p.measure.around); i <= min(len(p.entries)-1, at+p.measure.around); i++ {
		if i == at || says(p.lines[p.entries[i].line].text) {
			p.entries[i].kept = true
		}
	}
	if head := p.keepNearest(at, -1, len(p.entries), heads); head >= 0 {
		p.keepNearest(head, +1, len(p.entries), places)
	}
	p.keepNearest(at, -1, near, places)
	p.keepNearest(at, +1, near, places)
}

// keepEnds keeps the first and the last lines, as many as the rule names and as
// fit what the error lines leave.
func (p *page) keepEnds() {
	chars, taken := 0, 0
	for i := range p.lines {
		chars += len(p.lines[i].text) + 1
	}
	for _, e := range p.entries {
		if e.kept {
			taken += p.cost(e)
		}
	}
	keep := p.options.Rule.Keep
	budget := max(keep*p.measure.line, int(float64(chars)*p.measure.share-float64(taken))/2)
	if chars <= small {
		budget = chars
	}
	last := len(p.entries) - 1
	p.keepFrom(budget, keep, func(n int) int { return n })
	p.keepFrom(budget, keep, func(n int) int { return last - n })
}

// near is how far from an error the line can be that says where it is.
const near = 4

// keepNearest keeps the first line of a kind that is found in a direction before
// another error, and returns its entry, or -1.
func (p *page) keepNearest(from, step, far int, wanted fault) int {
	for i := from + step; i >= 0 && i < len(p.entries) && far > 0; i, far = i+step, far-1 {
		switch e := &p.entries[i]; p.lines[e.line].fault {
		case wanted:
			e.kept = true
			return i
		case reports:
			return -1
		}
	}
	return -1
}

// says reports whether a line holds a word, rather than a rule or nothing.
func says(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// keepFrom keeps at most count entries while they fit the budget.
func (p *page) keepFrom(budget, count int, at func(n int) int) {
	for n := range min(count, len(p.entries)) {
		e := &p.entries[at(n)]
		if !e.kept {
			budget -= p.cost(*e)
		}
		if budget < 0 && n > 0 {
			return
		}
		e.kept = true
	}
}

// cost is about how many characters an entry takes.
func (p *page) cost(e entry) int {
	l := p.lines[e.line]
	return min(len(l.text), p.width(l)) + len(e.more) + 1
}

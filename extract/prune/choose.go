package prune

import (
	"slices"
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// A measure limits how much of a long output is kept besides its error lines.
type measure struct {
	// share is the part of the output's characters that error lines, first lines
	// and last lines may use together. Error lines are kept in any case.
	share float64
	// line is the minimum budget for each of the first and last lines, in
	// characters, on average.
	line int
	// ends is how many first and last lines are kept whatever they cost, unless the rule
	// keeps fewer.
	ends int
	// around is the number of lines kept before and after an error.
	around int
	// width is the number of bytes kept of a line that is not an error line.
	width int
}

// measures holds the measure of each mode. Thirty lines at either end are more
// than a third of an output of 150 lines, so characters are limited as well:
// about 70, 82 and 90 % of an output are left out.
var measures = once.Value[map[Mode]measure]{Make: func() map[Mode]measure {
	return map[Mode]measure{
		Normal:     {share: 0.22, line: 22, ends: 10, around: 2, width: 400},
		Aggressive: {share: 0.12, line: 16, ends: 10, around: 1, width: 200},
		Hyper:      {share: 0.03, line: 5, ends: 7, around: 1, width: 100},
	}
}}

// small is the number of characters up to which the first and last lines have no
// budget besides the number of lines of the rule.
const small = 3000

// choose marks the entries to keep: all if folding was enough, otherwise every
// error line, the lines around reports, and the first and last lines.
func (p *page) choose() {
	var fresh []int // the entries that are not repetitions
	for i, e := range p.entries {
		if !e.again {
			fresh = append(fresh, i)
		}
	}
	if len(fresh) <= p.options.Rule.Threshold {
		for _, i := range fresh {
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
	p.keepEnds(fresh)
}

// keepReport keeps an error, the lines around it, its heading, and the nearest
// lines with its location.
func (p *page) keepReport(at int) {
	for i := max(0, at-p.measure.around); i <= min(len(p.entries)-1, at+p.measure.around); i++ {
		if i == at || hasWord(p.lines[p.entries[i].line].text) {
			p.entries[i].kept = true
		}
	}
	if head := p.keepNearest(at, -1, len(p.entries), heads); head >= 0 {
		p.keepNearest(head, +1, len(p.entries), places)
	}
	p.keepNearest(at, -1, near, places)
	p.keepNearest(at, +1, near, places)
}

// keepEnds keeps the first and last of some entries, up to the number of the rule and the
// budget that the error lines leave, and the ends of the measure in any case.
func (p *page) keepEnds(fresh []int) {
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
	backward := slices.Clone(fresh)
	slices.Reverse(backward)
	p.keepFrom(budget, fresh[:min(keep, len(fresh))])
	p.keepFrom(budget, backward[:min(keep, len(fresh))])
}

// near is the maximum distance of an error from the line with its location.
const near = 4

// keepNearest keeps the nearest line of a kind in a direction, up to the next
// error, and returns the index of its entry, or -1.
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

// hasWord reports whether a line has a letter or digit.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// keepFrom keeps entries within the budget, and the ends of the measure in any case.
func (p *page) keepFrom(budget int, entries []int) {
	for n, i := range entries {
		e := &p.entries[i]
		if !e.kept {
			budget -= p.cost(*e)
		}
		if budget < 0 && n >= p.measure.ends {
			return
		}
		e.kept = true
	}
}

// cost returns the approximate number of characters of an entry.
func (p *page) cost(e entry) int {
	l := p.lines[e.line]
	return min(len(l.text), p.width(l)) + len(e.more) + 1
}

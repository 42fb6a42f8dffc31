// Package redact takes secrets and personal data out of text before it is
// written anywhere: tokens of providers, private keys, values of settings whose
// name says that they are secret, passwords in URLs, e-mail addresses, cards
// and phone numbers. What is found is replaced by "[redacted:<rule>]", and prose
// or code that only talks about secrets stays whole. A rule is looked at only
// where its trigger stands, so the cost is that of one scan of the text.
package redact

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	markerOpen  = "[redacted:"
	markerClose = "]"
	// maxRuleName is the length of the longest name of a rule.
	maxRuleName = 48
	// minSecret is the length of the shortest secret that goes by a name.
	minSecret = 4
	// maxRounds bounds how often text is looked at again after a redaction: a
	// secret may stand next to another and be seen only when that one is gone.
	maxRounds = 8
)

// Text returns the text with every secret replaced by "[redacted:<rule>]", and
// how many there were. Redacting its result changes nothing more. Time and
// memory are linear in the length of the text.
func Text(s string) (string, int) {
	tried := unused.Get().(*efforts)
	defer tried.free()
	return textOf(s, tried)
}

// HasMarker reports whether a secret was replaced in a string.
func HasMarker(text string) bool { return strings.Contains(text, markerOpen) }

// OnlyMarkers reports whether nothing but replaced secrets is left of a string.
func OnlyMarkers(text string) bool {
	for {
		text = strings.TrimSpace(text)
		if text == "" {
			return true
		}
		if !strings.HasPrefix(text, markerOpen) {
			return false
		}
		_, text, _ = strings.Cut(text, markerClose)
	}
}

// isPlain reports whether a string alone is a word or an id, which no rule takes for a secret. It is
// told without the tables of the rules, which take milliseconds to build.
func isPlain(s string) bool { return isShortWord(s) || isULID(s) || isUUID(s) }

// textOf is Text for a string of a document, with what was tried in it so far.
func textOf(s string, tried *efforts) (string, int) {
	if len(s) < minSecret || isPlain(s) {
		return s, 0
	}
	defer tried.endText(len(s))
	total := 0
	var aside []doneWord
	for round := range maxRounds {
		v := viewOf(s)
		found := v.spans(repeated(v.text, find(v.text, &tried[round])))
		if len(found) == 0 {
			break
		}
		aside = setAside(s, found, aside)
		s = replace(s, found)
		total += len(found)
	}
	return putBack(s, aside), total - len(aside)
}

// A span is a secret in a string: the bytes [start, end) and the rule that says so.
type span struct {
	start, end int
	rule       string
}

// find returns the secrets of a string in order, without overlaps. What is written
// with escapes is looked for when nothing else is left.
func find(s string, e *effort) []span {
	found := findPlain(s, e)
	if len(found) == 0 {
		found = escaped(s, nil)
	}
	if len(found) == 0 {
		return nil
	}
	return disjoint(s, found)
}

// findPlain returns the secrets of a string in any order. The rules of gitleaks are
// asked about what is left when our own find nothing more: those know how much of
// a match is the secret.
func findPlain(s string, e *effort) []span {
	found, keywords := triggered(s, e, nil)
	found = listedSeeds(s, longRuns(s, numbers(s, emails(s, found))))
	if len(found) == 0 {
		found = leaked(s, keywords, loneKeyLines(s, found))
	}
	return found
}

// disjoint sorts spans, joins those that overlap under the name that was found
// first, and drops those that touch a marker, so that nothing is redacted twice.
func disjoint(s string, found []span) []span {
	slices.SortStableFunc(found, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(vague(a), vague(b)))
	})
	marks := markers(s)
	kept := found[:0]
	for _, next := range found {
		for next.end < len(s) && !utf8.RuneStart(s[next.end]) { // a bound of ours may have fallen into a character
			next.end++
		}
		for len(marks) > 0 && marks[0].end <= next.start {
			marks = marks[1:]
		}
		if len(marks) > 0 && marks[0].start < next.end && next.rule != crowded {
			continue
		}
		if last := len(kept) - 1; last >= 0 && next.start < kept[last].end {
			kept[last].end = max(kept[last].end, next.end)
			continue
		}
		kept = append(kept, next)
	}
	return kept
}

// vague orders the rule that goes by the name of a value behind those that know
// the value.
func vague(s span) int {
	if s.rule == assigned {
		return 1
	}
	return 0
}

// markers returns where the text was redacted before.
func markers(s string) []span {
	var marks []span
	for at := 0; ; {
		i := strings.Index(s[at:], markerOpen)
		if i < 0 {
			return marks
		}
		start := at + i
		if at = markerEnd(s, start); at > 0 {
			marks = append(marks, span{start: start, end: at})
		} else {
			at = start + len(markerOpen)
		}
	}
}

// Rules returns the names of the rules by which a string was redacted, one for each marker in
// it, in order.
func Rules(text string) []string {
	var rules []string
	for _, m := range markers(text) {
		rules = append(rules, text[m.start+len(markerOpen):m.end-len(markerClose)])
	}
	return rules
}

// Added returns the rules of the markers of a redacted text that the text did not have before.
func Added(before, after string) []string { return Without(Rules(after), Rules(before)) }

// Without returns rules without others, each of which leaves out one.
func Without(rules, others []string) []string {
	left := map[string]int{}
	for _, rule := range others {
		left[rule]++
	}
	var rest []string
	for _, rule := range rules {
		if left[rule] > 0 {
			left[rule]--
			continue
		}
		rest = append(rest, rule)
	}
	return rest
}

// markerEnd returns the end of the marker that starts at at, 0 if none does.
func markerEnd(s string, at int) int {
	if !strings.HasPrefix(s[at:], markerOpen) {
		return 0
	}
	name := at + len(markerOpen)
	end := run(s, name, maxRuleName, func(c byte) bool { return isLower(c) || isDigit(c) || c == '-' })
	if end == name || !strings.HasPrefix(s[end:], markerClose) {
		return 0
	}
	return end + len(markerClose)
}

func replace(s string, found []span) string {
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, f := range found {
		b.WriteString(s[at:f.start])
		b.WriteString(markerOpen + f.rule + markerClose)
		at = f.end
	}
	b.WriteString(s[at:])
	return b.String()
}

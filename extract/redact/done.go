package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// In "the password was forgotten" the last word stands where a value may stand. The rules take it for one, and what
// stands beside it is looked at again when it is gone, as in "it was forgotten, now it is value". Only then is it put
// back, so that knowing a word lets nothing pass but the word.

// A doneWord is a word in whose place a marker stands at at, until no secret is left.
type doneWord struct {
	at   int
	word string
}

// isDone reports whether a span is a word that says what was done with a secret: written as one of a sentence, and not
// behind a sign, as a value would be that is given by one.
func isDone(s string, f span) bool {
	if f.rule != assigned || !words().done[s[f.start:f.end]] {
		return false
	}
	before := strings.TrimRight(s[:f.start], " \t")
	last, _ := utf8.DecodeLastRuneInString(before)
	return len(before) < f.start && unicode.IsLetter(last) &&
		(f.end == len(s) || isSpace(s[f.end]) || strings.IndexByte(".,;:!?)", s[f.end]) >= 0)
}

// doneMarker stands in the place of a doneWord.
const doneMarker = markerOpen + assigned + markerClose

// setAside returns the words that were set aside before, with where their markers stand when found is replaced, and
// those of found. Both are in order. A word that is taken out with what stands around it is left out.
func setAside(s string, found []span, before []doneWord) []doneWord {
	var all []doneWord
	grown := 0 // how much longer the text became up to here, in bytes
	for _, f := range found {
		for len(before) > 0 && before[0].at < f.end {
			if before[0].at+len(doneMarker) <= f.start {
				all = append(all, doneWord{before[0].at + grown, before[0].word})
			}
			before = before[1:]
		}
		if isDone(s, f) {
			all = append(all, doneWord{f.start + grown, s[f.start:f.end]})
		}
		grown += len(markerOpen) + len(f.rule) + len(markerClose) - (f.end - f.start)
	}
	for _, w := range before {
		all = append(all, doneWord{w.at + grown, w.word})
	}
	return all
}

// putBack replaces the markers of words by these.
func putBack(s string, aside []doneWord) string {
	if len(aside) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, w := range aside {
		b.WriteString(s[at:w.at])
		b.WriteString(w.word)
		at = w.at + len(doneMarker)
	}
	b.WriteString(s[at:])
	return b.String()
}

package redact

import (
	"sync"
	"unicode/utf8"
)

// A place where a rule has to look at what stands around it costs a thousand times as much as a byte of a string, and a
// text may consist of such places. What is tried is therefore counted, and allowed in proportion to the length of the
// text. No string that tools print or people write comes near that; where one does, its rest is taken out unread.

const (
	// freePlaces may be tried in every string: 8 KB of nothing but names of secrets.
	freePlaces = 1 << 12
	// bytesPerPlace is how many bytes of a string allow another place.
	bytesPerPlace = 96
	// wordPlaces is what a name that is a word of a language counts: more is tried around it than around one of code.
	wordPlaces = 5
	// markerPlaces is how many a marker allows: what it stands for was longer.
	markerPlaces = 2
	// crowded is the name of the rule by which the rest of a string is taken out.
	crowded = "crowded"
	// maxBefore is how far before a trigger a secret may stand, in bytes.
	maxBefore = 512
)

// An effort is how much was tried in a string, or in all strings of a document so far.
type effort struct {
	tried, allowed int
	last           int             // where was tried last
	name           named           // what was tried last as the name of a secret
	weighed        [access + 1]int // up to where sentences were weighed for names of a kind
	sentence       []weighed       // the room of weigh, as far as it was used
	forms          map[string]*form
	room           []form // for the next of them
}

// efforts are those of the rounds.
type efforts [maxRounds]effort

// startText begins the next text of a document.
func (e *effort) startText() { e.last, e.name, e.weighed = -1, named{}, [access + 1]int{} }

// endText ends a string of some length.
func (e *efforts) endText(length int) {
	for i := range e {
		e[i].allowed += length / bytesPerPlace
	}
}

// marker allows what was tried for the secret of a marker.
func (e *effort) marker() { e.allowed += markerPlaces }

// maxForms bounds the words whose form is remembered.
const maxForms = 1 << 12

// formOf returns the form of a word.
func (e *effort) formOf(core, low string) *form {
	if known, there := e.forms[core]; there {
		return known
	}
	if e.forms == nil || len(e.forms) >= maxForms {
		e.forms = map[string]*form{}
	}
	if len(e.room) == cap(e.room) {
		e.room = make([]form, 0, maxSentence)
	}
	e.room = append(e.room, form{core: core, low: low})
	f := &e.room[len(e.room)-1]
	e.forms[core] = f
	return f
}

// unused are efforts of strings, to be used again.
var unused = sync.Pool{New: func() any { return &efforts{} }}

// mostKept is how many words of a string may have a form for its efforts to be used again.
const mostKept = 4 * maxSentence

// free lets the next text use the efforts. They keep nothing of this one.
func (e *efforts) free() {
	for i := range e {
		of := &e[i]
		if len(of.forms) > mostKept {
			return
		}
		clear(of.forms)
		clear(of.room)
		clear(of.sentence)
		*of = effort{sentence: of.sentence[:0], forms: of.forms, room: of.room[:0]}
	}
	unused.Put(e)
}

// try counts the place at at and reports whether it may still be tried.
func (e *effort) try(at int) bool {
	if at != e.last {
		e.last = at
		e.tried++
	}
	return e.tried <= freePlaces+e.allowed+at/bytesPerPlace
}

// tryName reports whether a name is another one than was tried last: several triggers may stand in one.
func (e *effort) tryName(n named) bool {
	if n == e.name {
		return false
	}
	e.name = n
	return true
}

// tryWeigh reports whether the words around a name, up to to, are still to be weighed: another name of its kind, or of
// a password, may have stood in the same sentence.
func (e *effort) tryWeigh(n named, to int) bool {
	if reach := min(to, n.end+maxName); reach <= e.weighed[n.kind] || reach <= e.weighed[password] {
		return false
	}
	e.weighed[n.kind] = to
	return true
}

// restFrom returns the rest of a string with what stands before a place and may belong to it.
func restFrom(s string, at int) span {
	start := max(0, at-maxBefore)
	for start > 0 && !utf8.RuneStart(s[start]) {
		start--
	}
	return span{start: start, end: len(s), rule: crowded}
}

// Package words turns text into the terms by which it is found, and into features of the text
// such as whether it names a time. It is pure: the same string gives the same answer, in time that
// is linear in its length.
//
// A term is in lower case. Words of European languages are reduced to their stems; in scripts
// that put no space between words each pair of characters is a term. Identifiers are found by
// their parts and as a whole, paths by their segments; numbers, versions and codes of errors are
// kept as they are.
package words

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// An Analysis is what a string consists of.
type Analysis struct {
	Terms     []Term    // each once, in the order in which they were found
	Length    int       // words that are not stop words, each as often as it is there
	Capitals  int       // capitalised words that do not begin a sentence
	Questions int       // question marks
	EndsIn    rune      // the last character that is not a space, 0 if there is none
	Time      bool      // names a date or a time that is relative to now
	Times     []Period  // those that it names, if its day is known
	Number    bool      // has a number or a word for one
	Self      bool      // has a pronoun of the first person
	Other     bool      // has a pronoun of the second person
	Language  Languages // the one in which it is read
}

// A Term is a form of a word that all its inflections share.
type Term struct {
	Text  string
	Count int
}

// maxTerm is the longest term in bytes. Longer ones, such as base64, are cut: nobody types them.
const maxTerm = 64

// A workroom is used again for the next text, unless that had more words than mostKept.
type workroom struct {
	words  []Word
	terms  []string       // of words with one term
	places map[string]int // of terms in the analysis
}

const mostKept = 1000

var rooms = sync.Pool{New: func() any { return &workroom{places: map[string]int{}} }}

// Analyze returns what a string consists of.
func Analyze(text string) Analysis { return AnalyzeOf(text, 0) }

// AnalyzeOf is Analyze for a string that was written on a day, in days since 1970-01-01, from which the times are seen
// that it names.
func AnalyzeOf(text string, day int) Analysis {
	var analysis Analysis
	room := rooms.Get().(*workroom)
	stems := stemmers.Get().(*stemmer)
	var in language
	room.words, in = stems.split(text, room.words[:0], room.terms)
	analysis.Language = 1 << in
	all, at := room.words, room.places
	room.terms, stems.terms = stems.terms, nil
	stemmers.Put(stems)
	analysis.Terms = make([]Term, 0, len(all))
	defer func() {
		if len(analysis.Terms) > mostKept || cap(room.words) > mostKept {
			return
		}
		clear(all) // which keeps no string in memory
		clear(room.terms)
		clear(at)
		rooms.Put(room)
	}()
	add := func(term string) {
		if i, is := at[term]; is {
			analysis.Terms[i].Count++
			return
		}
		at[term] = len(analysis.Terms)
		analysis.Terms = append(analysis.Terms, Term{Text: term, Count: 1})
	}
	for i := range all {
		word := &all[i]
		if word.Capital && !word.First {
			analysis.Capitals++
		}
		analysis.Number = analysis.Number || word.isNumber()
		if word.Stop {
			analysis.Self = analysis.Self || word.Person == First
			analysis.Other = analysis.Other || word.Person == Second
			continue
		}
		analysis.Length++
		for _, term := range word.Terms {
			add(term)
		}
		if word.Tail != "" {
			add(word.Tail)
		}
	}
	analysis.Times, analysis.Time = timesIn(all, day)
	analysis.Questions = strings.Count(text, "?") + strings.Count(text, "？")
	trimmed := strings.TrimSpace(text)
	if trimmed != "" {
		analysis.EndsIn, _ = utf8.DecodeLastRuneInString(trimmed)
	}
	return analysis
}

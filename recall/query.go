package recall

import (
	"math"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/recall/words"
)

// An analysed query says what is looked for.
type analysed struct {
	parts    []part
	speakers []string // marks of the speakers that are named
	periods  []words.Period
	kind     kind
}

// A part is a word of the query, its weight, and the terms by which it is found. The first one
// is the word's own. The part of a time or a person has marks and no word.
type part struct {
	word   string
	plain  string    // a plain word in small letters if the query does not tell its language
	use    words.Use // of the word
	weight float32
	terms  []factored
}

// A factored term counts only a share of its frequency.
type factored struct {
	text    string
	factor  float32
	related bool // it is another word, of related meaning
}

const (
	// longestQuery is how much of a query is read, in bytes, and mostParts how many terms:
	// of a long prompt the beginning says what it is about.
	longestQuery = 4096
	mostParts    = 48
	// familyLimit is how many terms are read that begin alike.
	familyLimit = 64
	// relatedLimit is how many terms count that are related to a word, mostRelated how many
	// words a query has at most whose words have any: a long prompt says it in many words.
	relatedLimit, mostRelated = 16, 64
	// familyStem is how many letters words of a family share at least, familyTail how many
	// they have beyond at most.
	familyStem, familyTail = 5, 4
)

// analyse returns what the query looks for in the index.
func (w Weights) analyse(index Index, query Query) (analysed, error) {
	reading := query.reading()
	all := reading.all()
	var found analysed
	periods, used := reading.times(query.Day)
	found.periods = periods
	found.kind = kindOf(all)
	var err error
	if found.speakers, err = speakersOf(index, all); err != nil {
		return found, err
	}
	related := reading.relatedTo(w.Related)
	seen := map[string]bool{}
	tells := reading.told().One() // which is so unless the query is short
	for i, word := range all {
		if word.Stop || used[i] == words.FromNow || len(found.parts) >= mostParts {
			continue
		}
		weight := w.ofWord(word, found.speakers)
		if used[i] != words.NoTime {
			weight = w.Generic // a string seldom names the time at which it was written
		}
		terms := word.Terms
		if len(terms) == 0 {
			terms = []string{word.Tail}
		}
		for _, term := range terms {
			if weight == 0 || seen[term] {
				continue
			}
			seen[term] = true
			p := part{word: word.Text, weight: weight, use: used[i], terms: []factored{{text: term, factor: 1}}}
			if word.Plain && !tells {
				p.plain = word.Lower
			}
			if err := w.addFamily(index, word, &p); err != nil {
				return found, err
			}
			p.add(related[i])
			related[i] = nil
			found.parts = append(found.parts, p)
		}
	}
	if len(found.parts) > 0 {
		found.parts = append(found.parts, w.beside(query.Beside, seen)...)
	}
	return found, nil
}

// mostBeside is how many terms count that are beside a query.
const mostBeside = 24

// beside returns the words of documents beside the query that it does not have itself.
func (w Weights) beside(text string, seen map[string]bool) (parts []part) {
	for _, word := range words.Words(readPart(text)) {
		if word.Stop || isGeneric(word.Lower) {
			continue
		}
		for _, term := range word.Terms {
			if !seen[term] && len(parts) < mostBeside {
				seen[term] = true
				terms := []factored{{text: term, factor: 1}}
				parts = append(parts, part{word: word.Text, weight: w.Beside, terms: terms})
			}
		}
	}
	return parts
}

// add adds terms that the part does not have.
func (p *part) add(terms []factored) {
	for _, term := range terms {
		if !slices.ContainsFunc(p.terms, func(own factored) bool { return own.text == term.text }) {
			p.terms = append(p.terms, term)
		}
	}
}

// speakersOf returns the marks of the speakers that the query names.
func speakersOf(index Index, all []words.Word) ([]string, error) {
	var marks, found []string
	for _, word := range all {
		if mark := string(speakerMark(word.Lower)); word.Capital && !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
	}
	lists, err := index.Lists(marks)
	for i, list := range lists {
		if len(list.Docs) > 0 {
			found = append(found, marks[i])
		}
	}
	return found, err
}

// ofWord returns the weight of a word of the query.
func (w Weights) ofWord(word words.Word, speakers []string) float32 {
	switch {
	case slices.Contains(speakers, string(speakerMark(word.Lower))):
		return w.Speaker
	case isGeneric(word.Lower):
		return w.Generic
	case word.Capital && !word.First:
		return w.Capital
	}
	return 1
}

// addFamily adds the terms that begin like the part's own, with all but one letter of the shorter
// one: "organiz" and "organ". A single character of a script without spaces is found by all pairs
// that begin with it.
func (w Weights) addFamily(index Index, word words.Word, p *part) error {
	own := p.terms[0].text
	single := own == word.Tail
	letters := []rune(own)
	if !single && (!word.Plain || word.Tail != "" || len(letters) < familyStem || w.Family == 0) {
		return nil
	}
	prefix := own
	if !single {
		prefix = string(letters[:max(familyStem, len(letters)-familyTail)])
	}
	family, err := index.Family(prefix, familyLimit)
	if err != nil {
		return err
	}
	for _, other := range family {
		switch {
		case other == own:
		case single:
			p.terms = append(p.terms, factored{text: other, factor: 1})
		case isFamily(letters, []rune(other)):
			p.terms = append(p.terms, factored{text: other, factor: w.Family})
		}
	}
	return nil
}

// isFamily reports whether two terms begin alike and differ only in their ends.
func isFamily(a, b []rune) bool {
	shared, shorter, longer := 0, min(len(a), len(b)), max(len(a), len(b))
	for shared < shorter && a[shared] == b[shared] {
		shared++
	}
	return shared >= familyStem && shared >= shorter-1 && longer-shared <= familyTail
}

// written returns the marks of the days of the times that the query names.
func (a analysed) written(today int) (marks []string) {
	for _, period := range a.periods {
		if period.Month != 0 && today == 0 {
			continue // of which year?
		}
		first, last, _, _ := period.Around(today)
		for day := max(first, 1); day <= min(last, math.MaxUint16); day++ {
			marks = append(marks, string(dayMark(uint16(day))))
		}
	}
	return marks
}

// named returns the marks of texts that name a time of the query, or a day in it.
func (a analysed) named(today int) (marks []string) {
	add := func(first, last int) {
		if last-first >= longestTime {
			return
		}
		for day := first; day <= last; day++ {
			marks = append(marks, string(timeMarks(day, day)[0]))
		}
		if last-first >= weekDays {
			marks = append(marks, string(timeMarks(first, last)[0]))
		}
	}
	for _, period := range a.periods {
		if period.Month != 0 && today == 0 {
			continue
		}
		first, last, nextFirst, nextLast := period.Around(today)
		if add(first, last); nextFirst != first {
			add(nextFirst, nextLast)
		}
	}
	return marks
}

// A period is the first and the last of some days.
type period struct{ first, last int }

// only returns the past days, weeks and months that the query names, none if it asks for something else, too: it has a
// word of more than a weight, or names a person, or another time.
func (a analysed) only(today int, weight float32) (times []period) {
	if today == 0 || len(a.speakers) > 0 {
		return nil
	}
	for _, p := range a.parts {
		if p.weight > weight {
			return nil
		}
	}
	for _, p := range a.periods {
		first, last, _, _ := p.Around(today)
		if first >= today || last-first >= longestTime {
			return nil
		}
		times = append(times, period{first, last})
	}
	return times
}

// isWithin reports whether what names the days from first to last is found by one of some times.
func isWithin(times []period, first, last int) bool {
	return slices.ContainsFunc(times, func(p period) bool {
		return p == period{first, last} || last-first < weekDays && first <= p.last && last >= p.first
	})
}

// A kind is what a question asks for, as bits.
type kind uint8

const (
	asksWhen kind = 1 << iota
	asksName      // of a place, or which one
	asksNumber
)

// kindOf returns what the question asks for.
func kindOf(all []words.Word) kind {
	var found kind
	for i, word := range all {
		next := ""
		if i+1 < len(all) {
			next = all[i+1].Lower
		}
		switch word.Lower {
		case "when":
			found |= asksWhen
		case "where":
			found |= asksName
		case "how":
			if strings.Contains(" many much old long often ", " "+next+" ") {
				found |= asksNumber
			}
		case "which", "what":
			if word.Lower == "which" {
				found |= asksName
			}
			switch next {
			case "day", "date", "month", "year", "time":
				found |= asksWhen
			case "city", "country", "place", "state", "town":
				found |= asksName
			}
		}
	}
	return found
}

package words

import (
	"iter"
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
	"golang.org/x/text/unicode/norm"

	"github.com/wm-lsp/wm-lsp/recall/words/snowball"
	"github.com/wm-lsp/wm-lsp/recall/words/snowball/czech"
	"github.com/wm-lsp/wm-lsp/recall/words/snowball/greek"
	"github.com/wm-lsp/wm-lsp/recall/words/snowball/polish"
)

// A language is one of those that languageOf can tell apart.
type language uint8

const (
	inEnglish language = iota
	inGerman
	inFrench
	inSpanish
	inItalian
	inPortuguese
	inDutch
	inSwedish
	inNorwegian
	inDanish
	inFinnish
	inHungarian
	inRomanian
	inTurkish
	inIrish
	inPolish
	inCzech
	languages
)

// stemWith reduces the word in env to its stem.
func (l language) stemWith(env *snowballstem.Env) {
	switch l {
	case inEnglish:
		english.Stem(env)
	case inGerman:
		german.Stem(env)
	case inFrench:
		french.Stem(env)
	case inSpanish:
		spanish.Stem(env)
	case inItalian:
		italian.Stem(env)
	case inPortuguese:
		portuguese.Stem(env)
	case inDutch:
		dutch.Stem(env)
	case inSwedish:
		swedish.Stem(env)
	case inNorwegian:
		norwegian.Stem(env)
	case inDanish:
		danish.Stem(env)
	case inFinnish:
		finnish.Stem(env)
	case inHungarian:
		hungarian.Stem(env)
	case inRomanian:
		romanian.Stem(env)
	case inTurkish:
		turkish.Stem(env)
	case inIrish:
		irish.Stem(env)
	}
}

// longestStemmed is the longest word in bytes that is stemmed; the time of the stemmers is not
// linear in the length.
const longestStemmed = 40

// A stemmer reduces words to stems. It remembers those that it has found, because documents have the same words
// again and again.
type stemmer struct {
	env     *snowballstem.Env
	newer   *snowball.Env // of the languages that snowballstem does not have
	known   map[inflected]string
	entries map[string]*entry
	terms   []string // room for the terms of words with one
}

// An entry is what is known of a word as it was written, whatever stands around it.
type entry struct {
	lower   string
	stops   uint32 // the languages in which it is a stop word
	simple  bool   // it has one part
	acronym bool
	number  bool  // it is a word for a number
	time    named // what it says of a time
	stemmed string
	in      language // of stemmed
}

// An inflected is a word of a language in small letters.
type inflected struct {
	word string
	in   language
}

// maxKnown bounds the stems that a stemmer remembers, and the entries.
const maxKnown = 2048

var stemmers = sync.Pool{New: func() any {
	return &stemmer{
		env: snowballstem.NewEnv(""), newer: snowball.NewEnv(""),
		known: map[inflected]string{}, entries: map[string]*entry{},
	}
}}

// entryOf returns what is known of a word of letters of ASCII.
func (s *stemmer) entryOf(word string) *entry {
	if known := s.entries[word]; known != nil {
		return known
	}
	word = strings.Clone(word) // which keeps no long string in memory
	e := &entry{lower: strings.ToLower(word), simple: !hasHump(word), acronym: isAcronym(word)}
	e.stops = stopsOf(e.lower)
	_, e.number = numbers.Get()[e.lower]
	e.time = timeWords.Get()[e.lower]
	if len(s.entries) >= maxKnown {
		clear(s.entries)
	}
	s.entries[word] = e
	return e
}

// stem returns the stem of the word in a language.
func (e *entry) stem(in language, stems *stemmer) string {
	if e.stemmed == "" || e.in != in {
		e.stemmed, e.in = stems.stem(e.lower, in), in
	}
	return e.stemmed
}

// only returns a list of one term.
func (s *stemmer) only(term string) []string {
	n := len(s.terms)
	s.terms = append(s.terms, term)
	return s.terms[n : n+1 : n+1]
}

// stem returns the term of a word of one part in small letters.
func (s *stemmer) stem(lower string, in language) string {
	if len(lower) > longestStemmed || strings.ContainsAny(lower, "0123456789+#") {
		return clip(lower)
	}
	if stem, is := s.known[inflected{lower, in}]; is {
		return stem
	}
	stem := s.reduce(lower, in)
	if stem == "" { // which would be the stem of other words
		stem = unaccented(lower)
	}
	stem = strings.Clone(stem)
	if len(s.known) >= maxKnown {
		clear(s.known)
	}
	s.known[inflected{strings.Clone(lower), in}] = stem // a copy, which keeps no string in memory
	return stem
}

// reduce returns the stem of a word.
func (s *stemmer) reduce(lower string, in language) string {
	if base, is := irregular.Get()[lower]; is && in == inEnglish {
		lower = base
	}
	s.env.SetCurrent(lower)
	r, _ := utf8.DecodeRuneInString(lower)
	switch {
	case unicode.Is(unicode.Cyrillic, r):
		russian.Stem(s.env)
		return s.env.Current()
	case unicode.Is(unicode.Arabic, r):
		arabic.Stem(s.env)
		return s.env.Current()
	}
	if stem := newer(in, r); stem != nil {
		s.newer.SetCurrent(lower)
		stem(s.newer)
		return unaccented(s.newer.Current())
	}
	in.stemWith(s.env)
	return unaccented(s.env.Current())
}

// newer returns the stemmer of a word that snowballstem does not have, nil if it has one.
func newer(in language, first rune) func(*snowball.Env) bool {
	switch {
	case unicode.Is(unicode.Greek, first):
		return greek.Stem
	case in == inPolish:
		return polish.Stem
	case in == inCzech:
		return czech.Stem
	}
	return nil
}

// Languages are languages that can be told apart, a bit for each.
type Languages uint32

const (
	// English is the language of texts that do not tell theirs.
	English Languages = 1 << inEnglish
	// AllLanguages are all.
	AllLanguages Languages = 1<<languages - 1
)

// One reports whether it is one language.
func (l Languages) One() bool { return bits.OnesCount32(uint32(l)) == 1 }

// Each yields the languages one by one.
func (l Languages) Each() iter.Seq[Languages] {
	return func(yield func(Languages) bool) {
		for left := l; left != 0; left &= left - 1 {
			if !yield(left & -left) {
				return
			}
		}
	}
}

// Told returns the languages that the most words of a string tell: none, one, or several that cannot be told apart.
func Told(all []Word) (told Languages) {
	counts, most := countTelling(all), 1
	for in, n := range counts {
		if n < most {
			continue
		}
		if n > most {
			told, most = 0, n
		}
		told |= 1 << in
	}
	return told
}

// countTelling returns how many words of a text tell each language: stop words, and words with letters that few
// languages have. Single letters are names of something, too. So are words with a capital letter, and a text that has
// one other word with such letters may have it from elsewhere: letters tell nothing if nothing else speaks for it.
func countTelling(text []Word) (found [languages]int) {
	var lettered, capital [languages]int
	for i := range text {
		word := &text[i]
		if len(word.Lower) > 1 {
			addTo(&found, word.stops)
		}
		switch {
		case word.known != nil:
		case word.Capital:
			addTo(&capital, lettersOf(word.Text))
		default:
			addTo(&lettered, lettersOf(word.Text))
		}
	}
	for in, n := range lettered {
		if n > 1 || found[in]+capital[in] > 0 {
			found[in] += n
		}
	}
	return found
}

// addTo adds one to the counts of some languages, a bit for each.
func addTo(counts *[languages]int, some uint32) {
	for ; some != 0; some &= some - 1 {
		counts[bits.TrailingZeros32(some)]++
	}
}

// lettersOf returns the languages that have a letter of a word which most languages do not have.
func lettersOf(word string) (in uint32) {
	for _, r := range word {
		if r < utf8.RuneSelf {
			continue
		}
		switch unicode.ToLower(r) {
		case 'ß':
			in |= 1 << inGerman
		case 'ä':
			in |= 1<<inGerman | 1<<inSwedish | 1<<inFinnish
		case 'ö':
			in |= 1<<inGerman | 1<<inSwedish | 1<<inFinnish | 1<<inHungarian | 1<<inTurkish
		case 'ü':
			in |= 1<<inGerman | 1<<inHungarian | 1<<inTurkish
		case 'å':
			in |= 1<<inSwedish | 1<<inNorwegian | 1<<inDanish
		case 'ø', 'æ':
			in |= 1<<inNorwegian | 1<<inDanish
		case 'ñ':
			in |= 1 << inSpanish
		case 'ã', 'õ':
			in |= 1 << inPortuguese
		case 'ő', 'ű':
			in |= 1 << inHungarian
		case 'ı', 'ğ':
			in |= 1 << inTurkish
		case 'ă', 'ș', 'ț':
			in |= 1 << inRomanian
		case 'ą', 'ć', 'ę', 'ł', 'ń', 'ś', 'ź', 'ż':
			in |= 1 << inPolish
		case 'č', 'ď', 'ě', 'ň', 'ř', 'š', 'ť', 'ů', 'ý', 'ž':
			in |= 1 << inCzech
		}
	}
	return in
}

// Stem returns the stem that a word in small letters has in a language.
func Stem(lower string, in Languages) string {
	s := stemmers.Get().(*stemmer)
	defer stemmers.Put(s)
	return s.stem(lower, language(bits.TrailingZeros32(uint32(in))))
}

// unaccented leaves the accents out, which are often left out when a question is typed.
func unaccented(word string) string {
	ascii := true
	for i := range len(word) {
		ascii = ascii && word[i] < utf8.RuneSelf
	}
	if ascii {
		return word
	}
	letters := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
	if letters == "" {
		return word
	}
	return letters
}

// languageOf returns the language that the most words of a text tell. A string in which English is as frequent as
// another language is English. It sets Lower of the short words.
func languageOf(text []Word) language {
	for i := range text {
		word := &text[i]
		switch {
		case word.known != nil:
			word.Lower, word.stops = word.known.lower, word.known.stops
		case len(word.Text) > longestStopWord:
			continue
		default:
			word.Lower = strings.ToLower(word.Text)
			word.stops = stopsOf(word.Lower)
		}
	}
	found := countTelling(text)
	best := inEnglish
	for l := range languages {
		if found[l] > found[best] {
			best = l
		}
	}
	return best
}

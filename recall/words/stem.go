package words

import (
	"strings"
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

// A stemmer reduces words to stems. The zero value is ready to use.
type stemmer struct{ env *snowballstem.Env }

// stem returns the term of a word of one part in small letters.
func (s *stemmer) stem(lower string, in language) string {
	if len(lower) > longestStemmed || strings.ContainsAny(lower, "0123456789+#") {
		return clip(lower)
	}
	if base, is := irregular()[lower]; is && in == inEnglish {
		lower = base
	}
	if s.env == nil {
		s.env = snowballstem.NewEnv("")
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
	in.stemWith(s.env)
	return unaccented(s.env.Current())
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

// languageOf returns the language of which the text has the most stop words. A text in which
// English is as frequent as another language is English.
func languageOf(text []Word) language {
	var found [languages]int
	for _, word := range text {
		lower := word.Text
		if len(lower) > longestStopWord {
			continue
		}
		mask := stopWords()[strings.ToLower(lower)]
		for l := range languages {
			if mask&(1<<l) != 0 {
				found[l]++
			}
		}
	}
	best := inEnglish
	for l := range languages {
		if found[l] > found[best] {
			best = l
		}
	}
	return best
}

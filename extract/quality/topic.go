package quality

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A Topic is what some strings are about: their content words without endings, and their names in
// code with the weight of several words.
type Topic map[string]int

const (
	// minTopicWord is the length of the shortest content word, in characters.
	minTopicWord = 3
	// nameWeight is what a name in code counts, in words.
	nameWeight = 2
	// leastTouch and mostTouch are the bounds of how many words a string shares with a topic that it
	// touches. Between them it is one in touchOfWords, or one in touchOfNames if a name in code is shared.
	leastTouch, mostTouch      = 2, 4
	touchOfWords, touchOfNames = 3, 4
	// maxTopicText is how much of a string is read, in bytes.
	maxTopicText = 4 << 10
)

// TopicOf returns what strings are about.
func TopicOf(texts ...string) Topic {
	topic := Topic{}
	for _, text := range texts {
		topic.Add(text)
	}
	return topic
}

// Touches reports whether a string is about the same: it shares a third of its content words, or a
// quarter with a name in code. A string without content words touches everything, an empty topic nothing else.
func (t Topic) Touches(text string) bool {
	own := TopicOf(text)
	if len(own) == 0 {
		return true
	}
	shared, of := 0, touchOfWords
	for word, weight := range own {
		if _, both := t[word]; !both {
			continue
		}
		shared += weight
		if weight == nameWeight {
			of = touchOfNames
		}
	}
	return shared >= min(max((len(own)+of-1)/of, min(leastTouch, len(own))), mostTouch)
}

// Add adds what a string is about.
func (t Topic) Add(text string) {
	if len(text) > maxTopicText {
		text = strings.ToValidUTF8(text[:maxTopicText], "")
	}
	for token := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./#", r)
	}) {
		token = strings.Trim(token, "_-./#")
		parts := nameParts(token)
		if isName(token, parts) {
			t[strings.ToLower(token)] = nameWeight
			if base := path.Base(token); strings.Contains(base, ".") {
				t[strings.ToLower(base)] = nameWeight
			}
		}
		if len(parts) > 1 && !strings.ContainsAny(token, "_./") && isTitled(parts) {
			continue // as a header, whose words are others alone
		}
		for _, part := range parts {
			t.word(strings.ToLower(part))
		}
	}
}

func (t Topic) word(word string) {
	switch {
	case wide(word):
		for _, gram := range grams(wideHollow.Get().Replace(word)) {
			if utf8.RuneCountInString(gram) > 1 {
				t[gram] = 1
			}
		}
		return
	case utf8.RuneCountInString(word) < minTopicWord, common.Has(word),
		roleOf(word)&(hollow|negations|contrasts|turns|orders|purposes) != 0:
		return
	}
	stem, _ := stemOf(word)
	t[stem] = max(t[stem], 1)
}

// nameParts splits a token at signs and where a small letter stands before a capital one.
func nameParts(token string) []string {
	var parts []string
	start, last := 0, rune(0)
	for i, r := range token {
		isSign := !unicode.IsLetter(r) && !unicode.IsDigit(r)
		if isSign || unicode.IsUpper(r) && unicode.IsLower(last) {
			if i > start {
				parts = append(parts, token[start:i])
			}
			start = i
			if isSign {
				start += utf8.RuneLen(r)
			}
		}
		last = r
	}
	if start < len(token) {
		parts = append(parts, token[start:])
	}
	return parts
}

// isName reports whether a token of several parts is a name in code or a path. A hyphen alone makes
// words of prose.
func isName(token string, parts []string) bool {
	isLetter := func(part string) bool { return utf8.RuneCountInString(part) == 1 }
	if len(parts) < 2 || !slices.ContainsFunc(parts, func(part string) bool { return !isLetter(part) }) {
		return false // as "e.g."
	}
	return strings.ContainsAny(token, "_./") || !strings.Contains(token, "-") || isTitled(parts)
}

// isTitled reports whether all parts of a name begin with a capital letter, as those of a header do.
func isTitled(parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool {
		first, _ := utf8.DecodeRuneInString(part)
		return !unicode.IsUpper(first)
	})
}

// NamesCode reports whether a string names something in code: what stands in backticks, a path, or a name
// of several parts that is none of a product.
func NamesCode(text string) bool {
	if _, after, found := strings.Cut(text, "`"); found && strings.Contains(after, "`") {
		return true
	}
	for token := range strings.FieldsSeq(text) {
		if isPlainWord(token) || '0' <= token[0] && token[0] <= '9' {
			continue
		}
		token = strings.Trim(token, `.,;:!?()[]{}"'*“”«»、。，；：！？「」_-/#`)
		first, _ := utf8.DecodeRuneInString(token)
		if !unicode.IsLetter(first) && first != '.' || strings.Contains(token, "://") {
			continue
		}
		switch {
		case !isName(token, nameParts(token)):
		case strings.Contains(token, "/"):
			if strings.ContainsAny(token, "._") || strings.Count(token, "/") > 1 {
				return true
			}
		case strings.ContainsAny(token, "_."), strings.Contains(token, "-"), unicode.IsLower(first):
			return true
		}
	}
	return false
}

// isPlainWord reports whether a token is a word of small ASCII letters behind its first character, perhaps with a
// mark at its end. Most are, and they name nothing in code.
func isPlainWord(token string) bool {
	for i := 1; i < len(token); i++ {
		if c := token[i]; c < 'a' || c > 'z' {
			return i == len(token)-1 && strings.IndexByte(".,;:!?)", c) >= 0
		}
	}
	return true
}

// common are the words of nearly every request, and of nearly every project.
var common = pattern.SetOf(`add change changes changed work works working fix fixed check run running try tried ` +
	`update remove create show see look get got give set make made put help keep take tell know ` +
	`new old same other another ` +
	`way thing things something anything time case cases issue issues problem problems part file files code test ` +
	`tests error errors command commands line lines function functions first last next only ` +
	`still already back when where ` +
	`what which who why how there their while about above below both either such very much many some any one two ` +
	`not none currently current right good better best really actually maybe seems going done doing being seen said ` +
	`says mean means could would might may ` +
	`doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn ` + // what "n't" was cut from
	`mehr noch schon wieder wenn dann dass nur sehr hier dort etwas neue neuen ` +
	`plus moins quand alors déjà encore très ici cela cette nouveau nouvelle más menos cuando entonces muy aquí esta ` +
	`este nuevo nueva mais menos quando então muito aqui esse essa novo nova`)

package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Word is what stands between spaces and punctuation, or a stretch of characters of a script
// that puts no space between words.
type Word struct {
	Text string // as it was written, without what was cut off, such as "'s"
	// Lower is Text in lower case.
	Lower string
	// Terms are the terms by which the word is found: its stem, or the whole of an
	// identifier and the stems of its parts, or pairs of characters.
	Terms []string
	// Tail is the last character of a stretch without spaces: with it and the pairs each
	// single character is the beginning of a term.
	Tail    string
	Capital bool   // begins with a capital letter
	First   bool   // begins a sentence
	Stop    bool   // says nothing of what the text is about
	Person  Person // of a pronoun that is a stop word
	Plain   bool   // is a word of one part, letters only

	// before and after are the characters beside a word that begins with a digit, if they are of ASCII.
	before, after byte
	// stops are the languages in which Lower is a stop word, set with Lower by languageOf.
	stops uint32
	// known is what is known of a word of small length and of ASCII letters only, nil for others.
	known *entry
}

// Words returns the words of a string in their order.
func Words(text string) []Word {
	stems := stemmers.Get().(*stemmer)
	found, _ := stems.split(text, nil, nil)
	stems.terms = nil
	stemmers.Put(stems)
	return found
}

// split appends the words of a string to found, and returns its language. Most of their terms are in terms.
func (s *stemmer) split(text string, found []Word, terms []string) ([]Word, language) {
	found, in := s.read(text, found)
	s.terms = slices.Grow(terms[:0], len(found))
	for i := range found {
		found[i].resolve(in, s)
	}
	return found, in
}

// read appends the words without their terms, and returns the language of the string.
func (s *stemmer) read(text string, found []Word) ([]Word, language) {
	if !norm.NFKC.IsNormalString(text) {
		text = norm.NFKC.String(text)
	}
	found = s.words(strings.ToValidUTF8(text, " "), found)
	return found, languageOf(found)
}

// words appends the words without their terms.
func (s *stemmer) words(text string, found []Word) []Word {
	const usual, most = 6, 64 // bytes of a word with its space, words of an item
	found = slices.Grow(found, min(len(text)/usual+1, most))
	first := true
	for at := 0; at < len(text); {
		if end := lettersEnd(text, at); end > at && endsWord(text, end) {
			word := Word{Text: text[at:end], First: first, Capital: text[at] <= 'Z'}
			if len(word.Text) <= longestStopWord {
				word.known = s.entryOf(word.Text)
			}
			found = append(found, word)
			at, first = end, false
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case unspaced(r):
			end := at + size
			for end < len(text) {
				next, size := utf8.DecodeRuneInString(text[end:])
				if !unspaced(next) {
					break
				}
				end += size
			}
			found = append(found, Word{Text: text[at:end], First: first})
			at, first = end, false
		case inWord(r):
			end := wordEnd(text, at)
			word := Word{Text: text[at:end], First: first, Capital: unicode.IsUpper(r)}
			if r <= '9' {
				if at > 0 {
					word.before = text[at-1]
				}
				if end < len(text) {
					word.after = text[end]
				}
			}
			found = append(found, word)
			at, first = end, false
		default:
			if endsSentence(r) {
				first = true
			}
			at += size
		}
	}
	return found
}

// lettersEnd returns where the letters of ASCII end that begin at the place.
func lettersEnd(text string, at int) int {
	for at < len(text) && (text[at]|0x20) >= 'a' && (text[at]|0x20) <= 'z' {
		at++
	}
	return at
}

// endsWord reports whether a word that consists of letters of ASCII so far ends at the place for sure.
func endsWord(text string, at int) bool {
	if at == len(text) {
		return true
	}
	switch c := text[at]; {
	case c == ' ', c == '\n', c == ',', c == ':', c == ';', c == ')', c == '"', c == '/', c == '(':
		return true
	case c == '.':
		return at+1 == len(text) || text[at+1] == ' ' || text[at+1] == '\n'
	}
	return false
}

// wordEnd returns where the word ends that begins at the place. A joiner belongs to a word if it
// stands between two characters of words; "C++" and "C#" are words, too.
func wordEnd(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if inWord(r) && !unspaced(r) {
			at += size
			continue
		}
		if !joins(r) || at+size >= len(text) {
			break
		}
		next, _ := utf8.DecodeRuneInString(text[at+size:])
		if !inWord(next) || unspaced(next) {
			break
		}
		at += size
	}
	for _, suffix := range []string{"++", "#"} {
		if strings.HasPrefix(text[at:], suffix) && (at < 2 || !inWord(rune(text[at-2]))) {
			return at + len(suffix)
		}
	}
	return at
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// joins reports whether a character can stand inside of a word.
func joins(r rune) bool {
	switch r {
	case '\'', '’', '_', '-', '.':
		return true
	}
	return false
}

func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', ':', ';', '\n', '。', '！', '？', '"', '“', '”', '…':
		return true
	}
	return false
}

// unspaced reports whether a character is of a script whose words stand without spaces between
// them, or, as in Korean, with endings that are found best in the same way.
func unspaced(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// resolve fills in what the word is found by.
func (w *Word) resolve(in language, stems *stemmer) {
	if w.known != nil && w.known.simple {
		w.Plain = true
		if w.Stop = w.stops&(1<<in) != 0 && !w.known.acronym; w.Stop {
			w.Person = personOf(w.Lower, in)
		}
		w.Terms = stems.only(w.known.stem(in, stems))
		return
	}
	if r, _ := utf8.DecodeRuneInString(w.Text); unspaced(r) {
		w.Lower = w.Text
		w.pairs()
		return
	}
	if w.cutApostrophe(); w.Lower == "" {
		w.Lower = strings.ToLower(w.Text)
		w.stops = stopsOf(w.Lower)
	}
	if w.Lower == "" {
		w.Stop = true
		return
	}
	if isVersion(w.Lower) {
		w.Terms = stems.only(clip(strings.TrimPrefix(w.Lower, "v")))
		return
	}
	if !strings.ContainsAny(w.Text, "._-") && !hasHump(w.Text) {
		w.Plain = isLetters(w.Text)
		if w.Stop = w.stops&(1<<in) != 0 && !isAcronym(w.Text); w.Stop {
			w.Person = personOf(w.Lower, in)
		}
		w.Terms = stems.only(stems.stem(w.Lower, in))
		return
	}
	w.compound(in, stems)
}

// pairs sets the terms of a stretch of characters without spaces.
func (w *Word) pairs() {
	var runes []rune
	for _, r := range w.Text {
		runes = append(runes, unicode.ToLower(r))
	}
	for i := range len(runes) - 1 {
		w.Terms = append(w.Terms, string(runes[i:i+2]))
	}
	w.Tail = string(runes[len(runes)-1:])
}

// compound sets the terms of an identifier, a name of a file or a word with a hyphen: the whole
// in small letters without the characters that join, so that parseConfig, parse_config and
// parse-config meet, and the stem of each part. What stands before a dot is a whole of its own.
func (w *Word) compound(in language, stems *stemmer) {
	if strings.Contains(w.Lower, ".") {
		w.Terms = append(w.Terms, clip(w.Lower))
	}
	for segment := range strings.SplitSeq(w.Text, ".") {
		parts := parts(segment)
		if len(parts) > 1 {
			w.Terms = append(w.Terms, clip(strings.ToLower(strings.Join(parts, ""))))
		}
		for _, part := range parts {
			lower := strings.ToLower(part)
			if utf8.RuneCountInString(lower) > 1 && !isStop(lower, in) || len(parts) == 1 {
				w.Terms = append(w.Terms, stems.stem(lower, in))
			}
		}
	}
}

// cutApostrophe cuts "'s" and what else is written behind an apostrophe in English, and the
// articles before one in French and Italian. A negation is left without text.
func (w *Word) cutApostrophe() {
	if !strings.ContainsAny(w.Text, "'’") {
		return
	}
	w.Lower = ""
	pieces := strings.FieldsFunc(w.Text, func(r rune) bool { return r == '\'' || r == '’' })
	switch strings.ToLower(pieces[len(pieces)-1]) {
	case "t":
		if strings.HasSuffix(strings.ToLower(pieces[0]), "n") {
			w.Text = ""
			return
		}
	case "s", "m", "re", "ve", "ll", "d":
		if len(pieces) > 1 {
			pieces = pieces[:len(pieces)-1]
		}
	}
	if len(pieces) > 1 && utf8.RuneCountInString(pieces[0]) <= 4 {
		pieces = pieces[1:]
	}
	w.Text = strings.Join(pieces, "")
}

// isVersion reports whether a word in small letters is a version or another number with dots or
// hyphens: 1.26.0, v2.0-rc1, 2023-05-07.
func isVersion(word string) bool {
	word = strings.TrimPrefix(word, "v")
	return word != "" && word[0] >= '0' && word[0] <= '9' && strings.ContainsAny(word, ".-")
}

// hasHump reports whether a capital letter follows a small one, or a small one several capitals.
func hasHump(word string) bool {
	capitals, small := 0, false
	for _, r := range word {
		switch {
		case unicode.IsUpper(r):
			if small {
				return true
			}
			capitals++
		case unicode.IsLower(r):
			if capitals > 1 {
				return true
			}
			small = true
		}
	}
	return false
}

// parts splits an identifier at underscores, hyphens and humps: HTTPServer is HTTP and Server.
// Digits stay with the letters before them. Error codes and plurals of acronyms are one part.
func parts(word string) []string {
	var found []string
	for piece := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '_' || r == '-' }) {
		if isAcronym(strings.TrimSuffix(piece, "s")) {
			found = append(found, piece)
			continue
		}
		runes := []rune(piece)
		start := 0
		for i := 1; i < len(runes); i++ {
			hump := unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) ||
				i+1 < len(runes) && unicode.IsLower(runes[i+1]))
			if hump {
				found = append(found, string(runes[start:i]))
				start = i
			}
		}
		found = append(found, string(runes[start:]))
	}
	return found
}

// isAcronym reports whether a word consists of several capitals and perhaps digits.
func isAcronym(word string) bool {
	capitals := 0
	for _, r := range word {
		switch {
		case unicode.IsUpper(r):
			capitals++
		case !unicode.IsDigit(r):
			return false
		}
	}
	return capitals > 1
}

func isLetters(word string) bool {
	for _, r := range word {
		if unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// clip cuts a term at maxTerm bytes, between characters.
func clip(term string) string {
	if len(term) <= maxTerm {
		return term
	}
	end := maxTerm
	for end > 0 && !utf8.RuneStart(term[end]) {
		end--
	}
	return term[:end]
}

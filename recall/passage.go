package recall

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/recall/vectors"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

// A Sought is what a query looks for: its words with how much each of them says. It needs the
// index no more.
type Sought struct {
	terms map[string]credit
	// words are the weights of the words.
	words []float64
	total float64
	// length is the number of words, with half a word for a pair of characters.
	length float64
	// stems are the first letters of the terms: a string without any of them fits in nothing.
	stems []string
	// times are the past days, weeks or months that it names, if it asks for nothing else.
	times []period
}

// A credit is what a string gets for a term of the query: a share of the weight of a word.
type credit struct {
	word   int // of the query, from 0
	weight float64
	part   bool // it is a part of a name in code: what there is of the others adds to it
}

// A Passage is the part of a string that fits a query best.
type Passage struct {
	// Text is one sentence or line of the text, or a few that follow each other.
	Text string
	// Fit says how well it fits: how much the words say that it shares with the query, times the
	// cosine of the two. It is 0 if they share one word or less. Unlike the score of a hit it does
	// not depend on how much else a long text has, and counts what the query has and the passage
	// has not, and the other way round. A query of more than usualWords words shares some with any
	// text by chance, the more the longer it is: its fit is divided by that.
	Fit float64

	// shared is how much of each word of the query the passage has.
	shared []float64
}

// Share returns how much of what the passage shares with the query another one shares with it too, from 0 to 1: 0 if
// they answer different questions of the query.
func (p Passage) Share(other Passage) float64 {
	own, both := 0.0, 0.0
	for i, weight := range p.shared {
		own += weight
		if i < len(other.shared) {
			both += min(weight, other.shared[i])
		}
	}
	if own == 0 {
		return 0
	}
	return both / own
}

const (
	// leastDocuments is how many documents an index is taken to have at least: that a word is in
	// few of a few documents says little.
	leastDocuments = 1000
	// maxPassage is how long a passage is, in characters; a sentence that is shorter than a quarter of
	// it takes the next one along.
	maxPassage = 240
	// maxSentences is how many sentences of a string are weighed, maxSearched how much of it is read.
	maxSentences, maxSearched = 40, 16 << 10
	// stemLetters is how many letters of a term a sentence must have somewhere to be weighed.
	stemLetters = 4
	// usualWords is how many words that say something a query has that is not long.
	usualWords = 25
	// partOfName is what the parts of a name in code count that are there without the whole.
	partOfName = 0.6
)

// Seek returns what a query looks for in an index.
func (w Weights) Seek(index Index, query Query) (*Sought, error) {
	s := &Sought{terms: map[string]credit{}}
	stats, err := index.Stats()
	if err != nil {
		return nil, err
	}
	query.Beside, query.Text = "", withoutLinks(query.Text)
	asked, err := w.analyse(index, query)
	if err != nil {
		return nil, err
	}
	s.times = asked.only(int(query.Day), w.Generic)
	documents := max(stats.Documents, leastDocuments)
	var terms []string
	for _, p := range asked.parts {
		for _, t := range p.terms {
			terms = append(terms, t.text)
		}
	}
	lists, err := index.Lists(terms)
	if err != nil {
		return nil, err
	}
	for at := 0; at < len(asked.parts); {
		end := at + 1
		for end < len(asked.parts) && asked.parts[end].word == asked.parts[at].word {
			end++
		}
		n := 0
		for _, p := range asked.parts[at:end] {
			n += len(p.terms)
		}
		switch first, _ := utf8.DecodeRuneInString(asked.parts[at].word); {
		case asked.parts[at].word == "":
		case first >= firstUnspaced && end-at > 1:
			s.addPairs(asked.parts[at:end], lists[:n], documents)
		default:
			s.add(asked.parts[at:end], lists[:n], documents)
		}
		lists, at = lists[n:], end
	}
	return s, nil
}

// add adds a word of the query with its parts: the first is the whole, the others are the parts
// of a name in code.
func (s *Sought) add(parts []part, lists []List, documents int) {
	weights, heaviest, sum := make([]float64, len(parts)), 0.0, 0.0
	for i, p := range parts {
		own := min(float64(idf(lists[:1], documents)), vectors.Information(p.terms[0].text))
		weights[i] = float64(p.weight) * own
		for k, t := range p.terms {
			weight := weights[i] * float64(t.factor)
			if t.related {
				weight *= min(1, float64(idf(lists[k:k+1], documents))/own)
			}
			s.credit(t.text, credit{len(s.words), weight, false})
		}
		lists = lists[len(p.terms):]
		heaviest = max(heaviest, weights[i])
		if i > 0 {
			sum += weights[i]
		}
	}
	for i, p := range parts[1:] {
		if sum > 0 { // the parts of a name together
			s.terms[p.terms[0].text] = credit{len(s.words), partOfName * heaviest * weights[i+1] / sum, true}
		}
	}
	s.words = append(s.words, heaviest)
	s.total += heaviest
	s.length++
}

// firstUnspaced is the first character of a script that puts no space between words, whose terms
// are pairs of characters.
const firstUnspaced = 0x0E00

// addPairs adds a stretch of characters without spaces. Each pair is half a word, because it shares
// a character with the next.
func (s *Sought) addPairs(parts []part, lists []List, documents int) {
	for _, p := range parts {
		weight := float64(p.weight) * min(float64(idf(lists[:1], documents)), vectors.MostInformation) / 2
		lists = lists[len(p.terms):]
		s.credit(p.terms[0].text, credit{len(s.words), weight, false})
		s.words = append(s.words, weight)
		s.total += weight
		s.length += 0.5
	}
}

func (s *Sought) credit(term string, c credit) {
	if before, there := s.terms[term]; there && before.weight >= c.weight {
		return
	}
	s.terms[term] = c
	stem := term
	if utf8.RuneCountInString(term) > stemLetters {
		stem = string([]rune(term)[:stemLetters])
	}
	s.stems = append(s.stems, stem)
}

// Passage returns the part of a string that fits best, or a zero Passage. It is told with its links, whose words
// count for nothing.
func (s *Sought) Passage(text string) Passage {
	if len(text) > maxSearched {
		text = strings.ToValidUTF8(text[:maxSearched], "")
	}
	var best Passage
	weighed := 0
	all := sentencesOf(text)
	for i, sentence := range all {
		if !s.mayFit(withoutLinks(sentence)) || !tells(sentence) {
			continue
		}
		if weighed++; weighed > maxSentences {
			break
		}
		passage := s.from(all[i:])
		if strings.HasSuffix(passage, ":") {
			continue // what it leads to is too long
		}
		if fit, shared := s.fit(withoutLinks(passage)); fit > best.Fit {
			best = Passage{passage, fit, shared}
		}
	}
	return best
}

// PassageThen returns the passage of a string of a day that says what was in the past time for which alone a query
// asks: the first one if the day is of that time, otherwise the first one that names a day of it. It fits by no word.
// The passage is empty if there is none.
func (s *Sought) PassageThen(text string, day uint16) (found Passage) {
	if len(s.times) == 0 || day == 0 {
		return found
	}
	isWritten := isWithin(s.times, int(day), int(day))
	all := sentencesOf(strings.ToValidUTF8(text[:min(len(text), maxSearched)], ""))
	for i, sentence := range all[:min(len(all), maxSentences)] {
		if !tells(sentence) {
			continue
		}
		names := func(time words.Period) bool {
			first, last := time.Near(int(day))
			return isWithin(s.times, first, last)
		}
		if isWritten || slices.ContainsFunc(words.AnalyzeOf(sentence, int(day)).Times, names) {
			return Passage{Text: s.from(all[i:])}
		}
	}
	return found
}

// from returns the first of some sentences, and the next one if that is short, cut.
func (s *Sought) from(all []string) string {
	passage, chars := all[0], utf8.RuneCountInString(all[0])
	if len(all) > 1 && chars < maxPassage/4 && tells(all[1]) {
		if next := utf8.RuneCountInString(all[1]); chars+1+next <= maxPassage {
			passage += " " + all[1]
		}
	}
	return s.cut(passage)
}

// cut returns at most maxPassage characters of a long sentence, about the first word of the query.
func (s *Sought) cut(text string) string {
	runes := []rune(text)
	if len(runes) <= maxPassage {
		return text
	}
	lower, from := strings.ToLower(text), len(text)
	for _, stem := range s.stems {
		if at := strings.Index(lower, stem); at >= 0 {
			from = min(from, at)
		}
	}
	start := 0
	if len(lower) == len(text) && from < len(text) {
		start = utf8.RuneCountInString(text[:from])
	}
	start = min(max(start-maxPassage/3, 0), len(runes)-maxPassage)
	end := start + maxPassage
	for start > 0 && start < end && !unicode.IsSpace(runes[start-1]) {
		start++
	}
	for end < len(runes) && end > start+maxPassage/2 && !unicode.IsSpace(runes[end]) {
		end--
	}
	cut := strings.TrimSpace(string(runes[start:end]))
	if start > 0 {
		cut = "… " + cut
	}
	if end < len(runes) {
		cut += " …"
	}
	return cut
}

func (s *Sought) mayFit(sentence string) bool {
	lower := strings.ToLower(sentence)
	for _, stem := range s.stems {
		if strings.Contains(lower, stem) {
			return true
		}
	}
	return false
}

// fit returns how well a passage fits, and how much of each word of the query it has.
func (s *Sought) fit(passage string) (fit float64, got []float64) {
	got = make([]float64, len(s.words))
	parts := make([]float64, len(s.words))
	own := 0.0
	for _, term := range words.Analyze(passage).Terms {
		c, shared := s.terms[term.Text]
		switch {
		case shared && c.part:
			parts[c.word] += c.weight
			own += c.weight
		case shared:
			got[c.word] = max(got[c.word], c.weight)
			own += c.weight
		default:
			own += vectors.Information(term.Text)
		}
	}
	mass, shared := 0.0, 0
	for i, weight := range s.words {
		if got[i] = min(max(got[i], parts[i]), weight); got[i] > 0 {
			shared++
			mass += got[i]
		}
	}
	if shared < 2 || own == 0 || s.total == 0 {
		return 0, nil
	}
	return mass * min(1, mass/math.Sqrt(s.total*own)) * min(1, usualWords/s.length), got
}

// minSentence is the length of the shortest sentence that says something alone, without its links, in bytes.
const minSentence = 12

// sentencesOf returns the sentences and lines of a string, without the marks of Markdown. Blocks of
// code are left out.
func sentencesOf(text string) []string {
	var found []string
	inCode := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			inCode = !inCode
			continue
		}
		if inCode {
			continue
		}
		line = strings.TrimLeft(line, "#>*-+•| \t")
		line = strings.ReplaceAll(line, "**", "")
		for len(line) > 0 {
			end := sentenceEnd(line)
			sentence := strings.TrimSpace(line[:end])
			if len(strings.TrimSpace(withoutLinks(sentence))) >= minSentence {
				found = append(found, sentence)
			}
			line = line[end:]
		}
	}
	return found
}

// sentenceEnd returns where the first sentence of a line ends: behind a full stop, an exclamation
// or question mark before a space and a capital letter, or behind one of a script without spaces.
func sentenceEnd(line string) int {
	for at, r := range line {
		end := at + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			return end
		case '.', '!', '?':
			rest := strings.TrimLeft(line[end:], " ")
			if len(rest) == len(line)-end {
				continue
			}
			if next, _ := utf8.DecodeRuneInString(rest); unicode.IsUpper(next) || unicode.IsDigit(next) || next == '`' {
				return end
			}
		}
	}
	return len(line)
}

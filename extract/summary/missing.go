package summary

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/quality"
)

// found is the least part of the significant words of a line that a text has to
// hold so that it says the line.
const found = 0.6

// Missing returns the lines of a summary that always stay (its task, its next
// step, its decisions: systems.md C3) and that a text, such as the summary that
// a model wrote, does not say.
func Missing(summary Summary, text string) []string {
	rest := summary.Without(text)
	return slices.Concat(single(rest.Task), single(rest.NextStep), rest.Decisions)
}

// Without returns what always stays and what a text does not say: the task, the
// next step and the decisions of which it lacks the words.
func (s Summary) Without(text string) Summary {
	v := vocabularyOf(text)
	said := func(line string) bool { return line == "" || v.share(words(line)) >= found }
	var rest Summary
	if !said(s.Task) {
		rest.Task = s.Task
	}
	if !said(s.NextStep) {
		rest.NextStep = s.NextStep
	}
	for _, decision := range s.Decisions {
		if !said(decision) {
			rest.Decisions = append(rest.Decisions, decision)
		}
	}
	return rest
}

// A vocabulary is the significant words of a text, and how they begin.
type vocabulary struct{ whole, beginnings map[string]bool }

// minStem and maxStem are how many letters two words have to begin with to be
// forms of one: all of the shorter one, or maxStem.
const minStem, maxStem = 3, 6

func vocabularyOf(text string) vocabulary {
	v := vocabulary{map[string]bool{}, map[string]bool{}}
	for _, word := range words(text) {
		v.whole[word] = true
		for _, start := range beginnings(word, 4*maxStem) {
			v.beginnings[start] = true
		}
	}
	return v
}

func beginnings(word string, limit int) []string {
	var all []string
	n := 0
	for i := range word {
		if n >= minStem && n <= limit {
			all = append(all, word[:i])
		}
		n++
	}
	return all
}

// share is how many of the words the vocabulary holds in some form, from 0 to 1;
// 0 without words.
func (v vocabulary) share(words []string) float64 {
	if len(words) == 0 {
		return 0
	}
	n := 0
	for _, word := range words {
		if v.holds(word) {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

func (v vocabulary) holds(word string) bool {
	if v.whole[word] || v.beginnings[word] {
		return true
	}
	return slices.ContainsFunc(beginnings(word, 4*maxStem), func(start string) bool {
		return v.whole[start] || utf8.RuneCountInString(start) == maxStem && v.beginnings[start]
	})
}

// words returns the significant words of a text, each once; what is written
// without spaces as pairs of characters.
func words(text string) []string {
	var all []string
	for _, word := range strings.FieldsFunc(quality.Canonical(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		for _, run := range runs(word) {
			all = append(all, significant(run)...)
		}
	}
	return distinctBy(all, func(word string) string { return word })
}

// runs parts a word where the script changes between one with spaces and one
// without.
func runs(word string) []string {
	var all []string
	start, dense := 0, false
	for i, r := range word {
		if d := isDense(r); i == 0 || d != dense {
			if i > start {
				all = append(all, word[start:i])
			}
			start, dense = i, d
		}
	}
	return append(all, word[start:])
}

func isDense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func significant(run string) []string {
	runes := []rune(run)
	if !isDense(runes[0]) {
		if len(runes) < minStem && !unicode.IsDigit(runes[0]) || slices.Contains(frequent, run) {
			return nil
		}
		return []string{run}
	}
	if len(runes) == 1 {
		return []string{run}
	}
	var pairs []string
	for i := range len(runes) - 1 {
		pairs = append(pairs, string(runes[i:i+2]))
	}
	return pairs
}

// frequent words say nothing about what a line is about.
var frequent = strings.Fields(`
	the and that this with for from into not are was were will would should could can you your our they them then now next let lets have has had
	but also just all any its ill ive weve well been being does did doing done there here what when which who how why because since
	der die das den dem des ein eine einen einem und oder nicht mit von für auf aus bei wir ich sie ist sind wird werden dann als auch noch zum zur weil
	les des une est pas pour avec dans que qui sur nous vous ils son ses aux los las una con por para que del como más está son não uma com dos das`)

package summary

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/quality"
)

// found is the minimum share of the significant words of a line in a string that
// includes the content of the line.
const found = 0.6

// Without returns a summary of the task, the next step and the decisions (systems.md C3) whose
// words are missing from a string, such as the summary of a model.
func (s Summary) Without(text string) Summary {
	v := vocabularyOf(text)
	has := func(line string) bool { return line == "" || v.share(words(line)) >= found }
	var rest Summary
	if !has(s.Task) && !statesTask.Match(text) {
		rest.Task = s.Task
	}
	if !has(s.NextStep) {
		rest.NextStep = s.NextStep
	}
	for _, decision := range s.Decisions {
		if !has(decision) {
			rest.Decisions = append(rest.Decisions, decision)
		}
	}
	return rest
}

// statesTask matches a string with a line or a heading that states the task itself, in the
// languages of the requests. It may be in other words than those of the user.
var statesTask = pattern.New(`(?im)^[\s#>*_-]*(?:(?:the|our|my|current|main|die|la|le|el|a|o)\s+)*` +
	`(?:task|goal|objective|aufgabe|ziel|tâche|objectif|tarea|objetivo|tarefa|задача|цель)` +
	`[\s*_]*(?:[:：]|$)|(?m)^[\s#>*_-]*(?:当前|目前的?|現在の|현재\s*)?(?:任务|目标|タスク|目標|작업|목표)[\s*_]*(?:[:：]|$)`)

// A vocabulary is the set of significant words of a string, and of their prefixes.
type vocabulary struct{ whole, beginnings map[string]bool }

// Two words are forms of the same word if one of at least minStem letters is a prefix
// of the other, or if they have a common prefix of maxStem letters.
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

// share returns the share of the words that are in the vocabulary in some form, or 0
// if there are no words.
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

// words returns the distinct significant words of a string. Words of a script without
// spaces are pairs of characters.
func words(text string) []string {
	var all []string
	for _, word := range strings.FieldsFunc(quality.Canonical(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		for _, run := range runs(word) {
			all = append(all, significant(run)...)
		}
	}
	return withoutDuplicates(all)
}

// runs splits a word where the script changes between one with spaces and one without.
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
		if len(runes) < minStem && !unicode.IsDigit(runes[0]) || frequent.Has(run) {
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

// frequent words do not describe the content of a line.
var frequent = pattern.SetOf(`
	the and that this with for from into not are was were will would should could can you your our they them then
	now next let lets have has had but also just all any its ill ive weve well been being does did doing done there
	here what when which who how why because since
	der die das den dem des ein eine einen einem und oder nicht mit von für auf aus bei wir ich sie ist sind wird
	werden dann als auch noch zum zur weil
	les des une est pas pour avec dans que qui sur nous vous ils son ses aux
	los las una con por para que del como más está son não uma com dos das`)

package gating

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// A Piece is what is known of a new item.
type Piece struct {
	Type, Text string
	Source     string // user, tool, system, model or ""
	// Failed is true for the result of a tool that failed.
	Failed bool
}

// byType is the importance of an item of a type before its text is looked at: what holds beyond
// the task weighs more than a step of it.
var byType = once.Value[map[string]float64]{Make: func() map[string]float64 {
	return map[string]float64{
		"skill": 0.7, "summary": 0.6, "pattern": 0.6, "fact": 0.5, "user_message": 0.4, "plan": 0.4, "action": 0.4,
		"observation": 0.35, "tool_result": 0.35, "metric": 0.3, "thought": 0.25,
	}
}}

// unknownType is the importance of an item of another type or none.
const unknownType = 0.35

// A cue is a group of words that raise or lower the importance of a string, once each group.
type cue struct {
	adds  float64
	words []string
}

// cues are the groups. A word is looked for as a whole, in lower case.
var cues = []cue{
	{0.2, []string{"always", "never", "must", "important", "critical", "remember", "required", "breaking"}},
	{0.15, []string{"decided", "decision", "chose", "chosen", "because", "agreed", "instead", "rejected"}},
	{0.15, []string{
		"error", "errors", "failed", "fails", "failure", "panic", "crash", "crashed", "exception", "bug", "broken",
		"regression", "deadlock", "leak", "vulnerability",
	}},
	{0.1, []string{"fixed", "fix", "resolved", "solved", "solution", "workaround", "cause", "caused", "root"}},
	{0.05, []string{"deadline", "release", "deploy", "production", "customer", "migration", "security"}},
	{-0.15, []string{"maybe", "perhaps", "hmm", "wondering"}},
}

// weights maps the words of the cues to their groups, and has their first letters by their length, as bits: most words
// of a string need not be looked up.
type weights struct {
	groups map[string]int
	begins [maxCue + 1]uint32
}

var cueWords = once.Value[*weights]{Make: func() *weights {
	made := &weights{groups: map[string]int{}}
	for i, c := range cues {
		for _, word := range c.words {
			made.groups[word] = i
			made.begins[len(word)] |= 1 << (word[0] - 'a')
		}
	}
	return made
}}

// groupOf returns the group of the cues that a word is of, in any case.
func groupOf(word string) (group int, is bool) {
	if len(word) > maxCue {
		return 0, false
	}
	known, first := cueWords.Get(), word[0]|0x20
	if isPlain := 'a' <= first && first <= 'z'; isPlain && known.begins[len(word)]>>(first-'a')&1 == 0 {
		return 0, false
	}
	group, is = known.groups[strings.ToLower(word)]
	return group, is
}

// fillers are messages that say nothing that can be used later.
var fillers = once.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"ok": true, "okay": true, "yes": true, "no": true, "thanks": true, "thank you": true, "done": true,
		"go on": true, "continue": true, "great": true, "nice": true, "good": true, "cool": true, "sure": true,
		"please": true, "let me see": true, "let me check": true, "let me think": true, "hi": true, "hello": true,
		"hmm": true, "wait": true, "looks good": true, "sounds good": true, "next": true, "please continue": true,
		"please go on": true,
	}
}}

// Importance estimates how useful an item will be later, from 0 to 1: the value of its type, plus
// what the words say (0.2 for rules, 0.15 for decisions and for errors, 0.1 for fixes, −0.15 for
// doubts), 0.1 for a name of code or a path, 0.05 for a number, 0.1 from a user, 0.15 if a tool
// failed, 0.15 if it concerns a mandate, −0.05 for a question, −0.2 for less than three words, −0.3
// for a filler such as "ok". A string without words has none.
func Importance(p Piece, mandates []Mandate) float64 {
	text := strings.TrimSpace(p.Text)
	value, known := byType.Get()[p.Type]
	if !known {
		value = unknownType
	}
	words, isCode, hasNumber := 0, false, false
	var met [8]bool
	for field := range strings.FieldsSeq(head(text)) {
		word := field
		if !isAlphanumeric(field[0]) || !isAlphanumeric(field[len(field)-1]) {
			word = strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		}
		if word == "" {
			continue
		}
		words++
		if group, is := groupOf(word); is && !met[group] {
			met[group] = true
			value += cues[group].adds
		}
		isCode = isCode || isName(word)
		hasNumber = hasNumber || hasDigit(word)
	}
	if words == 0 && !strings.ContainsFunc(text, unicode.IsLetter) {
		return 0
	}
	switch {
	case fillers.Get()[strings.ToLower(strings.Trim(text, " .!,;:\n"))]:
		value -= 0.3
	case words < 3 && len(text) < 24 && !isCode && utf8.RuneCountInString(text) == len(text):
		value -= 0.2
	}
	value += when(isCode, 0.1) + when(hasNumber, 0.05) + when(p.Source == "user", 0.1) + when(p.Failed, 0.15) +
		when(strings.HasSuffix(text, "?"), -0.05)
	if concerns(text, mandates) {
		value += 0.15
	}
	return math.Round(min(1, max(0, value))*1000) / 1000
}

// isAlphanumeric reports whether a byte is a letter or a digit of ASCII.
func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

func hasDigit(word string) bool {
	for i := range len(word) {
		if '0' <= word[i] && word[i] <= '9' {
			return true
		}
	}
	return false
}

// maxCue is the length of the longest word of a cue.
const maxCue = 13

// head returns the first 4 KB of a string: what is important says so early.
func head(text string) string {
	const most = 4096
	if len(text) <= most {
		return text
	}
	return text[:most]
}

func when(is bool, value float64) float64 {
	if is {
		return value
	}
	return 0
}

// isName reports whether a word is a name of code or a path, such as parseConfig, parse_config,
// pkg.Func, cmd/main.go or E0308.
func isName(word string) bool {
	upper, lower := false, false
	for i := range len(word) {
		switch c := word[i]; {
		case c == '_' || c == '/':
			return i > 0
		case c == '.' || c == ':':
			if 0 < i && i+1 < len(word) && word[i+1] >= 'A' {
				return true
			}
		case 'A' <= c && c <= 'Z':
			upper = upper || lower
		case 'a' <= c && c <= 'z':
			lower = true
		}
	}
	return upper
}

// A Mandate is a rule of the user that is always in force.
type Mandate struct{ features []uint64 }

// MandateOf returns the mandate with a string.
func MandateOf(text string) Mandate { return Mandate{wordsOf(text)} }

// concerns reports whether a string shares at least three words, of four letters or more, with a
// mandate.
func concerns(text string, mandates []Mandate) bool {
	if len(mandates) == 0 {
		return false
	}
	words := wordsOf(head(text))
	for _, m := range mandates {
		common := 0
		for _, word := range words {
			for _, other := range m.features {
				if word == other {
					common++
				}
			}
		}
		if common >= 3 {
			return true
		}
	}
	return false
}

// wordsOf returns the hashes of the distinct words of a string with at least four letters.
func wordsOf(text string) []uint64 {
	var words []uint64
	seen := map[uint64]bool{}
	separates := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for field := range strings.FieldsFuncSeq(text, separates) {
		if utf8.RuneCountInString(field) < 4 {
			continue
		}
		eachWord(field, func(hash uint64) bool {
			if !seen[hash] {
				seen[hash] = true
				words = append(words, hash)
			}
			return true
		})
	}
	return words
}

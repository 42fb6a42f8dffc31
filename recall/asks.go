package recall

import (
	"slices"
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

// Asks reports whether a prompt asks for something that may be known, or shows an error: a
// sentence begins with a question word or as a question, or a word reports an error. "Can you" and
// the like begin an order.
func Asks(prompt string) bool {
	if len(prompt) > longestQuery {
		prompt = strings.ToValidUTF8(prompt[:longestQuery], "")
	}
	for line := range strings.Lines(withoutLinks(prompt)) {
		for line = strings.TrimSpace(line); line != ""; {
			end := sentenceEnd(line)
			if isQuestion(line[:end]) {
				return true
			}
			line = strings.TrimSpace(line[end:])
		}
	}
	return slices.ContainsFunc(words.Words(prompt), func(word words.Word) bool {
		return vocabularies.Get().errors[word.Lower]
	})
}

// AsksWhy reports whether a prompt asks for the reason of something.
func AsksWhy(prompt string) bool {
	prompt = strings.ToValidUTF8(prompt[:min(len(prompt), longestQuery)], "")
	return slices.ContainsFunc(words.Words(prompt), func(word words.Word) bool {
		return word.Lower == "why" || word.Lower == "reason" || word.Lower == "rationale"
	})
}

// isQuestion reports whether a sentence asks for something.
func isQuestion(sentence string) bool {
	known, marked := vocabularies.Get(), strings.ContainsAny(sentence, "?？")
	for i, word := range firstWords(sentence) {
		switch {
		case known.asking[word]:
			return true
		case known.ordering[word], i == 0 && !marked && !known.before[word]:
			return false
		case marked && known.beginning[word]:
			return true
		}
	}
	return marked
}

// firstWords returns the first words of a sentence in lower case, as many as may stand before the
// one that says what kind it is.
func firstWords(sentence string) []string {
	const first = 3
	found := strings.FieldsFunc(strings.ToLower(sentence[:min(len(sentence), 64)]), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\'' && r != '’'
	})
	return found[:min(len(found), first)]
}

// A vocabulary says what kind a sentence is.
type vocabulary struct {
	asking map[string]bool
	// beginning are the words with which other questions begin, if they have a question mark.
	beginning map[string]bool
	// ordering are those with which orders begin, though they may have a question mark.
	ordering map[string]bool
	// before are words that may stand before a question.
	before map[string]bool
	errors map[string]bool
}

var vocabularies = once.Value[vocabulary]{Make: func() vocabulary {
	set := func(list string) map[string]bool {
		found := map[string]bool{}
		for word := range strings.FieldsSeq(list) {
			found[word] = true
		}
		return found
	}
	return vocabulary{
		asking: set("why how what which where when who whose what's where's who's how's what’s where’s who’s how’s"),
		beginning: set(`is are was were do does did has have had isn't aren't wasn't don't doesn't didn't hasn't
			haven't`),
		ordering: set("can could would will please let's lets let’s should shall may can't couldn't shouldn't"),
		before:   set("and but so also ok okay hm hmm um ummm wait q oh then now or well tell remind"),
		errors:   set("exception traceback fatal panic segfault stacktrace"),
	}
}}

// planning are the beginnings of sentences that say what somebody is about to do, offer something,
// or lead to something else.
var planning = []string{
	"let me", "let's", "let’s", "now let", "i'll ", "i’ll ", "i will ", "i'd ", "i’d ", "i'm ", "i’m ", "i am ",
	"now i", "next i", "i can see", "i need", "i should", "i see ", "looking at", "want me", "would you",
	"do you want", "should i", "good,", "great", "perfect", "here's", "here’s", "here is", "here are",
	"that makes sense", "makes sense", "you're right", "you’re right",
}

// tells reports whether a sentence tells something: it is not a question, and does not say what
// somebody is about to do.
func tells(sentence string) bool {
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？") {
		return false
	}
	lower := strings.ToLower(sentence[:min(len(sentence), 64)])
	return !slices.ContainsFunc(planning, func(begin string) bool { return strings.HasPrefix(lower, begin) })
}

// withoutLinks returns a string without the addresses of pages, whose words say where something is
// and not what it is about.
func withoutLinks(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	var kept strings.Builder
	for {
		at := strings.Index(text, "://")
		if at < 0 {
			kept.WriteString(text)
			return kept.String()
		}
		begin := at
		for begin > 0 && 'a' <= text[begin-1]|0x20 && text[begin-1]|0x20 <= 'z' {
			begin--
		}
		kept.WriteString(text[:begin])
		end := strings.IndexFunc(text[at:], func(r rune) bool { return unicode.IsSpace(r) || r == ')' || r == '>' })
		if end < 0 {
			return kept.String()
		}
		text = text[at+end:]
	}
}

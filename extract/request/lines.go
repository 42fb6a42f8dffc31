package request

import (
	"strings"
	"unicode/utf8"
)

// Lines returns the sentences of each line of a message that its author wrote:
// without code, quotations, and rows of logs and tables.
func Lines(message string) [][]string {
	var all [][]string
	for _, l := range prose(message) {
		if found := sentences(l.text); len(found) > 0 {
			all = append(all, found)
		}
	}
	return all
}

// IsQuestion reports whether a sentence is a question, with or without a question
// mark.
func IsQuestion(sentence string) bool { return isQuestion(sentence) }

// Lead returns the clauses of a sentence before the one that asks to remember something, "" if there are none or the
// sentence is longer than a request may be.
func Lead(sentence string) string {
	if utf8.RuneCountInString(sentence) > maxText {
		return ""
	}
	wish, _ := match(sentence, spokenIn(sentence))
	return wish.lead
}

// Speech returns the sentences of each paragraph of a message that its author said: without what
// hosts add, what programs printed, and pasted documents.
func Speech(message string) [][]string {
	var all [][]string
	for _, p := range speechOf(message).said {
		if found := sentences(p.text); len(found) > 0 && !heading.Match(p.text) {
			all = append(all, found)
		}
	}
	return all
}

// Title returns the first line of a document that says what it is about, "" if the message comes
// from the host. A line that announces what follows is none, nor is a comment.
func Title(message string) string {
	if hosted.Match(message[:min(len(message), 200)]) {
		return ""
	}
	for _, l := range prose(message) {
		text := strings.Trim(l.text, "#*= \t")
		if len(strings.Fields(text)) > 1 && !strings.HasSuffix(text, ":") && !strings.HasPrefix(text, "<!--") {
			return text
		}
	}
	return ""
}

package request

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// maxForget is the maximum length of a message that is read for what it asks to forget, in characters.
const maxForget = 500

var (
	// forget matches a sentence that asks to forget something. Without "that" or a name for what is remembered, a
	// clause that follows makes it an idiom: "forget the tests, just build it".
	forget = pattern.Wording{
		Words: pattern.Words(`forget|memory|remembering|vergiss|oublie|olvida|esque`),
		Pattern: pattern.New(
			`^(?:(?:please|ok(?:ay)?|hey|now|and|also)[,.! ]+)*(?:(?:can|could|would|will) you )?(?:please )?(?:` +
				`forget(?: about)? (?:that|the fact that) (?P<text>.+?)|` +
				`forget (?:about )?(?:the|our|my|this)? ?` + remembered + `:? (?:that |about |of )?(?P<text>.+?)|` +
				`forget (?:about )?(?:the|our|my)? ?(?P<text>[^,;:–—]+?) ` + remembered + `|` +
				`forget (?P<text>[^,;:–—]+?)|` +
				`(?:remove|delete|erase|drop) (?P<text>.+?) from (?:(?:the|your|our) )?(?:\w+ )?memory|` +
				`stop remembering (?:that )?(?P<text>.+?)|` +
				`(?:vergiss|oublie[zr]?|olvida|esque[cç][ae])(?: bitte)?,? (?:dass|daß|que) (?P<text>.+?)` +
				`)[.!? ]*$`,
		),
	}
	// noForget matches what is told to be forgotten in other senses.
	noForget = pattern.New(
		`^(?:(?:it|this|that|me|him|her|them|all|everything|anything|whatever|what|about|to|your|any|previous|` +
			`prior|how|why)\b|the (?:above|rest|last|previous)\b|que\b)`,
	)
)

// remembered is what people call an entry.
const remembered = `(?:rule|entry|decision|fact|note|preference|convention|memory|reference|reminder)`

// ToForget returns what the sentences of a user's message ask to forget, in their words.
func ToForget(message string) (texts []string) {
	if utf8.RuneCountInString(message) > maxForget || !forget.Words.In(strings.ToLower(message)) {
		return nil
	}
	for _, sentences := range Speech(message) {
		for _, sentence := range sentences {
			match := forget.Pattern.Submatch(sentence)
			if match == nil {
				continue
			}
			if text := strings.TrimSpace(forget.Pattern.Group(match, "text")); !noForget.Match(text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// forgetting are the words of forgetting that no work on code has: what is removed from memory may be a cache.
var forgetting = pattern.Words(`forget|remembering|vergiss|oublie|olvida|esque`)

// OnlyForgets reports whether a sentence asks to forget something, and for nothing else.
func OnlyForgets(sentence string) bool {
	return forgetting.In(strings.ToLower(sentence)) && len(ToForget(sentence)) > 0
}

package store

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// erased replaces a string that was erased.
const erased = "[erased]"

// minErased is the minimum length of a string, in bytes, that is also erased within words. A
// shorter text may be a part of an unrelated word.
const minErased = 8

// Without returns a string in which "[erased]" replaces each of the strings. A string of less than 8
// bytes is only replaced where it is not a part of a word.
func Without(text string, texts []string) string { return string(WithoutBytes([]byte(text), texts)) }

// IsErased reports whether Without has left nothing of a string.
func IsErased(text string) bool { return strings.TrimSpace(strings.ReplaceAll(text, erased, "")) == "" }

// WithoutBytes is Without for the content of a file.
func WithoutBytes(content []byte, texts []string) []byte {
	for _, text := range texts {
		if text == "" {
			continue
		}
		if len(text) >= minErased {
			content = bytes.ReplaceAll(content, []byte(text), []byte(erased))
			continue
		}
		content = withoutWord(content, []byte(text))
	}
	return content
}

func withoutWord(content, word []byte) []byte {
	var kept []byte
	for from := 0; ; {
		at := bytes.Index(content[from:], word)
		if at < 0 {
			return append(kept, content[from:]...)
		}
		at += from
		before, _ := utf8.DecodeLastRune(content[:at])
		after, _ := utf8.DecodeRune(content[at+len(word):])
		kept = append(kept, content[from:at]...)
		if inWord(before) || inWord(after) {
			kept = append(kept, word...)
		} else {
			kept = append(kept, erased...)
		}
		from = at + len(word)
	}
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

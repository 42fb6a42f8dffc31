// Package tag defines the tags of a context and neutralizes text that looks like
// one of them.
package tag

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The tags of the sections of a context and of their parts.
const (
	Guide           = "guide"
	WorkspaceMemory = "workspace_memory"
	CoreMemory      = "core_memory"
	Goal            = "goal"
	Progress        = "progress"
	Context         = "context"
	Overview        = "overview"
	WorkingMemory   = "working_memory"
	SessionState    = "session_state"
	Recalled        = "recalled_memory"
	Handover        = "session_handover"
	Pressure        = "pressure"
	ContextMeta     = "context_meta"
)

var names = []string{
	Guide, WorkspaceMemory, CoreMemory, Goal, Progress, Context, Overview, Recalled, Handover, WorkingMemory,
	SessionState, Pressure, ContextMeta,
}

// Names returns all tags.
func Names() []string { return slices.Clone(names) }

// Unmistakable returns the tags that have no other meaning. <progress>, for
// example, is also an HTML tag, and many programs use <context>.
func Unmistakable() []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return !strings.Contains(name, "_") })
}

// Inert returns a visible text in which ‹ stands for each < that could begin a tag of a
// context. It ignores case, spaces and attributes, accepts incomplete tags, and
// recognizes tags written with compatibility characters of Unicode, invisible characters
// or HTML entities.
func Inert(text string) string {
	text = Visible(text)
	var out strings.Builder
	kept := 0
	for i := 0; i < len(text); {
		// < and &, and the first byte of ＜ and ﹤
		if text[i] != '<' && text[i] != '&' && text[i] != 0xef {
			i++
			continue
		}
		plain, size := next(text[i:])
		rest, opens := strings.CutPrefix(plain, "<")
		if opens && beginsTag(rest, text[i+size:]) {
			out.WriteString(text[kept:i] + "‹" + rest)
			kept = i + size
		}
		i += size
	}
	if kept == 0 {
		return text
	}
	return out.String() + text[kept:]
}

// longest is the length of the longest name.
const longest = len(WorkspaceMemory)

// beginsTag reports whether plain, followed by text, continues the < of a tag.
func beginsTag(plain, text string) bool {
	name := make([]byte, 0, longest)
	for {
		for _, c := range plain {
			switch {
			case c == '_' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
				if len(name) == longest {
					return false
				}
				name = append(name, byte(c))
			case len(name) == 0 && (c == '/' || unicode.IsSpace(c)):
			default:
				return slices.Contains(names, string(name))
			}
		}
		if text == "" {
			return slices.Contains(names, string(name))
		}
		var size int
		plain, size = next(text)
		text = text[size:]
	}
}

// next returns the first character of a string in its plain form, in lower case, and
// its length in the text. An invisible character has the plain form "".
func next(text string) (plain string, size int) {
	c, size := utf8.DecodeRuneInString(text)
	switch {
	case c == '&':
		return entity(text)
	case c < utf8.RuneSelf:
		if isInvisible(c) {
			return "", size
		}
		return strings.ToLower(text[:size]), size
	case isInvisible(c):
		return "", size
	}
	return strings.ToLower(norm.NFKC.String(text[:size])), size
}

// entity returns the decoded HTML entity at the beginning of a string, or its &.
func entity(text string) (plain string, size int) {
	for size = 1; size < len(text) && isOfEntity(text[size]); size++ {
	}
	if size < len(text) && text[size] == ';' {
		size++
	}
	written := text[:size]
	if plain = html.UnescapeString(written); plain == written {
		return "&", 1
	}
	var seen strings.Builder
	for _, c := range plain {
		if !isInvisible(c) {
			seen.WriteRune(c)
		}
	}
	return strings.ToLower(norm.NFKC.String(seen.String())), size
}

func isOfEntity(c byte) bool {
	return c == '#' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isInvisible reports whether a character is neither visible nor a space.
func isInvisible(c rune) bool {
	if c < utf8.RuneSelf {
		return c < ' ' && !unicode.IsSpace(c) || c == 0x7f
	}
	return !unicode.IsSpace(c) &&
		unicode.In(c, unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// What stands below a line that is the name of a secret: a block below a heading, an item below an item, the codes
// of a list. A sentence that mentions a secret is no such line, except above a list of codes.

// maxEmpty is how many lines without text may stand before the value.
const maxEmpty = 3

// underneath appends the values that stand below the line of a name.
func underneath(s string, n named, found []span) []span {
	newline := lineEnd(s, n.end)
	if newline >= len(s) || newline-n.end > maxName {
		return found
	}
	if n.kind == code {
		return codesBelow(s, newline, found)
	}
	if n.kind != password && n.kind != key && n.kind != variable || !isTitle(s, n, newline) {
		return found
	}
	if n.kind == password && strings.HasSuffix(lowered(n.text), "s") && strings.HasSuffix(strings.TrimRight(
		s[:newline], " \r"), ":") {
		if more := pairsBelow(s, newline, found); len(more) > len(found) {
			return more
		}
	}
	if start, end, ok := blockBelow(s, n, newline); ok {
		return append(found, span{start, end, assigned})
	}
	return found
}

// isTitle reports whether the line of a name says nothing but the name and what it is for.
func isTitle(s string, n named, newline int) bool {
	const marks = " \t\r-*•·>+#|│_`\"'=0123456789.)"
	before := strings.Fields(strings.Trim(lineBefore(s, n.start), marks))
	behind := strings.Trim(s[n.end:newline], marks+":：(")
	after := strings.Fields(lowered(behind))
	if len(before) > 3 || len(after) > 6 || strings.ContainsAny(behind, "=;{}[]\"`|<>!?.,") {
		return false
	}
	lex := words()
	for _, word := range before {
		if low := lowered(word); lex.is[low] || lex.isVerb(low) || lex.about[low] ||
			strings.ContainsAny(word, ".,:;=(<") {
			return false
		}
	}
	return len(after) == 0 || lex.gaps[after[0]]
}

// blockBelow finds the value in the first lines below the one that ends at newline. It stands alone on its line. One
// that is marked, by a fence, backticks, a quotation or its indentation, may be any word that can be a secret, and that
// of a password a phrase; others have to look like secrets.
func blockBelow(s string, n named, newline int) (start, end int, ok bool) {
	at, marked, fenced := newline+1, false, false
	for range maxEmpty {
		line := strings.TrimSpace(s[min(at, len(s)):lineEnd(s, min(at, len(s)))])
		if strings.HasPrefix(line, "```") && !fenced {
			marked, fenced = true, true
		} else if line != "" && strings.Trim(line, "-=~_") != "" {
			break
		}
		if at = lineEnd(s, min(at, len(s))) + 1; at >= len(s) {
			return 0, 0, false
		}
	}
	title := lineBefore(s, n.start)
	indent := run(title, 0, len(title), isBlank)
	start = run(s, at, 64, isBlank)
	nested := start-at > indent
	if sign := prefixOf(s[start:], "> ", ">"); sign != "" {
		start, marked = run(s, start+len(sign), 8, isBlank), true
	} else if sign := prefixOf(s[start:], "- ", "* ", "+ ", "• "); sign != "" {
		if !nested {
			return 0, 0, false
		}
		start = run(s, start+len(sign), 8, isBlank)
	}
	end = len(strings.TrimRight(s[:lineEnd(s, start)], " \t\r"))
	for _, quote := range []string{"**", "`", "\"", "'"} {
		if text := s[start:max(start, end)]; len(text) > 2*len(quote) && strings.HasPrefix(text, quote) &&
			strings.HasSuffix(text, quote) {
			start, end, marked = start+len(quote), end-len(quote), true
		}
	}
	if end-start < 4 || end-start > maxName || strings.Contains(s[start:end], markerOpen) {
		return 0, 0, false
	}
	return start, end, isBelow(n, s[start:end], marked, nested) && (marked || endsBlock(s, end))
}

// isBelow reports whether a line below the name of a secret is one.
func isBelow(n named, text string, marked, nested bool) bool {
	if isPlaceholder(text) || isReference(text) || types.Has(lowered(text)) || words().about[lowered(text)] ||
		isAlgorithm(text) || namesSecret(text) || strings.HasSuffix(text, ":") {
		return false
	}
	if strings.Contains(text, " ") {
		return n.kind == password && (marked || nested) && isPhrase(text)
	}
	made := isChosenAny(text) || looksMade(text) && hasDigit(text)
	if n.kind != password {
		return (made || marked && hasDigit(text) && hasLetter(text) && !isWordy(text)) && len(text) >= 8 &&
			!versioned.Match(text)
	}
	return made || (marked || nested && hasDigit(text)) && isSaid(text) && !hasHump(text) &&
		!strings.ContainsAny(text, "()/_<>{}.:=") &&
		!adverbs.Has(lowered(text)) && !isParticiple(lowered(text))
}

// isPhrase reports whether a string is a passphrase: words in lower case without a sign that make no sentence.
func isPhrase(text string) bool {
	fields := strings.Fields(text)
	return len(fields) >= 3 && len(fields) <= 12 && phraseOnly.Match(text) && !isProse(text)
}

// phraseOnly has the words of a passphrase, as lists of words for them do.
var phraseOnly = pattern.New(`(?-i)^[a-z]{3,}(?: [a-z]{3,})+$`)

// endsBlock reports whether a line that ends at at is the last of its block.
func endsBlock(s string, at int) bool {
	next := min(len(s), lineEnd(s, at)+1)
	line := strings.TrimSpace(s[next:lineEnd(s, next)])
	return line == "" || strings.HasSuffix(line, ":") || prefixOf(line, "#", "-", "*", "<", "|", "`") != ""
}

// codesBelow appends the items of a list of codes below the line that ends at newline: each is a code alone on its
// line.
func codesBelow(s string, newline int, found []span) []span {
	at, any := newline+1, len(found)
	for empty := 0; at < len(s) && len(found)-any < maxRows; {
		line := s[at:lineEnd(s, at)]
		start := at + len(listMark.Find(line))
		text := strings.TrimRight(s[start:at+len(line)], " \t\r`*")
		switch {
		case isListedCode(text):
			found = append(found, span{start, start + len(text), assigned})
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "```") || empty == maxEmpty:
			return found
		default:
			empty++
		}
		at += len(line) + 1
	}
	return found
}

// pairsBelow appends the values of a list below a line that names several passwords: "- root: value".
func pairsBelow(s string, newline int, found []span) []span {
	for at, any := newline+1, len(found); at < len(s) && len(found)-any < maxRows; {
		line := s[at:lineEnd(s, at)]
		match := listedPair.Submatch(line)
		if match == nil || isPlaceholder(match[2]) || isReference(match[2]) || !isSaid(match[2]) ||
			types.Has(lowered(match[2])) {
			break
		}
		start := at + len(match[1])
		found = append(found, span{start, start + len(match[2]), assigned})
		at += len(line) + 1
	}
	return found
}

// listedPair is an item of such a list: what stands before the value, and the value.
var listedPair = pattern.New("^([ \t]*(?:[-*•+]|\\d{1,2}[.)])[ \t]+[\\w.@/ -]{1,32}(?::|=| -| –| →)[ \t]+`?)" +
	"([^\\s`]{4,64})`?[ \t\r]*$")

// listMark is what stands before an item of a list: its indentation, a bullet or a number, and what marks its text.
var listMark = pattern.New("^[ \t]*(?:[-*•>+]|\\d{1,2}[.):])?[ \t]*[`*]*")

// isListedCode reports whether an item is a code: groups of letters and digits, of which most have a digit.
func isListedCode(text string) bool {
	if len(text) < 6 || len(text) > 40 || !listedGroups.Match(text) || dated.Match(text) {
		return false
	}
	groups, plain := 0, 0
	for group := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '-' || r == ' ' }) {
		groups++
		if !hasDigit(group) {
			plain++
		}
	}
	return countDigits(text) >= 2 && plain*2 < groups+1 && plain < groups
}

// listedGroups are the groups of a code, dated a day.
var (
	listedGroups = pattern.New(`^[a-z\d]{3,12}(?:[- ][a-z\d]{3,12}){0,5}$`)
	dated        = pattern.New(`^(?:\d{4}-\d\d-\d\d|\d\d-\d\d-\d{4})$`)
)

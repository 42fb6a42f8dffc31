package request

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// Messages are split into the sentences that their author wrote. Fenced and indented
// code and quotations are left out.

const (
	maxMessage = 1 << 15 // bytes of a message that are processed
	maxLine    = 4000    // bytes; a longer line is data, not prose
)

// A line is one line of prose.
type line struct {
	text string
	// bullet is true for an item of a list. Its marker is not in text.
	bullet bool
	// open is true for an item with an unchecked box.
	open bool
	// indented is true for a line that does not begin at the margin. One that is not an item continues
	// the item before it.
	indented bool
	// after is true if the line is the first one or follows a gap: an empty line or
	// something that was left out.
	after bool
}

var (
	fence  = pattern.New("^(?:[-*+] )?(```+|~~~+)")
	bullet = pattern.New(
		`^\s*(?:[-*+•‣·–]|\d{1,3}[.)、]|[（(]\d{1,2}[)）])\s+(?:\[([ xX])\]\s+)?(.*)$|^\s*[・●○]\s*()(.*)$`,
	)
)

// prose returns the lines of a message that its author wrote.
func prose(message string) []line {
	var lines []line
	fenced := ""
	gap := true
	for raw := range strings.SplitSeq(bounded(message), "\n") {
		text := strings.TrimSpace(raw)
		if mark := fenceMark(raw, text); mark != "" {
			switch {
			case fenced == "":
				fenced = mark
			case strings.HasPrefix(mark, fenced):
				fenced = ""
			}
			gap = true
			continue
		}
		var item []string
		if len(raw) <= maxLine && strings.ContainsAny(firstRune(text), "-*+•‣·–0123456789（(・●○") {
			item = bullet.Submatch(raw)
		}
		switch {
		case fenced != "" || text == "" || len(raw) > maxLine || isMarked(text), isIndented(raw) && item == nil && gap:
			gap = true
		case item != nil:
			lines = append(
				lines,
				line{
					text: strings.TrimSpace(item[2] + item[4]), bullet: true, open: item[1] == " ", after: gap,
					indented: unicode.IsSpace(rune(raw[0])),
				},
			)
			gap = false
		default:
			lines = append(lines, line{text: text, indented: unicode.IsSpace(rune(raw[0])), after: gap})
			gap = false
		}
	}
	return lines
}

// fenceMark returns the marker of a line that begins or ends fenced code.
func fenceMark(raw, text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") || len(raw) > maxLine {
		return ""
	}
	if m := fence.Submatch(text); m != nil && !strings.Contains(text[len(m[0]):], "`") {
		return m[1]
	}
	return ""
}

// isMarked reports whether a line is a quotation or a row of a table or log.
func isMarked(text string) bool {
	return strings.HasPrefix(text, ">") || strings.HasPrefix(text, "&gt;") || strings.HasPrefix(text, "|") ||
		strings.ContainsAny(firstRune(text), "[0123456789TDIWEFC") && logged.Match(text[:min(len(text), 40)])
}

// logged matches the time or level at the beginning of a line of a log.
var logged = pattern.New(
	`^\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|` +
		`(?-i:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\]: ])`,
)

func isIndented(raw string) bool {
	return strings.HasPrefix(raw, "    ") || strings.HasPrefix(raw, "\t")
}

func bounded(message string) string {
	if len(message) > maxMessage {
		message = message[:maxMessage]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(message, "\uFFFD"), "\r", "")
}

// abbreviations end in a full stop that does not end a sentence.
var abbreviations = pattern.Words(
	`e.g.|i.e.|vs.|cf.|approx.|incl.|nr.|dr.|mr.|mrs.|ms.|st.|z.b.|d.h.|bzw.|p.ex.|ej.|vgl.|ca.|resp.|no.`,
)

// isAbbreviation reports whether the full stop at the end of a string belongs to its
// last word: an abbreviation, an initial, or a number at the beginning of the text.
func isAbbreviation(text string) bool {
	word := text[strings.LastIndexAny(text, " \t(")+1:]
	if len(word) == 2 && 'A' <= word[0] && word[0] <= 'Z' ||
		len(word) <= 3 && word == strings.TrimSpace(text) && word[0] <= '9' {
		return true
	}
	return len(word) <= 7 && slices.Contains(abbreviations.All(), strings.ToLower(word))
}

// sentences splits a line into sentences, with their punctuation. Code and
// quotations are not split.
func sentences(text string) []string {
	var all []string
	start := 0
	inCode, inQuote := false, false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		switch {
		case r == '`':
			inCode = !inCode && strings.IndexByte(text[end:], '`') >= 0
		case r == '"' || r == '“' || r == '”' || r == '「' || r == '」':
			inQuote = !inQuote && strings.ContainsAny(text[end:], `"”」`)
		case inCode || inQuote:
		case endsSentence(text[start:end], text[end:], r):
			if s := strings.TrimSpace(text[start:end]); s != "" {
				all = append(all, s)
			}
			start = end
		}
		i = end
	}
	if s := strings.TrimSpace(text[start:]); s != "" {
		all = append(all, s)
	}
	return all
}

func endsSentence(sentence, rest string, r rune) bool {
	switch r {
	case '。', '！', '？':
		return rest == "" || !strings.ContainsAny(firstRune(rest), "。！？!?」』”)）")
	case '.', '!', '?', '…':
		if rest == "" {
			return true
		}
		if r == '…' || strings.HasSuffix(sentence, "...") {
			next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
			return unicode.IsSpace(rune(rest[0])) && !unicode.IsLower(next) || isCJK(firstRune(rest))
		}
		return unicode.IsSpace(rune(rest[0])) && !(r == '.' && isAbbreviation(sentence)) ||
			r != '.' && isCJK(firstRune(rest))
	}
	return false
}

func firstRune(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

func isCJK(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// oneLine returns the text with its white space collapsed, or "" if that is longer
// than limit characters.
func oneLine(text string, limit int) string {
	text = shorten.Line(text)
	if utf8.RuneCountInString(text) > limit {
		return ""
	}
	return text
}

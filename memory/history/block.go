package history

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Block returns what an overview says of what was compacted (systems.md C4), in
// at most maxChars Unicode code points: the newest first, each with when it was,
// how many messages left, where they are, and its summary. An older one whose
// summary does not fit is told without it; of the newest one as many lines as
// fit.
func Block(compactions []Compaction, lang string, maxChars int) string {
	var told []string
	left := maxChars
	for _, c := range slices.Backward(compactions) {
		heading := c.heading(lang)
		text := heading
		if summary := withoutHeadings(c.Summary); summary != "" {
			text += "\n" + summary
		}
		switch {
		case fits(text, left):
		case len(told) == 0:
			text = linesOf(text, left)
		default:
			text = heading
		}
		if text == "" || !fits(text, left) {
			break
		}
		told = append(told, text)
		left -= utf8.RuneCountInString(text) + len("\n\n")
	}
	return strings.Join(told, "\n\n")
}

func (c Compaction) heading(lang string) string {
	when := c.At.UTC().Format("2006-01-02 15:04")
	what, to := messagesIn(c.Count)+" compacted", ", archived in "
	if lang == "zh" {
		what, to = fmt.Sprintf("压缩了 %d 条消息", c.Count), "，归档于 "
	}
	heading := "### " + when + " · " + what
	if c.ArchivedTo != "" {
		heading += fmt.Sprintf("%s[%s](<%s>)", to, plain(c.ArchivedTo), plain(c.ArchivedTo))
	}
	return heading
}

var heading = pattern.Lazy(`(?m)^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$`)

// withoutHeadings is a summary that begins no section where it stands.
func withoutHeadings(summary string) string {
	return strings.TrimSpace(heading().ReplaceAllString(strings.TrimSpace(summary), "**$1**"))
}

// linesOf returns the first lines of a text that fit.
func linesOf(text string, maxChars int) string {
	for !fits(text, maxChars) {
		end := strings.LastIndexByte(text, '\n')
		if end < 0 {
			return ""
		}
		text = text[:end]
	}
	return text
}

func fits(text string, maxChars int) bool { return utf8.RuneCountInString(text) <= maxChars }

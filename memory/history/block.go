package history

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// Block returns the block of an overview that describes compactions (systems.md C4), in
// at most maxChars Unicode code points, the newest first. Each has its time, the number of
// messages, the archive and the summary. A summary that does not fit is left out. Of the
// newest compaction, the lines that fit are shown.
func Block(compactions []Compaction, lang string, maxChars int) string {
	var blocks []string
	left := maxChars
	for _, c := range slices.Backward(compactions) {
		heading := c.heading(lang)
		text := heading
		if summary := withoutHeadings(c.Summary); summary != "" {
			text += "\n" + summary
		}
		switch {
		case fits(text, left):
		case len(blocks) == 0:
			text = linesOf(text, left)
		default:
			text = heading
		}
		if text == "" || !fits(text, left) {
			break
		}
		blocks = append(blocks, text)
		left -= utf8.RuneCountInString(text) + len("\n\n")
	}
	return strings.Join(blocks, "\n\n")
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

var heading = once.Compile(`(?m)^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$`)

// withoutHeadings returns a summary with bold lines in place of headings.
func withoutHeadings(summary string) string {
	return strings.TrimSpace(heading.ReplaceAllString(strings.TrimSpace(summary), "**$1**"))
}

// linesOf returns as many of the first lines of a string as fit.
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

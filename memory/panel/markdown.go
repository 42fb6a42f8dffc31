package panel

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// A Fact is a line below a string. It is left out if it has no value.
type Fact struct {
	Name, Value string
	// Markdown is true if the value is Markdown, such as a Link. Other values are shown literally.
	Markdown bool
}

// WithFacts returns Markdown with facts below it.
func WithFacts(head string, facts ...Fact) string {
	var text strings.Builder
	text.WriteString(head + "\n")
	for _, fact := range facts {
		if fact.Value != "" {
			text.WriteString("\n" + Line(fact))
		}
	}
	return text.String() + "\n"
}

// Line returns the line of a fact.
func Line(fact Fact) string {
	value := fact.Value
	if !fact.Markdown {
		value = Escape(value)
	}
	return "- **" + fact.Name + ":** " + value
}

// ItemScheme is the scheme of links to items of the panel. The escaped id of the item follows.
const ItemScheme = "wm:"

// ItemLink returns a link to the details of an item of the panel.
func ItemLink(label, item string) string {
	return "[" + Escape(label) + "](" + ItemScheme + url.PathEscape(item) + ")"
}

// FileLink returns a link to a file.
func FileLink(label, uri string) string {
	ends := strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "<", "%3C", ">", "%3E")
	return "[" + Escape(label) + "](" + ends.Replace(uri) + ")"
}

// FileLinks returns links to files whose paths are relative to a worktree, or absolute.
func FileLinks(worktree string, paths []string) string {
	links := make([]string, len(paths))
	for i, path := range paths {
		links[i] = FileLink(path, FileURI(worktree, path))
	}
	return strings.Join(links, ", ")
}

// Times returns a number of times in words, "" for 0.
func Times(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "once"
	default:
		return fmt.Sprintf("%d times", n)
	}
}

// Clock returns a local time for display.
func Clock(t time.Time) string { return t.Local().Format(time.DateTime) }

// Time returns the local time of day, with the date unless it is within a day from now.
func Time(now, at time.Time) string {
	if at.Sub(now).Abs() < 24*time.Hour {
		return at.Local().Format("15:04")
	}
	return at.Local().Format("2 Jan 15:04")
}

// Ago returns how long a time is before another one: in minutes or hours, or else the local time.
func Ago(now, then time.Time) string {
	switch past := now.Sub(then); {
	case past < 0 || past >= 24*time.Hour:
		return then.Local().Format("2 Jan 15:04")
	case past < time.Minute:
		return "just now"
	case past < time.Hour:
		return fmt.Sprintf("%d min ago", int(past.Minutes()))
	default:
		return fmt.Sprintf("%d h ago", int(past.Hours()))
	}
}

// Timeless returns a string without what Ago says in it, which changes with time alone.
func Timeless(text string) string {
	if !strings.Contains(text, "just now") && !strings.Contains(text, " ago") {
		return text
	}
	return ago.ReplaceAllString(text, "")
}

var ago = once.Compile(`just now|[0-9]+ (?:min|h) ago`)

// Literal returns Markdown that shows a string literally.
func Literal(text string) string {
	if strings.Contains(text, "\n") {
		return Fence(text)
	}
	return Escape(text)
}

// Escape returns Markdown that shows a string literally on one line. It escapes only what has
// a meaning in Markdown or HTML, because some clients show Markdown as plain text.
func Escape(text string) string {
	var out strings.Builder
	line := []rune(shorten.Line(text))
	counting := true // only digits so far: 1. begins a list
	for i, c := range line {
		inWord := i > 0 && i+1 < len(line) && isWord(line[i-1]) && isWord(line[i+1])
		switch {
		case strings.ContainsRune("\\`*[]<&~|", c), c == '_' && !inWord,
			i == 0 && strings.ContainsRune("#+->=", c),
			i > 0 && counting && strings.ContainsRune(".)", c):
			out.WriteByte('\\')
		}
		out.WriteRune(c)
		counting = counting && unicode.IsDigit(c)
	}
	return out.String()
}

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// Fence returns a fenced code block with a string.
func Fence(text string) string {
	ticks := "```"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	return ticks + "\n" + text + "\n" + ticks
}

// AtLine returns the beginning of a line, which is counted from 1.
func AtLine(line int) *Range {
	start := Position{Line: line - 1}
	return &Range{Start: start, End: start}
}

// FileURI returns the URI of a file whose path is relative to a worktree, or
// absolute.
func FileURI(worktree, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(worktree, path)
	}
	return string(uri.File(path))
}

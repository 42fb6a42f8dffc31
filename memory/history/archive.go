package history

import (
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/memory/notes"
)

// maxArchiveBytes is the maximum size of one note of an archive.
const maxArchiveBytes = 900 << 10

// A Note is the content of a note with its name.
type Note struct {
	Name string // detail/…
	Text string
}

// ArchiveName returns the default name for messages that are removed at a time:
// detail/conversation-2026-03-01-090000.md, or detail/tools-… for outputs of tools.
func ArchiveName(target Target, at time.Time) string {
	kind := "conversation"
	if target == TargetTools {
		kind = "tools"
	}
	return notes.Detail + "/" + kind + at.UTC().Format("-2006-01-02-150405") + ".md"
}

// Archive returns the removed messages as Markdown: a title, the period, the summary, and
// every message in a fence that it cannot close. Content that is too large for one note is
// split. The first note has the name, the others have their number before the extension. An
// empty name means ArchiveName. Without messages there are no notes.
func (p Plan) Archive(name, summary string, at time.Time) []Note {
	if p.IsEmpty() {
		return nil
	}
	if name == "" {
		name = ArchiveName(p.Target, at)
	}
	head := p.title() + "\n\n" + p.introduction(at)
	if summary = strings.TrimSpace(summary); summary != "" {
		head += "\n\n## Summary\n\n" + closed(summary)
	}
	texts := []string{head + "\n\n## Messages\n"}
	for _, m := range p.Removed {
		text := "\n" + m.markdown()
		if last := len(texts) - 1; len(texts[last])+len(text) <= maxArchiveBytes {
			texts[last] += text
			continue
		}
		texts = append(texts, fmt.Sprintf("%s, part %d\n\n## Messages\n%s", p.title(), len(texts)+1, text))
	}
	notes := make([]Note, len(texts))
	for i, text := range texts {
		notes[i] = Note{partName(name, i+1), text}
	}
	return notes
}

// closed returns a string that ends outside of fenced code.
func closed(text string) string {
	open := ""
	for _, mark := range fence.FindAllStringSubmatch(text, -1) {
		switch run, rest := mark[1], strings.TrimSpace(mark[2]); {
		case open == "":
			open = run
		case strings.HasPrefix(run, open) && rest == "":
			open = ""
		}
	}
	if open != "" {
		text += "\n" + open
	}
	return text
}

// fence matches the line that begins or ends fenced code.
var fence = once.Compile("(?m)^ {0,3}(`{3,}|~{3,})(.*)$")

func partName(name string, part int) string {
	if part == 1 {
		return name
	}
	ending := path.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ending), part, ending)
}

func (p Plan) title() string {
	what := "Conversation"
	if p.Target == TargetTools {
		what = "Outputs of tools"
	}
	return fmt.Sprintf("# %s of %s", what, p.Removed[0].At.UTC().Format("2006-01-02 15:04"))
}

func (p Plan) introduction(at time.Time) string {
	first, last := p.Removed[0].At, p.Removed[0].At
	for _, m := range p.Removed {
		if m.At.Before(first) {
			first = m.At
		}
		if m.At.After(last) {
			last = m.At
		}
	}
	return fmt.Sprintf("%s from %s to %s, archived at %s.",
		messagesIn(len(p.Removed)), moment(first), moment(last), moment(at))
}

func messagesIn(n int) string {
	if n == 1 {
		return "1 message"
	}
	return fmt.Sprintf("%d messages", n)
}

func moment(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// heading returns the heading of a message, which its id makes unique.
func (m Message) heading() string {
	heading := []string{m.Role}
	if m.Tool != "" {
		heading = append(heading, m.Tool)
	}
	return "### " + plain(strings.Join(append(heading, moment(m.At), m.ID), " · "))
}

// markdown returns a message with a heading.
func (m Message) markdown() string {
	var b strings.Builder
	b.WriteString(m.heading() + "\n\n")
	if m.Command != "" {
		writeFenced(&b, "sh", m.Command)
		b.WriteByte('\n')
	}
	writeFenced(&b, "text", m.Text)
	return b.String()
}

// plain returns a string as one line.
func plain(text string) string {
	fields := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return strings.Join(fields, " ")
}

// writeFenced writes a string in a fence that is longer than any run of backticks in it.
func writeFenced(b *strings.Builder, language, text string) {
	longest, run := 2, 0
	for _, c := range text {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	fmt.Fprintf(b, "%s%s\n%s\n%s\n", fence, language, strings.TrimRight(text, "\n"), fence)
}

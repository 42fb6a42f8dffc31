package notes

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

const (
	// maxSectionBytes is the size of a section for search. A longer one is several.
	maxSectionBytes = 2000
	// maxSections is how many sections of a note are found.
	maxSections = 1000
)

// A section is a part of a note that search finds.
type section struct {
	// Heading has the headings above the text, the outermost first.
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text"`
	// Speaker and At are those of a message of an archived conversation.
	Speaker string    `json:"speaker,omitempty"`
	At      time.Time `json:"at,omitzero"`
}

// sectionsOf splits a note at its headings, which fenced code does not have, without the markers of what the server
// writes into it. An empty section has none.
func sectionsOf(text string) (sections []section) {
	var headings []string // by level, from 1
	var body []string
	fence := ""
	end := func() {
		sections = append(sections, parts(headings, body)...)
		body = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if level, title := headingOf(line); level > 0 && fence == "" {
			end()
			headings = append(headings[:min(level-1, len(headings))], make([]string, max(0, level-1-len(headings)))...)
			headings = append(headings, title)
			continue
		}
		if fence == "" && overview.IsMarker(line) {
			continue
		}
		fence = fenceAfter(line, fence)
		body = append(body, line)
	}
	end()
	return sections[:min(len(sections), maxSections)]
}

// headingOf returns the level and the text of a heading, 0 if the line is none.
func headingOf(line string) (level int, title string) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' {
		return 0, ""
	}
	return level, strings.TrimSpace(strings.TrimRight(line[level:], "# "))
}

// fenceAfter returns the fence that is open after a line, given that before it, "" for none.
func fenceAfter(line, open string) string {
	line = strings.TrimLeft(line, " ")
	run := len(line) - len(strings.TrimLeft(line, "`"))
	if run == 0 {
		run = len(line) - len(strings.TrimLeft(line, "~"))
	}
	switch {
	case run < 3:
	case open == "":
		return line[:run]
	case strings.HasPrefix(line[:run], open) && strings.TrimSpace(line[run:]) == "":
		return ""
	}
	return open
}

// parts returns the sections of the lines under headings. Long ones are split between lines.
func parts(headings, lines []string) (sections []section) {
	one := section{}
	if n := len(headings); n > 0 {
		if one.Speaker, one.At = messageOf(headings[n-1]); one.Speaker != "" {
			lines = withoutFences(lines)
		}
	}
	named := make([]string, 0, len(headings))
	for _, heading := range headings {
		if heading != "" {
			named = append(named, shorten.Chars(heading, maxTitle))
		}
	}
	one.Heading = strings.Join(named, " › ")
	var text strings.Builder
	end := func() {
		if one.Text = strings.TrimSpace(text.String()); one.Text != "" {
			sections = append(sections, one)
		}
		text.Reset()
	}
	for _, line := range lines {
		for line != "" || text.Len() > 0 {
			if text.Len() > 0 && text.Len()+len(line) > maxSectionBytes {
				end()
			}
			cut := min(len(line), maxSectionBytes)
			for cut > 0 && cut < len(line) && !utf8.RuneStart(line[cut]) {
				cut--
			}
			text.WriteString(line[:cut])
			if line = line[cut:]; line == "" {
				text.WriteByte('\n')
				break
			}
		}
	}
	end()
	return sections
}

// messageOf returns who said the message with a heading in an archive, and when: the heading has the
// role, perhaps a tool, the time, and the id.
func messageOf(heading string) (speaker string, at time.Time) {
	parts := strings.Split(heading, " · ")
	if len(parts) < 3 {
		return "", time.Time{}
	}
	at, err := time.Parse(time.RFC3339, parts[len(parts)-2])
	if err != nil {
		return "", time.Time{}
	}
	return parts[0], at
}

func withoutFences(lines []string) (kept []string) {
	fence := ""
	for _, line := range lines {
		before := fence
		if fence = fenceAfter(line, fence); fence == before {
			kept = append(kept, line)
		}
	}
	return kept
}

package request

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A Candidate is a line of the last real <workspace_memory_candidates> block of
// a compaction summary (systems.md B3).
type Candidate struct {
	// Type is the word in brackets, in lower case. It may be any word, because the
	// types are configurable.
	Type string
	// Text is the rest of the line with its continuation lines.
	Text string
}

const (
	openTag  = "<workspace_memory_candidates>"
	closeTag = "</workspace_memory_candidates>"
)

var (
	candidate = pattern.New(`^(?:\*\*|__|\*|_)?\[\s*([\p{L}][\p{L}\d_-]{0,39})\s*\]:?(?:\*\*|__|\*|_)?:?\s*(.*)$`)
	example   = pattern.New(
		`(?:\bexamples?\b|\be\.g\.|\bfor instance\b|\btemplate\b|\bformat\b|\bsyntax\b|\blike (?:this|so)\b|示例|例如|` +
			`例子|格式|例[:：]|예시|예[:：])[^.。]{0,60}[:：]?\s*$`,
	)
	placeholder = pattern.New(
		`^(?:[.…<{\[(].*[.…>}\])]|\.*|…|(?i:text|content|description|example|your text( here)?|none|n/?a|nothing)\.?)$`,
	)
)

// Candidates returns the candidates in the last real block of a compaction summary,
// which may be empty. A block is real if its tags are on lines of their own, outside
// fenced code and quotes, and if the line before does not call it an example. A block
// that is not closed reaches to the end.
func Candidates(summary string) []Candidate {
	return parseBlock(lastBlock(prose(summary)))
}

// WithoutCandidates returns a compaction summary without the blocks of candidates: what they
// hold was read, and a string that is shown to an agent must not ask for more.
func WithoutCandidates(summary string) string {
	var kept strings.Builder
	within := false
	for line := range strings.Lines(summary) {
		switch tag := strings.TrimSpace(line); {
		case strings.EqualFold(tag, openTag):
			within = true
		case within && strings.EqualFold(tag, closeTag):
			within = false
		case !within:
			kept.WriteString(line)
		}
	}
	return strings.TrimSpace(kept.String())
}

func lastBlock(lines []line) []line {
	var last []line
	start := -1
	for i, l := range lines {
		switch {
		case l.bullet:
		case strings.EqualFold(l.text, openTag):
			start = i
			if i > 0 && example.Match(lines[i-1].text) {
				start = -1
			}
		case strings.EqualFold(l.text, closeTag) && start >= 0:
			last, start = lines[start+1:i], -1
		}
	}
	if start >= 0 {
		last = lines[start+1:]
	}
	return last
}

func parseBlock(lines []line) []Candidate {
	var found []Candidate
	going := false // whether the next line may continue the last candidate
	for _, l := range lines {
		if l.indented && !l.bullet && going && !l.after {
			found[len(found)-1].Text += " " + l.text
			continue
		}
		m := candidate.Submatch(l.text)
		going = m != nil && (l.bullet || !l.indented) && !placeholder.Match(unemphasized(m[2])) &&
			!strings.EqualFold(m[1], "type")
		if going {
			found = append(found, Candidate{Type: strings.ToLower(m[1]), Text: unemphasized(m[2])})
		}
	}
	return found
}

// unemphasized returns a string without the marks of bold type around it, or after it if the
// one before it belongs to the type.
func unemphasized(text string) string {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"**", "__"} {
		inner, ends := strings.CutSuffix(text, mark)
		if !ends {
			continue
		}
		whole, begins := strings.CutPrefix(inner, mark)
		switch {
		case begins && !strings.Contains(whole, mark):
			return strings.TrimSpace(whole)
		case strings.Count(inner, mark)%2 == 0:
			return strings.TrimSpace(inner)
		}
	}
	return text
}

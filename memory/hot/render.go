package hot

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// A Line is one line of the rendered state: a file, an error or a decision.
type Line struct{ ID, Text string }

// An Omission is a line that was left out, with the reason.
type Omission struct{ ID, Reason string }

// The reasons for which lines are left out.
const (
	overLimit  = "limit"
	overBudget = "budget"
	unverified = "not reported since the restart"
	collapsed  = "collapsed"
)

const none = "(none)"

// Rendered is the text of the session state, with its lines.
type Rendered struct {
	Text    string
	Lines   []Line
	Omitted []Omission
}

// Render returns the hot state of a worktree for a reader in at most maxChars
// characters, whole lines only. If not everything fits, errors take precedence over
// files, and files over decisions (systems.md B7). Lines of other sessions name their
// agent. Decisions for which isShown returns true are left out. The text is empty if the
// headings do not fit.
func (r *Room) Render(reader, worktree string, maxChars int, isShown func(text string) bool) Rendered {
	options := r.env.Settings().Session
	groups := []*group{
		{title: "Active files", lines: r.fileLines(reader, worktree, options.MaxFiles), limit: options.MaxFiles},
		{title: "Open errors", limit: options.MaxErrors, counts: true},
		{title: "Recent decisions", lines: r.decisionLines(reader, isShown), limit: options.MaxDecisions},
	}
	files, errs, decisions := groups[0], groups[1], groups[2]
	var out Rendered
	errs.lines, out.Omitted = r.errorLines(reader, worktree, options.CollapseAfter)

	const open, shut = "<" + tag.SessionState + ">\n", "</" + tag.SessionState + ">"
	left := maxChars - utf8.RuneCountInString(open+shut)
	for _, g := range groups {
		left -= utf8.RuneCountInString(g.title+":\n") + g.empty()
	}
	if left < 0 {
		for _, g := range groups {
			out.Omitted = append(out.Omitted, omitted(g.lines, overBudget)...)
		}
		return out
	}
	for _, g := range []*group{errs, files, decisions} {
		out.Omitted = append(out.Omitted, g.fill(&left)...)
	}
	var text strings.Builder
	text.WriteString(open)
	for _, g := range groups {
		g.write(&text)
		out.Lines = append(out.Lines, g.chosen...)
	}
	text.WriteString(shut)
	out.Text = text.String()
	return out
}

type group struct {
	title         string
	lines, chosen []Line
	limit         int
	counts        bool // whether the lines that are left out are counted
	more          int  // how many are left out
}

// rest is the line with the number of lines that are left out.
const rest = "(%d more)\n"

// empty returns the length of the line that replaces all lines if none is shown.
func (g *group) empty() int {
	if len(g.lines) == 0 {
		return len(none + "\n")
	}
	return max(len(none+"\n"), len(fmt.Sprintf(rest, len(g.lines))))
}

// fill chooses the lines that fit into what is left of the budget, from which empty is
// already subtracted.
func (g *group) fill(left *int) []Omission {
	var gone []Omission
	if len(g.lines) > g.limit {
		gone = omitted(g.lines[g.limit:], overLimit)
		g.lines = g.lines[:g.limit]
	}
	if g.counts && (len(gone) > 0 || len(g.lines) > 1) {
		*left -= len(fmt.Sprintf(rest, len(gone)+len(g.lines)))
	}
	for _, line := range g.lines {
		cost := utf8.RuneCountInString("- " + line.Text + "\n")
		if len(g.chosen) == 0 {
			cost -= g.empty()
		}
		if cost > *left {
			gone = append(gone, Omission{line.ID, overBudget})
			continue
		}
		*left -= cost
		g.chosen = append(g.chosen, line)
	}
	g.more = len(gone)
	return gone
}

func (g *group) write(text *strings.Builder) {
	text.WriteString(g.title + ":\n")
	switch {
	case len(g.chosen) > 0:
	case g.more > 0:
		fmt.Fprintf(text, rest, g.more)
	default:
		text.WriteString(none + "\n")
	}
	for _, line := range g.chosen {
		text.WriteString("- " + line.Text + "\n")
	}
	if g.counts && g.more > 0 && len(g.chosen) > 0 {
		fmt.Fprintf(text, rest, g.more)
	}
}

func omitted(lines []Line, reason string) []Omission {
	list := make([]Omission, 0, len(lines))
	for _, line := range lines {
		list = append(list, Omission{line.ID, reason})
	}
	return list
}

// fileLines returns a line for each file. Those after the first limit are not shown
// and have no text.
func (r *Room) fileLines(reader, worktree string, limit int) []Line {
	files := r.Files(reader, worktree, 0)
	lines := make([]Line, 0, len(files))
	for i, file := range files {
		if i >= limit {
			lines = append(lines, Line{ID: file.Path})
			continue
		}
		text := fmt.Sprintf("%s (%s, %dx)", render.Flat(file.Path), render.Flat(string(file.Action)), file.Count)
		if file.Session != reader && file.By != "" {
			text += " in " + render.Flat(file.By)
		}
		lines = append(lines, Line{file.Path, text})
	}
	return lines
}

// errorLines returns the lines of the verified errors. More than collapseAfter errors
// become one line with the most common one.
func (r *Room) errorLines(reader, worktree string, collapseAfter int) (lines []Line, gone []Omission) {
	var verified []Error
	for _, e := range r.Errors(reader, worktree) {
		if e.Verified() {
			verified = append(verified, e)
		} else {
			gone = append(gone, Omission{e.Fingerprint, unverified})
		}
	}
	if len(verified) > collapseAfter {
		for _, e := range verified {
			gone = append(gone, Omission{e.Fingerprint, collapsed})
		}
		return []Line{{"errors", collapse(verified)}}, gone
	}
	for _, e := range verified {
		lines = append(lines, Line{e.Fingerprint, e.line(reader)})
	}
	return lines, gone
}

func (e Error) line(reader string) string {
	text := "[" + render.Flat(e.Category) + "] "
	if e.Path != "" {
		text += render.Flat(e.Path)
		if e.Line > 0 {
			text += fmt.Sprintf(":%d", e.Line)
		}
		text += ": "
	}
	text += render.Flat(e.Summary)
	if e.Count > 1 {
		text += fmt.Sprintf(" (%dx)", e.Count)
	}
	if e.Masked {
		text += " (a pipe hid the exit code)"
	}
	if e.MaybeFixed {
		text += " (maybe fixed: its file was edited since)"
	}
	mine := slices.ContainsFunc(e.Sources, func(s Source) bool { return s.Session == reader })
	if !mine && e.Sources[0].By != "" {
		text += " in " + render.Flat(e.Sources[0].By)
	}
	return text
}

// collapse returns a line with the number of errors and the most common one.
func collapse(list []Error) string {
	type kind struct{ category, summary string }
	counts := map[kind]int{}
	var commonest kind
	for _, e := range list {
		k := kind{e.Category, e.Summary}
		counts[k]++
		if counts[k] > counts[commonest] {
			commonest = k
		}
	}
	return fmt.Sprintf("%d errors are open; the commonest, %dx: [%s] %s", len(list), counts[commonest],
		render.Flat(commonest.category), render.Flat(commonest.summary))
}

// decisionLines returns the decisions of the session that other sections do not show,
// the newest first.
func (r *Room) decisionLines(session string, isShown func(text string) bool) []Line {
	var lines []Line
	for _, statement := range slices.Backward(r.Statements(session, Decision)) {
		if isShown(statement.Text) {
			continue
		}
		lines = append(lines, Line{statement.Text, render.Flat(statement.Text)})
	}
	return lines
}

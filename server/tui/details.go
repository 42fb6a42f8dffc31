package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// details are the text about the selected row: beside the list on a wide screen, below it on a narrow one.
type details struct {
	// wide and narrow say whether they are shown on such a screen.
	wide, narrow bool
	// key is the row that markdown is about, and seq the panel of that time.
	key      string
	seq      int64
	markdown string
	// top is the first line on the screen.
	top int
}

func (d *details) toggle(wide bool) {
	if wide {
		d.wide = !d.wide
	} else {
		d.narrow = !d.narrow
	}
}

// A resolvedMsg is a string that was asked for.
type resolvedMsg struct {
	key      string
	markdown string
	err      error
}

func (d *details) receive(msg resolvedMsg) {
	if msg.key != d.key {
		return
	}
	if d.markdown = msg.markdown; msg.err != nil {
		d.markdown = msg.err.Error()
	}
}

// resolve asks for the details of the selected row if they are shown and not known.
func (m *model) resolve() tea.Cmd {
	row, c, d := m.list().selected(), m.column(), &m.details
	if c.panel == nil || !m.layout().detailed || row.key == d.key && c.panel.Seq == d.seq {
		return nil
	}
	if row.key != d.key {
		d.markdown, d.top = "", 0
	}
	d.key, d.seq = row.key, c.panel.Seq
	if row.item == nil || !row.item.HasMarkdown {
		return nil
	}
	params := wire.PanelResolveParams{ID: row.item.ID}
	params.SessionID = c.session
	return func() tea.Msg {
		result, err := ask[wire.PanelResolveResult](m.ctx, m.memory, "wm/panel/resolve", &params)
		return resolvedMsg{row.key, result.Markdown, err}
	}
}

// detailLines returns the details of the selected row in lines of a width.
func (m *model) detailLines(cells int) (lines [][]piece) {
	row := m.list().selected()
	if m.details.markdown != "" && m.details.key == row.key {
		return m.look.markdown(m.details.markdown, cells)
	}
	for part := range strings.Lines(row.text) {
		for _, line := range m.look.wrapped(m.look.text(terminal.Line(part)), cells) {
			lines = append(lines, []piece{{line, roleLabel, whole}})
		}
	}
	return lines
}

// markdown returns Markdown of the server as lines of a width: headings are bold, links are their labels,
// escapes are resolved, the rest is as it is written.
func (l look) markdown(text string, cells int) (lines [][]piece) {
	fenced := false
	for line := range strings.Lines(terminal.Visible(text)) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		as := roleLabel
		switch heading := strings.TrimLeft(line, "#"); {
		case fenced:
			as = roleDetail
		case heading != line && strings.HasPrefix(heading, " "):
			line, as = strings.TrimSpace(heading), roleTitle
		}
		if !fenced {
			line = plain(line)
		}
		for _, part := range l.wrapped(l.text(line), cells) {
			lines = append(lines, []piece{{part, as, whole}})
		}
	}
	return lines
}

// plain returns a line of Markdown without its escapes, the signs of bold text and the targets of links.
func plain(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '[':
			if label, rest, is := link(line[i:]); is {
				out.WriteString(plain(label))
				i = len(line) - len(rest) - 1
				continue
			}
			out.WriteByte(line[i])
		case line[i] == '\\' && i+1 < len(line) && strings.IndexByte("\\`*[]<&~|_#+->=.)", line[i+1]) >= 0:
			i++
			out.WriteByte(line[i])
		case strings.HasPrefix(line[i:], "**"):
			i++
		default:
			out.WriteByte(line[i])
		}
	}
	return out.String()
}

// link returns the label of a link of the server at the begin of a line, and what follows it. Its target holds no
// parentheses, see panel.FileLink.
func link(line string) (label, rest string, is bool) {
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case ']':
			target, rest, closed := strings.Cut(line[i+1:], ")")
			return line[1:i], rest, closed && strings.HasPrefix(target, "(")
		}
	}
	return "", "", false
}

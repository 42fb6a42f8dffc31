package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
)

// View implements tea.Model.
func (m *model) View() tea.View {
	var view tea.View
	view.AltScreen, view.ReportFocus, view.MouseMode = true, true, tea.MouseModeCellMotion
	view.WindowTitle = "wm-lsp · " + terminal.Line(m.options.Name)
	if m.width <= 0 || m.height <= 0 {
		return view
	}
	at := m.layout()
	m.zones = m.zones[:0]
	screen := make([]string, m.height)
	if at.list.y > 0 {
		screen[0] = m.line(m.heading(), m.width, false)
		screen[m.height-1] = m.footer()
	}
	if m.over != nil {
		screen[at.title] = m.line([]piece{{m.over.title, roleDetail, 0}}, m.width, false)
		m.drawList(screen, &m.over.list, at.list, true, at.detailed && at.side.x > 0)
	} else {
		m.drawColumns(screen, at)
	}
	m.drawSide(screen, at)
	if m.prompt != nil {
		view.Cursor = m.drawPrompt(screen, at.asked)
	}
	view.SetContent(strings.Join(screen, "\n"))
	return view
}

// heading returns the pieces of the first line.
func (m *model) heading() []piece {
	name := terminal.Line(m.options.Name)
	rest := m.header(m.column())
	if len(rest) > 0 {
		name += "  "
	}
	return append([]piece{{name, roleTitle, 0}}, rest...)
}

// line returns a line of pieces that is cut, or filled if it is selected, to a width.
func (m *model) line(pieces []piece, width int, selected bool) string {
	texts, total := make([]string, len(pieces)), 0
	for i, each := range pieces {
		texts[i] = m.look.text(each.text)
		total += m.look.width(texts[i])
	}
	for i, each := range pieces {
		over := total - width
		if over <= 0 || each.least == whole {
			continue
		}
		had := m.look.width(texts[i])
		switch {
		case each.least == byParts:
			texts[i] = m.look.cutByParts(each.text, had-over)
		case each.least == 0 && had-over < leastSummary: // so short, it says nothing
			texts[i] = ""
		default:
			texts[i] = m.look.fit(texts[i], max(had-over, min(each.least, had)))
		}
		total += m.look.width(texts[i]) - had
	}
	var line strings.Builder
	left := width
	for i, text := range texts {
		text = m.look.fit(text, left)
		left -= m.look.width(text)
		line.WriteString(m.look.paint(pieces[i].as, text, selected))
		if left <= 0 {
			break
		}
	}
	if selected && left > 0 {
		line.WriteString(m.look.paint(roleLabel, strings.Repeat(" ", left), selected))
	}
	return line.String()
}

// leastSummary is how many cells are left at least of a piece that can vanish.
const leastSummary = 6

// row returns a row of a list.
func (m *model) row(r row, width int, selected bool) string {
	pieces := append(r.indent(), r.pieces...)
	if r.aside.text == "" || width < 2*leastAside {
		return m.line(pieces, width, selected)
	}
	aside := m.look.place(m.look.text(r.aside.text), max(width-leastBeside, leastAside))
	width = max(width-m.look.width(aside)-asideGap, 0)
	line := m.line(pieces, width, selected)
	if !selected {
		line = m.filled(line, width)
	}
	return line + m.look.paint(roleLabel, strings.Repeat(" ", asideGap), selected) +
		m.look.paint(r.aside.as, aside, selected)
}

// indent returns what stands before the text of a row: whether it has changed, and who said it. Where both have
// the same cell, it is the change.
func (r row) indent() []piece {
	if r.depth == 0 && r.kind == same {
		return nil
	}
	sign, as := r.kind.sign()
	space := func(cells int) piece { return piece{strings.Repeat(" ", max(cells, 0)), roleLabel, whole} }
	switch {
	case r.author == "" || r.depth == 1 && r.kind != same:
		return []piece{{sign, as, whole}, space(2*r.depth - 1)}
	case r.depth == 1:
		return []piece{{r.author, roleDetail, whole}, space(1)}
	}
	return []piece{{sign, as, whole}, space(2*r.depth - 3), {r.author, roleDetail, whole}, space(1)}
}

const (
	// leastBeside is how many cells the pieces beside an aside have at least, unless it gets shorter than
	// leastAside. In a row that is narrower than two of these it is left out.
	leastBeside, leastAside = 32, 10
	// asideGap is how many cells are between both.
	asideGap = 2
)

// wideRow returns how many cells a row takes if it is not cut.
func (m *model) wideRow(r row) int {
	cells := 2 * r.depth
	for _, each := range r.pieces {
		cells += m.look.width(m.look.text(each.text))
	}
	if r.aside.text != "" {
		cells += asideGap + m.look.width(m.look.text(r.aside.text))
	}
	return cells
}

// drawList draws a list into an area. If something is beside it, its lines are filled.
func (m *model) drawList(screen []string, l *list, at area, focused, beside bool) {
	l.show(at.h)
	for y := range at.h {
		i := l.top + y
		line := ""
		if i < len(l.rows) {
			line = m.row(l.rows[i], at.w, focused && i == l.cursor && !l.rows[i].rest)
			m.zones = append(m.zones, zone{area{at.x, at.y + y, at.w, 1}, func() tea.Cmd { return m.clickRow(l, i) }})
		}
		if beside {
			line = m.filled(line, at.w) + m.look.paint(roleRule, m.look.text(" │ "), false)
		}
		screen[at.y+y] += line
	}
}

// filled returns a line with spaces behind it, so that it has a width.
func (m *model) filled(line string, width int) string {
	return line + strings.Repeat(" ", max(width-m.look.method.StringWidth(line), 0))
}

// drawColumns draws the panel, or those of sessions side by side with their names.
func (m *model) drawColumns(screen []string, at layout) {
	for i := at.first; i < at.first+at.shown; i++ {
		c, place := m.columns[i], at.column(i)
		beside := i < at.first+at.shown-1
		if at.title >= 0 {
			name := terminal.Line(c.name)
			if at.shown < len(m.columns) {
				name += fmt.Sprintf(" %d/%d", i+1, len(m.columns))
			}
			pieces := append([]piece{{name + "  ", roleTitle, 0}}, c.context()...)
			title := m.line(pieces, place.w, i == m.at)
			if beside {
				title = m.filled(title, place.w+gap)
			}
			screen[at.title] += title
			m.zones = append(m.zones, zone{area{place.x, at.title, place.w, 1}, func() tea.Cmd {
				m.at = i
				return nil
			}})
		}
		before := len(m.zones)
		m.drawList(screen, &c.list, place, i == m.at, beside || at.detailed && at.side.x > 0)
		for j := before; j < len(m.zones) && len(m.columns) > 1; j++ { // a click goes to the column, too
			do := m.zones[j].do
			m.zones[j].do = func() tea.Cmd {
				if m.at != i {
					m.at = i
					c.cursor = -1
				}
				return do()
			}
		}
	}
}

// peekLines returns how many lines below a list of a width and height show the selected row that is cut.
func (m *model) peekLines(width, height int) int {
	row := m.list().selected()
	const least = 8
	if len(m.columns) > 1 && m.over == nil {
		width = leastColumn
	}
	if row.text == "" || height < least || m.prompt != nil || m.wideRow(row) <= width {
		return 0
	}
	return min(len(m.peek()), maxPeek) + 1
}

// peek returns the selected row in lines of the width of the screen.
func (m *model) peek() []string {
	return m.look.wrapped(m.look.text(terminal.Line(m.list().selected().text)), m.width)
}

// drawSide draws the details of the selected row, or the row itself if it is cut in the list.
func (m *model) drawSide(screen []string, at layout) {
	side := at.side
	if side.h == 0 {
		return
	}
	var lines [][]piece
	if side.x == 0 {
		lines = append(lines, []piece{{strings.Repeat("─", side.w), roleRule, whole}})
		side.h--
	}
	switch {
	case at.detailed:
		lines = append(lines, m.detailed(side)...)
	default:
		for _, line := range m.peek() {
			lines = append(lines, []piece{{line, roleLabel, whole}})
		}
	}
	for i := range min(len(lines), at.side.h) {
		screen[at.side.y+i] += m.line(lines[i], side.w, false)
	}
}

// detailed returns what is beside or below a list: on a wide screen the curve of the context, and the details
// of the selected row, scrolled.
func (m *model) detailed(side area) (lines [][]piece) {
	const besideCurve = 12 // lines
	if side.x > 0 && side.h >= besideCurve && m.over == nil {
		for _, line := range m.curve(side.w) {
			lines = append(lines, []piece{{line, roleBar, whole}})
		}
		if len(lines) > 0 {
			lines = append(lines, nil)
		}
	}
	details := m.detailLines(side.w)
	m.details.top = min(m.details.top, max(len(details)-(side.h-len(lines)), 0))
	return append(lines, details[m.details.top:]...)
}

// footer returns the last line: what the person is told, or what can be done.
func (m *model) footer() string {
	if m.notice != "" {
		as := roleInfo
		if m.warned {
			as = roleWarning
		}
		return m.line([]piece{{m.notice, as, 0}}, m.width, false)
	}
	var pieces []piece
	x, y := 0, m.height-1
	hint := func(key, title string, do func() tea.Cmd) {
		if x > 0 {
			key = "  " + key
		}
		cells := m.look.width(m.look.text(key + " " + title))
		if x+cells > m.width {
			return
		}
		pieces = append(pieces, piece{key, roleIcon, whole}, piece{" " + title, roleDetail, whole})
		m.zones = append(m.zones, zone{area{x, y, cells, 1}, do})
		x += cells
	}
	if m.prompt != nil {
		hint("Enter", "done", m.answer)
		hint("Esc", "cancel", func() tea.Cmd { return m.pressPrompt(tea.KeyPressMsg{Code: tea.KeyEscape}) })
		if m.prompt.field != nil && m.prompt.field.multi {
			hint("Alt+Enter", "new line", func() tea.Cmd { return nil })
		}
		return m.line(pieces, m.width, false)
	}
	hint("?", "keys", func() tea.Cmd { m.showHelp(); return nil })
	if height := m.layout().list.h; m.over != nil {
		if m.over.show(height); m.over.top+height < len(m.over.rows) {
			hint("PgDn", "more", func() tea.Cmd { m.walk("pgdown"); return nil })
		}
	}
	for _, each := range m.offers() {
		if each.Key != "" {
			hint(each.Key, terminal.Line(each.Title), func() tea.Cmd { return m.run(each) })
		}
	}
	if len(m.offers()) > 0 {
		hint("a", "all", func() tea.Cmd { m.chooseAction(); return nil })
	}
	hint("/", "search", func() tea.Cmd { m.openSearch(); return nil })
	hint("q", "leave", func() tea.Cmd { return tea.Quit })
	return m.line(pieces, m.width, false)
}

// askedLines returns how many lines a question needs.
func (m *model) askedLines() int {
	p := m.prompt
	title := len(m.look.wrapped(m.look.text(p.title), m.width))
	switch {
	case p.field == nil:
		return title + len(p.choices)
	case p.changed != nil: // title and text in one line
		return 1
	}
	lines, _, _ := p.field.lines(m.look.method, max(m.width-1, 1))
	return title + len(lines)
}

// drawPrompt draws a question and returns where its cursor is, nil if it has none.
func (m *model) drawPrompt(screen []string, at area) *tea.Cursor {
	p := m.prompt
	if p.changed != nil {
		title := m.look.text(p.title + ": ")
		before := m.look.width(title)
		lines, x, y := p.field.lines(m.look.method, max(at.w-before-1, 1))
		screen[at.y] = m.line([]piece{{title, roleTitle, whole}, {lines[y], roleLabel, whole}}, at.w, false)
		return tea.NewCursor(before+x, at.y)
	}
	title := m.look.wrapped(m.look.text(p.title), at.w)
	title = title[:min(len(title), max(at.h-1, 0))]
	for i, line := range title {
		screen[at.y+i] = m.line([]piece{{line, roleTitle, whole}}, at.w, false)
	}
	top, room := at.y+len(title), at.h-len(title)
	if p.field == nil {
		m.drawChoices(screen, area{0, top, at.w, room})
		return nil
	}
	lines, x, y := p.field.lines(m.look.method, max(at.w-1, 1))
	first := max(y-room+1, 0)
	for i := range min(room, len(lines)-first) {
		screen[top+i] = m.line([]piece{{lines[first+i], roleLabel, whole}}, at.w, false)
	}
	return tea.NewCursor(x, top+y-first)
}

// drawChoices draws what to choose from.
func (m *model) drawChoices(screen []string, at area) {
	p := m.prompt
	first := max(p.chosen-at.h+1, 0)
	for i := range min(at.h, len(p.choices)-first) {
		choice := p.choices[first+i]
		pieces := []piece{{"  " + terminal.Line(choice.Label), roleLabel, leastLabel}}
		if detail := terminal.Line(choice.Detail); detail != "" {
			pieces = append(pieces, piece{"  " + detail, roleDetail, 0})
		}
		screen[at.y+i] = m.line(pieces, at.w, first+i == p.chosen)
		m.zones = append(m.zones, zone{area{0, at.y + i, at.w, 1}, func() tea.Cmd {
			p.chosen = first + i
			return m.answer()
		}})
	}
}

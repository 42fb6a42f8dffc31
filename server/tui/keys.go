package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
)

// begins reports whether a string begins with another one, whatever the case.
func begins(text, with string) bool {
	return len(text) >= len(with) && strings.EqualFold(text[:len(with)], with)
}

// help returns the keys of the panel itself.
func help() []string {
	return []string{
		"Enter    open the location in $EDITOR, else what is below it, else details; on a title, fold",
		"K        show or hide details; Shift+Up and Shift+Down scroll them",
		"a        all actions of the selected line",
		"u        undo the last action",
		"/        search everything that is remembered, as you type; Enter goes to where a hit stands",
		"f        filter, as you type; F shows all items",
		"h        what has changed since you looked last; closing it takes it as seen",
		"n, N     the next, the previous change",
		"l        sessions side by side, or no longer; Tab and arrows go from one to the next",
		"Ctrl+G   the context of the agent: how full it was, and what it holds",
		"m        show or hide more sections",
		"z        fold or open an item with others below it, or a section",
		"Tab      the next section; Shift+Tab the previous one",
		"j k g G  down, up, first, last; also arrows, pages, Home, End",
		"R        refresh; Ctrl+L draws anew",
		"q        close this or leave; Escape closes this",
		"",
		"The mouse selects, a second click opens, the wheel scrolls; the words of the last line can be clicked.",
	}
}

// authors are who said an entry, by the icons of the panel.
var authors = [][2]string{
	{"person", "person"}, {"hubot", "agent"}, {"fold", "summary"}, {"terminal", "command"},
	{"desktop-download", "import"},
}

// legend returns the signs that tell who said an entry.
func (l look) legend() string {
	signs := make([]string, len(authors))
	for i, each := range authors {
		signs[i] = l.glyph(each[0]) + " " + each[1]
	}
	return "A sign before an entry tells who said it: " + strings.Join(signs, ", ") + "."
}

// showHelp shows the keys.
func (m *model) showHelp() {
	var actions []string
	for _, each := range m.offers() {
		if each.Key != "" {
			actions = append(actions, each.Key+strings.Repeat(" ", 8)+each.name())
		}
	}
	m.cover(&over{document: true, title: "Keys; Escape closes this", rebuild: func(cells int) []row {
		p := &page{look: m.look, column: m.column(), cells: cells}
		for _, line := range help() {
			p.help(line)
		}
		p.sentence("\x00authors", 0, m.look.legend(), roleLabel, nil)
		if len(actions) > 0 {
			p.blank("\x00actions")
		}
		for _, line := range actions {
			p.help(line)
		}
		return p.rows
	}})
}

// help adds a line whose keys are before its column 9.
func (p *page) help(line string) {
	const keys = 9
	if line == "" || len(line) < keys || strings.TrimSpace(line[keys-2:keys]) != "" {
		p.sentence(line, 0, line, roleLabel, nil)
		return
	}
	for i, part := range p.look.wrapped(terminal.Line(line[keys:]), p.cells-keys) {
		key := ""
		if i == 0 {
			key = line[:keys]
		}
		p.add(row{key: line + part, pieces: []piece{
			{key + strings.Repeat(" ", keys-len(key)), roleIcon, whole}, {part, roleLabel, whole},
		}})
	}
}

// press handles a key.
func (m *model) press(key tea.KeyPressMsg) tea.Cmd {
	m.notice = ""
	if m.prompt != nil {
		return m.pressPrompt(key)
	}
	if m.walk(key.String()) {
		return nil
	}
	switch key.String() {
	case "ctrl+c":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	case "ctrl+l":
		return tea.ClearScreen
	case "q":
		if !m.uncover() {
			return m.leave()
		}
	case "esc":
		if !m.uncover() {
			m.details.narrow = false
			m.rebuild()
		}
	case "enter":
		return m.choose()
	case "space", "z":
		m.fold()
	case "K":
		m.details.toggle(m.isWide())
		m.rebuild()
	case "a":
		m.chooseAction()
	case "u":
		return m.undo()
	case "/":
		m.openSearch()
	case "f":
		m.uncover()
		m.openFilter()
	case "F":
		m.filter = ""
		m.rebuild()
	case "h":
		if !m.uncover() {
			m.showChanges()
		}
	case "n", "N":
		m.nextChange(key.String() == "n")
	case "l":
		return m.toggleSessions()
	case "ctrl+g":
		return m.showContext()
	case "m":
		m.more = !m.more
		m.rebuild()
	case "R":
		m.column().panel = nil
		return m.fetch(m.column())
	case "?":
		if !m.uncover() {
			m.showHelp()
		}
	default:
		return m.pressAction(key)
	}
	return nil
}

// leave ends the program when what the person has asked for is done.
func (m *model) leave() tea.Cmd {
	if len(m.turns) > 0 {
		m.say("leaves when what is under way is done; Ctrl+C leaves at once")
	}
	return m.inTurn(turn{start: func() tea.Cmd { return tea.Quit }, leaves: true})
}

// pressAction runs the action with a key.
func (m *model) pressAction(key tea.KeyPressMsg) tea.Cmd {
	for _, each := range m.offers() {
		if each.Key != "" && each.Key == key.Text {
			return m.run(each)
		}
	}
	if key.Text != "" {
		m.say("%s does nothing here; a lists the actions, ? the keys", key.Text)
	}
	return nil
}

// walk moves the cursor and reports whether a key is for that.
func (m *model) walk(key string) bool {
	at, height := m.list(), m.layout().list.h
	switch key {
	case "down", "j", "ctrl+n":
		at.move(1)
	case "up", "k", "ctrl+p":
		at.move(-1)
	case "pgdown", "ctrl+f":
		at.move(max(height-1, 1))
	case "pgup", "ctrl+b":
		at.move(-max(height-1, 1))
	case "ctrl+d":
		at.move(max(height/2, 1))
	case "ctrl+u":
		at.move(-max(height/2, 1))
	case "home", "g":
		at.to(0, 1)
	case "end", "G":
		at.to(len(at.rows)-1, -1)
	case "shift+down":
		m.details.top++
	case "shift+up":
		m.details.top = max(m.details.top-1, 0)
	case "tab", "right":
		m.onward(1, key == "tab")
	case "shift+tab", "left":
		m.onward(-1, key == "shift+tab")
	default:
		return false
	}
	return true
}

// onward goes to the next session of those side by side, or, with tab, to the next section.
func (m *model) onward(direction int, tab bool) {
	if len(m.columns) > 1 && m.over == nil {
		m.at = (m.at + len(m.columns) + direction) % len(m.columns)
		m.rebuild()
	} else if tab {
		m.list().next(direction, func(r row) bool { return r.section != nil && r.item == nil && !r.rest })
	}
}

func (m *model) nextChange(forward bool) {
	direction := 1
	if !forward {
		direction = -1
	}
	if !m.list().next(direction, func(r row) bool { return r.kind != same }) {
		m.say("there is no further change in this direction; h shows all changes")
	}
}

// fold folds or opens the selected item if there are others below it, or else the section of the selected row,
// whose title is then selected.
func (m *model) fold() {
	row := m.list().selected()
	if row.section == nil || m.over != nil {
		return
	}
	c := m.column()
	if row.item != nil && len(row.item.Children) > 0 {
		c.open[row.key] = !c.unfolds(row.key, row.item)
		m.rebuild()
		return
	}
	c.open[row.section.ID] = !c.isOpen(row.section)
	m.rebuild()
	for i, each := range c.rows {
		if each.key == row.section.ID {
			c.cursor = i
		}
	}
}

// choose does the main thing with the selected row.
func (m *model) choose() tea.Cmd {
	switch row := m.list().selected(); {
	case row.more:
		m.more = !m.more
		m.rebuild()
	case row.item != nil && row.item.Location != nil:
		return m.open(*row.item.Location)
	case row.place != nil:
		return m.goTo(*row.place)
	case row.item != nil && len(row.item.Children) > 0:
		m.fold()
	case row.item != nil || row.section == nil && row.text != "":
		m.details.toggle(m.isWide())
		m.rebuild()
	case row.section != nil:
		m.fold()
	}
	return nil
}

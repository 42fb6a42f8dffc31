package tui

import tea "charm.land/bubbletea/v2"

// click handles a press of a button of the mouse.
func (m *model) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	m.notice = ""
	for i := len(m.zones) - 1; i >= 0; i-- {
		if each := m.zones[i]; each.holds(msg.X, msg.Y) {
			return each.do()
		}
	}
	return nil
}

// clickRow selects the row at a place of a list. If it is selected already, or a title, it is chosen.
func (m *model) clickRow(l *list, at int) tea.Cmd {
	if m.prompt != nil && m.prompt.changed == nil || at >= len(l.rows) || l.rows[at].rest {
		return nil
	}
	again := l.cursor == at
	l.cursor = at
	if row := l.rows[at]; again || row.more || row.item == nil && row.section != nil {
		return m.choose()
	}
	return nil
}

// wheel scrolls the list or the details below the mouse.
func (m *model) wheel(msg tea.MouseWheelMsg) {
	const lines = 3
	by := lines
	switch msg.Button {
	case tea.MouseWheelUp:
		by = -lines
	case tea.MouseWheelDown:
	default:
		return
	}
	at := m.layout()
	if at.side.holds(msg.X, msg.Y) {
		m.details.top = max(m.details.top+by, 0)
		return
	}
	for i := range m.columns {
		if len(m.columns) > 1 && m.over == nil && at.column(i).holds(msg.X, msg.Y) {
			m.at = i
		}
	}
	m.list().scroll(by, at.list.h)
}

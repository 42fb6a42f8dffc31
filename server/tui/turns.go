package tui

import tea "charm.land/bubbletea/v2"

// A turn is something that the person has asked for: an action, an undo, to leave. One is done after the other, in
// the order in which they were asked for: an undo takes back what was asked for before it.
type turn struct {
	// start starts the call of the memory; it returns nil if there is nothing to call.
	start func() tea.Cmd
	// undoes is true if it takes back what was done before it, leaves if it leaves the panel.
	undoes, leaves bool
}

// inTurn starts a turn when those before it are done.
func (m *model) inTurn(t turn) tea.Cmd {
	m.turns = append(m.turns, t)
	if len(m.turns) > 1 {
		return nil
	}
	return m.start()
}

// next ends the turn that is under way and starts the next one. If it was refused, the person has something to read
// before they leave, and the undo of an action has nothing to take back.
func (m *model) next(refused bool) tea.Cmd {
	ended := m.turns[0]
	m.turns = m.turns[1:]
	if refused && len(m.turns) > 0 && (m.turns[0].leaves || m.turns[0].undoes && !ended.undoes) {
		m.turns = m.turns[1:]
	}
	return m.start()
}

// start starts the first turn that has something to call.
func (m *model) start() tea.Cmd {
	for len(m.turns) > 0 {
		if command := m.turns[0].start(); command != nil {
			return command
		}
		m.turns = m.turns[1:]
	}
	return nil
}

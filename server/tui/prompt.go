package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// A prompt is a question to the person: for a string if there is a field, else for a choice.
type prompt struct {
	title string
	field *field
	// choices are what to choose from, chosen is the selected one.
	choices []panel.Choice
	chosen  int
	// done is called with the answer, left if there is none, changed with the text while it is written. left
	// and changed may be nil.
	done    func(value string) tea.Cmd
	left    func() tea.Cmd
	changed func(text string) tea.Cmd
}

// visible returns a string as it may be written.
func visible(text string) string { return terminal.Visible(text) }

// answer ends a prompt with its answer.
func (m *model) answer() tea.Cmd {
	p := m.prompt
	m.prompt = nil
	switch {
	case p.field != nil:
		return p.done(p.field.value())
	case len(p.choices) == 0:
		return nil
	}
	return p.done(p.choices[p.chosen].Value)
}

// pressPrompt handles a key while the person is asked.
func (m *model) pressPrompt(key tea.KeyPressMsg) tea.Cmd {
	p := m.prompt
	switch key.String() {
	case "esc", "ctrl+c":
		m.prompt = nil
		if p.left != nil {
			return p.left()
		}
		return nil
	case "enter":
		return m.answer()
	}
	if p.field == nil {
		m.pressChoice(key)
		return nil
	}
	if p.changed != nil { // the list is above: it can be walked while the words are written
		switch key.String() {
		case "up", "ctrl+p":
			m.list().move(-1)
			return nil
		case "down", "ctrl+n":
			m.list().move(1)
			return nil
		}
	}
	before := p.field.value()
	if p.field.press(key) && p.changed != nil && p.field.value() != before {
		return p.changed(p.field.value())
	}
	return nil
}

// pressChoice moves among the choices; a character goes to the next one that begins with it.
func (m *model) pressChoice(key tea.KeyPressMsg) {
	p := m.prompt
	n := len(p.choices)
	switch key.String() {
	case "up", "k", "shift+tab", "ctrl+p":
		p.chosen = (p.chosen + n - 1) % n
	case "down", "j", "tab", "ctrl+n":
		p.chosen = (p.chosen + 1) % n
	default:
		for i := 1; i <= n && key.Text != ""; i++ {
			next := (p.chosen + i) % n
			if begins(p.choices[next].Label, key.Text) {
				p.chosen = next
				return
			}
		}
	}
}

// paste inserts a string that was pasted. Nothing else than a prompt takes one.
func (m *model) paste(text string) tea.Cmd {
	p := m.prompt
	if p == nil || p.field == nil {
		return nil
	}
	p.field.insert(text)
	if p.changed != nil {
		return p.changed(p.field.value())
	}
	return nil
}

package tui

import (
	"fmt"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// An offer is an action that can be run where the person is.
type offer struct {
	panel.Action
	about string // its target, such as “a label”
}

// name returns the title of the action and its target.
func (o offer) name() string { return terminal.Line(o.Title) + " " + o.about }

// draft returns the key of a string that was entered for the action.
func (o offer) draft(input panel.Input) string {
	return o.Method + "\x00" + input.Param + "\x00" + o.about
}

// maxAbout is how many cells of a label a message has.
const maxAbout = 40

// offers returns the actions of the selected item, then those of its section.
func (m *model) offers() (all []offer) {
	row := m.list().selected()
	if row.item != nil {
		about := "“" + m.look.fit(terminal.Line(row.item.Label), maxAbout) + "”"
		for _, action := range row.item.Actions {
			all = append(all, offer{action, about})
		}
	}
	if row.section != nil {
		for _, action := range row.section.Actions {
			all = append(all, offer{action, "in " + terminal.Line(row.section.Title)})
		}
	}
	return all
}

// An undo takes back what was done.
type undo struct {
	name   string
	action panel.Action
}

// A doneMsg is what became of an action.
type doneMsg struct {
	offer offer
	// drafts are the strings that were entered, by their keys.
	drafts  map[string]string
	outcome outcome
	err     error
}

// run asks what there is to ask and runs an action.
func (m *model) run(o offer) tea.Cmd {
	if !o.Destructive {
		return m.askInputs(o, maps.Clone(o.Params), map[string]string{}, o.Inputs)
	}
	question := o.name() + "?"
	if o.Undo == nil && !o.Undoable {
		question += " This cannot be undone."
	}
	yes := panel.Choice{Label: terminal.Line(o.Title), Value: "yes"}
	m.prompt = &prompt{
		title: question, choices: []panel.Choice{yes, {Label: "Cancel", Value: "no"}},
		done: func(value string) tea.Cmd {
			if value != "yes" {
				return nil
			}
			return m.askInputs(o, maps.Clone(o.Params), map[string]string{}, o.Inputs)
		},
	}
	return nil
}

// askInputs asks for the inputs that are left, and then runs the action.
func (m *model) askInputs(o offer, params map[string]any, drafts map[string]string, left []panel.Input) tea.Cmd {
	if params == nil {
		params = map[string]any{}
	}
	if len(left) == 0 {
		return m.inTurn(turn{start: func() tea.Cmd {
			return func() tea.Msg {
				done, err := m.memory.do(m.ctx, o.Action, params)
				return doneMsg{o, drafts, done, err}
			}
		}})
	}
	input := left[0]
	p := &prompt{title: o.name() + ": " + terminal.Line(input.Prompt)}
	p.done = func(value string) tea.Cmd {
		params[input.Param] = value
		if p.field != nil {
			drafts[o.draft(input)] = value
		}
		return m.askInputs(o, params, drafts, left[1:])
	}
	p.left = func() tea.Cmd {
		maps.Copy(m.drafts, drafts)
		if p.field != nil {
			m.drafts[o.draft(input)] = p.field.value()
		}
		m.say("not done: %s", o.name())
		return nil
	}
	if input.Kind == panel.InputChoice {
		p.choices = input.Choices
		p.chosen = max(slices.IndexFunc(p.choices, func(c panel.Choice) bool { return c.Value == input.Value }), 0)
	} else {
		text, kept := m.drafts[o.draft(input)]
		if !kept {
			text = input.Value
		}
		p.field = newField(text, input.Multiline)
	}
	m.prompt = p
	return nil
}

// finish reports the result of an action to the person. What they entered is kept if it was refused.
func (m *model) finish(msg doneMsg) tea.Cmd {
	title, refused := terminal.Line(msg.offer.Title), msg.outcome.refused
	if msg.err != nil {
		refused = msg.err.Error()
	}
	if refused != "" {
		maps.Copy(m.drafts, msg.drafts)
		m.warn("%s: %s", title, refused)
		return m.next(true)
	}
	for key := range msg.drafts {
		delete(m.drafts, key)
	}
	text := title
	if msg.outcome.status != "" {
		text += ": " + msg.outcome.status
	}
	if msg.outcome.undo != nil {
		m.undos = append(m.undos, undo{msg.offer.name(), *msg.outcome.undo})
		text += " (u undoes it)"
	}
	switch run := msg.outcome.run; {
	case msg.outcome.markdown != "":
		m.showText(title, msg.outcome.markdown)
	case msg.outcome.clipboard != "":
		m.say("%s: it is in the clipboard of the terminal", text)
		return tea.Batch(m.acted(), tea.SetClipboard(msg.outcome.clipboard))
	case run != nil: // it is for another terminal: here the panel is
		m.showText(title+": the command, which is in the clipboard, too", "In "+panel.Escape(run.Cwd)+":\n\n```\n"+
			run.Command+"\n```\n")
		return tea.Batch(m.acted(), tea.SetClipboard(run.Command))
	default:
		m.say("%s", text)
	}
	return m.acted()
}

// showText shows Markdown instead of the panel.
func (m *model) showText(title, markdown string) {
	m.cover(&over{
		document: true, title: title + "; Escape closes this",
		rebuild: func(cells int) (rows []row) {
			for i, line := range m.look.markdown(markdown, cells) {
				rows = append(rows, row{key: fmt.Sprint(i), pieces: line})
			}
			return rows
		},
	})
}

// An undoneMsg is what became of an undo.
type undoneMsg struct {
	undo    undo
	outcome outcome
	err     error
}

// undo takes back what was done last, when what is under way is done.
func (m *model) undo() tea.Cmd { return m.inTurn(turn{start: m.undoLast, undoes: true}) }

// undoLast takes back what was done last; nil if there is nothing.
func (m *model) undoLast() tea.Cmd {
	if len(m.undos) == 0 {
		m.say("there is nothing to undo")
		return nil
	}
	last := m.undos[len(m.undos)-1]
	m.undos = m.undos[:len(m.undos)-1]
	return func() tea.Msg {
		done, err := m.memory.do(m.ctx, last.action, last.action.Params)
		return undoneMsg{last, done, err}
	}
}

func (m *model) undone(msg undoneMsg) tea.Cmd {
	refused := msg.outcome.refused
	if msg.err != nil {
		refused = msg.err.Error()
	}
	if refused != "" {
		if !fault.Has(msg.err, fault.NotFound) { // it can be tried again
			m.undos = append(m.undos, msg.undo)
		}
		m.warn("not undone: %s: %s", msg.undo.name, refused)
		return m.next(true)
	}
	m.say("undone: %s", msg.undo.name)
	return m.acted()
}

// chooseAction asks which action to run.
func (m *model) chooseAction() {
	offers := m.offers()
	if len(offers) == 0 {
		m.say("there are no actions here")
		return
	}
	p := &prompt{title: "Action"}
	for i, each := range offers {
		choice := panel.Choice{Label: each.Title, Value: fmt.Sprint(i)}
		if each.Key != "" {
			choice.Detail = each.Key
		}
		p.choices = append(p.choices, choice)
	}
	p.done = func(string) tea.Cmd { return m.run(offers[p.chosen]) }
	m.prompt = p
}

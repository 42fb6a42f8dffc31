package tui

import (
	"cmp"
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A model is what the program knows: the panels that were received, and where the person is in them.
type model struct {
	ctx     context.Context
	memory  *memory
	options Options
	look    look

	width, height int

	// main is the panel of the server's choice, columns are the panels on the screen: main, or those of
	// sessions side by side. at is the column of the person.
	main    *column
	columns []*column
	at      int
	// over is shown instead of the columns; nil if nothing is.
	over *over
	// prompt is what the person is asked; nil if they are asked nothing.
	prompt  *prompt
	details details
	search  search
	// filter is the words that items must have to be shown, more whether advanced sections are.
	filter string
	more   bool
	// notice is what the person is told, warned whether it is a warning.
	notice string
	warned bool
	// undos take back what was done, the newest last. drafts are strings of actions that were refused.
	undos  []undo
	drafts map[string]string
	// turns are what the person has asked for and what is not done; the first is under way.
	turns []turn
	// zones are where the mouse does something, in the order in which they were drawn.
	zones []zone
}

// An over is a list that is shown instead of the panel.
type over struct {
	list
	title string
	// rebuild makes its rows for a width; nil if they stay.
	rebuild func(cells int) []row
	// refresh asks for what it shows after a change; nil if that is the panel.
	refresh func() tea.Cmd
	// left is called when it is closed; it may be nil.
	left func()
	// document is true if the rows are a string, of which there are no details.
	document bool
}

func newModel(ctx context.Context, of *memory, o Options) *model {
	main := &column{open: map[string]bool{}}
	return &model{
		ctx: ctx, memory: of, options: o, main: main, columns: []*column{main}, more: o.All,
		details: details{wide: true},
		look:    look{light: o.Theme == ThemeLight, ascii: asciiOnly(o.Env)},
		drafts:  map[string]string{},
	}
}

// column returns the column of the person.
func (m *model) column() *column { return m.columns[m.at] }

// list returns the list of the person.
func (m *model) list() *list {
	if m.over != nil {
		return &m.over.list
	}
	return &m.column().list
}

// say shows a message to the person until the next key.
func (m *model) say(format string, values ...any) {
	m.notice, m.warned = terminal.Line(fmt.Sprintf(format, values...)), false
}

// warn warns the person.
func (m *model) warn(format string, values ...any) {
	m.say(format, values...)
	m.warned = true
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd {
	first := m.fetch(m.main)
	if m.options.Theme != ThemeDark && m.options.Theme != ThemeLight {
		return tea.Batch(first, tea.RequestBackgroundColor)
	}
	return first
}

// A panelMsg is a panel that was asked for.
type panelMsg struct {
	column *column
	result wire.PanelResult
	err    error
}

// fetch asks for the panel of a column. While one is asked for, it is asked for once more after that.
func (m *model) fetch(c *column) tea.Cmd {
	if c.asked {
		c.again = true
		return nil
	}
	c.asked, c.again = true, false
	params := m.options.Params
	params.SessionID = cmp.Or(c.session, params.SessionID)
	if c.panel != nil {
		params.IfSeq = &c.panel.Seq
	}
	return func() tea.Msg {
		result, err := ask[wire.PanelResult](m.ctx, m.memory, "wm/panel", &params)
		return panelMsg{c, result, err}
	}
}

// acted asks for what an action has changed, and starts what waited for it.
func (m *model) acted() tea.Cmd {
	for _, each := range m.columns {
		each.own = true
	}
	return tea.Batch(m.fetchAll(), m.next(false))
}

// fetchAll asks for every panel that is on the screen.
func (m *model) fetchAll() tea.Cmd {
	var all []tea.Cmd
	for _, each := range m.columns {
		all = append(all, m.fetch(each))
	}
	return tea.Batch(all...)
}

func (m *model) received(msg panelMsg) tea.Cmd {
	c := msg.column
	c.asked = false
	switch {
	case msg.err != nil:
		c.problem = msg.err.Error()
	case msg.result.Unchanged:
		c.problem = ""
	default:
		c.receive(msg.result, c.own || len(m.turns) > 0)
		c.own = false
	}
	if c.again {
		return m.fetch(c)
	}
	return nil
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	command := m.update(msg)
	return m, tea.Batch(command, m.resolve())
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.rebuild()
	case tea.ColorProfileMsg:
		m.look.profile = msg.Profile
	case tea.BackgroundColorMsg:
		m.look.light = !msg.IsDark()
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && msg.Value != ansi.ModeNotRecognized {
			m.look.method = ansi.GraphemeWidth // as the renderer does
		}
	case tea.BlurMsg: // what was on the screen was seen
		for _, each := range m.columns {
			each.look()
		}
		m.rebuild()
	case changedMsg:
		if m.over != nil && m.over.refresh != nil {
			return tea.Batch(m.fetchAll(), m.over.refresh())
		}
		return m.fetchAll()
	case contextMsg:
		m.take(msg)
	case saidMsg:
		m.warn("%s", string(msg))
	case panelMsg:
		command := m.received(msg)
		m.rebuild()
		return command
	case resolvedMsg:
		m.details.receive(msg)
	case doneMsg:
		return m.finish(msg)
	case undoneMsg:
		return m.undone(msg)
	case sessionsMsg:
		return m.showSessions(msg)
	case hitsMsg:
		return m.found(msg)
	case placeMsg:
		m.showPlace(msg)
	case editedMsg:
		if msg.err != nil {
			m.warn("the editor failed: %v", msg.err)
		}
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.MouseClickMsg:
		return m.click(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	}
	return nil
}

// rebuild makes the rows of all lists on the screen anew.
func (m *model) rebuild() {
	if m.width == 0 {
		return
	}
	at := m.layout()
	only := differing(m.columns)
	for i, each := range m.columns {
		each.replace(m.rowsOf(each, at.cells(i), only))
	}
	if m.over != nil && m.over.rebuild != nil {
		m.over.replace(m.over.rebuild(at.list.w))
	}
}

// cover shows a list instead of the panel.
func (m *model) cover(o *over) {
	m.uncover()
	m.over = o
	m.rebuild()
}

// uncover shows the panel again and reports whether something was shown instead of it.
func (m *model) uncover() bool {
	covered := m.over
	m.over = nil
	if covered != nil && covered.left != nil {
		covered.left()
	}
	m.rebuild()
	return covered != nil
}

// showChanges shows what has changed since the person looked last. When it is closed, they have looked.
func (m *model) showChanges() {
	c := m.column()
	m.cover(&over{
		title:   "What has changed since you looked last; h or Escape closes this and takes it as seen",
		rebuild: func(cells int) []row { return m.changedRows(c, cells) },
		left:    c.look,
	})
}

// curve returns the curve of the context in lines of a width.
func (m *model) curve(cells int) []string {
	if at := m.column().panel; at != nil && at.Pressure != nil {
		return curve(at.Pressure.History, cells)
	}
	return nil
}

// A sessionsMsg is the list of sessions that was asked for.
type sessionsMsg struct {
	result wire.SessionListResult
	err    error
}

// maxColumns is how many sessions are shown side by side at most.
const maxColumns = 6

// toggleSessions shows the sessions side by side, or no longer.
func (m *model) toggleSessions() tea.Cmd {
	if len(m.columns) > 1 {
		m.columns, m.at = []*column{m.main}, 0
		m.rebuild()
		return m.fetch(m.main)
	}
	return func() tea.Msg {
		result, err := ask[wire.SessionListResult](m.ctx, m.memory, "wm/session/list", &wire.SessionListParams{})
		return sessionsMsg{result, err}
	}
}

func (m *model) showSessions(msg sessionsMsg) tea.Cmd {
	if msg.err != nil {
		m.warn("%v", msg.err)
		return nil
	}
	var live, ended []*column
	named := map[string]int{}
	for _, each := range msg.result.Sessions {
		named[nameOf(each)]++
	}
	for _, each := range msg.result.Sessions {
		c := &column{session: each.SessionID, name: nameOf(each), open: m.main.open}
		if named[c.name] > 1 {
			c.name += " " + each.SessionID
		}
		if each.Live {
			live = append(live, c)
		} else {
			ended = append(ended, c)
		}
	}
	shown := live
	if len(shown) < 2 { // beside a live session, what the last one left
		shown = append(shown, ended[:min(2-len(shown), len(ended))]...)
	}
	if len(shown) < 2 {
		m.say("there are no two sessions to show side by side")
		return nil
	}
	m.uncover()
	m.columns, m.at = shown[:min(len(shown), maxColumns)], 0
	return m.fetchAll()
}

// nameOf returns the name of a session.
func nameOf(s wire.Session) string { return cmp.Or(s.Title, s.Agent, s.SessionID) }

// A zone is a part of the screen where the mouse does something.
type zone struct {
	area
	do func() tea.Cmd
}

// open opens a location in the editor of the person.
func (m *model) open(at panel.Location) tea.Cmd {
	command, err := editorOf(m.options.Env, at)
	if err != nil {
		m.warn("%v", err)
		return nil
	}
	return tea.ExecProcess(command, func(err error) tea.Msg { return editedMsg{err} })
}

// An editedMsg is sent when the editor has ended.
type editedMsg struct{ err error }

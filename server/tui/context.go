package tui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A contextPage shows how full the context of an agent was, and what its window holds.
type contextPage struct {
	*over
	// result is what the server said last, nil before that; problem is why it said nothing.
	result  *wire.ContextResult
	problem string
}

// A contextMsg is the context for a page.
type contextMsg struct {
	page   *contextPage
	result wire.ContextResult
	err    error
}

// showContext opens the page of the session that the person looks at.
func (m *model) showContext() tea.Cmd {
	shown := m.contextPage(m.column())
	m.cover(shown.over)
	return shown.refresh()
}

// contextPage returns the page of the session of a column.
func (m *model) contextPage(c *column) *contextPage {
	shown := &contextPage{over: &over{document: true, title: "The context of the agent; Escape closes this"}}
	shown.rebuild = func(cells int) []row {
		p := &page{look: m.look, column: c, cells: cells}
		p.context(shown)
		return p.rows
	}
	shown.refresh = func() tea.Cmd { return m.askContext(c, shown) }
	return shown
}

// askContext asks for the context of the session that a column shows, for a page. It changes nothing.
func (m *model) askContext(c *column, shown *contextPage) tea.Cmd {
	params := wire.ContextParams{Preview: true}
	params.SessionID = cmp.Or(c.session, m.options.Params.SessionID)
	return func() tea.Msg {
		if params.SessionID == "" {
			list, err := ask[wire.SessionListResult](m.ctx, m.memory, "wm/session/list", &wire.SessionListParams{})
			if err != nil {
				return contextMsg{page: shown, err: err}
			}
			params.SessionID = list.Shown
		}
		result, err := ask[wire.ContextResult](m.ctx, m.memory, "wm/context", &params)
		return contextMsg{shown, result, err}
	}
}

// take makes a page show a context.
func (m *model) take(msg contextMsg) {
	msg.page.problem = ""
	if msg.err != nil {
		msg.page.problem = msg.err.Error()
	} else {
		msg.page.result = &msg.result
	}
	m.rebuild()
}

// context adds the rows of the page.
func (p *page) context(of *contextPage) {
	if of.problem != "" {
		p.sentence("\x00problem", 0, of.problem, roleError, nil)
	}
	if of.result == nil || of.result.Context == nil {
		return
	}
	full := of.result.Pressure
	if full.LastChecked == "" {
		p.sentence("\x00none", 0, "No agent has reported how full its context is.", roleDimmed, nil)
	} else {
		p.full(full)
	}
	p.window(of.result.Window, string(full.Unit))
	var parts []wire.WindowPart
	for _, section := range of.result.Sections {
		parts = append(parts, wire.WindowPart{ID: section.ID, Label: section.Label, Size: section.Tokens})
	}
	p.parts("What an agent is told", parts, "tokens")
}

// full adds how full the context is and was.
func (p *page) full(pressure wire.Pressure) {
	p.add(row{key: "\x00full", pieces: append(pressed(pressure), piece{fmt.Sprintf("  %s of %s %s",
		humanize.Comma(int64(pressure.Used)), humanize.Comma(int64(pressure.Limit)), pressure.Unit), roleDetail, 0})})
	if pressure.Advice != "" {
		p.sentence("\x00advice", 0, terminal.Line(pressure.Advice), roleDetail, nil)
	}
	lines := curve(pressure.History, p.cells)
	for i, line := range lines {
		p.add(row{key: fmt.Sprintf("\x00curve%d", i), pieces: []piece{{p.look.text(line), roleBar, whole}}})
	}
	if len(lines) > 0 {
		shown := pressure.History[max(0, len(pressure.History)-(p.cells-scaleCells)):]
		axis := strings.Repeat(" ", scaleCells) + clock(shown[0].At) + " – " + clock(shown[len(shown)-1].At)
		p.add(row{key: "\x00axis", pieces: []piece{{p.look.text(axis), roleDetail, whole}}})
	}
	p.blank("\x00end")
}

// clock returns a time of the day in the zone of the person, "" if it is none.
func clock(at wire.Time) string {
	when, err := at.Parse()
	if err != nil {
		return ""
	}
	return when.Local().Format("15:04")
}

// window adds what the whole window of the agent holds, as far as its host reports it.
func (p *page) window(parts []wire.WindowPart, unit string) {
	if len(parts) > 0 {
		p.parts("The whole window", parts, unit)
		p.blank("\x00end of the window")
	}
}

// fills are the characters of the parts of a bar, and fillRoles their colours: they can be told apart without
// colours, too.
var (
	fills     = [...]string{"█", "▓", "▒", "░", "▞", "▚"}
	fillRoles = [...]role{roleBar, roleBlue, roleHint, roleWarning, roleInfo, roleDimmed}
)

// widestBar is how many cells a bar has at most.
const widestBar = 60

// parts adds a bar of parts, and a row for each that is not empty.
func (p *page) parts(title string, parts []wire.WindowPart, unit string) {
	parts = slices.DeleteFunc(slices.Clone(parts), func(part wire.WindowPart) bool { return part.Size == 0 })
	sizes := make([]int, 0, len(parts))
	total, widest := 0, 0
	for _, part := range parts {
		sizes = append(sizes, part.Size)
		total += part.Size
		widest = max(widest, p.look.width(p.look.text(terminal.Line(part.Label))))
	}
	p.add(row{key: "\x00" + title, pieces: []piece{
		{title, roleTitle, whole}, {fmt.Sprintf("  %s %s", humanize.Comma(int64(total)), unit), roleDetail, 0},
	}})
	if total == 0 {
		return
	}
	var bar []piece
	for i, cells := range shares(sizes, min(p.cells, widestBar)) {
		bar = append(bar, piece{strings.Repeat(fills[i%len(fills)], cells), fillRoles[i%len(fills)], whole})
	}
	p.add(row{key: "\x00bar of " + title, pieces: bar})
	for i, part := range parts {
		label := p.look.text(terminal.Line(part.Label))
		label += strings.Repeat(" ", widest-p.look.width(label))
		share := math.Round(float64(part.Size) / float64(total) * 100)
		p.add(row{key: title + "\x00" + part.ID, pieces: []piece{
			{fills[i%len(fills)] + " ", fillRoles[i%len(fills)], whole}, {label, roleLabel, whole},
			{fmt.Sprintf("%12s %s  %3.0f %%", humanize.Comma(int64(part.Size)), unit, share), roleDetail, 0},
		}})
	}
}

// shares divides cells among parts by their sizes. A part that is not empty gets at least one.
func shares(sizes []int, cells int) []int {
	total := 0
	for _, size := range sizes {
		total += size
	}
	shares, used, largest := make([]int, len(sizes)), 0, 0
	for i, size := range sizes {
		if size > 0 {
			shares[i] = max(1, int(math.Round(float64(size)/float64(total)*float64(cells))))
		}
		used += shares[i]
		if shares[i] > shares[largest] {
			largest = i
		}
	}
	if total > 0 {
		shares[largest] = max(1, shares[largest]+cells-used)
	}
	return shares
}

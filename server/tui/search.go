package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A search is the search as the person types. One query is under way at a time.
type search struct {
	query string
	asked bool
}

// maxHits is how many hits are shown.
const maxHits = 50

// A hitsMsg is what a query found.
type hitsMsg struct {
	query  string
	result wire.SearchResult
	err    error
}

// openSearch searches everything that is remembered while the person types.
func (m *model) openSearch() {
	m.cover(&over{title: "Search: Enter keeps the hits to walk through, Escape closes this"})
	m.search.query = ""
	m.prompt = &prompt{
		title: "Search", field: newField("", false),
		changed: func(text string) tea.Cmd {
			m.search.query = text
			return m.find()
		},
		done: func(string) tea.Cmd { return nil },
		left: func() tea.Cmd {
			m.uncover()
			return nil
		},
	}
}

// find searches for the query, unless a query is under way.
func (m *model) find() tea.Cmd {
	query := m.search.query
	if m.search.asked {
		return nil
	}
	if strings.TrimSpace(query) == "" {
		return func() tea.Msg { return hitsMsg{query: query} }
	}
	m.search.asked = true
	params := wire.SearchParams{Query: query, Limit: maxHits}
	return func() tea.Msg {
		result, err := ask[wire.SearchResult](m.ctx, m.memory, "wm/search", &params)
		return hitsMsg{query, result, err}
	}
}

func (m *model) found(msg hitsMsg) tea.Cmd {
	m.search.asked = false
	if msg.query != m.search.query {
		return m.find()
	}
	if m.over == nil || m.over.rebuild != nil {
		return nil // it was closed
	}
	if msg.err != nil {
		m.warn("%v", msg.err)
		return nil
	}
	m.over.cursor, m.over.top = 0, 0
	m.over.replace(m.hitRows(msg.result.Hits, msg.query))
	return nil
}

// openFilter shows only items that have the words that the person types.
func (m *model) openFilter() {
	before := m.filter
	set := func(text string) tea.Cmd {
		m.filter = strings.TrimSpace(text)
		m.rebuild()
		return nil
	}
	m.prompt = &prompt{
		title: "Filter", field: newField(m.filter, false), changed: set, done: set,
		left: func() tea.Cmd { return set(before) },
	}
}

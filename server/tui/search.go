package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/wm-lsp/wm-lsp/memory/panel"
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
	m.cover(&over{title: "Search: Enter goes there, Escape closes this"})
	m.search.query = ""
	m.prompt = &prompt{
		title: "Search", field: newField("", false),
		changed: func(text string) tea.Cmd {
			m.search.query = text
			return m.find()
		},
		done: func(string) tea.Cmd {
			if m.search.asked { // these are hits of earlier words
				return nil
			}
			return m.choose()
		},
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

// goTo goes to where something stands that was found: its file, its item in the panel, or else its details.
func (m *model) goTo(place wire.SearchPlace) tea.Cmd {
	m.prompt = nil
	if place.Location != nil {
		return m.open(*place.Location) // the hits stay
	}
	if place.SessionID == m.column().session && m.reveal(place.ItemID) {
		return nil
	}
	params := wire.PanelResolveParams{ID: place.ItemID}
	params.SessionID = place.SessionID
	return func() tea.Msg {
		result, err := ask[wire.PanelResolveResult](m.ctx, m.memory, "wm/panel/resolve", &params)
		return placeMsg{result.Markdown, err}
	}
}

// A placeMsg is the details of something that was found and that the panel does not show.
type placeMsg struct {
	markdown string
	err      error
}

func (m *model) showPlace(msg placeMsg) {
	if msg.err != nil {
		m.warn("%v", msg.err)
		return
	}
	m.showText("Details", msg.markdown)
}

// reveal selects an item of the panel, and opens what it is in. It reports whether the panel shows the item.
func (m *model) reveal(id string) bool {
	c := m.column()
	if c.panel == nil {
		return false
	}
	for i := range c.panel.Sections {
		section := &c.panel.Sections[i]
		above, there := pathTo(section.Items, id)
		if !there {
			continue
		}
		c.open[section.ID] = true
		for _, item := range above {
			c.open[keyOf(section, item)] = true
		}
		m.filter, m.more = "", m.more || section.Show == panel.ShowAdvanced
		m.uncover()
		at := slices.IndexFunc(c.rows, func(r row) bool { return r.item != nil && r.item.ID == id })
		if at < 0 { // its section does not differ among those side by side
			return false
		}
		c.cursor = at
		return true
	}
	return false
}

// pathTo returns the items above an item, the uppermost first, and whether the item is there.
func pathTo(items []panel.Item, id string) (above []panel.Item, there bool) {
	for _, item := range items {
		if item.ID == id {
			return nil, true
		}
		if below, there := pathTo(item.Children, id); there {
			return append([]panel.Item{item}, below...), true
		}
	}
	return nil, false
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

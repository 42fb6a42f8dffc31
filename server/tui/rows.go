package tui

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A piece is a part of a row. If the row is too wide, the piece with the least not below 0 is cut to so many
// cells at least, or that with the least byParts at the end of a part.
type piece struct {
	text  string
	as    role
	least int
}

const (
	// whole is the least of a piece that is not cut before others.
	whole = -1
	// byParts is the least of a piece that is cut only at the end of a part, see cutByParts.
	byParts = -2
)

// leastLabel is how many cells of a label are seen at least.
const leastLabel = 20

// A row is a line of a list.
type row struct {
	// key is what the row shows, in all versions of the panel.
	key    string
	pieces []piece
	// aside stands at the right edge, and is cut as a place.
	aside piece
	// author is who said it, "" or one cell. It stands in the indent.
	author string
	depth  int
	kind   kind
	// section and item are what the row is about; nil if it is about none.
	section *panel.Section
	item    *panel.Item
	// place is where the text of the row stands; nil if that is not elsewhere.
	place *wire.SearchPlace
	// text is what is read of the row if it is about no item.
	text string
	// more is true for the row that shows or hides advanced sections.
	more bool
	// rest is true if nothing can be done with the row, so that the cursor passes it.
	rest bool
}

// A column is the panel of a session, as rows.
type column struct {
	list
	// session is the session that is shown, "" for that of the server's choice; name is its name.
	session, name string
	panel         *wire.PanelResult
	// asked is true while a panel is asked for, again if there was a change since, own if the next panel shows
	// what the person did.
	asked, again, own bool
	problem           string
	// seen is what the person saw last, now what the panel says, and kinds how its items differ.
	seen, now   sight
	differences []difference
	kinds       map[string]kind
	// open holds what the person folded or opened: sections by their ids, items by their keys.
	open map[string]bool
}

// receive takes a panel. If it is what the person did, they have seen what differs from the last one.
func (c *column) receive(result wire.PanelResult, own bool) {
	before := c.now
	c.panel, c.problem = &result, ""
	c.now = sightOf(result.Sections)
	switch {
	case before.place == nil:
		c.seen = c.now
	case own:
		c.seen = c.seen.with(c.now.since(before))
	}
	c.compare()
}

// look takes what the panel says as seen.
func (c *column) look() {
	c.seen = c.now
	c.compare()
}

func (c *column) compare() {
	c.differences, c.kinds = c.now.since(c.seen), map[string]kind{}
	for _, each := range c.differences {
		c.kinds[each.key] = each.kind
	}
}

// isOpen reports whether the items of a section are shown.
func (c *column) isOpen(section *panel.Section) bool {
	if open, told := c.open[section.ID]; told {
		return open
	}
	return c.session != "" || !section.Folded || len(section.Items) == 0
}

// unfolds reports whether the items below an item are shown.
func (c *column) unfolds(key string, item *panel.Item) bool {
	if open, told := c.open[key]; told {
		return open
	}
	return c.session != "" || !item.Folded
}

// A page makes the rows of a list.
type page struct {
	look   look
	column *column
	rows   []row
	cells  int
	// all is true if nothing is folded.
	all bool
}

func (p *page) add(r row) { p.rows = append(p.rows, r) }

func (p *page) blank(key string) { p.add(row{key: key, rest: true}) }

// sentence adds a string in as many rows as it needs. The first one is about the section.
func (p *page) sentence(key string, indent int, text string, as role, section *panel.Section) {
	for i, line := range p.look.wrapped(p.look.text(text), p.cells-indent) {
		p.add(row{
			key: fmt.Sprintf("%s\x00%d", key, i), section: section, rest: true,
			pieces: []piece{{strings.Repeat(" ", indent), roleLabel, whole}, {line, as, whole}},
		})
	}
}

// section adds a section with its items.
func (p *page) section(section *panel.Section) {
	open := p.all || p.column.isOpen(section)
	sign := "▾ "
	if !open {
		sign = "▸ "
	}
	pieces := []piece{{sign, roleRule, whole}, {terminal.Line(section.Title), roleTitle, whole}}
	if section.Budget != nil {
		pieces = append(pieces, piece{"  " + bar(section.Budget.Used, section.Budget.Max), roleBar, whole})
	}
	text, summary := terminal.Line(section.Title), terminal.Line(section.Summary)
	if summary == "" && !open {
		summary = fmt.Sprint(len(section.Items))
	}
	if summary != "" {
		text += "  " + summary
		pieces = append(pieces, piece{"  " + summary, roleDetail, byParts})
	}
	p.add(row{key: section.ID, section: section, pieces: pieces, text: text})
	for i := range section.Items {
		if open {
			p.item(section, &section.Items[i], 1)
		}
	}
	if len(section.Items) == 0 && section.Empty != "" {
		p.sentence(section.ID+"\x00empty", 2, terminal.Line(section.Empty), roleDimmed, section)
	}
	p.blank(section.ID + "\x00end")
}

// item adds an item with those below it.
func (p *page) item(section *panel.Section, item *panel.Item, depth int) {
	key := keyOf(section, *item)
	icon, label := severe(item.Severity, tinted(item.Tint, roleIcon)), roleLabel
	if item.Dimmed {
		icon, label = roleDimmed, roleDimmed
	}
	pieces := []piece{{p.look.glyph(item.Icon) + " ", icon, whole}, {terminal.Line(item.Label), label, whole}}
	detail, children := terminal.Line(item.Detail), item.Children
	if len(children) > 0 && !p.all && !p.column.unfolds(key, item) {
		detail, children = strings.TrimSpace(detail+" …"), nil
	}
	if detail != "" {
		pieces = append(pieces, piece{"  " + detail, roleDetail, byParts})
	}
	author := ""
	if item.AuthorIcon != "" {
		author = p.look.glyph(item.AuthorIcon)
	}
	p.add(row{
		key: key, section: section, item: item, depth: depth, kind: p.column.kinds[key], pieces: pieces, author: author,
		aside: piece{terminal.Line(item.Aside), severe(item.AsideSeverity, roleDetail), whole}, text: textOf(*item),
	})
	for i := range children {
		p.item(section, &children[i], depth+1)
	}
}

// hasWords reports whether a string has all words of a query, which are in lower case.
func hasWords(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// matching returns the items that have words, or below which there is one that has them.
func matching(items []panel.Item, words []string) (found []panel.Item) {
	for _, item := range items {
		if hasWords(textOf(item), words) {
			found = append(found, item)
		} else if item.Children = matching(item.Children, words); len(item.Children) > 0 {
			found = append(found, item)
		}
	}
	return found
}

// filtered returns the sections with items that have words. Without words these are all sections.
func filtered(sections []panel.Section, words []string) []panel.Section {
	if len(words) == 0 {
		return sections
	}
	var left []panel.Section
	for _, section := range sections {
		if section.Items = matching(section.Items, words); len(section.Items) > 0 {
			section.Show = panel.ShowAlways
			left = append(left, section)
		}
	}
	return left
}

// differing returns which sections do not say the same in all panels that were received. If there are none,
// or only one panel, it returns nil.
func differing(columns []*column) map[string]bool {
	if len(columns) < 2 {
		return nil
	}
	texts, different := map[string]string{}, map[string]bool{}
	for _, column := range columns {
		if column.panel == nil {
			continue
		}
		for _, section := range column.panel.Sections {
			var text strings.Builder
			for _, each := range sightOf([]panel.Section{section}).items {
				text.WriteString(each.key + "\n" + each.text + "\n")
			}
			if before, known := texts[section.ID]; known && before != text.String() {
				different[section.ID] = true
			}
			texts[section.ID] = text.String()
		}
	}
	if len(different) == 0 {
		return nil
	}
	return different
}

// howToConnect tells a person how to connect an agent in a terminal.
const howToConnect = "wm-lsp agents lists the agents, and wm-lsp install AGENT connects one."

// rowsOf returns the rows of the panel in a column that is so many cells wide. If only is not nil, it has
// only those sections.
func (m *model) rowsOf(c *column, cells int, only map[string]bool) []row {
	p := &page{look: m.look, column: c, cells: cells}
	if c.problem != "" {
		p.sentence("\x00problem", 0, terminal.Line(c.problem), roleWarning, nil)
		p.blank("\x00problem\x00end")
	}
	if c.panel == nil {
		if c.problem == "" {
			p.sentence("\x00opening", 0, "The memory is opening …", roleDimmed, nil)
		}
		return p.rows
	}
	if c.panel.Hint != "" {
		p.sentence("\x00hint", 0, terminal.Line(c.panel.Hint), roleDimmed, nil)
		p.sentence("\x00connect", 0, howToConnect, roleDimmed, nil)
		p.blank("\x00hint\x00end")
	}
	words := strings.Fields(strings.ToLower(m.filter))
	p.all = len(words) > 0
	sections := filtered(c.panel.Sections, words)
	if len(sections) == 0 && len(words) > 0 {
		p.sentence("\x00none", 0, "No item has these words. F shows all items.", roleDimmed, nil)
	}
	var advanced []panel.Section
	for i := range sections {
		section := &sections[i]
		switch {
		case only != nil && !only[section.ID]:
		case section.Show == panel.ShowAdvanced && len(m.options.Params.Sections) == 0:
			advanced = append(advanced, *section)
		case section.Show != panel.ShowNonEmpty || len(section.Items) > 0:
			p.section(section)
		}
	}
	if len(advanced) > 0 {
		title := "More …"
		if m.more {
			title = "Less"
		}
		p.add(row{key: "\x00more", more: true, text: title, pieces: []piece{{title, roleTitle, whole}}})
		p.blank("\x00more\x00end")
	}
	for i := range advanced {
		if m.more {
			p.section(&advanced[i])
		}
	}
	return p.rows
}

// changedRows returns what differs from what the person saw last.
func (m *model) changedRows(c *column, cells int) []row {
	p := &page{look: m.look, column: c, cells: cells}
	about := map[string]row{}
	for i := range c.panel.Sections {
		collect(about, &c.panel.Sections[i], c.panel.Sections[i].Items)
	}
	if len(c.differences) == 0 {
		p.sentence("\x00none", 0, "Nothing has changed since you looked last.", roleDimmed, nil)
	}
	section := ""
	for _, each := range c.differences {
		if each.section != section {
			if section != "" {
				p.blank("\x00end" + section)
			}
			section = each.section
			p.add(row{key: "\x00title" + section, rest: true, pieces: []piece{{section, roleTitle, whole}}})
		}
		known := about[each.key]
		line := func(part, text string, as role, of kind) {
			p.add(row{
				key: each.key + part, section: known.section, item: known.item, text: text, kind: of,
				pieces: []piece{{" " + text, as, leastLabel}},
			})
		}
		if each.before != "" {
			line("\x00before", each.before, roleDimmed, removed)
		}
		if each.after != "" {
			line("", each.after, roleLabel, added)
		}
	}
	return p.rows
}

// collect adds what the rows of items are about, by their keys.
func collect(about map[string]row, section *panel.Section, items []panel.Item) {
	for i := range items {
		about[keyOf(section, items[i])] = row{section: section, item: &items[i]}
		collect(about, section, items[i].Children)
	}
}

// hitRows returns what a search found.
func (m *model) hitRows(hits []wire.SearchHit, query string) []row {
	p := &page{look: m.look, column: m.column(), cells: m.width}
	if len(hits) == 0 && strings.TrimSpace(query) != "" {
		p.sentence("\x00none", 0, "Nothing that is remembered fits these words.", roleDimmed, nil)
	}
	for i, hit := range hits {
		from, text := terminal.Line(hit.From), terminal.Line(hit.Item.Text)
		p.add(row{
			key: fmt.Sprintf("%s\x00%s\x00%d", hit.Store, hit.Item.ID, i), text: from + "\n\n" + hit.Item.Text,
			place:  &hit.Place,
			pieces: []piece{{text, roleLabel, leastLabel}, {"  " + from, roleDetail, byParts}},
		})
	}
	return p.rows
}

// context returns how full the context of the agent is.
func (c *column) context() (pieces []piece) {
	if c.panel == nil || c.panel.Pressure == nil {
		return nil
	}
	pieces = pressed(*c.panel.Pressure)
	if line := sparkline(c.panel.Pressure.History, sparks); line != "" {
		pieces = append(pieces, piece{" " + line, roleBar, 0})
	}
	return pieces
}

// pressed returns how full a context is.
func pressed(p wire.Pressure) []piece {
	as := roleInfo
	switch p.Level {
	case wire.PressureHigh:
		as = roleWarning
	case wire.PressureCritical:
		as = roleError
	}
	full := fmt.Sprintf("context %d %% %s", int(math.Floor(p.Percentage)), terminal.Line(string(p.Level)))
	return []piece{{full, as, whole}}
}

// header returns what is known of the context of the agent, of entries to review, and of changes.
func (m *model) header(c *column) (pieces []piece) {
	if len(m.columns) == 1 { // else each has its own
		pieces = c.context()
	}
	gap := func() string {
		if len(pieces) > 0 {
			return "  "
		}
		return ""
	}
	if c.panel != nil && c.panel.PausedUntil != "" {
		until := terminal.Line(c.panel.PausedUntil.Beside(time.Now()))
		pieces = append(pieces, piece{gap() + "paused until " + until, roleInfo, whole})
	}
	if c.panel != nil && c.panel.Badge > 0 {
		pieces = append(pieces, piece{fmt.Sprintf("%s%d to review", gap(), c.panel.Badge), roleInfo, whole})
	}
	if n := len(c.differences); n > 0 {
		pieces = append(pieces, piece{fmt.Sprintf("%s%d changed (h)", gap(), n), roleChanged, whole})
	}
	if m.filter != "" {
		pieces = append(pieces, piece{fmt.Sprintf("%sfilter: %s (F)", gap(), m.filter), roleInfo, 0})
	}
	return pieces
}

// sparks is how many cells the curve of the header has at most.
const sparks = 12

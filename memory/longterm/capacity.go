package longterm

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// fullItem is the id of the item that says what the next entry evicts.
const fullItem = "memory:full"

// shownNextChars is the maximum length of the text of an entry in that item.
const shownNextChars = 40

// next returns the entries that evict the next entry that is added, and whether there is no room even then.
func (r *Room) next() (weakest []Entry, full bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	over := len(r.state.active) + 1 - r.env.Settings().Memory.MaxEntries
	retained := r.state.retained()
	for i := len(retained) - 1; i >= 0 && len(weakest) < over; i-- {
		if !retained[i].Pinned {
			weakest = append(weakest, retained[i].clone())
		}
	}
	return weakest, len(weakest) < over
}

// fullItems returns the item that says what the next entry evicts, none if nothing.
func (r *Room) fullItems() []panel.Item {
	weakest, full := r.next()
	used, _ := r.Used()
	item := panel.Item{
		ID: fullItem, Kind: "full", Icon: "info", Severity: 3, HasMarkdown: true,
		Detail: fmt.Sprintf("%d of %d shown", used, r.env.Settings().Memory.MaxEntries),
	}
	switch {
	case full:
		item.Label = "Full: all are pinned"
		item.Detail += "; no other is kept"
	case len(weakest) == 0:
		return nil
	case len(weakest) == 1:
		item.Label = fmt.Sprintf("Full, next out: “%s”", shorten.Chars(shorten.Line(weakest[0].Text), shownNextChars))
		item.Detail += "; the next one moves it out of every context; search still finds it"
	default:
		item.Label = fmt.Sprintf("Full, next out: %d entries", len(weakest))
		item.Detail += "; the next one moves them out of every context; search still finds them"
	}
	return []panel.Item{item}
}

// fullMarkdown returns links to the entries that the next one evicts.
func (r *Room) fullMarkdown() (string, bool) {
	items := r.fullItems()
	if len(items) == 0 {
		return "", false
	}
	text := panel.Escape(items[0].Label+". "+items[0].Detail) + "\n\n"
	weakest, _ := r.next()
	for _, e := range weakest {
		text += "- " + panel.ItemLink(e.Text, itemPrefix+e.ID) + "\n"
	}
	return text, true
}

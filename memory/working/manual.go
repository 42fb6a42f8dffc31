package working

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

func tooLong(chars int) error {
	return fault.Refuse(fault.Limit, fault.Data{Chars: chars, MaxChars: MaxChars},
		"an item has at most %d characters, this has %d: shorten it, or write it into a note", MaxChars, chars)
}

// Added returns the item that changes add, as it is now, and the items of before that
// were evicted.
func (r *Room) Added(changes []change.Change, before []Item) (item Item, evicted []Item) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	evicted = []Item{}
	for _, c := range changes {
		var p noted
		if c.Kind != Added || c.Decode(&p) != nil {
			continue
		}
		if s, there := r.sessions[c.Subject]; there {
			item = s.items[keyOf(c.Subject, p.Items[0].ID)]
		}
		for _, old := range before {
			if slices.Contains(p.Gone, old.ID) {
				evicted = append(evicted, old)
			}
		}
	}
	return item, evicted
}

// Add returns the change that adds an item by hand. For a known item it counts as another
// mention (systems.md A6).
func (r *Room) Add(session, slot, content string) ([]change.Change, error) {
	content, _ = redact.Text(strings.TrimSpace(content))
	if chars := utf8.RuneCountInString(content); chars > MaxChars {
		return nil, tooLong(chars)
	}
	if err := r.known(slot); err != nil {
		return nil, err
	}
	s := r.read(session)
	defer r.mu.RUnlock()
	if s == nil {
		s = newSession()
	}
	p := noted{Event: s.counter(), Items: identified([]Item{{Slot: slot, Content: content, Source: manual}})}
	p.Gone = r.evicted(s, p)
	return []change.Change{change.New(Added, session, p)}, nil
}

func (r *Room) known(slot string) error {
	if slot == Pool || r.limit(slot) > 0 {
		return nil
	}
	var names []string
	for _, known := range r.Slots() {
		names = append(names, known.Name)
	}
	return fault.Invalid("slot", "must be one of %s, got %q", strings.Join(names, ", "), slot)
}

// Everywhere stands for all slots and the pool.
const Everywhere = "*"

// Matching returns the items of a slot whose content contains a string, ignoring case.
// With Everywhere it returns those of all slots, in their order, then those of the pool.
func (r *Room) Matching(session, slot, text string) ([]Item, error) {
	if slot != Everywhere {
		if err := r.known(slot); err != nil {
			return nil, err
		}
	}
	text = strings.ToLower(text)
	found := []Item{}
	for _, item := range r.all(session) {
		if (slot == Everywhere || item.Slot == slot) && strings.Contains(strings.ToLower(item.Content), text) {
			found = append(found, item)
		}
	}
	return found, nil
}

// all returns all items of a session: those of the slots, in their order, then those of
// the pool by score.
func (r *Room) all(session string) []Item {
	var items []Item
	for _, slot := range r.Slots() {
		items = append(items, r.Slot(session, slot.Name)...)
	}
	for _, item := range r.Pool(session) {
		items = append(items, item.Item)
	}
	return items
}

// Remove returns the change that drops items.
func (r *Room) Remove(session string, items []Item) []change.Change {
	if len(items) == 0 {
		return nil
	}
	p := removed{}
	for _, item := range items {
		p.IDs = append(p.IDs, item.ID)
	}
	return []change.Change{change.New(Removed, session, p)}
}

// Restore returns the change that adds dropped items again. Known items stay as they are.
func (r *Room) Restore(session string, items []Item) ([]change.Change, error) {
	events := r.Events(session)
	restored := slices.Clone(items)
	for i := range restored {
		item := &restored[i]
		item.Content, _ = redact.Text(strings.TrimSpace(item.Content))
		if chars := utf8.RuneCountInString(item.Content); chars > MaxChars {
			return nil, tooLong(chars)
		}
		if err := r.known(item.Slot); err != nil {
			return nil, err
		}
		*item = item.bounded(events)
	}
	restored = slices.DeleteFunc(restored, func(i Item) bool { return i.Content == "" })
	if len(restored) == 0 {
		return nil, nil
	}
	return []change.Change{change.New(Imported, session, identified(restored))}, nil
}

// Forget returns a row without the item, if that contains one of the strings to erase
// or is a part of one.
func (r *Room) Forget(row change.Row, texts []string) change.Row {
	if room.Bundled(row) != "" {
		return room.ForgetBundled(row, func(row change.Row) change.Row { return r.Forget(row, texts) })
	}
	var item Item
	if json.Unmarshal(row.Value, &item) != nil || item.Content == "" {
		return room.Without(row, texts)
	}
	for _, text := range texts {
		if strings.Contains(item.Content, text) || strings.Contains(text, item.Content) {
			row.Value = nil
			return row
		}
	}
	return room.Without(row, texts)
}

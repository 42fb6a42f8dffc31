package working

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// olderItem is an item as the older files have it. Times are milliseconds since
// 1970.
type olderItem struct {
	Type      string  `json:"type"`
	Content   string  `json:"content"`
	Source    string  `json:"source"`
	Timestamp float64 `json:"timestamp"`
	Mentions  int     `json:"mentions"`
	Event     *int    `json:"lastEventCounter"`
}

// Older is a file of working memory of the older layout.
type Older struct {
	Session string
	// Items count their events from the last one of the file, so that an item
	// that was mentioned in it has 0, one that was mentioned before less.
	Items []Item
}

// ReadOlder reads a file of working memory as it was kept before: as slots and a
// pool, or older still as one list {items: []} (systems.md A14). An item goes to
// the slot that its type names, else to the pool; a file path to the pool. Items
// without text are left out.
func ReadOlder(doc []byte) (Older, error) {
	var file struct {
		SessionID    string                 `json:"sessionID"`
		Items        []olderItem            `json:"items"`
		Slots        map[string][]olderItem `json:"slots"`
		Pool         []olderItem            `json:"pool"`
		EventCounter int                    `json:"eventCounter"`
	}
	if err := json.Unmarshal(doc, &file); err != nil {
		return Older{}, fmt.Errorf("read a file of working memory: %w", err)
	}
	older := Older{Session: file.SessionID}
	for slot, items := range file.Slots {
		for _, item := range items {
			older.add(slot, item, file.EventCounter)
		}
	}
	for _, item := range file.Pool {
		older.add(Pool, item, file.EventCounter)
	}
	if file.Slots == nil {
		for _, item := range file.Items {
			older.add(item.Type, item, file.EventCounter)
		}
	}
	slices.SortFunc(older.Items, newestFirst)
	return older, nil
}

// lastMilli is the last moment that can be written as a time, in milliseconds.
const lastMilli = 253402300799999

func (o *Older) add(slot string, from olderItem, events int) {
	item := Item{
		Slot: slot, Content: strings.TrimSpace(from.Content), Source: from.Source, Mentions: from.Mentions,
		CreatedAt: time.UnixMilli(int64(min(max(from.Timestamp, 0), lastMilli))).UTC(),
	}
	item.LastMentionedAt = item.CreatedAt
	if from.Event != nil {
		item.Event = *from.Event - events
	}
	item = item.bounded(0)
	if _, known := titles[slot]; !known {
		item.Slot = Pool
	}
	if from.Type == "file-path" {
		item.Slot, item.Path = Pool, item.Content
	}
	if item.Content == "" {
		return
	}
	item.ID = idOf(item)
	o.Items = append(o.Items, item)
}

// Import answers that the items of an older file are taken over into a session:
// of each slot as many as it holds, of the pool what has not faded. What the
// session holds already stays as it is.
func (r *Room) Import(session string, older Older) []change.Change {
	from := newSession()
	for _, item := range older.Items {
		from.items[item.ID] = item
	}
	var items []Item
	for _, slot := range r.Slots() {
		held := from.in(slot.Name)
		items = append(items, held[:min(len(held), slot.Max)]...)
	}
	for _, item := range from.pool(0) {
		if item.Score >= faded && len(items) < r.Settings().Working.PoolItems {
			items = append(items, item.Item)
		}
	}
	if len(items) == 0 {
		return nil
	}
	return []change.Change{change.New(Imported, session, items)}
}

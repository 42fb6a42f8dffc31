package working

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// legacyItem is an item in the files of older versions. Times are milliseconds since
// 1970.
type legacyItem struct {
	Type      string  `json:"type"`
	Content   string  `json:"content"`
	Source    string  `json:"source"`
	Timestamp float64 `json:"timestamp"`
	Mentions  int     `json:"mentions"`
	Event     *int    `json:"lastEventCounter"`
}

// A Legacy is the working memory in a file of an older version.
type Legacy struct {
	Session string
	// Items count events back from the last event of the file: an item that was mentioned
	// in it has 0, earlier ones have negative numbers.
	Items []Item
}

// ReadLegacy reads a working memory file in one of the older formats: slots and a pool, or
// one list {items: []} (systems.md A14). An item goes to the slot that its type names, or
// else to the pool. A file path goes to the pool. Items without content are left out.
func ReadLegacy(doc []byte) (Legacy, error) {
	var file struct {
		SessionID    string                  `json:"sessionID"`
		Items        []legacyItem            `json:"items"`
		Slots        map[string][]legacyItem `json:"slots"`
		Pool         []legacyItem            `json:"pool"`
		EventCounter int                     `json:"eventCounter"`
	}
	if err := json.Unmarshal(doc, &file); err != nil {
		return Legacy{}, fmt.Errorf("read a file of working memory: %w", err)
	}
	legacy := Legacy{Session: file.SessionID}
	for slot, items := range file.Slots {
		for _, item := range items {
			legacy.add(slot, item, file.EventCounter)
		}
	}
	for _, item := range file.Pool {
		legacy.add(Pool, item, file.EventCounter)
	}
	if file.Slots == nil {
		for _, item := range file.Items {
			legacy.add(item.Type, item, file.EventCounter)
		}
	}
	slices.SortFunc(legacy.Items, newestFirst)
	return legacy, nil
}

// lastMilli is the latest time that JSON can hold, in milliseconds since 1970.
const lastMilli = 253402300799999

func (o *Legacy) add(slot string, from legacyItem, events int) {
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

// Import returns the change that adds the items of a file of an older version to a
// session, within the limits of the slots and of the pool. Known items stay as they are.
func (r *Room) Import(session string, legacy Legacy) []change.Change {
	from := newSession()
	for _, item := range legacy.Items {
		from.items[item.ID] = item
	}
	var items []Item
	for _, slot := range r.Slots() {
		held := from.in(slot.Name)
		items = append(items, held[:min(len(held), slot.Max)]...)
	}
	for _, item := range from.pool(0) {
		if item.Score >= faded && len(items) < r.env.Settings().Working.PoolItems {
			items = append(items, item.Item)
		}
	}
	if len(items) == 0 {
		return nil
	}
	return []change.Change{change.New(Imported, session, items)}
}

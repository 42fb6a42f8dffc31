package items

import (
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// Remove returns the change that removes the item with an id.
func Remove(id string) []change.Change {
	return []change.Change{change.New(Removed, id, struct{}{})}
}

// Restore returns the change by which an item that was removed is recalled again, none if it is not deleted. The
// error is a fault if it was deleted in another way, or if its time is over at now.
func Restore(item Item, now time.Time) ([]change.Change, error) {
	switch {
	case item.DeletedAt.IsZero():
		return nil, nil
	case change.Kind(Noun+"."+item.Ended) != Removed:
		return nil, fault.Invalid("id", "must be of an item that was removed; this one is %s", item.Ended)
	case item.IsOver(now):
		return nil, fault.Invalid("id", "must be of an item whose time is not over; this one was kept until %s",
			item.Until().Format(time.RFC3339))
	}
	item.DeletedAt, item.Ended = time.Time{}, ""
	return []change.Change{change.New(Restored, item.ID, &item).Because("restored on request")}, nil
}

package items

import (
	"context"
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// Recalled means that an item was recalled into a context. The subject is the id of the item.
const Recalled change.Kind = "recall.item"

// freshAccess is how old the time of the last recall may be, so that the contexts of one task do
// not write it again and again.
const freshAccess = time.Hour

// Recalled records that items were recalled. Those that are known to have been recalled lately are
// left out, and ids that are of no item. While recording is paused it records nothing. It is called
// on the queue.
func (s *Service) Recalled(ctx context.Context, who change.Actor, ids []string) error {
	held := s.room()
	if held.db == nil || s.host.Paused() || len(ids) == 0 {
		return nil
	}
	found, err := held.Get(ctx, held.db, ids)
	if err != nil {
		return fmt.Errorf("read what was recalled: %w", err)
	}
	now := s.host.AgeNow()
	var changes []change.Change
	for _, item := range found {
		if now.Sub(item.AccessedAt) >= freshAccess {
			changes = append(changes, change.New(Recalled, item.ID, nil).AsHot())
		}
	}
	if len(changes) == 0 {
		return nil
	}
	_, err = s.host.ApplyHot(ctx, who, changes)
	return err
}

// Latest returns those of the newest items of a store of a session that can be recalled, the newest first.
func (r *Room) Latest(ctx context.Context, store, session string, limit int) (latest []Item, err error) {
	if r.db == nil {
		return nil, nil
	}
	now := r.env.Now()
	err = r.each(ctx, r.db, "WHERE store = ? AND session = ? AND deleted = 0 ORDER BY n DESC LIMIT ?",
		[]any{store, session, limit}, func(item *Item) bool {
			if !item.IsOver(now) {
				latest = append(latest, *item)
			}
			return true
		})
	return latest, err
}

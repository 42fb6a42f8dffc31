package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// rebuildRest is how long Rebuild waits for another process that works on the same tables.
const rebuildRest = 10 * time.Millisecond

// ErrClosed means that the workspace was closed meanwhile.
var ErrClosed = errors.New("the memory was closed")

// Rebuild makes anew what the tables of rooms hold that follows from other tables and files, such as the index of
// search, and returns when it is complete. Other processes take it over.
func (w *Workspace) Rebuild(ctx context.Context) error {
	renew := func() error {
		s, err := w.store.opened()
		if err != nil {
			return err
		}
		return w.writeTables(ctx, s, store.Durable, func(tx store.Tx) error {
			for _, r := range indexed(w.rooms.Load().list) {
				renewer, renews := r.(room.Renewer)
				if !renews {
					continue
				}
				if err := renewer.Renew(ctx, tx); err != nil {
					return fmt.Errorf("rebuild the tables of %s: %w", r.Name(), err)
				}
			}
			return nil
		})
	}
	err := w.onQueue(func() error {
		err := renew()
		if err != nil && w.regain(ctx, err) {
			err = renew()
		}
		return err
	})
	for due := true; err == nil && due; {
		err = w.onQueue(func() (err error) {
			s, err := w.store.opened()
			if err != nil {
				return err
			}
			due, err = w.maintainOnce(ctx, s, store.Durable)
			return err
		})
		if err == nil && due {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-time.After(rebuildRest):
			}
		}
	}
	return err
}

// onQueue runs a task on the queue and waits for it.
func (w *Workspace) onQueue(task func() error) error {
	result := make(chan error, 1)
	if !w.Do(func() { result <- task() }) {
		return ErrClosed
	}
	return <-result
}

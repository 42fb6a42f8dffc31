package memory

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A maintainer does the work on the tables of rooms that may be done later, and makes anew what
// follows from other tables and files.
type maintainer struct {
	store       *openedStore
	rooms       *registry
	reader      *logReader
	queue       *queue
	log         *slog.Logger
	now         func() time.Time
	recoverFrom func(ctx context.Context, cause error) bool

	failures logged // used on the queue only
	// resting is true between two steps of maintain.
	resting atomic.Bool
}

// maintainRest is how many times as long as a step of maintenance takes nothing more is done.
const maintainRest = 2

// maintain does a part of the work that is due. While there is more, it is called again after a
// rest. It is called on the queue.
func (m *maintainer) maintain(ctx context.Context) {
	if m.store.Load() == nil || ctx.Err() != nil || m.resting.Load() {
		return
	}
	began := time.Now()
	due, err := m.step(ctx, store.Fast)
	if err != nil && ctx.Err() == nil && m.failures.isNew(err, m.now()) { // the next poll tries again
		m.log.Warn("maintain the tables of rooms", "error", err)
	}
	if err != nil || !due {
		return
	}
	m.resting.Store(true)
	time.AfterFunc(maintainRest*time.Since(began), func() {
		again := func() {
			m.resting.Store(false)
			m.maintain(ctx)
		}
		if !m.queue.offer(again) { // the next poll goes on
			m.resting.Store(false)
		}
	})
}

// step does a part of the work that is due, and reports whether there was any. It is called on the
// queue.
func (m *maintainer) step(ctx context.Context, mode store.Mode) (bool, error) {
	var due []room.Maintainer
	each(m.rooms, func(one room.Maintainer) {
		if one.Due() {
			due = append(due, one)
		}
	})
	if len(due) == 0 {
		return false, nil
	}
	err := m.reader.update(ctx, mode, func(tx store.Tx) error {
		for _, one := range due {
			if err := one.Maintain(ctx, tx); err != nil {
				return fmt.Errorf("maintain the tables of %s: %w", one.Name(), err)
			}
		}
		return nil
	})
	if err != nil {
		for _, one := range due {
			one.Abandon()
		}
		if m.recoverFrom(ctx, err) { // the rooms that were asked are replaced, too
			err = nil
		}
	}
	return true, err
}

// rebuildRest is how long rebuild waits for another process that works on the same tables.
const rebuildRest = 10 * time.Millisecond

// rebuild implements Workspace.Rebuild.
func (m *maintainer) rebuild(ctx context.Context) error {
	err := m.queue.do(func() error {
		err := m.renew(ctx)
		if err != nil && m.recoverFrom(ctx, err) {
			err = m.renew(ctx)
		}
		return err
	})
	for due := true; err == nil && due; {
		err = m.queue.do(func() (err error) {
			if _, err = m.store.opened(); err != nil {
				return err
			}
			due, err = m.step(ctx, store.Durable)
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

// renew lets the rooms begin to make their tables anew. It is called on the queue.
func (m *maintainer) renew(ctx context.Context) error {
	return m.reader.update(ctx, store.Durable, func(tx store.Tx) error {
		for _, r := range indexed(m.rooms.Load().list) {
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

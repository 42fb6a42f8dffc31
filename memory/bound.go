package memory

import (
	"context"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// checkEvery is the number of changes, of all processes, after which the length of the log is
// checked. A short log is checked more often.
const checkEvery = 1000

// A logLimit keeps the log within the limits of the settings. It is used on the queue only.
type logLimit struct {
	settings func() *settings.Settings
	ageNow   func() time.Time
	rooms    *registry
	checked  int64 // the newest change when the length was last checked
}

func (l *logLimit) every() int { return min(checkEvery, l.settings().Log.MaxChanges/8) }

// due reports whether the log has grown enough for another check. seq is its newest change.
func (l *logLimit) due(seq int64) bool {
	grown := seq - l.checked
	return grown < 0 || grown >= int64(l.every())
}

// check folds the oldest changes into the snapshot if the log is longer than the settings
// allow, or may become so before the next check. seq is its newest change.
func (l *logLimit) check(ctx context.Context, s Store, seq int64) error {
	l.checked = seq
	limits := l.settings().Log
	// This leaves room for the changes until the next check, and for as many that are
	// written at once then.
	over, err := s.OverLimit(ctx, limits.MaxChanges-2*l.every(), l.ageNow().AddDate(0, 0, -limits.MaxDays))
	if err != nil || over == 0 {
		return err
	}
	return l.fold(ctx, s, over)
}

// fold folds the changes up to and with seq into the snapshot.
func (l *logLimit) fold(ctx context.Context, s Store, seq int64) error {
	return s.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
		snapshot, err := tx.Snapshot()
		if err != nil {
			return err
		}
		changes, err := tx.Until(seq)
		if err != nil {
			return err
		}
		changes = slices.DeleteFunc(changes, func(c change.Change) bool { return c.Seq <= snapshot.Seq })
		return tx.FoldInto(snapshot.Rows, l.rooms.replay(snapshot.Rows, changes), seq)
	})
}

// boundSoon puts a check of the length of the log on the queue if the log has grown enough.
func (w *Workspace) boundSoon() {
	if w.boundDue || !w.limit.due(w.seq.Load()) {
		return
	}
	w.boundDue = w.queue.offer(func() {
		w.boundDue = false
		w.bound(context.Background())
	})
}

// bound keeps the log within its limits.
func (w *Workspace) bound(ctx context.Context) {
	s := w.store.Load()
	if s == nil {
		return
	}
	if err := w.limit.check(ctx, s, w.seq.Load()); err != nil && !w.regain(ctx, err) {
		w.log.Warn("fold the oldest changes into the snapshot", "error", err)
	}
}

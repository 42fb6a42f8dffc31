package memory

import (
	"context"
	"log/slog"
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
	settings    func() *settings.Settings
	ageNow      func() time.Time
	rooms       *registry
	store       *openedStore
	reader      *logReader
	queue       *queue
	log         *slog.Logger
	recoverFrom func(ctx context.Context, cause error) bool

	checked int64 // the newest change when the length was last checked
	waiting bool  // a check is on the queue
}

func (l *logLimit) every() int { return min(checkEvery, l.settings().Log.MaxChanges/8) }

// later leaves the first check to who calls keep.
func (l *logLimit) later() { l.checked = l.reader.seq.Load() }

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

// checkSoon puts a check on the queue if the log has grown enough.
func (l *logLimit) checkSoon() {
	if l.waiting || !l.due(l.reader.seq.Load()) {
		return
	}
	l.waiting = l.queue.offer(func() {
		l.waiting = false
		l.keep(context.Background())
	})
}

// keep keeps the log within its limits.
func (l *logLimit) keep(ctx context.Context) {
	s := l.store.Load()
	if s == nil {
		return
	}
	if err := l.check(ctx, s, l.reader.seq.Load()); err != nil && !l.recoverFrom(ctx, err) {
		l.log.Warn("fold the oldest changes into the snapshot", "error", err)
	}
}

package memory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
)

// A host is the workspace as its services use it. It has methods that the rest of the
// program must not use.
type host struct{ *Workspace }

func (h host) Log() *slog.Logger  { return h.log }
func (h host) Rooms() []room.Room { return h.rooms.Load().list }

// Served returns the sessions that this process owns or is attached to.
func (h host) Served() []string { return h.leases.served() }

func (h host) ApplyHot(ctx context.Context, who change.Actor, changes []change.Change) ([]change.Change, error) {
	return h.applyHot(ctx, who, changes)
}

func (h host) ApplyDeferred(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	return h.commit(ctx, who, store.Deferred, withoutTables(decide), nil)
}

func (h host) ApplyTables(
	ctx context.Context, who change.Actor, decide func(tables room.Querier) ([]change.Change, error),
) ([]change.Change, error) {
	return h.commit(ctx, who, store.Fast, func(tx store.Tx) ([]change.Change, error) { return decide(tx) }, nil)
}

func (h host) Decide(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	return h.decide(ctx, who, store.Fast, decide)
}

func (h host) EnsureSession(ctx context.Context, ev event.Event) error {
	return h.lifecycle.ensure(ctx, ev)
}

// NotDeleted returns a refusal with the reason NotFound if a session was deleted.
func (h host) NotDeleted(session string) error { return h.Sessions().NotDeleted(session) }

func (h host) Offer(task func()) bool { return h.queue.offer(task) }

func (h host) SetProblem(about string, problem Problem) { h.problems.set(about, problem) }
func (h host) ClearProblem(about string)                { h.problems.clear(about) }

func (h host) SessionDir(session string) (string, error) { return h.store.sessionDir(session) }

// Flush writes the pending changes.
func (h host) Flush(ctx context.Context) { h.flush(ctx) }

// Refresh folds changes of other processes. It must not be called in a transaction.
func (h host) Refresh(ctx context.Context) { h.reader.refresh(ctx) }

// CatchUp folds changes of other processes in a transaction.
func (h host) CatchUp(tx store.Tx) error {
	defer h.notifier.notifyAll()
	return h.reader.catchUp(tx)
}

// Seq returns the position of the latest folded change.
func (h host) Seq() int64 { return h.reader.seq.Load() }

// Own reports whether this process has written a change.
func (h host) Own(c change.Change) bool { return c.Origin == h.origin.name }

// Writers returns how many other processes have written lately.
func (h host) Writers() int { return h.reader.writers.count(time.Now()) }

// Outputs, Folders and Copies return the store as services use it. The error is ErrStore if
// it is not open.
func (h host) Outputs() (outputs.Store, error) { return h.store.opened() }

func (h host) Folders() (sweeps.Folders, error) { return h.store.opened() }

func (h host) Copies() (longterm.Copies, error) { return h.store.opened() }

// WriteTables writes tables of rooms in a transaction, on the newest state. The error is ErrStore if
// there is no store.
func (h host) WriteTables(ctx context.Context, write func(tx room.Tx) error) error {
	return h.reader.update(ctx, store.Fast, func(tx store.Tx) error { return write(tx) })
}

// ServiceOf returns the service of type S of a workspace. It panics if there is none.
func ServiceOf[S any](w *Workspace) S { return serviceOf[S](w.rooms) }

func serviceOf[S any](r *registry) S {
	for _, s := range r.services {
		if found, is := s.(S); is {
			return found
		}
	}
	var none S
	panic(fmt.Sprintf("memory: the workspace has no service of type %T", none))
}

// record passes an event to the recorders.
func (r *registry) record(ctx context.Context, ev event.Event) error {
	var errs []error
	each(r, func(r room.Recorder) { errs = append(errs, r.Record(ctx, ev)) })
	return errors.Join(errs...)
}

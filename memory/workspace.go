// Package memory is the memory of a workspace. It passes events to its rooms and writes the
// changes that they return. Everything is written through Apply: one gate, one log, one
// transaction, one notice. The rooms hold the state and are read directly.
package memory

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/limits"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Options are the options of a workspace. SettingsGeneration, Limits, Now, NewID, Rooms, Changed
// and Tell may be nil.
type Options struct {
	// DataDir is the folder with the folders of all workspaces.
	DataDir string
	// Storage opens the stores of workspaces. Disabled does not need it.
	Storage Storage
	// Settings returns the settings of the process. The limits of the workspace replace its own.
	Settings func() *settings.Settings
	// Limits returns which limits somebody has set in these settings, the weakest settings first.
	Limits func() []limits.Statement
	// SettingsGeneration returns a number that differs after each change of the settings. It
	// is nil if they never change.
	SettingsGeneration func() int64
	Log                *slog.Logger
	Now                func() time.Time
	NewID              func() string
	// Cores are those of the process, on several of which it works on large batches. They may be nil.
	Cores *cores.Cores
	// Rooms are further memory types, which are called after the built-in ones.
	Rooms []room.Maker
	// Brief is true if the process lives for one event. It then looks neither for changes of
	// other processes after those that it reads at the start, nor for hand edits. It looks for
	// sessions that are over at its start, unless it is unseen.
	Brief bool
	// Unseen is true if no person sees the problems of the process. What it repairs is then told by
	// the next process of which one does.
	Unseen bool
	// Changed is called with the nouns of changes, after changes of any process. It must not
	// block.
	Changed func(w *Workspace, nouns []string)
	// Tell is called with what a person must know now. It must not block.
	Tell func(message string)
}

// A Workspace is the memory of a repository or folder. Methods that write are called on its
// queue (see Do), one at a time. Methods that read may be called at any time. To see the
// effects of tasks on the queue, wait for Settled first.
type Workspace struct {
	root, key string
	dir       string
	options   Options
	log       *slog.Logger
	queue     *queue
	problems  *problems
	limited   *limited
	worktrees *worktrees
	watcher   *watcher

	rooms *registry
	store openedStore

	notifier   *notifier
	reader     *logReader
	repairer   *repairer
	limit      *logLimit
	leases     *leases
	lifecycle  *lifecycle
	eraser     *eraser
	deleter    *deleter
	maintainer *maintainer
	lockWait   *lockWait

	refreshDue atomic.Bool // a refresh is on the queue for reads

	// The other fields are used on the queue only.
	origin    *origin
	stamper   *stamper
	pending   *pending
	lastFlush time.Time
	flushDue  bool
	events    gate.Events // redacts what is observed
	spared    []string    // strings that Apply must not redact
}

// Open opens the memory of a place. If the store cannot be opened, Problems reports why, and
// the methods that need the store return ErrStore. Open panics if options lack the storage.
func Open(place scope.Place, options Options) *Workspace {
	if options.Storage.Open == nil || options.Storage.SetAside == nil {
		panic("memory: Open needs Options.Storage with the functions Open and SetAside")
	}
	w := newWorkspace(place, options)
	w.Enter(place)
	w.queue.put(func() { w.openStore(context.Background()) }) // also if it is closed at once
	if !options.Brief {
		w.watcher.start()
	}
	return w
}

// withDefaults returns the options with functions in the place of nil ones that are called without a check.
func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tell == nil {
		o.Tell = func(string) {}
	}
	if o.Limits == nil {
		o.Limits = func() []limits.Statement { return nil }
	}
	if o.NewID == nil {
		o.NewID = func() string { return ulid.Make().String() }
	}
	if o.Changed == nil {
		o.Changed = func(*Workspace, []string) {}
	}
	return o
}

// newWorkspace returns a workspace whose store is not open. It connects the types of the package: each gets the
// others that it uses, and functions for what it cannot do alone.
func newWorkspace(place scope.Place, options Options) *Workspace {
	options = options.withDefaults()
	log := options.Log.With("workspace", place.Key)
	problems := newProblems(log)
	w := &Workspace{
		root: place.Root, key: place.Key, dir: store.WorkspaceDir(options.DataDir, place.Key),
		options: options, log: log, queue: newQueue(log),
		problems: problems, worktrees: newWorktrees(options.Settings), store: openedStore{log: log, problems: problems},
		origin: newOrigin(options.DataDir, log),
	}
	w.limited = &limited{own: options.Settings, rooms: func() *rooms {
		if w.rooms == nil { // they are being made
			return nil
		}
		return w.rooms.Load()
	}}
	var err error
	w.rooms, err = newRegistry(room.Env{
		Settings: w.Settings, Now: w.Now, NewID: options.NewID, Log: log,
		Tracked: w.worktrees.tracked, Read: readFile, Exists: exists, Unchanged: unchanged,
		Versioned: scope.Indexed, Pristine: scope.Pristine,
		Relative: w.worktrees.relative, Retired: w.store.retired, Unreadable: w.unreadable,
		SessionDir: w.store.sessionDir, Trace: w.traceAll, Cores: options.Cores,
	}, options.Rooms)
	if err != nil {
		w.problems.set(aboutRooms, room.Failure(err.Error(), "Leave one of the two memory types out."))
	}
	w.notifier = &notifier{rooms: w.rooms, changed: func(nouns []string) { options.Changed(w, nouns) }}
	problems.changed = w.notifier.everythingChanged
	w.rooms.addServices(host{w})
	w.stamper = &stamper{now: w.Now, origin: w.origin, rooms: w.rooms}
	w.pending = newPending(w.rooms, log)
	w.repairer = &repairer{
		dataDir: options.DataDir, dir: w.dir, storage: options.Storage, log: log, now: w.Now, rooms: w.rooms,
		problems: problems, stamper: w.stamper, unseen: options.Unseen,
	}
	w.leases = newLeases(&w.store, w.rooms, log)
	w.eraser = &eraser{
		dataDir: options.DataDir, dir: w.dir, store: &w.store, rooms: w.rooms, now: options.Now, problems: problems,
		queue: w.queue, log: log, recoverFrom: w.recoverFrom, failed: w.failed,
	}
	w.reader = &logReader{
		store: &w.store, rooms: w.rooms, pending: w.pending, leases: w.leases, eraser: w.eraser, notifier: w.notifier,
		queue: w.queue, log: log, reload: w.reload, reopen: w.reopen,
	}
	w.lifecycle = &lifecycle{
		leases: w.leases, store: &w.store, rooms: w.rooms, reader: w.reader, settings: w.Settings, now: w.Now, log: log,
		write: w.decide,
	}
	w.deleter = &deleter{
		key: w.key, store: &w.store, rooms: w.rooms, reader: w.reader, leases: w.leases, eraser: w.eraser,
		notifier: w.notifier, commit: w.commit,
	}
	w.lockWait = &lockWait{store: &w.store, problems: problems, tell: options.Tell}
	w.watcher = &watcher{
		store: &w.store, queue: w.queue, log: log, refresh: w.reader.refreshAfter, poll: w.poll, check: w.checkStore,
		writers: host{w}.Writers, look: w.lockWait.look, found: make(chan struct{}, 1),
	}
	w.limit = &logLimit{
		settings: w.Settings, ageNow: w.AgeNow, rooms: w.rooms, store: &w.store, reader: w.reader, queue: w.queue,
		log: log, recoverFrom: w.recoverFrom,
	}
	w.maintainer = &maintainer{
		store: &w.store, rooms: w.rooms, reader: w.reader, queue: w.queue, log: log, recoverFrom: w.recoverFrom,
		now: options.Now, failures: logged{},
	}
	return w
}

// Enter adds a place to the workspace: another folder or worktree of the same repository.
func (w *Workspace) Enter(place scope.Place) *scope.Scope { return w.worktrees.enter(place) }

// Abandon records that the client is gone without having ended its sessions. Close ends them as lost then.
func (w *Workspace) Abandon() { w.lifecycle.abandoned.Store(true) }

// Close closes the workspace. It runs the tasks on the queue, writes everything, and ends
// the sessions that no other process serves.
func (w *Workspace) Close(ctx context.Context) {
	w.watcher.close()
	w.queue.put(func() { w.shutDown(ctx) })
	w.queue.close()
}

// Serves reports whether a session is one of this process, which owns it or is attached to it. It is called on the
// queue.
func (w *Workspace) Serves(session string) bool { return w.leases.serves(session) }

// Do puts a task on the queue. It waits while the queue is full, and returns false if the
// workspace is closed.
func (w *Workspace) Do(task func()) bool { return w.queue.put(task) }

// Settled returns a channel that is closed when all tasks now on the queue are done, and the
// changes that other processes have acknowledged are folded. It returns nil if there are none.
func (w *Workspace) Settled() <-chan struct{} {
	if w.reader.behind() && w.refreshDue.CompareAndSwap(false, true) {
		w.queue.offer(func() {
			w.refreshDue.Store(false)
			if w.reader.behind() {
				w.reader.refresh(context.Background())
			}
		})
	}
	return w.queue.passed()
}

// WritePending puts the writing of pending changes on the queue: what runs after it finds them in the
// tables of rooms.
func (w *Workspace) WritePending(ctx context.Context) {
	w.queue.offer(func() { w.flush(ctx) })
}

// Root returns the folder that the workspace is the memory of.
func (w *Workspace) Root() string { return w.root }

// Key returns the first 16 hex digits of the sha256 of the root.
func (w *Workspace) Key() string { return w.key }

// Dir returns the folder in which the workspace is stored.
func (w *Workspace) Dir() string { return w.dir }

// Version returns a number that rises with every change of any process.
func (w *Workspace) Version() int64 { return w.rooms.version.Load() }

// Sessions returns the room of the sessions.
func (w *Workspace) Sessions() *sessions.Room { return w.rooms.Load().sessions }

// Settings returns the settings in force: those of the process, with the limits of the workspace.
func (w *Workspace) Settings() *settings.Settings { return w.limited.settings() }

// SettingsGeneration returns the number of the current settings. If it is read before the
// settings, values that are computed from them are valid as long as it stays the same.
func (w *Workspace) SettingsGeneration() int64 {
	if w.options.SettingsGeneration == nil {
		return w.limited.generation()
	}
	return w.options.SettingsGeneration() + w.limited.generation()
}

// ErrStore is returned if the store cannot be used. Nothing was changed. The message says
// why.
var ErrStore = room.ErrStore

// Trace returns the changes of the log that match a filter, oldest first.
func (w *Workspace) Trace(ctx context.Context, filter store.Filter) ([]change.Change, error) {
	s, err := w.store.opened()
	if err != nil {
		return nil, err
	}
	changes, err := s.Trace(ctx, filter)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	return changes, nil
}

// traceAll returns changes of a kind, including pending ones. It is called on the queue.
func (w *Workspace) traceAll(ctx context.Context, kind change.Kind, limit int) []change.Change {
	w.flush(ctx)
	changes, err := w.Trace(ctx, store.Filter{Kinds: []string{string(kind)}, Limit: limit})
	if err != nil {
		w.log.Warn("read the log", "kind", kind, "error", err)
	}
	return changes
}

// LogLength returns the number of changes in the log.
func (w *Workspace) LogLength(ctx context.Context) (int64, error) {
	s, err := w.store.opened()
	if err != nil {
		return 0, err
	}
	return s.Length(ctx)
}

// Healthy reports whether the store is open.
func (w *Workspace) Healthy() bool { return w.store.Load() != nil }

// Held reports whether changes on the queue have been waiting for another process for so long
// that reads do not wait for them.
func (w *Workspace) Held() bool { return w.lockWait.held() }

// Problems returns the current problems, ordered by what they are about.
func (w *Workspace) Problems() []Problem { return w.problems.list() }

// Now returns the wall clock in UTC, in whole milliseconds.
func (w *Workspace) Now() time.Time { return w.options.Now().UTC().Truncate(time.Millisecond) }

// AgeNow returns the time from which the ages of what is kept are measured: the clock, unless it may have
// jumped.
func (w *Workspace) AgeNow() time.Time { return w.Sessions().AgeNow(w.Now()) }

// unreadable implements room.Env.Unreadable.
func (w *Workspace) unreadable(name string, rows []change.Row) {
	w.queue.offer(func() { // the room may have found them in a transaction
		if s := w.store.Load(); s != nil {
			w.repairer.setRowsAside(context.Background(), s, map[string][]change.Row{name: rows})
		}
	})
}

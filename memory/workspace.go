// Package memory is one workspace's memory: it is told what happens, asks its
// rooms what that means, and writes what they answer. Everything that is kept
// goes through Apply: one gate, one log, one transaction, one notice. The rooms
// hold what is known and are asked directly.
package memory

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Options are what a workspace is run with. SettingsGeneration, Now, NewID and
// Rooms may be nil.
type Options struct {
	// DataDir is the folder that holds the folders of all workspaces, Storage what
	// keeps them.
	DataDir  string
	Storage  Storage
	Settings func() *settings.Settings
	// SettingsGeneration returns a number that is another one after each change of
	// the settings. It is nil where they never change.
	SettingsGeneration func() int64
	Log                *slog.Logger
	Now                func() time.Time
	NewID              func() string
	// Rooms are further memory types, which come after the builtin ones.
	Rooms []room.Maker
	// Changed is told the nouns of what changed, after any change from whichever
	// process. It must not block.
	Changed func(w *Workspace, nouns []string)
}

// A Workspace is the memory of one repository or folder. What writes is called
// on its queue (Do), one at a time; what reads may be called any time, after
// Settled where it has to see what was put on the queue before.
type Workspace struct {
	root, key string
	dir       string
	options   Options
	nowhere   error // why there is no memory, where there is none
	queue     *queue
	stop      context.CancelFunc
	watchers  sync.WaitGroup
	opened    chan struct{} // receives when a store was opened

	version atomic.Int64
	rooms   atomic.Pointer[rooms]
	nouns   map[string]room.Noun // what the rooms announce, by name
	// services are those of the builtin memory types.
	services []any
	store    openedStore

	mu       sync.RWMutex
	scopes   map[string]*scope.Scope // by worktree
	problems map[string]Problem      // by what they are about

	// The rest belongs to the queue.
	process   string // a random name of this use of the workspace
	origin    string // of the changes that it writes
	seq       int64
	pending   []change.Change      // hot changes that are folded and not yet written
	dirty     map[rowID]change.Row // their rows
	lastFlush time.Time
	flushDue  bool
	lastAt    time.Time
	leases    map[string]store.Lease // of the sessions that this process owns
	attached  map[string]bool        // the sessions that it speaks for and does not own
	boundedAt int64                  // the seq at which the length of the log was looked at
	boundDue  bool                   // a look is on the queue
}

type rowID struct{ room, key string }

// A Problem is something that a person should know of, and what to do about it.
type Problem = room.Problem

// Open opens the memory of a place. It never fails: a store that cannot be
// opened is a problem, told in Problems and in the error of whatever needs it.
func Open(place scope.Place, options Options) *Workspace {
	w := newWorkspace(place, options)
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.Enter(place)
	w.queue.put(func() { w.openStore(ctx) })
	w.watchers.Go(func() { w.watch(ctx) })
	return w
}

func newWorkspace(place scope.Place, options Options) *Workspace {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.NewID == nil {
		options.NewID = func() string { return ulid.Make().String() }
	}
	w := &Workspace{
		root: place.Root, key: place.Key, dir: store.WorkspaceDir(options.DataDir, place.Key),
		options: options, queue: newQueue(options.Log.With("workspace", place.Key)), stop: func() {}, opened: make(chan struct{}, 1),
		scopes: map[string]*scope.Scope{}, problems: map[string]Problem{},
		dirty: map[rowID]change.Row{}, leases: map[string]store.Lease{}, attached: map[string]bool{},
		process: randomName(),
	}
	all := w.newRooms()
	w.rooms.Store(all)
	nouns, err := nounsOf(all.list)
	if err != nil {
		w.setProblem(aboutRooms, room.Failure(err.Error(), "Leave one of the two memory types out."))
	}
	w.nouns = nouns
	w.makeServices()
	return w
}

// Enter makes the files of a place known to the workspace: another folder or
// worktree of the same repository.
func (w *Workspace) Enter(place scope.Place) *scope.Scope {
	w.mu.Lock()
	defer w.mu.Unlock()
	known, there := w.scopes[place.Worktree]
	if !there {
		known = scope.New(place,
			func() []string { return w.options.Settings().Exclude },
			func() int { return w.options.Settings().Files.MaxBytes })
		w.scopes[place.Worktree] = known
	}
	return known
}

// Close ends the workspace: what was put on the queue is done, everything is
// written, the sessions that no other process serves are over.
func (w *Workspace) Close(ctx context.Context) {
	w.stop()
	w.watchers.Wait()
	w.queue.put(func() { w.leave(ctx) })
	w.queue.close()
}

// Do puts a task on the queue, waiting while it is full. It reports false where
// the workspace is closed.
func (w *Workspace) Do(task func()) bool { return w.queue.put(task) }

// Settled returns a channel that is closed when everything put on the queue
// before is done; nil if it is already.
func (w *Workspace) Settled() <-chan struct{} { return w.queue.passed() }

// Root is the folder whose memory it is, Key names its folder on disk.
func (w *Workspace) Root() string { return w.root }

// Key is the first 16 hex digits of the sha256 of the root.
func (w *Workspace) Key() string { return w.key }

// Dir is the folder in which the workspace is kept.
func (w *Workspace) Dir() string { return w.dir }

// Version rises with every change, from whichever process.
func (w *Workspace) Version() int64 { return w.version.Load() }

// Sessions returns the room of the sessions, which the workspace itself needs.
func (w *Workspace) Sessions() *sessions.Room { return w.rooms.Load().sessions }

// Settings are the settings in force.
func (w *Workspace) Settings() *settings.Settings { return w.options.Settings() }

// SettingsGeneration returns the number of the settings in force. What was made
// of settings holds as long as the number is the same, if the number was read
// before the settings.
func (w *Workspace) SettingsGeneration() int64 {
	if w.options.SettingsGeneration == nil {
		return 0
	}
	return w.options.SettingsGeneration()
}

// ErrStore means that what is kept on disk cannot be reached; nothing was
// changed. The message says why.
var ErrStore = room.ErrStore

// Trace returns changes of the log, oldest first.
func (w *Workspace) Trace(ctx context.Context, filter store.Filter) ([]change.Change, error) {
	s := w.store.Load()
	if s == nil {
		return nil, w.storeError()
	}
	changes, err := s.Trace(ctx, filter)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	return changes, nil
}

// traceAll returns changes of a kind with what is not yet written. It is called on
// the queue.
func (w *Workspace) traceAll(ctx context.Context, kind change.Kind, limit int) []change.Change {
	w.flush(ctx)
	changes, err := w.Trace(ctx, store.Filter{Kinds: []string{string(kind)}, Limit: limit})
	if err != nil {
		w.options.Log.Warn("read the log", "workspace", w.key, "kind", kind, "error", err)
	}
	return changes
}

// LogLength is how many changes the log holds.
func (w *Workspace) LogLength(ctx context.Context) (int64, error) {
	s := w.store.Load()
	if s == nil {
		return 0, w.storeError()
	}
	return s.Length(ctx)
}

// Healthy reports whether the store can be used.
func (w *Workspace) Healthy() bool { return w.store.Load() != nil }

// Problems are what a person should know of, by what they are about.
func (w *Workspace) Problems() []Problem {
	w.mu.RLock()
	defer w.mu.RUnlock()
	problems := make([]Problem, 0, len(w.problems))
	for _, name := range slices.Sorted(mapKeys(w.problems)) {
		problems = append(problems, w.problems[name])
	}
	return problems
}

func (w *Workspace) setProblem(about string, problem Problem) {
	w.mu.Lock()
	known, there := w.problems[about]
	w.problems[about] = problem
	w.mu.Unlock()
	if !there || known != problem {
		w.options.Log.Warn("problem of the workspace", "workspace", w.key, "about", about, "problem", problem.Message)
	}
}

func (w *Workspace) clearProblem(about string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.problems, about)
}

func (w *Workspace) storeError() error {
	if w.nowhere != nil {
		return w.NoWorkspace()
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	if problem, there := w.problems[aboutStore]; there {
		return fmt.Errorf("%w: %s", ErrStore, problem.Message)
	}
	return ErrStore
}

// now is the wall clock, which never runs backwards here.
func (w *Workspace) now() time.Time { return w.options.Now().UTC().Truncate(time.Millisecond) }

func (w *Workspace) newID() string { return w.options.NewID() }

func (w *Workspace) tracked(worktree, cwd, file string) (string, bool) {
	w.mu.RLock()
	files, there := w.scopes[worktree]
	w.mu.RUnlock()
	if !there {
		return "", false
	}
	rel, inside := files.Rel(cwd, file)
	return rel, inside && files.Tracked(rel)
}

// retired reads the rows of a room that are retired.
func (w *Workspace) retired(room string) ([]change.Row, error) {
	s := w.store.Load()
	if s == nil {
		return nil, w.storeError()
	}
	rows, err := s.Retired(context.Background(), room)
	if err != nil {
		w.options.Log.Error("read the retired rows", "workspace", w.key, "room", room, "error", err)
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	return rows, nil
}

// relative returns the path of an absolute file in the worktree that holds it.
func (w *Workspace) relative(file string) (string, bool) {
	if !filepath.IsAbs(file) { // one that is absolute on another system
		return "", false
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	for worktree, files := range w.scopes {
		if rel, inside := files.Rel(worktree, file); inside {
			return rel, true
		}
	}
	return "", false
}

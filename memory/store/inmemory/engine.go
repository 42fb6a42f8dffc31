// Package inmemory stores workspaces in the memory of the process, for tests. Only the folders
// of sessions, with notes and conversations, are on the disk.
package inmemory

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/folders"
)

// An Engine holds workspaces by the path of their folder. Stores with the same path share
// their content, like the stores of several processes.
type Engine struct {
	mu         sync.Mutex
	workspaces map[string]*workspace
}

// New returns an empty engine.
func New() *Engine { return &Engine{workspaces: map[string]*workspace{}} }

// Open opens the workspace of a folder. The error is store.ErrCorrupt after Damage.
func (e *Engine) Open(ctx context.Context, dir string, _ *slog.Logger) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := e.at(dir)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.damaged {
		return nil, store.ErrCorrupt
	}
	return &Store{Sessions: folders.In(dir), dir: dir, workspace: w, generation: w.generation}, nil
}

// SetAside replaces a damaged workspace by an empty one. It returns the name under which the
// former content is kept, or "" if the workspace is not damaged.
func (e *Engine) SetAside(_ context.Context, dir string, now time.Time, _ *slog.Logger) (string, error) {
	w := e.at(dir)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.damaged {
		return "", nil
	}
	doc, err := json.Marshal(w.content.log)
	if err != nil {
		return "", fmt.Errorf("set the damaged database aside: %w", err)
	}
	name := store.AsideName(store.DatabaseName, now)
	w.aside[name] = doc
	w.replace()
	return name, nil
}

// Damage makes the database of a workspace unreadable.
func (e *Engine) Damage(dir string) {
	w := e.at(dir)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.damaged = true
}

// Remove deletes the database of a workspace.
func (e *Engine) Remove(dir string) {
	w := e.at(dir)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replace()
}

// EditCopy replaces the readable copy of a workspace. Its time is a second ago, so that the
// edit counts as complete.
func (e *Engine) EditCopy(dir string, doc []byte) {
	w := e.at(dir)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setCopy(doc)
	w.copiedAt = w.copiedAt.Add(-time.Second)
}

func (e *Engine) at(dir string) *workspace {
	e.mu.Lock()
	defer e.mu.Unlock()
	w, there := e.workspaces[dir]
	if !there {
		w = &workspace{
			content: newContent(), outputs: map[string]output{}, aside: map[string][]byte{},
			listeners: map[chan struct{}]bool{},
		}
		e.workspaces[dir] = w
	}
	return w
}

// A workspace is the content that the stores of one folder share.
type workspace struct {
	writing sync.Mutex // held by the writer; locked before mu

	mu         sync.Mutex // guards the fields below
	content    content
	generation int // rises when the content is replaced by an empty one
	damaged    bool
	outputs    map[string]output
	copied     []byte // the readable copy, nil if there is none
	copiedAt   time.Time
	aside      map[string][]byte // what was set aside, by name
	listeners  map[chan struct{}]bool
	tables     *sql.DB // of rooms, nil before they are used
}

type output struct {
	text string
	at   time.Time
}

func (w *workspace) replace() {
	w.content, w.damaged = newContent(), false
	w.generation++
	if w.tables != nil {
		_ = w.tables.Close()
		w.tables = nil
	}
}

// database returns the database with the tables of rooms. It exists as long as its one
// connection.
func (w *workspace) database() *sql.DB {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tables == nil {
		db, err := sql.Open("sqlite", ":memory:")
		if err != nil {
			panic(fmt.Sprintf("the sqlite driver is not linked in: %v", err))
		}
		db.SetMaxOpenConns(1)
		db.SetConnMaxIdleTime(0)
		w.tables = db
	}
	return w.tables
}

func (w *workspace) setCopy(doc []byte) { w.copied, w.copiedAt = slices.Clone(doc), time.Now() }

// notify notifies every listener that has no pending notice.
func (w *workspace) notify() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for listener := range w.listeners {
		select {
		case listener <- struct{}{}:
		default:
		}
	}
}

// content is the data that a transaction writes. A transaction replaces the content of a
// workspace and never modifies it, so that it can be read meanwhile.
type content struct {
	log      []change.Change
	state    rows
	retired  rows
	snapshot rows
	// snapshotSeq is the position of the latest change that the snapshot includes.
	snapshotSeq int64
	// cleared is the position of the last Clear.
	cleared int64
	meta    map[string]string
}

func newContent() content {
	return content{state: rows{}, retired: rows{}, snapshot: rows{}, meta: map[string]string{}}
}

func (c content) clone() content {
	return content{
		log: slices.Clone(c.log), meta: maps.Clone(c.meta),
		state: maps.Clone(c.state), retired: maps.Clone(c.retired),
		snapshot: maps.Clone(c.snapshot), snapshotSeq: c.snapshotSeq, cleared: c.cleared,
	}
}

type rowID struct{ room, key string }

// rows maps rows to their values.
type rows map[rowID]string

func (r rows) put(room string, row change.Row) {
	if row.Value == nil {
		delete(r, rowID{room, row.Key})
		return
	}
	r[rowID{room, row.Key}] = string(row.Value)
}

// byRoom returns the rows by room, sorted by key.
func (r rows) byRoom() map[string][]change.Row {
	ids := slices.SortedFunc(maps.Keys(r), func(a, b rowID) int {
		if a.key < b.key {
			return -1
		}
		return 1
	})
	list := map[string][]change.Row{}
	for _, id := range ids {
		list[id.room] = append(list[id.room], change.Row{Key: id.key, Value: []byte(r[id])})
	}
	return list
}

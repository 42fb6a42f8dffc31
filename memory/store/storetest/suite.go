// Package storetest states what every implementation of a store has to do, as
// tests that run on each of them.
package storetest

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A Subject is an implementation that is tested, and what can happen to what it
// keeps without its doing.
type Subject struct {
	Storage memory.Storage
	// Remove deletes the database of a workspace.
	Remove func(t *testing.T, dir string)
	// Damage makes the database of a workspace one that cannot be read. No store is
	// open on it then.
	Damage func(t *testing.T, dir string)
	// EditCopy replaces the readable copy of a workspace.
	EditCopy func(t *testing.T, dir, doc string)
}

// Run runs the tests on an implementation.
func Run(t *testing.T, subject Subject) {
	for _, part := range []struct {
		name  string
		tests map[string]func(*testing.T, *bench)
	}{
		{"log", logTests}, {"rows", rowTests}, {"transaction", transactionTests}, {"snapshot", snapshotTests},
		{"replaced", replacedTests}, {"sessions", sessionTests}, {"outputs", outputTests}, {"copy", copyTests},
		{"tables", tableTests}, {"processes", processTests}, {"erasing", erasingTests},
	} {
		t.Run(part.name, func(t *testing.T) {
			for name, test := range part.tests {
				t.Run(name, func(t *testing.T) { test(t, newBench(t, subject)) })
			}
		})
	}
}

// A bench is a workspace that is tested: a store that is open on a folder.
type bench struct {
	t       *testing.T
	subject Subject
	dir     string
	memory.Store
}

func newBench(t *testing.T, subject Subject) *bench {
	b := &bench{t: t, subject: subject, dir: filepath.Join(t.TempDir(), "a [1] #%41")} // no pattern and no URI
	require.NoError(t, os.Mkdir(b.dir, 0o700))
	b.Store = b.open()
	return b
}

// open opens the workspace once more, as another process does.
func (b *bench) open() memory.Store {
	b.t.Helper()
	s, err := b.subject.Storage.Open(b.t.Context(), b.dir, slog.New(slog.DiscardHandler))
	require.NoError(b.t, err)
	b.t.Cleanup(func() { _ = s.Close() })
	return s
}

const aRoom = "room"

// changed returns a change as a workspace writes it.
func changed(kind change.Kind, subject, value string) change.Change {
	c := change.New(kind, subject, value)
	c.At, c.Session, c.By = time.UnixMilli(1_700_000_000_000).UTC(), "s", "agent"
	c.Origin, c.Scope = "machine/process", change.Shared
	return c
}

// added returns a change that adds a value.
func added(subject, value string) change.Change { return changed("memory.added", subject, value) }

// write appends a change and puts its row.
func (b *bench) write(s memory.Store, mode store.Mode, c *change.Change) error {
	return s.Update(b.t.Context(), mode, nil, func(tx store.Tx) error {
		return errors.Join(tx.Append(c), tx.Put(aRoom, change.Row{Key: c.Subject, Value: c.After}))
	})
}

// add writes changes that have to succeed, each in a transaction of its own.
func (b *bench) add(changes ...change.Change) []change.Change {
	b.t.Helper()
	for i := range changes {
		require.NoError(b.t, b.write(b.Store, store.Durable, &changes[i]))
	}
	return changes
}

func (b *bench) update(f func(tx store.Tx) error) {
	b.t.Helper()
	require.NoError(b.t, b.Update(b.t.Context(), store.Durable, nil, f))
}

func (b *bench) changes(s memory.Store) []change.Change {
	b.t.Helper()
	changes, err := s.Since(b.t.Context(), 0)
	require.NoError(b.t, err)
	return changes
}

// rows are the values of the rows of the room, by their key.
func (b *bench) rows(s memory.Store) map[string]string {
	b.t.Helper()
	state, err := s.Load(b.t.Context(), nil)
	require.NoError(b.t, err)
	return values(state.Rows[aRoom])
}

// rowsOf are rows of the room, of keys and values.
func rowsOf(keysAndValues ...string) map[string][]change.Row {
	var rows []change.Row
	for i := 0; i < len(keysAndValues); i += 2 {
		rows = append(rows, change.Row{Key: keysAndValues[i], Value: []byte(keysAndValues[i+1])})
	}
	return map[string][]change.Row{aRoom: rows}
}

func values(rows []change.Row) map[string]string {
	values := map[string]string{}
	for _, row := range rows {
		values[row.Key] = string(row.Value)
	}
	return values
}

func subjects(changes []change.Change) []string {
	var subjects []string
	for _, c := range changes {
		subjects = append(subjects, c.Subject)
	}
	return subjects
}

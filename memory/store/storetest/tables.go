package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// texts makes the tables of a room that keeps strings and finds them by their words.
func (b *bench) texts() {
	b.update(func(tx store.Tx) error {
		_, err := tx.ExecContext(b.t.Context(), `CREATE TABLE room_count (n INTEGER NOT NULL);
			CREATE VIRTUAL TABLE room_text USING fts5(body)`)
		return err
	})
}

func (b *bench) insert(tx store.Tx, body string) error {
	_, err := tx.ExecContext(b.t.Context(), "INSERT INTO room_text(body) VALUES(?)", body)
	return err
}

// found counts the strings that hold a word.
func (b *bench) found(s memory.Store, word string) (n int) {
	b.t.Helper()
	row := s.QueryRowContext(b.t.Context(), "SELECT count(*) FROM room_text WHERE room_text MATCH ?", word)
	require.NoError(b.t, row.Scan(&n))
	return n
}

var tableTests = tests{
	"what is committed to them is read by every process": func(t *testing.T, b *bench) {
		other := b.open()
		b.texts()
		b.update(func(tx store.Tx) error { return b.insert(tx, "the launch is near") })
		assert.Equal(t, 1, b.found(b, "launch"))
		assert.Equal(t, 1, b.found(other, "launch"))
		assert.Zero(t, b.found(other, "moon"))
		rows, err := other.QueryContext(t.Context(), "SELECT body FROM room_text")
		require.NoError(t, err)
		defer rows.Close()
		require.True(t, rows.Next())
		var body string
		require.NoError(t, rows.Scan(&body))
		assert.Equal(t, "the launch is near", body)
	},
	"a view shows one state of them": func(t *testing.T, b *bench) {
		b.texts()
		count := func(db store.Querier) (n int) {
			require.NoError(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM room_text").Scan(&n))
			return n
		}
		refused := errors.New("refused")
		err := b.View(t.Context(), func(db store.Querier) error {
			assert.Zero(t, count(db))
			return refused
		})
		require.ErrorIs(t, err, refused)
		b.update(func(tx store.Tx) error { return b.insert(tx, "the launch is near") })
		require.NoError(t, b.View(t.Context(), func(db store.Querier) error {
			assert.Equal(t, 1, count(db), "of a view that begins after the commit")
			return nil
		}))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, b.View(ctx, func(store.Querier) error { return nil }), context.Canceled)
		assert.Equal(t, 1, b.found(b, "launch"), "the failed views have ended")
	},
	"a transaction that fails takes back what it wrote to them": func(t *testing.T, b *bench) {
		b.texts()
		refused := errors.New("refused")
		c := added("a", "one")
		err := b.Update(t.Context(), store.Fast, nil, func(tx store.Tx) error {
			err := errors.Join(tx.Append(&c), b.insert(tx, "the launch is near"))
			var n int
			row := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM room_text")
			assert.NoError(t, row.Scan(&n))
			assert.Equal(t, 1, n, "it reads what it has written")
			return errors.Join(err, refused)
		})
		require.ErrorIs(t, err, refused)
		assert.Zero(t, b.found(b, "launch"))
		assert.Empty(t, b.changes(b))
	},
	"the state has their names and not their rows": func(t *testing.T, b *bench) {
		b.texts()
		b.update(func(tx store.Tx) error {
			state, err := tx.Load()
			assert.Contains(t, state.Tables, "room_text")
			return errors.Join(err, b.insert(tx, "the launch is near"), tx.SetMeta("tables room", "1"))
		})
		state, err := b.Load(t.Context(), nil)
		require.NoError(t, err)
		assert.Empty(t, state.Rows)
		assert.Equal(t, map[string]string{"tables room": "1"}, state.Meta)
		assert.Contains(t, state.Tables, "room_text")
	},
	"clearing drops them": func(t *testing.T, b *bench) {
		b.add(added("a", "one"))
		b.texts()
		b.update(func(tx store.Tx) error { return b.insert(tx, "the launch is near") })
		b.update(func(tx store.Tx) error { return tx.Clear(1) })
		_, err := b.QueryContext(t.Context(), "SELECT * FROM room_text")
		require.ErrorContains(t, err, "no such table")
		b.texts()
		assert.Zero(t, b.found(b, "launch"))
		b.add(added("b", "two"))
	},
	"a store that is replaced has none": func(t *testing.T, b *bench) {
		b.texts()
		b.subject.Remove(t, b.dir)
		c := added("a", "one")
		require.ErrorIs(t, b.write(b.Store, store.Durable, &c), store.ErrReplaced)
		_, err := b.QueryContext(t.Context(), "SELECT * FROM room_text")
		require.ErrorContains(t, err, "no such table")
	},
}

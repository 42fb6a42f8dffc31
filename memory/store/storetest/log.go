package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

type tests = map[string]func(*testing.T, *bench)

var logTests = tests{
	"what is committed is there when the store is opened again": func(t *testing.T, b *bench) {
		for _, mode := range []store.Mode{store.Durable, store.Fast} {
			c := added("a", `two "quoted" 'and' ü`).WithBefore("one").Because("why")
			require.NoError(t, b.write(b.Store, mode, &c))
		}
		written := b.changes(b)
		require.Len(t, written, 2)
		require.NoError(t, b.Close())
		again := b.open()
		assert.Equal(t, written, b.changes(again))
		state, err := again.Load(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, written[1].Seq, state.Seq)
	},
	"changes are numbered from 1 and read as they were written": func(t *testing.T, b *bench) {
		c := added("a", "one").WithBefore("none").Because("why").AsHot()
		c.Redactions = 3
		b.add(c)
		c.Seq, c.Hot, c.Redactions = 1, false, 0
		assert.Equal(t, []change.Change{c}, b.changes(b))
	},
	"a part of the log is read by number": func(t *testing.T, b *bench) {
		b.add(added("a", "1"), added("b", "2"), added("c", "3"))
		since, err := b.Since(t.Context(), 1)
		require.NoError(t, err)
		assert.Equal(t, []string{"b", "c"}, subjects(since))
		history, err := b.History(t.Context(), 2)
		require.NoError(t, err)
		assert.Equal(t, []string{"a", "b"}, subjects(history.Changes))
		assert.Empty(t, history.Rows)
		length, err := b.Length(t.Context())
		require.NoError(t, err)
		assert.EqualValues(t, 3, length)
		b.update(func(tx store.Tx) error {
			since, err := tx.Since(2)
			assert.Equal(t, []string{"c"}, subjects(since))
			until, untilErr := tx.Until(1)
			assert.Equal(t, []string{"a"}, subjects(until))
			return errors.Join(err, untilErr)
		})
	},
	"changes that are written together are numbered in their order": func(t *testing.T, b *bench) {
		b.add(added("first", "x"))
		changes := make([]change.Change, 250)
		all := make([]*change.Change, len(changes))
		for i := range changes {
			changes[i] = added(fmt.Sprint(i), "x")
			all[i] = &changes[i]
		}
		b.update(func(tx store.Tx) error { return errors.Join(tx.Append(), tx.Append(all...)) })
		b.add(added("last", "x"))
		for i, c := range changes {
			assert.EqualValues(t, i+2, c.Seq)
		}
		written := b.changes(b)
		require.Len(t, written, 252)
		for i, c := range written {
			assert.EqualValues(t, i+1, c.Seq)
		}
		assert.Equal(t, "249", written[250].Subject)
		assert.Equal(t, "last", written[251].Subject)
	},
	"changes that are written together stay as they are, whatever they share": func(t *testing.T, b *bench) {
		for name, vary := range map[string]func(i int, c *change.Change){
			"all": func(int, *change.Change) {},
			"their session, author and origin": func(i int, c *change.Change) {
				c.At, c.Kind = c.At.Add(time.Duration(i)*time.Second), change.Kind(fmt.Sprintf("memory.kind%d", i))
				c.Reason, c.Scope = fmt.Sprint("because of ", i), change.Scope(i%2)
				if c.After = nil; i%3 > 0 {
					c.Before, c.After = json.RawMessage(`{"ä":1}`), json.RawMessage(`"日本\u0000"`)
				}
			},
			"their author and origin":  func(i int, c *change.Change) { c.Session = fmt.Sprint("s", i/150) },
			"their session and origin": func(i int, c *change.Change) { c.By = fmt.Sprint("agent", i/150) },
			"their session and author": func(i int, c *change.Change) { c.Origin = fmt.Sprint("machine/", i/150) },
		} {
			changes := make([]change.Change, 250)
			all := make([]*change.Change, len(changes))
			for i := range changes {
				changes[i] = added(fmt.Sprint(name, i), "x")
				vary(i, &changes[i])
				all[i] = &changes[i]
			}
			before := len(b.changes(b))
			b.update(func(tx store.Tx) error { return tx.Append(all...) })
			assert.Equal(t, changes, b.changes(b)[before:], name)
		}
	},
	"the trace is filtered and oldest first": func(t *testing.T, b *bench) {
		for i, c := range [][2]string{
			{"memory.added", "a"}, {"file.touched", "f"}, {"memory.updated", "a"}, {"memory.added", "b"},
			{"memoryless.added", "m"},
		} {
			written := changed(change.Kind(c[0]), c[1], "x")
			written.At = written.At.Add(time.Duration(i) * time.Second)
			b.add(written)
		}
		for name, c := range map[string]struct {
			filter store.Filter
			want   []string
		}{
			"all":                 {store.Filter{}, []string{"a", "f", "a", "b", "m"}},
			"of one subject":      {store.Filter{Subject: "a"}, []string{"a", "a"}},
			"of a kind":           {store.Filter{Kinds: []string{"memory.added"}}, []string{"a", "b"}},
			"of a noun":           {store.Filter{Kinds: []string{"memory"}}, []string{"a", "a", "b"}},
			"of two":              {store.Filter{Kinds: []string{"memory.updated", "file"}}, []string{"f", "a"}},
			"the newest":          {store.Filter{Limit: 2}, []string{"b", "m"}},
			"the newest of some":  {store.Filter{Subject: "a", Limit: 1}, []string{"a"}},
			"after a number":      {store.Filter{After: 2}, []string{"a", "b", "m"}},
			"since a time":        {store.Filter{Since: time.UnixMilli(1_700_000_003_000)}, []string{"b", "m"}},
			"of nothing there is": {store.Filter{Subject: "z"}, nil},
		} {
			found, err := b.Trace(t.Context(), c.filter)
			require.NoError(t, err, name)
			assert.Equal(t, c.want, subjects(found), name)
		}
	},
	"a closed store is said to be closed": func(t *testing.T, b *bench) {
		b.add(added("a", "1"))
		require.NoError(t, b.Close())
		_, err := b.Since(t.Context(), 0)
		require.ErrorIs(t, err, store.ErrClosed)
		_, err = b.Load(t.Context(), nil)
		assert.ErrorIs(t, err, store.ErrClosed)
	},
}

var rowTests = tests{
	"a row is written over and deleted": func(t *testing.T, b *bench) {
		b.add(added("a", "one"), added("b", "two"), changed("memory.updated", "a", "three"))
		assert.Equal(t, map[string]string{"a": `"three"`, "b": `"two"`}, b.rows(b))
		b.update(func(tx store.Tx) error { return tx.Put(aRoom, change.Row{Key: "a"}) })
		assert.Equal(t, map[string]string{"b": `"two"`}, b.rows(b))
	},
	"rows belong to rooms": func(t *testing.T, b *bench) {
		b.update(func(tx store.Tx) error {
			return errors.Join(
				tx.Put("one", change.Row{Key: "k", Value: []byte("1")}),
				tx.Put("two", change.Row{Key: "k", Value: []byte("2")}))
		})
		state, err := b.Load(t.Context(), nil)
		require.NoError(t, err)
		assert.Zero(t, state.Seq)
		assert.Equal(t, map[string]string{"k": "1"}, values(state.Rows["one"]))
		assert.Equal(t, map[string]string{"k": "2"}, values(state.Rows["two"]))
	},
	"the rows of rooms are given in parts": func(t *testing.T, b *bench) {
		want := map[string][]string{}
		b.update(func(tx store.Tx) error {
			for _, room := range []string{"many", "few"} {
				for i := range map[string]int{"many": 1000, "few": 3}[room] {
					key := fmt.Sprintf("%04d", i)
					want[room] = append(want[room], key)
					if err := tx.Put(room, change.Row{Key: key, Value: []byte(`"` + key + `"`)}); err != nil {
						return err
					}
				}
			}
			return tx.SetMeta("key", "value")
		})
		given := map[string][]string{}
		state, err := b.Load(t.Context(), func(room string, rows []change.Row) {
			for _, row := range rows {
				assert.Equal(t, `"`+row.Key+`"`, string(row.Value))
				given[room] = append(given[room], row.Key)
			}
		})
		require.NoError(t, err)
		assert.Empty(t, state.Rows, "they were given")
		assert.Equal(t, "value", state.Meta["key"])
		for room, keys := range given {
			slices.Sort(keys)
			assert.Equal(t, want[room], keys)
		}
		assert.Len(t, given, 2)
	},
	"a row is read as it was written": func(t *testing.T, b *bench) {
		want := map[string]string{}
		b.update(func(tx store.Tx) error {
			keys := []string{
				"", " ", "1 2 3", "a\x1fb", "a\x00b", "päth/☃.go", "line\nline", "'\"", "\xff", "99999999999 1 ",
			}
			for i, key := range keys {
				long := `"` + strings.Repeat("long ", 5000*i) + `"`
				for _, value := range []string{`""`, `"12 34 ☃"`, `{"a":[1,2]}`, long} {
					key := key + value[:2]
					want[key] = value
					if err := tx.Put(aRoom, change.Row{Key: key, Value: []byte(value)}); err != nil {
						return err
					}
				}
			}
			return nil
		})
		assert.Equal(t, want, b.rows(b))
		state, err := b.Load(t.Context(), nil)
		require.NoError(t, err)
		rows := state.Rows[aRoom]
		assert.True(t, slices.IsSortedFunc(rows, func(a, b change.Row) int { return strings.Compare(a.Key, b.Key) }))
		_ = append(rows[0].Value, "more"...)
		assert.Equal(t, want, values(rows), "no row shares what another one holds")
	},
	"a retired row is read apart": func(t *testing.T, b *bench) {
		row := func(key, value string, retired bool) change.Row {
			return change.Row{Key: key, Value: []byte(value), Retirable: true, Retired: retired}
		}
		apart := func() map[string]string {
			rows, err := b.Retired(t.Context(), aRoom)
			require.NoError(t, err)
			for _, row := range rows {
				assert.True(t, row.Retirable && row.Retired)
			}
			return values(rows)
		}
		put := func(rows ...change.Row) {
			b.update(func(tx store.Tx) error {
				for _, row := range rows {
					if err := tx.Put(aRoom, row); err != nil {
						return err
					}
				}
				return nil
			})
		}
		put(row("a", "1", false), row("b", "2", true), row("c", "3", true))
		assert.Equal(t, map[string]string{"a": "1"}, b.rows(b))
		assert.Equal(t, map[string]string{"b": "2", "c": "3"}, apart())
		put(row("a", "4", true), row("b", "5", false))
		assert.Equal(t, map[string]string{"b": "5"}, b.rows(b), "each row is there once")
		assert.Equal(t, map[string]string{"a": "4", "c": "3"}, apart())
		b.update(func(tx store.Tx) error {
			assert.Equal(t, map[string]string{"a": "4", "c": "3"}, apart(), "also in a transaction")
			written, err := tx.Rewrite(func(_ string, row change.Row) (change.Row, bool) {
				row.Value = []byte("9")
				return row, row.Key == "c"
			})
			assert.Equal(t, map[string]string{"c": "9"}, values(written[aRoom]))
			return err
		})
		assert.Equal(t, map[string]string{"a": "4", "c": "9"}, apart())
		put(change.Row{Key: "a", Retirable: true}, change.Row{Key: "b", Retirable: true, Retired: true})
		assert.Empty(t, b.rows(b))
		assert.Equal(t, map[string]string{"c": "9"}, apart())
		other, err := b.Retired(t.Context(), "another room")
		require.NoError(t, err)
		assert.Empty(t, other)
		b.update(func(tx store.Tx) error { return tx.Clear(1) })
		assert.Empty(t, apart())
	},
	"what is rewritten is returned": func(t *testing.T, b *bench) {
		b.add(added("a", "one"), added("b", "two"), added("c", "three"))
		b.update(func(tx store.Tx) error {
			written, err := tx.Rewrite(func(room string, row change.Row) (change.Row, bool) {
				assert.Equal(t, aRoom, room)
				switch row.Key {
				case "a":
					return change.Row{Key: "a", Value: []byte(`"other"`)}, true
				case "b":
					return change.Row{Key: "b"}, true
				}
				return row, false
			})
			assert.Equal(t, map[string]string{"a": `"other"`, "b": ""}, values(written[aRoom]))
			return err
		})
		assert.Equal(t, map[string]string{"a": `"other"`, "c": `"three"`}, b.rows(b))
	},
}

var transactionTests = tests{
	"one that fails writes nothing": func(t *testing.T, b *bench) {
		b.add(added("a", "one"))
		refused := errors.New("refused")
		c := added("b", "two")
		err := b.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
			_, err := tx.Rewrite(func(_ string, row change.Row) (change.Row, bool) {
				return change.Row{Key: row.Key}, true
			})
			return errors.Join(err,
				tx.Append(&c), tx.Put(aRoom, change.Row{Key: "b", Value: c.After}), tx.SetMeta("m", "1"),
				tx.Blank(func(change.Change) bool { return true }), tx.TakeSnapshot(),
				refused)
		})
		require.ErrorIs(t, err, refused)
		assert.Equal(t, []string{"a"}, subjects(b.changes(b)))
		assert.Equal(t, map[string]string{"a": `"one"`}, b.rows(b))
		history, err := b.History(t.Context(), 1)
		require.NoError(t, err)
		assert.Zero(t, history.Seq)
		assert.Empty(t, history.Rows)
		b.update(func(tx store.Tx) error {
			value, err := tx.Meta("m")
			assert.Empty(t, value)
			return err
		})
		b.add(added("c", "three"))
		assert.EqualValues(t, 2, b.changes(b)[1].Seq, "the number was not used")
	},
	"one that panics writes nothing and is in nobody's way": func(t *testing.T, b *bench) {
		assert.PanicsWithValue(t, "gone wrong", func() {
			_ = b.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
				assert.NoError(t, tx.Put(aRoom, change.Row{Key: "a", Value: []byte("1")}))
				panic("gone wrong")
			})
		})
		assert.Empty(t, b.rows(b))
		b.add(added("c", "three"))
	},
	"one whose context is done writes nothing": func(t *testing.T, b *bench) {
		ctx, cancel := context.WithCancel(t.Context())
		err := b.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
			err := tx.Put(aRoom, change.Row{Key: "a", Value: []byte("1")})
			cancel()
			return err
		})
		require.ErrorIs(t, err, context.Canceled)
		assert.Empty(t, b.rows(b))
	},
	"one whose context is done tells its caller so": func(t *testing.T, b *bench) {
		ctx, cancel := context.WithCancel(t.Context())
		err := b.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
			cancel()
			for range 100 { // whatever runs in the background meanwhile
				if err := tx.Put(aRoom, change.Row{Key: "a", Value: []byte("1")}); err != nil {
					return err
				}
				runtime.Gosched()
			}
			return nil
		})
		require.ErrorIs(t, err, context.Canceled)
	},
	"it reads what it has written": func(t *testing.T, b *bench) {
		c := added("a", "one")
		b.update(func(tx store.Tx) error {
			err := errors.Join(tx.Append(&c), tx.SetMeta("m", "1"), tx.SetMeta("m", "2"))
			changes, sinceErr := tx.Since(0)
			assert.Equal(t, []change.Change{c}, changes)
			value, metaErr := tx.Meta("m")
			assert.Equal(t, "2", value)
			putErr := tx.Put(aRoom, change.Row{Key: "a", Value: []byte("1")})
			state, loadErr := tx.Load()
			assert.EqualValues(t, 1, state.Seq)
			assert.Equal(t, map[string]string{"a": "1"}, values(state.Rows[aRoom]))
			assert.Equal(t, map[string]string{"m": "2"}, state.Meta)
			return errors.Join(err, sinceErr, metaErr, putErr, loadErr)
		})
	},
}

var snapshotTests = tests{
	"old changes are folded into it": func(t *testing.T, b *bench) {
		b.add(added("a", "1"), added("b", "2"), added("c", "3"))
		fold := func(after map[string][]change.Row, seq int64) {
			b.update(func(tx store.Tx) error {
				before, err := tx.Snapshot()
				return errors.Join(err, tx.FoldInto(before.Rows, after, seq))
			})
		}
		fold(rowsOf("a", "1", "z", "0"), 1)
		fold(rowsOf("a", "1", "b", "2"), 2)
		history, err := b.History(t.Context(), 3)
		require.NoError(t, err)
		assert.EqualValues(t, 2, history.Seq)
		assert.Equal(t, map[string]string{"a": "1", "b": "2"}, values(history.Rows[aRoom]))
		assert.Equal(t, []string{"c"}, subjects(history.Changes))
		assert.Len(t, b.rows(b), 3, "the tables stay")
		b.add(added("d", "4"))
		assert.EqualValues(t, 4, b.changes(b)[1].Seq, "the numbering goes on")
	},
	"the rows of the tables are taken as it, and the log stays": func(t *testing.T, b *bench) {
		b.add(added("a", "1"), added("b", "2"))
		b.update(func(tx store.Tx) error {
			return errors.Join(tx.FoldInto(nil, rowsOf("z", "0"), 1), tx.TakeSnapshot())
		})
		b.add(added("c", "3"))
		of := func(seq int64) store.History {
			history, err := b.History(t.Context(), seq)
			require.NoError(t, err)
			assert.EqualValues(t, 2, history.Seq)
			assert.Equal(t, map[string]string{"a": `"1"`, "b": `"2"`}, values(history.Rows[aRoom]))
			return history
		}
		assert.Equal(t, []string{"c"}, subjects(of(3).Changes))
		assert.Empty(t, of(1).Changes, "of before only the snapshot is known")
		assert.Equal(t, []string{"b", "c"}, subjects(b.changes(b)))
		b.update(func(tx store.Tx) error { // what is in it already is only dropped
			snapshot, err := tx.Snapshot()
			assert.EqualValues(t, 2, snapshot.Seq)
			return errors.Join(err, tx.FoldInto(snapshot.Rows, snapshot.Rows, 1))
		})
		of(3)
	},
	"what is over the limits is never all": func(t *testing.T, b *bench) {
		over := func(maxChanges int, before time.Time) int64 {
			seq, err := b.OverLimit(t.Context(), maxChanges, before)
			require.NoError(t, err)
			return seq
		}
		never, later := time.UnixMilli(0), time.UnixMilli(1_800_000_000_000)
		assert.Zero(t, over(0, later), "an empty log")
		for range 4 {
			b.add(added("a", "1"))
		}
		assert.Zero(t, over(4, never))
		assert.EqualValues(t, 1, over(3, never))
		assert.EqualValues(t, 3, over(0, never))
		assert.EqualValues(t, 3, over(9, later))
	},
}

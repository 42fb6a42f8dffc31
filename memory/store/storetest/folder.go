package storetest

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/conc/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

var replacedTests = tests{
	"a store that was removed is made anew and said so": func(t *testing.T, b *bench) {
		b.add(added("a", "one"))
		b.subject.Remove(t, b.dir)
		c := added("b", "two")
		require.ErrorIs(t, b.write(b.Store, store.Durable, &c), store.ErrReplaced)
		require.NoError(t, b.write(b.Store, store.Durable, &c))
		assert.Equal(t, map[string]string{"b": `"two"`}, b.rows(b))
	},
	"one that is sound is said to be": func(t *testing.T, b *bench) {
		b.add(added("a", "one"))
		require.NoError(t, b.Check(t.Context()))
	},
	"a damaged one is refused until it is set aside": func(t *testing.T, b *bench) {
		b.add(added("a", "one"))
		require.NoError(t, b.Close())
		b.subject.Damage(t, b.dir)
		quiet := slog.New(slog.DiscardHandler)
		_, err := b.subject.Storage.Open(t.Context(), b.dir, quiet)
		require.ErrorIs(t, err, store.ErrCorrupt)
		at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
		name, err := b.subject.Storage.SetAside(t.Context(), b.dir, at, quiet)
		require.NoError(t, err)
		assert.Equal(t, "memory.db.corrupt-20260301T090000.000Z", name)
		again := b.open()
		assert.Empty(t, b.changes(again))
		name, err = b.subject.Storage.SetAside(t.Context(), b.dir, at, quiet)
		require.NoError(t, err)
		assert.Empty(t, name, "another process has done it already")
		removed, left, err := again.RemoveHolding(nil)
		require.NoError(t, err)
		assert.Contains(t, removed, "memory.db.corrupt-20260301T090000.000Z")
		assert.Empty(t, left)
	},
}

var sessionTests = tests{
	"a lease says that a session is served": func(t *testing.T, b *bench) {
		other := b.open()
		assert.False(t, b.Alive("one"))
		lease, err := other.Lease("one")
		require.NoError(t, err)
		assert.True(t, b.Alive("one"))
		assert.True(t, other.Alive("one"))
		assert.False(t, b.Alive("two"))
		second, err := b.Lease("one")
		require.NoError(t, err, "several may serve it")
		require.NoError(t, lease.Release())
		assert.True(t, other.Alive("one"))
		require.NoError(t, second.Release())
		assert.False(t, other.Alive("one"))
	},
	"the files of a session are deleted with it": func(t *testing.T, b *bench) {
		removed, err := b.RemoveSession("one")
		require.NoError(t, err)
		assert.Empty(t, removed)
		b.file("one", "working-memory/overview.md", "mine")
		removed, err = b.RemoveSession("one")
		require.NoError(t, err)
		assert.Equal(t, []string{"sessions/" + store.SessionKey("one") + "/working-memory/overview.md"}, removed)
		assert.NoDirExists(t, b.SessionDir("one"))
	},
	"what is done while nobody serves it is not done while somebody does": func(t *testing.T, b *bench) {
		ran := 0
		count := func(dir string) error {
			assert.Equal(t, b.SessionDir("one"), dir)
			ran++
			return nil
		}
		lease, err := b.Lease("one")
		require.NoError(t, err)
		require.NoError(t, b.WhileUnserved("one", count))
		assert.Zero(t, ran)
		require.NoError(t, lease.Release())
		b.file("one", "notes.md", "mine")
		require.NoError(t, b.WhileUnserved("one", count))
		assert.Equal(t, 1, ran)
		assert.DirExists(t, b.SessionDir("one"), "something is in it")
		require.NoError(t, os.Remove(filepath.Join(b.SessionDir("one"), "notes.md")))
		require.NoError(t, b.WhileUnserved("one", count))
		assert.NoDirExists(t, b.SessionDir("one"))
	},
	"a sweep deletes the old folders that nobody knows or serves": func(t *testing.T, b *bench) {
		for _, session := range []string{"kept", "served", "old"} {
			b.file(session, "notes.md", "mine")
		}
		lease, err := b.Lease("served")
		require.NoError(t, err)
		keep := func(key string) bool { return key == store.SessionKey("kept") }
		sweep, err := b.SweepSessions(keep, time.Now().Add(-time.Hour))
		require.NoError(t, err)
		assert.Equal(t, store.Sweep{Scanned: 3}, sweep, "none is old enough")
		sweep, err = b.SweepSessions(keep, time.Now().Add(time.Hour))
		require.NoError(t, err)
		assert.Equal(t, store.Sweep{Scanned: 3, Deleted: 1}, sweep)
		assert.NoDirExists(t, b.SessionDir("old"))
		assert.DirExists(t, b.SessionDir("kept"))
		assert.DirExists(t, b.SessionDir("served"))
		require.NoError(t, lease.Release())
	},
	"a string is erased from their files, and former notes that hold it are deleted": func(t *testing.T, b *bench) {
		note := b.file("one", "working-memory/detail/a.md", "it is Halcyon Meridian.")
		former := b.file("one", "versions/0123456789abcdef", "it was Halcyon Meridian.")
		other := b.file("two", "versions/fedcba9876543210", "nothing of it")
		half := b.file("one", "working-memory/detail/.writing-x.tmp", "it is Halc")
		halves := b.file("one", ".writing-y.tmp", "it is Halcyon")
		left, err := b.EraseFromSessions([]string{"Halcyon", "Halcyon Meridian"})
		require.NoError(t, err)
		assert.Empty(t, left)
		assert.FileExists(t, half)
		assert.NoFileExists(t, halves)
		content, err := os.ReadFile(note)
		require.NoError(t, err)
		assert.Equal(t, "it is [erased].", string(content))
		assert.NoFileExists(t, former)
		assert.FileExists(t, other)
	},
}

// file writes a file into the folder of a session and returns its path.
func (b *bench) file(session, name, content string) string {
	b.t.Helper()
	path := filepath.Join(b.SessionDir(session), filepath.FromSlash(name))
	require.NoError(b.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(b.t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

var outputTests = tests{
	"an output is kept once and read by its reference": func(t *testing.T, b *bench) {
		ref, err := b.KeepOutput("all of it")
		require.NoError(t, err)
		again, err := b.KeepOutput("all of it")
		require.NoError(t, err)
		assert.Equal(t, ref, again)
		assert.Equal(t, store.OutputRef("all of it"), ref)
		text, err := b.open().ReadOutput(ref)
		require.NoError(t, err)
		assert.Equal(t, "all of it", text)
		for _, wrong := range []string{"", "../memory.db", ref[1:], strings.Repeat("0", 16)} {
			_, err := b.ReadOutput(wrong)
			assert.ErrorIs(t, err, store.ErrNoOutput, wrong)
		}
	},
	"a sweep deletes the oldest and those over the limit": func(t *testing.T, b *bench) {
		none, err := b.SweepOutputs(time.Now(), 1, time.Hour)
		require.NoError(t, err)
		assert.Equal(t, store.Sweep{}, none)
		for _, text := range []string{"first", "second", "third"} {
			_, err := b.KeepOutput(text)
			require.NoError(t, err)
			time.Sleep(20 * time.Millisecond) // of which some file systems see no less
		}
		sweep, err := b.SweepOutputs(time.Now(), 2, time.Hour)
		require.NoError(t, err)
		assert.Equal(t, store.Sweep{Scanned: 3, Deleted: 1, Reclaimed: int64(len("first"))}, sweep)
		_, err = b.ReadOutput(store.OutputRef("first"))
		require.ErrorIs(t, err, store.ErrNoOutput)
		sweep, err = b.SweepOutputs(time.Now().Add(2*time.Hour), 2, time.Hour)
		require.NoError(t, err)
		assert.Equal(t, 2, sweep.Deleted)
	},
}

// as returns what writes a document into the readable copy.
func as(doc string) func(store.Tx) ([]byte, error) {
	return func(store.Tx) ([]byte, error) { return []byte(doc), nil }
}

func (b *bench) hasCopy(want string, wantEdited bool) {
	b.t.Helper()
	doc, edited, err := b.ReadCopy(b.t.Context())
	require.NoError(b.t, err)
	assert.Equal(b.t, want, string(doc))
	assert.Equal(b.t, wantEdited, edited)
}

var copyTests = tests{
	"the one that was written last is known by its stamp": func(t *testing.T, b *bench) {
		assert.False(t, b.IsWrittenCopy(t.Context(), b.CopyStamp()), "there is none")
		require.NoError(t, b.WriteCopy(t.Context(), as("ours")))
		ours := b.CopyStamp()
		assert.True(t, b.IsWrittenCopy(t.Context(), ours))
		b.subject.EditCopy(t, b.dir, "theirs")
		assert.False(t, b.IsWrittenCopy(t.Context(), b.CopyStamp()))
		require.NoError(t, b.ReplaceCopy(t.Context(), []byte("theirs"), as("merged")))
		assert.True(t, b.IsWrittenCopy(t.Context(), b.CopyStamp()))
		assert.False(t, b.IsWrittenCopy(t.Context(), ours))
	},
	"there is none at first": func(t *testing.T, b *bench) {
		b.hasCopy("", false)
		assert.Equal(t, store.CopyStamp{}, b.CopyStamp())
		b.subject.EditCopy(t, b.dir, "theirs")
		b.hasCopy("theirs", true)
		assert.EqualValues(t, len("theirs"), b.CopyStamp().Size)
	},
	"an edit by hand is never overwritten": func(t *testing.T, b *bench) {
		require.NoError(t, b.WriteCopy(t.Context(), as("ours")))
		b.hasCopy("ours", false)
		b.subject.EditCopy(t, b.dir, "theirs")
		require.ErrorIs(t, b.WriteCopy(t.Context(), as("ours again")), store.ErrEdited)
		b.hasCopy("theirs", true)
		require.ErrorIs(t, b.ReplaceCopy(t.Context(), []byte("what they wrote before"), as("merged")), store.ErrEdited)
		b.hasCopy("theirs", true)
		require.NoError(t, b.ReplaceCopy(t.Context(), []byte("theirs"), as("merged")))
		b.hasCopy("merged", false)
	},
	"nor is one that comes while the new one is made": func(t *testing.T, b *bench) {
		require.NoError(t, b.WriteCopy(t.Context(), as("ours")))
		late := func(store.Tx) ([]byte, error) {
			b.subject.EditCopy(t, b.dir, "theirs")
			return []byte("ours again"), nil
		}
		require.ErrorIs(t, b.WriteCopy(t.Context(), late), store.ErrEdited)
		b.hasCopy("theirs", true)
	},
	"what builds it may fail": func(t *testing.T, b *bench) {
		require.NoError(t, b.WriteCopy(t.Context(), as("ours")))
		refused := errors.New("refused")
		require.ErrorIs(t, b.WriteCopy(t.Context(), func(store.Tx) ([]byte, error) { return nil, refused }), refused)
		b.hasCopy("ours", false)
	},
	"rows are set aside with their bytes, where they are still the same": func(t *testing.T, b *bench) {
		for _, key := range []string{"a", "b", "c"} {
			b.add(added(key, "value of "+key))
		}
		rows := map[string][]change.Row{"room": {
			{Key: "a", Value: []byte(`"value of a"`)}, {Key: "b", Value: []byte(`"another value"`)},
		}}
		name, err := b.SetRowsAside(t.Context(), rows, time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
		require.NoError(t, err)
		assert.Equal(t, "rows.corrupt-20260301T090000.000Z", name)
		state, err := b.Load(t.Context(), nil)
		require.NoError(t, err)
		var keys []string
		for _, row := range state.Rows["room"] {
			keys = append(keys, row.Key)
		}
		assert.Equal(t, []string{"b", "c"}, keys)
		removed, _, err := b.RemoveHolding([]string{"value of a"})
		require.NoError(t, err)
		assert.Equal(t, []string{name}, removed)
	},
	"one that cannot be read is set aside without its secrets": func(t *testing.T, b *bench) {
		b.subject.EditCopy(t, b.dir, "no JSON, and a secret")
		at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
		clean := func(doc []byte) []byte { return []byte(strings.ReplaceAll(string(doc), "a secret", "nothing")) }
		_, err := b.SetCopyAside(t.Context(), []byte("another"), at, clean)
		require.ErrorIs(t, err, store.ErrEdited, "it was edited since it was judged")
		name, err := b.SetCopyAside(t.Context(), []byte("no JSON, and a secret"), at, clean)
		require.NoError(t, err)
		assert.Equal(t, "workspace-memory.json.corrupt-20260301T090000.000Z", name)
		b.hasCopy("", false)
		removed, left, err := b.RemoveHolding([]string{"a secret"})
		require.NoError(t, err)
		assert.Empty(t, removed)
		assert.Empty(t, left)
		removed, _, err = b.RemoveHolding([]string{"no JSON, and nothing"})
		require.NoError(t, err)
		assert.Equal(t, []string{name}, removed)
	},
}

var processTests = tests{
	"each sees what the other has committed": func(t *testing.T, b *bench) {
		other := b.open()
		b.add(added("a", "one"))
		assert.Equal(t, b.changes(b), b.changes(other))
		c := added("b", "two")
		require.NoError(t, b.write(other, store.Fast, &c))
		assert.EqualValues(t, 2, c.Seq)
		assert.Equal(t, []string{"a", "b"}, subjects(b.changes(b)))
		assert.Equal(t, b.rows(other), b.rows(b))
		b.update(func(tx store.Tx) error {
			changes, err := tx.Since(1)
			assert.Equal(t, []string{"b"}, subjects(changes))
			return err
		})
	},
	"one that waits for another to write reads meanwhile what was committed": func(t *testing.T, b *bench) {
		b.add(added("a", "one"))
		other := b.open()
		writes, leave := make(chan struct{}), make(chan struct{})
		writing := pool.New().WithErrors()
		writing.Go(func() error {
			return b.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
				close(writes)
				<-leave
				c := added("b", "two")
				return tx.Append(&c)
			})
		})
		<-writes
		var before, within []change.Change
		meanwhile := func() {
			before = b.changes(other)
			close(leave)
		}
		require.NoError(t, other.Update(t.Context(), store.Durable, meanwhile, func(tx store.Tx) (err error) {
			within, err = tx.Since(0)
			return err
		}))
		require.NoError(t, writing.Wait())
		assert.Equal(t, []string{"a"}, subjects(before))
		assert.Equal(t, []string{"a", "b"}, subjects(within))
		meanwhile = func() { t.Error("it is called although nobody else writes") }
		require.NoError(t, other.Update(t.Context(), store.Durable, meanwhile, func(store.Tx) error { return nil }))
	},
	"each is told of a commit of the other": func(t *testing.T, b *bench) {
		other := b.open()
		ctx, stop := context.WithCancel(t.Context())
		notices, err := other.Notices(ctx)
		require.NoError(t, err)
		b.add(added("a", "one"))
		receive(t, notices)
		stop()
		for range notices { // until it is closed
		}
	},
}

func receive(t *testing.T, notices <-chan struct{}) {
	t.Helper()
	select {
	case <-notices:
	case <-time.After(time.Minute):
		t.Fatal("no notice came")
	}
}

var erasingTests = tests{
	"a blank change has only its number and its time": func(t *testing.T, b *bench) {
		written := b.add(added("a", "Halcyon").WithBefore("Meridian").Because("why"), added("b", "two"))
		b.update(func(tx store.Tx) error {
			return tx.Blank(func(c change.Change) bool { return c.Subject == "a" })
		})
		blank := change.Change{Seq: 1, At: written[0].At, Kind: store.KindBlank, Reason: "erased"}
		assert.Equal(t, []change.Change{blank, written[1]}, b.changes(b))
	},
	"clearing keeps the log from a number on, and nothing else": func(t *testing.T, b *bench) {
		b.add(added("a", "1"), added("b", "2"))
		b.update(func(tx store.Tx) error {
			return errors.Join(tx.SetMeta("m", "1"), tx.FoldInto(nil, rowsOf("x", "1"), 1))
		})
		b.update(func(tx store.Tx) error { return tx.Clear(2) })
		assert.Equal(t, []string{"b"}, subjects(b.changes(b)))
		assert.Empty(t, b.rows(b))
		history, err := b.History(t.Context(), 2)
		require.NoError(t, err)
		assert.Zero(t, history.Snapshot.Seq)
		assert.EqualValues(t, 2, history.Cleared)
		assert.Empty(t, history.Rows)
		b.update(func(tx store.Tx) error {
			value, err := tx.Meta("m")
			assert.Empty(t, value)
			return err
		})
	},
	"the readable copy can be deleted in a transaction": func(t *testing.T, b *bench) {
		require.NoError(t, b.WriteCopy(t.Context(), as("ours")))
		for _, want := range []bool{true, false} {
			b.update(func(store.Tx) error {
				was, err := b.RemoveCopy()
				assert.Equal(t, want, was)
				return err
			})
		}
		b.hasCopy("", false)
	},
	"everything that no transaction writes is deleted": func(t *testing.T, b *bench) {
		b.add(added("a", "1"))
		b.file("one", "notes.md", "mine")
		_, err := b.KeepOutput("all of it")
		require.NoError(t, err)
		require.NoError(t, b.WriteCopy(t.Context(), as("ours")))
		b.update(func(store.Tx) error {
			discarded, err := b.Discard()
			require.NoError(t, err)
			assert.ElementsMatch(t, []string{store.CopyName, store.SessionsName, store.CacheName}, discarded)
			return nil
		})
		b.hasCopy("", false)
		assert.NoDirExists(t, b.SessionDir("one"))
		_, err = b.ReadOutput(store.OutputRef("all of it"))
		require.ErrorIs(t, err, store.ErrNoOutput)
		assert.Len(t, b.changes(b), 1)
		mine := b.file("one", "notes.md", "written after it")
		left, err := b.RemoveDiscarded()
		require.NoError(t, err)
		assert.Empty(t, left)
		assert.FileExists(t, mine)
		found, err := fs.Glob(os.DirFS(b.dir), store.DiscardedPrefix+"*")
		require.NoError(t, err)
		assert.Empty(t, found)
	},
	"outputs that hold a string are deleted": func(t *testing.T, b *bench) {
		holds, err := b.KeepOutput("the codename is Halcyon")
		require.NoError(t, err)
		other, err := b.KeepOutput("nothing of it")
		require.NoError(t, err)
		removed, _, err := b.RemoveHolding([]string{"Halcyon"})
		require.NoError(t, err)
		assert.Equal(t, []string{holds}, removed)
		_, err = b.ReadOutput(other)
		require.NoError(t, err)
	},
}

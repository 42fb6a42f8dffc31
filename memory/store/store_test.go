package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

func opened(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// write appends a change and puts its row.
func write(s *Store, mode Mode, kind change.Kind, subject, value string) (change.Change, error) {
	c := change.New(kind, subject, value)
	c.At, c.Session, c.By = time.UnixMilli(1_700_000_000_000).UTC(), "s", "agent"
	err := s.Update(context.Background(), mode, func(tx *Tx) error {
		return errors.Join(tx.Append(&c), tx.Put("room", change.Row{Key: subject, Value: c.After}))
	})
	return c, err
}

func TestWhatIsCommittedIsThereWhenTheStoreIsOpenedAgain(t *testing.T) {
	for name, mode := range map[string]Mode{"durable": Durable, "fast": Fast} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := opened(t, dir)
			first, err := write(s, mode, "memory.added", "a", "one")
			require.NoError(t, err)
			second, err := write(s, mode, "memory.added", "b", `two "quoted" 'and' ü`)
			require.NoError(t, err)
			assert.Equal(t, first.Seq+1, second.Seq)
			require.NoError(t, s.Close())

			again := opened(t, dir)
			changes, err := again.Since(t.Context(), 0)
			require.NoError(t, err)
			assert.Equal(t, []change.Change{first, second}, changes)
			state, err := again.Load(t.Context())
			require.NoError(t, err)
			assert.Equal(t, second.Seq, state.Seq)
			assert.Len(t, state.Rows["room"], 2)
		})
	}
}

func TestATransactionThatFailsWritesNothing(t *testing.T) {
	s := opened(t, t.TempDir())
	refused := errors.New("refused")
	c := change.New("memory.added", "a", "one")
	err := s.Update(t.Context(), Durable, func(tx *Tx) error {
		return errors.Join(tx.Append(&c), tx.Put("room", change.Row{Key: "a", Value: c.After}), tx.SetMeta("m", "1"), refused)
	})
	assert.ErrorIs(t, err, refused)
	changes, err := s.Since(t.Context(), 0)
	require.NoError(t, err)
	assert.Empty(t, changes)
	state, err := s.Load(t.Context())
	require.NoError(t, err)
	assert.Empty(t, state.Rows)
}

func TestAFullDiskIsSaidSoAndLosesNothing(t *testing.T) {
	s := opened(t, t.TempDir())
	_, err := write(s, Durable, "memory.added", "before", "kept")
	require.NoError(t, err)
	// SQLite reports a page limit as it reports a full disk.
	limit := func(pages int) {
		_, err := s.full.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages))
		require.NoError(t, err)
	}
	limit(1) // at least what there is
	_, err = write(s, Durable, "memory.added", "big", strings.Repeat("x", 1<<20))
	require.ErrorContains(t, err, "the disk is full, nothing was saved; free some space and try again")
	limit(1 << 30)
	_, err = write(s, Durable, "memory.added", "after", "kept too")
	require.NoError(t, err)
	state, err := s.Load(t.Context())
	require.NoError(t, err)
	var keys []string
	for _, row := range state.Rows["room"] {
		keys = append(keys, row.Key)
	}
	assert.ElementsMatch(t, []string{"before", "after"}, keys)
}

func TestARowWithoutAValueIsDeleted(t *testing.T) {
	s := opened(t, t.TempDir())
	_, err := write(s, Durable, "memory.added", "a", "one")
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), Durable, func(tx *Tx) error { return tx.Put("room", change.Row{Key: "a"}) }))
	state, err := s.Load(t.Context())
	require.NoError(t, err)
	assert.Empty(t, state.Rows["room"])
}

func TestTheTraceIsFilteredAndOldestFirst(t *testing.T) {
	s := opened(t, t.TempDir())
	for _, c := range [][2]string{{"memory.added", "a"}, {"file.touched", "f"}, {"memory.updated", "a"}, {"memory.added", "b"}} {
		_, err := write(s, Durable, change.Kind(c[0]), c[1], "x")
		require.NoError(t, err)
	}
	for name, c := range map[string]struct {
		filter Filter
		want   []string
	}{
		"all":                 {Filter{}, []string{"a", "f", "a", "b"}},
		"of one subject":      {Filter{Subject: "a"}, []string{"a", "a"}},
		"of a kind":           {Filter{Kinds: []string{"memory.added"}}, []string{"a", "b"}},
		"of a noun":           {Filter{Kinds: []string{"memory"}}, []string{"a", "a", "b"}},
		"the newest":          {Filter{Limit: 2}, []string{"a", "b"}},
		"after a number":      {Filter{After: 2}, []string{"a", "b"}},
		"of nothing there is": {Filter{Subject: "z"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			changes, err := s.Trace(t.Context(), c.filter)
			require.NoError(t, err)
			var subjects []string
			for _, found := range changes {
				subjects = append(subjects, found.Subject)
			}
			assert.Equal(t, c.want, subjects)
		})
	}
}

func TestAnotherProcessIsToldOfACommit(t *testing.T) {
	dir := t.TempDir()
	s, other := opened(t, dir), opened(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	notices, err := other.Notices(ctx)
	require.NoError(t, err)
	_, err = write(s, Durable, "memory.added", "a", "one")
	require.NoError(t, err)
	select {
	case <-notices:
	case <-time.After(time.Minute):
		t.Fatal("no notice came")
	}
	changes, err := other.Since(ctx, 0)
	require.NoError(t, err)
	assert.Len(t, changes, 1)
}

func TestADatabaseThatWasRemovedIsMadeAnewAndSaidSo(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	_, err := write(s, Durable, "memory.added", "a", "one")
	require.NoError(t, err)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		require.NoError(t, os.Remove(filepath.Join(dir, DatabaseName+suffix)))
	}
	_, err = write(s, Durable, "memory.added", "b", "two")
	require.ErrorIs(t, err, ErrReplaced)
	_, err = write(s, Durable, "memory.added", "b", "two")
	require.NoError(t, err)
}

func TestALeaseTellsWhetherASessionIsAlive(t *testing.T) {
	s := opened(t, t.TempDir())
	assert.False(t, s.Alive("one"))
	lease, err := s.Lease("one")
	require.NoError(t, err)
	assert.True(t, s.Alive("one"))
	assert.False(t, s.Alive("two"))
	require.NoError(t, lease.Release())
	assert.False(t, s.Alive("one"))
	removed, err := s.RemoveSession("one")
	require.NoError(t, err)
	assert.NotEmpty(t, removed)
	assert.NoDirExists(t, s.SessionDir("one"))
}

func TestAHandEditOfTheCopyIsNeverOverwritten(t *testing.T) {
	s := opened(t, t.TempDir())
	build := func(text string) func(*Tx) ([]byte, error) {
		return func(*Tx) ([]byte, error) { return []byte(text), nil }
	}
	require.NoError(t, s.WriteCopy(t.Context(), build("ours")))
	_, edited, err := s.ReadCopy(t.Context())
	require.NoError(t, err)
	assert.False(t, edited)

	require.NoError(t, os.WriteFile(s.copyPath(), []byte("theirs"), 0o600))
	assert.ErrorIs(t, s.WriteCopy(t.Context(), build("ours again")), ErrEdited)
	doc, edited, err := s.ReadCopy(t.Context())
	require.NoError(t, err)
	assert.True(t, edited)
	assert.Equal(t, "theirs", string(doc))

	assert.ErrorIs(t, s.ReplaceCopy(t.Context(), []byte("what they wrote before"), build("merged")), ErrEdited)
	assert.ErrorIs(t, s.ReplaceCopy(t.Context(), []byte("theirs"), func(*Tx) ([]byte, error) {
		return []byte("merged"), os.WriteFile(s.copyPath(), []byte("theirs, once more"), 0o600)
	}), ErrEdited, "somebody writes while the new text is being made")
	require.NoError(t, os.WriteFile(s.copyPath(), []byte("theirs"), 0o600))
	require.NoError(t, s.ReplaceCopy(t.Context(), []byte("theirs"), build("merged")))
	_, edited, err = s.ReadCopy(t.Context())
	require.NoError(t, err)
	assert.False(t, edited)
}

func TestShreddingLeavesNoByte(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	_, err := write(s, Durable, "memory.added", "a", "the codename is Halcyon")
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), Durable, func(tx *Tx) error {
		return errors.Join(
			tx.Blank(func(c change.Change) bool { return c.Subject == "a" }, func(string, change.Row) bool { return true }),
			tx.Put("room", change.Row{Key: "a"}))
	}))
	_, err = s.Shred(t.Context(), []string{"Halcyon"})
	require.NoError(t, err)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		if content, err := os.ReadFile(filepath.Join(dir, entry.Name())); err == nil {
			assert.NotContains(t, string(content), "Halcyon", entry.Name())
		}
	}
	changes, err := s.Since(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	assert.Equal(t, KindBlank, changes[0].Kind)
}

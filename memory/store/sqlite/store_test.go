package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/sourcegraph/conc/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
	"github.com/wm-lsp/wm-lsp/memory/store/storetest"
)

func TestItIsAStore(t *testing.T) {
	storetest.Run(t, storetest.Subject{
		Storage: memory.StorageOf(Open, SetAside),
		Remove: func(t *testing.T, dir string) {
			for _, suffix := range []string{"", "-wal", "-shm"} {
				require.NoError(t, os.Remove(filepath.Join(dir, store.DatabaseName+suffix)))
			}
			another, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler)) // another process comes first
			require.NoError(t, err)
			require.NoError(t, another.Close())
		},
		Damage: func(t *testing.T, dir string) {
			storetest.MoveLog(t, dir)
			garbage := strings.Repeat("nonsense", 1000)
			require.NoError(t, os.WriteFile(filepath.Join(dir, store.DatabaseName), []byte(garbage), 0o600))
		},
		EditCopy: func(t *testing.T, dir, doc string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, store.CopyName), []byte(doc), 0o600))
		},
	})
}

func opened(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// write appends a change and puts its row.
func write(t *testing.T, s *Store, subject, value string) error {
	c := change.New("memory.added", subject, value)
	return s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
		return errors.Join(tx.Append(&c), tx.Put("room", change.Row{Key: subject, Value: c.After}))
	})
}

func TestAFullDiskIsSaidSoAndLosesNothing(t *testing.T) {
	s := opened(t, t.TempDir())
	err := write(t, s, "before", "kept")
	require.NoError(t, err)
	// SQLite reports a page limit as it reports a full disk.
	limit := func(pages int) {
		_, err := s.db.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages))
		require.NoError(t, err)
	}
	limit(1) // at least what there is
	err = write(t, s, "big", strings.Repeat("x", 1<<20))
	require.ErrorContains(t, err, "the disk is full, nothing was saved; free some space and try again")
	limit(1 << 30)
	err = write(t, s, "after", "kept too")
	require.NoError(t, err)
	state, err := s.Load(t.Context(), nil)
	require.NoError(t, err)
	var keys []string
	for _, row := range state.Rows["room"] {
		keys = append(keys, row.Key)
	}
	assert.ElementsMatch(t, []string{"before", "after"}, keys)
}

func TestADatabaseThatCanBeWrittenAgainIsWritten(t *testing.T) {
	s := opened(t, t.TempDir())
	_, err := s.db.ExecContext(t.Context(), "PRAGMA query_only = 1") // as one that was opened on a read-only disk
	require.NoError(t, err)
	require.ErrorContains(t, write(t, s, "before", "lost"), "the folder of the memory cannot be written")
	require.NoError(t, write(t, s, "after", "kept"))
	state, err := s.Load(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, state.Rows["room"], 1)
	assert.Equal(t, "after", state.Rows["room"][0].Key)
}

func TestShreddingLeavesNoByte(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	err := write(t, s, "a", "the codename is Halcyon")
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
		return errors.Join(
			tx.Blank(func(c change.Change) bool { return c.Subject == "a" }),
			tx.Put("room", change.Row{Key: "a"}))
	}))
	require.NoError(t, s.Shred(t.Context()))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		if content, err := os.ReadFile(filepath.Join(dir, entry.Name())); err == nil {
			assert.NotContains(t, string(content), "Halcyon", entry.Name())
		}
	}
}

// firstVersion creates the tables of version 1.
const firstVersion = `CREATE TABLE log (
	seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
	session TEXT NOT NULL, by TEXT NOT NULL, before TEXT, after TEXT, reason TEXT NOT NULL
);
CREATE INDEX log_subject ON log(subject, seq);
CREATE TABLE state (
	room TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (room, key)
) WITHOUT ROWID;
CREATE TABLE snapshot (
	room TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (room, key)
) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`

// ofVersion makes a database of an earlier version in a folder and connects to it.
func ofVersion(t *testing.T, dir string, version int) *sql.DB {
	t.Helper()
	db := connect(filepath.Join(dir, store.DatabaseName), &damage{})
	for _, statements := range append([]string{firstVersion}, migrations[:version-1]...) {
		_, err := db.ExecContext(t.Context(), statements)
		require.NoError(t, err)
	}
	_, err := db.ExecContext(t.Context(), fmt.Sprintf("PRAGMA user_version = %d", version))
	require.NoError(t, err)
	return db
}

func TestADatabaseWhoseVersionNoProgramWritesIsRefused(t *testing.T) {
	for version, want := range map[int]error{
		-1: store.ErrCorrupt, math.MinInt32: store.ErrCorrupt,
		Schema() + 1: store.ErrNewer, math.MaxInt32: store.ErrNewer,
	} {
		dir := t.TempDir()
		db := connect(filepath.Join(dir, store.DatabaseName), &damage{})
		_, err := db.ExecContext(t.Context(), fmt.Sprintf("PRAGMA user_version = %d", version))
		require.NoError(t, err)
		require.NoError(t, db.Close())
		_, err = Open(t.Context(), dir, slog.New(slog.DiscardHandler))
		assert.ErrorIs(t, err, want, "version %d", version)
	}
}

func TestChangesOfTheFirstVersionArePrivateAndOfUnknownOrigin(t *testing.T) {
	dir := t.TempDir()
	db := ofVersion(t, dir, 1)
	_, err := db.ExecContext(t.Context(), `INSERT INTO log(at, kind, subject, session, by, after, reason)
		VALUES(1700000000000, 'memory.added', 'a', 's', 'agent', '"one"', 'why')`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	changes, err := opened(t, dir).Since(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	old := change.New("memory.added", "a", "one").Because("why")
	old.Seq, old.At, old.Session, old.By = 1, time.UnixMilli(1_700_000_000_000).UTC(), "s", "agent"
	assert.Equal(t, old, changes[0])
	assert.Equal(t, change.Private, changes[0].Scope)
}

func TestTheThirdVersionLosesTheRowsOfARoomThatHasATable(t *testing.T) {
	dir := t.TempDir()
	db := ofVersion(t, dir, 3)
	for _, table := range []string{"state", "snapshot"} {
		_, err := db.ExecContext(t.Context(), "INSERT INTO "+table+` VALUES('briefing', 's', '{}'), ('hot', 'a', '{}')`)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
	s := opened(t, dir)
	state, err := s.Load(t.Context(), nil)
	require.NoError(t, err)
	assert.Len(t, state.Rows, 1)
	history, err := s.History(t.Context(), 0)
	require.NoError(t, err)
	assert.Len(t, history.Rows, 1)
}

func TestEntriesOfTheSecondVersionThatAreNotInForceAreRetired(t *testing.T) {
	dir := t.TempDir()
	db := ofVersion(t, dir, 2)
	_, err := db.ExecContext(t.Context(), `INSERT INTO state(room, key, value) VALUES
		('longterm', 'active', '{"status":"active"}'), ('longterm', 'evicted', '{"status":"evicted"}'),
		('longterm', 'stale', '{"status":"removed","stale":{"reason":"gone"}}'),
		('hot', 'ended', '{"status":"evicted"}'), ('sweeps', 'number', '1')`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	s := opened(t, dir)
	state, err := s.Load(t.Context(), nil)
	require.NoError(t, err)
	keys := func(rows []change.Row) (keys []string) {
		for _, row := range rows {
			keys = append(keys, row.Key)
		}
		return keys
	}
	assert.Equal(t, []string{"active", "stale"}, keys(state.Rows["longterm"]))
	assert.Equal(t, []string{"ended"}, keys(state.Rows["hot"]))
	assert.Equal(t, []string{"number"}, keys(state.Rows["sweeps"]))
	retired, err := s.Retired(t.Context(), "longterm")
	require.NoError(t, err)
	assert.Equal(t, []string{"evicted"}, keys(retired))
}

// columns returns the columns of a table and its indexes.
func columns(t *testing.T, s *Store, table string) (found []string) {
	t.Helper()
	rows, err := s.db.QueryContext(t.Context(), `SELECT
		name || ' ' || type || ' ' || "notnull" || ' ' || pk || ' ' || coalesce(dflt_value, 'none')
		FROM pragma_table_info(?) UNION ALL
		SELECT 'index ' || name FROM pragma_index_list(?) WHERE origin = 'c'`, table, table)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var column string
		require.NoError(t, rows.Scan(&column))
		found = append(found, column)
	}
	require.NoError(t, rows.Err())
	return found
}

func TestATableThatIsCreatedAgainIsAsInANewDatabase(t *testing.T) {
	for _, table := range ownTables {
		dir := t.TempDir()
		s := opened(t, dir)
		want := columns(t, s, table)
		require.NotEmpty(t, want)
		_, err := s.db.ExecContext(t.Context(), "DROP TABLE "+table)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		assert.Equal(t, want, columns(t, opened(t, dir), table), table)
	}
}

func TestADatabaseOfTheFirstVersionGetsTheTablesOfANewOne(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, ofVersion(t, dir, 1).Close())
	migrated, created := opened(t, dir), opened(t, t.TempDir())
	for _, table := range ownTables {
		assert.Equal(t, columns(t, created, table), columns(t, migrated, table), table)
	}
}

func TestDamageThatNobodyHasReadYetIsFound(t *testing.T) {
	for name, size := range map[string]int64{"a small database": 0, "one that is read in parts": checkedAtOnce} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, store.DatabaseName)
			s := opened(t, dir)
			for written := int64(0); written <= size; written = sizeOf(t, path) {
				require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
					var errs []error
					for i := range 400 {
						subject := fmt.Sprint(written, " ", i)
						c := change.New("memory.added", subject, strings.Repeat("what is kept ", 40))
						errs = append(errs, tx.Append(&c), tx.Put("room", change.Row{Key: subject, Value: c.After}))
					}
					return errors.Join(errs...)
				}))
				_, err := s.db.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
				require.NoError(t, err)
			}
			require.NoError(t, s.Check(t.Context()))
			require.NoError(t, s.Close())
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			last := content[len(content)-4096:]
			copy(last, strings.Repeat("\xff", len(last)))
			require.NoError(t, os.WriteFile(path, content, 0o600))
			again := opened(t, dir)
			require.ErrorIs(t, again.Check(t.Context()), store.ErrCorrupt)
			require.NoError(t, again.Close())
			name, err := SetAside(t.Context(), dir, time.Now(), slog.New(slog.DiscardHandler))
			require.NoError(t, err)
			assert.NotEmpty(t, name)
		})
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Size()
}

func TestADatabaseThatWasRemovedIsWrittenAgain(t *testing.T) {
	for name, suffixes := range map[string][]string{
		"all files": {"", "-wal", "-shm"}, "but for the write-ahead log": {"", "-shm"}, "the database alone": {""},
		"the write-ahead log alone": {"-wal"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, other := opened(t, dir), opened(t, dir)
			require.NoError(t, write(t, s, "before", "kept"))
			require.NoError(t, write(t, other, "too", "kept"))
			for _, suffix := range suffixes {
				require.NoError(t, os.Remove(filepath.Join(dir, store.DatabaseName+suffix)))
			}
			_, err := s.Since(t.Context(), 0)
			require.ErrorIs(t, err, store.ErrReplaced)
			require.ErrorIs(t, write(t, s, "refused", "not kept"), store.ErrRemade)
			require.NoError(t, write(t, s, "after", "kept"))
			require.ErrorIs(t, write(t, other, "refused", "not kept"), store.ErrReplaced)
			require.NoError(t, write(t, other, "after all", "kept"))
			for _, each := range []*Store{s, other, opened(t, dir)} {
				state, err := each.Load(t.Context(), nil)
				require.NoError(t, err)
				assert.Len(t, state.Rows["room"], 4)
				assert.Equal(t, int64(4), state.Seq)
			}
		})
	}
}

func TestARemovedDatabaseThatCannotBeWrittenAgainYetStaysOpen(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	require.NoError(t, write(t, s, "before", "kept"))
	require.NoError(t, os.Remove(filepath.Join(dir, store.DatabaseName)))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := s.ReadCopy(cancelled)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, write(t, s, "refused", "not kept"), store.ErrRemade)
	state, err := s.Load(t.Context(), nil)
	require.NoError(t, err)
	assert.Len(t, state.Rows["room"], 1)
}

func TestWhoWaitedForALockThatWasRemovedTakesTheNewOne(t *testing.T) {
	dir := t.TempDir()
	s, other := opened(t, dir), opened(t, dir)
	holding, release, free := make(chan struct{}), make(chan struct{}), make(chan bool, 1)
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() {
		assert.NoError(t, s.exclusive(func() error {
			close(holding)
			<-release
			return nil
		}))
	})
	<-holding
	path := filepath.Join(dir, store.LockName)
	both.Go(func() {
		assert.NoError(t, other.exclusive(func() error {
			third := flock.New(path)
			taken, err := third.TryLock()
			free <- taken
			return errors.Join(err, third.Close())
		}))
	})
	assert.Eventually(t, func() bool { return !other.lock.waiting().IsZero() }, 10*time.Second, time.Millisecond)
	assert.NoError(t, os.Remove(path))
	close(release)
	assert.False(t, <-free, "a third process writes at the same time")
}

func TestADatabaseIsWrittenAgainWhileTemporaryFilesAreDeleted(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	require.NoError(t, write(t, s, "kept", "kept"))
	ctx, cancel := context.WithCancel(t.Context())
	var deleting sync.WaitGroup
	deleting.Go(func() {
		for ctx.Err() == nil {
			assert.NoError(t, files.ClearLeft(dir, false))
		}
	})
	for range 20 {
		require.NoError(t, os.Remove(filepath.Join(dir, store.DatabaseName)))
		require.ErrorIs(t, write(t, s, "refused", "not kept"), store.ErrRemade)
	}
	cancel()
	deleting.Wait()
	state, err := s.Load(t.Context(), nil)
	require.NoError(t, err)
	assert.Len(t, state.Rows["room"], 1)
}

func TestTheWriteAheadLogStaysBounded(t *testing.T) {
	dir := t.TempDir()
	s, other := opened(t, dir), opened(t, dir)
	value := strings.Repeat("what is kept ", 4000)
	most := int64(0)
	for i := range 800 { // 40 MB
		writer := s
		if i%2 == 1 {
			writer = other
		}
		require.NoError(t, write(t, writer, fmt.Sprint(i%20), value))
		info, err := os.Stat(filepath.Join(dir, store.DatabaseName+"-wal"))
		require.NoError(t, err)
		most = max(most, info.Size())
	}
	assert.Less(t, most, int64(5*maxWAL))
}

func TestADatabaseThatWasSetAsideIsDeletedAlsoIfATextIsInTwoPages(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	long := strings.Repeat("The launch codename is Halcyon Meridian. ", 100)
	for name, test := range map[string]struct {
		text string
		at   int // where the page ends
	}{
		"in its middle": {"The launch codename is Halcyon Meridian", 19},
		"at its start":  {"The launch codename is Halcyon Meridian", 2},
		"at its end":    {"The launch codename is Halcyon Meridian", 36},
		"a long one":    {long, 2000},
	} {
		t.Run(name, func(t *testing.T) {
			aside := store.AsideName(store.DatabaseName, time.Now())
			content := "before" + test.text[:test.at] + "\x00\x00\x00\x07" + test.text[test.at:] + "after"
			require.NoError(t, os.WriteFile(filepath.Join(dir, aside), []byte(content), 0o600))
			removed, left, err := s.RemoveHolding([]string{"Nothing of this is in the file, of which nothing is known"})
			require.NoError(t, err)
			assert.Empty(t, append(removed, left...))
			removed, left, err = s.RemoveHolding([]string{test.text})
			require.NoError(t, err)
			assert.Empty(t, left)
			assert.Equal(t, []string{aside}, removed)
		})
	}
}

func TestRetiredRowsOfADamagedDatabaseAreReadAroundTheDamage(t *testing.T) {
	for name, damaged := range map[string][]float64{
		"one page": {0.5}, "the last page": {0.999}, "pages apart": {0.2, 0.5, 0.8},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := opened(t, dir)
			const rows = 600
			require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
				for i := range rows {
					value := json.RawMessage(fmt.Sprintf(`{"id":"%d","text":%q}`, i, strings.Repeat("kept ", 60)))
					row := change.Row{Key: fmt.Sprintf("01J%023d", i), Value: value, Retirable: true, Retired: true}
					if err := tx.Put("longterm", row); err != nil {
						return err
					}
				}
				return nil
			}))
			require.NoError(t, s.Close())
			storetest.MoveLog(t, dir)
			path := filepath.Join(dir, store.DatabaseName)
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			var pages []int // with rows
			for at := 0; at < len(content); at += 4096 {
				if bytes.Count(content[at:at+4096], []byte("kept kept")) > 3 {
					pages = append(pages, at)
				}
			}
			for _, at := range damaged {
				page := pages[int(at*float64(len(pages)))]
				copy(content[page:page+4096], strings.Repeat("\xff", 4096))
			}
			require.NoError(t, os.WriteFile(path, content, 0o600))
			setAside, err := SetAside(t.Context(), dir, time.Now(), slog.New(slog.DiscardHandler))
			require.NoError(t, err)
			require.NotEmpty(t, setAside)

			again := opened(t, dir)
			salvaged, err := again.Salvage(t.Context(), setAside, nil)
			require.NoError(t, err)
			assert.Equal(t, []string{"retired"}, salvaged.Lost)
			retired, err := again.Retired(t.Context(), "longterm")
			require.NoError(t, err)
			assert.GreaterOrEqual(t, len(retired), rows-14*len(damaged), "all but those of the damaged pages")
			for _, row := range retired {
				require.True(t, json.Valid(row.Value))
			}
		})
	}
}

// The rows that are read are parts of what the driver returned. They would change if the driver
// used that memory again.
func TestRowsStayAsTheyWereReadWhileOthersAreRead(t *testing.T) {
	s := opened(t, t.TempDir())
	rooms := []string{"a", "b", "c", "d"}
	require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
		var errs []error
		for _, room := range rooms {
			for i := range 50 {
				value := fmt.Sprintf(`"%s %d %s"`, room, i, strings.Repeat(room, 300))
				errs = append(errs, tx.Put(room, change.Row{Key: fmt.Sprintf("%03d", i), Value: []byte(value)}))
				if room == "a" {
					errs = append(errs, tx.Append(&change.Change{Kind: "memory.added", After: []byte(value)}))
				}
			}
		}
		return errors.Join(errs...)
	}))
	first, err := s.Load(t.Context(), nil)
	require.NoError(t, err)
	changes, err := s.Since(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, changes, 50)
	for range 3 {
		_, err := s.Load(t.Context(), nil)
		require.NoError(t, err)
		_, err = s.Since(t.Context(), 0)
		require.NoError(t, err)
	}
	for _, room := range rooms {
		require.Len(t, first.Rows[room], 50)
		for i, row := range first.Rows[room] {
			assert.Equal(t, fmt.Sprintf("%03d", i), row.Key)
			assert.Equal(t, fmt.Sprintf(`"%s %d %s"`, room, i, strings.Repeat(room, 300)), string(row.Value))
		}
	}
	for i, c := range changes {
		assert.Equal(t, first.Rows["a"][i].Value, c.After)
	}
}

func TestTheProcessThatIsNextWritesNext(t *testing.T) {
	dir := t.TempDir()
	first, next, last := opened(t, dir), opened(t, dir), opened(t, dir)
	writes, leave, isNext := make(chan struct{}), make(chan struct{}), make(chan struct{})
	writing := pool.New().WithErrors()
	writing.Go(func() error {
		return first.Update(t.Context(), store.Durable, nil, func(store.Tx) error {
			close(writes)
			<-leave
			return nil
		})
	})
	<-writes
	var order []string
	writing.Go(func() error {
		return next.Update(t.Context(), store.Durable, func() { close(isNext) }, func(store.Tx) error {
			order = append(order, "next")
			return nil
		})
	})
	<-isNext
	writing.Go(func() error {
		return last.Update(t.Context(), store.Durable, nil, func(store.Tx) error {
			order = append(order, "last")
			return nil
		})
	})
	close(leave)
	require.NoError(t, writing.Wait())
	assert.Equal(t, []string{"next", "last"}, order)
}

func TestWhatCanBeDoneLaterDoesNotWaitForAProcessThatHangs(t *testing.T) {
	dir := t.TempDir()
	hangs, other := opened(t, dir), opened(t, dir)
	writes, leave := make(chan struct{}), make(chan struct{})
	writing := pool.New().WithErrors()
	writing.Go(func() error {
		return hangs.Update(t.Context(), store.Durable, nil, func(store.Tx) error {
			close(writes)
			<-leave
			return nil
		})
	})
	<-writes
	assert.Zero(t, other.Waiting())
	nothing := func(store.Tx) error { return nil }
	require.ErrorIs(t, other.Update(t.Context(), store.Fast, nil, nothing), store.ErrBusy)
	since := other.Waiting()
	assert.NotZero(t, since)
	require.ErrorIs(t, other.Update(t.Context(), store.Fast, nil, nothing), store.ErrBusy)
	assert.Equal(t, since, other.Waiting(), "it has been waiting all the time")
	if runtime.GOOS == "linux" {
		// The system's list of locks is read in parts: while other processes lock and unlock, one may be left out.
		assert.Eventually(t, func() bool { return other.Holder() == store.Holder{PID: os.Getpid()} },
			5*time.Minute, time.Millisecond)
	}

	begun := make(chan struct{})
	writing.Go(func() error {
		return other.Update(t.Context(), store.Durable, func() { close(begun) }, nothing)
	})
	<-begun
	late, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.NoError(t, err, "the database is there, and can be read")
	_, err = late.Load(t.Context(), nil)
	require.NoError(t, err)
	close(leave)
	require.NoError(t, writing.Wait())
	assert.Zero(t, other.Waiting())
	require.NoError(t, late.Update(t.Context(), store.Durable, nil, nothing))
	require.NoError(t, late.Close())
}

func TestALockThatNobodyWaitsForAnyMoreIsReleased(t *testing.T) {
	dir := t.TempDir()
	held, lock, third := newFileLock(dir, "x"), newFileLock(dir, "x"), newFileLock(dir, "x")
	require.NoError(t, held.Lock())
	require.ErrorIs(t, lock.take(time.Millisecond), store.ErrBusy)
	require.NoError(t, held.Unlock())
	require.NoError(t, third.take(0), "the attempt of the other one has released it")
	require.NoError(t, third.Unlock())
	require.NoError(t, lock.take(0))
	require.NoError(t, lock.Unlock())
}

func TestAClosedStoreLeavesASmallWriteAheadLogAndMovesALargeOne(t *testing.T) {
	dir := t.TempDir()
	for _, closing := range []struct {
		value string
		large bool
	}{
		{"a first text", false},
		{"a second text", false},
		{strings.Repeat("a long text ", keptWAL/8), true},
		{"a third text", false},
	} {
		s, other := opened(t, dir), opened(t, dir)
		require.NoError(t, write(t, s, "key", closing.value))
		var one int // opens the connection that reads tables
		require.NoError(t, other.QueryRowContext(t.Context(), "SELECT 1 FROM state").Scan(&one))
		require.NoError(t, s.Close())
		require.NoError(t, other.Close())
		size := sizeOf(t, filepath.Join(dir, store.DatabaseName+"-wal"))
		assert.Equal(t, closing.large, size == 0, "%d bytes", size)
		next := opened(t, dir)
		state, err := next.Load(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, state.Rows["room"], 1)
		assert.Equal(t, fmt.Sprintf("%q", closing.value), string(state.Rows["room"][0].Value))
		require.NoError(t, next.Close())
	}
}

func TestRowsThatAreStillReadDoNotKeepAStoreFromClosing(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	require.NoError(t, write(t, s, "key", "a text"))
	rows, err := s.QueryContext(t.Context(), "SELECT key FROM state")
	require.NoError(t, err)
	defer rows.Close()
	require.NoError(t, s.Close())
	state, err := opened(t, dir).Load(t.Context(), nil)
	require.NoError(t, err)
	assert.Len(t, state.Rows["room"], 1)
}

func TestDocumentsOfChangesAreText(t *testing.T) {
	s := opened(t, t.TempDir())
	all := make([]*change.Change, 2*changesAtOnce+1)
	for i := range all {
		c := change.New("memory.added", "a", "ü").WithBefore("ä")
		all[i] = &c
	}
	require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error { return tx.Append(all...) }))
	var others int
	row := s.db.QueryRowContext(t.Context(),
		"SELECT count(*) FROM log WHERE typeof(before) != 'text' OR typeof(after) != 'text' OR after != '\"ü\"'")
	require.NoError(t, row.Scan(&others))
	assert.Zero(t, others)
}

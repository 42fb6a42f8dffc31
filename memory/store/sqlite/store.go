// Package sqlite stores a workspace on the disk: a SQLite database with the log of changes and
// the rows folded from it, the folders of the sessions, the readable copy, the outputs, and the
// file that notifies other processes of commits.
package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
	"github.com/wm-lsp/wm-lsp/memory/store/folders"
)

// A Store is the open store of a workspace. It is safe for concurrent use.
type Store struct {
	folders.Sessions
	dir string
	log *slog.Logger

	writing chan struct{} // of length 1: one writer of this process at a time
	turn    *fileLock     // held by the process that writes next
	lock    *fileLock     // held by the process that writes

	mu       sync.Mutex // guards the fields below
	db       *sql.DB    // synchronous=NORMAL: a commit survives the end of the process
	wal      *os.File   // its write-ahead log, nil until it is to be synced
	identity fs.FileInfo
	reopened error // ErrReplaced or ErrRemade, until an Update has returned it
	// checkpointing is true while a checkpoint runs.
	checkpointing atomic.Bool
	checkpoints   sync.WaitGroup
	// tables is a connection that reads the tables of rooms concurrently.
	tables atomic.Pointer[reader]
	// statements are those of db, nil before the first write.
	statements *statements
	damage     damage
}

// Open opens the store in dir, and creates it if it is missing. The error is or wraps
// store.ErrNewer or store.ErrCorrupt if that is the reason.
func Open(ctx context.Context, dir string, log *slog.Logger) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the workspace's memory: %w", err)
	}
	if err := ownFiles(dir); err != nil {
		return nil, err
	}
	s := newStore(dir, log)
	err := s.exclusiveNext(patience, nil, func() error { return s.open(ctx) })
	if errors.Is(err, store.ErrBusy) {
		err = s.openBeside(ctx, err)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// ownFiles returns an error if a file of the store is not a regular file, such as a pipe, which
// would block an open.
func ownFiles(dir string) error {
	for _, name := range []string{
		store.LockName, store.TurnLockName, store.NoticeName, store.EraseLockName, store.CopyName,
		store.DatabaseName, store.DatabaseName + "-wal", store.DatabaseName + "-shm",
	} {
		if err := regular.Own(filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("open the workspace's memory: %w", err)
		}
	}
	return nil
}

func newStore(dir string, log *slog.Logger) *Store {
	return &Store{
		Sessions: folders.In(dir), dir: dir, log: log, writing: make(chan struct{}, 1),
		turn: newFileLock(dir, store.TurnLockName), lock: newFileLock(dir, store.LockName),
	}
}

// Close closes the store.
func (s *Store) Close() error {
	s.checkpoints.Wait()
	s.writing <- struct{}{}
	defer func() { <-s.writing }()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.closeDatabases(), s.turn.close(), s.lock.close())
}

// exclusive runs f as the only writer of all processes.
func (s *Store) exclusive(f func() error) error { return s.exclusiveNext(0, nil, f) }

// exclusiveNext is exclusive. If it waits for another process for longer than limit, and limit
// is not 0, the error is store.ErrBusy. If another process writes, it calls meanwhile, unless
// that is nil, as soon as no further process writes before this one.
func (s *Store) exclusiveNext(limit time.Duration, meanwhile func(), f func() error) error {
	if err := s.enter(limit); err != nil {
		return err
	}
	defer func() { <-s.writing }()
	waited, err := s.take(s.turn, limit, nil)
	if err == nil {
		if !waited {
			_, err = s.take(s.lock, limit, meanwhile)
		} else {
			if meanwhile != nil {
				meanwhile()
			}
			_, err = s.take(s.lock, limit, nil)
		}
		_ = s.turn.Unlock()
	}
	if errors.Is(err, store.ErrBusy) {
		return s.busy()
	}
	if err != nil {
		return fmt.Errorf("lock the workspace's memory: %w", err)
	}
	defer func() { _ = s.lock.Unlock() }()
	s.mu.Lock()
	defer s.mu.Unlock()
	return f()
}

// enter waits until no other goroutine of this process writes.
func (s *Store) enter(limit time.Duration) error {
	var late <-chan time.Time
	if limit > 0 {
		late = time.After(limit)
	}
	select {
	case s.writing <- struct{}{}:
		return nil
	case <-late:
		return s.busy()
	}
}

// take takes a lock. If it must wait, it calls meanwhile before, unless that is nil, and
// reports that it waited.
func (s *Store) take(lock *fileLock, limit time.Duration, meanwhile func()) (waited bool, err error) {
	if lock.waiting().IsZero() {
		taken, err := lock.TryLock()
		if errors.Is(err, fs.ErrNotExist) { // the folder was removed
			if err = os.MkdirAll(s.dir, 0o700); err == nil {
				taken, err = lock.TryLock()
			}
		}
		if err != nil || taken {
			return false, err
		}
	}
	if meanwhile != nil {
		meanwhile()
	}
	return true, lock.take(limit)
}

func (s *Store) open(ctx context.Context) error {
	path := filepath.Join(s.dir, store.DatabaseName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		// It is created here with a mode so that other users can never read it.
		file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("make the memory database: %w", err)
		}
		if err := file.Close(); err != nil {
			return fmt.Errorf("make the memory database: %w", err)
		}
	}
	s.connect(path)
	if err := s.migrate(ctx); err != nil {
		return classify(err)
	}
	if err := s.createLost(ctx, time.Now()); err != nil {
		return classify(err)
	}
	identity, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("stat the memory database: %w", err)
	}
	s.identity = identity
	return nil
}

const (
	// maxWAL is the size of the write-ahead log, in bytes, at which its content is moved into the
	// database. The next write truncates the file to keptWAL.
	maxWAL = 4 << 20
	// retryWAL is how many bytes the write-ahead log grows before its content is moved again, if that
	// has failed or takes long. It divides maxWAL.
	retryWAL = maxWAL / 8
	// keptWAL is the size of the write-ahead log, in bytes, up to which it stays as it is when the last process
	// closes the database. To read it takes less than a millisecond, to move it into the database four syncs.
	keptWAL = maxWAL / 4
)

// moveWAL moves the write-ahead log into the database, as far as nobody reads what is there.
const moveWAL = "PRAGMA wal_checkpoint(PASSIVE)"

// checkpointIfDue moves a large write-ahead log into the database, which syncs two files. It is
// called after a transaction, with the sizes of the log before and after it, and does not block. The
// last pages are moved with the lock held, because a checkpoint during writes of other processes is
// never complete, and the log would not be reused. If many processes write, one of them does it: the
// one whose transaction made the log larger than maxWAL, or by a further retryWAL.
func (s *Store) checkpointIfDue(before, after int64) {
	if after < maxWAL || after/retryWAL == before/retryWAL || !s.checkpointing.CompareAndSwap(false, true) {
		return
	}
	s.checkpoints.Go(func() {
		defer s.checkpointing.Store(false)
		beside := connect(filepath.Join(s.dir, store.DatabaseName), &s.damage)
		_, err := beside.ExecContext(context.Background(), moveWAL)
		err = errors.Join(err, beside.Close())
		if err == nil {
			err = s.exclusiveNext(patience, nil, func() error {
				if s.db == nil || s.sizeOfWAL() < maxWAL { // another process has done it
					return nil
				}
				_, err := s.db.ExecContext(context.Background(), moveWAL)
				return err
			})
		}
		if err != nil && !errors.Is(err, store.ErrBusy) { // the next transaction tries again
			s.log.Warn("move the write-ahead log into the database", "error", err)
		}
	})
}

// sizeOfWAL returns the size of the write-ahead log in bytes, 0 if there is none.
func (s *Store) sizeOfWAL() int64 {
	info, err := os.Stat(filepath.Join(s.dir, store.DatabaseName+"-wal"))
	if err != nil {
		return 0
	}
	return info.Size()
}

// connect connects to the database, to write and to read.
func (s *Store) connect(path string) {
	s.damage.found.Store(nil)
	s.db = connect(path, &s.damage)
	s.tables.Store(connectReader(path, &s.damage))
}

func connect(path string, met *damage) *sql.DB {
	return connectWith(path, met, "_txlock=immediate", "journal_mode(wal)", "synchronous(normal)", "fullfsync(1)",
		"wal_autocheckpoint(0)", fmt.Sprintf("journal_size_limit(%d)", keptWAL))
}

// connectWith returns one connection to the database with an option, and pragmas besides those that all have.
func connectWith(path string, met *damage, option string, pragmas ...string) *sql.DB {
	pragmas = append(pragmas, "busy_timeout(10000)", "temp_store(memory)")
	dsn := "file:" + (&urlPath{path}).String() + "?" + option + "&_pragma=" + strings.Join(pragmas, "&_pragma=")
	opener, err := driver.NewConnector(dsn)
	if err != nil {
		panic(fmt.Sprintf("the settings of the connection are wrong: %v", err))
	}
	db := sql.OpenDB(connector{opener, met})
	db.SetMaxOpenConns(1)
	return db
}

// A connector opens connections that note damage, and that leave the write-ahead log and its index in the folder when
// they are closed. One that moves the log into the database then truncates it to nothing, which a limit of its size
// makes it do. Creating and deleting the two files took a twentieth of the time until the first context.
type connector struct {
	sqldriver.Connector
	met *damage
}

// Connect implements sqldriver.Connector.
func (c connector) Connect(ctx context.Context) (sqldriver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.(driver.FileControl).FileControlPersistWAL("main", 1); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return notingConn{conn.(driverConn), c.met}, nil
}

// urlPath escapes the characters of a path that are special in a SQLite URI.
type urlPath struct{ path string }

func (u *urlPath) String() string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(u.path))
}

const (
	// checkedAtOnce is the maximum size, in bytes, of a database that Check reads without a rest.
	checkedAtOnce = 8 << 20
	// checkedSize is the maximum size, in bytes, of a database that Check checks.
	checkedSize = 1 << 30
	// checkRests is how many times as long as it read a table Check rests after it.
	checkRests = 4
)

// Check checks the whole database for damage. A large one is read table by table, with rests, so that
// it takes a fifth of one processor. It may be called beside everything else.
func (s *Store) Check(ctx context.Context) error {
	info, err := os.Stat(filepath.Join(s.dir, store.DatabaseName))
	if err != nil || info.Size() > checkedSize {
		return nil // Update detects that it was removed
	}
	// On a connection of its own, because searches would wait for a table to be read.
	db := connectReader(filepath.Join(s.dir, store.DatabaseName), &s.damage).DB
	defer func() { _ = db.Close() }()
	if info.Size() <= checkedAtOnce {
		return check(ctx, db, "quick_check")
	}
	tables, err := tablesOf(ctx, db)
	if err != nil {
		return classify(err)
	}
	for _, table := range tables {
		began := time.Now()
		if err := check(ctx, db, "quick_check", table); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(checkRests * time.Since(began)):
		}
	}
	return nil
}

// check runs a check of SQLite on a table and its indexes, or on the whole database. integrity_check takes
// longer than quick_check, and finds rows that an index does not agree with.
func check(ctx context.Context, db *sql.DB, pragma string, table ...string) error {
	what := "1" // damage is enough
	for _, name := range table {
		what = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA "+pragma+"("+what+")").Scan(&verdict); err != nil {
		return classify(err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", store.ErrCorrupt, verdict)
	}
	return nil
}

// closeDatabases closes the connections. SQLite moves the write-ahead log into the database when the last connection
// of all processes is closed, unless that one can only read, so a small log stays as it is.
func (s *Store) closeDatabases() error {
	var errs []error
	if s.wal != nil { // first, because SQLite may delete the file
		errs = append(errs, s.wal.Close())
	}
	writer, tables := s.db, s.tables.Load()
	s.db, s.wal, s.statements = nil, nil, nil
	if writer != nil && s.sizeOfWAL() <= keptWAL && tables.hold() {
		errs = append(errs, writer.Close())
		writer = nil
	}
	if tables != nil { // concurrent reads fail
		errs = append(errs, tables.Close())
	}
	if writer != nil {
		errs = append(errs, writer.Close())
	}
	return errors.Join(errs...)
}

// isOurs reports whether the database file is the one that is open.
func (s *Store) isOurs() (bool, error) {
	info, err := os.Stat(filepath.Join(s.dir, store.DatabaseName))
	return err == nil && s.db != nil && os.SameFile(info, s.identity), err
}

// stillOurs checks that the database file is the one that is open. If the file was removed, it
// is written again from the open database, and the error is store.ErrRemade. If it was
// replaced, the new one is opened, and the error is store.ErrReplaced. The error is returned
// until an Update has returned it, because its caller loads the state again.
func (s *Store) stillOurs(ctx context.Context) error {
	ours, err := s.isOurs()
	if ours {
		return s.reopened
	}
	var remade string
	if errors.Is(err, fs.ErrNotExist) && s.db != nil {
		if remade, err = s.copyRemoved(ctx); err != nil {
			s.log.Warn("copy the database that was removed", "error", err)
		}
	}
	if err := s.closeDatabases(); err != nil {
		s.log.Warn("close the former database", "error", err)
	}
	if remade != "" {
		if err := s.putRemade(remade); err != nil {
			return err
		}
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	s.reopened = store.ErrReplaced
	if remade != "" {
		s.reopened = store.ErrRemade
	}
	return s.reopened
}

// copyRemoved writes the open database, whose file was removed, to a temporary file, and
// returns its path.
func (s *Store) copyRemoved(ctx context.Context) (string, error) {
	path := filepath.Join(s.dir, files.TempName())
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	err = file.Close()
	if err == nil {
		_, err = s.db.ExecContext(ctx, "VACUUM INTO ?", path)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}

// putRemade renames a copied database to the database file. It removes the write-ahead log of
// the former one.
func (s *Store) putRemade(from string) error {
	if err := s.removeWAL(); err != nil {
		return err
	}
	if err := os.Rename(from, filepath.Join(s.dir, store.DatabaseName)); err != nil {
		return fmt.Errorf("write the memory database again: %w", err)
	}
	return nil
}

// SetAside renames a damaged database, so that Open creates a new one, and returns its new
// name, which ends in .corrupt-<time>. The name is empty if another process has done so
// already.
func SetAside(ctx context.Context, dir string, now time.Time, log *slog.Logger) (string, error) {
	s := newStore(dir, log)
	defer func() { _ = s.Close() }()
	var name string
	err := s.exclusive(func() error {
		err := s.open(ctx)
		if err == nil {
			err = check(ctx, s.db, "integrity_check")
		}
		if !errors.Is(err, store.ErrCorrupt) {
			return err
		}
		if err := s.closeDatabases(); err != nil {
			log.Warn("close the damaged database", "error", err)
		}
		if s.sizeOfWAL() == 0 { // it and its index hold nothing to keep
			_ = os.Remove(filepath.Join(dir, store.DatabaseName+"-wal"))
			_ = os.Remove(filepath.Join(dir, store.DatabaseName+"-shm"))
		}
		name = store.AsideName(store.DatabaseName, now)
		for _, suffix := range []string{"", "-wal", "-shm"} {
			from, to := filepath.Join(dir, store.DatabaseName+suffix), filepath.Join(dir, name+suffix)
			if err := os.Rename(from, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("set the damaged database aside: %w", err)
			}
		}
		return nil
	})
	return name, err
}

// classify wraps an error of SQLite in store.ErrCorrupt if the database is damaged, and adds
// advice to errors that a person can fix.
func classify(err error) error {
	var e *driver.Error
	if !errors.As(err, &e) {
		return err
	}
	if isDamage(e.Code()) && !errors.Is(err, store.ErrCorrupt) {
		return fmt.Errorf("%w: %w", store.ErrCorrupt, err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_ERROR:
		_, table, missing := strings.Cut(e.Error(), "no such table: ")
		name, _, _ := strings.Cut(strings.TrimPrefix(table, "main."), " ")
		if missing && slices.Contains(ownTables, name) { // Open creates it again
			return fmt.Errorf("%w: %w", store.ErrCorrupt, err)
		}
	case sqlite3.SQLITE_FULL:
		return &advised{"the disk is full, nothing was saved; free some space and try again", err}
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return &advised{"the folder of the memory cannot be written, nothing was saved; check its permissions", err}
	case sqlite3.SQLITE_IOERR:
		return &advised{"the disk reports an error, nothing was saved; check the disk", err}
	}
	return err
}

// An advised is an error of SQLite with the text for a person.
type advised struct {
	advice string
	err    error
}

func (e *advised) Error() string { return e.advice + ": " + e.err.Error() }
func (e *advised) Unwrap() error { return e.err }
func (e *advised) Plain() string { return e.advice }

// Update runs f in a transaction, as the only writer of all processes, and
// then lets the others know. When f or the commit fails nothing is written.
// The error is store.ErrReplaced when the database is another one than before.
// If another process writes, it calls meanwhile, unless that is nil, as soon as no further
// process writes before this one. If the mode is Fast and another process writes for long, the
// error is store.ErrBusy.
func (s *Store) Update(ctx context.Context, mode store.Mode, meanwhile func(), f func(store.Tx) error) error {
	var wal *os.File
	var before, after int64 // the sizes of the write-ahead log
	limit := time.Duration(0)
	if mode == store.Fast {
		limit = patience
	}
	err := s.exclusiveNext(limit, meanwhile, func() error {
		if err := s.stillOurs(ctx); err != nil {
			s.reopened = nil
			return err
		}
		before = s.sizeOfWAL()
		tx, err := s.begin(ctx)
		if err != nil {
			return classify(fmt.Errorf("begin to write the memory: %w", err))
		}
		defer func() { _ = tx.tx.Rollback() }() // if f fails or panics; no effect after a commit
		if err := f(tx); err != nil {
			return classify(err)
		}
		if mode == store.Durable {
			if wal, err = s.openWAL(); err != nil {
				return err
			}
		}
		if err := tx.commit(); err != nil {
			return classify(fmt.Errorf("write the memory: %w", err))
		}
		if tx.newest > 0 {
			s.notifyPeers(tx.newest)
		}
		after = s.sizeOfWAL()
		return nil
	})
	if err != nil {
		return err
	}
	if wal != nil { // without the lock: others write meanwhile, and the disk syncs for several at once
		if err := syncData(wal); err != nil {
			return fmt.Errorf("%w: %w", store.ErrUnsynced, err)
		}
	}
	s.checkpointIfDue(before, after)
	return nil
}

// openWAL opens the write-ahead log of the open databases, in a transaction, which
// holds the file in place.
func (s *Store) openWAL() (*os.File, error) {
	if s.wal == nil {
		wal, err := os.OpenFile(filepath.Join(s.dir, store.DatabaseName+"-wal"), os.O_RDWR, 0)
		if err != nil {
			return nil, fmt.Errorf("open the write-ahead log: %w", err)
		}
		s.wal = wal
	}
	return s.wal, nil
}

// A transaction is a write transaction.
type transaction struct {
	ctx    context.Context
	tx     prepared
	newest int64 // the position of the last appended change
}

// begin begins a transaction. It is not rolled back in the background when ctx is done, because
// the error of what runs then would not say so: its statements and commit look at ctx.
func (s *Store) begin(ctx context.Context) (*transaction, error) {
	statements, err := s.prepared(ctx)
	if err != nil {
		return nil, err
	}
	statements.prepareDue(ctx, s.db)
	tx, err := s.db.BeginTx(context.WithoutCancel(ctx), nil)
	return &transaction{ctx: ctx, tx: prepared{tx, statements}}, err
}

// commit commits the transaction, unless its context is done.
func (tx *transaction) commit() error {
	if err := tx.ctx.Err(); err != nil {
		return err
	}
	return tx.tx.Commit()
}

// prepared returns the statements of the connection that writes, of which those of every write are prepared. The
// connection is free.
func (s *Store) prepared(ctx context.Context) (*statements, error) {
	if s.statements != nil {
		return s.statements, nil
	}
	found := &statements{}
	for _, text := range []string{insertChange, selectSince, upsertRow, deleteRow, upsertRetired, deleteRetired} {
		if err := found.prepare(ctx, s.db, text); err != nil {
			return nil, err
		}
	}
	s.statements = found
	return found, nil
}

// run runs a statement.
func (tx *transaction) run(statement string, args ...any) (sql.Result, error) {
	return tx.ExecContext(tx.ctx, statement, args...)
}

const (
	insertChange = `INSERT INTO log(at, kind, subject, session, by, before, after, reason, origin, scope)
		VALUES (?,?,?,?,?,?,?,?,?,?)`
	// packedChange is a change as one text: three numbers and the lengths in bytes of eight
	// texts, each followed by a space, then the texts. A text that is missing has the length
	// -1. To hand over a value takes longer than to read it, and every process reads the
	// changes of all others. The casts let every row be read, whatever is in its columns.
	packedChange = `concat(seq, ' ', CAST(at AS INTEGER), ' ', CAST(scope AS INTEGER), ' ',
		octet_length(kind), ' ', octet_length(subject), ' ', octet_length(session), ' ', octet_length(by), ' ',
		coalesce(octet_length(before), -1), ' ', coalesce(octet_length(after), -1), ' ',
		octet_length(reason), ' ', octet_length(origin), ' ',
		kind, subject, session, by, before, after, reason, origin)`
	selectChange = "SELECT CAST(" + packedChange + " AS BLOB) FROM log "
	// selectSince reads changes as one text, in the order of the primary key, which is seq.
	selectSince = "SELECT CAST(group_concat(" + packedChange + ", '') AS BLOB) FROM log WHERE seq > ?"
	upsertRow   = `INSERT INTO state(room, key, value) VALUES(?,?,?)
		ON CONFLICT DO UPDATE SET value = excluded.value`
	upsertRetired = `INSERT INTO retired(room, key, value) VALUES(?,?,?)
		ON CONFLICT DO UPDATE SET value = excluded.value`
	deleteRow      = `DELETE FROM state WHERE room = ? AND key = ?`
	deleteRetired  = `DELETE FROM retired WHERE room = ? AND key = ?`
	upsertSnapshot = `INSERT INTO snapshot(room, key, value) VALUES(?,?,?)
		ON CONFLICT DO UPDATE SET value = excluded.value`
	upsertMeta = `INSERT INTO meta(key, value) VALUES(?,?) ON CONFLICT DO UPDATE SET value = excluded.value`
)

// insertChanges inserts changesAtOnce changes.
var insertChanges = insertChange + strings.Repeat(", (?,?,?,?,?,?,?,?,?,?)", changesAtOnce-1)

// changesAtOnce is how many changes one statement inserts, if there are as many.
const changesAtOnce = 100

// Append writes changes to the end of the log and sets their Seq.
func (tx *transaction) Append(changes ...*change.Change) error {
	for part := range slices.Chunk(changes, changesAtOnce) {
		if len(part) < changesAtOnce {
			for _, c := range part {
				result, err := tx.run(insertChange, columnsOf(c)...)
				if err := tx.number(result, err, c); err != nil {
					return err
				}
			}
			continue
		}
		values := make([]any, 0, len(part)*10)
		for _, c := range part {
			values = append(values, columnsOf(c)...)
		}
		result, err := tx.run(insertChanges, values...)
		if err := tx.number(result, err, part...); err != nil {
			return err
		}
	}
	return nil
}

// columnsOf returns the values of insertChange.
func columnsOf(c *change.Change) []any {
	return []any{
		c.At.UnixMilli(), string(c.Kind), c.Subject, c.Session, c.By, text(c.Before), text(c.After), c.Reason, c.Origin,
		c.Scope,
	}
}

// number sets the Seq of changes that one statement has inserted.
func (tx *transaction) number(result sql.Result, err error, changes ...*change.Change) error {
	if err == nil {
		tx.newest, err = result.LastInsertId()
	}
	if err != nil {
		return fmt.Errorf("append changes to the log: %w", err)
	}
	for i, c := range changes {
		c.Seq = tx.newest - int64(len(changes)-1-i)
	}
	return nil
}

// Put writes a row of a room, or deletes it if its value is nil.
func (tx *transaction) Put(room string, row change.Row) error {
	upsert, remove, elsewhere := upsertRow, deleteRow, deleteRetired
	if row.Retired {
		upsert, remove, elsewhere = upsertRetired, deleteRetired, deleteRow
	}
	var err error
	if row.Value == nil {
		_, err = tx.run(remove, room, row.Key)
	} else {
		_, err = tx.run(upsert, room, row.Key, text(row.Value))
	}
	if err == nil && row.Retirable {
		_, err = tx.run(elsewhere, room, row.Key)
	}
	if err != nil {
		return fmt.Errorf("write a row of %s: %w", room, err)
	}
	return nil
}

// Since returns the changes after seq, in order.
func (tx *transaction) Since(seq int64) ([]change.Change, error) {
	return scanChanges(tx.tx.QueryContext(tx.ctx, selectSince, seq))
}

// Meta returns a value of the meta data, or "" if there is none.
func (tx *transaction) Meta(key string) (string, error) {
	var value string
	err := tx.tx.QueryRowContext(tx.ctx, "SELECT value FROM meta WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// SetMeta sets a value of the meta data.
func (tx *transaction) SetMeta(key, value string) error {
	_, err := tx.tx.ExecContext(tx.ctx, upsertMeta, key, value)
	return err
}

// ExecContext writes to a table of a room.
func (tx *transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return tx.tx.ExecContext(ctx, query, args...)
}

// QueryContext reads a table of a room.
func (tx *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return tx.tx.QueryContext(ctx, query, args...)
}

// QueryRowContext reads one row of a table of a room.
func (tx *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return tx.tx.QueryRowContext(ctx, query, args...)
}

// QueryContext reads committed data of a table of a room.
func (s *Store) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.tables.Load().QueryContext(ctx, query, args...)
}

// QueryRowContext reads one row of the committed data of a table of a room.
func (s *Store) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return s.tables.Load().QueryRowContext(ctx, query, args...)
}

// View calls read with a Querier that shows one state of the tables of rooms.
func (s *Store) View(ctx context.Context, read func(store.Querier) error) error {
	return classify(s.tables.Load().view(ctx, read))
}

// Since returns the changes after seq, in order, of all processes. The error is
// store.ErrReplaced if the database was removed or replaced; the next Update opens the
// new one.
func (s *Store) Since(ctx context.Context, seq int64) ([]change.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil, store.ErrClosed
	}
	if ours, _ := s.isOurs(); !ours || s.reopened != nil {
		return nil, store.ErrReplaced
	}
	statements, err := s.prepared(ctx)
	if err != nil {
		return nil, classify(fmt.Errorf("read the log: %w", err))
	}
	changes, err := scanChanges(statements.of(selectSince).QueryContext(ctx, seq))
	return changes, classify(err)
}

func (s *Store) changes(ctx context.Context, where string, args ...any) ([]change.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil, store.ErrClosed
	}
	changes, err := selectChanges(ctx, s.db, where, args...)
	return changes, classify(err)
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func selectChanges(ctx context.Context, q querier, where string, args ...any) ([]change.Change, error) {
	return scanChanges(q.QueryContext(ctx, selectChange+where, args...))
}

// scanChanges reads the changes that a query returned.
func scanChanges(rows *sql.Rows, err error) ([]change.Change, error) {
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	defer rows.Close()
	var changes []change.Change
	for rows.Next() {
		var packed sql.RawBytes // see eachRoom
		if err := rows.Scan(&packed); err != nil {
			return nil, fmt.Errorf("read the log: %w", err)
		}
		for len(packed) > 0 {
			c, rest, err := unpackChange(packed)
			if err != nil {
				return nil, fmt.Errorf("read the log: %w", err)
			}
			changes, packed = append(changes, c), rest
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return changes, nil
}

// unpackChange returns the first change of a text of selectChange or selectSince, and the rest of the
// text. Its JSON is a part of the text.
func unpackChange(packed []byte) (c change.Change, left []byte, err error) {
	var numbers [11]int64
	for i := range numbers {
		digits, rest, found := bytes.Cut(packed, []byte{' '})
		if numbers[i], err = strconv.ParseInt(string(digits), 10, 64); err != nil || !found {
			return c, nil, fmt.Errorf("%w: a change has no length", store.ErrCorrupt)
		}
		packed = rest
	}
	var texts [8][]byte
	for i, length := range numbers[3:] {
		if length > int64(len(packed)) {
			return c, nil, fmt.Errorf("%w: the change %d is too short", store.ErrCorrupt, numbers[0])
		}
		if length >= 0 {
			texts[i], packed = packed[:length:length], packed[length:]
		}
	}
	c.Seq, c.At, c.Scope = numbers[0], time.UnixMilli(numbers[1]).UTC(), change.Scope(numbers[2])
	c.Kind, c.Subject = change.Kind(texts[0]), string(texts[1])
	c.Session, c.By = string(texts[2]), string(texts[3])
	c.Before, c.After = texts[4], texts[5]
	c.Reason, c.Origin = string(texts[6]), string(texts[7])
	return c, packed, nil
}

// SetRowsAside moves rows, by room, out of the tables into a file, and returns the name of
// the file. Rows whose value has changed meanwhile are not moved.
func (s *Store) SetRowsAside(ctx context.Context, rows map[string][]change.Row, now time.Time) (string, error) {
	name := store.AsideName(store.RowsName, now)
	if err := files.Write(filepath.Join(s.dir, name), store.PackRows(rows)); err != nil {
		return "", fmt.Errorf("set rows aside: %w", err)
	}
	return name, s.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
		for _, table := range []string{"state", "retired"} {
			remove := "DELETE FROM " + table + " WHERE room = ? AND key = ? AND CAST(value AS BLOB) = ?"
			for room, list := range rows {
				for _, row := range list {
					if _, err := tx.ExecContext(ctx, remove, room, row.Key, []byte(row.Value)); err != nil {
						return fmt.Errorf("set rows aside: %w", err)
					}
				}
			}
		}
		return nil
	})
}

// Load reads the state. It calls each, unless that is nil, with the rows of every room as soon
// as they are read.
func (s *Store) Load(ctx context.Context, each func(room string, rows []change.Row)) (store.State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, err := s.load(ctx, each)
	return state, classify(err)
}

func (s *Store) load(ctx context.Context, each func(room string, rows []change.Row)) (store.State, error) {
	if s.db == nil {
		return store.State{}, store.ErrClosed
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return store.State{}, fmt.Errorf("read the memory: %w", err)
	}
	defer func() { _ = conn.Close() }()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return store.State{}, fmt.Errorf("read the memory: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, smallCache); err != nil {
		return store.State{}, fmt.Errorf("read the memory: %w", err)
	}
	defer func() { _, _ = tx.ExecContext(ctx, usualCache) }()
	return selectState(ctx, tx, func(found func(room string, rows []change.Row)) error {
		return eachStateRow(ctx, conn, func(room string, rows []change.Row) {
			found(room, rows)
			if each != nil {
				each(room, rows)
			}
		})
	})
}

// All pages of the tables of rows are read once at the start, so they are not kept: memory
// that is used for the first time costs more than reading a page again from the cache of the
// system. The sizes are in units of -1 KB; usualCache is the default of SQLite.
const (
	smallCache = "PRAGMA cache_size = -128"
	usualCache = "PRAGMA cache_size = -2000"
)

// Load reads the state as the transaction sees it.
func (tx *transaction) Load() (store.State, error) {
	return selectState(tx.ctx, tx.tx, func(found func(room string, rows []change.Row)) error {
		return eachRoom(tx.ctx, tx.tx, "state", "", found)
	})
}

// selectState reads the state. each calls a function with the rows of every room.
func selectState(
	ctx context.Context, q querier, each func(found func(room string, rows []change.Row)) error,
) (state store.State, err error) {
	if err := q.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM log").Scan(&state.Seq); err != nil {
		return state, fmt.Errorf("read the memory: %w", err)
	}
	state.Rows = map[string][]change.Row{}
	if err := each(func(room string, rows []change.Row) { state.Rows[room] = rows }); err != nil {
		return state, err
	}
	state.Meta, err = selectMeta(ctx, q)
	return state, err
}

func selectMeta(ctx context.Context, q querier) (map[string]string, error) {
	rows, err := q.QueryContext(ctx, "SELECT key, value FROM meta")
	if err != nil {
		return nil, fmt.Errorf("read the memory: %w", err)
	}
	defer rows.Close()
	meta := map[string]string{}
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return nil, fmt.Errorf("read the memory: %w", err)
		}
		meta[key] = value
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the memory: %w", err)
	}
	return meta, nil
}

// Retired reads the retired rows of a room, on a connection of its own, because it may be called while the tables of
// rooms are read.
func (s *Store) Retired(ctx context.Context, room string) ([]change.Row, error) {
	db := connectReader(filepath.Join(s.dir, store.DatabaseName), &s.damage)
	defer func() { _ = db.Close() }()
	rows, err := selectRows(ctx, db, "retired", room)
	if err != nil {
		return nil, classify(err)
	}
	for i := range rows[room] {
		rows[room][i].Retirable, rows[room][i].Retired = true, true
	}
	return rows[room], nil
}

// packedRows selects the rows of each room as one text: for each row the lengths of key and
// value in bytes, each followed by a space, then the key and the value. Selecting several
// thousand rows one by one takes more than twice as long.
// The rows are in the order of the primary key, (room, key); nothing depends on that.
const packedRows = `SELECT room, count(*), CAST(group_concat(
		octet_length(key) || ' ' || octet_length(value) || ' ' || key || value, '') AS BLOB)
	FROM %s GROUP BY room`

// selectRows reads the rows of a table, of one room or, if it is "", of all rooms.
func selectRows(ctx context.Context, q querier, table, room string) (map[string][]change.Row, error) {
	byRoom := map[string][]change.Row{}
	err := eachRoom(ctx, q, table, room, func(room string, rows []change.Row) { byRoom[room] = rows })
	return byRoom, err
}

// eachRoom is selectRows, but calls each with the rows of every room.
func eachRoom(
	ctx context.Context, q querier, table, room string, each func(room string, rows []change.Row),
) error {
	from, args := table, []any{}
	if room != "" {
		from, args = table+" WHERE room = ?", append(args, room)
	}
	rows, err := q.QueryContext(ctx, fmt.Sprintf(packedRows, from), args...)
	if err != nil {
		return fmt.Errorf("read the rows of the memory: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var room string
		var count int
		// The driver makes memory of its own for each value, so it is not copied once more.
		var packed sql.RawBytes
		if err := rows.Scan(&room, &count, &packed); err != nil {
			return fmt.Errorf("read the rows of the memory: %w", err)
		}
		unpacked, err := unpack(packed, count)
		if err != nil {
			return fmt.Errorf("read the rows of %s: %w", room, err)
		}
		each(room, unpacked)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the rows of the memory: %w", err)
	}
	return nil
}

// unpack returns the rows of a text of packedRows. Their values share its memory.
func unpack(packed []byte, count int) ([]change.Row, error) {
	rows := make([]change.Row, 0, count)
	for len(packed) > 0 {
		key, rest, ok := cutLength(packed)
		value, rest, ok2 := cutLength(rest)
		if !ok || !ok2 || key+value > len(rest) {
			return nil, fmt.Errorf("%w: row %d has no length", store.ErrCorrupt, len(rows))
		}
		end := key + value
		rows = append(rows, change.Row{Key: string(rest[:key]), Value: rest[key:end:end]})
		packed = rest[end:]
	}
	return rows, nil
}

// cutLength returns the length at the beginning of a text, and the rest of the text.
func cutLength(text []byte) (length int, rest []byte, ok bool) {
	for i, c := range text {
		switch {
		case c == ' ' && i > 0:
			return length, text[i+1:], true
		case c < '0' || c > '9' || length > math.MaxInt32:
			return 0, nil, false
		}
		length = length*10 + int(c-'0')
	}
	return 0, nil, false
}

// text returns the SQL value for JSON: a text, or NULL if there is none.
func text(doc []byte) any {
	if doc == nil {
		return nil
	}
	return string(doc)
}

package sqlite

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	driver "modernc.org/sqlite"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// connect connects to the database, to write and to read.
func (s *Store) connect(path string) {
	s.damage.found.Store(nil)
	s.db = connect(path, &s.damage)
	s.tables.Store(connectReader(path, &s.damage, usualCache))
}

func connect(path string, met *damage) *sql.DB {
	return connectWith(path, met, "_txlock=immediate", "journal_mode(wal)", "synchronous(normal)", "fullfsync(1)",
		"wal_autocheckpoint(0)", usualCache, fmt.Sprintf("journal_size_limit(%d)", keptWAL))
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

// closeDatabases closes the connections. SQLite moves the write-ahead log into the database when the last connection
// of all processes is closed, unless that one can only read, so a small log stays as it is.
func (s *Store) closeDatabases() error {
	var errs []error
	if s.wal != nil { // first, because SQLite may delete the file
		errs = append(errs, s.wal.Close())
	}
	writer, tables := s.db, s.tables.Load()
	s.db, s.wal, s.statements = nil, nil, nil
	if writer != nil && s.sizeOfWAL() <= keptWAL {
		last := tables.DB
		if last.Stats().OpenConnections == 0 {
			last = connectWith(filepath.Join(s.dir, store.DatabaseName), &s.damage, "mode=ro")
			defer func() { _ = last.Close() }()
		}
		if hold(last) {
			errs = append(errs, writer.Close())
			writer = nil
		}
	}
	if tables != nil { // concurrent reads fail
		errs = append(errs, tables.Close())
	}
	if writer != nil {
		errs = append(errs, writer.Close())
	}
	return errors.Join(errs...)
}

// holdTime is how long hold waits for rows that are still read.
const holdTime = 100 * time.Millisecond

// hold makes a connection hold its lock on the database, and reports whether it does. Another connection of the
// process must be open. If it is the first that the connection does, it does not read the schema.
func hold(db *sql.DB) bool {
	ctx, cancel := context.WithTimeout(context.Background(), holdTime)
	defer cancel()
	var version int
	return db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version) == nil
}

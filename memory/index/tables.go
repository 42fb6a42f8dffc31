package index

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// The tables. A segment holds the postings of documents that follow each other, in chunks, which
// never change: what is added makes a new segment, and small ones are merged. The number of a
// chunk is that of its segment times chunksPerSegment plus its place. dead is how many of the
// docs of a segment were deleted; their records are zero.
var tables = []string{
	`CREATE TABLE index_state (
		one INTEGER PRIMARY KEY CHECK (one = 1),
		epoch INTEGER NOT NULL, version INTEGER NOT NULL, complete INTEGER NOT NULL, analysis INTEGER NOT NULL,
		last INTEGER NOT NULL, documents INTEGER NOT NULL, terms INTEGER NOT NULL, segments INTEGER NOT NULL,
		merging INTEGER NOT NULL, merged INTEGER NOT NULL)`,
	`CREATE TABLE index_document (doc INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, sum INTEGER NOT NULL)`,
	`CREATE TABLE index_thread (
		name TEXT PRIMARY KEY, first INTEGER NOT NULL UNIQUE, last INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE index_record (page INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, records BLOB NOT NULL)`,
	`CREATE INDEX index_record_stamp ON index_record(stamp)`,
	`CREATE TABLE index_segment (
		id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, docs INTEGER NOT NULL,
		dead INTEGER NOT NULL, fences BLOB NOT NULL)`,
	`CREATE TABLE index_chunk (id INTEGER PRIMARY KEY, terms BLOB NOT NULL)`,
}

var tableNames = []string{
	"index_state", "index_document", "index_thread", "index_record", "index_segment", "index_chunk",
	"index_model", "index_vector", "index_signs",
}

// chunksPerSegment is more than a segment can have.
const chunksPerSegment = 1 << 24

// state is the row of index_state.
type state struct {
	// epoch is a random number of the tables. What was read before they were made anew differs.
	epoch int64
	// version rises with every transaction that changes what is read.
	version int64
	// complete is false until the documents that were there before the index are in it.
	complete bool
	stats    recall.Stats
	// segments is the highest number that was given to a segment.
	segments int64
	// merging is the number of the segment that a process is writing in the background, 0 if
	// none does, and merged when that process wrote to it last, in milliseconds since 1970.
	merging, merged int64
}

func readState(ctx context.Context, db room.Querier) (s state, err error) {
	row := db.QueryRowContext(ctx, `SELECT
		epoch, version, complete, analysis, last, documents, terms, segments, merging, merged FROM index_state`)
	var analysis int
	err = row.Scan(&s.epoch, &s.version, &s.complete, &analysis, &s.stats.Last, &s.stats.Documents, &s.stats.Terms,
		&s.segments, &s.merging, &s.merged)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return s, damaged("it has no state")
	case err == nil && analysis < recall.Analysis: // a newer program keeps its own, or both would make it anew in turn
		return s, damaged("its documents were analysed in another way, number %d", analysis)
	}
	return s, err
}

// create makes empty tables. complete says that there is no document yet.
func create(ctx context.Context, tx room.Tx, complete bool) error {
	if err := createAll(ctx, tx, slices.Concat(tables, vectorTables)); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO index_state VALUES (1, ?, 0, ?, ?, 0, 0, 0, 0, 0, 0)`,
		random(), complete, recall.Analysis)
	return err
}

func createAll(ctx context.Context, tx room.Tx, statements []string) error {
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("make the tables of the index: %w", err)
		}
	}
	return nil
}

// random returns a random number that is not negative.
func random() int64 {
	var bytes [8]byte
	_, _ = rand.Read(bytes[:]) // it does not fail
	return int64(binary.LittleEndian.Uint64(bytes[:]) >> 1)
}

// recreate makes the tables anew, as create does.
func recreate(ctx context.Context, tx room.Tx, complete bool) error {
	for _, name := range tableNames {
		if _, err := tx.ExecContext(ctx, "DROP TABLE IF EXISTS "+name); err != nil {
			return fmt.Errorf("drop the tables of the index: %w", err)
		}
	}
	return create(ctx, tx, complete)
}

// isDamage reports whether an error means that the tables have to be made anew. Damage of the
// database itself is a matter of its store.
func isDamage(err error) bool {
	return errors.Is(err, errDamaged) || err != nil &&
		(strings.Contains(err.Error(), "no such table: index_") || strings.Contains(err.Error(), "no such column"))
}

// A segment is a row of index_segment.
type segment struct {
	id          int64
	first, last recall.Doc
	docs, dead  int
	fences      []string // nil if they were not read
	// chunks are those of a segment that is not in the tables, nil of others.
	chunks [][]byte
}

func (s segment) chunk(place int) int64 { return s.id*chunksPerSegment + int64(place) }

// readSegments returns the segments in the order of their documents.
func readSegments(ctx context.Context, db room.Querier) (found []segment, err error) {
	const all = `SELECT id, first, last, docs, dead FROM index_segment WHERE first >= ? ORDER BY first`
	rows, err := db.QueryContext(ctx, all, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var s segment
		if err := rows.Scan(&s.id, &s.first, &s.last, &s.docs, &s.dead); err != nil {
			return nil, err
		}
		if n := len(found); n > 0 && s.first <= found[n-1].last {
			return nil, damaged("a document is in two segments")
		}
		found = append(found, s)
	}
	return found, rows.Err()
}

// eachBlob calls read with the numbers and blobs that a query returns. The blobs are valid
// during the call only.
func eachBlob(
	ctx context.Context, db room.Querier, read func(id int64, blob []byte) error, query string, args ...any,
) (err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id int64
		var blob sql.RawBytes
		if err := rows.Scan(&id, &blob); err != nil {
			return err
		}
		if err := read(id, blob); err != nil {
			return err
		}
	}
	return rows.Err()
}

// anyOf stands for the values of a JSON array.
const anyOf = "(SELECT value FROM json_each(?))"

// list returns numbers as JSON for anyOf. A statement with the numbers in it would be
// parsed each time.
func list[N ~int64 | ~int | ~uint32](numbers []N) string {
	text := []byte{'['}
	for i, n := range numbers {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return string(append(text, ']'))
}

package items

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A key is what an item of a store is looked up by: a place of items_key, and a number by which most items with the
// same place differ.
type key struct{ place, tag int64 }

// A keyRow is a key with the number of an item that has it.
type keyRow struct {
	key
	n int64
}

// appendRows appends the rows of the keys of an item with a number.
func appendRows(rows []keyRow, keys []key, n int64) []keyRow {
	for _, key := range keys {
		rows = append(rows, keyRow{key, n})
	}
	return rows
}

// places is the number of rows of items_key. A row holds the newest item with a key, modulo
// places, so that the table has a bounded size: near-duplicates are found among the newest items,
// some 100,000.
const places = 1 << 18

// tagBits is how many bits a tag has.
const tagBits = 25

// maxKeys is how many keys an item has at most.
const maxKeys = 3

// keysOf returns the keys of an item. It is compared with the others of its store, or, if it goes with its session,
// with those of the session. What working memory puts away stays comparable with what is in it.
func keysOf(item *Item, sketch gating.Sketch) []key {
	if sketch.Empty() {
		return nil
	}
	among := item.Store
	if item.Own {
		if among == gating.Episodic {
			among = gating.Working
		}
		among += "\x00" + item.Session
	}
	var salt uint64
	for i := range len(among) {
		salt = (salt ^ uint64(among[i])) * 1099511628211
	}
	keys := make([]key, 0, maxKeys)
	for _, hash := range sketch.Keys() {
		hash = (hash ^ salt) * 0x9e3779b97f4a7c15
		keys = append(keys, key{int64(hash >> 32 % places), int64(hash>>8&0xffffff) + 1})
	}
	return keys
}

// number returns a key as one number. Numbers are in the order of items_key.
func (k key) number() uint64 { return uint64(k.place)<<tagBits | uint64(k.tag) }

// keyOf returns the key with a number.
func keyOf(number uint64) key { return key{int64(number >> tagBits), int64(number & (1<<tagBits - 1))} }

// createNewKeys creates the table of the keys of the newest items. The places of keys are all over items_key, so a
// transaction writes a row here, and many of these are moved there at once.
const createNewKeys = `CREATE TABLE items_newkey(
		n INTEGER PRIMARY KEY,  -- the first item
		keys BLOB NOT NULL      -- see keyWidth
	)`

const (
	// keyWidth is how many bytes of items_newkey a key takes: its number and, in the last offsetBits bits, how much
	// larger the number of its item is than that of the first one. They are in their order.
	keyWidth, offsetBits = 8, 64 - 18 - tagBits
	// manyRows and manyKeys are how many rows and keys of items_newkey are worth to be moved. If there are mustMove
	// times as many, because nothing ran in the background, a transaction that adds some moves them.
	manyRows, manyKeys, mustMove = 32, 48_000, 2
)

// addKeys writes the keys of new items into items_newkey.
func (w *writer) addKeys() error {
	if len(w.keys) == 0 {
		return nil
	}
	for len(w.keys) > 0 {
		first, length := w.keys[0].n, len(w.keys)
		if i := slices.IndexFunc(w.keys, func(row keyRow) bool { return row.n-first >= 1<<offsetBits }); i >= 0 {
			length = i
		}
		packed := make([]uint64, length)
		for i, row := range w.keys[:length] {
			packed[i] = row.number()<<offsetBits | uint64(row.n-first)
		}
		slices.Sort(packed)
		blob := make([]byte, 0, keyWidth*length)
		for _, one := range packed {
			blob = binary.BigEndian.AppendUint64(blob, one)
		}
		if err := w.exec("INSERT OR REPLACE INTO items_newkey(n, keys) VALUES(?, ?)", first, blob); err != nil {
			return err
		}
		w.keys = w.keys[length:]
	}
	var rows, size int
	row := w.tx.QueryRowContext(w.ctx, "SELECT count(*), sum(octet_length(keys)) FROM items_newkey")
	if err := row.Scan(&rows, &size); err != nil {
		return err
	}
	if rows > mustMove*manyRows || size > mustMove*keyWidth*manyKeys {
		return moveAllKeys(w.ctx, w.tx)
	}
	w.manyKeys = rows > manyRows || size > keyWidth*manyKeys
	return nil
}

// eachNewKeys yields the first item and the keys of each row of items_newkey, the oldest row first.
func eachNewKeys(ctx context.Context, tx room.Querier, yield func(first int64, keys []byte)) error {
	rows, err := tx.QueryContext(ctx, "SELECT n, keys FROM items_newkey ORDER BY n")
	if err != nil {
		return err
	}
	for rows.Next() {
		var first int64
		var keys sql.RawBytes
		if err := rows.Scan(&first, &keys); err != nil {
			return errors.Join(err, rows.Close())
		}
		yield(first, keys[:len(keys)/keyWidth*keyWidth])
	}
	return errors.Join(rows.Err(), rows.Close())
}

// putKeys writes keys into items_key, the newest of each place. In the order of their places those of a page are
// written together.
func putKeys(ctx context.Context, tx room.Tx, keys []keyRow) error {
	slices.SortFunc(keys, func(a, b keyRow) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.n, b.n))
	})
	values := make([]any, 0, 3*len(keys))
	for i, row := range keys {
		if i+1 == len(keys) || keys[i+1].place != row.place {
			values = append(values, row.place, row.tag, row.n)
		}
	}
	return room.Insert(ctx, tx, "INSERT OR REPLACE INTO items_key(place, tag, n) VALUES", "(?,?,?)", values)
}

// A keyMove moves the rows of items_newkey into items_key, range by range of the places. Until the rows are deleted at
// its end, both tables have the keys that were moved.
type keyMove struct {
	upTo  int64 // the last row to move, 0 if that is not known yet
	place int64 // where the next range begins
}

// step moves the keys of the next places, and reports whether all are moved. Of a place the newest key is written, also
// if it is of a row that came later: another process may move that one meanwhile.
func (m *keyMove) step(ctx context.Context, tx room.Tx, length int64) (bool, error) {
	if m.upTo == 0 {
		row := tx.QueryRowContext(ctx, "SELECT coalesce(max(n), 0) FROM items_newkey")
		if err := row.Scan(&m.upTo); err != nil || m.upTo == 0 {
			return true, err
		}
	}
	var keys []keyRow
	from, to := m.place, m.place+length
	err := eachNewKeys(ctx, tx, func(first int64, packed []byte) {
		for ; len(packed) > 0; packed = packed[keyWidth:] {
			one := binary.BigEndian.Uint64(packed)
			if is := keyOf(one >> offsetBits); from <= is.place && is.place < to {
				keys = append(keys, keyRow{is, first + int64(one&(1<<offsetBits-1))})
			}
		}
	})
	if err != nil {
		return false, err
	}
	if err := putKeys(ctx, tx, keys); err != nil {
		return false, err
	}
	if m.place = to; to < places {
		return false, nil
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM items_newkey WHERE n <= ?", m.upTo)
	return true, err
}

// moveAllKeys moves all keys of items_newkey into items_key.
func moveAllKeys(ctx context.Context, tx room.Tx) error {
	_, err := new(keyMove).step(ctx, tx, places)
	return err
}

const (
	// movedAtOnce is how many places a step of Maintain moves the keys of.
	movedAtOnce = places / 16
	// moveTime is how long Maintain takes, because others wait for it to write.
	moveTime = 10 * time.Millisecond
)

// Due reports whether keys are to be moved into items_key.
func (r *Room) Due() bool { return r.manyKeys.Load() }

// Maintain moves keys into items_key for a short time.
func (r *Room) Maintain(ctx context.Context, tx room.Tx) error {
	for ends := time.Now().Add(moveTime); time.Now().Before(ends); {
		done, err := r.moving.step(ctx, tx, movedAtOnce)
		if err != nil {
			return err
		}
		if done {
			r.moving = keyMove{}
			r.manyKeys.Store(false)
			return nil
		}
	}
	return nil
}

// Abandon forgets how far Maintain got.
func (r *Room) Abandon() {
	r.moving = keyMove{}
	r.manyKeys.Store(true)
}

// readKeys returns the numbers of the newest items with keys, and which of the keys each has.
func readKeys(ctx context.Context, tx room.Querier, keys []key) (map[int64][]key, error) {
	wanted := make([]uint64, len(keys))
	for i, key := range keys {
		wanted[i] = key.number()
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	newest := make([]int64, len(wanted)) // the items of those, 0 if there is none
	if err := readMovedKeys(ctx, tx, wanted, newest); err != nil {
		return nil, fmt.Errorf("look for similar items: %w", err)
	}
	err := eachNewKeys(ctx, tx, func(first int64, packed []byte) { // both are in order
		for i := 0; i < len(wanted) && len(packed) > 0; {
			one := binary.BigEndian.Uint64(packed)
			switch found := one >> offsetBits; {
			case found < wanted[i]:
				packed = packed[keyWidth:]
			case found > wanted[i]:
				i++
			default:
				newest[i], packed = first+int64(one&(1<<offsetBits-1)), packed[keyWidth:]
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("look for similar items: %w", err)
	}
	at := map[int64][]key{}
	for i, n := range newest {
		if n > 0 {
			at[n] = append(at[n], keyOf(wanted[i]))
		}
	}
	return at, nil
}

// readMovedKeys reads the items that items_key has for the numbers of keys, which are sorted.
func readMovedKeys(ctx context.Context, tx room.Querier, numbers []uint64, items []int64) error {
	values := make([]int64, len(numbers))
	for i, number := range numbers {
		values[i] = int64(number)
	}
	rows, err := tx.QueryContext(ctx, "SELECT value, n FROM json_each(?1) CROSS JOIN items_key "+
		"ON place = value >> ?2 AND tag = value & (1 << ?2) - 1", room.Values(values), tagBits)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var number, n int64
		if err := rows.Scan(&number, &n); err != nil {
			return err
		}
		if i, found := slices.BinarySearch(numbers, uint64(number)); found {
			items[i] = n
		}
	}
	return rows.Err()
}

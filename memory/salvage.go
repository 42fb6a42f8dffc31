package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sourcegraph/conc"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// load loads the state of the store into new rooms. Rows that cannot be decoded are set aside,
// and missing tables are filled from the log and the readable copy. What cannot be repaired
// is left out.
func (rp *repairer) load(ctx context.Context, s Store) (*rooms, store.State, error) {
	fresh := rp.rooms.fresh()
	state, bad, err := loadInto(ctx, s, fresh.list)
	if err != nil {
		return fresh, state, err
	}
	meta := func(key string) (string, error) { return state.Meta[key], nil }
	lost, err := findLostTables(state.Tables, fresh.list, meta)
	if err != nil || len(bad) == 0 && len(lost) == 0 && state.Meta[store.LostKey] == "" {
		return fresh, state, err
	}
	rp.setRowsAside(ctx, s, bad)
	rp.fillLostTables(ctx, s, strings.Fields(state.Meta[store.LostKey]), lost)
	fresh = rp.rooms.fresh()
	state, _, err = loadInto(ctx, s, fresh.list)
	return fresh, state, err
}

// waitingParts is how many parts of a room may wait until the ones before them are loaded.
const waitingParts = 64

// loadInto reads the state into rooms. Parts of their rows are loaded while the next ones are
// read, because decoding takes as long as reading. It returns the rows that cannot be decoded, by
// room.
func loadInto(
	ctx context.Context, s Store, all []room.Room,
) (state store.State, bad map[string][]change.Row, err error) {
	byName := map[string]room.Room{}
	for _, r := range all {
		byName[r.Name()] = r
	}
	bad = map[string][]change.Row{}
	var mu sync.Mutex // guards bad
	var loading conc.WaitGroup
	waiting := map[string]chan []change.Row{} // by room
	state, err = s.Load(ctx, func(name string, rows []change.Row) {
		parts, begun := waiting[name]
		if r, known := byName[name]; known && !begun {
			// One goroutine for all parts of a room: its stack grows once.
			parts = make(chan []change.Row, waitingParts)
			waiting[name] = parts
			loading.Go(func() {
				defer func() { // the reader must not wait for a room that panics
					for range parts {
					}
				}()
				for rows := range parts {
					if unread := room.LoadReadable(r, rows); len(unread) > 0 {
						mu.Lock()
						bad[name] = append(bad[name], unread...)
						mu.Unlock()
					}
				}
			})
		}
		if parts != nil {
			parts <- rows
		}
	})
	for _, parts := range waiting {
		close(parts)
	}
	loading.Wait()
	return state, bad, err
}

// setRowsAside sets rows aside that cannot be decoded. Those that snapshot and log contain are
// written again.
func (rp *repairer) setRowsAside(ctx context.Context, s Store, bad map[string][]change.Row) {
	if len(bad) == 0 {
		return
	}
	var names []string
	wanted := map[rowID]bool{}
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		for _, row := range bad[name] {
			names = append(names, fmt.Sprintf("%s %q", name, row.Key))
			wanted[rowID{name, row.Key}] = true
		}
	}
	message := fmt.Sprintf("%d rows of the memory could not be read: %s.", len(names), shorten.List(names, maxNamed))
	name, err := s.SetRowsAside(ctx, bad, rp.now())
	if err != nil {
		rp.problems.set(aboutRows, room.Failure(message+" They could not be set aside: "+fault.Plain(err),
			"All other rows are there. "+checkFolder(rp.dir)))
		return
	}
	mended := 0
	err = s.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
		rows, err := rp.replayAll(tx)
		if err != nil {
			return err
		}
		mended, err = rp.putReplayed(tx, rows, func(id rowID, _ bool) bool { return wanted[id] })
		return err
	})
	if err != nil {
		rp.log.Warn("write rows again that could not be read", "error", err)
		mended = 0
	}
	rp.repaired(ctx, s, aboutRows, room.Warning(
		fmt.Sprintf("%s They were set aside as %s; %d of them were written again from the log.", message, name, mended),
		"All other rows are there. Delete the file if you do not need it."))
}

// maxNamed is how many rows or tables that could not be read are named.
const maxNamed = 5

// fillLostTables fills tables that were missing when the database was opened: those of the store, by their names, and
// those of rooms.
func (rp *repairer) fillLostTables(ctx context.Context, s Store, names []string, ofRooms []lostTables) {
	if len(names) == 0 && len(ofRooms) == 0 {
		return
	}
	copied, _, err := s.ReadCopy(ctx)
	if err != nil {
		rp.log.Warn("read the copy to fill tables", "error", err)
	}
	err = s.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
		if err := rp.refillTables(ctx, tx, rp.rooms.fresh().list); err != nil {
			return err
		}
		if err := rp.fill(ctx, tx, s, names, copied); err != nil {
			return err
		}
		return tx.SetMeta(store.LostKey, "")
	})
	message := toldOfLost(names, ofRooms)
	if message == "" && err == nil { // nothing is lost
		return
	}
	if slices.Contains(names, store.LostDatabase) {
		message = "The memory database was missing or empty, but there was a readable copy."
	}
	if err != nil {
		rp.problems.set(aboutTables, room.Failure(message+" They could not be filled again: "+fault.Plain(err),
			"This is tried again at the next start. "+checkFolder(rp.dir)))
		return
	}
	filled := message + " What they held was filled in again from the log and the files of the memory."
	if slices.Contains(names, store.LostDatabase) {
		filled = message + " It was made anew from the copy."
	}
	rp.repaired(ctx, s, aboutTables, room.Warning(filled, "Check the memory: what is in neither of them is lost."))
}

// The tables of a store that can be filled again.
const (
	lostLog      = "log"
	lostState    = "state"
	lostRetired  = "retired"
	lostSnapshot = "snapshot"
	lostMeta     = "meta"
)

// fill writes the rows that are missing in tables that were lost, wholly or in part: those that follow from the
// snapshot and the log, and the entries of a readable copy, unless that is nil.
func (rp *repairer) fill(ctx context.Context, tx store.Tx, s Store, lost []string, copied []byte) error {
	is := func(tables ...string) bool {
		return slices.ContainsFunc(tables, func(table string) bool { return slices.Contains(lost, table) })
	}
	if is(lostState, lostRetired, store.LostDatabase) {
		there, err := rp.there(ctx, tx, s)
		if err != nil {
			return err
		}
		rows, err := rp.replayAll(tx)
		if err != nil {
			return err
		}
		_, err = rp.putReplayed(tx, rows, func(id rowID, retired bool) bool {
			return !there[id] && (retired && is(lostRetired) || !retired && is(lostState))
		})
		if err != nil {
			return err
		}
	}
	if is(lostState, store.LostDatabase) && copied != nil {
		if err := rp.rebuildFrom(ctx, tx, s, copied); err != nil {
			rp.log.Warn("fill tables from the readable copy", "error", err)
		}
	}
	if is(lostLog, lostSnapshot, lostMeta) { // the log does not lead from the snapshot to the rows
		return tx.TakeSnapshot()
	}
	return nil
}

// there returns the rows of the rooms that are in the tables, retired or not.
func (rp *repairer) there(ctx context.Context, tx store.Tx, s Store) (map[rowID]bool, error) {
	state, err := tx.Load()
	if err != nil {
		return nil, err
	}
	there := map[rowID]bool{}
	for name, rows := range state.Rows {
		for _, row := range rows {
			there[rowID{name, row.Key}] = true
		}
	}
	for _, r := range rp.rooms.fresh().list {
		if _, retires := r.(room.Retirer); !retires {
			continue
		}
		retired, err := s.Retired(ctx, r.Name())
		if err != nil {
			return nil, err
		}
		for _, row := range retired {
			there[rowID{r.Name(), row.Key}] = true
		}
	}
	return there, nil
}

// replayAll returns the rows that result from the snapshot and the log.
func (rp *repairer) replayAll(tx store.Tx) (map[string][]change.Row, error) {
	snapshot, err := tx.Snapshot()
	if err != nil {
		return nil, err
	}
	changes, err := tx.Since(snapshot.Seq)
	if err != nil {
		return nil, err
	}
	return rp.rooms.replay(snapshot.Rows, changes), nil
}

// putReplayed writes the replayed rows that are wanted and can be decoded. It returns their
// number.
func (rp *repairer) putReplayed(
	tx store.Tx, rows map[string][]change.Row, wanted func(id rowID, retired bool) bool,
) (written int, err error) {
	for _, r := range rp.rooms.fresh().list {
		for _, row := range rows[r.Name()] {
			if r.Load([]change.Row{row}) != nil {
				continue
			}
			if retirer, retires := r.(room.Retirer); retires {
				row = retirer.Retire(row)
			}
			if !wanted(rowID{r.Name(), row.Key}, row.Retired) {
				continue
			}
			if err := tx.Put(r.Name(), row); err != nil {
				return written, err
			}
			written++
		}
	}
	return written, nil
}

// rebuildFrom writes the entries of a readable copy that are not in the tables.
func (rp *repairer) rebuildFrom(ctx context.Context, tx store.Tx, s Store, copied []byte) error {
	state, err := tx.Load()
	if err != nil {
		return err
	}
	all := rp.rooms.fresh().list
	for _, r := range all {
		room.LoadReadable(r, state.Rows[r.Name()])
	}
	changes, err := rebuiltFrom(copied, all)
	if err != nil {
		return err
	}
	return rp.appendAll(ctx, tx, all, changes)
}

// appendAll folds changes into rooms and writes them with their rows.
func (rp *repairer) appendAll(ctx context.Context, tx store.Tx, all []room.Room, changes []change.Change) error {
	rp.stamper.stamp(changes, change.Actor{})
	for i := range changes {
		if err := tx.Append(&changes[i]); err != nil {
			return err
		}
		rows, err := foldInto(all, changes[i])
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := tx.Put(row.room, row.Row); err != nil {
				return err
			}
		}
	}
	return indexChanges(ctx, tx, all, changes)
}

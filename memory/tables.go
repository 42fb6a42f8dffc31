package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// An indexedRoom is a room that owns tables.
type indexedRoom interface {
	room.Room
	room.Indexer
}

// indexed returns the rooms that own tables.
func indexed(all []room.Room) []indexedRoom { return room.All[indexedRoom](all) }

// tablesVersion returns the version of a room's tables in the store, 0 if there
// are none.
func tablesVersion(room, kept string) (int, error) {
	if kept == "" {
		return 0, nil
	}
	version, err := strconv.Atoi(kept)
	if err != nil {
		return 0, fmt.Errorf("%w: the version of the tables of %s is %q", store.ErrCorrupt, room, kept)
	}
	return version, nil
}

// attachTables attaches rooms to their tables. It migrates the tables if the store does not have
// the current version.
func attachTables(ctx context.Context, s Store, all []room.Room, meta map[string]string) error {
	current, mode := true, store.Fast // tables that are new need not be on the disk
	for _, r := range indexed(all) {
		version, err := tablesVersion(r.Name(), meta[store.TablesKey(r.Name())])
		if err != nil {
			return err
		}
		current = current && version == r.TablesVersion()
		if version != 0 && version != r.TablesVersion() {
			mode = store.Durable
		}
	}
	if !current {
		migrate := func(tx store.Tx) error { return migrateTables(ctx, tx, all) }
		err := s.Update(ctx, mode, nil, migrate)
		if errors.Is(err, store.ErrBusy) { // another process takes long to write
			err = s.Update(ctx, store.Durable, nil, migrate)
		}
		if err != nil {
			return err
		}
	}
	attach(s, all)
	return nil
}

func attach(s Store, all []room.Room) {
	for _, r := range indexed(all) {
		r.Attach(s)
	}
}

// migrateTables migrates the tables of rooms to their current versions.
func migrateTables(ctx context.Context, tx store.Tx, all []room.Room) error {
	for _, r := range indexed(all) {
		kept, err := tx.Meta(store.TablesKey(r.Name()))
		if err != nil {
			return err
		}
		from, err := tablesVersion(r.Name(), kept)
		if err != nil {
			return err
		}
		switch to := r.TablesVersion(); {
		case from == to:
			continue
		case from > to:
			return fmt.Errorf("version %d of the tables of %s, known is %d: %w", from, r.Name(), to, store.ErrNewer)
		default:
			if err := r.Migrate(ctx, tx, from); err != nil {
				return fmt.Errorf("migrate the tables of %s to version %d: %w", r.Name(), to, err)
			}
			if err := tx.SetMeta(store.TablesKey(r.Name()), strconv.Itoa(to)); err != nil {
				return err
			}
		}
	}
	return nil
}

// manyChanges is for how many changes it is worth to analyse them beside the writing of others.
const manyChanges = 100

// analyse lets rooms begin with many changes that are going to be indexed.
func analyse(all []room.Room, changes []change.Change) {
	if len(changes) < manyChanges {
		return
	}
	for _, analyser := range room.All[room.Analyser](all) {
		analyser.Analyse(changes)
	}
}

// indexChanges updates the tables of rooms for changes, in the transaction that writes the changes.
func indexChanges(ctx context.Context, tx store.Tx, all []room.Room, changes []change.Change) error {
	if len(changes) == 0 {
		return nil
	}
	changes, err := withoutPurged(tx, all, changes)
	if err != nil {
		return err
	}
	for _, r := range indexed(all) {
		if err := r.Index(ctx, tx, changes); err != nil {
			return fmt.Errorf("index changes in the tables of %s: %w", r.Name(), err)
		}
	}
	return eraseAgain(ctx, tx, all)
}

// withoutPurged returns changes without those about files, if a purge still has to delete these files:
// what is read from them now would stay.
func withoutPurged(tx store.Tx, all []room.Room, changes []change.Change) ([]change.Change, error) {
	if !slices.ContainsFunc(changes, readsFile(all)) {
		return changes, nil
	}
	purging, err := tx.Meta(purgingKey)
	if err != nil || purging == "" {
		return changes, err
	}
	return slices.DeleteFunc(slices.Clone(changes), readsFile(all)), nil
}

// readsFile returns a function that reports whether one of the rooms reads a file for a change.
func readsFile(all []room.Room) func(change.Change) bool {
	return func(c change.Change) bool {
		return slices.ContainsFunc(all, func(r room.Room) bool {
			reader, reads := r.(room.FileIndexer)
			return reads && reader.ReadsFile(c)
		})
	}
}

// eraseAgain erases from the tables what files may still contain: a room may just have read one of them.
func eraseAgain(ctx context.Context, tx store.Tx, all []room.Room) error {
	doc, err := tx.Meta(erasingKey)
	if err != nil {
		return err
	}
	texts, err := erasingIn(doc)
	if err != nil || len(texts) == 0 {
		return err
	}
	return eraseIndexed(ctx, tx, all, texts)
}

// eraseIndexed erases strings from the tables of rooms.
func eraseIndexed(ctx context.Context, tx store.Tx, all []room.Room, texts []string) error {
	for _, r := range indexed(all) {
		eraser, erases := r.(room.Eraser)
		if !erases {
			continue
		}
		if err := eraser.EraseIndexed(ctx, tx, texts); err != nil {
			return fmt.Errorf("erase from the tables of %s: %w", r.Name(), err)
		}
	}
	return nil
}

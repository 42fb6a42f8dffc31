package memory

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// lostTables are the tables of a room of which some are missing, or whose version is not known.
type lostTables struct {
	room indexedRoom
	// missing are the names of those that are missing. There are none if the version is not known.
	missing []string
}

// toldOfLost returns a sentence about the tables that were lost: those of the store, by their names, and those of
// rooms. It is empty if all of them follow from other tables.
func toldOfLost(names []string, ofRooms []lostTables) string {
	var versions []string
	for _, lost := range ofRooms {
		switch {
		case isDerived(lost.room):
		case len(lost.missing) == 0:
			versions = append(versions, lost.room.Name())
		default:
			names = append(slices.Clip(names), lost.missing...)
		}
	}
	var told []string
	if len(names) > 0 {
		told = append(told, "The database had lost tables: "+strings.Join(names, ", ")+".")
	}
	if len(versions) > 0 && !slices.Contains(names, lostMeta) {
		told = append(told, "The database had lost the versions of tables: "+strings.Join(versions, ", ")+".")
	}
	return strings.Join(told, " ")
}

// isDerived reports whether all tables of a room follow from others.
func isDerived(r indexedRoom) bool {
	_, renews := r.(room.Renewer)
	_, rescues := r.(room.Rescuer)
	return renews && !rescues
}

// findLostTables returns the rooms that have lost tables, by the tables that are there. meta returns a value of the
// meta data. Tables of another version are left to their migration.
func findLostTables(
	there []string, all []room.Room, meta func(key string) (string, error),
) (lost []lostTables, err error) {
	for _, r := range indexed(all) {
		kept, err := meta(store.TablesKey(r.Name()))
		if err != nil {
			return nil, err
		}
		version, err := tablesVersion(r.Name(), kept)
		own := func(table string) bool { return strings.HasPrefix(table, r.Name()+"_") }
		switch {
		case err != nil, version == 0 && slices.ContainsFunc(there, own):
			lost = append(lost, lostTables{room: r})
		case version == r.TablesVersion():
			missing := slices.DeleteFunc(slices.Clone(r.Tables()), func(table string) bool {
				return slices.Contains(there, table)
			})
			if len(missing) > 0 {
				lost = append(lost, lostTables{r, missing})
			}
		}
	}
	return lost, nil
}

// refillTables creates the tables that rooms have lost, and fills them from the log, from files and from each other.
// The tables that are left keep their rows.
func (rp *repairer) refillTables(ctx context.Context, tx store.Tx, all []room.Room) error {
	there, err := store.TableNames(ctx, tx)
	if err != nil {
		return err
	}
	lost, err := findLostTables(there, all, tx.Meta) // another process may have filled them meanwhile
	if err != nil || len(lost) == 0 {
		return err
	}
	changes, err := tx.Since(0)
	if err != nil {
		return err
	}
	for _, l := range lost {
		if err := rp.refillTablesOf(ctx, tx, l.room, changes); err != nil {
			return fmt.Errorf("fill the tables of %s again: %w", l.room.Name(), err)
		}
		version := strconv.Itoa(l.room.TablesVersion())
		if err := tx.SetMeta(store.TablesKey(l.room.Name()), version); err != nil {
			return err
		}
	}
	return nil
}

func (rp *repairer) refillTablesOf(ctx context.Context, tx store.Tx, r indexedRoom, changes []change.Change) error {
	renewer, renews := r.(room.Renewer)
	if isDerived(r) {
		return renewer.Renew(ctx, tx)
	}
	kept, err := moveTables(ctx, tx, r.Name())
	if err != nil {
		return err
	}
	if err := r.Migrate(ctx, tx, 0); err != nil {
		return err
	}
	if err := indexChanges(ctx, tx, []room.Room{r}, changes); err != nil { // the tables that are left are worth more
		rp.log.Warn("fill the tables of a room from the log", "room", r.Name(), "error", err)
	}
	if _, reads := r.(room.FileIndexer); reads { // the room reads the files again that no row is about
		kept = nil
	}
	for _, table := range kept {
		if err := copyRows(ctx, tx, keptPrefix+table, table); err != nil {
			return err
		}
	}
	if err := dropTables(ctx, tx, keptPrefix); err != nil || !renews {
		return err
	}
	return renewer.Renew(ctx, tx)
}

// keptPrefix is what the names of the tables of a room begin with while they are created anew.
const keptPrefix = "kept_"

// moveTables renames the tables of a room and drops their indexes, whose names the new ones need. It returns the
// former names of the tables. A virtual table, which cannot be renamed with what it consists of, is dropped.
func moveTables(ctx context.Context, tx room.Tx, name string) (tables []string, err error) {
	virtual, err := store.Strings(ctx, tx,
		"SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual' AND name GLOB ?", name+"_*")
	if err != nil {
		return nil, err
	}
	for _, table := range virtual {
		if _, err := tx.ExecContext(ctx, "DROP TABLE "+store.Quoted(table)); err != nil {
			return nil, err
		}
	}
	const named = "SELECT name FROM sqlite_schema WHERE type = ? AND tbl_name GLOB ? AND sql IS NOT NULL"
	indexes, err := store.Strings(ctx, tx, named, "index", name+"_*")
	if err != nil {
		return nil, err
	}
	for _, index := range indexes {
		if _, err := tx.ExecContext(ctx, "DROP INDEX "+store.Quoted(index)); err != nil {
			return nil, err
		}
	}
	tables, err = store.Strings(ctx, tx, named, "table", name+"_*")
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		rename := "ALTER TABLE " + store.Quoted(table) + " RENAME TO " + store.Quoted(keptPrefix+table)
		if _, err := tx.ExecContext(ctx, rename); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// copyRows replaces the rows of a table by those of another one, if both have the same columns. Otherwise the other
// one is of a version that is not known.
func copyRows(ctx context.Context, tx room.Tx, from, to string) error {
	const columnsOf = "SELECT name FROM pragma_table_info(?) ORDER BY name"
	columns, err := store.Strings(ctx, tx, columnsOf, to)
	if err != nil {
		return err
	}
	former, err := store.Strings(ctx, tx, columnsOf, from)
	if err != nil || !slices.Equal(columns, former) {
		return err
	}
	for i, column := range columns {
		columns[i] = store.Quoted(column)
	}
	list := strings.Join(columns, ", ")
	for _, statement := range []string{
		"DELETE FROM " + store.Quoted(to),
		fmt.Sprintf("INSERT INTO %s(%s) SELECT %s FROM %s", store.Quoted(to), list, list, store.Quoted(from)),
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// dropTables drops the tables whose names begin with a prefix.
func dropTables(ctx context.Context, tx room.Tx, prefix string) error {
	const named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?"
	tables, err := store.Strings(ctx, tx, named, prefix+"*")
	if err != nil {
		return err
	}
	for _, table := range tables {
		if _, err := tx.ExecContext(ctx, "DROP TABLE "+store.Quoted(table)); err != nil {
			return err
		}
	}
	return nil
}

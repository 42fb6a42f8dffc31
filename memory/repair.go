package memory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// A repairer opens the store of a workspace and loads its state. It sets aside what is
// damaged, fills it again from the log and the readable copy, and reports this as a problem.
// It is used on the queue only, except check.
type repairer struct {
	dataDir  string // the folder with the folders of all workspaces
	dir      string // the folder of the workspace
	storage  Storage
	log      *slog.Logger
	now      func() time.Time
	rooms    *registry
	problems *problems
	stamper  *stamper
	// unseen is true if no person sees the problems of the process.
	unseen bool
}

// open opens the store. A damaged database is replaced.
func (rp *repairer) open(ctx context.Context) (Store, error) {
	s, err := rp.storage.Open(ctx, rp.dir, rp.log)
	if errors.Is(err, store.ErrCorrupt) {
		return rp.setAside(ctx)
	}
	return s, err
}

// setAside sets a damaged database aside, opens a new one and fills it from the readable copy,
// unless another process has done so.
func (rp *repairer) setAside(ctx context.Context) (Store, error) {
	name, err := rp.storage.SetAside(ctx, rp.dir, rp.now(), rp.log)
	if err != nil {
		return nil, err
	}
	s, err := rp.storage.Open(ctx, rp.dir, rp.log)
	if err != nil || name == "" {
		return s, err
	}
	doc, _, err := s.ReadCopy(ctx)
	if err != nil {
		doc = nil
	}
	rp.rebuild(ctx, s, name, doc)
	return s, nil
}

// replace is setAside with a copy of the state in memory, which is used if it is complete. The
// database must be closed.
func (rp *repairer) replace(ctx context.Context, copied []byte, complete bool) (Store, error) {
	name, err := rp.storage.SetAside(ctx, rp.dir, rp.now(), rp.log)
	if err != nil {
		return nil, err
	}
	s, err := rp.storage.Open(ctx, rp.dir, rp.log)
	if err == nil && name != "" && complete {
		rp.rebuild(ctx, s, name, copied)
	}
	return s, err
}

// salvage returns a readable copy of the state in memory, which is newer than the one in the
// folder.
func (rp *repairer) salvage() (copied []byte, err error) {
	each(rp.rooms, func(s room.Salvager) { copied, err = s.Salvage() })
	return copied, err
}

// check deletes temporary files of processes that were killed, and looks for damage in the
// store. It may be called at any time.
func (rp *repairer) check(ctx context.Context, s Store) error {
	err := errors.Join(files.ClearLeft(rp.dataDir, false), files.ClearLeft(rp.dir, true))
	for _, name := range []string{store.RootsName, store.ImportedName, store.ShownName} {
		err = errors.Join(err, files.ClearLeft(filepath.Join(rp.dataDir, name), false))
	}
	if err != nil {
		rp.log.Warn("delete temporary files", "error", err)
	}
	return s.Check(ctx)
}

// problemOf returns the problem for an error of opening the store.
func (rp *repairer) problemOf(err error) Problem {
	if errors.Is(err, store.ErrNewer) {
		return room.Failure(err.Error(), "Install the newest wm-lsp. Nothing was changed in "+rp.dir+".")
	}
	if errors.Is(err, store.ErrBusy) {
		return room.Failure(err.Error(), "End that process if it does not go on. It is tried again every second.")
	}
	return room.Failure(fault.Plain(err), checkFolder(rp.dir))
}

// rebuild fills a new database with what can be read in the one that was set aside, and what is missing
// with the log and a readable copy. It reports this as a problem.
func (rp *repairer) rebuild(ctx context.Context, s Store, setAside string, copied []byte) {
	fresh := rp.rooms.fresh().list
	salvaged, err := s.Salvage(ctx, setAside, salvagedRooms(fresh))
	if err != nil {
		rp.log.Warn("read the damaged database", "error", err)
		salvaged = store.Salvaged{Lost: []string{lostState, lostLog, lostRetired}}
	}
	err = s.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
		if err := migrateTables(ctx, tx, fresh); err != nil {
			return err
		}
		return rp.fill(ctx, tx, s, salvaged.Lost, copied)
	})
	var told string
	var whole bool
	if err == nil {
		told, whole, err = rp.rescue(ctx, s, setAside, fresh)
	}
	if err != nil {
		rp.problems.set(aboutSaved, room.Failure(
			"The memory database was damaged and set aside as "+setAside+", but could not be rebuilt: "+
				fault.Plain(err),
			"The readable copy "+store.CopyName+" still holds the entries."))
		return
	}
	rp.repaired(ctx, s, aboutSaved, room.Warning(toldOfRepair(setAside, salvaged, copied != nil, whole)+told,
		"Check the memory. Delete the file if you do not need it."))
}

// repairedKey is the key of the meta data that stores what a process whose problems nobody sees has repaired, message
// and fix, until another process tells it. It is followed by the subject.
const repairedKey = "repaired "

// repaired reports what was repaired.
func (rp *repairer) repaired(ctx context.Context, s Store, about string, problem Problem) {
	rp.problems.set(about, problem)
	if !rp.unseen {
		return
	}
	err := s.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
		return tx.SetMeta(repairedKey+about, problem.Message+"\n"+problem.Fix)
	})
	if err != nil {
		rp.log.Warn("store what was repaired", "error", err)
	}
}

// tell reports what other processes have repaired, unless it was told.
func (rp *repairer) tell(ctx context.Context, s Store, meta map[string]string) {
	for _, about := range []string{aboutSaved, aboutRows, aboutTables} {
		message, fix, there := strings.Cut(meta[repairedKey+about], "\n")
		if !there || rp.unseen {
			continue
		}
		rp.problems.set(about, room.Warning(message, fix))
		err := s.Update(ctx, store.Fast, nil, func(tx store.Tx) error { return tx.SetMeta(repairedKey+about, "") })
		if err != nil {
			rp.log.Warn("note that a repair was told", "error", err) // it is told again
		}
	}
}

// salvagedRooms returns the names of the rooms whose tables are copied from a damaged database: all but those
// that check their rows, and those that follow from others.
func salvagedRooms(all []room.Room) (names []string) {
	for _, r := range indexed(all) {
		if _, rescues := r.(room.Rescuer); !rescues && !isDerived(r) {
			names = append(names, r.Name())
		}
	}
	return names
}

// toldOfRepair says what became of a damaged database. whole is false if rows of rooms could not be read.
func toldOfRepair(setAside string, salvaged store.Salvaged, copied, whole bool) string {
	said := "The memory database was damaged. It was set aside as " + setAside
	from := "the log and the readable copy"
	if !copied {
		from = "the log; there was no readable copy"
	}
	switch {
	case len(salvaged.Lost) == 0 && !whole:
		return said + ", and what could be read was taken over."
	case len(salvaged.Lost) == 0:
		return said + ", and everything that was kept could be read from it."
	case salvaged.Rows > 0:
		return said + ". Parts of " + shorten.List(salvaged.Lost, maxNamed) +
			" could not be read. They were filled again from " + from + "; the rest was taken over."
	case copied:
		return said + " and the memory was rebuilt from the readable copy. Active files and open errors are lost."
	}
	return said + ". There was no readable copy to rebuild it from."
}

// rescueAtOnce is how many changes of rescued rows are written in one transaction.
const rescueAtOnce = 1000

// rescue takes over what can be read of the tables of rooms in a database that was set aside, and says in sentences
// what that was.
func (rp *repairer) rescue(
	ctx context.Context, s Store, setAside string, all []room.Room,
) (told string, whole bool, err error) {
	whole = true
	var changes []change.Change
	write := func() error {
		defer func() { changes = nil }()
		return s.Update(ctx, store.Durable, nil, func(tx store.Tx) error { return rp.appendAll(ctx, tx, all, changes) })
	}
	for _, r := range all {
		rescuer, rescues := r.(room.Rescuer)
		if !rescues {
			continue
		}
		read := func(table room.Table, yield func([]any) error) error {
			err := s.SalvageTable(ctx, setAside, table, yield)
			if err != nil {
				rp.log.Warn("read a table of a damaged database", "table", table.Name, "error", err)
			}
			return err
		}
		rescued, err := rescuer.Rescue(read, func(c change.Change) error {
			if changes = append(changes, c); len(changes) < rescueAtOnce {
				return nil
			}
			return write()
		})
		if err == nil && len(changes) > 0 {
			err = write()
		}
		if err != nil {
			return told, false, fmt.Errorf("take over the %s of the damaged database: %w", rescued.Name, err)
		}
		whole = whole && rescued.Damaged == 0 && !rescued.Partly
		if rescued.Read > 0 {
			told += fmt.Sprintf(" %d %s could be read from it.", rescued.Read, rescued.Name)
		}
		if rescued.Damaged > 0 {
			told += fmt.Sprintf(" %d were damaged and are left out.", rescued.Damaged)
		}
		switch {
		case rescued.Partly && rescued.Read > 0:
			told += fmt.Sprintf(" Other %s may be lost.", rescued.Name)
		case rescued.Partly:
			told += fmt.Sprintf(" No %s could be read from it.", rescued.Name)
		}
	}
	return told, whole, nil
}

// rebuiltFrom returns the changes that add to rooms the entries of a readable copy that they
// do not hold.
func rebuiltFrom(copied []byte, rooms []room.Room) ([]change.Change, error) {
	var changes []change.Change
	for _, rebuilder := range room.All[room.Rebuilder](rooms) {
		rebuilt, err := rebuilder.RebuildFrom(copied)
		if err != nil {
			return nil, err
		}
		changes = append(changes, rebuilt...)
	}
	return changes, nil
}

package memory

import (
	"log/slog"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// maxPending is the maximum number of pending hot changes.
const maxPending = 10_000

// pending holds the hot changes that are folded but not written, and the rows that they have
// touched. It is used on the queue only.
type pending struct {
	rooms *registry
	log   *slog.Logger

	changes []change.Change
	dirty   map[rowID]change.Row
}

func newPending(rooms *registry, log *slog.Logger) *pending {
	return &pending{rooms: rooms, log: log, dirty: map[rowID]change.Row{}}
}

func (p *pending) isEmpty() bool { return len(p.changes) == 0 }

// add adds a folded change and the rows that it has touched. If there are more than
// maxPending, the oldest change is dropped; its rows are written.
func (p *pending) add(c change.Change, rows []roomRow) {
	p.changes = append(p.changes, c)
	p.addRows(rows)
	if over := len(p.changes) - maxPending; over > 0 {
		p.changes = slices.Delete(p.changes, 0, over)
	}
}

// addRows adds rows to write. Their Old values are those that are written.
func (p *pending) addRows(rows []roomRow) {
	for _, row := range rows {
		id := rowID{row.room, row.Key}
		if waiting, waits := p.dirty[id]; waits {
			row.Old = waiting.Old
		}
		p.dirty[id] = row.Row
	}
}

// clear drops all changes and rows.
func (p *pending) clear() {
	p.changes = nil
	clear(p.dirty)
}

// writeTo writes the changes and rows, and returns the changes as they are in the log.
func (p *pending) writeTo(tx store.Tx) ([]change.Change, error) {
	written := slices.Clone(p.changes)
	if err := appendTo(tx, written); err != nil {
		return nil, err
	}
	for id, row := range p.dirty {
		if err := tx.Put(id.room, row); err != nil {
			return nil, err
		}
	}
	return written, nil
}

// appendTo writes changes to the end of the log and sets their Seq.
func appendTo(tx store.Tx, changes []change.Change) error {
	all := make([]*change.Change, len(changes))
	for i := range changes {
		all[i] = &changes[i]
	}
	return tx.Append(all...)
}

// unfold undoes the changes in the rooms, so that the rooms have the state of the log. It
// reports whether there were any.
func (p *pending) unfold() bool {
	if p.isEmpty() {
		return false
	}
	var replaced, added []roomRow
	for id, row := range p.dirty {
		if row.Old != nil {
			replaced = append(replaced, roomRow{id.room, row})
		} else {
			added = append(added, roomRow{id.room, row})
		}
	}
	p.rooms.undo(append(replaced, added...)) // the last ones first: a bundle replaces the rows of its session
	return true
}

// fold folds the changes into the rooms again.
func (p *pending) fold() {
	clear(p.dirty)
	for _, c := range p.changes {
		rows, err := p.rooms.fold(c)
		if err != nil {
			p.log.Error("fold a pending change", "kind", c.Kind, "error", err)
		}
		p.addRows(rows)
	}
}

// rebase adapts the changes to a change of another process.
func (p *pending) rebase(other change.Change) {
	each(p.rooms, func(r room.Rebaser) {
		for i, c := range p.changes {
			p.changes[i] = r.Rebase(c, other)
		}
	})
}

// dropSession drops the changes of a session that another process has deleted, so that they
// do not start the session again.
func (p *pending) dropSession(session string) {
	p.changes = slices.DeleteFunc(p.changes, func(c change.Change) bool {
		return c.Session == session || c.Subject == session
	})
}

// dropErased drops the changes that contain a string of an entry that another process has
// erased. texts are the strings of the entry as this process knows it, erasing the strings that
// are to be erased from files. Former strings are known only as long as these include a string of
// the entry. Otherwise any change may contain one, and all are dropped.
func (p *pending) dropErased(texts, erasing []string) {
	isErasing := func(text string) bool { return slices.Contains(erasing, text) }
	if !slices.ContainsFunc(texts, isErasing) {
		p.changes = nil
		return
	}
	forms := formsOf(erasing)
	p.changes = slices.DeleteFunc(p.changes, func(c change.Change) bool { return holdsForm(c, erasing, forms) })
}

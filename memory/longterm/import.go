package longterm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// Import decides about the hand edits of a readable copy: the differences between the document
// and base, the active entries as of the document's Seq. Later changes of the memory are kept.
//
//   - An entry with another string, type, rationale or pin is updated.
//   - A missing entry is removed.
//   - An entry without an id, or with an unknown id, is added with the source manual. An
//     inactive entry is restored.
//   - An entry that is invalid, or was deactivated since, is not changed. It is reported as
//     memory.rejected with the reason. The text of an erased entry is not reported.
//
// A single entry does not make the import fail. If more than half of the entries are missing,
// the error is a LossError and nothing is imported.
func (r *Room) Import(doc Document, base []Entry) ([]change.Change, error) {
	return r.decideOnAll(func(d *draft) error {
		d.rejectBroken(doc)
		doc.Entries = d.withoutErased(doc.Entries)
		edits := d.editsOf(doc, base)
		lost, err := d.missing(doc, base, edits.named)
		if err != nil {
			return err
		}
		for _, entry := range lost {
			d.end(Removed, entry, StatusRemoved, "removed from the readable copy", "")
		}
		for _, entry := range edits.changed {
			if err := d.edit(edits.before[entry.ID], entry); err != nil {
				d.reject(addition(entry), "edit of the readable copy: "+err.Error())
			}
		}
		for _, entry := range edits.fresh {
			if err := d.take(entry); err != nil {
				d.reject(addition(entry), "edit of the readable copy: "+err.Error())
			}
		}
		return nil
	})
}

// handEdits holds the entries of a document. Removals are decided before edits, and edits
// before additions, so that no entry is evicted or rejected for lack of space that the same
// edit has freed.
type handEdits struct {
	before  map[string]Entry // the base
	named   map[string]bool  // the ids in the document
	changed []Entry          // in the base; unpinned ones first
	fresh   []Entry          // not in the base
}

func (d *draft) editsOf(doc Document, base []Entry) handEdits {
	edits := handEdits{before: map[string]Entry{}, named: map[string]bool{}}
	for _, entry := range base {
		edits.before[entry.ID] = entry
	}
	for _, entry := range doc.Entries {
		if entry.ID != "" && edits.named[entry.ID] {
			d.reject(addition(entry), fmt.Sprintf("edit of the readable copy: the id %s is there twice", entry.ID))
			continue
		}
		edits.named[entry.ID] = true
		if _, ok := edits.before[entry.ID]; ok {
			edits.changed = append(edits.changed, entry)
			continue
		}
		edits.fresh = append(edits.fresh, entry)
	}
	slices.SortStableFunc(edits.changed, func(a, b Entry) int { return pinRank(a) - pinRank(b) })
	return edits
}

func pinRank(entry Entry) int {
	if entry.Pinned {
		return 1
	}
	return 0
}

// take adds or restores an entry that is not in the base.
func (d *draft) take(entry Entry) error {
	known := d.find(entry.ID)
	switch {
	case known == nil:
		return d.add(addition(entry))
	case known.Status == StatusActive: // it was added after the document was written
		return nil
	default:
		return d.restore(entry.ID)
	}
}

// edit updates an entry with the differences between two versions of it.
func (d *draft) edit(before, after Entry) error {
	var patch Patch
	if after.Text != before.Text {
		patch.Text = &after.Text
	}
	if after.Type != before.Type {
		patch.Type = &after.Type
	}
	if after.Rationale != before.Rationale {
		patch.Rationale = &after.Rationale
	}
	if after.Pinned != before.Pinned {
		patch.Pinned = &after.Pinned
	}
	if patch == (Patch{}) {
		return nil
	}
	patch.Author = Person
	return d.update(before.ID, patch)
}

// missing returns the entries of base that are still active and are neither in the document
// nor possibly among its broken entries. The error is a LossError if they are more than half.
func (d *draft) missing(doc Document, base []Entry, named map[string]bool) ([]*Entry, error) {
	var lost []*Entry
	active := 0
	for _, was := range base {
		entry := d.find(was.ID)
		if entry == nil || entry.Status != StatusActive {
			continue
		}
		active++
		if !named[was.ID] && !doc.broke(was.ID) {
			lost = append(lost, entry)
		}
	}
	if 2*len(lost) > active {
		return nil, &LossError{Lost: len(lost), Of: active}
	}
	return lost, nil
}

// withoutErased returns the entries that were not erased, and rejects the others.
func (d *draft) withoutErased(entries []Entry) []Entry {
	var kept []Entry
	for _, entry := range entries {
		if _, erased := d.erased[erasedKey(entry.ID)]; erased {
			d.reject(Addition{}, fmt.Sprintf("edit of the readable copy: the entry %s was erased", entry.ID))
			continue
		}
		kept = append(kept, entry)
	}
	return kept
}

// BaseOf returns the base of a copy that is older than the snapshot of the log. It contains
// the entries that did not change since. Other entries are taken from the copy itself, so
// that there are no differences.
func (r *Room) BaseOf(doc Document) []Entry {
	named := map[string]Entry{}
	for _, entry := range doc.Entries {
		named[entry.ID] = entry
	}
	var base []Entry
	for _, entry := range r.List(nil, true) {
		copied, is := named[entry.ID]
		switch {
		case entry.UpdatedAt.Before(doc.UpdatedAt):
			if entry.Status == StatusActive {
				base = append(base, entry)
			}
		case is:
			base = append(base, copied)
		}
	}
	return base
}

func (d *draft) rejectBroken(doc Document) {
	for _, broken := range doc.Broken {
		d.reject(
			Addition{},
			fmt.Sprintf("entry %d of the readable copy cannot be read: %v", broken.Index+1, broken.Err),
		)
	}
}

func addition(entry Entry) Addition {
	return Addition{
		Type: entry.Type, Text: entry.Text, Rationale: entry.Rationale, Source: Manual,
		Author: Person, Files: entry.Files, Pinned: entry.Pinned,
	}
}

// Rebuild adds the entries of a readable copy to a room that lost its rows, with their ids,
// times and sources. Entries that the room has are left out. Entries that are invalid or were
// erased are reported as memory.rejected.
func (r *Room) Rebuild(doc Document) ([]change.Change, error) {
	_ = r.complete() // if it fails, the rows of inactive entries are lost too
	return r.decide(func(d *draft) error {
		d.rejectBroken(doc)
		named := map[string]bool{}
		for _, entry := range d.withoutErased(doc.Entries) {
			if named[entry.ID] {
				entry.ID = "" // it was copied by hand, and is another entry
			}
			named[entry.ID] = true
			if d.below.find(entry.ID) != nil {
				continue
			}
			if err := d.readd(entry); err != nil {
				d.reject(addition(entry), "rebuild from the readable copy: "+err.Error())
			}
		}
		return nil
	})
}

// RebuildFrom is Rebuild with an encoded readable copy. The error is a CorruptError or
// NewerError.
func (r *Room) RebuildFrom(copied []byte) ([]change.Change, error) {
	doc, err := ParseDocument(copied)
	if err != nil {
		return nil, err
	}
	return r.Rebuild(doc)
}

// readd adds an entry of a document. Missing fields get the values of a new entry.
func (d *draft) readd(entry Entry) error {
	in := addition(entry)
	if in.Author = entry.Author; entry.Source.rank() > 0 {
		in.Source = entry.Source
	}
	fresh, err := d.newEntry(in)
	if err != nil {
		return err
	}
	if code := judge(fresh, true); code != "" {
		d.reject(in, string(code))
		return nil
	}
	if twin := d.twin(fresh.Text, ""); twin != nil {
		return d.merge(twin, fresh)
	}
	if fresh.Pinned && d.pinned() >= d.maxPinned() {
		fresh.Pinned = false
	}
	fresh.ID = cmp.Or(entry.ID, d.newID())
	fresh.Reviewed, fresh.Origin, fresh.Stale = entry.Reviewed, entry.Origin, entry.Stale
	fresh.Imported, fresh.Beside = entry.Imported, entry.Beside
	fresh.Reinforced = max(entry.Reinforced, 0)
	if entry.Confidence > 0 && entry.Confidence <= 1 {
		fresh.Confidence = entry.Confidence
	}
	if !entry.CreatedAt.IsZero() {
		fresh.CreatedAt = stamp(entry.CreatedAt)
	}
	if !entry.ReinforcedAt.IsZero() {
		fresh.ReinforcedAt = stamp(entry.ReinforcedAt)
	}
	d.write(Added, nil, fresh, "rebuilt from the readable copy")
	d.evict("")
	return nil
}

package longterm

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// retired reports whether the row of an entry is retired, which is read only when the entry is
// requested. A stale entry is needed for every event about a file, so its row is not.
func (e *Entry) retired() bool {
	return e.isPast() && e.Stale == nil
}

// rowOf returns the row of an entry. If entry is nil, the row is deleted.
func rowOf(id string, entry, old *Entry) change.Row {
	row := change.NewRow(id, entry, old)
	row.Retirable, row.Retired = true, entry != nil && entry.retired()
	return row
}

// Retire returns the row of an entry with the table that it belongs to.
func (r *Room) Retire(row change.Row) change.Row {
	entries, err := r.read([]change.Row{row})
	if err == nil && entries[0] != nil {
		row.Retirable, row.Retired = true, entries[0].retired()
	}
	return row
}

// readEach returns the entries of the rows that can be decoded, and the other rows.
func (r *Room) readEach(rows []change.Row) (entries []*held, bad []change.Row) {
	if entries, err := r.read(rows); err == nil {
		return entries, nil
	}
	for _, row := range rows {
		entry, err := r.read([]change.Row{row})
		if err != nil {
			bad = append(bad, row)
			continue
		}
		entries = append(entries, entry...)
	}
	return entries, bad
}

// complete loads the entries whose rows are retired, once. Until then, the state does not hold
// them.
func (r *Room) complete() error {
	r.mu.RLock()
	complete := r.completed
	r.mu.RUnlock()
	if complete || r.env.Retired == nil {
		return nil
	}
	rows, err := r.env.Retired(r.Name())
	if err != nil {
		return fmt.Errorf("read the entries that are not in force: %w", err)
	}
	entries, bad := r.readEach(rows)
	if len(bad) > 0 && r.env.Unreadable != nil {
		r.env.Unreadable(r.Name(), bad)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.completed {
		return nil
	}
	for _, entry := range entries {
		if entry == nil { // the id of an erased entry
			continue
		}
		// Changes that were folded meanwhile are newer than the rows.
		_, known := r.state.entries[entry.ID]
		_, erased := r.erased[erasedKey(entry.ID)]
		if !known && !erased && !r.swept[entry.ID] {
			r.state.put(entry)
		}
	}
	r.completed, r.swept = true, nil
	return nil
}

// decideAbout is decide on a state that includes the entry with the id, if there is one.
func (r *Room) decideAbout(id string, steps func(*draft) error) ([]change.Change, error) {
	if _, err := r.lookUp(id); err != nil {
		return nil, err
	}
	return r.decide(steps)
}

// decideOnAll is decide on a state that includes all entries.
func (r *Room) decideOnAll(steps func(*draft) error) ([]change.Change, error) {
	if err := r.complete(); err != nil {
		return nil, err
	}
	return r.decide(steps)
}

// lookUp returns the entry with the id, active or not, or nil if there is none.
func (r *Room) lookUp(id string) (*Entry, error) {
	r.mu.RLock()
	entry := r.state.find(id)
	r.mu.RUnlock()
	if entry != nil {
		return entry, nil
	}
	if err := r.complete(); err != nil {
		return nil, err
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.state.find(id), nil
}

package longterm

import (
	"encoding/json"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// Remove takes an entry out of force on request; it can be restored. An entry that
// was removed before changes nothing. The fault is NotFound.
func (r *Room) Remove(id string) ([]change.Change, error) {
	return r.decideAbout(id, func(d *draft) error {
		entry := d.find(id)
		if entry == nil {
			return notFound(id)
		}
		if entry.Status != StatusRemoved {
			d.end(Removed, entry, StatusRemoved, "removed on request", "")
		}
		return nil
	})
}

// Erase makes the room forget an entry, and with it all others, active or not,
// that say the same: nothing of the text may stay. What was offered goes also if it
// only quotes the text or a part of it. The fault is NotFound.
func (r *Room) Erase(id string) ([]change.Change, error) {
	return r.decideOnAll(func(d *draft) error {
		entry := d.find(id)
		if entry == nil {
			return notFound(id)
		}
		d.eraseWithTwins(*entry)
		return nil
	})
}

// EraseSwept is Erase for an entry that was swept, as the log has it.
func (r *Room) EraseSwept(entry Entry) ([]change.Change, error) {
	return r.decideOnAll(func(d *draft) error {
		d.eraseWithTwins(entry)
		return nil
	})
}

func (d *draft) eraseWithTwins(entry Entry) {
	d.erase(entry.ID)
	key := canonical(entry.Text)
	says := func(e *Entry) bool {
		other := canonical(e.Text)
		return other == key || e.Source == Said && (strings.Contains(other, key) || strings.Contains(key, other))
	}
	for _, twin := range d.all(says) {
		d.erase(twin.ID)
	}
}

// WasErased reports whether there was an entry with the id that was erased.
func (r *Room) WasErased(id string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, erased := r.erased[erasedKey(id)]
	return erased
}

// Forget returns the row as it is: entries are erased by themselves, and others may
// quote them.
func (r *Room) Forget(row change.Row, _ []string) change.Row { return row }

func (d *draft) erase(id string) {
	d.drop(id)
	d.record(change.New(Erased, id, subject{ID: id}).Because("erased on request"))
}

// Restore brings an entry that left back into force, which counts as
// reinforcement. Others may be evicted for it, itself never. If an active entry
// says the same, that one is reinforced instead and the changes are
// memory.superseded and memory.merged. It comes back unpinned if no more may be
// pinned. One that was only offered is offered again. The faults are NotFound, and Limit
// if the memory is full of pinned entries.
func (r *Room) Restore(id string) ([]change.Change, error) {
	return r.decideAbout(id, func(d *draft) error { return d.restore(id) })
}

func (d *draft) restore(id string) error {
	entry := d.find(id)
	if entry == nil {
		return notFound(id)
	}
	if entry.Status == StatusActive || entry.Status == StatusOffered {
		return nil
	}
	restored := *entry
	if entry.Ended != nil && entry.Ended.Offered {
		restored.Status, restored.Ended = StatusOffered, nil
		d.write(Restored, entry, restored, "offered again on request")
		d.expire()
		return nil
	}
	restored.Pinned = entry.Pinned && d.pinned() < d.maxPinned()
	if twin := d.twin(entry.Text, id); twin != nil {
		return d.absorb(twin, entry, restored)
	}
	if len(d.active) >= d.limits.MaxEntries && d.weakest("") == nil {
		return allPinned(d.limits.MaxEntries)
	}
	restored.Status, restored.Ended = StatusActive, nil
	restored.reinforce(d.at)
	d.write(Restored, entry, restored, "restored on request")
	d.evict(id)
	return nil
}

// Tells says whether a change of the log holds anything of an erased entry: it is
// about the entry, or carries a text that says the same. Such changes must be
// blanked for the erasure to be true.
func Tells(c change.Change, erased Entry) bool {
	if c.Kind.Noun() != Noun {
		return false
	}
	if c.Subject == erased.ID {
		return true
	}
	return says(c.Before, erased.Text) || says(c.After, erased.Text)
}

// says says whether a payload carries the text, or the beginning of it that a
// rejection keeps.
func says(payload json.RawMessage, text string) bool {
	var told struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(payload, &told) != nil || told.Text == "" {
		return false
	}
	key, toldKey := canonical(text), canonical(told.Text)
	return key == toldKey || strings.HasSuffix(told.Text, "…") && strings.HasPrefix(key, toldKey)
}

package longterm

import (
	"encoding/json"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// OnRequest is the reason of a removal that somebody asked for.
const OnRequest = "removed on request"

// Remove deactivates an entry on request; it can be restored. If the entry was removed
// before, there are no changes. The fault is NotFound.
func (r *Room) Remove(id string) ([]change.Change, error) {
	return r.decideAbout(id, func(d *draft) error {
		entry := d.find(id)
		if entry == nil {
			return notFound(id)
		}
		if entry.Status != StatusRemoved {
			d.end(Removed, entry, StatusRemoved, OnRequest, "")
		}
		return nil
	})
}

// Erase deletes an entry, and all others with the same canonical text, active or not, so that
// nothing of the text is left. An entry with the source Said is deleted also if it only
// contains the text or a part of it. The fault is NotFound.
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

// EraseSwept is Erase for an entry that was swept. The entry is the one in the log.
func (r *Room) EraseSwept(entry Entry) ([]change.Change, error) {
	return r.decideOnAll(func(d *draft) error {
		d.eraseWithTwins(entry)
		return nil
	})
}

func (d *draft) eraseWithTwins(entry Entry) {
	d.erase(entry.ID)
	key := canonical(entry.Text)
	isTwin := func(e *Entry) bool {
		other := canonical(e.Text)
		return other == key || e.Source == Said && (strings.Contains(other, key) || strings.Contains(key, other))
	}
	for _, twin := range d.all(isTwin) {
		d.erase(twin.ID)
	}
}

// WasErased reports whether an entry with the id was erased.
func (r *Room) WasErased(id string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, erased := r.erased[erasedKey(id)]
	return erased
}

// Forget returns the row unchanged: entries are erased as a whole, and others may quote them.
func (r *Room) Forget(row change.Row, _ []string) change.Row { return row }

func (d *draft) erase(id string) {
	d.drop(id)
	d.record(change.New(Erased, id, subject{ID: id}).Because("erased on request"))
}

// Restore makes an inactive entry active again, which counts as reinforcement. Other entries
// may be evicted for it. If an active entry has the same canonical text, that entry is
// reinforced instead, and the changes are memory.superseded and memory.merged. The entry is
// restored without its pin if no more entries may be pinned. An entry that was only offered
// is offered again. The faults are NotFound, and Limit if all entries are pinned and there is
// no space for another one.
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
	d.takeBack(entry)
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
	restored.ReinforcedAt = d.at // not the next to be evicted; nobody has said it again
	d.write(Restored, entry, restored, "restored on request")
	d.evict(id)
	return nil
}

// Tells reports whether a change of the log is about an erased entry, or holds a string with the
// same canonical form. Such changes must be blanked.
func Tells(c change.Change, erased Entry) bool {
	if c.Kind.Noun() != Noun {
		return false
	}
	if c.Subject == erased.ID {
		return true
	}
	return holds(c.Before, erased.Text) || holds(c.After, erased.Text)
}

// holds reports whether a payload holds the text, or the beginning of it that a rejection
// keeps.
func holds(payload json.RawMessage, text string) bool {
	var held struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(payload, &held) != nil || held.Text == "" {
		return false
	}
	key, heldKey := canonical(text), canonical(held.Text)
	return key == heldKey || strings.HasSuffix(held.Text, "…") && strings.HasPrefix(key, heldKey)
}

package longterm

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// An Adoption is what becomes of an addition from another program.
type Adoption struct {
	// Changes are one memory.rejected; or one memory.added or memory.kept, with a memory.evicted after it if the
	// entry is over the limit, so that only searches find it. There are none if Known says the same.
	Changes []change.Change
	Known   *Entry
	// Full is true if it was rejected for lack of space only.
	Full bool
}

// Adopt decides about entries of another program, in order. Unlike Add it changes no entry that is there: what
// says the same as one is left out, and what is over the limit is itself evicted at once. What would make a sweep
// delete an entry that is not in force any more is rejected, and so is an addition that is invalid.
func (r *Room) Adopt(additions []Addition) (adopted []Adoption, err error) {
	_, err = r.decideOnAll(func(d *draft) error {
		past := d.all(func(e *Entry) bool { return e.isPast() && !e.isUntaken() })
		aside := adoptedAside{room: d.limits.MaxPast - len(past), texts: map[string]*Entry{}}
		for _, entry := range past {
			if entry.Status == StatusEvicted {
				aside.texts[canonical(entry.Text)] = entry
			}
		}
		for _, in := range additions {
			d.session, d.agent = in.Session, in.Agent
			n := len(d.changes)
			var a Adoption
			a.Known, a.Full = d.adopt(in, &aside)
			a.Changes = d.changes[n:len(d.changes):len(d.changes)]
			adopted = append(adopted, a)
		}
		return nil
	})
	return adopted, err
}

// adoptedAside is the space for entries that are evicted at once, and those that were evicted, by their canonical
// strings.
type adoptedAside struct {
	room  int
	texts map[string]*Entry
}

// adopt decides about one addition. It returns the entry that says the same, and whether there was no space.
func (d *draft) adopt(in Addition, aside *adoptedAside) (known *Entry, full bool) {
	entry, err := d.newEntry(in)
	if err != nil {
		d.reject(in, fault.Of(err).Message)
		return nil, false
	}
	if code := judge(entry, entry.Source.deliberate()); code != "" {
		d.reject(in, string(code))
		return nil, false
	}
	if twin := d.twin(entry.Text, ""); twin != nil {
		same := twin.clone()
		return &same, false
	}
	if len(d.active) < d.limits.MaxEntries {
		d.insert(entry)
		return nil, false
	}
	key := canonical(d.redact(entry.Text))
	if twin := aside.texts[key]; twin != nil {
		same := twin.clone()
		return &same, false
	}
	if aside.room <= 0 {
		d.reject(in, fmt.Sprintf("memory_full: there are %d entries, the limit of memory.maxEntries, and %d that only "+
			"searches find, the limit of memory.maxPast", len(d.active), d.limits.MaxPast))
		return nil, true
	}
	entry.Pinned = false
	d.insert(entry)
	added := d.find(d.changes[len(d.changes)-1].Subject)
	d.end(Evicted, added, StatusEvicted, fmt.Sprintf(
		"there are %d entries already, the limit of memory.maxEntries; searches find it", d.limits.MaxEntries), "")
	aside.room--
	aside.texts[key] = added
	return nil, false
}

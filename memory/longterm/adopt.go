package longterm

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// An Adoption is what becomes of an addition from another program.
type Adoption struct {
	// Change is a memory.added, memory.kept or memory.rejected. Its kind is empty if Known says the same.
	Change change.Change
	Known  *Entry
	// Full is true if it was rejected for lack of space only.
	Full bool
}

// Adopt decides about entries of another program, in order. Unlike Add it changes no entry that is in force: what
// says the same as one is left out, and what does not fit is rejected, so that nothing is evicted. An
// addition that is invalid is rejected.
func (r *Room) Adopt(additions []Addition) (adopted []Adoption, err error) {
	_, err = r.decide(func(d *draft) error {
		for _, in := range additions {
			d.session, d.agent = in.Session, in.Agent
			n := len(d.changes)
			var a Adoption
			a.Known, a.Full = d.adopt(in)
			if len(d.changes) > n {
				a.Change = d.changes[n]
			}
			adopted = append(adopted, a)
		}
		return nil
	})
	return adopted, err
}

// adopt decides about one addition. It returns the entry that says the same, and whether there was no space.
func (d *draft) adopt(in Addition) (known *Entry, full bool) {
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
	if len(d.active) >= d.limits.MaxEntries {
		d.reject(in, fmt.Sprintf("memory_full: there are %d entries, the limit of memory.maxEntries", len(d.active)))
		return nil, true
	}
	d.insert(entry)
	return nil, false
}

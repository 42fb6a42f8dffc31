package longterm

import "fmt"

// evict takes out of force what is over the limit of entries: always the unpinned
// entry of the lowest source, then of the oldest reinforcement (systems.md B1).
// The entry with the id keep stays. If only pinned ones are left, they stay too:
// that can only be after the limit was lowered.
func (d *draft) evict(keep string) {
	for len(d.active) > d.limits.MaxEntries {
		weakest := d.weakest(keep)
		if weakest == nil {
			return
		}
		reason := fmt.Sprintf(
			"over the limit of %d entries; of the unpinned it had the lowest source (%s), then the oldest "+
				"reinforcement (%s)",
			d.limits.MaxEntries,
			weakest.Source,
			weakest.ReinforcedAt.Format("2006-01-02 15:04"),
		)
		d.end(Evicted, weakest, StatusEvicted, reason, "")
	}
}

// weakest returns the unpinned entry that is to go first, nil if there is none.
func (d *draft) weakest(keep string) *Entry {
	var weakest *held
	for _, h := range d.active {
		if h.Pinned || h.ID == keep {
			continue
		}
		if weakest == nil || byRetention(h, weakest) > 0 {
			weakest = h
		}
	}
	if weakest == nil {
		return nil
	}
	return &weakest.Entry
}

// maxPinned is how many entries may be pinned: never more than there may be.
func (d *draft) maxPinned() int { return min(d.limits.MaxPinned, d.limits.MaxEntries) }

package longterm

import "fmt"

// evict deactivates the entries over the limit: first the unpinned entries with the lowest
// source, then those with the oldest reinforcement (systems.md B1). The entry with the id keep
// is not evicted, nor are pinned ones, which can be over the limit only after it was lowered.
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

// weakest returns the unpinned entry to evict next, or nil if there is none.
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

// maxPinned returns how many entries may be pinned, which is at most the limit of entries.
func (d *draft) maxPinned() int { return min(d.limits.MaxPinned, d.limits.MaxEntries) }

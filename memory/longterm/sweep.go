package longterm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// maxSwept is the maximum number of changes of one sweep, so that its transaction is short.
const maxSwept = 1000

// SweepRows returns the changes that delete entries which are no longer in force and over the
// limits of the settings: at most maxSwept, the ones that ended first. Offers that nobody
// accepted have a limit of their own.
func (r *Room) SweepRows() ([]change.Change, error) {
	return r.decideOnAll(func(d *draft) error {
		d.sweep("offers that nobody took", d.limits.MaxPastOffers, (*Entry).isUntaken)
		d.sweep("entries no longer in force", d.limits.MaxPast, func(e *Entry) bool {
			return e.isPast() && !e.isUntaken()
		})
		return nil
	})
}

// isPast reports whether an entry is neither in force nor offered.
func (e *Entry) isPast() bool { return e.Status != StatusActive && e.Status != StatusOffered }

// isUntaken reports whether an entry was offered and then replaced by another one. An offer
// that somebody removed does not count, because it was decided about.
func (e *Entry) isUntaken() bool {
	return e.isPast() && e.Status != StatusRemoved && e.Ended != nil && e.Ended.Offered
}

// sweep deletes the entries that match and are over a limit, those that ended first.
func (d *draft) sweep(what string, limit int, match func(*Entry) bool) {
	past := d.all(match)
	over := min(len(past)-limit, maxSwept-len(d.changes))
	if over <= 0 {
		return
	}
	slices.SortFunc(past, byEnd)
	for _, entry := range past[:over] {
		d.drop(entry.ID)
		d.record(change.New(Swept, entry.ID, subject{ID: entry.ID}).
			Because(fmt.Sprintf("over the limit of %d %s, and the oldest", limit, what)))
	}
}

// byEnd orders entries by when they ended.
func byEnd(a, b *Entry) int {
	return cmp.Or(a.endedAt().Compare(b.endedAt()), strings.Compare(a.ID, b.ID))
}

func (e *Entry) endedAt() time.Time {
	if e.Ended != nil {
		return e.Ended.At
	}
	return e.UpdatedAt
}

// foldSwept deletes an entry. The entry may be unknown, if its row is retired.
func (r *Room) foldSwept(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	row := rowOf(c.Subject, nil, r.state.find(c.Subject))
	r.state.drop(c.Subject)
	if !r.completed && r.env.Retired != nil {
		r.swept[c.Subject] = true
	}
	return []change.Row{row}, nil
}

package longterm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
)

// An offered entry was not requested. It is made from a statement of the user that holds beyond
// the task, a decision or rule in a compaction summary, or a root cause. It becomes active when
// a person or an agent keeps it, or when it is repeated in another session (systems.md B12).

// Offers returns the offered entries of a session, or of all sessions if session is "", ordered
// by creation.
func (r *Room) Offers(session string) []Entry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var entries []Entry
	for _, entry := range r.state.sortedOffers() {
		if session == "" || entry.Origin != nil && entry.Origin.SessionID == session {
			entries = append(entries, entry.clone())
		}
	}
	return entries
}

func (e *Entry) isOffered() bool { return e.Status == StatusOffered }

// offered returns the oldest offered entry with the same meaning as the text has after the gate,
// or nil if there is none.
func (d *draft) offered(text string) *Entry {
	if len(d.offers) == 0 {
		return nil
	}
	offers := d.sortedOffers()
	if i := slices.IndexFunc(offers, sameAs(d.redact(text))); i >= 0 {
		return offers[i]
	}
	return nil
}

// sameAs returns a function that reports whether an entry has the same meaning as a string that
// passed the gate: the same canonical text, one that contains it or is contained in it, or a
// paraphrase (systems.md B5).
func sameAs(text string) func(*Entry) bool {
	key, isParaphrase := canonical(text), quality.Paraphrase(text)
	return func(e *Entry) bool {
		other := canonical(e.Text)
		return other == key || len(key) >= minPart && strings.Contains(other, key) ||
			len(other) >= minPart && strings.Contains(key, other) || isParaphrase(e.Text)
	}
}

// minPart is the minimum length of a string that counts as the same as a longer one that
// contains it, in bytes.
const minPart = 40

// propose offers a string, unless the quality gate rejects it, it is active or offered already,
// or it was removed before. If another session has offered it, it becomes active. Strings that
// are not offered are not reported. If overtakes is true, offers that the text supersedes end.
func (d *draft) propose(in Addition, overtakes bool) {
	in.Source = Said
	entry, err := d.newEntry(in)
	entry.Status = StatusOffered
	if err != nil || quality.JudgeQuotation(entry.Text) != "" {
		return
	}
	if d.twin(entry.Text, "") != nil || d.settled(entry.Text) {
		return
	}
	if offer := d.offered(entry.Text); offer != nil {
		if offer.Origin == nil || offer.Origin.SessionID != d.session {
			d.keep(offer, "said again in another session")
		}
		return
	}
	entry.ID = d.newID()
	if overtakes {
		d.withdraw(entry.ID, entry.Text)
	}
	d.write(Offered, nil, entry, "")
	d.expire()
}

// withdraw supersedes the offers that later strings replace. by is the id of the entry of these
// strings, or "" if there is none.
func (d *draft) withdraw(by string, texts ...string) {
	replaces := request.Superseding(texts...)
	for _, old := range d.sortedOffers() {
		if replaces(old.Text) {
			d.end(Superseded, old, StatusSuperseded, "something else was said later", by)
		}
	}
}

// settled reports whether an entry with the same meaning is active or was removed.
func (d *draft) settled(text string) bool {
	isSame := sameAs(d.redact(text))
	for entry := range d.each() {
		if (entry.Status == StatusRemoved || entry.Status == StatusActive) && isSame(entry) {
			return true
		}
	}
	return false
}

// keep makes an offered entry active.
func (d *draft) keep(offer *Entry, reason string) {
	kept := offer.clone()
	kept.Status = StatusActive
	kept.reinforce(d.at)
	d.write(Kept, offer, kept, reason)
	d.evict(kept.ID)
}

// expire evicts the oldest offers over the limit.
func (d *draft) expire() {
	offers := d.sortedOffers()
	for ; len(offers) > d.limits.MaxOffered; offers = offers[1:] {
		reason := fmt.Sprintf("over the limit of %d offers, and the oldest", d.limits.MaxOffered)
		d.end(Evicted, offers[0], StatusEvicted, reason, "")
	}
}

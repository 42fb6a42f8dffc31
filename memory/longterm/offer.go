package longterm

import (
	"fmt"
	"slices"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
)

// An offered entry is one that nobody asked for: what a user said that holds beyond the
// task, the decisions and rules of a compaction summary, and root causes. It is in force
// only when a person or an agent keeps it, or when it is said again in another session
// (systems.md B12).

// Offers returns the offered entries of a session, or of all sessions if it is "", in the
// order of their creation.
func (r *Room) Offers(session string) []Entry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var entries []Entry
	for _, entry := range r.state.all((*Entry).isOffered) {
		if session == "" || entry.Origin != nil && entry.Origin.SessionID == session {
			entries = append(entries, entry.clone())
		}
	}
	return entries
}

func (e *Entry) isOffered() bool { return e.Status == StatusOffered }

// offered returns the offered entry that says what the text will say after the gate.
func (d *draft) offered(text string) *Entry {
	key := canonical(asKept(Entry{Text: text}).Text)
	found := d.all(func(e *Entry) bool { return e.isOffered() && canonical(e.Text) == key })
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// propose offers a text, unless the quality gate turns it away, it is in force or offered
// already, or it was dropped before. What another session had offered is in force then.
// Nobody asked for it, so nobody is told of what is not offered.
func (d *draft) propose(in Addition) {
	in.Source = Said
	entry, err := d.newEntry(in)
	entry.Status = StatusOffered
	if err != nil || quality.JudgeQuotation(entry.Text) != "" {
		return
	}
	if d.twin(entry.Text, "") != nil || d.dropped(entry.Text) {
		return
	}
	if offer := d.offered(entry.Text); offer != nil {
		if offer.Origin == nil || offer.Origin.SessionID != d.session {
			d.keep(offer, "said again in another session")
		}
		return
	}
	entry.ID = d.newID()
	replaces := request.Superseding(entry.Text)
	for _, old := range d.all((*Entry).isOffered) {
		if old.Origin != nil && old.Origin.SessionID == d.session && replaces(old.Text) {
			d.end(Superseded, old, StatusSuperseded, "something else was said later", entry.ID)
		}
	}
	d.write(Offered, nil, entry, "")
	d.expire()
}

// dropped reports whether an entry that says the same was removed by somebody.
func (d *draft) dropped(text string) bool {
	key := canonical(asKept(Entry{Text: text}).Text)
	for entry := range d.each() {
		if entry.Status == StatusRemoved && canonical(entry.Text) == key {
			return true
		}
	}
	return false
}

// keep brings an offered entry into force.
func (d *draft) keep(offer *Entry, reason string) {
	kept := offer.clone()
	kept.Status = StatusActive
	kept.reinforce(d.at)
	d.write(Kept, offer, kept, reason)
	d.evict(kept.ID)
}

// expire takes the oldest offers away that are over the limit.
func (d *draft) expire() {
	offers := d.all((*Entry).isOffered)
	slices.SortFunc(offers, byCreation)
	for ; len(offers) > d.limits.MaxOffered; offers = offers[1:] {
		reason := fmt.Sprintf("over the limit of %d offers, and the oldest", d.limits.MaxOffered)
		d.end(Evicted, offers[0], StatusEvicted, reason, "")
	}
}

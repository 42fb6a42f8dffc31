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

// offered returns the offered entry that says what the text will say after the gate, if
// need be in other words.
func (d *draft) offered(text string) *Entry {
	says := saying(text)
	found := d.all(func(e *Entry) bool { return e.isOffered() && says(e) })
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// saying returns a function that reports whether an entry says what the text will say after
// the gate, in the same or in other words (systems.md B5).
func saying(text string) func(*Entry) bool {
	text = asKept(Entry{Text: text}).Text
	key, inOtherWords := canonical(text), quality.Paraphrase(text)
	return func(e *Entry) bool { return canonical(e.Text) == key || inOtherWords(e.Text) }
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
	d.withdraw(entry.ID, entry.Text)
	d.write(Offered, nil, entry, "")
	d.expire()
}

// withdraw ends the offers whose place texts take that were said later. by is the entry that
// holds them, "" if none does.
func (d *draft) withdraw(by string, texts ...string) {
	replaces := request.Superseding(texts...)
	for _, old := range d.all((*Entry).isOffered) {
		if replaces(old.Text) {
			d.end(Superseded, old, StatusSuperseded, "something else was said later", by)
		}
	}
}

// settled reports whether an entry that says the same is in force or was removed by somebody.
func (d *draft) settled(text string) bool {
	says := saying(text)
	for entry := range d.each() {
		if (entry.Status == StatusRemoved || entry.Status == StatusActive) && says(entry) {
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

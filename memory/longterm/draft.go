package longterm

import (
	"time"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// draft is a decision of several steps: a state over that of the room, in which each step
// sees the effects of the previous ones, and the changes that lead to it.
type draft struct {
	*state
	erased change.Table[struct{}] // of the room
	limits settings.Memory
	newID  func() string
	// relative is Relative of the env.
	relative func(file string) (string, bool)
	at       time.Time
	session  string
	agent    string
	changes  []change.Change
	// redacted is the last text that passed the gate, kept what was left of it.
	redacted, kept string
}

// decide runs steps on a draft of the current state and returns their changes.
func (r *Room) decide(steps func(*draft) error) ([]change.Change, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	d := &draft{
		state:    r.state.over(),
		erased:   r.erased,
		limits:   r.env.Settings().Memory,
		newID:    r.env.NewID,
		relative: r.env.Relative,
		at:       stamp(r.env.Now()),
	}
	if err := steps(d); err != nil {
		return nil, err
	}
	return d.changes, nil
}

// write replaces the entry before, or nil, by after.
func (d *draft) write(kind change.Kind, before *Entry, after Entry, reason string) {
	after.UpdatedAt = d.at
	if before != nil && before.AsWritten && (after.Text != before.Text || after.Rationale != before.Rationale) {
		after.AsWritten = false // nobody asked to keep this text as it was written
	}
	after = d.portable(after)
	c := change.New(kind, after.ID, after)
	if before != nil {
		c = c.WithBefore(d.portable(*before))
	}
	d.put(&held{Entry: d.asKept(after)})
	d.record(c.Because(reason))
}

// asKept returns an entry as it will be after the gate, so that a string with a secret equals
// an earlier one that was redacted.
func (d *draft) asKept(entry Entry) Entry {
	if !entry.AsWritten {
		entry.Text = d.redact(entry.Text)
	}
	return entry
}

// redact returns a string as it will be after the gate.
func (d *draft) redact(text string) string {
	if text != d.redacted {
		d.redacted = text
		d.kept, _ = redact.Text(text)
	}
	return d.kept
}

// twin returns the active entry other than id with the same canonical text as the text has
// after the gate.
func (d *draft) twin(text, id string) *Entry { return d.state.twin(d.redact(text), id) }

// end deactivates an entry. Its pin is kept in case it is restored.
func (d *draft) end(kind change.Kind, entry *Entry, status Status, reason, by string) {
	d.endAs(kind, entry, status, Ended{Reason: reason, By: by})
}

// endAs deactivates an entry, with everything that is to be known of its end but the time and its former status.
func (d *draft) endAs(kind change.Kind, entry *Entry, status Status, why Ended) {
	ended := *entry
	why.At, why.Offered = d.at, entry.Status == StatusOffered
	ended.Status, ended.Ended = status, &why
	d.write(kind, entry, ended, why.Reason)
}

func (d *draft) record(c change.Change) {
	c.At, c.Session = d.at, d.session
	d.changes = append(d.changes, c)
}

// stamp returns a time as it is stored: in UTC, in whole milliseconds.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

package longterm

import (
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/gate"
)

// An Original is a string as it was written, before secrets were removed from it.
type Original struct{ Text, Rationale string }

// Texts returns the strings of an original that are not empty.
func (o Original) Texts() []string {
	texts := make([]string, 0, 2)
	for _, text := range []string{o.Text, o.Rationale} {
		if text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// KeepAsWritten restores the original text of an active or offered entry, if the entry still
// has the redacted text. Otherwise there are no changes.
func (r *Room) KeepAsWritten(redacted Entry, original Original) ([]change.Change, error) {
	return r.decideAbout(redacted.ID, func(d *draft) error {
		entry, err := d.entryToEdit(redacted.ID)
		if err != nil || entry.Text != redacted.Text || entry.Rationale != redacted.Rationale {
			return err
		}
		kept := *entry
		if kept.Text, err = cleanText("text", original.Text); err != nil {
			return err
		}
		if kept.Rationale, err = cleanText("rationale", original.Rationale); err != nil {
			return err
		}
		kept.AsWritten = true
		d.write(Updated, entry, kept, "a person asked to keep the text as it was written")
		d.evict("")
		return nil
	})
}

// Spares reports whether a person asked to keep a string as it was written, or it is the name of
// an existing file that an entry is about.
func (r *Room) Spares(text string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.state.spares(text)
}

// spares reports whether an active entry was kept as it was written and has this text, or is
// about the file of this name.
func (s *state) spares(text string) bool {
	for _, known := range s.active {
		if known.AsWritten && (known.Text == text || known.Rationale == text && text != "") {
			return true
		}
		if slices.Contains(known.Files, text) && gate.Name(text) != text {
			return true // a name that redaction would change was spared when the entry was written
		}
	}
	return false
}

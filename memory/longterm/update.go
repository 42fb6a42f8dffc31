package longterm

import (
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// Patch is an edit of an entry. A nil field is not changed. Status, if set, is StatusActive,
// which keeps an offered entry, or StatusOffered, which makes an active entry an offer again.
type Patch struct {
	Text, Type, Rationale *string
	Pinned, Reviewed      *bool
	Status                *Status
	// Beside replaces the ids of the entries that are kept beside it.
	Beside *[]string
	// Author is who puts a new text into words, empty if that is not known.
	Author Author
}

// Update decides about an edit of an active or offered entry. The changes are one
// memory.updated; or memory.superseded and memory.merged if another active entry has the same
// canonical text now; or memory.rejected; or none if nothing is different. The faults are
// NotFound, Limit and those of a field.
func (r *Room) Update(id string, patch Patch) ([]change.Change, error) {
	return r.decideAbout(id, func(d *draft) error { return d.update(id, patch) })
}

func (d *draft) update(id string, patch Patch) error {
	entry, err := d.entryToEdit(id)
	if err != nil {
		return err
	}
	edited, err := d.patched(*entry, patch)
	if err != nil {
		return err
	}
	if same(*entry, edited) {
		return nil
	}
	if code := judge(edited, true); code != "" {
		d.reject(addition(edited), string(code))
		return nil
	}
	d.placeBeside(*entry, edited)
	if edited.Status == StatusOffered && entry.Status == StatusActive {
		edited.Source, edited.Confidence, edited.Pinned = Said, confidences[Said], false
		d.write(Updated, entry, edited, "offered again on request")
		d.expire()
		return nil
	}
	keeps := edited.Status != entry.Status
	if edited.Text != entry.Text || keeps {
		if twin := d.twin(edited.Text, id); twin != nil {
			return d.absorb(twin, entry, edited)
		}
	}
	if edited.Pinned && !entry.Pinned && d.pinned() >= d.maxPinned() {
		return tooManyPinned(d.maxPinned())
	}
	if !keeps {
		d.write(Updated, entry, edited, "")
		return nil
	}
	if len(d.active) >= d.limits.MaxEntries && d.weakest("") == nil {
		return allPinned(d.limits.MaxEntries)
	}
	edited.Source, edited.Confidence, edited.Reviewed = Manual, confidences[Manual], true
	edited.reinforce(d.at)
	d.write(Updated, entry, edited, "kept on request")
	d.evict(id)
	return nil
}

// absorb supersedes an entry, which keeps its text, by its twin, which is merged with what the
// entry was to become. The entry is deactivated first, so that its pin does not count twice.
func (d *draft) absorb(twin, entry *Entry, becomes Entry) error {
	d.end(Superseded, entry, StatusSuperseded, "another entry says the same", twin.ID)
	becomes.UpdatedAt = d.at
	return d.merge(twin, becomes)
}

func (d *draft) entryToEdit(id string) (*Entry, error) {
	entry := d.find(id)
	if entry == nil {
		return nil, notFound(id)
	}
	if entry.Status != StatusActive && entry.Status != StatusOffered {
		return nil, notActive(id, entry.Status)
	}
	return entry, nil
}

func (d *draft) patched(entry Entry, patch Patch) (Entry, error) {
	var err error
	if patch.Type != nil {
		if entry.Type, err = d.typeOf(*patch.Type); err != nil {
			return Entry{}, err
		}
	}
	if patch.Text != nil {
		before := entry.Text
		if entry.Text, err = cleanText("text", *patch.Text); err != nil {
			return Entry{}, err
		}
		if entry.Text != before {
			entry.Author, entry.Beside = patch.Author, nil
		}
	}
	if patch.Beside != nil {
		if entry.Beside, err = d.beside(entry, *patch.Beside); err != nil {
			return Entry{}, err
		}
	}
	if patch.Rationale != nil {
		if entry.Rationale, err = cleanText("rationale", *patch.Rationale); err != nil {
			return Entry{}, err
		}
	}
	if patch.Status != nil {
		if *patch.Status != StatusActive && *patch.Status != StatusOffered {
			return Entry{}, fault.Invalid("status", "must be active or offered, got %q", *patch.Status)
		}
		entry.Status = *patch.Status
	}
	if patch.Pinned != nil {
		entry.Pinned = *patch.Pinned
	}
	if patch.Reviewed != nil {
		entry.Reviewed = *patch.Reviewed
	}
	return entry, nil
}

// same reports whether two versions of an entry are equal in all that a patch can change.
func same(a, b Entry) bool {
	return a.Text == b.Text && a.Type == b.Type && a.Rationale == b.Rationale && a.Pinned == b.Pinned &&
		a.Reviewed == b.Reviewed && a.Status == b.Status && slices.Equal(a.Beside, b.Beside)
}

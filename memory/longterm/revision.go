package longterm

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// Revision identifies what a person or an agent has said about an entry: its text, type and
// rationale, its status, whether it is pinned and reviewed, what is kept beside it, and how often it was said. What the
// server finds out by itself, such as deleted files, does not change it.
func (e Entry) Revision() string {
	said := fmt.Sprintf("%q %q %q %s %t %t %d",
		e.Text, e.Type, e.Rationale, e.Status, e.Pinned, e.Reviewed, e.Reinforced)
	if len(e.Beside) > 0 {
		said += fmt.Sprintf(" %q", e.Beside)
	}
	return change.RevisionOf(said)
}

// Expect returns a refusal with the reason Conflict if an entry has another revision, and
// nothing if revision is empty or there is no such entry.
func (r *Room) Expect(id, revision string) error {
	entry, known := r.Get(id)
	if !known || revision == "" || entry.Revision() == revision {
		return nil
	}
	return fault.Refuse(fault.Conflict, fault.Data{ID: id, Revision: entry.Revision()},
		"memory %q was changed since, at %s: it is %s, said %d times, and says %q now; it was left as it is. "+
			"To change it nevertheless, call this without ifRevision", id,
		entry.UpdatedAt.Format("15:04:05Z07:00"), entry.Status, entry.Reinforced+1, entry.Text)
}

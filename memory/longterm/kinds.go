package longterm

import "github.com/wm-lsp/wm-lsp/memory/change"

// Noun is the first part of the kinds of this room's changes.
const Noun = "memory"

// The kinds of this room's changes. The payload of all but Rejected, Erased and
// Swept is the whole Entry after the change; the subject is its id.
const (
	Added      change.Kind = "memory.added"
	Offered    change.Kind = "memory.offered"    // not in force until somebody keeps it
	Kept       change.Kind = "memory.kept"       // an offered entry is in force now
	Merged     change.Kind = "memory.merged"     // repeated: reinforced, possibly with the better text
	Updated    change.Kind = "memory.updated"    // edited
	Superseded change.Kind = "memory.superseded" // another entry says the same now
	Removed    change.Kind = "memory.removed"
	Evicted    change.Kind = "memory.evicted"
	Restored   change.Kind = "memory.restored"
	Relinked   change.Kind = "memory.relinked"  // linked files have new paths
	Staled     change.Kind = "memory.staled"    // a linked file is gone
	Freshened  change.Kind = "memory.freshened" // it is back

	// Rejected records a string that was not kept. It has no row. The payload is a
	// Rejection, the reason its code (systems.md B4), and the subject is empty.
	Rejected change.Kind = "memory.rejected"
	// Erased deletes an entry and every trace of its text. The payload is {"id": …}.
	Erased change.Kind = "memory.erased"
	// Swept deletes an entry that was no longer in force and over a limit. The payload
	// is {"id": …}.
	Swept change.Kind = "memory.swept"
)

// Rejection is a string that was not kept.
type Rejection struct {
	Type   string `json:"type"`
	Text   string `json:"text"` // at most rejectedChars characters
	Source Source `json:"source"`
}

// subject is the payload of Erased and Swept.
type subject struct {
	ID string `json:"id"`
}

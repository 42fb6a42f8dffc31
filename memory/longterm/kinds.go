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
	Merged     change.Kind = "memory.merged"     // said again: reinforced, possibly with the better text
	Updated    change.Kind = "memory.updated"    // edited
	Superseded change.Kind = "memory.superseded" // another entry says the same now
	Removed    change.Kind = "memory.removed"
	Evicted    change.Kind = "memory.evicted"
	Restored   change.Kind = "memory.restored"
	Relinked   change.Kind = "memory.relinked"  // linked files have new paths
	Staled     change.Kind = "memory.staled"    // a linked file is gone
	Freshened  change.Kind = "memory.freshened" // it is back

	// Rejected is a text that was not kept: a trace without a row. The payload is
	// a Rejection, the reason its code (systems.md B4), the subject empty.
	Rejected change.Kind = "memory.rejected"
	// Erased is an entry that must leave nothing behind. The payload is {"id": …}.
	Erased change.Kind = "memory.erased"
	// Swept is an entry that was no longer in force and was over a limit. The payload is
	// {"id": …}.
	Swept change.Kind = "memory.swept"
)

// Rejection is what was not kept.
type Rejection struct {
	Type   string `json:"type"`
	Text   string `json:"text"` // at most rejectedChars characters
	Source Source `json:"source"`
}

// subject is the payload of Erased and Swept.
type subject struct {
	ID string `json:"id"`
}

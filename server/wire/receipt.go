package wire

// Receipt is the outcome of a request to remember something. It is sent after the outcome
// is on the disk.
type Receipt struct {
	// The outcome.
	Status ReceiptStatus `json:"status"`
	// The id of the entry; absent if rejected.
	ID string `json:"id,omitzero"`
	// The entry. Its status is "evicted" if there are too many entries and it is the
	// weakest.
	Entry *MemoryEntry `json:"entry,omitzero"`
	// The rejected text, redacted; absent if there is an entry.
	Text string `json:"text,omitzero"`
	// If it was rejected: the code of a rule of docs/quality-gate.md, "paused" while recording is
	// paused, or what is wrong with it. Otherwise why, if there is more to say: why it was merged,
	// kept, offered again, restored, removed or evicted.
	Reason string `json:"reason,omitzero"`
	// The number of secrets that were removed from it.
	Redactions int `json:"redactions,omitzero"`
	// What was removed: the rule of each marker in the text and the rationale, such as "secret" or "email".
	Redacted []string `json:"redacted,omitzero"`
	// While recording is paused: what to tell a person.
	Message string `json:"message,omitzero"`
	// While recording is paused: when it resumes.
	PausedUntil Time `json:"pausedUntil,omitzero"`
	// The ids of the entries that were evicted for it.
	Evicted []string `json:"evicted,omitzero"`
	// If it is in force: the entries that contradict it or say nearly the same, at most 3. They stay in force, too,
	// until one of them is removed or changed; those that a person keeps beside it are left out.
	Related []RelatedEntry `json:"related,omitzero"`
	// For wm/import: where the text was read.
	Imported *Imported `json:"imported,omitzero"`
	// The call that undoes it.
	Undo *Undo `json:"undo,omitzero"`
}

// RelatedEntry is an entry that relates to another one.
type RelatedEntry struct {
	// The id.
	ID string `json:"id"`
	// The text, redacted.
	Text string `json:"text"`
	// How it relates to the other one.
	Relation EntryRelation `json:"relation"`
}

// EntryRelation is how two entries relate.
type EntryRelation string

// The relations.
const (
	RelationContrary EntryRelation = "contrary" // They cannot both hold.
	RelationAlike    EntryRelation = "alike"    // They say nearly the same.
)

// ReceiptStatus is the outcome of a request to remember something.
type ReceiptStatus string

// The outcomes.
const (
	ReceiptAdded     ReceiptStatus = "added"     // An entry was added, or one that was offered is kept.
	ReceiptOffered   ReceiptStatus = "offered"   // An entry is offered; it is in no context until it is kept.
	ReceiptMerged    ReceiptStatus = "merged"    // An existing entry was reinforced.
	ReceiptUpdated   ReceiptStatus = "updated"   // The entry was changed.
	ReceiptUnchanged ReceiptStatus = "unchanged" // The entry was the same already.
	ReceiptRejected  ReceiptStatus = "rejected"  // It was rejected; see reason.
)

// Undo is a call that undoes a change. If somebody has changed the same thing since, the call
// is refused with the reason "conflict", which says how it is now, and changes nothing.
type Undo struct {
	// The method.
	Method string `json:"method"`
	// The params.
	Params Object `json:"params"`
}

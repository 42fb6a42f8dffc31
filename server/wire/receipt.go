package wire

// Receipt says what became of something that was to be remembered. It is sent
// only after that is on the disk.
type Receipt struct {
	// What became of it.
	Status ReceiptStatus `json:"status"`
	// The entry's id; absent if it was rejected.
	ID string `json:"id,omitzero"`
	// The entry as it is now. Its status is "evicted" if it was itself the
	// weakest of too many.
	Entry *MemoryEntry `json:"entry,omitzero"`
	// The text of the entry, or the one that was rejected; redacted.
	Text string `json:"text,omitzero"`
	// Code of the rule that rejected it (systems.md B4), or why it was merged.
	Reason string `json:"reason,omitzero"`
	// Secrets that were removed from it.
	Redactions int `json:"redactions,omitzero"`
	// Ids of the entries that made room for it.
	Evicted []string `json:"evicted,omitzero"`
	// The call that takes it back.
	Undo *Undo `json:"undo,omitzero"`
}

// ReceiptStatus says what became of what was to be remembered.
type ReceiptStatus string

// What can become of it.
const (
	ReceiptAdded     ReceiptStatus = "added"     // A new entry.
	ReceiptMerged    ReceiptStatus = "merged"    // It was known; the entry is reinforced.
	ReceiptUpdated   ReceiptStatus = "updated"   // The entry was changed.
	ReceiptUnchanged ReceiptStatus = "unchanged" // The entry already was like that.
	ReceiptRejected  ReceiptStatus = "rejected"  // It is not kept; reason says why.
)

// Undo is a call that takes back what was done.
type Undo struct {
	// Method to call.
	Method string `json:"method"`
	// Its params.
	Params Object `json:"params"`
}

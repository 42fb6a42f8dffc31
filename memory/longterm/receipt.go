package longterm

import (
	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/change"
)

// ReceiptStatus is the outcome of a request.
type ReceiptStatus string

// The statuses of a receipt.
const (
	ReceiptAdded     ReceiptStatus = "added" // also: kept after it was offered
	ReceiptOffered   ReceiptStatus = "offered"
	ReceiptMerged    ReceiptStatus = "merged"
	ReceiptUpdated   ReceiptStatus = "updated" // also: removed, restored
	ReceiptUnchanged ReceiptStatus = "unchanged"
	ReceiptRejected  ReceiptStatus = "rejected"
)

// Receipt describes what was written for a request.
type Receipt struct {
	Status ReceiptStatus
	ID     string
	// Entry is the entry after all changes. It is nil if the text was rejected.
	Entry *Entry
	// Text is the text of the entry, or the rejected text.
	Text   string
	Reason string
	// Redactions is the number of secrets that were redacted, Redacted the rules that
	// matched.
	Redactions int
	Redacted   []string
	// Evicted holds the ids of the entries that were evicted, which may include the entry.
	Evicted []string
}

// Unchanged is the receipt for a request that changed nothing.
func Unchanged(entry Entry) Receipt {
	return Receipt{Status: ReceiptUnchanged, ID: entry.ID, Entry: &entry, Text: entry.Text}
}

// Receipts returns the receipts of applied changes, in order: one for each entry that was
// added, merged, updated, removed, restored or rejected. An eviction belongs to the receipt
// before it. There are no receipts for superseded and erased entries, and for changes of
// linked files.
func Receipts(applied []change.Change) ([]Receipt, error) {
	var receipts []Receipt
	latest := map[string]*Entry{}
	for _, c := range applied {
		status, ok := statuses[c.Kind]
		if !ok {
			continue
		}
		if c.Kind == Rejected {
			receipt, err := rejectionReceipt(c)
			if err != nil {
				return nil, err
			}
			receipts = append(receipts, receipt)
			continue
		}
		entry := &Entry{}
		if err := c.Decode(entry); err != nil {
			return nil, err
		}
		latest[entry.ID] = entry
		if c.Kind == Evicted && entry.Ended != nil && entry.Ended.Offered {
			continue // an offer that was replaced by another one
		}
		if c.Kind != Evicted {
			receipts = append(
				receipts,
				Receipt{Status: status, ID: entry.ID, Reason: c.Reason, Redactions: c.Redactions},
			)
			continue
		}
		if len(receipts) > 0 {
			last := &receipts[len(receipts)-1]
			last.Evicted = append(last.Evicted, entry.ID)
		}
	}
	for i := range receipts {
		receipts[i].conclude(latest[receipts[i].ID])
	}
	return receipts, nil
}

// statuses holds the kinds of changes that receipts describe.
var statuses = map[change.Kind]ReceiptStatus{
	Added: ReceiptAdded, Kept: ReceiptAdded, Offered: ReceiptOffered, Merged: ReceiptMerged,
	Rejected: ReceiptRejected, Evicted: "",
	Updated: ReceiptUpdated, Removed: ReceiptUpdated, Restored: ReceiptUpdated,
}

func rejectionReceipt(c change.Change) (Receipt, error) {
	var rejection Rejection
	if err := c.Decode(&rejection); err != nil {
		return Receipt{}, err
	}
	return Receipt{
		Status: ReceiptRejected, Text: rejection.Text, Reason: c.Reason, Redactions: c.Redactions,
		Redacted: redact.Rules(rejection.Text),
	}, nil
}

// conclude sets the entry as it is after all changes. It may have been evicted since.
func (r *Receipt) conclude(entry *Entry) {
	if entry == nil {
		return
	}
	r.Entry, r.Text = entry, entry.Text
	r.Redacted = redact.Rules(entry.Text + "\n" + entry.Rationale)
	r.Redactions = max(r.Redactions, len(r.Redacted))
	if entry.Status == StatusEvicted && entry.Ended != nil {
		r.Reason = entry.Ended.Reason
	}
}

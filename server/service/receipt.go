package service

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// receipts returns the receipts of changes to the workspace memory that a string has led to, each
// with the call that undoes it.
func (v *View) receipts(changes []change.Change, text string) ([]wire.Receipt, error) {
	list, err := longterm.Receipts(changes)
	if err != nil {
		return nil, err
	}
	result := []wire.Receipt{}
	known := redact.Rules(text) // were removed before
	for _, r := range list {
		redacted := redact.Without(r.Redacted, known)
		r.Redactions, r.Redacted = r.Redactions-len(r.Redacted)+len(redacted), redacted
		told := receipt(r, changes)
		told.Related = v.related(r)
		result = append(result, told)
	}
	return result, nil
}

// onlyReceipt returns the receipt of a request about one entry, with what was taken out of the
// strings of the request.
func (v *View) onlyReceipt(changes []change.Change, texts ...string) (wire.Receipt, error) {
	list, err := v.receipts(changes, "")
	if err != nil {
		return wire.Receipt{}, err
	}
	if len(list) == 0 {
		return wire.Receipt{}, fmt.Errorf("%w: the request recorded no change", memory.ErrStore)
	}
	only := list[len(list)-1]
	only.Redactions, only.Redacted = takenOut(texts...)
	return only, nil
}

// maxRelated is how many related entries a receipt names.
const maxRelated = 3

// related returns the entries that contradict that of a receipt or say nearly the same, nil if it is not in force.
func (v *View) related(r longterm.Receipt) (related []wire.RelatedEntry) {
	if r.Entry == nil || r.Entry.Status != longterm.StatusActive {
		return nil
	}
	for _, other := range v.longterm().RelatedTo(r.ID) {
		if len(related) == maxRelated {
			break
		}
		related = append(related, wire.RelatedEntry{
			ID: other.ID, Text: other.Text, Relation: wire.EntryRelation(other.Relation),
		})
	}
	return related
}

func receipt(r longterm.Receipt, changes []change.Change) wire.Receipt {
	out := wire.Receipt{
		Status: wire.ReceiptStatus(r.Status), ID: r.ID, Text: r.Text, Reason: r.Reason, Redactions: r.Redactions,
		Redacted: r.Redacted, Evicted: r.Evicted,
	}
	if r.Entry == nil {
		return out
	}
	entry := memoryEntry(*r.Entry)
	out.Entry, out.Text = &entry, ""
	out.Undo = undo(r, changes)
	return out
}

// undo returns the call that undoes the change of a receipt, or nil. The call is refused if the
// entry has changed since.
func undo(r longterm.Receipt, changes []change.Change) *wire.Undo {
	params := wire.Object{"id": r.ID, "ifRevision": r.Entry.Revision()}
	for _, c := range changes {
		if c.Subject != r.ID {
			continue
		}
		var before longterm.Entry
		switch c.Kind {
		case longterm.Added, longterm.Restored, longterm.Offered:
			return &wire.Undo{Method: "wm/memory/remove", Params: params}
		case longterm.Removed:
			return &wire.Undo{Method: "wm/memory/restore", Params: params}
		case longterm.Updated, longterm.Merged, longterm.Kept:
			if json.Unmarshal(c.Before, &before) == nil {
				params["text"], params["type"], params["rationale"] = before.Text, before.Type, before.Rationale
				params["pinned"], params["reviewed"] = before.Pinned, before.Reviewed
				if !slices.Equal(before.Beside, r.Entry.Beside) {
					params["beside"] = append([]string{}, before.Beside...)
				}
				if before.Status == longterm.StatusOffered {
					params["status"] = before.Status
				}
				return &wire.Undo{Method: "wm/memory/update", Params: params}
			}
		}
	}
	return nil
}

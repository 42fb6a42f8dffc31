package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A RememberRequest is the request of a person to remember something in an editor.
type RememberRequest struct {
	// Text is what to remember. If it is empty, Selection is remembered.
	Text, Selection string
	// Type is the type of the entry; empty is the default.
	Type string
	// Path is the file that the entry is about, relative to the worktree, or empty.
	Path string
	// Fix describes how to fix the error in Text. It may be empty.
	Fix string
}

// Remember adds an entry to the workspace memory. It must be called on the queue.
func (s *Service) Remember(ctx context.Context, at *View, r RememberRequest) (wire.Receipt, error) {
	add := wire.MemoryAddParams{Text: cmp.Or(r.Text, r.Selection), Type: r.Type}
	if r.Path != "" {
		add.Files = []string{r.Path}
	}
	if strings.TrimSpace(add.Text) == "" {
		return wire.Receipt{}, fault.Invalid("text", "is missing; send text, or uri and range")
	}
	if fix := strings.TrimSpace(r.Fix); fix != "" {
		add.Text = strings.TrimSpace(add.Text) + ". Fix: " + fix
	}
	return s.MemoryAdd(ctx, at, &add)
}

// RememberMessage returns the message to a person for the receipt of Remember. more are further sentences about
// the entry, each after a space.
func RememberMessage(receipt wire.Receipt, more string) string {
	said := "Remembered."
	switch receipt.Status {
	case wire.ReceiptRejected:
		said = fmt.Sprintf("Not remembered: %s.", cmp.Or(receipt.Message, receipt.Reason))
	case wire.ReceiptMerged:
		said = "Already remembered; merged with the existing entry."
	}
	said += more
	if moved := MovedOut(receipt); moved != "" {
		said += " " + moved
	}
	return said
}

// MovedOut returns the sentence that tells a person which entries had to make room, "" if none had.
func MovedOut(receipt wire.Receipt) string {
	const full = "The memory is full: "
	switch n := len(receipt.Evicted); {
	case n == 0:
		return ""
	case slices.Contains(receipt.Evicted, receipt.ID):
		return full + "this is in no context; search finds it."
	case n == 1:
		return full + "another entry was moved out of every context; search still finds it."
	default:
		return fmt.Sprintf(full+"%d other entries were moved out of every context; search still finds them.", n)
	}
}

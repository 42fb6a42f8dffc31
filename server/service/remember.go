package service

import (
	"context"
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A Remembering is what a person asks to be remembered in an editor.
type Remembering struct {
	Text, Type string
	// Path is the file that it is about, empty if there is none.
	Path string
	// Fix is how the error that the text tells of is fixed; it may be empty.
	Fix string
}

// Remember adds to the workspace memory. It is called on the queue.
func (s *Service) Remember(ctx context.Context, at *View, r Remembering) (wire.Receipt, error) {
	add := wire.MemoryAddParams{Text: r.Text, Type: r.Type}
	if r.Path != "" {
		add.Files = []string{r.Path}
	}
	if strings.TrimSpace(add.Text) == "" {
		return wire.Receipt{}, fault.Invalid("text", "is missing; give a text, or the uri and range of one")
	}
	if fix := strings.TrimSpace(r.Fix); fix != "" {
		add.Text = strings.TrimSpace(add.Text) + ". Fix: " + fix
	}
	return s.MemoryAdd(ctx, at, &add)
}

// Remembered returns what a person is told of a receipt.
func Remembered(receipt wire.Receipt) string {
	switch receipt.Status {
	case wire.ReceiptRejected:
		return fmt.Sprintf("Not remembered: %s.", receipt.Reason)
	case wire.ReceiptMerged:
		return "This was remembered already; it counts more now."
	default:
		return "Remembered."
	}
}

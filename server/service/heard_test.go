package service

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestAReceiptOfARequestSaysWhyItIsNotKept(t *testing.T) {
	entry := func(status wire.EntryStatus) *wire.MemoryEntry {
		return &wire.MemoryEntry{Text: "round once", Status: status}
	}
	for name, c := range map[string]struct {
		receipt wire.Receipt
		isKept  bool
		refused []string
	}{
		"recording is paused": {
			wire.Receipt{
				Status: wire.ReceiptRejected, Text: "round\nonce", Reason: "paused", Message: "until 12:00",
				PausedUntil: "2026-03-01T12:00:00.000Z",
			},
			false,
			[]string{`wm-lsp did not keep "round once": until 12:00; wm-lsp pause --resume resumes it`},
		},
		"there is no room": {
			wire.Receipt{Status: wire.ReceiptAdded, Entry: entry(wire.StatusEvicted), Reason: "over the limit"}, false,
			[]string{`wm-lsp did not keep "round once": over the limit`},
		},
		"it is kept": {wire.Receipt{Status: wire.ReceiptAdded, ID: "01A", Entry: entry(wire.StatusActive)}, true, nil},
		"an offer":   {wire.Receipt{Status: wire.ReceiptOffered, Entry: entry(wire.StatusOffered)}, false, nil},
	} {
		receipts := []wire.Receipt{c.receipt}
		assert.Equal(t, c.refused, notKept(receipts), name)
		line := strings.Join(Kept(receipts), "")
		assert.Equal(t, c.isKept, strings.Contains(line, "(to undo it: wm-lsp forget 01A)"), name)
	}
}

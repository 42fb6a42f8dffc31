package service

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Heard returns the lines that tell a person at an agent what became of the requests to remember in a prompt.
func Heard(prompt string, receipts []wire.Receipt) []string {
	lines := append(Kept(receipts), notKept(receipts)...)
	if len(receipts) > 0 {
		return lines
	}
	if text := request.TooLong(prompt); text != "" {
		const why = "it is too long; say it in a few sentences, or keep the text in a file"
		lines = append(lines, refused(gate.Text(text), why))
	}
	return lines
}

// Kept returns a line for a person at an agent for each receipt of what was kept.
func Kept(receipts []wire.Receipt) (lines []string) {
	for _, r := range receipts {
		if !isActive(r) || r.Status != wire.ReceiptAdded && r.Status != wire.ReceiptUpdated {
			continue
		}
		line := fmt.Sprintf("wm-lsp keeps: %s", r.Entry.Text)
		if r.Status == wire.ReceiptAdded { // or else it is an entry of before
			line += fmt.Sprintf(" (to undo it: wm-lsp forget %s)", r.ID)
		}
		for _, more := range []string{Related(r, true), MovedOut(r)} {
			if more != "" {
				line += ". " + more
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// isActive reports whether the entry of a receipt is in the workspace memory.
func isActive(r wire.Receipt) bool { return r.Entry != nil && r.Entry.Status == wire.StatusActive }

// notKept returns a line for each receipt of a request that did not lead to a new entry.
func notKept(receipts []wire.Receipt) (lines []string) {
	for _, r := range receipts {
		text := r.Text
		if r.Entry != nil {
			text = r.Entry.Text
		}
		if why := refusal(r); why != "" {
			lines = append(lines, refused(text, why))
		}
	}
	return lines
}

// refused is the line for a string that was not kept.
func refused(text, why string) string {
	return fmt.Sprintf("wm-lsp did not keep %q: %s", shorten.Chars(shorten.Line(text), maxQuoted), why)
}

// refusal returns the reason for a person at an agent why a request did not lead to a new entry, "" if it did.
func refusal(r wire.Receipt) string {
	switch {
	case r.Status == wire.ReceiptMerged && isActive(r):
		return "it is known already"
	case r.Status == wire.ReceiptAdded && r.Entry != nil && r.Entry.Status == wire.StatusEvicted:
		return r.Reason
	case r.Status != wire.ReceiptRejected:
		return ""
	case r.PausedUntil != "":
		return r.Message + "; wm-lsp pause --resume resumes it"
	case r.Message != "":
		return r.Message
	case r.Reason == string(quality.PromptInjection):
		return "it reads like an order to override or to deceive; say it as a fact or a rule of the project"
	}
	return r.Reason
}

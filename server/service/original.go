package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// OriginalKept is how long the original of a redacted text is kept, in memory only.
const OriginalKept = 10 * time.Minute

// A Question asks a person whether a text is kept as it was written, with its secrets. A
// face forgets it after OriginalKept.
type Question struct {
	Message string
	// Yes and No are the answers.
	Yes, No string
	// Keep writes the original. It may wait for the queue, and does nothing after
	// OriginalKept.
	Keep func(ctx context.Context)
}

// askForOriginal asks the person at an editor whether to keep the entry of a receipt, from
// which secrets were removed, as it was written. An agent or its host is never asked.
func (s *Service) askForOriginal(at *View, receipt wire.Receipt, original longterm.Original) {
	if !at.isPerson() || receipt.Entry == nil || receipt.Redactions == 0 {
		return
	}
	entry, known := at.longterm().Get(receipt.ID)
	if !known || entry.Text == original.Text && entry.Rationale == original.Rationale {
		return
	}
	until, actor := time.Now().Add(OriginalKept), at.Actor()
	taken := slices.Compact(slices.Sorted(slices.Values(receipt.Redacted)))
	s.options.Outbox.Ask(Question{
		Message: fmt.Sprintf("Taken out of the entry %q: %s. Keep the text as it was written?",
			truncate(oneLine(entry.Text), maxTitleError), strings.Join(taken, ", ")),
		Yes: "Keep it as it was", No: "Leave it out",
		Keep: func(ctx context.Context) {
			ctx = context.WithoutCancel(ctx) // it is done on the queue
			at.Do(func() {
				if time.Now().After(until) {
					return
				}
				actor.At = time.Time{}
				_, err := at.ApplyAsWritten(ctx, actor, original.Texts(), func() ([]change.Change, error) {
					return at.longterm().KeepAsWritten(entry, original)
				})
				if err != nil {
					s.log.Warn("a text was not kept as it was written", "error", err)
				}
			})
		},
	})
}

// isPerson reports whether a call is of a person at an editor: of the client's own session,
// and the client named no agent.
func (v *View) isPerson() bool {
	return v.person && !v.named && v.who.Session == v.own && v.who.Agent == v.client
}

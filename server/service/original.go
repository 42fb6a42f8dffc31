package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// OriginalKept is how long the original of a redacted text is kept, in memory only.
const OriginalKept = 10 * time.Minute

// A Question asks a person whether a string is kept as it was written, with its secrets. A
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
	s.ask(at, fmt.Sprintf("the entry %q", shorten.Chars(shorten.Line(entry.Text), maxTitleError)), receipt.Redacted,
		original.Texts(), func() ([]change.Change, error) { return at.longterm().KeepAsWritten(entry, original) })
}

// askForOriginalBlock is askForOriginal for a block of the core memory, of which original is the
// whole text.
func (s *Service) askForOriginalBlock(at *View, name string, redacted []string, original string) {
	session := at.who.Session
	block := at.core().Get(session, name)
	if !at.isPerson() || len(redacted) == 0 || block.Content == original {
		return
	}
	s.ask(at, "the block "+name, redacted, []string{original}, func() ([]change.Change, error) {
		return at.core().KeepAsWritten(session, name, block.Content, original)
	})
}

// ask asks whether to keep strings as they were written, from which the secrets of rules were
// removed. what names them. keep is applied with the strings.
func (s *Service) ask(at *View, what string, rules, texts []string, keep func() ([]change.Change, error)) {
	until, actor := time.Now().Add(OriginalKept), at.Actor()
	taken := slices.Compact(slices.Sorted(slices.Values(rules)))
	s.options.Outbox.Ask(Question{
		Message: fmt.Sprintf("Taken out of %s: %s. Keep the text as it was written?", what, strings.Join(taken, ", ")),
		Yes:     "Keep it as it was", No: "Leave it out",
		Keep: func(ctx context.Context) {
			ctx = context.WithoutCancel(ctx) // it is done on the queue
			at.Do(func() {
				if time.Now().After(until) {
					return
				}
				actor.At = time.Time{}
				if _, err := at.ApplyAsWritten(ctx, actor, texts, keep); err != nil {
					s.log.Warn("an entry was not kept as it was written", "error", err)
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

package longterm

import (
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// Observe returns the changes that an event means for the workspace
// memory: what a user asks to remember (systems.md B2, B16), the candidates in a
// compaction summary (B3), and files that are renamed, deleted or back. Most
// events mean nothing here.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	decide := r.decide
	switch ev.Body.(type) {
	case event.FileRenamed, event.FileDeleted: // which all entries follow
		decide = r.decideOnAll
	}
	return decide(func(d *draft) error {
		d.session, d.agent = ev.Session, ev.Agent
		if !ev.At.IsZero() && ev.At.Before(d.at) { // never in the future
			d.at = stamp(ev.At)
		}
		d.observe(ev.Body)
		return nil
	})
}

func (d *draft) observe(body any) {
	switch body := body.(type) {
	case event.MessageReceived:
		if body.Role != "user" {
			return
		}
		asked := request.Requests(body.Text)
		for _, asked := range append(asked, request.Own(body.Text, wordings(d.limits), asked)...) {
			d.offer(Addition{Type: asked.Type, Text: asked.Text, Source: Explicit})
		}
	case event.CompactionFinished:
		for _, candidate := range request.Candidates(body.Summary) {
			d.offer(Addition{Type: candidate.Type, Text: candidate.Text, Source: Compaction})
		}
	case event.FileRenamed:
		d.relink(body.From, body.To)
		d.freshen(body.To)
	case event.FileDeleted:
		d.stale(body.Path)
	case event.FileTouched:
		d.freshen(body.Path)
	}
}

// wordings are those of the settings.
func wordings(limits settings.Memory) []request.Wording {
	own := make([]request.Wording, 0, len(limits.Patterns))
	for _, p := range limits.Patterns {
		own = append(own, request.Wording{Line: p.Pattern, Type: p.Type})
	}
	return own
}

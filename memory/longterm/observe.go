package longterm

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// Observe returns the changes that an event means for the workspace
// memory: what a user asks to remember (systems.md B2, B16), what is offered (B12), the
// candidates in a compaction summary (B3), and files that are renamed, deleted or back. Most
// events mean nothing here.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	decide := r.decide
	switch body := ev.Body.(type) {
	case event.FileRenamed, event.FileDeleted: // which all entries follow
		decide = r.decideOnAll
	case event.MessageReceived:
		if len(offersOf(body)) > 0 { // which are not offered if they were dropped before
			decide = r.decideOnAll
		}
	case event.CompactionFinished:
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
		asked := body.Heard().Requests
		if body.Role == "user" {
			asked = append(asked, request.Own(body.Text, wordings(d.limits), asked)...)
		}
		for _, asked := range asked {
			d.admit(Addition{Type: asked.Type, Text: asked.Text, Source: Explicit})
		}
		for _, in := range offersOf(body) {
			d.propose(in)
		}
		d.withdraw("", said(body)...)
	case event.CompactionFinished:
		for _, candidate := range request.Candidates(body.Summary) {
			d.admit(Addition{Type: candidate.Type, Text: candidate.Text, Source: Compaction})
		}
		for _, told := range request.Summarised(body.Summary) {
			d.propose(Addition{Type: told.Type, Text: told.Text})
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

// said returns all that a message says that directs the work.
func said(body event.MessageReceived) []string {
	heard := body.Heard()
	var texts []string
	for _, saying := range heard.Sayings {
		texts = append(texts, saying.String())
	}
	return texts
}

// offersOf returns what a message says that holds beyond the task and was not asked to be
// remembered.
func offersOf(body event.MessageReceived) []Addition {
	heard := body.Heard()
	var offers []Addition
	for _, saying := range heard.Sayings {
		text := saying.String()
		asked := slices.ContainsFunc(heard.Requests, func(r request.Request) bool {
			return strings.Contains(text, r.Text) || strings.Contains(r.Text, saying.Text)
		})
		if saying.Lasting && !asked {
			offers = append(offers, Addition{Type: saying.Type, Text: text})
		}
	}
	for _, cause := range heard.Causes {
		offers = append(offers, Addition{Text: cause})
	}
	return offers
}

// wordings are those of the settings.
func wordings(limits settings.Memory) []request.Wording {
	own := make([]request.Wording, 0, len(limits.Patterns))
	for _, p := range limits.Patterns {
		own = append(own, request.Wording{Line: p.Pattern, Type: p.Type})
	}
	return own
}

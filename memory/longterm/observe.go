package longterm

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// Observe returns the changes that an event makes to the workspace memory: requests to remember
// (systems.md B2, B16), offers (B12), the candidates in a compaction summary (B3), and links
// to files that were renamed, deleted or restored. Most events make no changes.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	decide := r.decide
	switch body := ev.Body.(type) {
	case event.FileRenamed, event.FileDeleted: // inactive entries are updated too
		decide = r.decideOnAll
	case event.MessageReceived:
		if len(offersOf(body)) > 0 { // they are not offered if they were removed before
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
		for _, in := range asked(body, d.limits) {
			d.admit(in)
		}
		for _, in := range offersOf(body) {
			in.Author = authorOf(body)
			d.propose(in, body.Role == "user")
		}
		d.withdraw("", said(body)...)
	case event.CompactionFinished:
		for _, in := range asked(body, d.limits) {
			d.admit(in)
		}
		for _, told := range request.Summarised(body.Summary) {
			// What a title or label calls a rule may be one without the words of rules.
			reason := quality.Judge(told.Text, told.Type, false)
			if reason == "" || reason == quality.FeedbackWithoutRule {
				d.propose(Addition{Type: told.Type, Text: told.Text, Author: Summary}, false)
			}
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

// authorOf returns who wrote a message.
func authorOf(body event.MessageReceived) Author {
	if body.Role == "user" {
		return Person
	}
	return Agent
}

// Asked returns what an event, which was redacted, asks to remember.
func (r *Room) Asked(body any) []Addition { return asked(body, r.env.Settings().Memory) }

func asked(body any, limits settings.Memory) []Addition {
	var all []Addition
	switch body := body.(type) {
	case event.MessageReceived:
		requests := body.Heard().Requests
		if body.Role == "user" {
			requests = append(requests, request.Own(body.Text, wordings(limits), requests)...)
		}
		for _, one := range requests {
			all = append(all, Addition{Type: one.Type, Text: one.Text, Source: Explicit, Author: authorOf(body)})
		}
	case event.CompactionFinished:
		for _, candidate := range request.Candidates(body.Summary) {
			all = append(all, Addition{
				Type: candidate.Type, Text: candidate.Text, Source: Compaction, Author: Summary,
			})
		}
	}
	return all
}

// said returns the statements of a message that direct the work.
func said(body event.MessageReceived) []string {
	heard := body.Heard()
	var texts []string
	for _, saying := range heard.Sayings {
		texts = append(texts, saying.String())
	}
	return texts
}

// offersOf returns the statements of a message that hold beyond the task and that are not part
// of a request to remember.
func offersOf(body event.MessageReceived) []Addition {
	heard := body.Heard()
	var offers []Addition
	for _, saying := range heard.Sayings {
		text := saying.String()
		asked := slices.ContainsFunc(heard.Requests, func(r request.Request) bool {
			return strings.Contains(text, r.Text) || strings.Contains(r.Text, saying.Text)
		})
		if (saying.Lasting || saying.Design) && !asked {
			offers = append(offers, Addition{Type: saying.Type, Text: text})
		}
	}
	for _, cause := range heard.Causes {
		offers = append(offers, Addition{Text: cause})
	}
	return offers
}

// wordings returns the wordings of the settings.
func wordings(limits settings.Memory) []request.Wording {
	own := make([]request.Wording, 0, len(limits.Patterns))
	for _, p := range limits.Patterns {
		own = append(own, request.Wording{Line: p.Pattern, Type: p.Type})
	}
	return own
}

package service

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// PanelResolve implements wm/panel/resolve.
func (s *Service) PanelResolve(
	ctx context.Context, at *View, params *wire.PanelResolveParams,
) (wire.PanelResolveResult, error) {
	reader := at.panelReader()
	reader.found = s.offers(at)
	markdown, ok := reader.markdown(params.ID)
	if !ok {
		doc, there, err := memory.ServiceOf[*index.Service](at.Workspace).Find(ctx, params.ID)
		if err != nil {
			return wire.PanelResolveResult{}, err
		}
		if !there {
			return wire.PanelResolveResult{}, fault.Missing(params.ID, "the panel has no item with the id %q",
				params.ID)
		}
		title := ""
		if params.Full {
			title = shorten.Line(doc.Text)
		}
		return wire.PanelResolveResult{Title: title, Markdown: at.documentMarkdown(doc)}, nil
	}
	result := wire.PanelResolveResult{Markdown: markdown}
	if !params.Full {
		return result, nil
	}
	if item := reader.item(params.ID); item != nil {
		result.Title, result.Actions, result.Location = item.Label, item.Actions, item.Location
	} else if entry, there := at.longterm().Get(strings.TrimPrefix(params.ID, longterm.Noun+":")); there {
		result.Title = shorten.Line(entry.Text) // one of the forgotten that the panel does not list
	}
	more, err := at.whereabouts(ctx, params.ID)
	result.Markdown += more
	return result, err
}

// documentMarkdown returns the details of a string that search found and that the panel does not show.
func (v *View) documentMarkdown(doc room.Document) string {
	written, session := "", ""
	if !doc.At.IsZero() {
		written = panel.Clock(doc.At)
	}
	if doc.Session != "" {
		session = v.panelReader().painter().SessionLink(doc.Session)
	}
	return panel.WithFacts(panel.Literal(strings.TrimSpace(doc.Text)),
		panel.Fact{Name: "From", Value: v.fromOf(doc)}, panel.Fact{Name: "Said by", Value: doc.Speaker},
		panel.Fact{Name: "Written", Value: written},
		panel.Fact{Name: "Session", Value: session, Markdown: true},
	)
}

// item returns an item of the panel, nil if the panel does not show it.
func (r panelReader) item(id string) *panel.Item {
	var find func(items []panel.Item) *panel.Item
	find = func(items []panel.Item) *panel.Item {
		for i := range items {
			if items[i].ID == id {
				return &items[i]
			}
			if found := find(items[i].Children); found != nil {
				return found
			}
		}
		return nil
	}
	for _, section := range r.build(nil).Sections {
		if found := find(section.Items); found != nil {
			return found
		}
	}
	return nil
}

// whereabouts returns as Markdown which agents were told of an item of the panel, and what happened to it.
func (v *View) whereabouts(ctx context.Context, item string) (string, error) {
	noun, subject, _ := strings.Cut(item, ":")
	if v.NoWorkspace() != nil || subject == "" {
		return "", nil
	}
	var facts []string
	if noun == longterm.Noun {
		if explained, err := v.longterm().Explain(subject); err == nil {
			facts = append(facts, panel.Line(panel.Fact{Name: "Sent to agents", Value: explained.SentTo()}))
		}
	}
	told, err := v.told(ctx, subject)
	if err != nil {
		return "", err
	}
	if len(told) > 0 {
		facts = append(facts, panel.Line(panel.Fact{
			Name: "Was told", Value: strings.Join(told, ", "), Markdown: true,
		}))
	}
	text := strings.Join(facts, "\n")
	if text != "" {
		text += "\n"
	}
	if noun == sessions.Kind {
		text += v.workOf(subject)
	}
	happened, err := v.happened(ctx, noun, subject)
	if len(happened) > 0 {
		text += "\n### What happened\n\n" + strings.Join(happened, "\n") + "\n"
	}
	return text, err
}

// workOf returns as Markdown what a session worked on and what it left.
func (v *View) workOf(session string) (text string) {
	known, there := v.Sessions().Get(session)
	if !there {
		return ""
	}
	for _, line := range v.handoverOf(known).Lines() {
		text += "- " + panel.Escape(line) + "\n"
	}
	if text != "" {
		text = "\n### Work\n\n" + text
	}
	return text
}

// maxTold is how many sessions are named that were told of an item, the latest first.
const maxTold = 5

// told returns links to the sessions whose contexts had an item, with the time of the latest.
func (v *View) told(ctx context.Context, subject string) (told []string, err error) {
	contexts, err := memory.ServiceOf[*reads.Service](v.Workspace).Trace(ctx, store.Filter{
		Subject: subject, Kinds: []string{string(reads.Assembled)},
	})
	if err != nil {
		return nil, err
	}
	painter, seen := v.panelReader().painter(), map[string]bool{}
	for _, given := range slices.Backward(contexts) {
		link := painter.SessionLink(given.Session)
		if seen[given.Session] || link == "" {
			continue
		}
		if seen[given.Session] = true; len(seen) > maxTold {
			return append(told, "and others"), nil
		}
		told = append(told, fmt.Sprintf("%s (%s)", link, panel.Escape(panel.Ago(painter.Now, given.At))))
	}
	return told, nil
}

// trails are the items of the panel, by the beginnings of their ids, whose changes tell a person something.
func trails() []string { return []string{longterm.Noun, "error", "skill"} }

// maxHappened is how many changes of an item are told, the latest.
const maxHappened = 20

// happened returns lines about the changes of an item, oldest first.
func (v *View) happened(ctx context.Context, noun, subject string) (lines []string, err error) {
	if !slices.Contains(trails(), noun) {
		return nil, nil
	}
	changes, err := v.Trace(ctx, store.Filter{Subject: subject, Kinds: []string{noun}, Limit: maxHappened})
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		line := "- " + panel.Clock(c.At) + " · " + verbOf(c.Kind)
		if c.By != "" {
			line += " by " + panel.Escape(c.By)
		}
		if c.Reason != "" && c.Reason != longterm.OnRequest {
			line += ": " + panel.Escape(c.Reason)
		}
		lines = append(lines, line)
		before, now := longterm.TextIn(c.Before), longterm.TextIn(c.After)
		if before != "" && now != "" && before != now {
			lines = append(lines, "  - before: "+panel.Escape(before))
		}
	}
	return lines, nil
}

// verbOf returns what happened in a change, in words.
func verbOf(kind change.Kind) string {
	switch _, verb, _ := strings.Cut(string(kind), "."); verb {
	case "merged":
		return "said again"
	case "updated":
		return "changed"
	case "superseded":
		return "replaced"
	case "removed":
		return "forgotten"
	case "evicted":
		return "moved out of contexts"
	case "relinked":
		return "a file of it was renamed"
	case "staled":
		return "a file of it is gone"
	case "freshened":
		return "its file is back"
	default:
		return verb
	}
}

package sessions

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// Section is the id of the section of the panel.
const Section = "sessions"

// Ages returns what the panel says of the ages of sessions that are over.
func (r *Room) Ages(now time.Time) string {
	var ages []string
	for _, session := range r.Past() {
		ages = append(ages, panel.Ago(now, session.Over()))
	}
	return strings.Join(ages, ",")
}

// Panels returns the section of the sessions.
func (r *Room) Panels() []panel.Part {
	return []panel.Part{{Section: Section, Paint: r.paint, Markdown: r.markdown}}
}

// itemPrefix is the prefix of the ids of items. The id of the session follows.
const itemPrefix = "session:"

// ItemOf returns the id of the item of a session, Kind is its kind.
func ItemOf(session string) string { return itemPrefix + session }

// Kind is the kind of the items.
const Kind = "session"

// PanelTitle is the title of the section of the panel.
const PanelTitle = "Agents"

func (r *Room) paint(at panel.Reader) panel.Section {
	section := panel.Section{
		Title: PanelTitle, Show: panel.ShowAlways,
		Empty: "Nobody has worked here yet.",
	}
	pause := panel.Action{
		Title: "Pause recording", Icon: "debug-pause", Method: "wm/pause", Params: map[string]any{}, Inline: true,
	}
	if at.Paused {
		pause.Title, pause.Icon, pause.Params = "Resume recording", "play", map[string]any{"resume": true}
	}
	section.Actions = []panel.Action{pause}
	var ended []past
	list := r.List() // live sessions first, then those that ended last
	latest := latestOf(list)
	if at.Client != "" { // the reader is there, whether its session has begun or not
		latest[client{at.Client, at.Worktree}] = at.Now
	}
	for _, s := range list {
		if s.Deleted {
			continue
		}
		item := r.item(s, at)
		// An editor that was opened and closed was asked for nothing and has nothing to show.
		worked := s.Turn > 0 || item.Aside != "" || len(item.Children) > 0 || s.isOffered(at)
		switch {
		case s.Live():
			section.Items = append(section.Items, item)
		case worked || !latest[s.client()].After(s.StartedAt): // else it is back, such as a window that was reloaded
			ended = append(ended, past{item, worked})
		}
	}
	listed, others := split(ended)
	section.Items = append(section.Items, listed...)
	if len(others) > 0 {
		section.Items = append(section.Items, panel.Item{
			ID: "sessions:older", Kind: "group", Icon: "history", Label: fmt.Sprintf("%d more ended", len(others)),
			Dimmed: true, Children: others, Folded: true,
		})
	}
	return section
}

// A client is an editor or agent in a folder.
type client struct{ agent, worktree string }

func (s Session) client() client { return client{s.Agent, s.Worktree} }

// latestOf returns when the latest session of each client that has a name began.
func latestOf(list []Session) map[client]time.Time {
	latest := map[client]time.Time{}
	for _, s := range list {
		if s.Agent != "" && s.StartedAt.After(latest[s.client()]) {
			latest[s.client()] = s.StartedAt
		}
	}
	return latest
}

// A past is the item of a session that ended, and whether it left work.
type past struct {
	panel.Item
	worked bool
}

// maxEnded is how many ended sessions the panel lists; the others are children of an item.
const maxEnded = 3

// split returns the items of the ended sessions that are listed, those that left work before others, and the rest. Both
// stay in their order.
func split(ended []past) (listed, others []panel.Item) {
	chosen := map[string]bool{}
	for _, worked := range []bool{true, false} {
		for _, p := range ended {
			if p.worked == worked && len(chosen) < maxEnded {
				chosen[p.ID] = true
			}
		}
	}
	for _, p := range ended {
		if chosen[p.ID] {
			listed = append(listed, p.Item)
		} else {
			others = append(others, p.Item)
		}
	}
	return listed, others
}

func (r *Room) item(s Session, at panel.Reader) panel.Item {
	item := panel.Item{
		ID: ItemOf(s.ID), Kind: Kind, Icon: "circle-filled", Label: s.Name(), Detail: "since " + s.began(),
		HasMarkdown: true,
	}
	if s.ID == at.Own {
		item.Detail = "you, since " + s.began()
	}
	if !s.Live() {
		item.Icon, item.Dimmed, item.Detail = "circle-outline", true, s.ended(at.Now)
		if s.Turn > 0 && s.Worktree == at.Worktree {
			item.Actions = append(item.Actions, continuing(s, at))
		}
		item.Actions = append(item.Actions, panel.Action{
			Title: "Delete", Icon: "trash", Key: "d", Method: "wm/session/delete",
			Params: map[string]any{"sessionId": s.ID}, Destructive: true,
		})
	}
	if s.Agent != "" && s.Title != "" {
		item.Detail = shorten.Line(s.Agent) + " · " + item.Detail
	}
	asked := ""
	var below, task []panel.Item
	for _, about := range at.About(s.ID) {
		if about.Words != "" {
			item.Detail += " · " + about.Words
		}
		if about.Aside != "" {
			item.Aside, item.AsideSeverity = about.Aside, about.AsideSeverity
		}
		asked = cmp.Or(about.Asked, asked)
		item.Children = append(item.Children, about.First...)
		below = append(below, about.Items...)
		task = append(task, about.Task...)
	}
	if len(item.Children) == 0 && s.Live() {
		item.Children = task
	}
	item.Children = append(item.Children, below...)
	item.Folded = !s.Live()
	if to, was := s.WasHanded(); s.isOffered(at) {
		item.Detail += " · the next agent continues it"
	} else if taker, known := r.Get(to.To); was && known && !taker.Deleted && at.Left != s.ID {
		item.Detail += " · given to " + taker.Name()
	}
	if !s.Live() && s.Title == "" && asked != "" {
		item.Detail += " · " + shorten.Chars(shorten.Line(asked), maxAsked)
	}
	return item
}

// maxAsked is how many characters of a request stand in the row of a session.
const maxAsked = 40

// isOffered reports whether a person gave what the session left to the next agent. It still is if one was given it
// and ended before it did anything.
func (s Session) isOffered(at panel.Reader) bool {
	return s.IsOffered() || s.ID == at.Left && !s.OfferedAt.IsZero()
}

// continuing returns the action that gives what a session left to the next agent, or takes it back.
func continuing(s Session, at panel.Reader) panel.Action {
	action := panel.Action{
		Title: "Continue", Icon: "play", Key: "c", Method: "wm/session/continue",
		Params: map[string]any{"sessionId": s.ID}, Inline: true,
	}
	if s.isOffered(at) {
		action.Title, action.Icon = "Don't continue", "discard"
		action.Params["cancel"] = true
	}
	return action
}

// Called returns the name of the session, with when it ended if it has.
func (s Session) Called(now time.Time) string {
	if s.Live() {
		return s.Name()
	}
	return s.Name() + ", " + s.ended(now)
}

func (s Session) ended(now time.Time) string { return "ended " + panel.Ago(now, s.Over()) }

// began returns when the session began, with the day if it was before that of its last event.
func (s Session) began() string {
	began, last := s.StartedAt.Local(), s.UpdatedAt.Local()
	if began.YearDay() != last.YearDay() {
		return began.Format("2 Jan 15:04")
	}
	return began.Format("15:04")
}

// Name returns the title of the session, or else its agent or id, in one line.
func (s Session) Name() string {
	for _, name := range []string{s.Title, s.Agent, s.ID} {
		if name != "" {
			return shorten.Line(name)
		}
	}
	return "session"
}

func (r *Room) markdown(at panel.Reader, item string) (string, bool) {
	id, ours := strings.CutPrefix(item, itemPrefix)
	if !ours {
		return "", false
	}
	s, there := r.Get(id)
	if !there || s.Deleted {
		return "", false
	}
	given := ""
	if to, was := s.WasHanded(); was && s.ID != at.Left {
		given = at.SessionLink(to.To)
	}
	last := panel.Fact{Name: "Last event", Value: panel.Clock(s.UpdatedAt)}
	if !s.Live() {
		last = panel.Fact{Name: "Ended", Value: panel.Clock(s.Over())}
	}
	facts := []panel.Fact{
		{Name: "Agent", Value: s.Agent}, {Name: "Began", Value: panel.Clock(s.StartedAt)}, last,
		{Name: "Given to", Value: given, Markdown: true},
	}
	for _, about := range at.About(id) {
		facts = append(facts, about.Facts...)
	}
	return panel.WithFacts(panel.Literal(s.Name()), facts...), true
}

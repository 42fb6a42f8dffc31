package sessions

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// Panels returns the section of the sessions.
func (r *Room) Panels() []panel.Part {
	return []panel.Part{{Section: "sessions", Paint: r.paint, Markdown: r.markdown}}
}

// itemPrefix is the prefix of the ids of items. The id of the session follows.
const itemPrefix = "session:"

func (r *Room) paint(at panel.Reader) panel.Section {
	section := panel.Section{
		Title: "Sessions", Show: panel.ShowAdvanced,
		Empty: "No sessions yet. An editor or agent that does something in this workspace appears here.",
	}
	pause := panel.Action{
		Title: "Pause recording", Icon: "debug-pause", Method: "wm/pause", Params: map[string]any{}, Inline: true,
	}
	if at.Paused {
		section.Summary = "paused until " + r.PausedUntil().Local().Format("15:04")
		pause.Title, pause.Icon, pause.Params = "Resume recording", "play", map[string]any{"resume": true}
	}
	section.Actions = []panel.Action{pause}
	for _, s := range r.List() {
		if !s.Deleted {
			section.Items = append(section.Items, sessionItem(s, at.Session))
		}
	}
	return section
}

func sessionItem(s Session, mine string) panel.Item {
	item := panel.Item{
		ID: itemPrefix + s.ID, Kind: "session", Icon: "circle-filled", Label: s.Name(), Detail: "live",
		HasMarkdown: true,
	}
	if s.ID == mine {
		item.Detail = "this one"
	}
	if !s.Live() {
		item.Icon, item.Dimmed, item.Detail = "circle-outline", true, "ended "+s.EndedAt.Local().Format("2 Jan 15:04")
		item.Actions = append(item.Actions, panel.Action{
			Title: "Delete", Icon: "trash", Key: "d", Method: "wm/session/delete",
			Params: map[string]any{"sessionId": s.ID}, Destructive: true,
		})
	}
	if s.Turn > 0 {
		item.Detail += fmt.Sprintf(" · turn %d", s.Turn)
	}
	return item
}

// Name returns the title of the session, or else its agent or id, in one line.
func (s Session) Name() string {
	for _, name := range []string{s.Title, s.Agent, s.ID} {
		if name != "" {
			return panel.OneLine(name)
		}
	}
	return "session"
}

func (r *Room) markdown(_ panel.Reader, item string) (string, bool) {
	id, ours := strings.CutPrefix(item, itemPrefix)
	if !ours {
		return "", false
	}
	s, there := r.Get(id)
	if !there || s.Deleted {
		return "", false
	}
	return panel.WithFacts(panel.Literal(s.Name()),
		panel.Fact{Name: "Agent", Value: s.Agent}, panel.Fact{Name: "Began", Value: panel.Clock(s.StartedAt)},
		panel.Fact{Name: "Last event", Value: panel.Clock(s.UpdatedAt)},
		panel.Fact{Name: "Turns", Value: fmt.Sprint(s.Turn)},
	), true
}

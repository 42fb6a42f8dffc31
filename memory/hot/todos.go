package hot

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// The states of the host's todos.
const (
	todoStarted   = "in_progress"
	todoCompleted = "completed"
	todoCancelled = "cancelled"
)

func isOver(t event.Todo) bool { return t.Status == todoCompleted || t.Status == todoCancelled }

// todoItems is the prefix of the ids of items. The session follows, and the number in its list.
const todoItems = "todo:"

// Describe returns the host's todo list of a session, how much of it is done, and what its user asked for.
func (r *Room) Describe(session string) panel.About {
	about := panel.About{Facts: r.asked(session)}
	done := 0
	for i, t := range r.Todos(session) {
		item := panel.Item{
			ID: fmt.Sprintf("%s%s:%d", todoItems, session, i), Kind: "todo", Icon: "circle-large-outline",
			Label: shorten.Line(t.Content), HasMarkdown: true,
		}
		switch {
		case isOver(t):
			done++
			item.Icon, item.Dimmed = "pass-filled", true
			if t.Status == todoCancelled {
				item.Icon, item.Detail = "circle-slash", "cancelled"
			}
		case t.Status == todoStarted:
			item.Icon, item.Detail = "play-circle", "under way"
		}
		about.Items = append(about.Items, item)
	}
	if len(about.Items) > 0 {
		about.Words = fmt.Sprintf("%d/%d done", done, len(about.Items))
	}
	return about
}

// maxAsked is how many characters of a request stand on the page of a session.
const maxAsked = 400

// asked returns what the user of a session asked for first and, if that is another thing, last.
func (r *Room) asked(session string) []panel.Fact {
	r.mu.RLock()
	defer r.mu.RUnlock()
	first, last := r.firsts[key(firstTable, session)], r.tasks[key(taskTable, session)]
	if last == first {
		last = ""
	}
	said := func(text string) string { return shorten.Chars(shorten.Line(text), maxAsked) }
	return []panel.Fact{{Name: "Asked first", Value: said(first)}, {Name: "Asked last", Value: said(last)}}
}

func (r *Room) todoMarkdown(id string) (string, bool) {
	key, ours := strings.CutPrefix(id, todoItems)
	at := strings.LastIndex(key, ":")
	if !ours || at < 0 {
		return "", false
	}
	session, number := key[:at], key[at+1:]
	for i, t := range r.Todos(session) {
		if fmt.Sprint(i) == number {
			return panel.WithFacts(panel.Literal(t.Content),
				panel.Fact{Name: "Status", Value: strings.ReplaceAll(t.Status, "_", " ")},
				panel.Fact{Name: "Priority", Value: t.Priority},
			), true
		}
	}
	return "", false
}

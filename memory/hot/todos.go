package hot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// The states of the host's todos. One that is deleted is not on the list.
const (
	todoStarted   = "in_progress"
	todoCompleted = "completed"
	todoCancelled = "cancelled"
	todoDeleted   = "deleted"
)

func isOver(t event.Todo) bool { return t.Status == todoCompleted || t.Status == todoCancelled }

// isBlank reports whether a todo says nothing.
func isBlank(t event.Todo) bool { return strings.TrimSpace(t.Content) == "" }

func isOpen(t event.Todo) bool { return !isOver(t) }

// What is kept of a list: the first todos, and of each so many characters of its text and of the rest.
const (
	maxTodos    = 200
	maxTodo     = 1000
	maxTodoRest = 100
)

// bounded returns what is kept of a list of todos.
func bounded(todos []event.Todo) []event.Todo {
	kept := slices.Clone(todos[:min(len(todos), maxTodos)])
	for i, t := range kept {
		kept[i] = event.Todo{
			ID: shorten.Chars(t.ID, maxTodoRest), Content: shorten.Chars(t.Content, maxTodo),
			Status: shorten.Chars(t.Status, maxTodoRest), Priority: shorten.Chars(t.Priority, maxTodoRest),
		}
	}
	return kept
}

// merged returns a list with the todos that have changed. One that is not known is added if it has text. The
// first one that is added when all on the list are over begins a new list: no host says when it does.
func merged(list, changed []event.Todo) []event.Todo {
	list = slices.Clone(list)
	adds := false
	for _, t := range changed {
		at := slices.IndexFunc(list, func(known event.Todo) bool { return t.ID != "" && known.ID == t.ID })
		switch {
		case at >= 0 && t.Status == todoDeleted:
			list = slices.Delete(list, at, at+1)
		case at >= 0:
			known := &list[at]
			if !isBlank(t) {
				known.Content = t.Content
			}
			known.Status = cmp.Or(t.Status, known.Status)
			known.Priority = cmp.Or(t.Priority, known.Priority)
		case !isBlank(t) && t.Status != todoDeleted:
			if !adds && !slices.ContainsFunc(list, isOpen) {
				list = nil
			}
			list, adds = append(list, t), true
		}
	}
	return list[:min(len(list), maxTodos)]
}

// observeTodos returns the change of the todo list of a session. What has changed is merged by the fold, so that
// nothing is lost if two processes report at the same time.
func (r *Room) observeTodos(ev event.Event, body event.TodosChanged) []change.Change {
	reported := body.Todos
	if !body.Partial { // else one without text may change the status of one that is on the list
		reported = slices.DeleteFunc(slices.Clone(reported), isBlank)
	}
	known, todos := r.todos[key(todoTable, ev.Session)], bounded(reported)
	kind, list := TodosSet, todos
	if body.Partial {
		kind, list = TodosMerged, merged(known, todos)
	}
	if slices.Equal(list, known) {
		return nil
	}
	return []change.Change{change.New(kind, ev.Session, todos).AsHot()}
}

func (r *Room) foldTodos(c change.Change) ([]change.Row, error) {
	var todos []event.Todo
	if err := c.Decode(&todos); err != nil {
		return nil, err
	}
	k := key(todoTable, c.Subject)
	if c.Kind == TodosMerged {
		todos = merged(r.todos[k], todos)
	}
	return []change.Row{r.todos.Put(k, todos)}, nil
}

// Todos returns the todo list that the host keeps for a session.
func (r *Room) Todos(session string) []event.Todo {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.todos[key(todoTable, session)])
}

const (
	// todoItems is the prefix of the ids of todos. The session follows, and the number in its list.
	todoItems = "todo:"
	// taskItems is the prefix of the ids of tasks. The session follows.
	taskItems = "task:"
)

// Describe returns the host's todo list of a session, how much of it is done, and what its user asked for.
func (r *Room) Describe(session string) panel.About {
	about := panel.About{Facts: r.asked(session), Asked: r.First(session)}
	if task := r.taskOf(session); task != "" {
		about.Task = []panel.Item{{
			ID: taskItems + session, Kind: "task", Icon: "target", Label: shorten.Line(task), HasMarkdown: true,
		}}
	}
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

// sessionMarkdown returns the page of what stands below a session: a todo, or its task.
func (r *Room) sessionMarkdown(id string) (string, bool) {
	if session, ours := strings.CutPrefix(id, taskItems); ours {
		task := r.taskOf(session)
		return panel.Literal(task), task != ""
	}
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

package hot

import (
	"cmp"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// tasked returns the change for the task in a message of the user, or none.
func (r *Room) tasked(ev event.Event, body event.MessageReceived) []change.Change {
	former := r.tasks[key(taskTable, ev.Session)]
	said := cmp.Or(body.Task(former), body.Continued(former))
	if said == "" || said == former {
		return nil
	}
	return []change.Change{change.New(TaskSet, ev.Session, said).AsHot()}
}

func (r *Room) foldTask(c change.Change) ([]change.Row, error) {
	var said string
	if err := c.Decode(&said); err != nil {
		return nil, err
	}
	return []change.Row{r.tasks.Put(key(taskTable, c.Subject), said)}, nil
}

// taskID is the id of the line with the task.
const taskID = "task"

// taskLine returns the line with the task of a session, "" if another section says it.
func (r *Room) taskLine(session string, view View) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	text := r.tasks[key(taskTable, session)]
	if text == "" || view.IsShown != nil && view.IsShown(render.DedupKey(text)) {
		return ""
	}
	return "Task: " + render.Flat(text)
}

// isTask reports whether a statement is said in the line with the task.
func isTask(line, statement string) bool {
	return line != "" && strings.Contains(line, render.Flat(statement))
}

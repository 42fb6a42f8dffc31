package hot

import (
	"cmp"
	"path"
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// tasked returns the change for the task in a message of the user, or none.
func (r *Room) tasked(ev event.Event, body event.MessageReceived) []change.Change {
	former := r.tasks[key(taskTable, ev.Session)]
	asked := body.Task(former)
	said := cmp.Or(body.Leaning(former, asked), asked, body.Continued(former))
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
	rows := []change.Row{r.tasks.Put(key(taskTable, c.Subject), said)}
	if first := key(firstTable, c.Subject); r.firsts[first] == "" {
		rows = append(rows, r.firsts.Put(first, said))
	}
	return rows, nil
}

// taskID is the id of the line with the task.
const taskID = "task"

const taskLabel = "Task: "

// taskOf returns the task of a session, "" if it has none.
func (r *Room) taskOf(session string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.tasks[key(taskTable, session)]
}

// taskLine returns the line with the task of a session, "" if another section says it.
func (r *Room) taskLine(session string, view View) string {
	text := r.taskOf(session)
	if text == "" || view.IsShown != nil && view.IsShown(render.DedupKey(text)) {
		return ""
	}
	return taskLabel + render.Flat(inFull(text, r.Statements(session, Decision)))
}

// inFull returns a task with the whole of a statement of which it quotes the beginning at its end, so that this is not
// said again beside it.
func inFull(task string, statements []Statement) string {
	beginning, isCut := strings.CutSuffix(task, "…")
	before, quoted, isBehind := strings.Cut(beginning, summary.Then)
	if !isCut || !isBehind {
		return task
	}
	for _, statement := range statements {
		if strings.HasPrefix(statement.Text, strings.TrimSpace(quoted)) {
			return before + summary.Then + statement.Text
		}
	}
	return task
}

// saysItself reports whether the reader has a string from the prompt that it is about to answer. Of a string that is
// cut, the prompt has each part.
func saysItself(prompt render.Query, text string) bool {
	said := letters(string(prompt))
	for part := range strings.SplitSeq(text, "…") {
		if !strings.Contains(said, letters(part)) {
			return false
		}
	}
	return said != ""
}

// letters returns the letters and digits of a string.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// isTask reports whether a statement is said in the line with the task.
func isTask(line, statement string) bool {
	return line != "" && strings.Contains(line, render.Flat(statement))
}

// maxAbout is how many files and errors tell what a session is about.
const maxAbout = 8

// About returns what a session is about now: its task, what the reader asks for, the files that it uses
// and the open errors. It is empty if the session has no task and the reader asks for nothing.
func (r *Room) About(at room.Reader) quality.Topic {
	task := r.taskOf(at.Session)
	about := quality.TopicOf(task, string(at.Query))
	if len(about) == 0 {
		return about
	}
	for i, file := range r.ranking(at.Session, at.Worktree) {
		if i == maxAbout || file.passed() {
			break
		}
		if file.Session == at.Session {
			about.Add(path.Base(file.Path))
		}
	}
	for i, e := range r.Errors(at.Session, at.Worktree) {
		if i == maxAbout {
			break
		}
		about.Add(e.Summary)
	}
	return about
}

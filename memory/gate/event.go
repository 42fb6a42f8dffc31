package gate

import (
	"encoding/json"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/event"
)

// Events redacts events when they enter a workspace, before any room cuts a string, joins
// its lines or parses it: a secret may be seen only as a whole. It is not safe for
// concurrent use.
type Events struct {
	// tails holds redact.Tail of the last message of each session.
	tails map[string]string
}

// maxTails bounds the sessions whose last message is known.
const maxTails = 256

// Redact returns an event without the secrets in its strings. Paths stay as they are; what is
// stored of them passes the gate of changes.
func (g *Events) Redact(ev event.Event) event.Event {
	ev.Agent, ev.Task = Text(ev.Agent), Text(ev.Task)
	switch body := ev.Body.(type) {
	case event.SessionStarted:
		body.Title = Text(body.Title)
		ev.Body = body
	case event.Diagnostics:
		ev.Body = diagnostics(body)
	case event.ToolRan:
		ev.Body = toolRan(body)
	case event.TerminalRan:
		ev.Body = event.TerminalRan{ToolRan: toolRan(body.ToolRan)}
	case event.MessageReceived:
		body.Text = g.message(ev.Session, body.Text)
		ev.Body = body
	case event.TodosChanged:
		todos := make([]event.Todo, len(body.Todos))
		for i, t := range body.Todos {
			t.ID, t.Content, t.Status, t.Priority = Text(t.ID), Text(t.Content), Text(t.Status), Text(t.Priority)
			todos[i] = t
		}
		body.Todos = todos
		ev.Body = body
	case event.CompactionFinished:
		body.Summary = Text(body.Summary)
		ev.Body = body
	case event.SessionEnded, event.SessionDeleted:
		delete(g.tails, ev.Session)
	}
	return ev
}

func diagnostics(body event.Diagnostics) event.Diagnostics {
	items := make([]event.Diagnostic, len(body.Items))
	for i, d := range body.Items {
		d.Source, d.Code, d.Message = Text(d.Source), Text(d.Code), Text(d.Message)
		items[i] = d
	}
	body.Items = items
	return body
}

// toolRan redacts the input of a tool as a document and its output as a string.
func toolRan(body event.ToolRan) event.ToolRan {
	body.Tool, body.Output, body.Error = Text(body.Tool), Text(body.Output), Text(body.Error)
	body.Input = json.RawMessage(Document(body.Input))
	return body
}

// Tail returns redact.Tail of the last message of a session, behind which its next one is redacted.
func (g *Events) Tail(session string) string { return g.tails[session] }

// message redacts a message of a session behind the one before it.
func (g *Events) message(session, text string) string {
	if g.tails == nil || len(g.tails) >= maxTails && g.tails[session] == "" {
		g.tails = map[string]string{}
	}
	clean, _ := redact.TextAfter(g.tails[session], text)
	g.tails[session] = redact.Tail(clean)
	return clean
}

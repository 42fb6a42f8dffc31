package hook

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A todoTool is a tool by which an agent keeps its todo list. list and text are the members of its input that have
// the whole list, and the text of an item. A tool without them reports single todos, see singleTodos.
type todoTool struct{ list, text string }

// todoTools are the tools by their names in lower case.
var todoTools = once.Value[map[string]todoTool]{Make: func() map[string]todoTool {
	return map[string]todoTool{
		"todowrite":        {"todos", "content"},     // Claude Code, OpenCode
		"todo_write":       {"todos", "content"},     // Qwen Code
		"write_todos":      {"todos", "description"}, // Gemini CLI
		"update_plan":      {"plan", "step"},         // Codex
		"manage_todo_list": {"todoList", "title"},    // VS Code
		// Claude Code
		"taskcreate": {}, "taskupdate": {}, "tasklist": {},
	}
}}

// todos returns what an event says of the agent's todo list, and whether it says anything.
func (e Event) todos() (*wire.TodosChangedParams, bool) {
	input := fields{}
	if e.Failed || e.Name == "PostToolUseFailure" || json.Unmarshal(e.Input, &input) != nil {
		return nil, false
	}
	how := todoTools.Get()[e.Tool]
	switch {
	case how.list == "":
		return e.singleTodos(input)
	case e.Subagent: // which has a list of its own
		return nil, false
	}
	todos, is := input.todos(how.list, how.text)
	return &wire.TodosChangedParams{Todos: todos}, is
}

// singleTodos is todos for the tools of Claude Code that create, change and list tasks. The tasks of a session are
// those of its subagents, too.
func (e Event) singleTodos(input fields) (*wire.TodosChangedParams, bool) {
	response := fields{}
	if json.Unmarshal(e.Response, &response) != nil {
		return nil, false
	}
	todo := wire.Todo{Content: input.text("subject")}
	switch e.Tool {
	case "tasklist":
		todos, is := response.todos("tasks", "subject")
		return &wire.TodosChangedParams{Todos: todos}, is
	case "taskcreate":
		todo.ID, todo.Status = response.object("task").text("id"), "pending"
	case "taskupdate":
		if !response.is("success") {
			return nil, false
		}
		todo.ID, todo.Status = input.text("taskId"), input.text("status")
	}
	return &wire.TodosChangedParams{Todos: []wire.Todo{todo}, Partial: true}, todo.ID != ""
}

// todos returns the todos in a member that is a list, and whether it is one. What is not a todo is left out, unless
// there is nothing else.
func (f fields) todos(list, text string) ([]wire.Todo, bool) {
	var items []json.RawMessage
	if json.Unmarshal(f[list], &items) != nil || items == nil {
		return nil, false
	}
	todos := []wire.Todo{}
	for _, doc := range items {
		item := fields{}
		if json.Unmarshal(doc, &item) != nil || strings.TrimSpace(item.text(text)) == "" {
			continue
		}
		todos = append(todos, wire.Todo{
			ID: item.text("id"), Content: item.text(text), Priority: item.text("priority"),
			Status: strings.ReplaceAll(item.text("status"), "-", "_"), // VS Code says in-progress
		})
	}
	return todos, len(todos) > 0 || len(items) == 0
}

// todos reports what an event says of the todo list.
func (d *desk) todos(ctx context.Context, e Event) {
	if params, is := e.todos(); is {
		call[wire.Empty](ctx, d, "wm/todos/changed", params)
	}
}

package hook

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// task is a call of a tool for tasks of Claude Code.
func (a *agent) task(tool string, input, response map[string]any) {
	a.t.Helper()
	assert.Empty(a.t, a.text("PostToolUse", map[string]any{
		"tool_name": tool, "tool_input": input, "tool_response": response,
	}), "tools are answered with nothing")
}

func (a *agent) creates(id, subject string) {
	a.t.Helper()
	a.task("TaskCreate", map[string]any{"subject": subject, "description": "all of it"},
		map[string]any{"task": map[string]any{"id": id, "subject": subject}})
}

func (a *agent) updates(id, status string) {
	a.t.Helper()
	a.task("TaskUpdate", map[string]any{"taskId": id, "status": status}, map[string]any{"success": true, "taskId": id})
}

// writes is a call of Claude Code's older tool, with texts and a status of each.
func (a *agent) writes(todos ...[2]string) {
	a.t.Helper()
	list := []map[string]any{}
	for _, t := range todos {
		list = append(list, map[string]any{"content": t[0], "status": t[1], "activeForm": "doing it"})
	}
	a.task("TodoWrite", map[string]any{"todos": list}, map[string]any{"newTodos": list})
}

// rows are the todos of the agent's row in the panel, below how many are done: icon and text of each.
func (a *agent) rows() (rows []string) {
	a.t.Helper()
	d := newDesk(Options{
		Log: slog.New(slog.DiscardHandler), Env: func(string) string { return "" }, WorkDir: a.folder, DataDir: a.data,
		UserFile: filepath.Join(a.data, "none.toml"),
	}, Event{Host: "claude-code", Session: "s", Cwd: a.folder})
	defer d.close()
	params := &wire.PanelParams{Sections: []string{"sessions"}}
	read, done := call[wire.PanelResult](a.t.Context(), d, "wm/panel", params)
	require.True(a.t, done)
	for _, section := range read.Sections {
		for _, item := range section.Items {
			if words := strings.Split(item.Detail, " · "); strings.HasSuffix(words[len(words)-1], " done") {
				rows = append(rows, words[len(words)-1])
			}
			for _, child := range item.Children {
				if child.Kind == "todo" {
					rows = append(rows, child.Icon+" "+child.Label)
				}
			}
		}
	}
	return rows
}

func TestB13_TheTasksOfClaudeCodeAreOneListWithItsTicks(t *testing.T) {
	a := newAgent(t)
	a.start("startup")
	assert.Empty(t, a.rows())
	for i, subject := range []string{"Write the parser", "Test the parser", "Write the docs"} {
		a.creates(fmt.Sprint(i+1), subject)
	}
	a.updates("1", "completed")
	a.updates("2", "in_progress")
	assert.Equal(t, []string{
		"1/3 done", "pass-filled Write the parser", "play-circle Test the parser",
		"circle-large-outline Write the docs",
	}, a.rows())
	instructions := a.text("PreCompact", map[string]any{"trigger": "auto"})
	assert.Contains(t, instructions,
		"To do:\n- [completed] Write the parser\n- [in_progress] Test the parser\n- [pending] Write the docs")

	a.updates("3", "deleted")
	a.updates("99", "completed")
	a.task("TaskUpdate", map[string]any{"taskId": "2", "status": "completed"}, map[string]any{"success": false})
	a.task("TaskUpdate", map[string]any{"taskId": "2", "subject": "Test it all"}, map[string]any{"success": true})
	assert.Equal(t, []string{"1/2 done", "pass-filled Write the parser", "play-circle Test it all"}, a.rows())

	a.task("TaskList", map[string]any{}, map[string]any{"tasks": []map[string]any{
		{"id": "2", "subject": "Test it all", "status": "completed"},
		{"id": "4", "subject": "Ship it", "status": "pending"},
	}})
	a.updates("4", "in_progress")
	assert.Equal(t, []string{"1/2 done", "pass-filled Test it all", "play-circle Ship it"}, a.rows(),
		"a list of all tasks says what the memory has missed")

	a.updates("4", "completed")
	a.creates("5", "Rest")
	assert.Equal(t, []string{"0/1 done", "circle-large-outline Rest"}, a.rows(), "a new list")
	assert.Empty(t, a.log.String(), "nothing fails")
}

func TestB13_TheOlderTodoListOfClaudeCodeReplacesTheFormerOne(t *testing.T) {
	a := newAgent(t)
	a.start("startup")
	a.writes([2]string{"Write the parser", "in_progress"}, [2]string{"Test it", "pending"})
	a.writes([2]string{"Write the parser", "completed"}, [2]string{"Test it", "in_progress"})
	assert.Equal(t, []string{"1/2 done", "pass-filled Write the parser", "play-circle Test it"}, a.rows())
	a.writes()
	assert.Empty(t, a.rows())
}

func TestASecretInATodoIsNotStored(t *testing.T) {
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	a := newAgent(t)
	a.start("startup")
	a.creates("1", "Use the token "+secret+" and\nDB_PASSWORD=tr0ub4dor")
	a.task("TaskUpdate", map[string]any{"taskId": "1", "status": secret}, map[string]any{"success": true})
	a.writes([2]string{"Use the token " + secret, secret})
	rows := a.rows()
	require.Len(t, rows, 2)
	assert.Contains(t, rows[1], "Use the token ")
	require.NoError(t, filepath.WalkDir(a.data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		assert.NotContains(t, string(content), secret, path)
		assert.NotContains(t, string(content), "tr0ub4dor", path)
		return err
	}))
}

func TestOnlyATodoListIsReadAsOne(t *testing.T) {
	todos := func(n int) string {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprintf(`{"content": "%d", "status": "pending"}`, i)
		}
		return `{"todos": [` + strings.Join(items, ",") + `]}`
	}
	for name, test := range map[string]struct {
		tool, input, response string
		says                  bool
		todos                 int
	}{
		"an empty list": {"TodoWrite", `{"todos": []}`, `{}`, true, 0},
		"a list with something else in it": {
			"TodoWrite", `{"todos": [1, null, [], {"content": 3}, {"content": " "}, {"content": "a"}]}`, `{}`, true, 1,
		},
		"a list of something else": {"TodoWrite", `{"todos": [1, null, {"status": "pending"}]}`, `{}`, false, 0},
		"a todo with a status of a wrong type": {
			"TodoWrite", `{"todos": [{"content": "a", "status": 3, "id": {}}]}`, `{}`, true, 1,
		},
		"a string instead of a list":         {"TodoWrite", `{"todos": "[]"}`, `{}`, false, 0},
		"an object instead of a list":        {"TodoWrite", `{"todos": {"a": 1}}`, `{}`, false, 0},
		"null instead of a list":             {"TodoWrite", `{"todos": null}`, `{}`, false, 0},
		"no list":                            {"TodoWrite", `{}`, `{}`, false, 0},
		"no object":                          {"TodoWrite", `"todos"`, `{}`, false, 0},
		"many todos":                         {"TodoWrite", todos(10_000), `{}`, true, 10_000},
		"a plan":                             {"update_plan", `{"plan": [{"step": "a"}]}`, `"ok"`, true, 1},
		"a plan with another name":           {"update_plan", `{"todos": [{"content": "a"}]}`, `"ok"`, false, 0},
		"a task that was created":            {"TaskCreate", `{"subject": "a"}`, `{"task": {"id": "1"}}`, true, 1},
		"a task without an id":               {"TaskCreate", `{"subject": "a"}`, `{"task": {}}`, false, 0},
		"a task with a number as its id":     {"TaskCreate", `{"subject": "a"}`, `{"task": {"id": 1}}`, false, 0},
		"a task without a result":            {"TaskCreate", `{"subject": "a"}`, `null`, false, 0},
		"a task with a string as its result": {"TaskCreate", `{"subject": "a"}`, `"created"`, false, 0},
		"an update without an id":            {"TaskUpdate", `{"status": "completed"}`, `{"success": true}`, false, 0},
		"an update that failed":              {"TaskUpdate", `{"taskId": "1"}`, `{"success": false}`, false, 0},
		"an update that succeeded perhaps":   {"TaskUpdate", `{"taskId": "1"}`, `{"success": "yes"}`, false, 0},
		"a list of tasks":                    {"TaskList", `{}`, `{"tasks": [{"id": "1", "subject": "a"}]}`, true, 1},
		"an empty list of tasks":             {"TaskList", `{}`, `{"tasks": []}`, true, 0},
		"no list of tasks":                   {"TaskList", `{}`, `{}`, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			doc := fmt.Sprintf(`{"hook_event_name": "PostToolUse", "session_id": "s", "tool_use_id": "1", `+
				`"tool_name": %q, "tool_input": %s, "tool_response": %s}`, test.tool, test.input, test.response)
			e, err := Parse([]byte(doc), "", func(string) string { return "" })
			require.NoError(t, err)
			require.Equal(t, Todos, e.Kind)
			params, says := e.todos()
			assert.Equal(t, test.says, says)
			if says {
				assert.Len(t, params.Todos, test.todos)
				for _, todo := range params.Todos {
					assert.NotEmpty(t, todo.Content)
				}
			}
		})
	}
}

func TestAHugeTodoListIsKeptInPart(t *testing.T) {
	a := newAgent(t)
	a.start("startup")
	many := make([][2]string, 10_000)
	for i := range many {
		many[i] = [2]string{fmt.Sprint(i) + strings.Repeat(" long", 30), "pending"}
	}
	a.writes(many...)
	rows := a.rows()
	require.Len(t, rows, 201)
	assert.Equal(t, "0/200 done", rows[0])
	assert.Empty(t, a.log.String(), "nothing fails")
}

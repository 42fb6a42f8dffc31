package command

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	expression "github.com/wm-lsp/wm-lsp/extract/pattern"
)

// The task runners whose files are YAML or TOML, and those that run the tests of environments.
var (
	taskfileTasks = &family{
		category: Runtime,
		runs:     []run{{programs: "task", aliases: "go-task"}},
		recognises: recognition{begin: (*registry).beginTask, recipe: &recipe{
			files: []string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"},
			lines: taskfileTask,
		}},
	}
	miseTasks = &family{
		category: Runtime,
		runs:     []run{{programs: "mise"}},
		recognises: recognition{begin: (*registry).beginMise, recipe: &recipe{
			files: []string{"mise.toml", ".mise.toml", "mise/config.toml", ".mise/config.toml", ".config/mise.toml"},
			lines: miseTask,
		}},
	}
	environments = &family{
		category:   Test,
		runs:       []run{{programs: "tox nox"}},
		recognises: recognition{begin: (*registry).beginEnvironments},
	}
)

// miseCommands are the commands of mise that run no task.
var miseCommands = expression.SetOf(`activate alias backends bin-paths cache completion config current deactivate ` +
	`doctor en env exec x fmt generate implode install i install-into latest link ln list ls ls-remote lock ` +
	`outdated plugins prune registry reshim search self-update set settings shell sync tasks test-tool tool trust ` +
	`uninstall unset unuse upgrade up use u version watch where which`)

// beginMise understands "mise run lint" and "mise lint".
func (r *registry) beginMise(s *Step) bool {
	const valued = "-C --cd -j --jobs -o --output -E --env -t --tool"
	words := operands(s.Args, valued)
	name := first(words)
	switch {
	case name == "run" || name == "r":
		words = words[1:]
	case name == "" || miseCommands.Has(name):
		s.Category = ""
		return true
	}
	if dir := optionValue(s.Args, "-C --cd"); dir != "" {
		s.Dir = dir
	}
	r.runsTasks(s, words[:min(1, len(words))]) // what follows are its arguments
	return true
}

// beginEnvironments understands tox and nox: the environments are their script.
func (r *registry) beginEnvironments(s *Step) bool {
	named := optionValue(s.Args, "-e --env -s --session --sessions")
	s.Category = Test
	r.runsTasks(s, strings.FieldsFunc(named, func(c rune) bool { return c == ',' }))
	if s.Category == Runtime {
		s.Category = Test
	}
	return true
}

// runsTasks makes the step a run of tasks, whose names say what they check.
func (r *registry) runsTasks(s *Step, tasks []string) {
	s.Script, s.Category = strings.Join(tasks, " "), Runtime
	for _, task := range tasks {
		if category := r.scriptCategory(task); category != "" {
			s.Category = category
		}
	}
}

// taskfileTask returns the commands of a task of Taskfile.yml, with those of the tasks that it
// depends on or calls.
func taskfileTask(content, task string) string {
	parsed, err := overview.ParseYAML([]byte(content)) // which bounds what a file of a repository costs
	if err != nil {
		return ""
	}
	var file struct {
		Tasks map[string]any `json:"tasks"`
	}
	if data, err := json.Marshal(parsed); err != nil || json.Unmarshal(data, &file) != nil {
		return ""
	}
	return commandsOf(file.Tasks, task, nil)
}

// maxTasks is the maximum length of a TOML file of tasks that is read, in bytes.
const maxTasks = 64 << 10

// miseTask returns the commands of a task of mise.toml, with those of the tasks that it
// depends on.
func miseTask(content, task string) string {
	var file struct {
		Tasks map[string]any `toml:"tasks"`
	}
	if len(content) > maxTasks || toml.Unmarshal([]byte(content), &file) != nil {
		return ""
	}
	return commandsOf(file.Tasks, task, nil)
}

// commandsOf returns the commands of a task: a string, a list, or a table with what it
// depends on and what it runs.
func commandsOf(tasks map[string]any, task string, under []string) string {
	if slices.Contains(under, task) || len(under) > maxRecipes {
		return ""
	}
	under = append(slices.Clone(under), task)
	var lines []string
	var add func(value any)
	add = func(value any) {
		switch value := value.(type) {
		case string:
			if !strings.HasPrefix(value, "#!") || shellScript.MatchString(value) {
				lines = append(lines, value)
			}
		case []any:
			for _, item := range value {
				add(item)
			}
		case map[string]any:
			if called, ok := value["task"].(string); ok {
				add(commandsOf(tasks, called, under))
				return
			}
			for _, name := range named(value["deps"], value["depends"]) {
				add(commandsOf(tasks, name, under))
			}
			for _, key := range []string{"cmd", "cmds", "run"} {
				add(value[key])
			}
		}
	}
	add(tasks[task])
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// named returns the names of tasks in lists whose items are names or tables with one.
func named(lists ...any) []string {
	var names []string
	for _, list := range lists {
		if name, ok := list.(string); ok {
			list = []any{name}
		}
		items, _ := list.([]any)
		for _, item := range items {
			if table, ok := item.(map[string]any); ok {
				item = table["task"]
			}
			if name, ok := item.(string); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// shellScript matches a script that a shell runs.
var shellScript = lazy(`^#!.*\b(?:ba|z|da|k)?sh\b`)

package command

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// A recipe says where a task runner keeps what it runs.
type recipe struct {
	// files are the names of its files, relative to the folder of the step.
	files []string
	// lines returns the command line of a task in the content of such a file, "" if it is
	// not there.
	lines func(content, task string) string
}

// maxRecipes is how many tasks that run tasks are followed.
const maxRecipes = 4

// Beneath returns what successes of task runners prove besides: that the tools which
// their tasks run succeeded. read returns the content of a file of the worktree, by its
// relative path. cwd and root are absolute.
func (c Command) Beneath(proven []Success, root string, read func(file string) (string, bool)) []Success {
	var beneath []Success
	for range maxRecipes {
		var next []Success
		for _, s := range proven {
			next = append(next, c.tools.beneath(s, root, read)...)
		}
		beneath, proven = append(beneath, next...), next
	}
	return beneath
}

func (r *registry) beneath(s Success, root string, read func(file string) (string, bool)) []Success {
	how := r.of(s.Tool).recognises.recipe
	if how == nil || s.Script == "" || len(s.Scope) > 0 || isAbs(s.Dir) {
		return nil
	}
	for _, name := range how.files {
		content, found := read(path.Join(s.Dir, name))
		if !found {
			continue
		}
		var lines []string
		for _, task := range strings.Fields(s.Script) {
			if line := how.lines(content, task); line != "" {
				lines = append(lines, line)
			}
		}
		out := Output{ExitCode: new(int), Cwd: path.Join(slashed(root), s.Dir), Root: root}
		proven := r.parse("set -e\n" + strings.Join(lines, "\n")).Successes(out)
		for i := range proven { // what selects and leaves out is passed on to what the task runs
			proven[i].Filter = strings.TrimSpace(proven[i].Filter + " " + s.Filter)
			proven[i].Less = append(proven[i].Less, s.Less...)
		}
		return proven
	}
	return nil
}

// packageScript returns a script of package.json.
func packageScript(content, task string) string {
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(content), &manifest) != nil {
		return ""
	}
	return manifest.Scripts[task]
}

// makeRecipe returns the recipe of a target of a makefile, with those of the targets that
// it depends on.
func makeRecipe(content, task string) string {
	return ruleOf(strings.Split(content, "\n"), task, nil)
}

// ruleOf returns the recipes of a target and of what it depends on, in the form that make
// and just share: a line "target: dependencies", and indented lines.
func ruleOf(lines []string, task string, under []string) string {
	if slices.Contains(under, task) || len(under) > maxRecipes {
		return ""
	}
	var recipe []string
	for i, line := range lines {
		head, dependencies, found := strings.Cut(line, ":")
		names := strings.Fields(head)
		if !found || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") ||
			strings.HasPrefix(dependencies, "=") || !slices.Contains(names, task) {
			continue
		}
		dependencies, _, _ = strings.Cut(dependencies, "#")
		for _, dependency := range strings.Fields(dependencies) {
			if inner := ruleOf(lines, dependency, append(under, task)); inner != "" {
				recipe = append(recipe, inner)
			}
		}
		for _, line := range lines[i+1:] {
			if line == "" || !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, " ") {
				break
			}
			recipe = append(recipe, variables(lines, strings.TrimLeft(line, "\t @-+")))
		}
		break
	}
	return strings.Join(recipe, "\n")
}

// assigned matches a variable of a makefile with a plain value.
var assigned = lazy(`^([A-Za-z_]\w*)\s*[:?]?=\s*(.*?)\s*$`)

// variables replaces the plain variables of a makefile in a line.
func variables(lines []string, line string) string {
	if !strings.Contains(line, "$") {
		return line
	}
	for _, other := range lines {
		if match := assigned.FindStringSubmatch(other); match != nil {
			line = strings.NewReplacer("$("+match[1]+")", match[2], "${"+match[1]+"}", match[2]).Replace(line)
		}
	}
	return strings.ReplaceAll(line, "$$", "$")
}

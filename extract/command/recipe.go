package command

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// A recipe describes where a task runner keeps what it runs.
type recipe struct {
	// files are the names of its files, relative to the folder of the step.
	files []string
	// lines returns the command line of a task in the content of such a file, "" if it is
	// not there.
	lines func(content, task string) string
	// whole returns a content with those of the files that it includes, nil if there are no such files.
	whole func(content string, read func(file string) (string, bool)) string
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
		if how.whole != nil {
			content = how.whole(content, func(file string) (string, bool) { return read(path.Join(s.Dir, file)) })
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

// A makefile is what a file of make, or of just, says of its targets.
type makefile struct {
	lines []string
	// values are those of its plain variables. unclear are variables that have several, of which a condition may
	// choose one.
	values  map[string]string
	unclear map[string]bool
	// partial is true if it includes a file that is not known, which may set variables.
	partial bool
	// made are the targets whose recipes were returned: each is made once.
	made map[string]bool
}

const (
	// maxExpanded is how many bytes the variables of a line may make of it.
	maxExpanded = 64 << 10
	// maxTargets is how many targets are made for one.
	maxTargets = 1000
	// maxIncluded is how many files a makefile includes, with those that they include.
	maxIncluded = 20
)

var (
	// lineEnd matches where a line goes on in the next one.
	lineEnd = lazy(`[ \t]*\\\r?\n[ \t]*`)
	// assigned matches a variable of a makefile with a plain value.
	assigned = lazy(`^(?:(?:export|override) +)*([A-Za-z_]\w*)\s*([:?+]?):{0,2}=\s*(.*?)\s*(?:\s#.*)?$`)
	// included matches a line that includes files.
	included = lazy(`^ {0,3}([-s]?)include +([^#\n]*?)\s*(?:#.*)?$`)
	// variable matches the use of a variable in a line.
	variable = lazy(`\$(?:\((\w+)\)|\{(\w+)\})`)
)

// withIncluded returns the content of a makefile with the files in the place of the lines that include them, as far as
// they can be read, each once. A line stays if make demands the file.
func withIncluded(content string, read func(file string) (string, bool)) string {
	known := map[string]bool{}
	var with func(content string) string
	with = func(content string) string {
		lines := strings.Split(content, "\n")
		for i, line := range lines {
			match := included.FindStringSubmatch(strings.TrimSuffix(line, "\r"))
			if match == nil {
				continue
			}
			var all []string
			for _, file := range strings.Fields(match[2]) {
				text, found, isName := "", false, !strings.ContainsAny(file, "$*?[")
				if isName && known[file] {
					continue
				}
				if isName && len(known) < maxIncluded {
					known[file] = true
					text, found = read(file)
				}
				switch {
				case found:
					all = append(all, with(text))
				case match[1] == "" || !isName:
					all = append(all, "include "+file)
				}
			}
			lines[i] = strings.Join(all, "\n")
		}
		return strings.Join(lines, "\n")
	}
	return with(content)
}

// makeRecipe returns the recipe of a target of a makefile, with those of the targets that
// it depends on.
func makeRecipe(content, task string) string {
	m := makefile{
		lines:  strings.Split(lineEnd.ReplaceAllString(content, " "), "\n"),
		values: map[string]string{}, unclear: map[string]bool{}, made: map[string]bool{},
	}
	for _, line := range m.lines {
		if match := assigned.FindStringSubmatch(line); match != nil {
			m.assign(match[1], match[2], match[3])
		}
		m.partial = m.partial || included.MatchString(line)
	}
	return m.rule(task)
}

func (m *makefile) assign(name, how, value string) {
	switch before, again := m.values[name]; {
	case !again:
		m.values[name] = value
	case how == "+":
		m.values[name] = before + " " + value
	case how != "?" && before != value:
		m.unclear[name] = true
	}
}

// rule returns the recipes of a target and of what it depends on, in the form that make
// and just share: a line "target: dependencies", and indented lines, or one line "target: dependencies; recipe".
// It is "" if the target has several recipes, of which a condition may choose one, or variables of its own.
func (m *makefile) rule(task string) string {
	if m.made[task] || len(m.made) == maxTargets {
		return ""
	}
	m.made[task] = true
	var all, own []string
	for i, line := range m.lines {
		head, dependencies, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") ||
			strings.HasPrefix(dependencies, "=") || !slices.Contains(strings.Fields(head), task) {
			continue
		}
		dependencies, first, _ := strings.Cut(dependencies, ";")
		dependencies, _, _ = strings.Cut(dependencies, "#")
		recipe := m.recipe(append([]string{"\t" + first}, m.lines[i+1:]...))
		if strings.Contains(dependencies, "=") || len(own) > 0 && len(recipe) > 0 {
			return ""
		}
		for _, dependency := range strings.Fields(dependencies) {
			if inner := m.rule(dependency); inner != "" {
				all = append(all, inner)
			}
		}
		own = append(own, recipe...)
	}
	return strings.Join(append(all, own...), "\n")
}

// recipe returns the recipe that lines begin with, without the lines that make ignores the failure of, and those with
// a variable that is unclear: a success of the target proves nothing of them.
func (m *makefile) recipe(lines []string) (recipe []string) {
	for _, line := range lines {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, " ") {
			break
		}
		command := strings.TrimLeft(line, "\t @-+")
		said, clear := m.expand(command)
		if signs := strings.TrimSuffix(line, command); clear && !strings.Contains(signs, "-") {
			recipe = append(recipe, said)
		}
	}
	return recipe
}

// expand replaces the plain variables in a line and reports whether it is clear what it is then.
func (m *makefile) expand(line string) (expanded string, clear bool) {
	for range maxRecipes {
		for _, match := range variable.FindAllStringSubmatch(line, -1) {
			name := match[1] + match[2]
			value, known := m.values[name]
			longer := len(line) + strings.Count(line, match[0])*len(value)
			if m.unclear[name] || m.partial && !known || longer > maxExpanded {
				return "", false
			}
			if known {
				line = strings.ReplaceAll(line, match[0], value)
			}
		}
	}
	return strings.ReplaceAll(line, "$$", "$"), true
}

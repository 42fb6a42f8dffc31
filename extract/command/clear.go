package command

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// An Opener says which command opened an error. It is kept beside the error, so
// that a later success can be held against it. Paths are relative to the
// worktree with '/', absolute outside it.
type Opener struct {
	Category Category `json:"category"`
	Tool     string   `json:"tool"`
	Program  string   `json:"program"`
	Script   string   `json:"script,omitempty"`
	Scope    []string `json:"scope,omitempty"`
	// Filter selected tests by name.
	Filter string `json:"filter,omitempty"`
	Dir    string `json:"dir,omitempty"`
	// Path is the file of the error, Test the id of the failing test.
	Path string `json:"path,omitempty"`
	Test string `json:"test,omitempty"`
}

// A Success is one step that an exit code of 0 proves to have succeeded.
type Success struct {
	Category Category `json:"category"`
	Tool     string   `json:"tool"`
	Program  string   `json:"program"`
	Script   string   `json:"script,omitempty"`
	Scope    []string `json:"scope,omitempty"`
	Filter   string   `json:"filter,omitempty"`
	Dir      string   `json:"dir,omitempty"`
}

// Key identifies what the success proves: two runs of the same check have the
// same key.
func (s Success) Key() string {
	encoded, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:8])
}

// Opener returns what is known of the command that opened the error. cwd and
// root are absolute.
func (c Command) Opener(e Error, cwd, root string) Opener {
	step := c.opening(e)
	run := step.run(cwd, root)
	return Opener{
		Category: e.Category, Tool: e.Tool, Program: run.Program, Script: run.Script,
		Scope: run.Scope, Filter: run.Filter, Dir: run.Dir, Path: e.Path, Test: e.Test,
	}
}

// opening is the step that opened the error: the one that runs its tool, else
// the last of its category, else the last check.
func (c Command) opening(e Error) Step {
	checks := c.checks()
	for _, same := range []func(Step) bool{
		func(s Step) bool { return s.Tool == e.Tool },
		func(s Step) bool { return s.Category == e.Category && s.Decides },
		func(s Step) bool { return s.Decides },
		func(Step) bool { return true },
	} {
		for _, step := range slices.Backward(checks) {
			if same(step) {
				return step
			}
		}
	}
	return Step{Tool: e.Tool}
}

// Successes lists what a run with exit code 0 proves to work. cwd and root are
// absolute. Programs that only print prove nothing, nor do steps whose failure
// would not have shown (systems.md B9).
func (c Command) Successes(cwd, root string) []Success {
	var proven []Success
	for _, step := range c.Steps {
		if !step.quiet() && step.Proven && !step.Background && !step.Opaque {
			proven = append(proven, step.run(cwd, root))
		}
	}
	return proven
}

// run resolves the paths of a step.
func (s Step) run(cwd, root string) Success {
	dir := joinDir(slashed(cwd), s.Dir)
	resolved := Success{
		Category: s.Category, Tool: s.Tool, Program: s.Program, Script: s.Script,
		Filter: s.Filter, Dir: strings.TrimPrefix(within(root, dir), "."),
	}
	if s.scriptIsFile() {
		resolved.Script = locate(root, cwd, s.Dir, s.Script)
	}
	for _, item := range s.Scope {
		if s.scopeIsPaths() {
			item = resolveScope(root, cwd, s.Dir, item)
		}
		resolved.Scope = append(resolved.Scope, item)
	}
	if s.Tool == "tsc" && s.Script != "" {
		resolved.Script = locate(root, cwd, s.Dir, s.Script)
	}
	return resolved
}

// scriptIsFile reports whether the script is a file, which is the same file from
// every folder.
func (s Step) scriptIsFile() bool {
	if s.Script == "" || strings.HasPrefix(s.Script, "inline:") || strings.HasPrefix(s.Script, "-") {
		return false
	}
	if s.Tool == "go run" || path.Base(s.Script) == s.Program {
		return true
	}
	return s.Tool == s.Program && slices.Contains([]string{"python", "node", "ts-node", "tsx", "bash", "sh", "zsh", "ruby", "perl", "php", "lua", "Rscript", "julia"}, s.Program)
}

// scopeIsPaths reports whether the scope names files; else it is labels or
// arguments, which mean what the program makes of them.
func (s Step) scopeIsPaths() bool {
	if s.Tool == "mvn" || s.Tool == "gradle" {
		return true
	}
	return s.Tool != s.Program && s.Script == "" && s.Tool != "unittest" || s.Tool == s.Program && programs[s.Program].name != "" && s.Tool != "unittest"
}

// resolveScope resolves one file, package pattern or test id.
func resolveScope(root, cwd, dir, item string) string {
	item = slashed(item)
	file, test, found := strings.Cut(item, "::")
	if first, _, _ := strings.Cut(file, "/"); strings.Contains(first, ".") && strings.Contains(file, "/") && !strings.HasPrefix(file, ".") && !isAbs(file) && path.Ext(file) == "" {
		return item // an import path of Go
	}
	file = locate(root, cwd, dir, file)
	if found {
		return file + "::" + test
	}
	return file
}

// Clears reports whether the success proves that the error of the opener is
// gone: whether that kind of command, on that scope, could have produced it
// (systems.md B9, choice 5).
func (s Success) Clears(o Opener) bool {
	switch {
	case o.Tool == "shell":
		return s.Program == o.Program
	case s.sameCommand(o):
		return o.Category == Runtime || s.Filter == o.Filter && len(s.Scope) == 0 || s.covers(o)
	case o.Category == Runtime:
		return false
	case o.Category == Test:
		return s.Category == Test && (s.Tool == o.Tool || s.runsTestsOf(o)) && s.covers(o)
	case o.Category == Build:
		return (s.Tool == o.Tool || compilesToo(s.Tool, o.Tool)) && s.covers(o)
	}
	return s.Tool == o.Tool && s.covers(o)
}

// sameCommand reports whether the same program ran the same script.
func (s Success) sameCommand(o Opener) bool {
	if s.Program != o.Program || s.Script != o.Script {
		return false
	}
	if s.Script == "" && (s.Tool != s.Program || programs[s.Program].name != "") {
		return s.Tool == o.Tool && s.Dir == o.Dir && slices.Equal(s.Scope, o.Scope) && s.Filter == o.Filter
	}
	return s.Dir == o.Dir || strings.ContainsAny(s.Script, "/.") && !strings.Contains(s.Script, " ")
}

// javaScriptTests are the runners that `npm test` stands for by convention.
var javaScriptTests = []string{"jest", "vitest", "mocha", "node --test", "ava"}

func (s Success) runsTestsOf(o Opener) bool {
	return s.Script == "test" && len(s.Scope) == 0 && strings.HasSuffix(s.Tool, " run test") && slices.Contains(javaScriptTests, o.Tool)
}

// compilers are tools that compile all that the others of their group compile.
var compileGroups = [][]string{
	{"go build", "go test", "go vet", "go run"},
	{"cargo build", "cargo check", "cargo test", "cargo clippy", "cargo run", "cargo bench"},
	{"gcc", "g++", "clang"},
}

// compilesToo reports whether a success of one tool proves that the code
// compiles for the other.
func compilesToo(tool, other string) bool {
	return slices.ContainsFunc(compileGroups, func(group []string) bool {
		return slices.Contains(group, tool) && slices.Contains(group, other)
	})
}

// covers reports whether the run looked at what the error is in: at all that the
// command which opened it looked at, or at the file or test itself.
func (s Success) covers(o Opener) bool {
	if strings.HasPrefix(s.Tool, "cargo") && s.Script != "" && s.Script != o.Script {
		return false
	}
	return s.selects(o) && (s.coversRun(o) || s.coversError(o))
}

// coversRun reports whether the run looked at all that the opener looked at.
func (s Success) coversRun(o Opener) bool {
	if strings.HasPrefix(s.Tool, "go ") && len(s.Scope) == 0 {
		return len(o.Scope) == 0 && s.Dir == o.Dir
	}
	if s.Tool == "tsc" && s.Script != o.Script {
		return false
	}
	if len(s.Scope) == 0 {
		return below(s.Dir, o.Dir)
	}
	if len(o.Scope) == 0 {
		return slices.ContainsFunc(s.Scope, func(item string) bool { return s.reaches(item, o.Dir) })
	}
	for _, wanted := range o.Scope {
		if !slices.ContainsFunc(s.Scope, func(item string) bool { return item == wanted || s.reaches(item, wanted) }) {
			return false
		}
	}
	return true
}

// coversError reports whether the run looked at the file or the test of the error.
func (s Success) coversError(o Opener) bool {
	if len(s.Scope) == 0 {
		switch {
		case o.Path == "" || isAbs(o.Path):
			return false
		case strings.HasPrefix(s.Tool, "go "):
			return folderOf(o.Path) == s.Dir
		case s.Tool == "tsc" && s.Script != "":
			return below(folderOf(s.Script+"/x"), o.Path) || below(folderOf(s.Script), o.Path) && path.Ext(s.Script) == ".json"
		}
		return below(s.Dir, o.Path)
	}
	return slices.ContainsFunc(s.Scope, func(item string) bool { return s.itemCovers(item, o) })
}

// itemCovers reports whether one item of the scope names the file or test.
func (s Success) itemCovers(item string, o Opener) bool {
	file, test, isTest := strings.Cut(item, "::")
	if isTest {
		_, name, _ := strings.Cut(o.Test, "::")
		return file == o.Path && (name == test || strings.HasPrefix(name, test+"::") || strings.HasPrefix(name, test+"["))
	}
	if o.Path != "" && !isAbs(o.Path) && s.reaches(item, o.Path) {
		return true
	}
	switch s.Tool {
	case "jest", "vitest":
		// Their arguments are patterns of paths.
		return below(s.Dir, o.Path) && strings.Contains(o.Path, strings.TrimPrefix(item, s.Dir+"/"))
	case "unittest", "python":
		label := strings.TrimSuffix(strings.ReplaceAll(item, "/", "."), ".py")
		return o.Test == label || strings.HasPrefix(o.Test, label+".")
	}
	return false
}

// reaches reports whether an item of a scope includes a file, a folder or
// another item.
func (s Success) reaches(item, name string) bool {
	if strings.HasPrefix(s.Tool, "go ") {
		return goReaches(item, name)
	}
	if strings.ContainsAny(item, "*{?") {
		ok, err := doublestar.Match(item, name)
		return err == nil && ok
	}
	return below(strings.TrimPrefix(item, "."), name)
}

// goReaches reports whether a package pattern includes a file or a pattern.
func goReaches(pattern, name string) bool {
	tree, recursive := strings.CutSuffix(pattern, "...")
	tree = strings.TrimSuffix(strings.TrimPrefix(tree, "./"), "/")
	folder := strings.TrimSuffix(strings.TrimSuffix(name, "..."), "/")
	switch {
	case strings.HasSuffix(folder, ".go") && pattern == name:
		return true
	case strings.HasSuffix(folder, ".go"):
		folder = folderOf(folder)
	}
	if strings.HasSuffix(name, "...") && !recursive {
		return false
	}
	if folder == "." {
		folder = ""
	}
	if tree == "." {
		tree = ""
	}
	if first, _, _ := strings.Cut(tree, "/"); strings.Contains(first, ".") && !strings.HasPrefix(tree, ".") {
		return folder != "" && (strings.HasSuffix(tree, "/"+folder) || recursive && strings.Contains(tree+"/", "/"+folder+"/"))
	}
	return folder == tree || recursive && below(tree, folder)
}

// below reports whether name is dir or lies below it; "" and "." are the
// worktree, which holds all that is not absolute.
func below(dir, name string) bool {
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" || dir == "." {
		return !isAbs(name) && !strings.HasPrefix(name, "..")
	}
	return name == dir || strings.HasPrefix(name, dir+"/") || strings.HasPrefix(name, dir+"::")
}

func folderOf(name string) string {
	folder := path.Dir(name)
	if folder == "." {
		return ""
	}
	return folder
}

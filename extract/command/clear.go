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

// An Opener describes the command that opened an error. It is kept beside the error, so
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
	// Path is the file of the error, Test the id of the failing test; see Error.Unnamed and Error.Check.
	Path    string   `json:"path,omitempty"`
	Test    string   `json:"test,omitempty"`
	Unnamed bool     `json:"unnamed,omitempty"`
	Check   Category `json:"check,omitempty"`
	// Variant is the parts of the code that are compiled on request, what the command looked for besides, and
	// the system and the rules for which it did.
	Variant []string `json:"variant,omitempty"`
	// Less are the options with which the command looked for less.
	Less []string `json:"less,omitempty"`
	// Warning is that of Error.
	Warning bool `json:"warning,omitempty"`
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
	// Variant and Less are those of Opener.
	Variant []string `json:"variant,omitempty"`
	Less    []string `json:"less,omitempty"`
	// Only limits what a run that failed proves to the errors of one tool, and of one category.
	Only *Limit `json:"only,omitempty"`
}

// A Limit selects the errors that a tool reports, of a category if that is not "".
type Limit struct {
	Tool     string   `json:"tool"`
	Category Category `json:"category,omitempty"`
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
	run := c.tools.run(step, cwd, root)
	return Opener{
		Category: e.Category, Tool: e.Tool, Program: run.Program, Script: run.Script,
		Scope: run.Scope, Filter: run.Filter, Dir: run.Dir, Path: e.Path, Test: e.Test, Unnamed: e.Unnamed,
		Check: e.Check, Variant: run.Variant, Less: run.Less, Warning: e.Warning,
	}
}

// SameRun reports whether two errors come from the same check: the same tool on the same scope.
func (o Opener) SameRun(other Opener) bool {
	return o.Tool == other.Tool && o.Script == other.Script && o.Dir == other.Dir && o.Filter == other.Filter &&
		slices.Equal(o.Scope, other.Scope) && slices.Equal(o.Variant, other.Variant) && slices.Equal(o.Less, other.Less)
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

// Successes returns what a run proves to work: the steps whose success the exit code 0
// proves, and the check whose own summary says so behind a pipe. Programs that only print
// prove nothing, nor do steps whose failure would not have shown (systems.md B9).
func (c Command) Successes(out Output) []Success {
	if !out.succeeded() {
		return nil
	}
	var proven []Success
	piped := c.pipedCheck()
	for i, step := range c.Steps {
		if step.quiet() || step.Background || step.Opaque {
			continue
		}
		if step.Proven || i == piped && newTranscript(out, c.tools).passed() {
			proven = append(proven, c.tools.run(step, out.Cwd, out.Root))
		} else if i == piped && step.limitTo(newTranscript(out, c.tools)) {
			proven = append(proven, c.tools.run(step, out.Cwd, out.Root))
		}
	}
	return proven
}

// pipedCheck returns the index of the step whose output goes through programs that only
// pass on what they get, if it is the only check, or -1. What head passes on has no end.
func (c Command) pipedCheck() int {
	found := -1
	for i, step := range c.Steps {
		switch {
		case step.Program == "head":
			return -1
		case step.quiet() || step.Background:
		case found >= 0 || !step.Piped || step.Opaque:
			return -1
		default:
			found = i
		}
	}
	if !c.pipesIntoFilters() {
		return -1
	}
	return found
}

// run resolves the paths of a step.
func (r *registry) run(s Step, cwd, root string) Success {
	covers := &r.of(s.Tool).covers
	dir := joinDir(slashed(cwd), s.Dir)
	resolved := Success{
		Category: s.Category, Tool: s.Tool, Program: s.Program, Script: s.Script,
		Filter: s.Filter, Dir: strings.TrimPrefix(within(root, dir), "."), Variant: covers.variant(s), Less: s.Less,
	}
	if covers.project != nil && s.Script != "" || s.scriptIsFile(covers) {
		resolved.Script = locate(root, cwd, s.Dir, s.Script)
	}
	paths := r.scopeIsPaths(s, covers.scope)
	for _, item := range s.Scope {
		if paths {
			item = resolveScope(root, cwd, s.Dir, item)
		}
		resolved.Scope = append(resolved.Scope, item)
	}
	return resolved
}

// scriptIsFile reports whether the script is a file, which is the same file from
// every folder.
func (s Step) scriptIsFile(covers *coverage) bool {
	if s.Script == "" || strings.HasPrefix(s.Script, "inline:") || strings.HasPrefix(s.Script, "-") {
		return false
	}
	return covers.scriptIsFile || path.Base(s.Script) == s.Program
}

// scopeIsPaths reports whether the scope names files; else it is labels or
// arguments, which mean what the program makes of them.
func (r *registry) scopeIsPaths(s Step, kind scopeKind) bool {
	if kind != scopeFiles {
		return kind == scopePaths
	}
	if s.Tool != s.Program {
		return s.Script == ""
	}
	_, known := r.tool(s.Program)
	return known
}

// resolveScope resolves one file, package pattern or test id.
func resolveScope(root, cwd, dir, item string) string {
	item = slashed(item)
	file, test, found := strings.Cut(item, "::")
	host, _, deep := strings.Cut(file, "/")
	if deep && strings.Contains(host, ".") && !strings.HasPrefix(file, ".") && !isAbs(file) && path.Ext(file) == "" {
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
func (s Success) Clears(o Opener) bool { return known.Get().clears(s, o) }

func (r *registry) clears(s Success, o Opener) bool {
	switch {
	case s.Only != nil && (o.Tool != s.Only.Tool || s.Only.Category != "" && o.Category != s.Only.Category):
		return false
	case o.Tool == shellTool:
		return s.Program == o.Program
	case !r.of(s.Tool).covers.looksFor(s, o):
		return false
	case r.sameCommand(s, o):
		return o.Category == Runtime || s.Filter == o.Filter && len(s.Scope) == 0 || r.covers(s, o)
	case o.Category == Runtime:
		return false
	case o.Category == Test:
		isTest := s.Category == Test || r.of(s.Tool).covers.does != nil
		tests := isTest && (s.Tool == o.Tool || r.runsSuiteOf(s, o))
		return (tests || r.checksToo(s, o)) && r.covers(s, o)
	case o.Category == Build:
		return (s.Tool == o.Tool || r.compilesToo(s, o)) && r.covers(s, o)
	}
	return s.Tool == o.Tool && r.covers(s, o)
}

// ClearsReported reports whether the success proves that what a language server reported in a file is gone:
// whether it is that of the tool which reports the same, and looked at the file. source is what its diagnostics
// name as their source.
func (s Success) ClearsReported(source, file string) bool {
	return known.Get().clearsReported(s, source, file)
}

func (r *registry) clearsReported(s Success, source, file string) bool {
	f, isKnown := r.servers[source]
	if !isKnown || s.Only != nil {
		return false
	}
	o := Opener{Category: f.category, Tool: f.name, Path: file, Warning: true}
	c := &r.of(s.Tool).covers
	s = c.scoped(s)
	return c.looksFor(s, o) && (s.Tool == o.Tool || o.Category == Build && r.compilesToo(s, o)) &&
		c.runsPartOf(s, o) && c.looksAt(file) && c.selectsError(s, o) && c.error(s, o)
}

// sameCommand reports whether the same program ran the same script; for an error of running it, with the same
// operands.
func (r *registry) sameCommand(s Success, o Opener) bool {
	switch {
	case s.Program != o.Program || s.Script != o.Script:
		return false
	case r.isSubcommand(s) && s.Tool != o.Tool && (s.Script == "" || s.Category != Runtime || o.Category != Runtime):
		return false
	case s.Script == "":
		return (s.Tool == o.Tool || s.Tool == s.Program) && s.Dir == o.Dir && slices.Equal(s.Scope, o.Scope) &&
			s.Filter == o.Filter
	case s.Dir == o.Dir || strings.ContainsAny(s.Script, "/.") && !strings.Contains(s.Script, " "):
		return o.Category != Runtime || slices.Equal(s.Scope, o.Scope)
	}
	return false
}

// isSubcommand reports whether the success is of one of the subcommands of its program, which do different things.
func (r *registry) isSubcommand(s Success) bool {
	if r.subcommands[s.Program] == nil {
		return false
	}
	return s.Tool == s.Program || slices.ContainsFunc(r.of(s.Tool).runs, func(how run) bool {
		return how.subcommands != "" && listed(how.programs, s.Program)
	})
}

// runsSuiteOf reports whether the success is that of the script which runs all the
// tests of the project, and the error one of its runner.
func (r *registry) runsSuiteOf(s Success, o Opener) bool {
	clears := r.of(s.Tool).clears
	return clears.runsSuite != "" && clears.runsSuite == r.of(o.Tool).clears.suite &&
		s.Script == clears.suiteScript
}

// compilesToo reports whether a success of one tool proves that the code compiles
// for the other.
func (r *registry) compilesToo(s Success, o Opener) bool {
	group := r.of(s.Tool).clears.compiles
	return group != "" && group == r.of(o.Tool).clears.compiles
}

// checksToo reports whether a success proves that the compiler or the linter which a test runner runs finds
// nothing more.
func (r *registry) checksToo(s Success, o Opener) bool {
	return o.Check == Build && r.compilesToo(s, o) || o.Check == Lint && s.Tool == r.of(o.Tool).clears.linter
}

// variant returns the Variant of a step, sorted: a part by its name, an option of more as it is in Step.More, one of
// same as "name=value".
func (c *coverage) variant(s Step) (variant []string) {
	for _, option := range strings.Fields(c.parts) {
		variant = append(variant, strings.FieldsFunc(optionValue(s.Args, option), isListSeparator)...)
	}
	if c.allParts != "" && slices.Contains(s.Args, c.allParts) {
		variant = append(variant, allParts)
	}
	words := strings.Fields(s.Source) // with the variables, which are not arguments
	variant = append(variant, s.More...)
	for _, name := range strings.Fields(c.same) {
		if value := optionValue(words, name); value != "" {
			variant = append(variant, name+"="+value)
		}
	}
	slices.Sort(variant)
	return slices.Compact(variant)
}

// allParts is the Variant of a run that compiles all parts.
const allParts = "*"

func isListSeparator(r rune) bool { return r == ',' || r == ' ' }

// looksFor reports whether a run compiles and looks for all that the opener did, for the same system and by the same
// rules, as far as it may decide about the error.
func (c *coverage) looksFor(s Success, o Opener) bool {
	concerns := func(option string) bool { return c.concerns == nil || c.concerns(s, option, o) }
	lacks := func(word string) bool {
		isPart := !strings.Contains(word, "=") && !strings.HasPrefix(word, "-")
		return !slices.Contains(s.Variant, word) && !(isPart && slices.Contains(s.Variant, allParts)) && concerns(word)
	}
	differs := func(word string) bool {
		return strings.Contains(word, "=") && !slices.Contains(o.Variant, word) && concerns(word)
	}
	hides := func(option string) bool { return !slices.Contains(o.Less, option) && concerns(option) }
	return !slices.ContainsFunc(o.Variant, lacks) && !slices.ContainsFunc(s.Variant, differs) &&
		!slices.ContainsFunc(s.Less, hides)
}

// covers reports whether the run looked at what the error is in: at all that the
// command which opened it looked at, or at the file or test itself.
func (r *registry) covers(s Success, o Opener) bool {
	c := &r.of(s.Tool).covers
	if !c.runsPartOf(s, o) {
		return false
	}
	s = c.scoped(s)
	return c.looksAt(o.Path) && c.selectsError(s, o) && (c.run(s, o) || c.error(s, o))
}

// runsPartOf reports whether the script of a run, if it is a part, is the one that holds an error, and its tasks check
// what the error is of.
func (c *coverage) runsPartOf(s Success, o Opener) bool {
	holds := !c.part || s.Script == "" || s.Script == o.Script || c.inPart != nil && c.inPart(s, o)
	return holds && (c.does == nil || c.does(s.Script, o))
}

// scoped returns a success whose scope is its script, if a run looks at that alone.
func (c *coverage) scoped(s Success) Success {
	if c.scriptIsScope && s.Script != "" {
		s.Scope = []string{s.Script}
	}
	return s
}

// looksAt reports whether a run may look at a file, "" if it is not known which.
func (c *coverage) looksAt(file string) bool { return file == "" || c.skips == nil || !c.skips(file) }

// selectsError reports whether a run that was limited to some tests ran the one
// that failed. An error that is not a test, such as one of the compiler inside go test,
// needs no selection.
func (c *coverage) selectsError(s Success, o Opener) bool {
	switch {
	case s.Filter == "" || s.Filter == o.Filter:
		return true
	case s.Filter == noTests && o.Test == "":
		return o.Category == Build || o.Check != ""
	case o.Test == "":
		return o.Category == Build || c.unfiltered && o.Path != ""
	}
	return c.selects != nil && c.selects(s.Filter, o.Test)
}

// run reports whether the run looked at all that the opener looked at.
func (c *coverage) run(s Success, o Opener) bool {
	switch {
	case c.project != nil && s.Script != o.Script:
		return false
	case len(s.Scope) == 0 && c.folder:
		return len(o.Scope) == 0 && s.Dir == o.Dir
	case len(s.Scope) == 0:
		return below(s.Dir, o.Dir)
	case len(o.Scope) == 0:
		return slices.ContainsFunc(s.Scope, func(item string) bool { return c.includes(item, o.Dir) })
	}
	for _, wanted := range o.Scope {
		if !slices.ContainsFunc(s.Scope, func(item string) bool { return item == wanted || c.includes(item, wanted) }) {
			return false
		}
	}
	return true
}

// error reports whether the run looked at the file or the test of the error.
func (c *coverage) error(s Success, o Opener) bool {
	if len(s.Scope) > 0 {
		return slices.ContainsFunc(s.Scope, func(item string) bool { return c.item(s, item, o) })
	}
	switch {
	case o.Path == "" || isAbs(o.Path):
		return false
	case c.folder:
		return folderOf(o.Path) == s.Dir
	case c.project != nil && s.Script != "":
		return c.project(s.Script, o.Path)
	}
	return below(s.Dir, o.Path)
}

// item reports whether one item of the scope names the file or test.
func (c *coverage) item(s Success, item string, o Opener) bool {
	file, test, isTest := strings.Cut(item, "::")
	if isTest {
		_, name, _ := strings.Cut(o.Test, "::")
		return file == o.Path && (name == test || beginsWith(name, []string{test + "::", test + "["}))
	}
	if o.Path != "" && !isAbs(o.Path) && c.includes(item, o.Path) {
		return true
	}
	return c.holds != nil && c.holds(s, item, o)
}

// includes reports whether an item of a scope includes a file, a folder or another
// item.
func (c *coverage) includes(item, name string) bool {
	if c.reaches != nil {
		return c.reaches(item, name)
	}
	if strings.ContainsAny(item, "*{?") {
		ok, err := doublestar.Match(item, name)
		return err == nil && ok
	}
	return below(strings.TrimPrefix(item, "./"), name)
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

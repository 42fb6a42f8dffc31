package command

import (
	"path"
	"slices"
	"strings"
)

// step understands the words of one simple command.
func (r *registry) step(words []string) Step {
	s := Step{Program: r.programName(words[0]), Args: words[1:], Category: Runtime}
	if strings.Contains(words[0], "=") && assignment.MatchString(words[0]) {
		return Step{Program: words[0], Tool: words[0], Args: words[1:]}
	}
	s.Tool = s.Program
	begins := func(f *family) bool { return f.recognises.begin(r, &s) }
	if !slices.ContainsFunc(r.begins[s.Program], begins) && !r.ownProgram(words[0]) {
		r.known(&s)
	}
	if f := r.endings[path.Ext(words[0])]; f != nil && s.Tool == s.Program {
		f.recognises.script(&s, words[0])
	} else if strings.ContainsAny(words[0], `/\`) && s.Tool == s.Program && s.Category == Runtime {
		s.Script = scriptName(words[0])
		s.Scope = operands(s.Args, "")
	}
	switch {
	case prints(s.Args):
		s.Category = ""
	case s.Category == Runtime: // a program that is asked how it is used does nothing else
		s.Less = append(s.Less, given(s.Args, helps+" -h", "")...)
	}
	return s
}

// scriptName is the name of a script as it is compared: with '/' and without "./".
func scriptName(word string) string { return strings.TrimPrefix(slashed(word), "./") }

// ownProgram reports whether a word names a program of the project by its path,
// which is not what its name says: bin/test is not a test.
func (r *registry) ownProgram(word string) bool {
	word = slashed(word)
	if !strings.Contains(word, "/") || strings.Contains(word, "/bin/") && isAbs(word) ||
		strings.Contains(word, "node_modules/") || strings.Contains(word, "venv/") {
		return false
	}
	_, known := r.tool(r.programName(word))
	return !known
}

// prints reports whether the only argument asks a program for its version or help.
func prints(args []string) bool {
	return len(args) == 1 && slices.Contains([]string{"--version", "-V", "--help", "-h", "help", "version"}, args[0])
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// known fills in a step whose program, with its subcommand, is a run of a family.
func (r *registry) known(s *Step) {
	if r.quiet[s.Program] {
		s.Category = ""
		return
	}
	if table, ok := r.subcommands[s.Program]; ok {
		s.subcommand(table)
		return
	}
	tool, ok := r.tool(s.Program)
	if !ok && r.errorformatOf(s.Program) != nil {
		tool, ok = start{family: &family{name: s.Program, category: Lint}}, true
	}
	if !ok {
		s.Script = first(operands(s.Args, ""))
		return
	}
	s.use(tool.family, tool.how, s.Args)
}

// valuedBefore are the options before a subcommand that take a value.
var valuedBefore = []string{"-C", "-c", "--manifest-path", "--git-dir", "--work-tree"}

func (s *Step) subcommand(table map[string]start) {
	args := s.Args
	for len(args) > 0 && (strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "+")) {
		skip := 1
		if slices.Contains(valuedBefore, args[0]) && len(args) > 1 {
			if args[0] == "-C" {
				s.Dir = args[1]
			}
			skip = 2
		}
		args = args[skip:]
	}
	tool, ok := table[first(args)]
	if !ok {
		tool, ok = table[otherwise]
	}
	if !ok {
		s.Script = first(args)
		return
	}
	if len(args) > 0 {
		args = args[1:]
	}
	s.use(tool.family, tool.how, args)
}

// plain returns a family that has a name and options, and nothing that is special.
func plain(name string, category Category, runs ...run) *family {
	return &family{name: name, category: category, runs: runs}
}

// inParts returns the plain family of a tool that looks at everything, and does what its operands say.
func inParts(name string, category Category, runs ...run) *family {
	return &family{name: name, category: category, runs: runs, covers: coverage{part: true}}
}

// use makes the step a run of a family with the arguments.
func (s *Step) use(f *family, how run, args []string) {
	s.Category = f.category
	if f.name == "" {
		return
	}
	s.Tool = f.name
	if f.recognises.words != nil {
		f.recognises.words(s, how, args)
	} else {
		s.options(how, args)
	}
	verbs := strings.Fields(f.recognises.verbs)
	s.Scope = without(s.Scope, verbs...)
	if how.global {
		s.Script = strings.Join(without(strings.Fields(s.Script), verbs...), " ")
	}
	s.limits(f, how, args)
}

// helps are the options with which every tool only prints.
const helps = "--help --version"

// noTests is the Filter of a run that compiles the tests and runs none.
const noTests = "<none>"

// limits reads the options with which the tool checks nothing, more or less.
func (s *Step) limits(f *family, how run, args []string) {
	s.More = append(s.More, given(args, f.covers.more, how.valued)...)
	s.Less = append(s.Less, given(args, f.covers.less, how.valued)...)
	if len(given(args, how.lists, how.valued)) > 0 {
		s.Filter = noTests
	}
	own := args
	if i := slices.IndexFunc(args, func(arg string) bool { return arg == "--" || arg == "-args" }); i >= 0 {
		own = args[:i] // what follows is for what the tool runs
	}
	if len(given(own, how.looks, how.valued)) > 0 || len(given(own, helps, how.valued)) > 0 {
		s.Category = ""
	}
}

// limitedBeside takes every option beside those of a list to look for less.
func (s *Step) limitedBeside(args []string, list string) {
	for _, arg := range args {
		if name, _, _ := strings.Cut(arg, "="); strings.HasPrefix(arg, "-") && !listed(list, name) {
			s.Less = append(s.Less, arg)
		}
	}
}

// listed reports whether a word stands in a list of words that are separated by spaces. Lists of options are looked at
// for each argument of each step, and splitting them would take longer than all else.
func listed(list, word string) bool {
	if word == "" || strings.ContainsAny(word, spaces) {
		return false
	}
	for at := 0; ; at++ {
		next := strings.Index(list[at:], word)
		if next < 0 {
			return false
		}
		at += next
		end := at + len(word)
		if (at == 0 || isSpace(list[at-1])) && (end == len(list) || isSpace(list[end])) {
			return true
		}
	}
}

const spaces = " \t\n"

func isSpace(c byte) bool { return strings.IndexByte(spaces, c) >= 0 }

// given returns the options of a list that stand in the arguments, each with its value behind a space if it has one.
// One with "=false" is not given, unless it is listed so.
func given(args []string, options, valued string) []string {
	var found []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, value, glued := strings.Cut(arg, "=")
		if !glued && listed(valued, name) && i+1 < len(args) {
			i++
			value = args[i]
		}
		switch {
		case glued && listed(options, arg):
			found = append(found, arg)
		case !listed(options, name), value == "false":
		case value == "", value == "true":
			found = append(found, name)
		default:
			found = append(found, name+" "+value)
		}
	}
	return found
}

// options reads the filter, and the scope or, for a tool that looks at
// everything, the script. What stands behind -args belongs to the tests.
func (s *Step) options(how run, args []string) {
	if i := slices.Index(args, "-args"); i >= 0 {
		args = args[:i]
	}
	s.Filter = strings.TrimSpace(s.Filter + " " + filterOf(args, how.filters))
	rest := operands(args, how.valued+" "+how.filters)
	if how.global {
		s.Script = strings.Join(rest, " ")
	} else {
		s.Scope = rest
	}
}

// filterOf reads the options that select tests. Only the first of the options of
// a tool selects by name; the others keep their names in the filter.
func filterOf(args []string, options string) string {
	var parts []string
	for i, option := range strings.Fields(options) {
		value := optionValue(args, option)
		switch {
		case value == "":
		case i == 0, option == "--grep", option == "--run",
			strings.HasPrefix(option, "--") && strings.HasSuffix(strings.ToLower(option), "pattern"):
			parts = append(parts, value)
		default:
			parts = append(parts, option+" "+value)
		}
	}
	return strings.Join(parts, " ")
}

func without(list []string, remove ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(item string) bool { return slices.Contains(remove, item) })
}

// operands are the arguments that are neither options nor values of options.
func operands(args []string, valued string) []string {
	var found []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
		case listed(valued, arg):
			i++
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
		default:
			found = append(found, arg)
		}
	}
	return found
}

// optionValue is the value of one of the options, "" if none is given.
func optionValue(args []string, options string) string {
	for i, arg := range args {
		name, value, glued := strings.Cut(arg, "=")
		if !listed(options, name) {
			continue
		}
		if glued {
			return value
		}
		if i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// scriptCategory reads the name of a target or package script, "" if it says nothing.
func (r *registry) scriptCategory(name string) Category {
	head, _, _ := strings.Cut(strings.ToLower(name), ":")
	if category := r.wordCategory(head); category != "" {
		return category
	}
	words := strings.FieldsFunc(head, func(c rune) bool { return strings.ContainsRune("-_./", c) })
	if len(words) == 0 {
		return ""
	}
	isTest := func(word string) bool { return word == "test" || word == "tests" }
	// test-integration and go_test run tests; build-tests may only compile them.
	first := r.wordCategory(words[0])
	if isTest(words[0]) || isTest(words[len(words)-1]) && (first == "" || first == Test) {
		return Test
	}
	return ""
}

// wordCategory reads one word, "" if it says nothing.
func (r *registry) wordCategory(word string) Category {
	switch word {
	case "test", "tests", "check", "unit", "e2e", "integration", "spec", "coverage":
		return Test
	case "lint", "format", "fmt", "style":
		return Lint
	case "typecheck", "type-check", "types", "check-types":
		return Typecheck
	case "build", "compile", "all", "dist", "install", "bundle":
		return Build
	}
	if f := r.of(word); f.recognises.target {
		return f.category
	}
	return ""
}

// interprets reports whether the step runs the text that it gets as its input.
func (r *registry) interprets(s Step) bool { return s.Script == "" && r.input[s.Program] }

// Package mining finds procedures in what sessions did: commands that were run together and
// succeeded, what ended a failure, files that change together (systems.md E12). It is pure.
package mining

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// An Outcome is how a command ended.
type Outcome string

// The outcomes. Of most commands behind a pipe the outcome is unknown.
const (
	Unknown   Outcome = ""
	Succeeded Outcome = "+"
	Failed    Outcome = "-"
)

// A Step is a command that a session ran, or a file that it changed.
type Step struct {
	// Key is the same for commands that do the same to other arguments. It is empty for a change
	// of a file.
	Key string `json:"k,omitempty"`
	// Line is the command line, in which placeholders such as <path> stand for arguments that may
	// differ, and Values are these arguments, in their order.
	Line   string   `json:"l,omitempty"`
	Values []string `json:"v,omitempty"`
	// What is what the command does, such as Test.
	What What `json:"w,omitempty"`
	// Own is the script, target or task of the project that the command runs, if it runs one.
	Own     string  `json:"p,omitempty"`
	Outcome Outcome `json:"o,omitempty"`
	// Error is the first error that the command reported, in one line.
	Error string `json:"e,omitempty"`
	// File is the path of the changed file, relative to the worktree.
	File string `json:"f,omitempty"`
}

// What says what a command does.
type What string

// What commands do.
const (
	Test      What = "test"
	Lint      What = "lint"
	Typecheck What = "typecheck"
	Build     What = "build"
	Format    What = "format"
	Install   What = "install"
	Commit    What = "commit"
	Publish   What = "publish"
	Other     What = "other"
	// Aside is what is no procedure itself but may be a part of one: git tag, sed -i, or a command with an argument
	// that only the shell knows.
	Aside What = "aside"
)

// builds are words of the names of what builds.
var builds = once.Compile(`(?i)build|compil|bundl|binar|dist|assembl|packag|wheel|^all$`)

// isCheck reports whether a command shows whether a change is right, or builds or formats it. A target of a tool that
// builds may do anything, such as make seed.
func (s Step) isCheck() bool {
	switch s.What {
	case Test, Lint, Typecheck, Format:
		return true
	case Build:
		return s.Own == "" || builds.MatchString(s.Own)
	}
	return false
}

// OnlyCheck reports whether the command lines of a procedure only check, build or format something, or install what a
// project depends on.
func OnlyCheck(lines []string) bool {
	return !slices.ContainsFunc(lines, func(line string) bool {
		for _, s := range command.Parse(shown.Get().Replace(line)).Steps {
			step := Step{What: whatOf(s), Own: s.Script}
			if !step.isCheck() && step.What != Install && s.Program != "cd" {
				return true
			}
		}
		return false
	})
}

// shown makes words of placeholders, which the shell would take for redirections.
var shown = once.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("<", "", ">", "")
}}

// maxLine and maxError are the lengths in bytes from which commands and errors are too long for a
// procedure.
const maxLine, maxError = 200, 240

// StepsOf returns the commands of a run that a procedure may consist of. Commands that only print or search are none,
// nor are scripts that the session wrote itself, inline code and checks with arguments that only the shell knows.
func StepsOf(run *tool.Run, wrote func(file string) bool) []Step {
	var steps []Step
	proven := run.Command.Successes(run.Output)
	failures := run.Failures()
	for _, s := range run.Command.Steps {
		if s.Category == "" && !changes(s) || s.Opaque || s.Background || s.Source == "" ||
			strings.HasPrefix(s.Source, "xargs ") || strings.HasPrefix(s.Script, "inline:") {
			continue
		}
		dir, inside := dirOf(run.Output, s.Dir)
		if !inside || isTrial(s, dir, run.Output.Root, wrote) {
			continue
		}
		step, constant := template(s)
		if s.Category == "" && step.What != Publish || !constant || len(s.Source) > maxLine {
			if step.Key == "" || step.isCheck() || step.What == Install || len(step.Line) > maxLine {
				continue
			}
			step.What = Aside
		}
		if dir != "" {
			step.Line, step.Key = "cd "+dir+" && "+step.Line, dir+": "+step.Key
		}
		step.Outcome, step.Error = outcome(run, s, proven, failures)
		steps = append(steps, step)
	}
	return steps
}

// changers are programs that move or edit files, and commands of git and of clients of its hosts that change something.
var (
	changers   = pattern.SetOf("cp ln mv rm rsync touch zip")
	gitChanges = pattern.SetOf(
		"add am apply checkout cherry-pick fetch merge mv pull rebase reset restore rm switch tag")
	madeThere = pattern.SetOf("create delete edit merge run upload")
)

// changes reports whether a program that mostly prints changes something.
func changes(s command.Step) bool {
	given := slices.DeleteFunc(slices.Clone(s.Args), func(arg string) bool { return strings.HasPrefix(arg, "-") })
	switch s.Program {
	case "git":
		lists := len(given) == 1 || slices.Contains(s.Args, "-l") || slices.Contains(s.Args, "--list")
		return len(given) > 0 && gitChanges.Has(given[0]) && (given[0] != "tag" || !lists)
	case "gh", "glab":
		return len(given) > 1 && madeThere.Has(given[1])
	case "sed":
		return slices.ContainsFunc(s.Args, func(arg string) bool { return strings.HasPrefix(arg, "-i") })
	case "npm", "pnpm", "yarn":
		return len(given) > 1 && (given[0] == "version" || given[0] == "pkg" && given[1] == "set")
	}
	return changers.Has(s.Program)
}

// isRelease reports whether a command that changes something gives a version its name.
func isRelease(s command.Step) bool {
	name := slices.IndexFunc(s.Args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if name < 0 || !changes(s) {
		return false
	}
	return s.Program == "git" && s.Args[name] == "tag" || s.Args[name] == "version"
}

// isTrial reports whether a command runs a script, or only checks files, that the session wrote. dir
// is its folder relative to the worktree root.
func isTrial(s command.Step, dir, root string, wrote func(file string) bool) bool {
	own := func(file string) bool {
		if rel, below := strings.CutPrefix(file, filepath.ToSlash(root)+"/"); below {
			return wrote(path.Clean(rel))
		}
		return wrote(path.Join(dir, file))
	}
	if dir != "" && wrote(dir) {
		return true
	}
	if s.Script != "" && own(s.Script) {
		return true
	}
	return len(s.Scope) > 0 && !slices.ContainsFunc(s.Scope, func(item string) bool {
		file, _, _ := strings.Cut(item, "::")
		return !own(file)
	})
}

// dirOf returns the folder of a command relative to the worktree, "" for that itself, and whether
// it is inside.
func dirOf(out command.Output, dir string) (rel string, inside bool) {
	if strings.HasPrefix(dir, "~") || strings.HasPrefix(dir, "$") {
		return "", false
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(out.Cwd, filepath.FromSlash(dir))
	}
	rel, err := filepath.Rel(out.Root, dir)
	rel = filepath.ToSlash(rel)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return "", false
	}
	return strings.TrimPrefix(rel, "."), true
}

// outcome returns how a step of a run ended, as far as the run proves it, and its first error.
func outcome(run *tool.Run, s command.Step, proven []command.Success, failures []tool.Failure) (Outcome, string) {
	reports := func(f tool.Failure, s command.Step) bool {
		return s.Category != "" && (f.Tool == s.Tool || f.Category == s.Category && s.Decides)
	}
	for _, f := range failures {
		by := 0
		for _, other := range run.Command.Steps {
			if reports(f, other) {
				by++
			}
		}
		if by == 1 && reports(f, s) {
			return Failed, said(f.Summary)
		}
	}
	for _, p := range proven {
		if p.Tool == s.Tool && p.Filter == s.Filter && len(p.Scope) == len(s.Scope) && p.Program == s.Program {
			return Succeeded, ""
		}
	}
	decide := 0
	for _, other := range run.Command.Steps {
		if other.Decides && other.Category != "" {
			decide++
		}
	}
	code := run.Output.ExitCode
	switch failed := run.Output.Failed || code != nil && *code != 0; {
	case failed && s.Decides && decide == 1:
		return Failed, ""
	case !failed && code != nil && s.Decides && isRelease(s): // it says nothing that could be read
		return Succeeded, ""
	}
	return Unknown, ""
}

// said returns an error in one line, "" if it says nothing or is too long. It is never cut, so that what
// is erased is found in it.
func said(summary string) string {
	text := shorten.Line(summary)
	if len(text) > maxError || strings.Contains(text, ": exit code ") {
		return ""
	}
	return text
}

// quietOptions change what a command prints, not what it does.
var quietOptions = pattern.SetOf(
	"-v -vv --verbose -q --quiet -s --silent -count=1 --no-color --color=never --no-pager -x " +
		"--tb=short --tb=long --tb=line --no-header -short -rA -ra",
)

// textOptions take a string as the next word.
var textOptions = pattern.SetOf("--message --title --body --notes --description --reason")

// limits start a command with less time or priority.
var limits = once.Value[map[string]int]{Make: func() map[string]int {
	return map[string]int{"time": 0, "timeout": 1, "gtimeout": 1, "nice": 0, "nohup": 0}
}}

// template returns a step with placeholders for the arguments that may differ between two runs. It returns false if an
// argument is known only to the shell, and an empty step if the program is.
func template(s command.Step) (Step, bool) {
	given := split(s.Source)
	for len(given) > 1 {
		skip, is := limits.Get()[given[0]]
		if !is {
			break
		}
		given = given[1:]
		for len(given) > 1 && strings.HasPrefix(given[0], "-") {
			if given[0] == "-n" || given[0] == "-s" || given[0] == "-k" {
				given = given[1:]
			}
			given = given[1:]
		}
		given = given[min(skip, len(given)-1):]
	}
	step := Step{What: whatOf(s), Own: s.Script}
	var line, operands, options []string
	option, constant := "", true
	for i, word := range given {
		bare := unquote(word)
		shell := strings.ContainsAny(word, "$`\n")
		if i == 0 && shell || slices.Contains([]string{"--help", "-h", "--version"}, bare) {
			return Step{}, false
		}
		constant = constant && !shell && (!strings.Contains(word, "*") || !step.isCheck())
		if quietOptions.Has(bare) {
			line = append(line, word)
			continue
		}
		if i > 0 && !isSubcommand(step, unquote(given[i-1]), bare) {
			head, placeholder := placeholderOf(s, option, bare)
			if shell && !strings.HasPrefix(bare, "-") {
				head, placeholder = "", "<arg>"
			}
			if placeholder != "" {
				word = head + placeholder
				value := strings.TrimPrefix(bare, head)
				if len(value) > maxLine || shell { // it never takes the place
					value = ""
				}
				if len(line) > 0 && line[len(line)-1] == word { // one stands for all
					step.Values[len(step.Values)-1] += " " + value
					continue
				}
				step.Values = append(step.Values, value)
			}
		}
		line = append(line, word)
		isOption := strings.HasPrefix(bare, "-")
		switch {
		case isOption:
			options = append(options, word)
		case option != "" && strings.HasPrefix(word, "<") && word != "<path>":
			options[len(options)-1] += " " + word
		default:
			operands = append(operands, word)
		}
		option = ""
		if isOption {
			option = bare
		}
	}
	slices.Sort(options)
	step.Line = strings.Join(line, " ")
	step.Key = strings.Join(append(operands, slices.Compact(options)...), " ")
	return step, constant
}

var subcommand = once.Compile(`^[a-z][a-z:_-]*$`)

// isSubcommand reports whether a word behind another one says which command of a script is run, such as migrate of
// manage.py.
func isSubcommand(s Step, before, now string) bool {
	return s.What == Other && isScript(s.Own) && path.Clean(before) == s.Own && subcommand.MatchString(now)
}

// isScript reports whether what a command runs is a file.
func isScript(own string) bool { return strings.ContainsAny(own, "/.") || own == "artisan" }

// placeholderOf returns what stands for an argument in a template, and what of the argument stays
// before it, "" if it stays as it is. option is the option before it, "" if there is none.
func placeholderOf(s command.Step, option, word string) (head, placeholder string) {
	if name, value, glued := strings.Cut(word, "="); glued && strings.HasPrefix(word, "-") {
		_, placeholder = placeholderOf(s, name, value)
		return name + "=", placeholder
	}
	if strings.HasPrefix(word, "-") {
		return "", ""
	}
	named := s.Filter != "" && strings.Contains(s.Filter, word)
	switch {
	case !named && (textOptions.Has(option) ||
		s.Program == "git" && (option == "-m" || option == "-am") ||
		s.Program == "sed" && substitution.MatchString(word)):
		return "", "<text>"
	case !named && strings.ContainsAny(word, " \t"):
		return "", "<text>"
	case word == "" || word == s.Script || word == "./..." || word == "...":
		return "", ""
	case named:
		return "", "<name>"
	case strings.Contains(word, "://"):
		return "", "<url>"
	case strings.Contains(word, "::"):
		return "", "<test>"
	case isNumber(word):
		return "", "<number>"
	case version.MatchString(word):
		return word[:len(word)-len(strings.TrimPrefix(word, "v"))], "<version>"
	case tagged.MatchString(word):
		at := tagged.FindStringIndex(word)[0] + 1
		if isNumber(word[at:]) {
			return word[:at], "<number>"
		}
		return word[:at], "<version>"
	case isID(word) && option != "-m":
		return "", "<id>"
	case strings.Contains(word, "/") || slices.Contains(s.Scope, word) && path.Ext(word) != "":
		if path.Clean(word) == s.Script {
			return "", ""
		}
		return "", "<path>"
	case slices.Contains(s.Scope, word) && word != "." && word != "all":
		return "", "<name>"
	}
	return "", ""
}

var (
	version = once.Compile(`^(?:v\d+\.\d+|v?\d+\.\d+\.\d+)(?:[-+.]?[a-z][\w.+-]*)?$`)
	// tagged ends with the version of something, such as shop:1.2.0.
	tagged = once.Compile(`[:@=]v?\d+(?:\.\d+){0,2}(?:[-+.]?[a-z][\w.+-]*)?$`)
	// substitution is a command of sed.
	substitution = once.Compile(`^[\d,$]*[sy][/|#,:]`)
)

func isNumber(word string) bool {
	digits := 0
	for _, r := range word {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r < 'a' || r > 'f':
			return false
		}
	}
	return digits > 0 && (digits == len(word) || len(word) >= 7)
}

// isID reports whether a word has letters, digits and something between them, such as app-12.3.
func isID(word string) bool {
	letters, digits, between := 0, 0, 0
	for _, r := range word {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			letters++
		case r == '-' || r == '.' || r == '_' || r == '#':
			between++
		default:
			return false
		}
	}
	return letters > 0 && digits > 0 && between > 0 && path.Ext(word) == "" ||
		letters > 0 && digits > 0 && between > 1
}

// split returns the words of a simple command, with their quotes.
func split(source string) []string {
	var words []string
	var word strings.Builder
	quote, inside := rune(0), false
	for i := 0; i < len(source); i++ {
		c := rune(source[i])
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(source):
			word.WriteByte(source[i])
			i++
			word.WriteByte(source[i])
			inside = true
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ' ' || c == '\t' || c == '\n':
			if inside {
				words = append(words, word.String())
				word.Reset()
			}
			inside = false
			continue
		}
		word.WriteByte(source[i])
		inside = true
	}
	if inside {
		words = append(words, word.String())
	}
	return words
}

var unquoter = once.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer(`"`, "", `'`, "", "\\", "")
}}

func unquote(word string) string { return unquoter.Get().Replace(word) }

// installers are programs that install what a project depends on.
var installers = pattern.SetOf("npm pnpm yarn bun pip poetry uv cargo go bundle composer mix gem apt brew")

// whatOf says what a step does.
func whatOf(s command.Step) What {
	line := " " + strings.Join(append([]string{s.Tool, s.Program, s.Script}, s.Args...), " ") + " "
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(line, " "+w+" ") })
	}
	switch {
	case s.Tool == "git commit":
		return Commit
	case s.Tool == "git push", has("publish", "deploy", "release"), isRelease(s):
		return Publish
	case has("fmt", "format", "--write", "--fix", "-w", "gofmt", "prettier"):
		return Format
	case installers.Has(s.Program) && has("install", "ci", "sync", "tidy", "download", "vendor"):
		return Install
	case has("generate", "codegen"): // it changes files, and checks none
		return Other
	}
	name := strings.ToLower(path.Base(s.Script))
	switch category := s.Category; {
	case category == command.Runtime && strings.Contains(name, "test"):
		return Test
	case category == command.Runtime && strings.Contains(name, "lint"):
		return Lint
	}
	switch s.Category {
	case command.Test:
		return Test
	case command.Lint:
		return Lint
	case command.Typecheck:
		return Typecheck
	case command.Build:
		return Build
	}
	return Other
}

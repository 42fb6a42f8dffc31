package command

import (
	"slices"
	"strings"

	expression "github.com/wm-lsp/wm-lsp/extract/pattern"
)

// notFound is the exit code with which a shell says that there is no such program.
const notFound = 127

// usageErrors are messages about how a program was called. They say nothing about the
// workspace.
var usageErrors = []pattern{
	lazy(`(?i)\b(?:unknown|unrecognized|unsupported|invalid|illegal|unexpected|no such) ` +
		`(?:shorthand |command[- ]line )?(?:command|subcommand|flag|option|switch|argument|parameter)s?\b`),
	lazy(`(?i)\bflags? provided but not defined\b`),
	lazy(`(?i)\bthe following (?:required )?arguments (?:are required|were not provided)\b`),
	lazy(`(?i)\b(?:requires at least|accepts (?:at most )?|requires exactly |expected one of)\s*\d* ?arg(?:ument)?`),
	lazy(`(?i)\bfound argument '.*' which wasn't expected\b`),
	lazy(`(?i)^(?:[\w.-]+: )?(?:error: )?(?:usage:|missing (?:script|required argument|operand))`),
	lazy(`^(?:[\w.-]+: )?(?:ERROR: )?(?:file or directory not found|not found): \S+`),
	lazy(`: error: argument \S+: `),
	lazy("No rule to make target [`'][^'`]+'\\.?\\s*(?:Stop|$)"),
}

// isUsage reports whether a message is about how a program was called.
func isUsage(message string) bool {
	return slices.ContainsFunc(usageErrors, func(p pattern) bool { return p.MatchString(message) })
}

// ofProject returns the errors that say something about the workspace. These are not:
// that a program is missing or was called in a wrong way, what code says that is given on
// the command line or lies outside the workspace, and what a program says that is no
// compiler, linter, test runner, package manager or script of the workspace, unless it
// names a file of the workspace.
func (c Command) ofProject(t *transcript, errors []Error) []Error {
	return slices.DeleteFunc(errors, func(e Error) bool {
		if t.code() == notFound && e.Path == "" || e.Path == "" && isUsage(e.Summary) {
			return true
		}
		t.step = c.opening(e)
		switch {
		case strings.HasPrefix(t.step.Script, "inline:"):
			return true
		case t.outside():
			return true
		case c.missesModule(t.step, e):
			return true
		}
		return e.Path == "" && c.foreign(t.step)
	})
}

// outside reports whether the step runs in a folder outside the workspace, or a script
// that lies there.
func (t *transcript) outside() bool {
	if t.out.Root == "" {
		return false
	}
	if !below("", within(t.out.Root, joinDir(slashed(t.out.Cwd), t.step.Dir))) {
		return true
	}
	return t.step.scriptIsFile(&t.family().covers) && !below("", t.path(t.step.Script))
}

// missesModule reports whether an error says that the module which python -m was to run
// is not installed.
func (c Command) missesModule(s Step, e Error) bool {
	_, name, found := strings.Cut(e.Summary, "No module named ")
	if !found {
		return false
	}
	name = strings.Trim(first(strings.Fields(name)), `'";.`)
	module := optionValue(s.Args, "-m")
	return name == s.Tool || module != "" && (name == module || strings.HasPrefix(name, module+".__main__"))
}

// foreign reports whether the program of a step is unknown and no script of the workspace.
func (c Command) foreign(s Step) bool {
	if s.Category != Runtime || s.Tool != s.Program || c.tools.names[s.Tool] != nil {
		return false
	}
	_, known := c.tools.tool(s.Program)
	return !known && !isScript(s.Script)
}

// scriptEndings are the endings of scripts that an unknown program may run.
var scriptEndings = expression.SetOf(`.sh .bash .zsh .fish .py .rb .pl .php .lua .js .mjs .cjs .ts .mts .jl .r .ex ` +
	`.exs .clj ` +
	`.groovy .kts .tcl .ps1 .bat .cmd .awk .swift .scala .raku .nu`)

// isScript reports whether the first operand of an unknown program is a script: a path whose ending,
// if it has one, is that of a script.
func isScript(name string) bool {
	if ending := extension(name); ending != "" {
		return scriptEndings.Has(ending)
	}
	return strings.ContainsAny(name, `/\`)
}

// onlyFolder matches the complaint of a shell that a folder is not there.
var onlyFolder = lazy(`^(?:\S*sh: )?(?:line \d+: )?cd: .*(?:No such file or directory|Not a directory|` +
	`no such file or directory: .*)$`)

// neverRan reports whether the output only says that a folder was not there, so that nothing behind
// it has run.
func (t *transcript) neverRan() bool {
	lines := 0
	for _, line := range t.lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if lines++; lines > 1 || !onlyFolder.MatchString(strings.TrimSpace(line)) {
			return false
		}
	}
	return lines == 1
}

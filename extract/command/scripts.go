package command

import (
	"strings"

	expression "github.com/wm-lsp/wm-lsp/extract/pattern"
)

// shellTool is the Tool of the error that the shell did not find a program.
const shellTool = "shell"

var (
	// shellsAndScripts are the interpreters that also run what they get as input.
	shellsAndScripts = &family{
		category: Runtime,
		runs: []run{
			{programs: "bash", versioned: true},
			{programs: "sh zsh"},
			{programs: "ruby perl php", versioned: true},
		},
		recognises: recognition{begin: (*registry).beginScript, input: true},
		reads:      reading{readers: []*reader{scripts}, mixed: true},
		covers:     coverage{scriptIsFile: true},
	}
	otherScripts = &family{
		category:   Runtime,
		runs:       []run{{programs: "lua", versioned: true}, {programs: "Rscript julia"}},
		recognises: recognition{begin: (*registry).beginScript},
		covers:     coverage{scriptIsFile: true},
	}
	// javaScriptRuntimes run scripts, beside subcommands.
	javaScriptRuntimes = &family{
		category:   Runtime,
		runs:       []run{{programs: "deno bun"}},
		recognises: recognition{begin: (*registry).beginScript},
	}
)

var (
	scripts = &reader{
		stage: deaths,
		marks: []string{":in ", " line ", "yntax error", "unexpected EOF"},
		read:  readScripts,
	}
	// shells reads that a shell did not find a program, whatever the step runs.
	shells = &reader{
		marks: []string{"command not found", "not found", "No such file", "Permission denied"},
		read:  readShell,
	}
)

// beginScript understands an interpreter with a script or with code. A program
// whose subcommand belongs to another family is none.
func (r *registry) beginScript(s *Step) bool {
	if r.subcommands[s.Program][first(s.Args)].family != nil {
		return false
	}
	for i, arg := range s.Args {
		switch {
		case arg == "-e" || arg == "-r" || arg == "-c":
			s.Script = inline(strings.Join(s.Args[i+1:], " "))
			return true
		case s.Program == javaName && (arg == "-cp" || arg == "-classpath" || arg == "-jar"):
			s.Script = strings.Join(s.Args[i:], " ")
			return true
		case !strings.HasPrefix(arg, "-"):
			s.Script = strings.TrimPrefix(arg, "./")
			s.Scope = operands(s.Args[i+1:], "")
			return true
		}
	}
	return true
}

// shellCode returns the code of bash -c '…' and the options of the shell.
func (r *registry) shellCode(words []string) (code string, options []string, ok bool) {
	switch name := r.programName(words[0]); {
	case name == "eval":
		return strings.Join(words[1:], " "), nil, len(words) > 1
	case !isShell.Has(name) || name == "ash":
		return "", nil, false
	}
	for i, word := range words[1:] {
		if !strings.HasPrefix(word, "-") && word != "pipefail" {
			return "", nil, false
		}
		if strings.HasSuffix(word, "c") && !strings.HasPrefix(word, "--") && i+2 < len(words) {
			return words[i+2], words[1 : i+2], true
		}
	}
	return "", nil, false
}

var (
	// Ruby: a.rb:3:in `total': bad price (ArgumentError)
	rubyError = lazy(`^(.+?):(\d+):in [\x60'](?:.*)': (.*) \(([A-Z]\w*(?:::\w+)*)\)$`)
	// Perl: bad price at a.pl line 3.
	perlError = lazy(`^(.+) at (\S+) line (\d+)\.$`)
	// bash: line 1: syntax error near unexpected token
	shellSyntax = lazy(`^(.*?): (?:-c: )?(?:line )?(\d+): ((?:[Ss]yntax error|unexpected EOF).*)$`)
	// a command in a script: ./build.sh: line 4: cd: nowhere: No such file or directory
	shellLine = lazy(`^(\S+): line (\d+): (\S+: .+)$`)
	isShell   = expression.SetOf("bash sh zsh dash ash ksh")
)

// readScripts reads how a Ruby, Perl or shell script died.
func readScripts(t *transcript) []Error {
	for _, line := range t.lines {
		if match := rubyError.FindStringSubmatch(line); match != nil && strings.HasSuffix(line, ")") {
			return []Error{t.scriptError("ruby", match[1], match[2], match[4]+": "+match[3])}
		}
		if match := shellSyntax.FindStringSubmatch(line); match != nil && strings.Contains(line, "rror") {
			file := match[1]
			if isShell.Has(t.tools.programName(file)) { // no script
				file = ""
			}
			return []Error{t.scriptError(shellTool, file, match[2], match[3])}
		}
		if match := shellLine.FindStringSubmatch(line); match != nil && !isShell.Has(t.tools.programName(match[1])) {
			return []Error{t.scriptError(shellTool, match[1], match[2], match[3])}
		}
	}
	if t.step.Program != "perl" {
		return nil
	}
	for _, line := range t.lines {
		if match := perlError.FindStringSubmatch(line); match != nil {
			return []Error{t.scriptError("perl", match[2], match[3], match[1])}
		}
	}
	return nil
}

// scriptError is an error of a script; "-e" is code that was given on the command
// line and has no file.
func (t *transcript) scriptError(tool, file, line, message string) Error {
	number, _ := digits(line)
	if file == "-e" || file == "-c" || file == "" {
		file, number = "", 0
	}
	return t.error(Runtime, tool, file, number, message)
}

var missing = lazy(`^(?:\S*/)?(?:bash|sh|zsh|dash|ash|ksh|env): (?:-c: )?(?:line )?(?:\d+: )?(?:exec: )?` +
	`['‘]?([^:'’]+?)['’]?: ` +
	`(command not found|not found|No such file or directory|[Pp]ermission denied|cannot execute.*)$`)

// readShell reads that the shell did not find the program. Only a program that
// checks something is missed.
func readShell(t *transcript) []Error {
	if code := t.out.ExitCode; code != nil && *code != 126 && *code != 127 && *code != 1 && *code != 2 {
		return nil
	}
	for _, line := range t.lines {
		match := missing.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		name := t.tools.programName(match[1])
		if t.tools.quiet[name] || (t.out.ExitCode == nil || *t.out.ExitCode < 126) && name != t.step.Program {
			continue
		}
		return []Error{t.error(Runtime, shellTool, "", 0, match[1]+": "+match[2])}
	}
	return nil
}

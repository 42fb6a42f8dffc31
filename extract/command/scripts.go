package command

import "strings"

var (
	// Ruby: a.rb:3:in `total': bad price (ArgumentError)
	rubyError = lazy(`^(.+?):(\d+):in [\x60'](?:.*)': (.*) \(([A-Z]\w*(?:::\w+)*)\)$`)
	// Perl: bad price at a.pl line 3.
	perlError = lazy(`^(.+) at (\S+) line (\d+)\.$`)
	// bash: line 1: syntax error near unexpected token
	shellSyntax = lazy(`^(.*?): (?:-c: )?(?:line )?(\d+): ((?:[Ss]yntax error|unexpected EOF).*)$`)
	// a command in a script: ./build.sh: line 4: cd: nowhere: No such file or directory
	shellLine = lazy(`^(\S+): line (\d+): (\S+: .+)$`)
	isShell   = words("bash sh zsh dash ash ksh")
)

// readScripts reads how a Ruby, Perl or shell script died.
func readScripts(t *transcript) []Error {
	for _, line := range t.lines {
		if match := rubyError.FindStringSubmatch(line); match != nil && strings.HasSuffix(line, ")") {
			return []Error{t.scriptError("ruby", match[1], match[2], match[4]+": "+match[3])}
		}
		if match := shellSyntax.FindStringSubmatch(line); match != nil && strings.Contains(line, "rror") {
			file := match[1]
			if isShell[programName(file)] { // no script
				file = ""
			}
			return []Error{t.scriptError("shell", file, match[2], match[3])}
		}
		if match := shellLine.FindStringSubmatch(line); match != nil && !isShell[programName(match[1])] {
			return []Error{t.scriptError("shell", match[1], match[2], match[3])}
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

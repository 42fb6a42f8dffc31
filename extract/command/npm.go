package command

import (
	"slices"
	"strings"
)

// npmChatter are the lines of npm's errors that do not say what went wrong.
var npmChatter = lazy(`^(?:code |errno |syscall |path |dest |command |workspace |location |stack |signal |A complete log|This is (?:probably )?not|To see a list|Did you mean|  |Lifecycle script|Exit status|Failed at the|There is likely|node_modules|Found: |Could not resolve|Conflicting peer|Fix the upstream|For a full report|\d{4}-|@?\S+@\S+ \S+: ` + "`" + `|\S+@\S+ \w+: )`)

// readNPM reads the errors of npm, pnpm and yarn themselves, such as a script
// that does not exist. That a script failed is for its own output to say.
func readNPM(t *transcript) []Error {
	var messages, codes []string
	for _, line := range t.lines {
		message, ok := npmMessage(line)
		if !ok || strings.TrimSpace(message) == "" {
			continue
		}
		if code, ok := strings.CutPrefix(message, "code "); ok {
			codes = append(codes, code)
		}
		if !npmChatter.MatchString(message) {
			messages = append(messages, message)
		}
	}
	if len(messages) == 0 || slices.Contains(codes, "ELIFECYCLE") {
		return nil
	}
	category := t.step.Category
	if category == "" || category == Test || category == Lint || category == Typecheck {
		category = Runtime
	}
	return []Error{t.error(category, "npm", "", 0, messages[0])}
}

func npmMessage(line string) (string, bool) {
	for _, prefix := range []string{"npm error ", "npm ERR! ", " ERR_PNPM_", "➤ YN0001: "} {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			if prefix == " ERR_PNPM_" {
				return "ERR_PNPM_" + rest, !strings.HasPrefix(rest, "RECURSIVE_RUN")
			}
			return rest, true
		}
	}
	rest, ok := strings.CutPrefix(line, "error Command ")
	return "Command " + rest, ok && strings.Contains(rest, "not found")
}

var missing = lazy(`^(?:\S*/)?(?:bash|sh|zsh|dash|ash|ksh|env): (?:-c: )?(?:line )?(?:\d+: )?(?:exec: )?['‘]?([^:'’]+?)['’]?: (command not found|not found|No such file or directory|[Pp]ermission denied|cannot execute.*)$`)

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
		name := programName(match[1])
		if quietPrograms[name] || (t.out.ExitCode == nil || *t.out.ExitCode < 126) && name != t.step.Program {
			continue
		}
		return []Error{t.error(Runtime, "shell", "", 0, match[1]+": "+match[2])}
	}
	return nil
}

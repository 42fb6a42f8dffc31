package command

import (
	"slices"
	"strings"
	"sync"

	"github.com/reviewdog/errorformat"
	"github.com/reviewdog/errorformat/fmts"
)

// formats are the tools whose output errorformat reads, each compiled when it is
// first needed. Those of its formats that look whether a file exists, and those
// that have a reader of their own, are left out.
var formats = sync.OnceValue(func() map[string]func() *errorformat.Errorformat {
	table := map[string]func() *errorformat.Errorformat{}
	for name, format := range fmts.DefinedFmts() {
		if _, own := families()[name]; own || slices.ContainsFunc(format.Errorformat, looksForFiles.MatchString) {
			continue
		}
		table[name] = sync.OnceValue(func() *errorformat.Errorformat { return compileFormat(format) })
	}
	return table
})

// looksForFiles finds the prefixes of a format that push and pop files.
var looksForFiles = lazy(`^%[-+]?[OPQ]`)

func compileFormat(format *fmts.Fmt) *errorformat.Errorformat {
	compiled, err := errorformat.NewErrorformat(format.Errorformat)
	if err != nil {
		return nil
	}
	return compiled
}

// errorformatOf returns a reader for the tool, nil if errorformat does not know it.
func errorformatOf(tool string) func(*transcript) []Error {
	format, ok := formats()[tool]
	if !ok {
		return nil
	}
	return func(t *transcript) []Error {
		compiled := format()
		if compiled == nil {
			return nil
		}
		return t.errorformat(compiled)
	}
}

// maxEntries bounds what errorformat is asked to read, which costs it the most.
const maxEntries = 4 * MaxErrors

func (t *transcript) errorformat(compiled *errorformat.Errorformat) []Error {
	scanner := compiled.NewScanner(strings.NewReader(t.candidates()))
	var found []finding
	for scanner.Scan() && len(found) < maxEntries {
		entry := scanner.Entry()
		text := strings.TrimSpace(entry.Text)
		note := entry.Type == 'N' || entry.Type == 'n' || entry.Type == 'I' || entry.Type == 'i'
		if !entry.Valid || entry.Filename == "" || text == "" || note {
			continue
		}
		warning := entry.Type == 'W' || entry.Type == 'w' || strings.HasPrefix(text, "[warning]") || strings.HasPrefix(text, "warning")
		if t.step.Tool == "flake8" || t.step.Tool == "pep8" {
			// errorformat takes the rule of the message for a number.
			_, _, text, _ = position(entry.Lines[0])
			warning = false
		}
		text = mypyCode.ReplaceAllString(text, "")
		file, line := entry.Filename, entry.Lnum
		if name, number, rest, ok := position(file); ok && rest == "" {
			file, line = name, number // the format took the line for the column
		}
		found = append(found, finding{t.error(t.step.Category, t.step.Tool, file, line, text), warning})
	}
	return failures(found)
}

var mypyCode = lazy(`  \[[a-z]+(?:-[a-z]+)*\]$`)

// candidates are the lines that can hold a position, or continue one: the others
// are not worth a dozen regular expressions each.
func (t *transcript) candidates() string {
	var b strings.Builder
	kept := 0
	for _, line := range t.lines {
		if kept == maxEntries {
			break
		}
		if line == "" || !strings.ContainsAny(line, "0123456789") && !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "error") && !strings.HasPrefix(line, "ERROR") {
			continue
		}
		kept++
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

var (
	// pylint: a.py:1:0: C0114: Missing docstring (missing-docstring)
	pylintMessage = lazy(`^([CRWEF]\d{4}): (.*?)(?: \(([a-z0-9-]+)\))?$`)
	// ruff and flake8: a.py:1:1: F401 [*] `os` imported but unused
	ruffMessage = lazy(`^([A-Z]{1,4}\d{3,4}) (?:\[\*\] )?(.*)$`)
	// ruff's full form: F401 [*] message, then " --> a.py:1:8"
	ruffPlace = lazy(`^\s+--> (.+):(\d+):\d+$`)
	// pyright:   /a.py:1:8 - error: message (rule)
	pyrightMessage = lazy(`^\s+(\S.*\.pyi?):(\d+):\d+ - (error|warning): (.*?)(?: \(report\w+\))?$`)
)

// readPythonChecks reads ruff, pylint, pyright, and mypy and flake8 where
// another program runs them.
func readPythonChecks(t *transcript) []Error {
	var found []finding
	add := func(category Category, tool, file string, line int, message string, warning bool) {
		found = append(found, finding{t.error(category, tool, file, line, message), warning})
	}
	for i, line := range t.lines {
		if len(found) >= maxEntries {
			break
		}
		if !strings.Contains(line, ".py") {
			continue
		}
		if match := pyrightMessage.FindStringSubmatch(line); match != nil {
			number, _ := digits(match[2])
			add(Typecheck, "pyright", match[1], number, match[4], match[3] == "warning")
			continue
		}
		if match := ruffPlace.FindStringSubmatch(line); match != nil && i > 0 {
			if ruffHead := ruffFull.FindStringSubmatch(t.lines[i-1]); ruffHead != nil {
				number, _ := digits(match[2])
				add(Lint, "ruff", match[1], number, ruffHead[1]+" "+ruffHead[2], false)
			}
			continue
		}
		file, number, message, ok := position(line)
		if !ok || !strings.HasSuffix(file, ".py") && !strings.HasSuffix(file, ".pyi") {
			continue
		}
		if match := pylintMessage.FindStringSubmatch(message); match != nil {
			add(Lint, "pylint", file, number, match[1]+": "+match[2], false)
		} else if match := ruffMessage.FindStringSubmatch(message); match != nil {
			add(Lint, t.lintTool("ruff"), file, number, match[1]+" "+match[2], false)
		} else if text, ok := strings.CutPrefix(message, "error: "); ok {
			add(Typecheck, t.lintTool("mypy"), file, number, mypyCode.ReplaceAllString(text, ""), false)
		}
	}
	return failures(found)
}

var ruffFull = lazy(`^([A-Z]{1,4}\d{3,4}|invalid-syntax:?) (?:\[\*\] )?(.*)$`)

// lintTool is the tool of the step if it checks Python, else the given one.
func (t *transcript) lintTool(name string) string {
	switch t.step.Tool {
	case "ruff", "flake8", "pep8", "mypy", "pylint":
		return t.step.Tool
	}
	return name
}

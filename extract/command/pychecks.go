package command

import "strings"

const (
	ruffName    = "ruff"
	pylintName  = "pylint"
	pyrightName = "pyright"
	mypyName    = "mypy"

	ruffFormatName = "ruff format"
)

var (
	ruff = &family{
		name: ruffName, category: Lint,
		runs: []run{{
			programs: "ruff",
			valued:   "--config --select --ignore --output-format --line-length --target-version --exclude",
		}},
		recognises: recognition{words: (*Step).ruffWords, verbs: "check format", formats: "--fix"},
		reads:      reading{readers: []*reader{pythonChecks, tracebacks}, python: true},
		clears:     clearance{servers: "Ruff"},
	}
	ruffFormat = &family{name: ruffFormatName, category: Lint, recognises: recognition{formats: always}}
	pylint     = &family{
		name: pylintName, category: Lint,
		runs: []run{{
			programs: "pylint", valued: "--rcfile -d --disable -e --enable -f --output-format -j --jobs",
		}},
		reads:  reading{readers: []*reader{pythonChecks, tracebacks}, python: true},
		clears: clearance{servers: "pylint Pylint"},
	}
	pyright = &family{
		name: pyrightName, category: Typecheck,
		runs: []run{
			{programs: "pyright", valued: "-p --project --pythonversion --level"},
			{programs: "basedpyright", valued: "-p --project"},
		},
		reads:  reading{readers: []*reader{pythonChecks}},
		clears: clearance{servers: "Pyright Pylance basedpyright"},
	}
	mypy = &family{
		name: mypyName, category: Typecheck,
		runs: []run{
			{
				programs: "mypy",
				valued:   "--config-file -p --package -m --module --python-version --cache-dir --exclude",
			},
			{programs: "dmypy", subcommands: "run check", valued: "--timeout --log-file --export-types"},
		},
		reads:  reading{python: true},
		clears: clearance{servers: "mypy Mypy"},
	}
	flake8 = &family{
		name: "flake8", category: Lint,
		runs: []run{
			{programs: "flake8", valued: "--config --select --ignore --max-line-length --exclude --format"},
			{programs: "pyflakes"},
		},
		reads:  reading{python: true, rulesFirst: true},
		clears: clearance{servers: "flake8 Flake8 pyflakes"},
	}
	pep8 = &family{
		name: "pep8", category: Lint,
		runs: []run{
			{programs: "pycodestyle", valued: "--config --select --ignore --max-line-length --exclude"},
			{programs: "pep8"},
		},
		reads:  reading{python: true, rulesFirst: true},
		clears: clearance{servers: "pycodestyle"},
	}
)

var pythonChecks = &reader{marks: []string{".py"}, read: readPythonChecks}

// ruffWords reads the arguments of ruff: to format is another tool.
func (s *Step) ruffWords(how run, args []string) {
	s.options(how, args)
	if first(args) == "format" {
		s.Tool = ruffFormatName
	}
}

var (
	// pylint: a.py:1:0: C0114: Missing docstring (missing-docstring)
	pylintMessage = lazy(`^([CRWEF]\d{4}): (.*?)(?: \(([a-z0-9-]+)\))?$`)
	// ruff and flake8: a.py:1:1: F401 [*] `os` imported but unused
	ruffMessage = lazy(`^([A-Z]{1,4}\d{3,4}) (?:\[\*\] )?(.*)$`)
	// ruff's full form: F401 [*] message, then " --> a.py:1:8"
	ruffPlace = lazy(`^\s+--> (.+):(\d+):\d+$`)
	// pyright:   /a.py:1:8 - error: message (rule); the rule stands behind the reasons below, if there are some
	pyrightMessage = lazy(`^\s+(\S.*\.pyi?):(\d+):\d+ - (error|warning): (.*)$`)
	pyrightRule    = lazy(` \(report\w+\)$`)
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
			message := pyrightRule.ReplaceAllString(match[4]+t.reasons(i+1, "    "), "")
			add(Typecheck, pyrightName, match[1], number, message, match[3] == "warning")
			continue
		}
		if match := ruffPlace.FindStringSubmatch(line); match != nil && i > 0 {
			if ruffHead := ruffFull.FindStringSubmatch(t.lines[i-1]); ruffHead != nil {
				number, _ := digits(match[2])
				add(Lint, ruffName, match[1], number, ruffHead[1]+" "+ruffHead[2], false)
			}
			continue
		}
		file, number, message, ok := position(line)
		if !ok || !strings.HasSuffix(file, ".py") && !strings.HasSuffix(file, ".pyi") {
			continue
		}
		if match := pylintMessage.FindStringSubmatch(message); match != nil {
			add(Lint, pylintName, file, number, match[1]+": "+match[2], false)
		} else if match := ruffMessage.FindStringSubmatch(message); match != nil {
			add(Lint, t.lintTool(ruffName), file, number, match[1]+" "+match[2], false)
		} else if text, ok := strings.CutPrefix(message, "error: "); ok {
			add(Typecheck, t.lintTool(mypyName), file, number, mypyCode.ReplaceAllString(text, ""), false)
		}
	}
	return failures(found)
}

var ruffFull = lazy(`^([A-Z]{1,4}\d{3,4}|invalid-syntax:?) (?:\[\*\] )?(.*)$`)

// lintTool is the tool of the step if it checks Python, else the given one.
func (t *transcript) lintTool(name string) string {
	if t.family().reads.python {
		return t.step.Tool
	}
	return name
}

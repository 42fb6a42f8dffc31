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
			valued: "--config --select --ignore --output-format --line-length --target-version --exclude" +
				" --extend-select --extend-ignore --extend-exclude --per-file-ignores",
			looks: "-V -h --show-settings --show-files --add-noqa -w --watch",
		}},
		recognises: recognition{words: (*Step).ruffWords, verbs: "check format", formats: "--fix"},
		reads:      reading{readers: []*reader{pythonChecks, tracebacks}, python: true},
		covers: coverage{
			more: "--extend-select --isolated --preview", less: leavesOut + " --isolated --diff --fix-only",
			same: "--select --config --line-length --target-version",
		},
		clears: clearance{servers: "Ruff"},
	}
	ruffFormat = &family{name: ruffFormatName, category: Lint, recognises: recognition{formats: always}}
	pylint     = &family{
		name: pylintName, category: Lint,
		runs: []run{{
			programs: "pylint",
			valued: "--rcfile -d --disable -e --enable -f --output-format -j --jobs --ignore --ignore-patterns" +
				" --ignore-paths --fail-under --fail-on",
			looks: "-h --list-msgs --list-msgs-enabled --list-groups --generate-rcfile --generate-toml-config" +
				" --help-msg",
		}},
		reads: reading{readers: []*reader{pythonChecks, tracebacks}, python: true},
		covers: coverage{
			more: "-e --enable",
			less: "-E --errors-only -d --disable --exit-zero --ignore --ignore-patterns --ignore-paths --fail-under",
			same: "--rcfile",
		},
		clears: clearance{servers: "pylint Pylint"},
	}
	pyright = &family{
		name: pyrightName, category: Typecheck,
		runs: []run{
			{programs: "pyright", valued: pyrightOptions, looks: "-h"},
			{programs: "basedpyright", valued: pyrightOptions, looks: "-h"},
		},
		reads: reading{readers: []*reader{pythonChecks}},
		covers: coverage{
			more: "--warnings", less: "--level --skipunannotated",
			same: "-p --project --pythonversion --pythonplatform",
		},
		clears: clearance{servers: "Pyright Pylance basedpyright"},
	}
	mypy = &family{
		name: mypyName, category: Typecheck,
		runs: []run{
			{
				programs: "mypy",
				valued: "--config-file -p --package -m --module --python-version --platform --cache-dir --exclude" +
					" --disable-error-code --enable-error-code --follow-imports",
				looks: "-V -h",
			},
			{programs: "dmypy", subcommands: "run check", valued: "--timeout --log-file --export-types"},
		},
		recognises: recognition{words: (*Step).mypyWords},
		reads:      reading{python: true},
		covers: coverage{
			more: "--strict --strict-equality --check-untyped-defs --disallow-untyped-defs --disallow-incomplete-defs" +
				" --disallow-any-generics --disallow-untyped-calls --warn-return-any --warn-unused-ignores" +
				" --warn-redundant-casts --warn-unreachable --no-implicit-optional --enable-error-code",
			less: "--exclude --disable-error-code --ignore-errors --follow-imports",
			same: "--config-file --python-version --platform",
		},
		clears: clearance{servers: "mypy Mypy"},
	}
	flake8 = &family{
		name: "flake8", category: Lint,
		runs: []run{
			{
				programs: "flake8", looks: "-h --bug-report",
				valued: "--config --select --ignore --max-line-length --max-complexity --exclude --format" +
					" --extend-select --extend-ignore --extend-exclude --per-file-ignores",
			},
			{programs: "pyflakes"},
		},
		reads:  reading{python: true, rulesFirst: true},
		covers: ofPycodestyle,
		clears: clearance{servers: "flake8 Flake8 pyflakes"},
	}
	pep8 = &family{
		name: "pep8", category: Lint,
		runs: []run{
			{programs: "pycodestyle", valued: "--config --select --ignore --max-line-length --exclude"},
			{programs: "pep8"},
		},
		reads:  reading{python: true, rulesFirst: true},
		covers: ofPycodestyle,
		clears: clearance{servers: "pycodestyle"},
	}
)

const (
	// leavesOut are the options with which several linters leave rules or files out, or never fail.
	leavesOut = "--ignore --extend-ignore --per-file-ignores --exclude --extend-exclude --exit-zero"

	pyrightOptions = "-p --project --pythonversion --pythonplatform --level --threads"
)

// ofPycodestyle is what flake8 has of pycodestyle.
var ofPycodestyle = coverage{
	more: "--extend-select", less: leavesOut, same: "--select --config --max-line-length --max-complexity",
}

// mypyWords reads the arguments of mypy: packages and modules also stand in options.
func (s *Step) mypyWords(how run, args []string) {
	s.options(how, args)
	if name := optionValue(args, "-p --package"); name != "" {
		s.Scope = append(s.Scope, strings.ReplaceAll(name, ".", "/"))
	}
	if name := optionValue(args, "-m --module"); name != "" {
		s.Scope = append(s.Scope, strings.ReplaceAll(name, ".", "/")+".py")
	}
}

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

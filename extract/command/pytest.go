package command

import (
	"path"
	"slices"
	"strings"
)

const pytestName = "pytest"

var pytest = &family{
	name: pytestName, category: Test,
	runs: []run{
		{
			programs: "pytest", filters: "-k -m",
			valued: "-c --rootdir -o -p -n --numprocesses --dist -W --durations --maxfail --tb --junitxml --junit-xml" +
				" --cov-report --cov-config --color --ignore --ignore-glob --deselect --timeout --basetemp" +
				" --confcutdir -r --capture --log-level --log-cli-level",
			looks: pytestLooks, lists: pytestLists,
		},
		{
			programs: "py.test", filters: "-k -m", valued: "-c -o -p -n -W --maxfail --tb --ignore --deselect",
			looks: pytestLooks, lists: pytestLists,
		},
	},
	reads: reading{readers: []*reader{pytests, unittests, tracebacks}, idle: 5},
	covers: coverage{
		selects: selectsWord, concerns: pytestConcerns,
		more: "--doctest-modules --doctest-glob --runslow --run-slow -W",
		less: "--ignore --ignore-glob --deselect --testmon --picked",
	},
}

const (
	pytestLooks = "-V -h --fixtures --fixtures-per-test --markers --funcargs --cache-show"
	pytestLists = "--collect-only --collectonly --co --setup-plan --setup-only"
)

// pytestConcerns reports whether an option decides about an error: files, folders and tests are left out.
func pytestConcerns(s Success, option string, o Opener) bool {
	name, value, _ := strings.Cut(option, " ")
	file, test, _ := strings.Cut(value, "::")
	switch file = path.Join(s.Dir, file); {
	case name == "-W":
		return strings.HasPrefix(value, "error")
	case o.Path == "":
		return true
	case name == "--ignore", name == "--deselect" && test == "":
		return below(file, o.Path)
	case name == "--deselect":
		_, id, _ := strings.Cut(o.Test, "::")
		return o.Path == file && beginsWith(id, []string{test})
	}
	return true
}

var pytests = &reader{stage: tests, marks: []string{"=== ", "rror", "FAILED "}, read: readPytest}

// A section is what pytest prints about one failure under a line of underscores.
type section struct {
	// name is the text between the underscores.
	name    string
	message string
	frames  []frame
	taken   bool
}

// readPytest reads pytest's sections and its short summary: the summary has the
// full ids, the sections the whole messages.
func readPytest(t *transcript) []Error {
	sections := t.pytestSections()
	errors := t.pytestSummary(sections)
	if len(errors) == 0 || len(errors) < t.pytestTotal() {
		// A section beyond the total is the output of a test that runs pytest itself.
		running := t.pytestRunning()
		for _, s := range sections {
			if !s.taken && !enough(errors) {
				errors = append(errors, t.pytestSection(s, running))
			}
		}
	}
	if len(errors) == 0 {
		errors = t.pytestProgress()
	}
	if len(errors) == 0 && (strings.HasPrefix(t.step.Tool, pytestName) || t.has(" test session starts ")) {
		errors = t.pytestUsage()
	}
	return errors
}

// rule reads "==== FAILURES ====": the text inside a line of one character.
func rule(line string, char byte) (string, bool) {
	if len(line) < 3 || line[0] != char || line[len(line)-1] != char {
		return "", false
	}
	text := strings.Trim(line, string(char))
	if len(text) < 3 || text[0] != ' ' || text[len(text)-1] != ' ' || strings.Trim(text, "_ ") == "" {
		return "", false
	}
	return strings.TrimSpace(text), true
}

func (t *transcript) pytestSections() []*section {
	var sections []*section
	var current *section
	reading, captured := false, false
	// group is true if the line before began with E, syntax if such lines quote
	// code first and name the error last.
	var group, syntax bool
	for _, line := range t.lines {
		if title, ok := rule(line, '='); ok {
			reading = title == "FAILURES" || title == "ERRORS"
			current = nil
			continue
		}
		if !reading {
			continue
		}
		if title, ok := rule(line, '_'); ok {
			current = &section{name: title}
			sections = append(sections, current)
			captured, group = false, false
			continue
		}
		if current == nil {
			continue
		}
		if title, ok := rule(line, '-'); ok && strings.HasPrefix(title, "Captured ") {
			captured = true
		}
		if captured {
			continue
		}
		if text, ok := strings.CutPrefix(line, "E "); ok {
			text = strings.TrimSpace(text)
			if !group {
				syntax = strings.HasPrefix(text, `File "`)
			}
			if !group || syntax {
				current.message = text
			}
			syntax = syntax && !exception.MatchString(text)
			group = true
			continue
		}
		group = false
		current.place(line)
	}
	return sections
}

// place reads "tests/test_a.py:12: in test_x" and the frames of a plain traceback.
func (s *section) place(line string) {
	if f, ok := pythonFrame(line); ok {
		s.frames = append(s.frames, f)
		return
	}
	file, number, rest, ok := position(line)
	if ok && !strings.HasPrefix(line, ">") && !strings.Contains(file, " ") &&
		(strings.HasSuffix(file, ".py") || rest == "" || strings.HasPrefix(rest, "in ")) {
		s.frames = append(s.frames, frame{file, number})
		return
	}
	collecting := strings.HasPrefix(s.name, "ERROR collecting ") && strings.TrimSpace(line) != ""
	if s.message == "" && (collecting || exception.MatchString(line) && strings.Contains(line, "Error")) {
		s.message = line
	}
}

// pytestSummary reads the lines of the short test summary.
func (t *transcript) pytestSummary(sections []*section) []Error {
	var errors []Error
	byName := map[string][]*section{}
	for _, s := range sections {
		byName[s.name] = append(byName[s.name], s)
	}
	reading := false
	for _, line := range t.lines {
		if enough(errors) {
			break
		}
		if title, ok := rule(line, '='); ok {
			reading = strings.HasPrefix(title, "short test summary")
			continue
		}
		if !reading && !strings.Contains(line, "::") {
			continue
		}
		kind, rest, ok := strings.Cut(line, " ")
		if !ok || kind != "FAILED" && kind != "ERROR" ||
			!strings.Contains(rest, ".py") && !strings.Contains(rest, "::") && !reading {
			continue
		}
		id, message := splitNodeID(rest)
		if !reading && !nodeID.MatchString(id) {
			continue
		}
		s := matching(byName, kind, id)
		errors = append(errors, t.pytestFailure(id, message, s))
	}
	return errors
}

var nodeID = lazy(`^\S+\.\w+::\S`)

// splitNodeID cuts "a.py::test[x - y] - message" behind the id.
func splitNodeID(s string) (id, message string) {
	open := 0 // brackets of the parameters
	for from := 0; ; {
		i := strings.Index(s[from:], " - ")
		if i < 0 {
			return strings.TrimSpace(s), ""
		}
		open += strings.Count(s[from:from+i], "[") - strings.Count(s[from:from+i], "]")
		if open <= 0 {
			return strings.TrimSpace(s[:from+i]), strings.TrimSpace(s[from+i+3:])
		}
		from += i + 3
	}
}

// matching takes the section of a line of the summary. A test may have failed and
// then have had an error in its teardown.
func matching(sections map[string][]*section, kind, id string) *section {
	file, test, _ := strings.Cut(id, "::")
	name := strings.ReplaceAll(test, "::", ".")
	names := []string{name}
	if kind == "ERROR" {
		names = []string{"ERROR collecting " + file, "ERROR collecting " + id}
		if name != "" {
			names = append(names, "ERROR at setup of "+name, "ERROR at teardown of "+name)
		}
	}
	for _, name := range names {
		if found := sections[name]; len(found) > 0 {
			sections[name] = found[1:]
			found[0].taken = true
			return found[0]
		}
	}
	return nil
}

func (t *transcript) pytestFailure(id, message string, s *section) Error {
	file, _, _ := strings.Cut(id, "::")
	line := 0
	if s != nil && s.message != "" {
		message = s.message
	}
	if !strings.Contains(file, ".") || strings.HasSuffix(file, "/") {
		file = ""
	}
	if s != nil {
		if file == "" && len(s.frames) > 0 {
			file = s.frames[0].file
		}
		for _, f := range s.frames {
			if t.path(f.file) == t.path(file) {
				line = f.line
			}
		}
	}
	return t.failing(pytestName, id, file, line, message)
}

var (
	pytestFailed = lazy(`\b(\d+) failed\b`)
	pytestErrors = lazy(`\b(\d+) errors?\b`)
)

// pytestTotal is the number of failures and errors in the last line.
func (t *transcript) pytestTotal() int {
	for _, line := range slices.Backward(t.lines) {
		if !strings.Contains(line, " in ") || !pytestFailed.MatchString(line) && !pytestErrors.MatchString(line) {
			continue
		}
		total := 0
		for _, pattern := range []pattern{pytestFailed, pytestErrors} {
			if match := pattern.FindStringSubmatch(line); match != nil {
				number, _ := digits(match[1])
				total += number
			}
		}
		return total
	}
	return 0
}

// pytestRunning maps the names of sections to the ids that -v printed.
func (t *transcript) pytestRunning() map[string]string {
	ids := map[string]string{}
	for _, line := range t.lines {
		if !strings.Contains(line, "::") {
			continue
		}
		if match := progress.FindStringSubmatch(line); match != nil {
			_, test, _ := strings.Cut(match[1], "::")
			ids[strings.ReplaceAll(test, "::", ".")] = match[1]
		}
	}
	return ids
}

// pytestSection makes an error of a section, where there is no summary.
func (t *transcript) pytestSection(s *section, running map[string]string) Error {
	name := s.name
	if file, ok := strings.CutPrefix(name, "ERROR collecting "); ok {
		return t.pytestFailure(file, s.message, s)
	}
	for _, prefix := range []string{"ERROR at setup of ", "ERROR at teardown of "} {
		name = strings.TrimPrefix(name, prefix)
	}
	if id := running[name]; id != "" {
		return t.pytestFailure(id, s.message, s)
	}
	if len(s.frames) == 0 {
		return t.failing(pytestName, name, "", 0, s.message)
	}
	head, parameters, parametrized := strings.Cut(name, "[")
	id := strings.ReplaceAll(head, ".", "::")
	if parametrized {
		id += "[" + parameters
	}
	first := s.frames[0]
	if !t.inside(first.file) {
		first = t.innermost(s.frames)
	}
	if name != s.name {
		// The frames of a fixture say nothing about the file of the test.
		return t.failing(pytestName, id, first.file, first.line, s.message)
	}
	return t.failing(pytestName, t.path(first.file)+"::"+id, first.file, first.line, s.message)
}

var progress = lazy(`^(\S+::\S.*?) (?:FAILED|ERROR)(?: +\[ *\d+%\])?$`)

// pytestProgress reads the lines of -v, for an output that broke off.
func (t *transcript) pytestProgress() []Error {
	var errors []Error
	for _, line := range t.lines {
		if enough(errors) {
			break
		}
		if !strings.Contains(line, "::") {
			continue
		}
		if match := progress.FindStringSubmatch(line); match != nil {
			file, _, _ := strings.Cut(match[1], "::")
			errors = append(errors, t.failing(pytestName, match[1], file, 0, "failed"))
		}
	}
	return errors
}

// pytestUsage reads why pytest did not get to run tests.
func (t *transcript) pytestUsage() []Error {
	var last string
	for i, line := range t.lines {
		if message, ok := strings.CutPrefix(line, "INTERNALERROR> "); ok {
			if exception.MatchString(message) {
				last = message
			}
			continue
		}
		if strings.HasPrefix(line, "ImportError while loading conftest") {
			message := line
			for _, next := range t.lines[i+1:] {
				if text, ok := strings.CutPrefix(next, "E "); ok {
					message += " " + strings.TrimSpace(text)
					break
				}
			}
			return []Error{t.error(Test, pytestName, between(line, "'", "'"), 0, message)}
		}
		if message, ok := strings.CutPrefix(line, "ERROR: "); ok && last == "" {
			return []Error{t.error(Test, pytestName, "", 0, "pytest: "+message)}
		}
	}
	if last == "" {
		return nil
	}
	return []Error{t.error(Test, pytestName, "", 0, "pytest: internal error: "+last)}
}

// between is the text between the first pair of marks, "" if there is none.
func between(s, from, to string) string {
	_, rest, ok := strings.Cut(s, from)
	if !ok {
		return ""
	}
	inner, _, ok := strings.Cut(rest, to)
	if !ok {
		return ""
	}
	return inner
}

// findsByName matches the names of the files that pytest finds by itself.
var findsByName = lazy(`(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$`)

// givenToPytest returns the files that pytest runs only because it is given them.
func (s Step) givenToPytest() []string {
	var files []string
	for _, file := range s.Scope {
		file, _, _ = strings.Cut(file, "::")
		if s.Tool == pytestName && extension(file) == ".py" && !findsByName.MatchString(file) {
			files = append(files, file)
		}
	}
	return files
}

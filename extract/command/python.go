package command

import (
	"slices"
	"strings"
)

const (
	pythonName   = "python"
	unittestName = "unittest"

	pythonOptions = "-W -X -Q --check-hash-based-pycs"
)

var (
	// python is Python, for what its modules and scripts are not tools of their own.
	python = &family{
		name: pythonName, category: Runtime,
		runs: []run{{programs: "python pypy", aliases: "py", versioned: true}},
		recognises: recognition{
			begin: (*registry).beginPython, ending: ".py", script: (*Step).pythonScript,
			input: true, wraps: pythonWrappers, installs: pythonInstallers,
		},
		reads:  reading{readers: []*reader{doctests, unittests, pytests, tracebacks}, mayTest: true},
		covers: coverage{scriptIsFile: true, holds: labelHolds},
	}
	unittest = &family{
		name: unittestName, category: Test,
		runs: []run{
			{
				programs: "unittest", filters: "-k",
				valued: "-s --start-directory -p --pattern -t --top-level-directory",
			},
			{programs: "nose2 nosetests"},
		},
		recognises: recognition{verbs: "discover"},
		reads:      reading{readers: []*reader{unittests, tracebacks}},
		covers: coverage{
			scope: scopeLabels, holds: labelHolds, selects: selectsWord,
			same: "-s --start-directory -p --pattern",
		},
	}
	pip = inParts("pip", Build, run{programs: "pip", global: true, versioned: true})
)

var (
	unittests  = &reader{stage: tests, marks: []string{"======\n", "\n______"}, read: readUnittest}
	doctests   = &reader{stage: tests, marks: []string{"\nFailed example:\n"}, read: readDoctest}
	tracebacks = &reader{
		stage: deaths,
		marks: []string{"Traceback (most recent call last)", "Error: ", "No module named", "can't open file"},
		read:  readTraceback,
	}
)

// pythonCoverage runs a script or a module.
var pythonCoverage = wrapper{
	programs: "coverage", sub: "run", command: covered,
	valued: "--source --include --omit --rcfile --data-file --concurrency",
}

var (
	pythonWrappers = []wrapper{
		pythonCoverage,
		{programs: "uvx", valued: "--from --with -p --python"},
		{
			programs: "uv", sub: "run",
			valued: "--with --extra --group --python -p --project --directory --env-file --with-requirements" +
				" --package --only-group --no-group",
		},
		{programs: "poetry", sub: "run", valued: "-C --directory"},
		{programs: "pipenv hatch rye", sub: "run"},
		{programs: "pdm", sub: "run", valued: "-p --project"},
		{programs: "pixi", sub: "run", valued: "-e --environment"},
		{programs: "conda mamba", sub: "run", valued: "-n --name -p --prefix"},
	}
	pythonInstallers = []installer{
		{
			programs: "pip", verbs: []string{"install"},
			valued: []string{
				"-r", "--requirement", "-c", "--constraint", "-i", "--index-url", "-t", "--target", "-e", "--editable",
			},
		},
		{
			programs: "uv", verbs: []string{"add", "pip install"},
			valued: []string{"--index", "--extra", "--group", "-r"},
		},
		{programs: "poetry", verbs: []string{"add"}, valued: []string{"--group", "-G", "--extras", "-E"}},
		{programs: "conda", verbs: []string{"install"}, valued: []string{"-n", "--name", "-c", "--channel"}},
	}
)

// covered is the Python command that coverage runs: a script or a module.
func covered(before, inner []string) []string {
	if slices.Contains(before, "-m") {
		return append([]string{pythonName, "-m"}, inner...)
	}
	return append([]string{pythonName}, inner...)
}

// beginPython understands python -m module, python -c code and python script.
func (r *registry) beginPython(s *Step) bool {
	r.python(s)
	return true
}

func (r *registry) python(s *Step) {
	s.Program, s.Tool = pythonName, pythonName
	for i := 0; i < len(s.Args); i++ {
		arg := s.Args[i]
		rest := s.Args[min(i+1, len(s.Args)):]
		switch {
		case strings.Contains(" "+pythonOptions+" ", " "+arg+" "):
			i++
		case arg == "-m":
			r.pythonModule(s, rest)
			return
		case arg == "-c":
			s.Script = inline(first(rest))
			return
		case arg == "-":
			return
		case strings.HasPrefix(arg, "-"):
		default:
			s.pythonScript(arg)
			s.Scope = operands(rest, pythonValued)
			return
		}
	}
}

// pythonValued are options of common test scripts that take a value.
const pythonValued = "--settings --parallel -v --verbosity -k --tag --exclude-tag -p"

// pythonScript makes the step a run of a script of the project.
func (s *Step) pythonScript(file string) {
	s.Script = scriptName(file)
	s.Program, s.Tool, s.Category = pythonName, pythonName, Runtime
	s.Scope = operands(s.Args, pythonValued)
	manages := strings.HasSuffix(s.Script, "manage.py")
	if strings.HasSuffix(s.Script, "runtests.py") || manages && first(s.Scope) == "test" {
		s.Category = Test
	}
	s.Filter = optionValue(s.Args, "-k")
}

// pythonModule understands what follows python -m.
func (r *registry) pythonModule(s *Step, args []string) {
	name := first(args)
	rest := args[min(1, len(args)):]
	switch name {
	case pythonCoverage.programs:
		inner, _, ok := pythonCoverage.inside(rest)
		if ok {
			s.Args = inner
			if strings.Contains(strings.Join(rest, " "), " -m ") {
				s.Args = append([]string{"-m"}, inner...)
			}
			r.python(s)
			return
		}
		s.Category = ""
		return
	case "json.tool", "http.server", "site", "sysconfig", "timeit", "zipfile", "tarfile", "this", "pydoc",
		"inspect":
		s.Category = ""
		return
	}
	if tool, ok := r.tool(name); ok {
		s.Program = name
		s.use(tool.family, tool.how, rest)
		s.Args = rest
		return
	}
	s.Script = "-m " + name
	s.Scope = operands(rest, "")
}

// labelHolds reports whether a label names the test of an error, or a part of the
// package that holds it.
func labelHolds(_ Success, item string, o Opener) bool {
	label := strings.TrimSuffix(strings.ReplaceAll(item, "/", "."), ".py")
	return o.Test == label || strings.HasPrefix(o.Test, label+".")
}

var plainWords = lazy(`^\w+(?: or \w+)*$`)

// selectsWord applies pytest's -k where it is one word or a choice of words.
func selectsWord(filter, test string) bool {
	if !plainWords.MatchString(filter) {
		return false
	}
	return slices.ContainsFunc(strings.Split(filter, " or "), func(word string) bool {
		return strings.Contains(strings.ToLower(test), strings.ToLower(word))
	})
}

// A frame is one place of a stack trace.
type frame struct {
	file string
	line int
}

// pythonFrame reads `  File "a.py", line 3, in f`.
func pythonFrame(line string) (frame, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t|"), `File "`)
	if !ok {
		return frame{}, false
	}
	file, rest, ok := strings.Cut(rest, `", line `)
	if !ok {
		return frame{}, false
	}
	number, _ := digits(rest)
	return frame{file, number}, number > 0
}

// exception is the final line of a traceback: a dotted name that begins like a
// class, and mostly a message.
var exception = lazy(`^(?:[A-Za-z_]\w*\.)*` +
	`(?:_*[A-Z]\w*[a-z]\w*|[a-z_]\w*(?:error|exception|Error|Exception)|error|exception)(?:: .*|:$|$)`)

// A traceback is one Python traceback: its frames and its final exception line.
type traceback struct {
	frames  []frame
	message string
	// end is the index of the line after it.
	end int
}

const tracebackHeader = "Traceback (most recent call last):"

// readOneTraceback reads a traceback that starts at the line and broke off where
// the next one starts. Chained exceptions are followed to the last one, which is the
// one that was raised.
func readOneTraceback(lines []string, start int) (traceback, bool) {
	header := strings.Index(lines[start], tracebackHeader)
	if header < 0 {
		return traceback{}, false
	}
	margin := leading(lines[start][:header])
	found := traceback{end: start + 1}
	for i := start + 1; i < len(lines) && !strings.Contains(lines[i], tracebackHeader); i++ {
		line := strings.TrimPrefix(lines[i], margin)
		if f, ok := pythonFrame(line); ok {
			found.frames = append(found.frames, f)
			continue
		}
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			if strings.TrimSpace(line) == "" && len(found.frames) > 0 && tracebackEnds(lines, i+1, margin) {
				break
			}
			continue
		}
		if exception.MatchString(line) {
			found.message, found.end = line, i+1
			if next := chained(lines, i+1, margin); next > 0 {
				if later, ok := readOneTraceback(lines, next); ok {
					return later, true
				}
			}
			return found, true
		}
		if found.frames == nil {
			break
		}
	}
	return found, false
}

// tracebackEnds reports whether the line behind an empty one is not part of a
// traceback with this margin.
func tracebackEnds(lines []string, at int, margin string) bool {
	return at < len(lines) && !strings.HasPrefix(lines[at], margin+" ") &&
		!exception.MatchString(strings.TrimPrefix(lines[at], margin))
}

// leading is the part of a margin that every line of a traceback shares.
func leading(prefix string) string {
	if strings.Trim(prefix, " \t|+") != "" {
		if strings.HasPrefix(prefix, "INTERNALERROR> ") {
			return "INTERNALERROR> "
		}
		return ""
	}
	return strings.ReplaceAll(prefix, "+", " ")
}

// chained returns the index of the header of the traceback that follows "During
// handling of the above exception" or "The above exception was the direct cause".
func chained(lines []string, from int, margin string) int {
	announced := false
	for i := from; i < len(lines) && i < from+40; i++ {
		line := strings.TrimPrefix(lines[i], margin)
		switch {
		case strings.HasPrefix(line, "During handling of the above exception"),
			strings.HasPrefix(line, "The above exception was the direct cause"):
			announced = true
		case strings.HasPrefix(line, tracebackHeader):
			if announced {
				return i
			}
			return 0
		}
	}
	return 0
}

// innermost is the last frame inside the workspace. If none is, it is the first
// one, that of the script, unless it lies in a library.
func (t *transcript) innermost(frames []frame) frame {
	for _, f := range slices.Backward(frames) {
		if t.inside(f.file) {
			return f
		}
	}
	if len(frames) == 0 || pythonLibrary.MatchString(frames[0].file) {
		return frame{}
	}
	return frames[0]
}

var pythonLibrary = lazy(`^<|/(?:site|dist)-packages/|/lib(?:64)?/python[\d.]*/|[\\/]Lib[\\/]`)

// readTraceback reads the traceback with which a Python program ended: the last
// one, for those before it were caught and printed.
func readTraceback(t *transcript) []Error {
	var last traceback
	for i := 0; i < len(t.lines); i++ {
		if !strings.Contains(t.lines[i], tracebackHeader) {
			continue
		}
		if found, ok := readOneTraceback(t.lines, i); ok {
			last = found
			i = max(i, found.end-1)
		}
	}
	if last.message == "" {
		return readSyntaxError(t)
	}
	place := t.innermost(last.frames)
	return []Error{t.error(t.programError(), t.tool(pythonName), place.file, place.line, last.message)}
}

// notStarted is what Python says when it does not find what it is to run.
var notStarted = lazy(`^\S*python[\d.]*(?:\.exe)?: (No module named .*|can't open file .*)$`)

// readSyntaxError reads an error below a frame without the header of a
// traceback: Python prints a syntax error so, and sphinx an exception. It also
// reads that there was nothing to run.
func readSyntaxError(t *transcript) []Error {
	var place frame
	for _, line := range t.lines {
		if f, ok := pythonFrame(line); ok {
			place = f
			continue
		}
		if match := notStarted.FindStringSubmatch(line); match != nil {
			return []Error{t.error(t.programError(), t.tool(pythonName), "", 0, match[1])}
		}
		if place.file != "" && exception.MatchString(line) {
			return []Error{t.error(t.programError(), t.tool(pythonName), place.file, place.line, line)}
		}
	}
	return nil
}

// readUnittest reads the failures of unittest, and of runners with its output.
func readUnittest(t *transcript) []Error {
	if errors := readSympy(t); len(errors) > 0 {
		return errors
	}
	var errors []Error
	for i := 0; i+1 < len(t.lines); i++ {
		if enough(errors) {
			break
		}
		if !unittestRule(t.lines[i]) {
			continue
		}
		header := t.lines[i+1]
		kind, id, ok := strings.Cut(header, ": ")
		if !ok || kind != "FAIL" && kind != "ERROR" && kind != "UNEXPECTED SUCCESS" {
			continue
		}
		errors = append(errors, t.unittestFailure(kind, id, i+2))
	}
	return errors
}

// unittestRule reports whether a line separates the failures of unittest.
func unittestRule(line string) bool {
	return strings.HasPrefix(line, "=====") && strings.Trim(line, "=") == ""
}

// unittestFailure reads one block: the docstring of the test, a rule, a
// traceback.
func (t *transcript) unittestFailure(kind, id string, from int) Error {
	end := from
	ruled := false
	for end < len(t.lines) && !strings.HasPrefix(t.lines[end], "=======") && !unittestRule(t.lines[end]) {
		if strings.HasPrefix(t.lines[end], "-------") {
			if ruled {
				break
			}
			ruled = true
		}
		end++
	}
	id = unittestID(id)
	message, place := "", frame{}
	for i := from; i < end; i++ {
		if strings.Contains(t.lines[i], tracebackHeader) {
			found, ok := readOneTraceback(t.lines[:end], i)
			if ok {
				message, place = found.message, t.innermost(found.frames)
				i = found.end - 1
			} else if place.file == "" {
				place = t.innermost(found.frames)
			}
		}
	}
	if message == "" && kind == "UNEXPECTED SUCCESS" {
		message = "unexpected success"
	}
	if message == "" {
		message = t.lastLine(from, end)
	}
	return t.failing(unittestName, id, place.file, place.line, message)
}

func (t *transcript) lastLine(from, end int) string {
	for i := end - 1; i >= from; i-- {
		if line := strings.TrimSpace(t.lines[i]); line != "" && strings.Trim(line, "-=") != "" {
			return line
		}
	}
	return ""
}

// unittestID turns "test_x (pkg.Case.test_x) (i=2)" into "pkg.Case.test_x (i=2)".
func unittestID(header string) string {
	method, rest, ok := strings.Cut(header, " (")
	if !ok {
		return header
	}
	class, extra, ok := strings.Cut(rest, ")")
	if !ok {
		return header
	}
	extra = strings.TrimSpace(extra)
	if i := strings.Index(extra, " ["); i > 0 {
		extra = extra[:i]
	}
	id := class
	if !strings.HasSuffix(class, "."+method) && class != method {
		id = class + "." + method
	}
	if strings.HasSuffix(class, "._FailedTest."+method) || strings.HasSuffix(class, "._FailedTest") {
		id = method
	}
	if strings.HasPrefix(extra, "(") || strings.HasPrefix(extra, "[") {
		id += " " + extra
	}
	return id
}

// readSympy reads the failures of sympy's own runner.
func readSympy(t *transcript) []Error {
	if !t.has("test process starts") {
		return nil
	}
	var errors []Error
	for i := 1; i < len(t.lines); i++ {
		if enough(errors) {
			break
		}
		if strings.Trim(t.lines[i-1], "_") != "" || len(t.lines[i-1]) < 40 {
			continue
		}
		name := strings.Trim(t.lines[i], "_ ")
		file, test, ok := strings.Cut(name, ":")
		if !ok || !strings.HasSuffix(file, ".py") || i+1 >= len(t.lines) {
			continue
		}
		found, ok := readOneTraceback(t.lines, i+1)
		message := found.message
		if !ok {
			message = "failed"
		}
		place := t.innermost(found.frames)
		errors = append(errors, t.failing("sympy", file+"::"+test, file, lineOf(place, file), message))
	}
	return errors
}

// lineOf is the line of the frame if it lies in the file.
func lineOf(place frame, file string) int {
	if strings.HasSuffix(slashed(place.file), slashed(file)) {
		return place.line
	}
	return 0
}

var doctestPlace = lazy(`^File "(.+)", line (\d+), in (.+)$`)

// readDoctest reads the examples of docstrings that gave something else.
func readDoctest(t *transcript) []Error {
	var errors []Error
	for i, line := range t.lines {
		if enough(errors) {
			break
		}
		if line != "Failed example:" || i == 0 || i+1 == len(t.lines) {
			continue
		}
		match := doctestPlace.FindStringSubmatch(t.lines[i-1])
		if match == nil {
			continue
		}
		number, _ := digits(match[2])
		var values []string
		for _, next := range t.lines[i+2:] {
			if strings.HasPrefix(next, "****") || len(values) == 4 {
				break
			}
			values = append(values, strings.TrimSpace(next))
		}
		message := strings.TrimSpace(t.lines[i+1]) + " " + strings.Join(values, " ")
		errors = append(errors, t.failing("doctest", match[3], match[1], number, message))
	}
	return errors
}

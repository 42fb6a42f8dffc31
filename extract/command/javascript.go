package command

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

const (
	jestName     = "jest"
	vitestName   = "vitest"
	mochaName    = "mocha"
	nodeTestName = "node --test"
	nodeName     = "node"

	nodeOptions = "-r --require --loader --import -C --conditions --env-file --test-name-pattern --test-reporter" +
		" --project -P -O"
	// javaScriptSuite is the group of the runners that `npm test` stands for by
	// convention.
	javaScriptSuite = "javascript"
)

var (
	jest = &family{
		name: jestName, category: Test,
		runs: []run{{
			programs: "jest", filters: "-t --testNamePattern",
			valued: "-c --config --maxWorkers -w --reporters --coverageReporters --testTimeout --env --shard " +
				jestPatterns + " --testPathIgnorePatterns --selectProjects --ignoreProjects --changedSince --rootDir",
			looks: "-v -h --listTests --showConfig --clearCache --init",
		}},
		recognises: recognition{words: (*Step).jestWords},
		reads:      reading{readers: []*reader{jests, nodeTraces}},
		covers: coverage{
			holds: patternHolds, selects: selectsPattern, same: "-c --config --rootDir",
			less: "-o --onlyChanged -f --onlyFailures --changedSince --lastCommit --findRelatedTests --shard" +
				" --selectProjects --ignoreProjects --testPathIgnorePatterns",
		},
		clears: clearance{suite: javaScriptSuite},
	}
	vitest = &family{
		name: vitestName, category: Test,
		runs: []run{{
			programs: "vitest", filters: "-t --testNamePattern",
			valued: "-c --config --reporter -r --root --dir --pool --environment --testTimeout --shard --project" +
				" --exclude",
			looks: "-v -h",
		}},
		recognises: recognition{words: (*Step).vitestWords, verbs: startVerbs},
		reads:      reading{readers: []*reader{vitests, nodeTraces}},
		covers: coverage{
			holds: patternHolds, selects: selectsPattern, concerns: vitestConcerns,
			more: "--typecheck", less: "--changed --exclude --shard --project", same: "-c --config -r --root --dir",
		},
		clears: clearance{suite: javaScriptSuite},
	}
	mocha = &family{
		name: mochaName, category: Test,
		runs: []run{{
			programs: "mocha", filters: "-g --grep -f --fgrep",
			valued: "-r --require -t --timeout -R --reporter -u --ui --config --spec --ignore --exclude",
			looks:  "-V -h --list-files --list-reporters --list-interfaces", lists: "--dry-run",
		}},
		reads: reading{readers: []*reader{mochas, nodeTraces}},
		covers: coverage{
			selects: selectsPattern, less: "-i --invert --ignore --exclude", same: "--config --spec",
		},
		clears: clearance{suite: javaScriptSuite},
	}
	nodeTest = &family{
		name: nodeTestName, category: Test,
		reads:  reading{readers: []*reader{nodeTests, nodeTraces}},
		covers: coverage{selects: selectsPattern, less: "--test-only --test-skip-pattern --test-shard"},
		clears: clearance{suite: javaScriptSuite},
	}
	node = &family{
		name: nodeName, category: Runtime,
		runs:       []run{{programs: "node", aliases: "nodejs", versioned: true}},
		recognises: recognition{begin: (*registry).beginNode, input: true},
		reads:      reading{readers: []*reader{nodeTests, mochas, nodeTraces}},
		covers:     coverage{scriptIsFile: true},
	}
	// typeScriptRunners are called as node is.
	typeScriptRunners = &family{
		category:   Runtime,
		runs:       []run{{programs: "ts-node tsx"}},
		recognises: recognition{begin: (*registry).beginNode},
		covers:     coverage{scriptIsFile: true},
	}
)

var (
	jests      = &reader{stage: tests, marks: []string{"● ", "FAIL "}, read: readJest}
	vitests    = &reader{stage: tests, marks: []string{"FAIL  ", "⎯⎯⎯", " × "}, read: readVitest}
	mochas     = &reader{stage: tests, marks: []string{" failing"}, read: readMocha}
	nodeTests  = &reader{stage: tests, marks: []string{"not ok ", "✖ "}, read: readNodeTest}
	nodeTraces = &reader{stage: deaths, marks: []string{"    at ", "\n\nNode.js v", "rror: "}, read: readNodeTrace}
)

// beginNode understands node script, node -e code and node --test.
func (r *registry) beginNode(s *Step) bool {
	for i := 0; i < len(s.Args); i++ {
		arg := s.Args[i]
		switch {
		case arg == "--test":
			s.use(nodeTest, run{valued: nodeOptions, filters: "--test-name-pattern"}, s.Args)
			return true
		case arg == "-e" || arg == "--eval" || arg == "-p" || arg == "--print" || arg == "-pe":
			s.Script = inline(strings.Join(s.Args[i+1:], " "))
			return true
		case arg == "-c" || arg == "--check":
			s.Less = append(s.Less, arg) // which runs nothing
		case listed(nodeOptions, arg):
			i++
		case strings.HasPrefix(arg, "-"):
		default:
			s.Script = strings.TrimPrefix(arg, "./")
			s.Scope = nil
			return true
		}
	}
	return true
}

// jestPatterns are the options of Jest that name files as its operands do.
const jestPatterns = "--testPathPattern --testPathPatterns"

// jestWords reads the arguments of Jest: files also stand in options.
func (s *Step) jestWords(how run, args []string) {
	s.options(how, args)
	if pattern := optionValue(args, jestPatterns); pattern != "" {
		s.Scope = append(s.Scope, pattern)
	}
}

// vitestWords reads the arguments of Vitest: a first word can be another command than to run tests.
func (s *Step) vitestWords(how run, args []string) {
	s.options(how, args)
	switch verb := first(s.Scope); verb {
	case "list", "init":
		s.Category = ""
	case "related":
		s.Less, s.Scope = append(s.Less, verb), s.Scope[1:]
	}
}

// vitestConcerns reports whether an option decides about an error: files are left out by globs.
func vitestConcerns(s Success, option string, o Opener) bool {
	if glob, found := strings.CutPrefix(option, "--exclude "); found && o.Path != "" {
		ok, err := doublestar.Match(path.Join(s.Dir, glob), o.Path)
		return err != nil || ok
	}
	return true
}

// patternHolds reports whether the path of an error holds an item of the scope:
// arguments of Jest and Vitest are patterns of paths.
func patternHolds(s Success, item string, o Opener) bool {
	return below(s.Dir, o.Path) && strings.Contains(o.Path, strings.TrimPrefix(item, s.Dir+"/"))
}

var separators = once.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer(" › ", " ", " > ", " ")
}}

// selectsPattern applies -t: a pattern of the titles of a test, joined by spaces.
func selectsPattern(filter, test string) bool {
	compiled, err := regexp.Compile(filter)
	return err == nil && compiled.MatchString(separators.Get().Replace(test))
}

// stackFrame reads "    at f (file.js:1:2)" and its kin, " ❯ file.js:1:2" too.
func stackFrame(line string) (frame, bool) {
	text := strings.TrimSpace(line)
	rest, ok := strings.CutPrefix(text, "at ")
	if !ok {
		rest, ok = strings.CutPrefix(text, "❯ ")
	}
	if !ok {
		return frame{}, false
	}
	if open := strings.LastIndexByte(rest, '('); open >= 0 && strings.HasSuffix(rest, ")") {
		rest = rest[open+1 : len(rest)-1]
	} else {
		rest = rest[strings.LastIndexByte(rest, ' ')+1:]
	}
	rest = strings.TrimPrefix(rest, "file://")
	file, number, _, ok := position(rest)
	return frame{file, number}, ok
}

// outermost is the first frame inside the workspace, or the first of all.
func (t *transcript) outermost(frames []frame) frame {
	for _, f := range frames {
		if t.inside(f.file) {
			return f
		}
	}
	if len(frames) == 0 || strings.HasPrefix(frames[0].file, "node:") || strings.HasPrefix(frames[0].file, "<") {
		return frame{}
	}
	return frames[0]
}

// readJest reads "● suite › test" below "FAIL file".
func readJest(t *transcript) []Error {
	var errors []Error
	seen := map[string]bool{}
	file := ""
	for i, line := range t.lines {
		if enough(errors) {
			break
		}
		if rest, ok := strings.CutPrefix(line, "FAIL "); ok {
			file = strings.TrimSpace(rest)
			if cut := strings.LastIndex(file, " ("); cut > 0 {
				file = file[:cut]
			}
			file = file[strings.LastIndexByte(file, ' ')+1:]
			continue
		}
		name, ok := strings.CutPrefix(line, "  ● ")
		if !ok || name == "Console" || seen[file+name] || strings.HasPrefix(name, "Cannot log after") {
			continue
		}
		seen[file+name] = true
		errors = append(errors, t.jestFailure(file, name, i+1))
	}
	return errors
}

func (t *transcript) jestFailure(file, name string, from int) Error {
	var message []string
	var frames []frame
	coded := false
	for _, line := range t.lines[from:] {
		if strings.HasPrefix(line, "  ● ") || line != "" && !strings.HasPrefix(line, " ") {
			break
		}
		text := strings.TrimSpace(line)
		f, framed := stackFrame(line)
		switch {
		case framed:
			frames = append(frames, f)
		case codeLine.MatchString(text):
			coded = true
		case strings.HasPrefix(text, "SyntaxError: "):
			// Jest explains at length that it met one before it says which.
			message = []string{text}
		case coded || text == "":
		case len(message) == 0 || len(message) < 8 && jestValue.MatchString(text):
			message = append(message, text)
		}
	}
	if file == "" {
		// The header was cut off: the test is the outermost call.
		for _, f := range frames {
			if t.inside(f.file) {
				file = f.file
			}
		}
	}
	place := frame{}
	for _, f := range frames {
		if t.path(f.file) == t.path(file) {
			place = f
			break
		}
	}
	if name == "Test suite failed to run" {
		name = strings.TrimPrefix(file, "./")
		if place.line == 0 {
			place = t.outermost(frames)
		}
	}
	return t.failing(jestName, name, file, place.line, strings.Join(message, " "))
}

var (
	codeLine  = lazy(`^>? ?\d* ?\|`)
	jestValue = lazy(`^(?:Expected|Received|[-+] )`)
)

// readVitest reads " FAIL  file > suite > test".
func readVitest(t *transcript) []Error {
	var errors []Error
	seen := map[string]bool{}
	var waiting []string
	for i, line := range t.lines {
		if enough(errors) {
			break
		}
		rest, ok := strings.CutPrefix(line, " FAIL  ")
		if !ok {
			if len(waiting) > 0 {
				message, place := t.vitestMessage(i)
				for _, id := range waiting {
					errors = append(errors, t.vitestFailure(id, message, place))
				}
				waiting = nil
			}
			continue
		}
		if !seen[rest] {
			seen[rest] = true
			waiting = append(waiting, strings.TrimSpace(rest))
		}
	}
	return errors
}

// vitestMessage reads what stands below one or more FAIL lines.
func (t *transcript) vitestMessage(from int) (string, []frame) {
	message := ""
	var frames []frame
	for _, line := range t.lines[from:] {
		if strings.HasPrefix(line, "⎯⎯⎯") || strings.HasPrefix(line, " FAIL  ") {
			break
		}
		if f, ok := stackFrame(line); ok {
			frames = append(frames, f)
		} else if message == "" {
			message = strings.TrimSpace(line)
		}
	}
	return message, frames
}

func (t *transcript) vitestFailure(id, message string, frames []frame) Error {
	if strings.HasPrefix(id, "|") {
		if _, rest, ok := strings.Cut(id[1:], "| "); ok {
			id = rest
		}
	}
	file, _, _ := strings.Cut(id, " > ")
	file, _, _ = strings.Cut(file, " [")
	file = t.belowRoot(file)
	line := 0
	for _, f := range frames {
		if t.path(t.belowRoot(f.file)) == t.path(file) {
			line = f.line
			break
		}
	}
	if !strings.Contains(id, " > ") {
		id = file
	}
	return t.failing(vitestName, id, file, line, message)
}

// belowRoot is a file as it is seen from the folder of the step: Vitest prints
// files relative to its root.
func (t *transcript) belowRoot(file string) string {
	for i, arg := range t.step.Args {
		root, ok := strings.CutPrefix(arg, "--root=")
		if (arg == "--root" || arg == "-r") && i+1 < len(t.step.Args) {
			root, ok = t.step.Args[i+1], true
		}
		if ok && !isAbs(file) {
			return path.Join(root, file)
		}
	}
	return file
}

var (
	mochaFailing = lazy(`^\s+\d+ failing$`)
	mochaEntry   = lazy(`^  \d+\) (.*)$`)
)

// readMocha reads the numbered failures below "2 failing".
func readMocha(t *transcript) []Error {
	start := slices.IndexFunc(t.lines, mochaFailing.MatchString)
	if start < 0 {
		return nil
	}
	var errors []Error
	for i := start + 1; i < len(t.lines); i++ {
		if enough(errors) {
			break
		}
		match := mochaEntry.FindStringSubmatch(t.lines[i])
		if match == nil {
			continue
		}
		e, end := t.mochaFailure(match[1], i+1)
		errors = append(errors, e)
		i = end - 1
	}
	return errors
}

func (t *transcript) mochaFailure(title string, from int) (Error, int) {
	titles := []string{strings.TrimSuffix(title, ":")}
	titled := strings.HasSuffix(title, ":")
	message := ""
	var frames []frame
	end := from
	for ; end < len(t.lines); end++ {
		line := t.lines[end]
		if mochaEntry.MatchString(line) {
			break
		}
		text := strings.TrimSpace(line)
		f, framed := stackFrame(line)
		switch {
		case text == "":
		case !titled:
			titles = append(titles, strings.TrimSuffix(text, ":"))
			titled = strings.HasSuffix(text, ":")
		case framed:
			frames = append(frames, f)
		case message == "":
			message = text
		}
	}
	place := t.outermost(frames)
	return t.failing(mochaName, strings.Join(titles, " "), place.file, place.line, message), end
}

var (
	notOK    = lazy(`^(\s*)not ok \d+ - (.*)$`)
	duration = lazy(` \(\d+(?:\.\d+)?ms\)$`)
)

// readNodeTest reads TAP and the spec reporter of node --test.
func readNodeTest(t *transcript) []Error {
	if errors := t.nodeSpec(); len(errors) > 0 {
		return errors
	}
	var errors []Error
	for i, line := range t.lines {
		if enough(errors) {
			break
		}
		if !strings.Contains(line, "not ok ") {
			continue
		}
		match := notOK.FindStringSubmatch(line)
		if match == nil || strings.Contains(match[2], "# TODO") || strings.Contains(match[2], "# SKIP") {
			continue
		}
		if e, ok := t.tapFailure(match[2], len(match[1]), i+1); ok {
			errors = append(errors, e)
		}
	}
	return errors
}

// tapFailure reads the YAML block of a failed test. A suite that failed because
// of its tests is not a failure of its own.
func (t *transcript) tapFailure(name string, margin, from int) (Error, bool) {
	message, file, number, placed := "", "", 0, false
	for i := from; i < len(t.lines) && i < from+60; i++ {
		text := strings.TrimSpace(t.lines[i])
		if text == "..." || indent(t.lines[i]) <= margin && text != "" && text != "---" {
			break
		}
		key, value, _ := strings.Cut(text, ": ")
		value = strings.Trim(value, `'"`)
		switch {
		case key == "failureType" && value == "subtestsFailed":
			return Error{}, false
		case key == "location":
			file, number, _, _ = position(value)
		case strings.HasSuffix(text, ")") && file != "":
			// A frame of the stack in the file of the test is where it failed.
			if f, framed := stackFrame("at " + text); framed && t.path(f.file) == t.path(file) && !placed {
				number, placed = f.line, true
			}
		case key == "error" && message == "" && value != "|-" && value != "|":
			message = value
		case key == "error" && message == "":
			message = t.block(i+1, indent(t.lines[i]))
		}
	}
	return t.failing(nodeTestName, name, file, number, message), true
}

// block joins the lines that are indented further than the margin.
func (t *transcript) block(from, margin int) string {
	var parts []string
	for _, line := range t.lines[from:] {
		text := strings.TrimSpace(line)
		if text != "" && indent(line) <= margin || len(parts) == 6 || strings.HasPrefix(text, "at ") {
			break
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}

// nodeSpec reads what stands below "✖ failing tests:".
func (t *transcript) nodeSpec() []Error {
	start := slices.Index(t.lines, "✖ failing tests:")
	if start < 0 {
		return nil
	}
	var errors []Error
	var place frame
	for i := start + 1; i < len(t.lines); i++ {
		if enough(errors) {
			break
		}
		if rest, ok := strings.CutPrefix(t.lines[i], "test at "); ok {
			file, number, _, _ := position(rest)
			place = frame{file, number}
		}
		if name, ok := strings.CutPrefix(t.lines[i], "✖ "); ok {
			if strings.Contains(name, " # TODO") || strings.Contains(name, " # SKIP") {
				continue
			}
			name = duration.ReplaceAllString(name, "")
			errors = append(errors, t.failing(nodeTestName, name, place.file, place.line, t.block(i+1, 0)))
		}
	}
	return errors
}

var thrown = lazy(`^(?:Uncaught )?(?:[A-Za-z_$][\w$]*\.)*` +
	`(?:[A-Z][\w$]*(?:Error|Exception|Warning)|Error|AbortError)(?: \[[^\]]+\])?(?:: .*)?$`)

// readNodeTrace reads the exception that ended a program: the last one at the
// margin that has a stack, for those before it were caught and printed.
func readNodeTrace(t *transcript) []Error {
	message, at := "", -1
	for i, line := range t.lines {
		if len(line) == 0 || line[0] == ' ' || line[0] == '\t' ||
			!strings.Contains(line, "rror") && !strings.Contains(line, "xception") {
			continue
		}
		if thrown.MatchString(line) && t.hasStack(i+1) {
			message, at = strings.TrimPrefix(line, "Uncaught "), i
		}
	}
	if at < 0 {
		return nil
	}
	var frames []frame
	for _, line := range t.lines[at+1:] {
		f, ok := stackFrame(line)
		if ok {
			frames = append(frames, f)
		} else if len(frames) > 0 {
			break
		}
	}
	place := t.outermost(frames)
	head := t.thrownAt(at)
	if head.line > 0 && (strings.HasPrefix(message, "SyntaxError") || !t.inside(place.file)) && t.inside(head.file) {
		place = head
	}
	return []Error{t.error(t.programError(), t.tool(nodeName), place.file, place.line, message)}
}

// hasStack reports whether frames follow within the lines of the message.
func (t *transcript) hasStack(from int) bool {
	for i := from; i < len(t.lines) && i < from+12; i++ {
		if strings.HasPrefix(strings.TrimLeft(t.lines[i], " \t"), "at ") {
			return true
		}
		if strings.HasPrefix(t.lines[i], "Node.js v") {
			return true
		}
	}
	return false
}

// thrownAt reads the place that node prints above the exception.
func (t *transcript) thrownAt(at int) frame {
	for i := at - 1; i >= 0 && i > at-8; i-- {
		if file, number, rest, ok := position(t.lines[i]); ok && rest == "" && strings.ContainsAny(file, `/\.`) {
			return frame{strings.TrimPrefix(file, "file://"), number}
		}
	}
	return frame{}
}

package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

const goTestName = "go test"

// goTest is go test; it compiles and vets too.
var goTest = &family{
	name: goTestName, category: Test,
	runs: []run{
		{
			programs: "go", subcommands: "test", versioned: true, filters: "-run", looks: goLooks, lists: "-c -list",
			valued: goOptions + " -list -skip -bench -fuzz -count -timeout -cpu -parallel" +
				" -coverprofile -covermode -coverpkg -vet -fuzztime" +
				" -benchtime -shuffle -cpuprofile -memprofile -outputdir -trace",
		},
		{
			programs: "gotestsum", filters: "-run --run",
			lists:  "-list",
			valued: "-f --format --junitfile --jsonfile --rerun-fails -list -skip -bench -vet",
		},
	},
	recognises: recognition{words: (*Step).goWords},
	reads:      reading{readers: []*reader{goTests}},
	covers: ofGo(coverage{
		selects: selectsGoTest, more: "-bench", less: "-short -skip -vet=off", same: "-exec",
	}),
	clears: clearance{compiles: goCode, linter: goVetName},
}

var goTests = &reader{stage: tests, marks: []string{"FAIL", `"Action":`}, read: readGoTest}

// selectsGoTest applies -run: one pattern per level of subtests.
func selectsGoTest(filter, test string) bool {
	names := strings.Split(test, "/")
	for i, pattern := range strings.Split(filter, "/") {
		if i >= len(names) {
			return false
		}
		compiled, err := regexp.Compile(pattern)
		if err != nil || !compiled.MatchString(names[i]) {
			return false
		}
	}
	return true
}

// readGoTest reads what go test prints, as text, with -v and with -json, and
// what gotestsum makes of it.
func readGoTest(t *transcript) []Error {
	lines := t.lines
	if t.has(`"Action":"`) {
		lines = goEvents(t)
	}
	r := goTestReader{t: t, modules: goModules(t, lines), timed: goTimed.MatchString(t.text)}
	for _, line := range lines {
		if enough(r.errors) {
			break
		}
		r.line(line)
	}
	r.endPackage("")
	if len(r.errors) == 0 {
		return t.goCommands(goTestName)
	}
	return r.errors
}

// goEvents turns the events of go test -json back into text, package by package.
func goEvents(t *transcript) []string {
	var order []string
	outputs := map[string]*goOutput{}
	var plain []string
	failing := t.failingGoTests()
	for line := range strings.SplitSeq(t.text, "\n") {
		var event goEvent
		if test := jsonField(line, "Test"); test != "" && !failing[jsonField(line, "Package")+test] {
			continue
		}
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &event) != nil {
			plain = append(plain, line)
			continue
		}
		name := event.Package + event.ImportPath
		if outputs[name] == nil {
			outputs[name] = &goOutput{tests: map[string]*strings.Builder{}}
			order = append(order, name)
		}
		outputs[name].add(event)
	}
	for _, name := range order {
		plain = append(plain, strings.Split(outputs[name].text(name), "\n")...)
	}
	return plain
}

// failingGoTests are the tests of which an event says that they failed. Only
// their events are worth decoding.
func (t *transcript) failingGoTests() map[string]bool {
	failing := map[string]bool{}
	for line := range strings.SplitSeq(t.text, "\n") {
		if strings.Contains(line, `"Action":"fail"`) || strings.Contains(line, "--- FAIL") ||
			strings.Contains(line, `"Output":"panic: `) {
			failing[jsonField(line, "Package")+jsonField(line, "Test")] = true
		}
	}
	return failing
}

// jsonField is the value of a field as it is written in a line of JSON.
func jsonField(line, name string) string {
	_, rest, ok := strings.Cut(line, `"`+name+`":"`)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// A goEvent is one line of go test -json.
type goEvent struct{ Action, Package, ImportPath, Test, Output string }

// A goOutput is the output of one package, test by test.
type goOutput struct {
	order  []string
	tests  map[string]*strings.Builder
	failed bool
}

func (o *goOutput) add(event goEvent) {
	if o.tests[event.Test] == nil {
		o.tests[event.Test] = &strings.Builder{}
		o.order = append(o.order, event.Test)
	}
	o.tests[event.Test].WriteString(event.Output)
	if event.Action != "fail" {
		return
	}
	if event.Test == "" {
		o.failed = true
		return
	}
	fmt.Fprintf(o.tests[event.Test], "\n--- FAIL: %s (0.00s)\n", event.Test)
}

// text is what go test -v would have printed, had no two tests run at a time.
func (o *goOutput) text(name string) string {
	var b strings.Builder
	for _, test := range o.order {
		if test != "" {
			fmt.Fprintf(&b, "=== NAME  %s\n%s\n", test, o.tests[test])
		}
	}
	if rest := o.tests[""]; rest != nil {
		b.WriteString(rest.String())
	}
	if o.failed && !strings.Contains(b.String(), "FAIL\t") {
		fmt.Fprintf(&b, "\nFAIL\t%s\n", name)
	}
	return b.String()
}

// A goTestRun is one test while its output is being read.
type goTestRun struct {
	name string
	// pkg is the package, if gotestsum names it with the test.
	pkg    string
	failed bool
	// output are the lines that the test logged or printed.
	output []string
}

// goTestReader follows the structure of go test's output.
type goTestReader struct {
	t       *transcript
	modules []string
	// timed is true if the output has results with their times.
	timed  bool
	errors []Error

	tests   []*goTestRun
	byName  map[string]*goTestRun
	current *goTestRun
	// building is the package whose compile errors follow.
	building string
	// setup is what else is said about it.
	setup []string
	// compiled is true if compile errors were read.
	compiled bool
	// crash is the output from a panic or a fatal error on.
	crash []string
	// races are the reports of data races in the output, once they are asked for.
	races map[string]goRace
}

// maxTestOutput is how many lines of one test are kept.
const maxTestOutput = 400

func (r *goTestReader) line(line string) {
	trimmed := strings.TrimLeft(line, " \t")
	switch {
	case strings.HasPrefix(line, "=== "):
		r.crash = nil
		r.follow(strings.Fields(line))
	case strings.Contains(line, "--- ") && r.result(line):
	case endsPackage(line):
		r.packageLine(line)
	case line == "FAIL" || line == "PASS":
		r.building = ""
	case strings.HasPrefix(line, "# "):
		r.building, r.setup = strings.Fields(line + " ?")[1], nil
	case r.crash == nil && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")):
		r.crash = []string{line}
	case r.crash != nil:
		if len(r.crash) < maxTestOutput {
			r.crash = append(r.crash, line)
		}
	case r.building != "" && r.compileError(line), r.current == nil && goCompiles(line) && r.compileError(line):
	case r.building != "":
		r.setup = append(r.setup, line)
	case strings.HasPrefix(line, "Benchmark") && !strings.Contains(line, " "):
		r.current = r.test(line)
	case r.current != nil && len(r.current.output) < maxTestOutput:
		r.current.output = append(r.current.output, line)
	case strings.HasPrefix(trimmed, "panic: "):
		r.crash = []string{trimmed}
	}
}

// follow reads "=== RUN name" and the like.
func (r *goTestReader) follow(words []string) {
	if len(words) < 3 {
		return
	}
	switch words[1] {
	case "RUN", "CONT", "NAME":
		r.building = ""
		r.current = r.test(words[2])
	case "FAIL:":
		// gotestsum: === FAIL: package name (0.00s)
		if len(words) > 3 {
			test := r.test(words[3])
			test.failed, test.pkg = true, words[2]
			r.current = test
		}
	case "PAUSE":
		r.current = nil
	}
}

func (r *goTestReader) test(name string) *goTestRun {
	if r.byName == nil {
		r.byName = map[string]*goTestRun{}
	}
	test := r.byName[name]
	if test == nil {
		test = &goTestRun{name: name}
		r.byName[name] = test
		r.tests = append(r.tests, test)
	}
	return test
}

// goTimed matches results with their times. What selects the names alone prints none.
var goTimed = lazy(`--- (?:FAIL|PASS|SKIP): \S+ \(\d`)

// result reads "--- FAIL: name (0.00s)", wherever it stands in the line.
func (r *goTestReader) result(line string) bool {
	_, rest, found := strings.Cut(line, "--- ")
	if !found {
		return false
	}
	status, rest, found := strings.Cut(rest, ": ")
	if !found || status != "FAIL" && status != "PASS" && status != "SKIP" && status != "BENCH" {
		return false
	}
	name, _, timed := strings.Cut(rest, " ")
	if name == "" {
		return false
	}
	r.building, r.crash = "", nil
	if status == "FAIL" && !timed && !strings.HasPrefix(name, "Benchmark") && r.timed {
		r.current = nil // the host has cut the output within the name: no such test will ever pass
		return true
	}
	r.current = r.test(name)
	if status == "FAIL" {
		r.current.failed = true
	}
	return true
}

// endsPackage reports whether a line ends the output of a package.
func endsPackage(line string) bool {
	return strings.HasPrefix(line, "ok  ") || strings.HasPrefix(line, "?   ") ||
		strings.HasPrefix(line, "FAIL\t") || strings.HasPrefix(line, "FAIL  ")
}

// packageLine reads the line that ends a package.
func (r *goTestReader) packageLine(line string) {
	words := strings.Fields(line)
	if len(words) < 2 {
		return
	}
	name := words[1]
	failed := words[0] == "FAIL"
	setup := strings.Contains(line, "failed]")
	if failed && setup {
		if !r.compiled {
			message := strings.Trim(strings.Join(words[2:], " "), "[]")
			if len(r.setup) > 0 {
				message = r.setup[0]
			}
			r.errors = append(r.errors, r.t.failing(goTestName, name, "", 0, message))
		}
		r.building, r.setup = "", nil
		return
	}
	if !failed {
		name = ""
	}
	r.endPackage(name)
}

// packageFailed is what is said of a package that failed if none of its tests is known to have.
const packageFailed = "the package failed"

// FailedPackage returns the import path of the Go package of which a summary says no more than that it failed, and
// whether it is such a summary.
func FailedPackage(summary string) (importPath string, is bool) {
	return strings.CutSuffix(summary, ": "+packageFailed)
}

// endPackage reports the failing tests since the last package ended. name is ""
// if the package did not fail or the output broke off.
func (r *goTestReader) endPackage(name string) {
	before := len(r.errors)
	r.crashed(name)
	parents := r.failingParents()
	for _, test := range r.tests {
		if test.failed && !parents[test.name] && !enough(r.errors) {
			r.report(test, name)
		}
	}
	if name != "" && len(r.errors) == before {
		r.errors = append(r.errors, r.t.failing(goTestName, name, "", 0, packageFailed))
	}
	r.tests, r.byName, r.current, r.crash = nil, nil, nil, nil
	r.building, r.setup = "", nil
}

// maxSubtests is how deep subtests are taken for parts of their parents.
const maxSubtests = 32

// failingParents are the tests that failed because a subtest did.
func (r *goTestReader) failingParents() map[string]bool {
	parents := map[string]bool{}
	for _, test := range r.tests {
		if !test.failed {
			continue
		}
		name := test.name
		for range min(strings.Count(name, "/"), maxSubtests) {
			name = name[:strings.LastIndexByte(name, '/')]
			parents[name] = true
		}
	}
	return parents
}

// crashed gives a panic to the test in which it happened, or to the package.
func (r *goTestReader) crashed(name string) {
	if r.crash == nil {
		return
	}
	message := strings.TrimSuffix(r.crash[0], " [recovered]")
	message = strings.TrimSuffix(message, " [recovered, repanicked]")
	if running := timedOut(r.crash); len(running) > 0 {
		for _, test := range running {
			r.errors = append(r.errors, r.t.failing(goTestName, test, "", 0, message))
		}
		return
	}
	if r.current != nil && name != "" || r.current != nil && r.current.failed {
		r.current.failed = true
		r.current.output = append(r.current.output, r.crash...)
		return
	}
	file, line := r.t.goFrame(r.crash)
	if name == "" {
		name = goTestName
	}
	r.errors = append(r.errors, r.t.failing(goTestName, name, file, line, message))
}

// timedOut are the tests that ran when the time was over.
func timedOut(crash []string) []string {
	if !strings.HasPrefix(crash[0], "panic: test timed out") {
		return nil
	}
	var running []string
	for _, line := range crash[1:] {
		if strings.TrimSpace(line) == "" {
			break
		}
		if words := strings.Fields(line); len(words) == 2 && strings.HasPrefix(words[1], "(") {
			running = append(running, words[0])
		}
	}
	return running
}

func (r *goTestReader) report(test *goTestRun, pkg string) {
	if test.pkg != "" {
		pkg = test.pkg
	}
	file, line, message := r.message(test)
	if file != "" && !strings.ContainsAny(file, `/\`) {
		file = path.Join(r.folder(pkg), file)
	}
	r.errors = append(r.errors, r.t.failing(goTestName, test.name, file, line, message))
}

// tellsSuccess matches logs that a failing test may end with although they tell no failure.
var tellsSuccess = lazy(`(?i)^(?:✓|✔|ok\b)|\b(?:success(?:fully)?|succeeded|passed)\b`)

// tellsFailure matches logs with words of success that tell a failure.
var tellsFailure = lazy(`(?i)\b(?:not|un\w+|fail\w*|errors?|expected|want(?:ed)?|should|never|but)\b|n't\b|≠|!=`)

// comparesGo matches logs that tell what was wrong in the words of a comparison.
var comparesGo = lazy(`(?i)\bgot\b.*\bwant(?:ed)?\b|\bwant(?:ed)?\b.*\bgot\b|\bexpected\b|\bunexpected\b|` +
	`\bmismatch|\bnot equal\b|≠|!=`)

// message is what the test says went wrong: a panic, a race, or else its last log that does not
// tell a success, unless that tells no failure and a log before it compares two values.
func (r *goTestReader) message(test *goTestRun) (file string, line int, message string) {
	for i, text := range test.output {
		if strings.HasPrefix(text, "panic: ") || strings.HasPrefix(text, "fatal error: ") {
			file, line = r.t.goFrame(test.output[i:])
			text = strings.TrimSuffix(text, " [recovered]")
			return file, line, strings.TrimSuffix(text, " [recovered, repanicked]")
		}
		if isRace(text) {
			file, line = r.t.goFrame(test.output[i:])
			return file, line, "data race"
		}
	}
	compared := slices.ContainsFunc(test.output, func(line string) bool {
		_, _, says, ok := position(strings.TrimSpace(line))
		return ok && comparesGo.MatchString(says)
	})
	for i := len(test.output) - 1; i >= 0; i-- {
		text := strings.TrimSpace(test.output[i])
		name, number, says, ok := position(text)
		if ok && says != "" && compared && !comparesGo.MatchString(says) && !tellsFailure.MatchString(says) {
			continue
		}
		if ok && tellsSuccess.MatchString(says) && !tellsFailure.MatchString(says) {
			file, line, message = cmp.Or(file, name), cmp.Or(line, number), cmp.Or(message, says)
			continue
		}
		if !ok || !strings.HasSuffix(name, ".go") {
			continue
		}
		name = name[strings.LastIndexAny(name, " \t")+1:]
		if says == "" && strings.Contains(name, "/") {
			continue // a frame of a stack, not a log
		}
		if name == "testing.go" && strings.HasPrefix(says, "race detected") {
			file, line = r.raceOf(test.name)
			return file, line, "data race"
		}
		if says == "" {
			says = continued(test.output[i+1:])
		} else {
			says += r.deeper(test.output, i)
		}
		return name, number, says
	}
	if message != "" {
		return file, line, message
	}
	return "", 0, printed(test.output)
}

// A goRace is where a data race was detected.
type goRace struct {
	file string
	line int
}

// raceOf is where the race of a test was detected: its report stands before the
// result of the test.
func (r *goTestReader) raceOf(name string) (file string, line int) {
	if r.races == nil {
		r.races = r.t.goRaces()
	}
	function, _, _ := strings.Cut(name, "/")
	race := r.races[function]
	return race.file, race.line
}

// goRaces maps what the functions in the reports of data races are called to the
// first report that names them.
func (t *transcript) goRaces() map[string]goRace {
	races := map[string]goRace{}
	for i := 0; i < len(t.lines); i++ {
		if !isRace(t.lines[i]) {
			continue
		}
		report := t.lines[i+1:]
		ends := func(l string) bool { return l == "==================" || isRace(l) }
		if end := slices.IndexFunc(report, ends); end >= 0 {
			report = report[:end]
		}
		i += len(report)
		var race goRace
		race.file, race.line = t.goFrame(report)
		for _, line := range report {
			for _, name := range functionNames(line) {
				if _, known := races[name]; !known {
					races[name] = race
				}
			}
		}
	}
	return races
}

func isRace(line string) bool { return strings.HasPrefix(line, "WARNING: DATA RACE") }

// functionNames are the names in a line such as "shop.TestAdd.func1()": what stands
// behind a dot and before another or a parenthesis.
func functionNames(line string) []string {
	var names []string
	for {
		_, rest, ok := strings.Cut(line, ".")
		if !ok {
			return names
		}
		end := strings.IndexAny(rest, ".(")
		if end < 0 {
			return names
		}
		names = append(names, rest[:end])
		line = rest[end:]
	}
}

// printed is what a test printed without a position: its first line, or what an
// example got and wanted.
func printed(output []string) string {
	var parts []string
	for _, line := range output {
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		parts = append(parts, text)
		if parts[0] != "got:" || len(parts) == 8 {
			break
		}
	}
	if len(parts) == 0 {
		return "failed"
	}
	return strings.Join(parts, " ")
}

// deeper joins the lines that continue the message of a line.
func (r *goTestReader) deeper(output []string, at int) string {
	more := ""
	for _, line := range output[at+1 : min(at+4, len(output))] {
		if strings.TrimSpace(line) == "" || indent(line) <= indent(output[at]) {
			break
		}
		more += " " + strings.TrimSpace(line)
	}
	return more
}

// continued reads a message that begins below its position, as testify prints it.
func continued(lines []string) string {
	var parts []string
	tracing := false
	for _, line := range lines {
		text := strings.TrimSpace(line)
		label, value, labelled := strings.Cut(text, ":")
		switch {
		case text == "":
			continue
		case label == "Error Trace":
			tracing = true
		case label == "Test" && labelled, len(parts) == 6:
			return strings.Join(parts, " ")
		case label == "Error" || label == "Messages":
			tracing = false
			parts = append(parts, strings.TrimSpace(value))
		case !tracing:
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}

// compileError reads one line of the compiler inside go test.
func (r *goTestReader) compileError(line string) bool {
	file, number, message, ok := goPosition(line)
	if !ok {
		return strings.HasPrefix(line, "\t")
	}
	r.compiled = true
	e := r.t.error(Test, goTestName, file, number, message)
	switch {
	case r.building == "": // a test may print such a line, too
	case strings.HasPrefix(r.building, "[") && !strings.HasPrefix(line, "vet: "):
		e.Check = Lint // of go vet, whose heading is "# [package]"
	default:
		e.Check = Build
	}
	r.errors = append(r.errors, e)
	return true
}

// folder is the folder of a package, as far as the output tells it.
func (r *goTestReader) folder(pkg string) string {
	scope := r.t.step.Scope
	if len(scope) == 1 && strings.HasPrefix(scope[0], ".") && !strings.HasSuffix(scope[0], "...") {
		return scope[0]
	}
	if pkg == "" {
		return ""
	}
	for _, module := range r.modules {
		if pkg == module {
			return ""
		}
		if rest, ok := strings.CutPrefix(pkg, module+"/"); ok {
			return rest
		}
	}
	return pkg
}

// goModules guesses the module to which the packages of an output belong:
// nothing in it says so. The folder of the command is mostly named like it, a
// forge has three parts before the packages, another host two, a plain name one.
func goModules(t *transcript, lines []string) []string {
	var modules []string
	base := path.Base(slashed(joinDir(slashed(t.out.Cwd), t.step.Dir)))
	for _, line := range lines {
		if !endsPackage(line) {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		module := goModule(words[1], base)
		if !slices.Contains(modules, module) {
			modules = append(modules, module)
		}
		if len(modules) > 8 {
			break
		}
	}
	return modules
}

func goModule(pkg, base string) string {
	parts := strings.Split(pkg, "/")
	if i := slices.Index(parts, base); i >= 0 {
		if i+1 < len(parts) && parts[i+1] == base && i+1 == 2 {
			i++
		}
		return strings.Join(parts[:i+1], "/")
	}
	count := 1
	switch {
	case slices.Contains([]string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "golang.org"}, parts[0]):
		count = 3
	case strings.Contains(parts[0], "."):
		count = 2
	}
	if len(parts) > count && majorVersion.MatchString(parts[count]) {
		count++
	}
	return strings.Join(parts[:min(count, len(parts))], "/")
}

var majorVersion = lazy(`^v[2-9]\d*$`)

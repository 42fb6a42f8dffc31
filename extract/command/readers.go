package command

import (
	"slices"
	"strings"
	"sync"
)

// A reader finds the errors that one family of tools prints.
type reader struct {
	// marks are strings of which every output of the family has one. They cost
	// little, and spare the rest.
	marks []string
	// runtime says that the family prints how a program died. It is left out
	// where a test runner has reported the failure.
	runtime bool
	read    func(*transcript) []Error
}

// The readers, in the order in which they are tried on a program that may run
// anything: test runners first, for they print what the others look for.
var (
	goTests      = reader{marks: []string{"FAIL", `"Action":`}, read: readGoTest}
	pytests      = reader{marks: []string{"=== ", "rror"}, read: readPytest}
	unittests    = reader{marks: []string{"======\n", "\n______"}, read: readUnittest}
	doctests     = reader{marks: []string{"\nFailed example:\n"}, read: readDoctest}
	jests        = reader{marks: []string{"● ", "FAIL "}, read: readJest}
	vitests      = reader{marks: []string{"FAIL  ", "⎯⎯⎯", " × "}, read: readVitest}
	mochas       = reader{marks: []string{" failing"}, read: readMocha}
	nodeTests    = reader{marks: []string{"not ok ", "✖ "}, read: readNodeTest}
	cargoTests   = reader{marks: []string{"... FAILED", "test result: FAILED", "\nfailures:\n"}, read: readCargoTest}
	javaTests    = reader{marks: []string{"<<< FAIL", "<<< ERROR", " FAILED\n"}, read: readJavaTest}
	goBuilds     = reader{marks: []string{".go:", "go: ", "can't load package", "no required module", "pattern "}, read: readGoBuild}
	typescripts  = reader{marks: []string{"error"}, read: readTypeScript}
	rusts        = reader{marks: []string{"error"}, read: readRust}
	javas        = reader{marks: []string{"error", "ERROR", "e: "}, read: readJava}
	compilers    = reader{marks: []string{"error:", "undefined reference", "multiple definition", "ld: ", "Undefined symbols"}, read: readCompiler}
	eslints      = reader{marks: []string{"error", "warning", `"messages":`, "✖"}, read: readESLint}
	prettiers    = reader{marks: []string{"[error] ", "[warn] "}, read: readPrettier}
	npms         = reader{marks: []string{"npm error", "npm ERR!", "ERR_PNPM", "error Command", "YN0"}, read: readNPM}
	pythonChecks = reader{marks: []string{".py"}, read: readPythonChecks}
	shells       = reader{marks: []string{"command not found", "not found", "No such file", "Permission denied"}, read: readShell}
	tracebacks   = reader{marks: []string{"Traceback (most recent call last)", "Error: ", "No module named", "can't open file"}, runtime: true, read: readTraceback}
	nodeTraces   = reader{marks: []string{"    at ", "\n\nNode.js v", "rror: "}, runtime: true, read: readNodeTrace}
	goPanics     = reader{marks: []string{"panic: ", "goroutine ", "DATA RACE"}, runtime: true, read: readGoPanic}
	javaTraces   = reader{marks: []string{"Exception in thread", "\tat ", "Error: Could not find or load"}, runtime: true, read: readJavaTrace}
	rustPanics   = reader{marks: []string{"panicked at"}, runtime: true, read: readRustPanic}
	makes        = reader{marks: []string{"*** "}, runtime: true, read: readMake}
	bundlers     = reader{marks: []string{"[ERROR] ", " ━━", "ERROR in ", "[!] "}, read: readBundlers}
	scripts      = reader{marks: []string{":in ", " line ", "yntax error", "unexpected EOF"}, runtime: true, read: readScripts}
	sanitizers   = reader{marks: []string{"ERROR: ", "runtime error: ", "Assertion"}, runtime: true, read: readNative}
)

// families are the readers of each tool. A tool that is not named here may run
// anything, and is read by all of them.
var families = sync.OnceValue(func() map[string][]reader {
	goTool := []reader{goBuilds, goPanics}
	native := []reader{compilers, sanitizers}
	java := []reader{javaTests, javas, javaTraces}
	python := []reader{doctests, unittests, pytests, tracebacks}
	cargo := []reader{cargoTests, rusts, rustPanics}
	return map[string][]reader{
		"go test": {goTests}, "go build": goTool, "go vet": goTool, "go run": goTool, "go mod": goTool, "go generate": goTool, "gofmt": goTool, "go tool": goTool,
		"pytest": {pytests, unittests, tracebacks}, "unittest": {unittests, tracebacks}, "python": python,
		"jest": {jests, nodeTraces}, "vitest": {vitests, nodeTraces}, "mocha": {mochas, nodeTraces},
		"node --test": {nodeTests, nodeTraces}, "node": {nodeTests, mochas, nodeTraces},
		"tsc": {typescripts}, "eslint": {eslints, nodeTraces}, "stylelint": {eslints}, "prettier": {prettiers},
		"gcc": native, "g++": native, "clang": native, "ld": native,
		"javac": java, "java": java, "mvn": java, "gradle": java, "kotlinc": java, "sbt": java, "scalac": java, "ant": java,
		"cargo build": cargo, "cargo check": cargo, "cargo clippy": cargo, "cargo test": cargo, "cargo run": cargo, "cargo bench": cargo, "rustc": cargo,
		"esbuild": {bundlers}, "biome": {bundlers}, "webpack": {bundlers, typescripts}, "rollup": {bundlers, typescripts}, "vite": {bundlers, typescripts, nodeTraces},
		"ruff": {pythonChecks, tracebacks}, "pylint": {pythonChecks, tracebacks}, "pyright": {pythonChecks},
	}
})

// anything are the readers of a program that may run anything.
func anything() []reader {
	return []reader{goTests, pytests, unittests, doctests, jests, vitests, mochas, nodeTests, cargoTests, javaTests,
		goBuilds, typescripts, rusts, javas, compilers, pythonChecks, eslints, prettiers, bundlers, npms,
		tracebacks, nodeTraces, goPanics, javaTraces, rustPanics, sanitizers, scripts, makes}
}

// readersOf returns the readers of what a step runs, and whether they are its own.
func readersOf(s Step) (readers []reader, known bool) {
	if s.Opaque {
		return anything(), false
	}
	if readers, known = families()[s.Tool]; known {
		return append(slices.Clone(readers), npms), true
	}
	if format := errorformatOf(s.Tool); format != nil {
		return []reader{{read: format}, tracebacks, npms}, true
	}
	return anything(), false
}

// read reads the output as that of the steps. What several steps can have
// printed is found once.
func read(t *transcript, steps []Step) []Error {
	var errors []Error
	tested := false
	read := map[string]bool{}
	for _, step := range steps {
		t.step = step
		if read[step.Tool+"\x00"+step.Dir] {
			continue
		}
		read[step.Tool+"\x00"+step.Dir] = true
		readers, known := readersOf(step)
		t.known = known
		for _, r := range append(readers, shells) {
			if r.runtime && (tested || len(errors) > 0) || r.marks != nil && !t.has(r.marks...) {
				continue
			}
			found := r.read(t)
			tested = tested || slices.ContainsFunc(found, func(e Error) bool { return e.Category == Test })
			errors = append(errors, asReportedBy(step, found)...)
		}
	}
	return errors
}

// asReportedBy applies the rule that all that a test runner reports is category
// test (systems.md B9).
func asReportedBy(step Step, errors []Error) []Error {
	if step.Category != Test || !runsOnlyTests(step) {
		return errors
	}
	for i := range errors {
		if errors[i].Category != Runtime || errors[i].Tool != "shell" {
			errors[i].Category = Test
		}
	}
	return errors
}

// runsOnlyTests tells a test runner from a target or script that is named test.
func runsOnlyTests(step Step) bool {
	return step.Program != "make" && !strings.Contains(step.Tool, " run ") && step.Tool != "mvn" && step.Tool != "gradle"
}

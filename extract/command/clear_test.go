package command_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

const root = "/home/dev/project"

// clears reports whether a success of the line clears the error of the opener.
func clears(line string, o command.Opener) bool {
	for _, success := range command.Parse(line).Successes(command.Output{ExitCode: new(int), Cwd: root, Root: root}) {
		if success.Clears(o) {
			return true
		}
	}
	return false
}

// opened returns the opener of an error that the line reported.
func opened(line string, e command.Error) command.Opener {
	return command.Parse(line).Opener(e, root, root)
}

func TestASuccessClearsExactlyWhatItCouldHaveProduced(t *testing.T) {
	var (
		pytestA = opened(
			"pytest",
			command.Error{
				Category: command.Test,
				Tool:     "pytest",
				Path:     "tests/a.py",
				Test:     "tests/a.py::TestX::test_one",
			},
		)
		pytestB = opened(
			"pytest tests/b.py",
			command.Error{Category: command.Test, Tool: "pytest", Path: "tests/b.py", Test: "tests/b.py::test_two[1]"},
		)
		pytestUse = opened("pytest tests/b.py", command.Error{Category: command.Test, Tool: "pytest"})
		goTest    = opened(
			"go test ./...",
			command.Error{Category: command.Test, Tool: "go test", Path: "store/db_test.go", Test: "TestGet/one"},
		)
		goTestOff = opened(
			"go test ./...",
			command.Error{Category: command.Test, Tool: "go test", Test: "TestElsewhere"},
		)
		goTagged = opened(
			"go test -tags slow ./...",
			command.Error{Category: command.Test, Tool: "go test", Path: "store/db_test.go", Test: "TestGet"},
		)
		goBuild = opened(
			"go build ./...",
			command.Error{Category: command.Build, Tool: "go build", Path: "store/db.go"},
		)
		goVet = opened("go vet ./...", command.Error{Category: command.Lint, Tool: "go vet", Path: "store/db.go"})
		goRun = opened(
			"go run ./cmd/x",
			command.Error{Category: command.Runtime, Tool: "go", Path: "cmd/x/main.go"},
		)
		tsc    = opened("npx tsc", command.Error{Category: command.Typecheck, Tool: "tsc", Path: "web/src/a.ts"})
		eslint = opened("eslint .", command.Error{Category: command.Lint, Tool: "eslint", Path: "src/a.js"})
		python = opened(
			"python x.py --fast",
			command.Error{Category: command.Runtime, Tool: "python", Path: "lib/y.py"},
		)
		inline = opened("python -c 'import x'", command.Error{Category: command.Runtime, Tool: "python"})
		script = opened(
			"python test_x.py",
			command.Error{Category: command.Test, Tool: "unittest", Path: "test_x.py", Test: "__main__.T.test_a"},
		)
		django = opened(
			"./tests/runtests.py queries",
			command.Error{
				Category: command.Test,
				Tool:     "unittest",
				Path:     "tests/queries/tests.py",
				Test:     "queries.tests.T.test_a",
			},
		)
		makeTest = opened(
			"make test",
			command.Error{Category: command.Test, Tool: "pytest", Path: "tests/a.py", Test: "tests/a.py::test_one"},
		)
		makeBuild = opened("make", command.Error{Category: command.Build, Tool: "gcc", Path: "a.c"})
		jest      = opened(
			"cd web && npx jest",
			command.Error{Category: command.Test, Tool: "jest", Path: "web/src/a.test.ts", Test: "cart › totals"},
		)
		cargo = opened(
			"cargo build",
			command.Error{Category: command.Build, Tool: "cargo build", Path: "src/lib.rs"},
		)
		cargoTest = opened(
			"cargo test",
			command.Error{Category: command.Test, Tool: "cargo test", Path: "src/lib.rs", Test: "tests::adds"},
		)
		missing  = opened("eslint .", command.Error{Category: command.Runtime, Tool: "shell"})
		npmBuild = opened("npm run build", command.Error{Category: command.Typecheck, Tool: "tsc", Path: "src/a.ts"})
	)
	tests := []struct {
		says string
		line string
		o    command.Opener
		want bool
	}{
		{"all tests clear one test", "pytest", pytestA, true},
		{"the tests of the file do", "pytest tests/a.py", pytestA, true},
		{"the tests of the folder do", "pytest tests", pytestA, true},
		{"the tests of the folder do from inside it", "cd tests && pytest a.py", pytestA, true},
		{"the tests of another file do not", "pytest tests/b.py", pytestA, false},
		{"the test itself does", "pytest tests/a.py::TestX::test_one", pytestA, true},
		{"its class does", "pytest tests/a.py::TestX", pytestA, true},
		{"another test of the file does not", "pytest tests/a.py::TestX::test_on", pytestA, false},
		{"a parameter is part of the test", "pytest tests/b.py::test_two", pytestB, true},
		{"a filter that selects it does", "pytest -k test_one", pytestA, true},
		{"a filter that does not select it does not", "pytest -k test_two", pytestA, false},
		{"a filter that cannot be understood does not", "pytest -k 'not slow'", pytestA, false},
		{"an error without a file needs the scope", "pytest tests", pytestUse, true},
		{"and not another one", "pytest tests/a.py", pytestUse, false},
		{"python -m pytest is pytest", "uv run python -m pytest -q", pytestA, true},
		{"unittest is not", "python -m unittest", pytestA, false},
		{"go test clears tests", "go test ./...", goTest, true},
		{"of its package", "go test ./store", goTest, true},
		{"from inside it", "cd store && go test", goTest, true},
		{"not of another", "go test ./web/...", goTest, false},
		{"not of a package above", "go test .", goTest, false},
		{"by import path", "go test example.com/app/store", goTest, true},
		{"by name", "go test -run TestGet ./...", goTest, true},
		{"not by another name", "go test -run TestPut ./...", goTest, false},
		{"not by another subtest", "go test -run 'TestGet/two' ./...", goTest, false},
		{"a test without a file by the whole scope", "go test ./...", goTestOff, true},
		{"and by no smaller one", "go test ./store", goTestOff, false},
		{"tests need the tags of theirs", "go test ./...", goTagged, false},
		{"and may have others", "go test -tags 'db slow' ./...", goTagged, true},
		{"go test compiles", "go test ./...", goBuild, true},
		{"also when it runs few tests", "go test -run XXX ./...", goBuild, true},
		{"go vet compiles", "go vet ./...", goBuild, true},
		{"go build compiles", "go build ./store", goBuild, true},
		{"not what it is not asked for", "go build ./web", goBuild, false},
		{"go build runs no tests", "go build ./...", goTest, false},
		{"go build does not vet", "go build ./...", goVet, false},
		{"go vet does", "go vet ./...", goVet, true},
		{"go run clears its own panic", "go run ./cmd/x -v", goRun, true},
		{"not another program's", "go run ./cmd/y", goRun, false},
		{"go build does not run", "go build ./...", goRun, false},
		{"tsc clears its own", "npx tsc --noEmit", tsc, true},
		{"tsc elsewhere does not", "cd api && npx tsc", tsc, false},
		{"tsc in the folder of the file does", "cd web && npx tsc", tsc, true},
		{"eslint does not", "eslint .", tsc, false},
		{"eslint clears its folder", "eslint src/", eslint, true},
		{"not another folder", "eslint lib", eslint, false},
		{"by a glob", "eslint 'src/**/*.js'", eslint, true},
		{"by all files that git tracks", "git ls-files -z | xargs -0 npx eslint", eslint, true},
		{"of another folder they do not", "cd lib && git ls-files | xargs eslint", eslint, false},
		{"nor do some of them", "git ls-files -m | xargs eslint", eslint, false},
		{"nor those that are given in another way", "grep -rl x . | xargs eslint", eslint, false},
		{"the same script clears its error", "python3 ./x.py", python, true},
		{"from another folder too", "cd lib && python ../x.py", python, true},
		{"another script does not", "python y.py", python, false},
		{"tests do not", "pytest", python, false},
		{"the same code clears its error", "python3 -c 'import x'", inline, true},
		{"other code does not", "python3 -c 'import y'", inline, false},
		{"a script with tests clears them", "python3 test_x.py", script, true},
		{"the same label clears", "python tests/runtests.py queries", django, true},
		{"a label below does", "./tests/runtests.py queries.tests", django, true},
		{"another label does not", "./tests/runtests.py admin", django, false},
		{"the same target clears", "make test", makeTest, true},
		{"another target does not", "make lint", makeTest, false},
		{"the runner behind the target does", "pytest tests/a.py", makeTest, true},
		{"make clears what make built", "make", makeBuild, true},
		{"another target need not build it", "make clean", makeBuild, false},
		{"jest clears by file", "cd web && npx jest src/a.test.ts", jest, true},
		{"by part of its name", "cd web && npx jest a.test", jest, true},
		{"not another", "cd web && npx jest b.test", jest, false},
		{"by the name of the test", "cd web && npx jest -t 'cart totals'", jest, true},
		{"not by another", "cd web && npx jest -t 'user'", jest, false},
		{"npm test runs the suite", "cd web && npm test", jest, true},
		{"npm test elsewhere does not", "cd api && npm test", jest, false},
		{"cargo check compiles", "cargo check", cargo, true},
		{"cargo test compiles", "cargo test nothing", cargo, true},
		{"one crate need not", "cargo build -p other", cargo, false},
		{"cargo build runs no tests", "cargo build", cargoTest, false},
		{"cargo test clears by name", "cargo test adds", cargoTest, true},
		{"not by another", "cargo test subtracts", cargoTest, false},
		{"a program that is found is found", "eslint src", missing, true},
		{"the script clears what it printed", "npm run build", npmBuild, true},
		{"another script does not", "npm run lint", npmBuild, false},
		{"the compiler does", "npx tsc", npmBuild, true},
		{"ls clears nothing", "ls tests/a.py", pytestA, false},
		{"cat clears nothing", "cat tests/a.py", pytestA, false},
		{"what is masked proves nothing", "pytest || true", pytestA, false},
		{"nor what comes first", "pytest; echo done", pytestA, false},
		{"nor what is piped", "pytest | tail", pytestA, false},
		{"but with pipefail", "set -o pipefail; pytest | tail", pytestA, true},
		{"nor what runs in the background", "pytest &", pytestA, false},
		{"a version proves nothing", "pytest --version", pytestA, false},
		{"every link of a chain is proven", "go build ./... && go test ./...", goTest, true},
	}
	for _, test := range tests {
		t.Run(test.says+": "+test.line, func(t *testing.T) {
			assert.Equal(t, test.want, clears(test.line, test.o), "%+v", test.o)
		})
	}
}

// Outputs of test runners that could not compile or vet the code.
const (
	goUncompiled = "# example.org/cart [example.org/cart.test]\n./cart.go:8:10: undefined: cnt\n" +
		"FAIL\texample.org/cart [build failed]\nFAIL\n"
	goTestUncompiled = "# example.org/cart [example.org/cart.test]\n./cart_test.go:8:10: undefined: cnt\n" +
		"FAIL\texample.org/cart [build failed]\nFAIL\n"
	goMissing = "# example.org/cart\ncart.go:3:8: package shop is not in std (/usr/lib/go/src/shop)\n" +
		"FAIL\texample.org/cart [setup failed]\nFAIL\n"
	goUnvetted = "# example.org/cart\n# [example.org/cart]\n./cart.go:8:10: fmt.Printf format %d has arg s of " +
		"wrong type string\nFAIL\texample.org/cart [build failed]\nFAIL\n"
	goVetUncompiled = "# example.org/cart\n# [example.org/cart]\nvet: ./cart.go:8:10: undefined: cnt\n" +
		"FAIL\texample.org/cart [build failed]\nFAIL\n"
	goFailed = "--- FAIL: TestTotal (0.00s)\n    cart.go:8: got 1, want 2\nFAIL\nFAIL\texample.org/cart\t0.1s\n"
	goDied   = "panic: no database\n\ngoroutine 1 [running]:\nexample.org/cart.TestMain(0x1)\n" +
		"\t/home/dev/project/cart.go:8 +0x1\nFAIL\texample.org/cart\t0.1s\nFAIL\n"
	goPrinted    = "cart.go:8:10: a finding that a test of a linter prints\nFAIL\texample.org/cart\t0.1s\nFAIL\n"
	cnt          = "error[E0425]: cannot find value `cnt` in this scope\n --> src/lib.rs:1:21\n\n"
	missing      = "error[E0425]: cannot find value `missing` in this scope\n --> src/lib.rs:5:22\n\n"
	rsLib        = "error: could not compile `cart` (lib) due to 1 previous error\n"
	rsLibTest    = "error: could not compile `cart` (lib test) due to 1 previous error\n"
	rsUncompiled = cnt + rsLib + "warning: build failed, waiting for other jobs to finish...\n" + rsLibTest
	rsBoth       = cnt + missing + rsLib + "error: could not compile `cart` (lib test) due to 2 previous errors\n"
	rsLong       = "error: one\ntwo\nthree\nfour\nfive\nsix\n --> src/lib.rs:9:1\n\n" + cnt + missing +
		"error: could not compile `cart` (lib) due to 2 previous errors\n" +
		"error: could not compile `cart` (lib test) due to 3 previous errors\n"
	rsTestOfAFile = missing + rsLibTest
	rsDoctest     = "running 1 test\ntest src/lib.rs - f (line 3) ... FAILED\n\nfailures:\n\n" +
		"---- src/lib.rs - f (line 3) stdout ----\n" + cnt + "error: aborting due to 1 previous error\n\n" +
		"Couldn't compile the test.\n\nfailures:\n    src/lib.rs - f (line 3)\n\n" +
		"test result: FAILED. 0 passed; 1 failed; 0 ignored\n"
)

func TestWhatATestRunnerCouldNotCompileIsClearedByWhatCompilesTheSame(t *testing.T) {
	for _, test := range []struct {
		says   string
		red    string
		output string
		green  string
		want   bool
	}{
		{"a build does", "go test ./...", goUncompiled, "go build ./...", true},
		{"the build of the package does", "go test ./...", goUncompiled, "go build", true},
		{"the build of another does not", "go test ./...", goUncompiled, "go build ./web", false},
		{"a run of the program does", "go test ./...", goUncompiled, "go run .", true},
		{"go vet does", "go test .", goUncompiled, "go vet ./...", true},
		{"a linter that compiles does", "go test ./...", goUncompiled, "golangci-lint run", true},
		{"another linter does not", "go test ./...", goUncompiled, "staticcheck ./...", false},
		{"what make runs is the same", "make test", goUncompiled, "go build ./...", true},
		{"few tests compile all of the package", "go test ./...", goUncompiled, "go test -run TestX ./...", true},
		{"a build compiles no tests", "go test ./...", goTestUncompiled, "go build ./...", false},
		{"go vet compiles them", "go test ./...", goTestUncompiled, "go vet ./...", true},
		{"a build finds its packages", "go test ./...", goMissing, "go build ./...", true},
		{"the build of a program alone does not", "go test ./...", goUncompiled, "go run ./cmd/x", false},
		{"nor one of another module", "go test ./...", goUncompiled, "go run example.org/gen@latest", false},
		{"nor one of a file beside it", "go test ./...", goUncompiled, "go run gen.go", false},
		{"a build without the tags does not", "go test -tags=slow ./...", goUncompiled, "go build ./...", false},
		{"nor a vet", "go test -tags slow,db ./...", goTestUncompiled, "go vet -tags slow ./...", false},
		{"one with them does", "go test -tags=slow ./...", goTestUncompiled, "go vet -tags db,slow ./...", true},
		{"more tags compile it", "go test ./...", goUncompiled, "go build -tags slow ./...", true},
		{"a build for another system does not", "go test ./...", goUncompiled, "GOOS=windows go build ./...", false},
		{"nor one for this", "GOOS=windows go test ./...", goUncompiled, "go build ./...", false},
		{"one for the same does", "GOOS=js go test ./...", goUncompiled, "GOOS=js go build ./...", true},
		{"what a test prints is not of its compiler", "go test ./...", goPrinted, "go build ./...", false},
		{"go vet finds what it found in go test", "go test ./...", goUnvetted, "go vet ./...", true},
		{"a linter with rules of its own may not", "go test ./...", goUnvetted, "golangci-lint run", false},
		{"a build does not vet", "go test ./...", goUnvetted, "go build ./...", false},
		{"what go vet could not compile is not a finding", "go test ./...", goVetUncompiled, "go build ./...", true},
		{"a failed test is none of its compiler", "go test ./...", goFailed, "go build ./...", false},
		{"nor of go vet", "go test ./...", goFailed, "go vet ./...", false},
		{"a program that died compiled", "go test ./...", goDied, "go build ./...", false},
		{"cargo check does", "cargo test", rsUncompiled, "cargo check", true},
		{"cargo run does", "cargo test", rsUncompiled, "cargo run", true},
		{"that of another crate may not", "cargo test", rsUncompiled, "cargo check -p other", false},
		{"what may be in the tests of a file may be not", "cargo test", rsBoth, "cargo check", false},
		{"nor where one of them has no place", "cargo test", rsLong, "cargo check", false},
		{"what is in them is not", "cargo test", rsTestOfAFile, "cargo check", false},
		{"but by other tests", "cargo test", rsTestOfAFile, "cargo test other", true},
		{"not what could not be compiled of the documentation", "cargo test", rsDoctest, "cargo test other", false},
		{"that is a test", "cargo test", rsDoctest, "cargo test", true},
		{"a check without the features does not", "cargo test -F db", rsUncompiled, "cargo check", false},
		{"one with all does", "cargo test --features db", rsUncompiled, "cargo check --all-features", true},
		{"one of less than all does not", "cargo test --all-features", rsUncompiled, "cargo check -F db", false},
		{"one for another system does not", "cargo test", rsUncompiled, "cargo check --target wasm32-wasip1", false},
	} {
		t.Run(test.says+": "+test.green, func(t *testing.T) {
			line := command.Parse(test.red)
			failed := 1
			out := command.Output{Stdout: test.output, ExitCode: &failed, Cwd: root, Root: root}
			errors := line.Errors(out)
			require.NotEmpty(t, errors)
			for _, e := range errors {
				assert.Equal(t, command.Test, e.Category)
				assert.Equal(t, test.want, clears(test.green, line.Opener(e, root, root)), "%+v", e)
			}
		})
	}
}

func TestTheDaemonOfMypyChecksWhatMypyChecks(t *testing.T) {
	o := opened("mypy .", command.Error{Category: command.Typecheck, Tool: "mypy", Path: "app/a.py"})
	for line, want := range map[string]bool{
		"dmypy run -- app": true, "dmypy check app/a.py": true, "dmypy run -- web": false, "dmypy run": true,
		"dmypy stop": false, "dmypy status": false,
	} {
		assert.Equal(t, want, clears(line, o), line)
	}
}

func TestASuccessClearsWhatALanguageServerReportedOfTheFilesItChecks(t *testing.T) {
	tests := []struct {
		says         string
		line         string
		source, file string
		want         bool
	}{
		{"a build does", "go build ./...", "compiler", "store/db.go", true},
		{"the build of the folder does", "go build ./store", "compiler", "store/db.go", true},
		{"the build of another folder does not", "go build ./web", "compiler", "store/db.go", false},
		{"the build of the top folder does not", "go build", "compiler", "store/db.go", false},
		{"a run of a program beside it does not", "go run ./cmd/x", "compiler", "main.go", false},
		{"a run of its program does", "go run ./cmd/x", "compiler", "cmd/x/main.go", true},
		{"a build for another system does not", "GOOS=windows go build ./...", "compiler", "store/db.go", false},
		{"a build does not look at tests", "go build ./...", "compiler", "store/db_test.go", false},
		{"go vet does", "go vet ./...", "compiler", "store/db_test.go", true},
		{"a run of one test does", "go test -run TestX ./store", "syntax", "store/db_test.go", true},
		{"a build says nothing of linters", "go build ./...", "printf", "store/db.go", false},
		{"nor of other languages", "go build ./...", "ts", "web/a.ts", false},
		{"tsc does", "npx tsc --noEmit", "ts", "web/a.ts", true},
		{"a script may do anything", "npm run build", "typescript", "web/a.ts", false},
		{"tsc of the project does", "tsc -p web/tsconfig.json", "ts", "web/src/a.ts", true},
		{"tsc of another project does not", "tsc -p api", "ts", "web/src/a.ts", false},
		{"tsc of another folder does not", "cd api && npx tsc", "ts", "web/src/a.ts", false},
		{"vue-tsc does", "vue-tsc", "ts", "web/a.ts", true},
		{"eslint says nothing of types", "eslint .", "ts", "web/a.ts", false},
		{"eslint does", "eslint .", "eslint", "web/a.ts", true},
		{"eslint of the file does", "npx eslint web/a.ts", "eslint", "web/a.ts", true},
		{"eslint of another file does not", "npx eslint web/b.ts", "eslint", "web/a.ts", false},
		{"pyright does", "pyright", "Pylance", "app/a.py", true},
		{"basedpyright does", "basedpyright app", "basedpyright", "app/a.py", true},
		{"mypy says nothing of pyright", "mypy .", "Pyright", "app/a.py", false},
		{"ruff does", "ruff check .", "Ruff", "app/a.py", true},
		{"cargo test does", "cargo test", "rustc", "src/lib.rs", true},
		{"of one package it may not", "cargo test -p other", "rustc", "src/lib.rs", false},
		{"a build is not a linter", "cargo build", "clippy", "src/lib.rs", false},
		{"clippy is", "cargo clippy", "clippy", "src/lib.rs", true},
		{"a compiler of the file does", "gcc -c src/a.c -o a.o", "clang", "src/a.c", true},
		{"a program does not", "node web/a.js", "eslint", "web/a.js", false},
		{"nobody knows the source", "go build ./...", "", "store/db.go", false},
	}
	for _, test := range tests {
		t.Run(test.says, func(t *testing.T) {
			out := command.Output{ExitCode: new(int), Cwd: root, Root: root}
			cleared := slices.ContainsFunc(command.Parse(test.line).Successes(out), func(s command.Success) bool {
				return s.ClearsReported(test.source, test.file)
			})
			assert.Equal(t, test.want, cleared)
		})
	}
}

func TestAKeyIsStableAndTellsSuccessesApart(t *testing.T) {
	key := func(line string) string {
		successes := command.Parse(line).Successes(command.Output{ExitCode: new(int), Cwd: root, Root: root})
		require.Len(t, successes, 1, line)
		return successes[0].Key()
	}
	assert.Equal(t, key("pytest tests/a.py"), key("python3 -m pytest ./tests/a.py -q"))
	assert.NotEqual(t, key("pytest tests/a.py"), key("pytest tests/b.py"))
	assert.NotEqual(t, key("pytest"), key("cd sub && pytest"))
}

func TestOpenersAndSuccessesSurviveJSON(t *testing.T) {
	o := opened(
		"cd web && npx jest src -t x",
		command.Error{Category: command.Test, Tool: "jest", Path: "web/src/a.test.ts", Test: "a"},
	)
	encoded, err := json.Marshal(o)
	require.NoError(t, err)
	var decoded command.Opener
	require.NoError(t, json.Unmarshal(encoded, &decoded))
	assert.Equal(t, o, decoded)

	out := command.Output{ExitCode: new(int), Cwd: root, Root: root}
	s := command.Parse("cd web && npx jest src -t x").Successes(out)[0]
	encoded, err = json.Marshal(s)
	require.NoError(t, err)
	var success command.Success
	require.NoError(t, json.Unmarshal(encoded, &success))
	assert.True(t, success.Clears(decoded))
	assert.Equal(t, s.Key(), success.Key())
}

func TestASuccessOfOneModuleOrTestClearsNoOther(t *testing.T) {
	var (
		web = opened(
			"mvn test",
			command.Error{
				Category: command.Test,
				Tool:     "mvn",
				Path:     "web/src/test/java/shop/CartTest.java",
				Test:     "shop.CartTest.sums",
			},
		)
		api = opened(
			"mvn -pl api test",
			command.Error{
				Category: command.Test,
				Tool:     "mvn",
				Path:     "api/src/test/java/shop/ApiTest.java",
				Test:     "shop.ApiTest.answers",
			},
		)
		build = opened(
			"mvn package",
			command.Error{Category: command.Build, Tool: "mvn", Path: "web/src/main/java/shop/Cart.java"},
		)
		cart = opened(
			"./gradlew test",
			command.Error{
				Category: command.Test,
				Tool:     "gradle",
				Path:     "web/src/test/java/shop/CartTest.java",
				Test:     "shop.CartTest.sums",
			},
		)
		npm = opened(
			"npm test",
			command.Error{Category: command.Test, Tool: "jest", Path: "web/src/a.test.ts", Test: "cart totals"},
		)
	)
	for _, test := range []struct {
		says string
		line string
		o    command.Opener
		want bool
	}{
		{"all modules clear one", "mvn test", web, true},
		{"the module of the error clears it", "mvn -q -pl web test", web, true},
		{"another module does not", "mvn -pl api test", web, false},
		{"the same module does", "mvn -pl api test", api, true},
		{"a list with the module does", "mvn -pl web,api test", api, true},
		{"the test itself does", "mvn test -Dtest=CartTest", web, true},
		{"its method does", "mvn test -Dtest=CartTest#sums", web, true},
		{"another test does not", "mvn test -Dtest=OtherTest", web, false},
		{"another goal does not", "mvn compile", web, false},
		{"the build of another module does not", "mvn -pl api package", build, false},
		{"the build of its module does", "mvn -pl web package", build, true},
		{"all of Gradle clears one", "./gradlew test", cart, true},
		{"a task of its project does", "./gradlew :web:test", cart, true},
		{"one of another does not", "./gradlew :api:test", cart, false},
		{"the named test does", "./gradlew test --tests 'shop.CartTest'", cart, true},
		{"a pattern does", "./gradlew test --tests '*CartTest*'", cart, true},
		{"another named test does not", "./gradlew test --tests 'shop.OtherTest'", cart, false},
		{"a workspace clears what is in it", "npm test -w web", npm, true},
		{"another workspace does not", "npm test --workspace=api", npm, false},
	} {
		assert.Equal(t, test.want, clears(test.line, test.o), "%s: %s", test.says, test.line)
	}
}

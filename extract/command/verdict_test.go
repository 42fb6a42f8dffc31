package command_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

func TestTheSummaryOfARunnerCountsThroughAPipe(t *testing.T) {
	for _, one := range []struct {
		line, output string
		proves       bool
	}{
		{"go test ./... | tail -2", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.1s\n", true},
		{"go test ./... 2>&1 | tail -3", "ok  \texample.com/a\t0.1s\nFAIL\n", false},
		{"go test ./... | tail -3", "ok  \texample.com/a\t0.1s\nFAIL\texample.com/b [build failed]\n", false},
		{"go test ./... | head -3", "ok  \texample.com/a\t0.1s\n", false},
		{"go test ./... | grep -c ok", "2\n", false},
		{"pytest -q 2>&1 | tail -5", "12 passed, 1 warning in 0.21s\n", true},
		{"pytest | tail -5", "===== 2 failed, 12 passed in 0.21s =====\n", false},
		{"pytest | tail -5", "===== 12 passed in 0.21s =====\n", true},
		{"python -m unittest 2>&1 | tail -3", "Ran 3 tests in 0.001s\n\nOK (skipped=1)\n", true},
		{"npx jest | tail -5", "Tests:       1 skipped, 5 passed, 6 total\nTime: 1 s\n", true},
		{"npx vitest run | tail -5", " Test Files  2 passed (2)\n      Tests  5 passed (5)\n", true},
		{"cargo test | tail -3", "test result: ok. 3 passed; 0 failed; 0 ignored\n", true},
		{"npx mocha | tail -3", "  5 passing (10ms)\n", true},
		{"npx mocha | tail -3", "  5 passing (10ms)\n  1 failing\n", false},
		{"mvn -q test | tail -3", "[INFO] BUILD SUCCESS\n", true},
		{"golangci-lint run | tail -3", "0 issues.\n", true},
		{"ruff check . | tail -3", "All checks passed!\n", true},
		{"mypy src | tail -1", "Success: no issues found in 3 source files\n", true},
		{"bun test | tail -4", " 12 pass\n 0 fail\nRan 12 tests across 3 files. [0.20s]\n", true},
		{"bun test | tail -4", " 12 pass\n 1 fail\nRan 13 tests across 3 files. [0.20s]\n", false},
		{"go test -v ./a | grep -- ---", "--- PASS: TestA (0.00s)\n", true},
		{"pytest -v a | grep test_", "a/test_a.py::test_x PASSED  [ 50%]\n", true},
		{"cat log | tail -1", "12 passed in 0.21s\n", false},
		{"pytest | tee log; go test ./... | tail -1", "12 passed in 0.21s\nok  \ta\t0.1s\n", false},
		{"make test | tail -2", "ok  \texample.com/a\t0.1s\n", true},
		{"npm run lint | tail -2", "0 issues.\n", true},
	} {
		successes := command.Parse(one.line).Successes(
			command.Output{Stdout: one.output, ExitCode: new(int), Cwd: "/r", Root: "/r"})
		var piped bool
		for _, s := range successes {
			piped = piped || s.Tool != "cat"
		}
		assert.Equal(t, one.proves, piped, "%s\n%s", one.line, one.output)
	}
}

func TestAFailingRunSaysWhatItLookedAtIfItListsAllItFound(t *testing.T) {
	const one = "FAILED tests/test_a.py::test_x - assert 1 == 2\n"
	const goTest = "--- FAIL: TestX (0.00s)\n    a_test.go:3: bad\nFAIL\nFAIL\texample.com/a\t0.1s\n"
	for name, run := range map[string]struct {
		line, output string
		listsAll     bool
	}{
		"all are listed":          {"pytest tests", one + "=== 1 failed, 3 passed in 0.1s ===\n", true},
		"all are behind the pipe": {"pytest tests | tail -3", one + "=== 1 failed, 3 passed in 0.1s ===\n", true},
		"some are cut":            {"pytest tests | tail -3", one + "=== 4 failed, 3 passed in 0.1s ===\n", false},
		"it stops at the first":   {"pytest -x tests", one + "=== 1 failed in 0.1s ===\n", false},
		"it was interrupted": {
			"pytest tests", one + "!!! Interrupted: 1 error !!!\n=== 1 failed in 0.1s ===\n", false,
		},
		"no summary": {"pytest tests", one, false},
		"go test": {
			"go test ./...", goTest + "FAIL\n", true,
		},
		"go test behind a pipe": {
			"go test ./... | grep -A3 FAIL", goTest, false,
		},
		"a linter":               {"ruff check .", "a.py:1:1: F401 unused import\nFound 1 error.\n", true},
		"a linter behind a pipe": {"ruff check . | head", "a.py:1:1: F401 unused import\n", false},
		"a compiler that gave up": {
			"go build ./...", "# a\n./a.go:1:2: undefined: x\n./a.go:1:2: too many errors\n", false,
		},
		"two checks": {"ruff check .; pytest tests", one + "=== 1 failed in 0.1s ===\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			exit := 1
			if strings.Contains(run.line, "|") {
				exit = 0
			}
			out := command.Output{Stdout: run.output, ExitCode: &exit, Cwd: "/r", Root: "/r"}
			cmd := command.Parse(run.line)
			assert.Equal(t, run.listsAll, len(cmd.Examined(out, cmd.Errors(out))) > 0)
		})
	}
}

func TestWhatIsAskedOfASharedOutputDoesNotDependOnWhatWasAskedBefore(t *testing.T) {
	cmd := command.Parse("go vet ./... ; go test ./... | cat")
	for _, code := range []int{0, 1} {
		out := command.Output{
			Stdout:   "a.go:1:2: wrong\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx\t0.1s\nFAIL\n",
			ExitCode: &code, Cwd: "/r", Root: "/r",
		}
		shared := out.Shared()
		for range 2 {
			errors := cmd.Errors(shared)
			assert.Equal(t, cmd.Errors(out), errors)
			assert.Equal(t, cmd.Examined(out, errors), cmd.Examined(shared, errors))
			assert.Equal(t, cmd.Successes(out), cmd.Successes(shared))
		}
	}
}

func TestASharedOutputIsMadeReadyOnce(t *testing.T) {
	code := 1
	out := command.Output{Stdout: strings.Repeat("a.go:1:2: wrong\n", 20_000), ExitCode: &code, Cwd: "/r", Root: "/r"}
	cmd := command.Parse("go test ./...")
	errors := cmd.Errors(out)
	assert.NotEmpty(t, errors)
	bytes := func(out command.Output) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		cmd.Examined(out, errors)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	shared := out.Shared()
	assert.Equal(t, errors, cmd.Errors(shared))
	assert.Less(t, bytes(shared)*10, bytes(out))
}

func TestALogOfSuccessIsNotWhatAGoTestFailedWith(t *testing.T) {
	const head, tail = "--- FAIL: TestCondense (0.10s)\n", "FAIL\nFAIL\texample.com/a\t0.1s\nFAIL\n"
	const begun, worked = "    a_test.go:3: started\n", "    a_test.go:9: Both successfully condensed\n"
	for output, want := range map[string]string{
		"    a_test.go:3: expected 2 ids, got 1\n" + worked:            "expected 2 ids, got 1",
		begun + "    a_test.go:9: it was not successfully condensed\n": "it was not successfully condensed",
		worked: "Both successfully condensed",
	} {
		found := command.Parse("go test ./...").Errors(failedWith(head+output+tail, 1))
		if assert.Len(t, found, 1) {
			assert.Equal(t, "TestCondense: "+want, found[0].Summary)
		}
	}
}

func TestTestsThatPassedAreProvenEachWhereThereIsNoSummary(t *testing.T) {
	fails := func(line, output string) command.Opener {
		exit := 1
		out := command.Output{Stdout: output, ExitCode: &exit, Cwd: "/r", Root: "/r"}
		cmd := command.Parse(line)
		errors := cmd.Errors(out)
		if !assert.Len(t, errors, 1) {
			t.FailNow()
		}
		return cmd.Opener(errors[0], "/r", "/r")
	}
	goFails := func(test string) command.Opener {
		const ended = " (0.00s)\n    a_test.go:3: bad\nFAIL\nFAIL\texample.com/a\t0.1s\n"
		return fails("go test ./a", "--- FAIL: "+test+ended)
	}
	pyFails := fails("pytest", "FAILED a/test_a.py::test_x - assert 1 == 2\n=== 1 failed in 0.1s ===\n")
	const goVerbose, both = "go test -v ./... | grep -- ---", "--- PASS: TestX (0.00s)\n--- FAIL: TestY (0.00s)\n"
	for name, one := range map[string]struct {
		line, output string
		opener       command.Opener
		clears       bool
	}{
		"the test":               {"go test -v ./a | grep PASS", "--- PASS: TestX (0.00s)\n", goFails("TestX"), true},
		"another test":           {"go test -v ./a | grep PASS", "--- PASS: TestXY (0.00s)\n", goFails("TestX"), false},
		"another package":        {"go test -v ./b | grep PASS", "--- PASS: TestX (0.00s)\n", goFails("TestX"), false},
		"one of several":         {goVerbose, both, goFails("TestX"), true},
		"which failed":           {goVerbose, both, goFails("TestY"), false},
		"the test of pytest":     {"pytest -v a | grep PASS", "a/test_a.py::test_x PASSED\n", pyFails, true},
		"another test of pytest": {"pytest -v a | grep PASS", "a/test_a.py::test_y PASSED\n", pyFails, false},
		"what a file says":       {"cat log | grep PASS", "--- PASS: TestX (0.00s)\n", goFails("TestX"), false},
	} {
		cleared := false
		for _, s := range command.Parse(one.line).Successes(
			command.Output{Stdout: one.output, ExitCode: new(int), Cwd: "/r", Root: "/r"}) {
			cleared = cleared || s.Clears(one.opener)
		}
		assert.Equal(t, one.clears, cleared, name)
	}
}

func TestAGoTestWhoseNameIsCutIsNoError(t *testing.T) {
	const tail = "FAIL\nFAIL\texample.com/a\t0.1s\n"
	const cut = "\n... [919 characters truncated] ...\n\n    a_test.go:9: want 3\n"
	for name, c := range map[string]struct {
		output string
		want   []string
	}{
		"among others": {"--- FAIL: TestOne (0.00s)\n    a_test.go:3: got 1\n--- FAIL: TestTw\n" + cut + tail,
			[]string{"TestOne: got 1"}},
		"alone": {"--- PASS: TestOne (0.00s)\n--- FAIL: TestTw\n" + cut + tail,
			[]string{"example.com/a: the package failed"}},
		"but names that were selected are whole": {"--- FAIL: TestOne\n--- FAIL: TestTwo\n",
			[]string{"TestOne: failed", "TestTwo: failed"}},
		"and benchmarks have no time": {
			"--- FAIL: TestOne (0.00s)\n--- FAIL: BenchmarkTwo\n    a_test.go:9: bad\n" + tail,
			[]string{"TestOne: failed", "BenchmarkTwo: bad"},
		},
	} {
		assert.Equal(t, c.want, summaries("go test ./...", c.output, 1), name)
	}
}

func TestALogBehindAComparisonIsNotWhatAGoTestFailedWith(t *testing.T) {
	for output, want := range map[string]string{
		"    a_test.go:7: got 3, want 4\n    a_test.go:9: stopping the server\n":   "TestA: got 3, want 4",
		"    a_test.go:5: expected 3, was 4\n    a_test.go:9: the server failed\n": "TestA: the server failed",
		"    a_test.go:5: starting\n    a_test.go:9: boom\n":                       "TestA: boom",
	} {
		assert.Equal(t, []string{want}, summaries("go test ./...", "--- FAIL: TestA (0.00s)\n"+output+"FAIL\n", 1))
	}
}

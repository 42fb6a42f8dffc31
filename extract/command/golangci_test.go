package command_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

const (
	lintIssues = "[lint] $ golangci-lint run ./...\n" +
		"cli/view.go:922:4: missing cases in switch (exhaustive)\n\t\tswitch x {\n" +
		"cli/view.go:920:3: ifElseChain: rewrite if-else (gocritic)\n\tif y {\n\t^\n" +
		"2 issues:\n* exhaustive: 1\n* gocritic: 1\n" +
		"[lint] ERROR task failed\n"
	fewerIssues = "[lint] $ golangci-lint run ./...\n" +
		"cli/view.go:333:19: G602: slice index out of range (gosec)\n\tx[i]\n" +
		"1 issues:\n* gosec: 1\n[lint] ERROR task failed\n"
	noBuild = "cli/clean.go:1: : # example.com/cli [example.com/cli.test]\n" +
		"cli/clean_test.go:275:9: undefined: runClean\n" +
		"cli/clean_test.go:308:9: undefined: stop (typecheck)\npackage cli\n1 issues:\n* typecheck: 1\n"
)

func TestIssuesOfGolangciAreThoseOfItsLintersAndOfTheCompiler(t *testing.T) {
	for _, line := range []string{"golangci-lint run ./...", "mise run lint", "mise run fmt && mise run lint"} {
		errors := command.Parse(line).Errors(failedWith(lintIssues, 1))
		if assert.Len(t, errors, 2, line) {
			assert.Equal(t, command.Error{
				Category: command.Lint, Tool: "golangci-lint", Path: "cli/view.go", Line: 920,
				Summary: "ifElseChain: rewrite if-else (gocritic)",
			}, errors[1], line)
		}
		errors = command.Parse(line).Errors(failedWith(noBuild, 1))
		if assert.Len(t, errors, 2, line) {
			assert.Equal(t, command.Build, errors[1].Category, line)
			assert.Equal(t, "undefined: stop", errors[1].Summary, line)
		}
	}
	compiled := failedWith(fewerIssues+"# example.com/cli\n./main.go:3:2: undefined: x\n", 1)
	both := command.Parse("mise run check").Errors(compiled)
	if assert.Len(t, both, 2) {
		assert.Equal(t, "go build", both[1].Tool, "what follows the issues is the compiler's")
	}
}

func TestAFailingRunOfATaskReplacesWhatItsToolFoundBefore(t *testing.T) {
	clears := func(line, before, then, after string) (gone []string) {
		first, second := command.Parse(line), command.Parse(then)
		opened := first.Errors(failedWith(before, 1))
		for _, success := range second.Examined(failedWith(after, 1), second.Errors(failedWith(after, 1))) {
			for _, e := range opened {
				if success.Clears(first.Opener(e, "/r", "/r")) {
					gone = append(gone, e.Summary)
				}
			}
		}
		return gone
	}
	const task = "mise run lint"
	assert.Len(t, clears(task, lintIssues, task, fewerIssues), 2)
	assert.Len(t, clears("mise run fmt && mise run lint", lintIssues, task, fewerIssues), 2)
	assert.Len(t, clears("golangci-lint run", lintIssues, "golangci-lint run", fewerIssues), 2)
	assert.Len(t, clears(task, noBuild, task, fewerIssues), 2, "what is linted compiles")
	assert.Empty(t, clears(task, lintIssues, task, noBuild), "nothing is linted that does not compile")
	assert.Empty(t, clears(task, lintIssues, "mise run lint | head -3", fewerIssues), "a part is shown")
	assert.Empty(t, clears(task, lintIssues, task, "cli/view.go:3:1: bad (gosec)\n9 issues:\n"), "some are not listed")
	const types = "a.ts(3,1): error TS2304: Cannot find name 'x'.\nFound 1 error in a.ts:3\n"
	assert.Empty(t, clears(task, types, task, fewerIssues), "another tool found it")
	const ruff = "a.py:1:1: F401 `os` imported but unused\nFound 1 error.\n"
	const former = "b.py:1:1: F401 `re` imported but unused\nFound 1 error.\n"
	assert.Len(t, clears("npm run lint", former, "npm run lint", ruff), 1)
}

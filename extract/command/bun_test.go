package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

const bunOutput = `bun test v1.2.10 (db2e7d7f)

src/sum.test.ts:
(pass) sum > adds two [0.11ms]
 8 | describe("sum", () => {
 9 |   test("adds three", () => {
10 |     expect(sum(1, 1, 1)).toBe(3);
                                ^
error: expect(received).toBe(expected)

Expected: 3
Received: 2

      at <anonymous> (/r/src/sum.test.ts:10:26)
(fail) sum > adds three [1.04ms]

 1 pass
 1 fail
 2 expect() calls
Ran 2 tests across 1 files. [12.00ms]
`

func TestBunNamesTheTestAndWhatItExpected(t *testing.T) {
	want := []command.Error{{
		Category: command.Test, Tool: "bun test", Path: "src/sum.test.ts", Line: 10, Test: "sum > adds three",
		Summary: "sum > adds three: expect(received).toBe(expected) Expected: 3 Received: 2",
	}}
	exit := 1
	errors := func(line, output string) []command.Error {
		found := command.Parse(line).Errors(command.Output{Stdout: output, ExitCode: &exit, Cwd: "/r", Root: "/r"})
		for i := range found {
			found[i].Tool = "bun test"
		}
		return found
	}
	assert.Equal(t, want, errors("bun test", bunOutput))
	const ended = "error: script \"test\" exited with code 1\n"
	assert.Equal(t, want, errors("bun run test", "$ bun test\n"+bunOutput+ended))
	var prefixed strings.Builder
	for line := range strings.Lines(bunOutput) {
		prefixed.WriteString("@acme/core test: " + line)
	}
	assert.Equal(t, want, errors("bun run --filter '*' test", prefixed.String()), "the task's name before each line")

	const rule = "-------------------------------\n"
	broken := "bun test v1.2.10\n\nsrc/a.test.ts:\n\n# Unhandled error between tests\n" + rule +
		"error: Cannot find module './b' from '/r/src/a.test.ts'\n" + rule + "\n 0 pass\n 1 fail\n 1 error\n"
	found := errors("bun test", broken)
	if assert.Len(t, found, 1) {
		assert.Equal(t, "src/a.test.ts: Cannot find module './b' from '/r/src/a.test.ts'", found[0].Summary)
	}
}

func TestAHeadAnnouncesTheLineBelow(t *testing.T) {
	exit := 1
	found := command.Parse("dotnet test").Errors(command.Output{
		Stdout:   "  Failed Shop.Cart [12 ms]\n  Error Message:\n   Assert.Equal() Failure: 1 is not 2\n",
		ExitCode: &exit, Cwd: "/r", Root: "/r",
	})
	if assert.Len(t, found, 1) {
		assert.Equal(t, "Error Message: Assert.Equal() Failure: 1 is not 2", found[0].Summary)
	}
}

func TestTheDotsBetweenACheckAndItsResultAreLeftOut(t *testing.T) {
	exit := 1
	found := command.Parse("git commit -m x").Errors(command.Output{
		Stdout: "black..............Failed\n- hook id: black\n", ExitCode: &exit, Cwd: "/r", Root: "/r",
	})
	if assert.Len(t, found, 1) {
		assert.Equal(t, "black: Failed", found[0].Summary)
	}
}

package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

func own(t testing.TB, category command.Category, programs, line string) command.ErrorPattern {
	t.Helper()
	compiled, err := pattern.NewExpression(line)
	require.NoError(t, err)
	return command.ErrorPattern{Line: compiled, Category: category, Programs: programs}
}

func TestB16_OwnPatternsFindErrorsBesidesTheKnown(t *testing.T) {
	placed := own(t, "house", "", `^(?P<file>[^:\s]+):(?P<line>\w+)(?::\d+)?: (?P<message>.+)$`)
	for name, test := range map[string]struct {
		line, output string
		patterns     []command.ErrorPattern
		want         []command.Error
	}{
		"besides those of a reader, which are not told twice": {
			"go build ./...",
			"# m\n./a.go:3:5: undefined: x\nb.txt:4: the colour is wrong\n", []command.ErrorPattern{placed},
			[]command.Error{
				{Category: command.Build, Tool: "go build", Path: "a.go", Line: 3, Summary: "undefined: x"},
				{Category: "house", Tool: "go build", Path: "b.txt", Line: 4, Summary: "the colour is wrong"},
			},
		},
		"of the step that they are for": {
			"echo x && cd lib && style && check",
			"c.txt:9: odd\n", []command.ErrorPattern{own(t,
				"lint", "{check,test}*", `^(?P<file>\S+):(?P<line>\d+): (?P<message>.+)`)},
			[]command.Error{{Category: "lint", Tool: "check", Path: "lib/c.txt", Line: 9, Summary: "odd"}},
		},
		"without a place": {
			"style",
			"BAD  it is   ugly \nBAD  it is   ugly\n", []command.ErrorPattern{own(t,
				"lint", "", `^BAD(?P<message>.*)`)},
			[]command.Error{{Category: "lint", Tool: "style", Summary: "it is ugly"}},
		},
		"with a line that is not a number": {
			"style", "a.txt:top: it is ugly\n", []command.ErrorPattern{placed},
			[]command.Error{{Category: "house", Tool: "style", Path: "a.txt", Summary: "it is ugly"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, command.Parse(test.line).Errors(failedWith(test.output, 1), test.patterns...))
		})
	}
	for name, output := range map[string]command.Output{
		"success": failedWith("a.txt:3: x\n", 0), "an unknown end": {Stdout: "a.txt:3: x\n", Cwd: "/r", Root: "/r"}} {
		assert.Empty(t, command.Parse("style").Errors(output, placed), name)
	}
	many := strings.Repeat("a.txt:1: x\nb.txt:2: y\n", 5000)
	assert.Len(t, command.Parse("style").Errors(failedWith(many, 1), placed), 2)
}

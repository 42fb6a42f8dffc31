package command_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

func TestWhatACommandLineRuns(t *testing.T) {
	for line, want := range map[string][]string{
		"python repro.py": {"repro.py"},
		"cd sub && timeout 5 python3 ./try.py --fast": {"sub/try.py"},
		"node tools/a.mjs && bash b.sh && ./c.sh":     {"tools/a.mjs", "b.sh", "c.sh"},
		"pytest -q repro.py::test_x":                  {"repro.py"},
		"pytest tests/test_a.py b_test.py":            nil,
		"python -m pytest tests":                      nil,
		"python -c 'print(1)' && python -m json.tool": nil,
		"pylint repro.py && cat a.py && rm b.py":      nil,
	} {
		assert.Equal(t, want, command.Parse(line).Runs(), line)
	}
}

func TestWhatPutsFilesUnderVersionControl(t *testing.T) {
	for line, want := range map[string]bool{
		"git add -A": true, "git -C sub commit -am x": true, "git diff && git status": false, "echo add": false,
	} {
		assert.Equal(t, want, command.Parse(line).Stages(), line)
	}
}

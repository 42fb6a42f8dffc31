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

func TestWhatMakesACommit(t *testing.T) {
	zero, one := 0, 1
	for _, c := range []struct {
		line, output string
		code         *int
		want         bool
	}{
		{"git commit -am x", "[main 1a2b3c4] x\n 1 file changed\n", &zero, true},
		{"git add a && git commit -m x && git push", "[a/b-c (root-commit) 1a2b3c4] x\n", &one, true},
		{"git commit -am x", "[detached HEAD 1a2b3c4] x\n", nil, true},
		{"git commit -qam x", "", &zero, true},
		{"git commit -qam x; true", "", &zero, false},
		{"git commit -qam x", "", &one, false},
		{"git commit -am x", "nothing to commit, working tree clean\n", &one, false},
		{"git commit --dry-run", "[main 1a2b3c4] x\n", &zero, false},
		{"git log --oneline", "1a2b3c4 [main] x\n", &zero, false},
		{"cat log", "[main 1a2b3c4] x\n", &zero, false},
	} {
		out := command.Output{Stdout: c.output, ExitCode: c.code}
		assert.Equal(t, c.want, command.Parse(c.line).Commits(out), c.line)
	}
}

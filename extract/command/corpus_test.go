package command_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// The bars of the labelled set.
const (
	minPrecision = 0.98
	minRecall    = 0.95
)

// A label is one error that an output should open.
type label struct {
	Category command.Category `json:"category"`
	Path     string           `json:"path"`
	Line     int              `json:"line"`
	Says     string           `json:"says"`
	Masked   bool             `json:"masked"`
	// Holds is a part of the summary. Where it is given the label was made with the
	// mistake, before any output was read, and says only what was known then.
	Holds string `json:"holds"`
}

func (l label) is(e command.Error) bool {
	if l.Holds != "" {
		return (l.Category == "" || l.Category == e.Category) && (l.Path == "" || l.Path == e.Path) &&
			(l.Line == 0 || l.Line == e.Line) &&
			strings.Contains(e.Summary, l.Holds)
	}
	return l.Category == e.Category && l.Path == e.Path && l.Line == e.Line && l.Masked == e.Masked &&
		strings.HasPrefix(e.Summary, l.Says)
}

// A labelled output is one record of testdata.
type labelled struct {
	ID       string  `json:"id"`
	Tool     string  `json:"tool"`
	Command  string  `json:"command"`
	ExitCode int     `json:"exit_code"`
	Cwd      string  `json:"cwd"`
	Root     string  `json:"root"`
	Output   string  `json:"output"`
	Want     []label `json:"want"`
}

func (l labelled) errors() []command.Error {
	return command.Parse(l.Command).
		Errors(command.Output{Stdout: l.Output, ExitCode: &l.ExitCode, Cwd: l.Cwd, Root: l.Root})
}

func readLabelled(tb testing.TB, name string) []labelled {
	tb.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	require.NoError(tb, err)
	defer file.Close()
	var all []labelled
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one labelled
		require.NoError(tb, json.Unmarshal(lines.Bytes(), &one))
		all = append(all, one)
	}
	require.NoError(tb, lines.Err())
	require.NotEmpty(tb, all)
	return all
}

// A score counts what was opened and what should have been.
type score struct{ right, opened, wanted int }

func (s score) precision() float64 { return ratio(s.right, s.opened) }
func (s score) recall() float64    { return ratio(s.right, s.wanted) }

func ratio(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func TestPrecisionAndRecall(t *testing.T) {
	for _, name := range []string{"known.jsonl", "held.jsonl", "planted.jsonl", "aside.jsonl"} {
		t.Run(name, func(t *testing.T) {
			scores := map[string]*score{}
			for _, one := range readLabelled(t, name) {
				s := scores[one.Tool]
				if s == nil {
					s = &score{}
					scores[one.Tool] = s
				}
				mark(t, one, s)
			}
			total := score{}
			for _, tool := range slices.Sorted(maps.Keys(scores)) {
				s := *scores[tool]
				t.Logf(
					"%-10s precision %5.1f %%  recall %5.1f %%  (%d opened, %d wanted)",
					tool,
					100*s.precision(),
					100*s.recall(),
					s.opened,
					s.wanted,
				)
				total = score{total.right + s.right, total.opened + s.opened, total.wanted + s.wanted}
			}
			t.Logf(
				"%-10s precision %5.1f %%  recall %5.1f %%  (%d opened, %d wanted)",
				"all",
				100*total.precision(),
				100*total.recall(),
				total.opened,
				total.wanted,
			)
			assert.GreaterOrEqual(t, total.precision(), minPrecision)
			assert.GreaterOrEqual(t, total.recall(), minRecall)
		})
	}
}

// mark holds what an output opens against its labels, and says where they differ.
func mark(t *testing.T, one labelled, s *score) {
	t.Helper()
	wanted := slices.Clone(one.Want)
	s.wanted += len(wanted)
	for _, e := range one.errors() {
		s.opened++
		i := slices.IndexFunc(wanted, func(l label) bool { return l.is(e) })
		if i < 0 {
			t.Logf("%s %q opens what it should not: %+v", one.ID, one.Command, e)
			continue
		}
		wanted = slices.Delete(wanted, i, i+1)
		s.right++
	}
	for _, missed := range wanted {
		t.Logf("%s %q misses %+v", one.ID, one.Command, missed)
	}
}

func TestAnUnknownOutcomeOpensNothing(t *testing.T) {
	for _, one := range readLabelled(t, "known.jsonl") {
		out := command.Output{Stdout: one.Output, Cwd: one.Cwd, Root: one.Root}
		assert.Empty(t, command.Parse(one.Command).Errors(out), one.ID)
	}
}

func TestAFailureWithoutACodeOpensWhatACodeOpens(t *testing.T) {
	for _, one := range readLabelled(t, "known.jsonl") {
		if one.ExitCode != 1 || len(one.Want) == 0 || strings.Contains(one.Want[0].Says, "exit code") {
			continue
		}
		out := command.Output{Stdout: one.Output, Failed: true, Cwd: one.Cwd, Root: one.Root}
		assert.Equal(t, one.errors(), command.Parse(one.Command).Errors(out), one.ID)
	}
}

func TestPrintingAndSearchingOpenNothing(t *testing.T) {
	const output = "main.go:3:4: undefined: x\nERROR: everything failed\nTraceback (most recent call last):\n  File " +
		"\"a.py\", line 1, in <module>\nValueError: bad\nFAILED tests/test_a.py::test_x - boom\nFAIL\tpkg\t0.1s\n"
	for _, line := range []string{
		"git log", "git diff HEAD~1", "git -C sub status",
		"git show x", "cat err.log", "head -5 x", "tail -n 20 x | grep Error", "sed -n 1,5p x",
		"grep -rn Error .", "rg panic", "find . -name x",
		"ls nosuch", "echo FAILED", "printf x", "wc -l x", "diff a b", "tree", "jq . x.json",
		"which go", "pwd", "curl http://localhost:1",
		"sudo cat x", "env FOO=1 cat x", "bash -c 'cat x | head'", "cd sub && ls", "test -f x", "[ -f x ]",
		"rm nosuch", "go version", "go list ./...", "npm ls",
		"python --version", "xargs grep foo", "timeout 5 tail -f x", "",
	} {
		assert.Empty(t, command.Parse(line).Errors(failedWith(output, 1)), line)
		assert.Empty(t, command.Parse(line).Errors(failedWith(output, 0)), line)
	}
}

func TestErrorsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "a.go:%d:2: undefined: %s\n", i+1, strings.Repeat("y", i%700))
	}
	errors := command.Parse("go build ./...").Errors(failedWith(b.String(), 1))
	assert.Equal(t, command.MaxErrors, len(errors))
	for _, e := range errors {
		assert.LessOrEqual(t, len([]rune(e.Summary)), command.MaxSummary)
	}
}

func TestGarbageIsNoError(t *testing.T) {
	garbage := map[string]string{
		"binary":       strings.Repeat("\x00\x01\xff\xfe\x7fELF", 1000),
		"one line":     strings.Repeat("a", slow.Rounds(16<<20)),
		"broken UTF-8": "error: \xff\xfe\xfd",
		"UTF-16":       "\xff\xfeE\x00r\x00r\x00o\x00r\x00:\x00 \x00x\x00\n\x00",
		"only returns": strings.Repeat("\r", 1000),
		"only escapes": strings.Repeat("\x1b[", 1000),
	}
	for name, text := range garbage {
		for _, line := range []string{"go test ./...",
			"pytest", "npx jest", "tsc", "eslint .", "make", "./run.sh", "cargo test", "mypy ."} {
			errors := command.Parse(line).Errors(failedWith(text, 1))
			assert.LessOrEqual(t, len(errors), 1, "%s of %s", name, line)
			for _, e := range errors {
				assert.NotContains(t, e.Summary, "\x00", name)
				assert.NotContains(t, e.Summary, "\n", name)
			}
		}
	}
}

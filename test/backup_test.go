package test_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// rememberAll makes a memory of every kind: entries with one that is forgotten, a core block, slots, notes,
// a conversation, an error, a kept output.
func rememberAll(client *test.Client) {
	remember(client, decision)
	var added struct{ Results []struct{ ID string } }
	client.Call("wm/memory/add", map[string]any{"text": "Tests run on two cores", "type": "project"}, &added)
	leaveTraces(client)
	client.Call("wm/core/update", map[string]any{"block": "goal", "operation": "replace", "content": "ship it"}, nil)
	client.Call("wm/notes/write", map[string]any{"path": "detail/plan.md", "content": "# Plan\n\nОдин 二 \u2603\n"}, nil)
	client.Call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go vet ./..."}, "exitCode": 1, "prune": true,
		"output": strings.Repeat("a.go:1:1: expected 'package', found 'EOF'\n", 2000),
	}, nil)
	_ = memories(client)
}

// content returns the lines of a backup that say what is kept, without its first and last one.
func content(t *testing.T, path string) []string {
	t.Helper()
	doc, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(doc), "\n"), "\n")
	require.Greater(t, len(lines), 2)
	return lines[1 : len(lines)-1]
}

func TestARestoredMemoryIsTheSameByteForByte(t *testing.T) {
	slow.Test(t)
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{SessionID: session})
		rememberAll(client)
		client.Shutdown()
		first, second := filepath.Join(env.Home, "first"), filepath.Join(env.Home, "second")
		other := filepath.Join(env.Home, "elsewhere")
		require.NoError(t, os.Mkdir(other, 0o700))
		for _, step := range [][]string{
			{"backup", first}, {"restore", first, "-C", other}, {"backup", second, "-C", other},
		} {
			code, _, errOut := runProgram(t, env, step...)
			require.Zero(t, code, "%v: %s", step, errOut)
		}
		before := content(t, first)
		assert.Equal(t, before, content(t, second))
		assert.True(t, slices.ContainsFunc(before, func(line string) bool {
			return strings.Contains(line, `working-memory/detail/plan.md`) && strings.Contains(line, "Один 二 ☃")
		}), "the notes are in the backup")
		assert.True(t, slices.ContainsFunc(before, func(line string) bool {
			return strings.Contains(line, `cache/tool-outputs/`)
		}), "and the output that was pruned")
		code, _, errOut := runProgram(t, env, "backup", first)
		assert.Equal(t, 1, code)
		assert.Contains(t, errOut, "exists already; name a new file")
	})
}

func TestARunningServerTakesOverARestoredMemory(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{SessionID: session})
		remember(client, decision)
		saved := filepath.Join(env.Home, "saved")
		code, _, errOut := runProgram(t, env, "backup", saved)
		require.Zero(t, code, errOut)
		remember(client, "This is decided after the backup was made")

		code, _, errOut = runProgram(t, env, "restore", saved)
		assert.Equal(t, 1, code)
		assert.Contains(t, errOut, "this folder has a memory already; wm-lsp restore --replace "+saved+" replaces it")
		require.Len(t, memories(client), 2)

		code, out, errOut := runProgram(t, env, "restore", "--replace", saved)
		require.Zero(t, code, errOut)
		told := func() int { return len(client.Notifications("wm/changed")) }
		for known := told(); len(memories(client)) != 1; known = told() {
			client.Await(func() bool { return told() > known }, "the server takes over the restored memory")
		}
		assert.Equal(t, []string{decision}, memories(client))
		remember(client, "This is decided after it was restored")
		assert.Len(t, memories(client), 2, "and writes to it")
		client.Shutdown()

		_, former, _ := strings.Cut(strings.TrimSuffix(out, ".\n"), "What was there before is in ")
		code, _, errOut = runProgram(t, env, "restore", "--replace", former)
		require.Zero(t, code, errOut)
		again := env.Start(test.ClientOptions{})
		assert.ElementsMatch(t, []string{decision, "This is decided after the backup was made"}, memories(again))
		again.Shutdown()
	})
}

func TestABackupThatIsNotWholeChangesNothing(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{SessionID: session})
		rememberAll(client)
		client.Shutdown()
		saved := filepath.Join(env.Home, "saved")
		code, _, errOut := runProgram(t, env, "backup", saved)
		require.Zero(t, code, errOut)
		lines := content(t, saved)
		doc, err := os.ReadFile(saved)
		require.NoError(t, err)
		whole := string(doc)
		header, _, _ := strings.Cut(whole, "\n")
		for name, c := range map[string]struct{ doc, says string }{
			"empty":              {"", "not a backup"},
			"something else":     {"{\"a\": 1}\n", "not a backup"},
			"no JSON":            {"# Memory\n", "not a backup"},
			"cut between lines":  {header + "\n" + lines[0] + "\n", "incomplete"},
			"cut within a line":  {whole[:len(whole)/2], "cannot be read"},
			"a text was changed": {strings.Replace(whole, decision, "Something else was decided", 1), "was changed"},
			"two in one file":    {whole + whole, "goes on after its last line"},
			"of a newer format":  {strings.Replace(whole, `"version":1`, `"version":99`, 1), "newer format"},
			"of a newer program": {strings.Replace(whole, `"schema":`, `"schema":9`, 1), "update wm-lsp first"},
			"a file elsewhere": {
				strings.Replace(whole, `"path":"sessions/`, `"path":"sessions/../../`, 1), "is none of a session",
			},
			"an unknown statement": {strings.Replace(whole, "CREATE INDEX", "DROP INDEX", 1), "CREATE TABLE"},
			"two statements": {
				strings.Replace(whole, "CREATE INDEX", "CREATE INDEX a ON log(at); CREATE INDEX", 1), "CREATE TABLE",
			},
		} {
			t.Run(name, func(t *testing.T) {
				broken := filepath.Join(env.Home, "broken")
				require.NoError(t, os.WriteFile(broken, []byte(c.doc), 0o600))
				code, _, errOut := runProgram(t, env, "restore", "--replace", broken)
				assert.Equal(t, 1, code)
				assert.Contains(t, errOut, c.says)
				assert.Contains(t, errOut, "the memory is as it was")
				now := filepath.Join(t.TempDir(), "now")
				code, _, errOut = runProgram(t, env, "backup", now)
				require.Zero(t, code, errOut)
				assert.Equal(t, lines, content(t, now))
			})
		}
	})
}

func TestBackupSaysWhatItNeeds(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		for _, step := range []struct {
			arguments []string
			code      int
			errOut    string
		}{
			{[]string{"backup"}, 2, "takes the name of one file"},
			{[]string{"backup", "-"}, 3, "nothing is remembered for this folder yet"},
			{[]string{"restore", "-"}, 2, "takes the name of one file"},
			{[]string{"restore", "none"}, 1, "no such file"},
			{[]string{"backup", "a", "-C", "none"}, 2, `there is no folder "none"`},
		} {
			code, _, errOut := runProgram(t, env, step.arguments...)
			assert.Equal(t, step.code, code, step.arguments)
			assert.Contains(t, errOut, step.errOut, step.arguments)
		}
	})
}

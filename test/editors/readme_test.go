package editors_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
)

// Whoever copies the agent of the README has an agent, and not an editor whose words are those of a person.
func TestTheAgentOfTheReadmeIsAnAgent(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, code, there := strings.Cut(string(readme), "```python\n")
	require.True(t, there)
	code, _, there = strings.Cut(code, "```")
	require.True(t, there)
	test.Run(t, "-- add.go --\npackage add\n", func(t *testing.T, env *test.Env) {
		script := filepath.Join(t.TempDir(), "agent.py")
		require.NoError(t, os.WriteFile(script, []byte(code), 0o600))
		python := exec.CommandContext(t.Context(), "python3", script, env.Root)
		program := filepath.Dir(test.Binary(t, test.Server))
		python.Env = append(env.Environ(), "PATH="+program+string(os.PathListSeparator)+os.Getenv("PATH"))
		said, err := python.CombinedOutput()
		require.NoError(t, err, string(said))
		assert.Contains(t, string(said), "[decision] Amounts are integers, in cents")
		assert.Contains(t, string(said), "TestAdd: got 3, want 4")

		editor := env.Start(test.ClientOptions{Name: "vscode"})
		entry, there := remembered(editor, "Amounts are integers, in cents")
		require.True(t, there)
		assert.Equal(t, wire.AuthorAgent, entry.Author)
		editor.Shutdown()
	})
}

package editors_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// The plugin of OpenCode: its parts, then all of it with the real server.
func TestOpenCodePlugin(t *testing.T) {
	env := []string{"WM_TEST_SERVER=" + test.Binary(t, test.Server)}
	out, err := test.NodeScript(t, test.OpenCodeDir(), nil, "scripts/build.mjs", "--tests")
	require.NoError(t, err, out)
	made, err := os.ReadFile(filepath.Join(test.OpenCodeDir(), "out", "install.js"))
	require.NoError(t, err)
	embedded, err := os.ReadFile(filepath.Join(test.OpenCodeDir(), "..", "..", "install", "opencode.js"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(made, embedded),
		"npm run build --prefix editors/opencode -- --install writes the file that wm-lsp install opencode installs")
	out, err = test.NodeScript(t, test.OpenCodeDir(), env, "--test", "--test-reporter=spec", "out/unit/*.test.mjs")
	require.NoError(t, err, out)
}

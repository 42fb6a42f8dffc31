package editors_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// The extension of VS Code: its parts, then all of it inside the extension host
// against a fake server, then the workbench with the real server.
func TestVSCodeExtension(t *testing.T) {
	out, err := test.ExtensionScript(t, nil, "scripts/build.mjs", "--tests")
	require.NoError(t, err, out)

	t.Run("parts", func(t *testing.T) {
		out, err := test.ExtensionScript(t, nil, "--test", "--test-reporter=spec", "out/unit/*.test.js")
		require.NoError(t, err, out)
	})
	t.Run("the package for this platform is small", func(t *testing.T) {
		dir := t.TempDir()
		out, err := test.ExtensionScript(t, []string{"WM_VSIX_DIR=" + dir}, "scripts/package.mjs")
		require.NoError(t, err, out)
		packages, err := filepath.Glob(filepath.Join(dir, "*.vsix"))
		require.NoError(t, err)
		require.Len(t, packages, 1)
		info, err := os.Stat(packages[0])
		require.NoError(t, err)
		assert.Less(t, info.Size(), int64(test.MaxExtension))
	})
	t.Run("extension host", func(t *testing.T) {
		out, err := test.ExtensionScript(t, []string{"WM_BINARY=" + test.Binary(t, test.Server)}, "tests/host.mjs")
		test.ReportExtension(t, out, err)
	})
	t.Run("workbench", func(t *testing.T) {
		out, err := test.ExtensionScript(t, nil, "tests/workbench.mjs")
		test.ReportExtension(t, out, err)
	})
}

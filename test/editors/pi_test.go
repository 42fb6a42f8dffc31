package editors_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// The extension of pi, with the real server and without pi: test/agents runs pi itself.
func TestTheExtensionOfPi(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		script, err := filepath.Abs(filepath.Join(test.ExtensionDir(t), "..", "agents", "pi", "session.test.mjs"))
		require.NoError(t, err)
		path := filepath.Dir(test.Binary(t, test.Server)) + string(os.PathListSeparator) +
			filepath.Dir(test.Installed(t, "vscode/bin/node")) + string(os.PathListSeparator) + os.Getenv("PATH")
		environ := append(env.Environ(), "PATH="+path)
		out, err := test.ExtensionScript(t, environ, "--test", "--test-reporter=spec", script)
		require.NoError(t, err, out)
	})
}

//go:build unix

package lsp

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A repository can hold all of these.
func TestOnlyARegularFileOfTheWorkspaceIsRemembered(t *testing.T) {
	p := start(t, nil)
	outside := filepath.Join(t.TempDir(), "secret.go")
	require.NoError(t, os.WriteFile(outside, []byte("the secret\n"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(p.root, "pipe.go"), 0o600))
	for name, target := range map[string]string{
		"zero.go": "/dev/zero", "outside.go": outside, "to-pipe.go": "pipe.go", "up.go": "../../../../../etc/passwd",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(p.root, name)))
	}
	span := map[string]any{
		"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": 0, "character": 10},
	}
	for _, name := range []string{"pipe.go", "zero.go", "outside.go", "to-pipe.go", "up.go"} {
		fault := p.fails("workspace/executeCommand", map[string]any{
			"command": "wm.remember", "arguments": []any{map[string]any{
				"uri": fileURI(filepath.Join(p.root, name)), "range": span, "type": "feedback",
			}},
		})
		assert.NotContains(t, fault.Message, "the secret", name)
		// The editor opens it: what it holds on the disk is not read for that either.
		p.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": fileURI(filepath.Join(p.root, name)), "languageId": "go", "version": 1, "text": "x",
		}})
	}
	p.call("wm/status", nil, nil)
}

package service

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

const keyLine = "MIIEowIBAAKCAQEAxZ8pQ2r4b0cV1n7u3yTq"

// privateKey is made up.
const privateKey = "-----BEGIN RSA " + "PRIVATE KEY-----\n" + keyLine + "\n" + keyLine + "\nabcd==\n-----END RSA " +
	"PRIVATE KEY-----"

// Whatever way a secret takes, no piece of it reaches the disk or the context.
func TestNoPieceOfASecretReachesTheDiskOrTheContext(t *testing.T) {
	f := newFace(t)
	f.write("cart.go", "package cart\n")
	failed := 1
	heredoc := "cat > id_rsa <<EOF\n" + privateKey + "\nEOF\ngo test ./..."
	input := func(line string) json.RawMessage {
		doc, err := json.Marshal(map[string]string{"command": line})
		require.NoError(t, err)
		return doc
	}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{
		Params: wire.Params{SessionID: "s"}, History: true,
	})
	for _, line := range []string{heredoc, "sshpass -p dragonfly ssh db", "sshpass -p dragonfly ./deploy.sh"} {
		get[wire.ToolExecutedResult](f, "wm/tool/executed", &wire.ToolExecutedParams{
			Tool: "bash", Input: input(line), ExitCode: &failed, Error: "error: cannot read " + privateKey,
			Output: "cart.go:3:1: error: bad key:\n" + privateKey + "\nFAIL\n",
		})
	}
	get[wire.DiagnosticsChangedResult](f, "wm/diagnostics/changed", &wire.DiagnosticsChangedParams{
		URI: f.uri("cart.go"), Diagnostics: []wire.Diagnostic{{Severity: 1,
			Message: wire.Message("bad " + privateKey)}},
	})
	for _, text := range strings.SplitAfter(privateKey, "\n") {
		get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{Role: wire.RoleUser,
			Text: text})
	}
	for _, text := range []string{"Remember this: the password of the shop is dragonfly", "The database password is",
		"dragonfly"} {
		get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{Role: wire.RoleUser,
			Text: text})
	}
	get[wire.Empty](f, "wm/state/event", &wire.StateEventParams{
		Type: "task_started", Data: wire.Object{"task": "the key " + privateKey + " is bad"},
	})
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{
		Text: strings.Repeat("The key of the shop is kept by operations. ", 5) + privateKey, Type: "reference",
	})
	context := get[wire.ContextResult](f, "wm/context", &wire.ContextParams{}).Text
	for _, piece := range []string{keyLine, "dragonfly", "abcd=="} {
		assert.NotContains(t, context, piece)
		require.NoError(t, filepath.WalkDir(f.service.options.DataDir, func(path string, d fs.DirEntry,
			err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.NotContains(t, string(text), piece, path)
			return nil
		}))
	}
}

func TestAReceiptCountsASecretWhoseNameStandsInWhatWasSaidBefore(t *testing.T) {
	f := newFace(t)
	s := wire.Params{SessionID: "s"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: s})
	said := func(text string) wire.MessageReceivedResult {
		return get[wire.MessageReceivedResult](f, "wm/message/received",
			&wire.MessageReceivedParams{Params: s, Role: wire.RoleUser, Text: text})
	}
	appended := func(text string) wire.CoreUpdateResult {
		return get[wire.CoreUpdateResult](f, "wm/core/update", &wire.CoreUpdateParams{
			Params: s, Block: wire.CoreContext, Operation: wire.CoreAppend, Content: text,
		})
	}
	assert.Zero(t, said("The database password is").Redactions)
	result := said("dragonfly")
	assert.Equal(t, 1, result.Redactions)
	assert.Equal(t, []string{"secret"}, result.Redacted)

	assert.Zero(t, appended("The database password is").Redactions)
	block := appended("dragonfly")
	assert.NotContains(t, block.Block.Content, "dragonfly")
	assert.Equal(t, 1, block.Redactions)
	assert.Equal(t, []string{"secret"}, block.Redacted)

	assert.Zero(t, appended("Next: run make check").Redactions)
}

package lsp

import (
	"encoding/json"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestACapabilityInAnotherFormIsNoReasonToRefuseAClient(t *testing.T) {
	for _, form := range []string{
		`5`, `null`, `[]`, `"x"`, `{"workingMemory":7}`, `{"workingMemory":{"notifications":"yes"}}`,
	} {
		for _, name := range []string{"experimental", "workspace", "window", "textDocument"} {
			doc, err := json.Marshal(map[string]any{"capabilities": map[string]any{name: json.RawMessage(form)}})
			require.NoError(t, err)
			params, err := decodeStandard[initializeParams](doc)
			require.NoError(t, err, "%s: %s", name, form)
			assert.False(t, params.Capabilities.Experimental.value.WorkingMemory.Notifications)
		}
	}
	params, err := decodeStandard[initializeParams](
		[]byte(`{"capabilities":{"experimental":{"workingMemory":{"notifications":true}},"window":[]}}`))
	require.NoError(t, err)
	assert.True(t, params.Capabilities.Experimental.value.WorkingMemory.Notifications)
}

func TestTheResponseToInitializeDoesNotWaitForTheFolders(t *testing.T) {
	begun := 0
	serverOf := func() *Server {
		begun = 0
		s := newServer(Options{
			Begun: func() { begun++ },
			In:    strings.NewReader(""), Out: io.Discard, Log: slog.New(slog.DiscardHandler), DataDir: t.TempDir(),
			UserFile: filepath.Join(t.TempDir(), "none.toml"),
		})
		s.life = t.Context()
		others := func() map[string]handler {
			t.Error("initialize waits for the handlers of the other methods")
			return nil
		}
		first, err := s.prepare(others, "initialize", true, []byte("{}"))
		require.NoError(t, err)
		_, err = first.run(t.Context())
		require.NoError(t, err)
		assert.Panics(t, func() { s.service.Session() }, "the service has begun")
		assert.Zero(t, begun)
		return s
	}
	s := serverOf()
	s.written(t.Context())
	assert.NotEmpty(t, s.service.Session())
	s.written(t.Context())
	assert.Equal(t, 1, begun)

	s = serverOf() // as in a batch, whose responses are written together
	_, err := s.prepare(s.methods, "wm/status", true, []byte("{}"))
	require.NoError(t, err)
	assert.NotEmpty(t, s.service.Session())
}

func TestTheLogSaysThatAClientHasBegunWhenTheStartIsOver(t *testing.T) {
	userFile := filepath.Join(t.TempDir(), "none.toml")
	synctest.Test(t, func(t *testing.T) {
		var log lockedBuffer // the time that passes synchronizes nothing
		s := newServer(Options{
			In: strings.NewReader(""), Out: io.Discard, Log: slog.New(slog.NewTextHandler(&log, nil)),
			UserFile: userFile,
		})
		s.life = t.Context()
		first, err := s.prepare(nil, "initialize", true, []byte(`{"clientInfo":{"name":"editor"}}`))
		require.NoError(t, err)
		_, err = first.run(t.Context())
		require.NoError(t, err)
		s.written(t.Context())
		time.Sleep(startTime - time.Millisecond)
		synctest.Wait()
		assert.Empty(t, log.text())
		time.Sleep(time.Millisecond)
		synctest.Wait()
		assert.Contains(t, log.text(), "msg=initialized client=editor")
	})
}

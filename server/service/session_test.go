package service

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestASessionSaysWhetherItIsThatOfAnEditor(t *testing.T) {
	for name, c := range map[string]struct {
		settings string
		want     bool
	}{
		"an editor":              {`{"sessionId": "s"}`, true},
		"an agent, by its name":  {`{"sessionId": "s", "agent": "coder"}`, false},
		"an agent, by its tools": {`{"sessionId": "s", "toolNames": {"wm/search": "memory_search"}}`, false},
		"a hook of an agent":     {`{"sessionId": "s", "attach": true}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFaceOf(t, c.settings)
			get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{
				Params: wire.Params{SessionID: "s"},
			})
			listed := get[wire.SessionListResult](f, "wm/session/list", &wire.SessionListParams{}).Sessions
			require.Len(t, listed, 1)
			assert.Equal(t, c.want, listed[0].Editor)
		})
	}
}

func TestTheSessionThatAnEditorStartsForAnAgentIsNoEditors(t *testing.T) {
	f := newFaceOf(t, `{"sessionId": "s"}`)
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{
		Params: wire.Params{SessionID: "of an agent"}, Agent: "coder",
	})
	listed := get[wire.SessionListResult](f, "wm/session/list", &wire.SessionListParams{}).Sessions
	require.Len(t, listed, 1)
	assert.False(t, listed[0].Editor)
}

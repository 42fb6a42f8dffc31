package lsp

import (
	"encoding/json"
	"testing"

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

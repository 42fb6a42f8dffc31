package assembly

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/settings"
)

func TestD6_TheGuideSaysWhatTheModelIsResponsibleFor(t *testing.T) {
	text := guideText(settings.Default().Compact)
	assert.Less(t, len([]rune(text)), 1200)
	for _, said := range []string{
		"workspace_memory", "core_memory", "overview", "working_memory", "session_state", "context_meta", "detail/",
		"20 %", "40 %", "60 %", "75 %",
	} {
		assert.Contains(t, text, said)
	}
}

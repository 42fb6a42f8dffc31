package mcp

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// openCodeTools has the names of the tools for the plugin of OpenCode.
const openCodeTools = "../../editors/opencode/src/tools.ts"

func TestNamesOfToolsInThePluginOfOpenCodeAreCurrent(t *testing.T) {
	var text strings.Builder
	text.WriteString("// Generated from server/mcp by go test ./server/mcp -run Current -update; " +
		"edit tools.go.\n\n/** The names of the MCP server's tools, by method. */\nexport const methodNames = {\n")
	named := map[string]bool{}
	for _, tool := range allTools() {
		if !named[tool.method] && strings.HasPrefix(tool.method, "wm/") {
			named[tool.method] = true
			fmt.Fprintf(&text, "  %q: %q,\n", tool.method, tool.name)
		}
	}
	text.WriteString("} as const;\n")
	if *update {
		require.NoError(t, os.WriteFile(openCodeTools, []byte(text.String()), 0o644))
	}
	written, err := os.ReadFile(openCodeTools)
	require.NoError(t, err)
	require.Equal(t, text.String(), string(written),
		"%s needs updating: run go test ./server/mcp -run Current -update", openCodeTools)
}

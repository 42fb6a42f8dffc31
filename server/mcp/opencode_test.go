package mcp

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	// openCodeTools has the names of the tools for the plugin of OpenCode, openCodeBundle is the plugin
	// as it is installed, which has them, too.
	openCodeTools  = "../../editors/opencode/src/tools.ts"
	openCodeBundle = "../../install/opencode.js"
)

// bundledNames finds the names in openCodeBundle.
var bundledNames = regexp.MustCompile(`(?s)var methodNames = \{\n.*?\n\};\n`)

func TestNamesOfToolsInThePluginOfOpenCodeAreCurrent(t *testing.T) {
	var names []string
	named := map[string]bool{}
	for _, tool := range allTools() {
		if !named[tool.method] && strings.HasPrefix(tool.method, "wm/") {
			named[tool.method] = true
			names = append(names, fmt.Sprintf("  %q: %q", tool.method, tool.name))
		}
	}
	list := strings.Join(names, ",\n")
	source := "// Generated from server/mcp by go test ./server/mcp -run Current -update; " +
		"edit tools.go.\n\n/** The names of the MCP server's tools, by method. */\nexport const methodNames = {\n" +
		list + ",\n} as const;\n"
	bundle, err := os.ReadFile(openCodeBundle)
	require.NoError(t, err)
	bundled := bundledNames.ReplaceAllLiteralString(string(bundle), "var methodNames = {\n"+list+"\n};\n")
	for path, text := range map[string]string{openCodeTools: source, openCodeBundle: bundled} {
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		}
		written, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(written),
			"%s needs updating: run go test ./server/mcp -run Current -update", path)
	}
	require.Contains(t, bundled, "var methodNames = {\n"+list)
}

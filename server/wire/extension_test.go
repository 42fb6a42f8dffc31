package wire_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

const extensionPath = "../../editors/vscode/src/wire.ts"

func TestTypesOfTheVSCodeExtensionAreCurrent(t *testing.T) {
	text := extensionTypes(t)
	if *update {
		require.NoError(t, os.WriteFile(extensionPath, text, 0o644))
	}
	written, err := os.ReadFile(extensionPath)
	require.NoError(t, err)
	if !bytes.Equal(written, text) {
		t.Fatal("editors/vscode/src/wire.ts needs updating: run go test ./server/wire -run Current -update")
	}
}

// extensionTypes returns a module of TypeScript with all types of this package, and with
// the params and result of each method.
func extensionTypes(t *testing.T) []byte {
	var b bytes.Buffer
	b.WriteString(
		"// Generated from server/wire by go test ./server/wire -run Current -update; edit the Go types instead.\n")
	all := declarations(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if unseen[name] {
			continue
		}
		text := all[name].typescript()
		comment, declared, found := strings.Cut(text, "*/\n")
		require.True(t, found, name)
		b.WriteString("\n" + comment + "*/\nexport " + declared)
	}
	b.WriteString("\n/** What each method takes and gives. */\nexport interface Methods {\n")
	for _, m := range wire.Methods() {
		fmt.Fprintf(&b, "  /** %s */\n  %q: { params: %s; result: %s };\n", m.Doc, m.Name, m.Params.Name(),
			m.Result.Name())
	}
	b.WriteString("}\n")
	return b.Bytes()
}

package tool_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/tool"
)

func TestOfManyFilesInTheInputOfAToolTheFirstAreReturned(t *testing.T) {
	var paths []string
	patch := "*** Begin Patch\n"
	for i := range 3 * tool.MaxFiles {
		paths = append(paths, fmt.Sprintf("a%d.go", i))
		patch += fmt.Sprintf("*** Update File: a%d.go\n+x\n", i)
	}
	for name, input := range map[string]any{"a list": map[string]any{"paths": paths},
		"a patch": map[string]any{"patchText": patch}} {
		doc, err := json.Marshal(input)
		require.NoError(t, err)
		assert.Equal(t, paths[:tool.MaxFiles], tool.Files(doc), name)
	}
}

func TestTheFilesInTheInputOfAToolAreThoseOfAllItsMembers(t *testing.T) {
	input := `{"filePath": "a.go", "file_path": 7, "path": "b.go", "paths": ["c.go"],
		"patchText": "*** Add File: d.go\n+x\n*** Delete File: e.go\n"}`
	assert.Equal(t, []string{"a.go", "b.go", "c.go", "d.go"}, tool.Files(json.RawMessage(input)))
}

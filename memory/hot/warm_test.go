package hot

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

func TestTheFilesOfLiveSessionsAreDecodedAheadAndThoseOfOthersAreNot(t *testing.T) {
	r := newDesk(t, nil).room
	var rows []change.Row
	for _, session := range []string{"a", "over"} {
		file := File{Worktree: tree, Session: session, Path: "x.go", Action: "edit", Count: 1}
		value := fmt.Sprintf(`{"worktree":%q,"session":%q,"path":"x.go","action":"edit","count":1}`, tree, session)
		rows = append(rows, change.Row{Key: file.key(), Value: []byte(value)})
	}
	require.NoError(t, r.Load(rows))
	require.Len(t, r.packed, 2)
	r.Warm()
	assert.Len(t, r.packed, 1)
	assert.Contains(t, r.packed, "over")
	assert.Len(t, r.files, 1)
	require.Len(t, r.Files("over", tree, 0), 1, "the same file of two sessions is one")
	assert.Empty(t, r.packed)
	assert.Len(t, r.files, 2)
}

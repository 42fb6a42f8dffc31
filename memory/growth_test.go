package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/growth"
)

func TestA12_TenThousandEventsOfOneSessionLeaveTheFolderBounded(t *testing.T) {
	world := newWorld(t)
	world.settings.Log.MaxChanges = 4000
	world.settings.Outputs.MaxFiles = 50
	w := world.open()
	curve, err := growth.Run(t.Context(), w, 10_000, 1_000)
	require.NoError(t, err)
	for _, size := range curve {
		assert.LessOrEqual(t, size.Changes, int64(world.settings.Log.MaxChanges), "after %d events", size.Events)
	}
	// Outputs, open errors, active files and versions of notes have all reached
	// their bounds by the middle.
	middle, end := curve[5], curve[9]
	assert.LessOrEqual(t, end.Files, middle.Files, "%+v", curve)
	assert.LessOrEqual(t, end.Bytes, middle.Bytes*11/10, "%+v", curve)
	t.Logf("%+v", curve)
}

package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/growth"
)

// TestA12_TenThousandEventsOfOneSessionLeaveTheFolderBounded makes it a fifth of
// them for the race detector, with which each takes ten times as long.
func TestA12_TenThousandEventsOfOneSessionLeaveTheFolderBounded(t *testing.T) {
	const allOfIt = 10 << 20 // bytes, of which the write-ahead log may have 4 MB
	events := 10_000
	if raced {
		events = 2_000
	}
	world := newWorld(t)
	world.settings.Log.MaxChanges = 4000
	world.settings.Outputs.MaxFiles = 50
	w := world.open()
	curve, err := growth.Run(t.Context(), w, events, events/10)
	require.NoError(t, err)
	for _, size := range curve {
		assert.LessOrEqual(t, size.Changes, int64(world.settings.Log.MaxChanges), "after %d events", size.Events)
		assert.LessOrEqual(t, size.Bytes, int64(allOfIt), "after %d events", size.Events)
	}
	if raced {
		return
	}
	// Outputs, open errors, active files and versions of notes have all reached
	// their bounds by the middle.
	middle, end := curve[5], curve[9]
	assert.LessOrEqual(t, end.Files, middle.Files, "%+v", curve)
	assert.LessOrEqual(t, end.Bytes, middle.Bytes*11/10, "%+v", curve)
}

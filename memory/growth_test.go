package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/growth"
)

// TestA12_TenThousandEventsOfOneSessionLeaveTheFolderBounded runs fewer events with
// -short, and then sets lower bounds, so that they are reached all the same.
func TestA12_TenThousandEventsOfOneSessionLeaveTheFolderBounded(t *testing.T) {
	const allOfIt = 10 << 20 // bytes, of which the write-ahead log may have 4 MB
	events := 10_000
	world := newWorld(t)
	world.settings.Log.MaxChanges = 4000
	world.settings.Outputs.MaxFiles = 50
	if testing.Short() {
		events = 4000
		world.settings.Log.MaxChanges = 1000
		world.settings.Outputs.MaxFiles = 15
		world.settings.Memory.MaxEntries = 8
	}
	w := world.open()
	curve, err := growth.Run(t.Context(), w, events, events/10)
	require.NoError(t, err)
	for _, size := range curve {
		assert.LessOrEqual(t, size.Changes, int64(world.settings.Log.MaxChanges), "after %d events", size.Events)
		assert.LessOrEqual(t, size.Bytes, int64(allOfIt), "after %d events", size.Events)
	}
	// Outputs, open errors, active files, memories and versions of notes have all
	// reached their bounds by the middle.
	middle, end := curve[5], curve[9]
	assert.LessOrEqual(t, end.Files, middle.Files, "%+v", curve)
	assert.LessOrEqual(t, end.Bytes, middle.Bytes*11/10, "%+v", curve)
}

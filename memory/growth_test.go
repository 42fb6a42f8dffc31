//go:build !race

package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/growth"
)

// TestA12_TenThousandEventsOfOneSessionLeaveTheFolderBounded runs fewer events with
// -short, and sets lower bounds then. The number of files has reached its bound
// after them too; the number of bytes does so after 6,000 events. With the race detector it would
// take minutes, so it runs without it.
func TestA12_TenThousandEventsOfOneSessionLeaveTheFolderBounded(t *testing.T) {
	const (
		allOfIt = 6 << 20 // bytes
		wal     = 6 << 20 // bytes: what is written while a checkpoint of 4 MB waits comes on top
	)
	events := 10_000
	world := newWorld(t)
	world.settings.Log.MaxChanges = 4000
	world.settings.Outputs.MaxFiles = 50
	if testing.Short() {
		events = 4000
		world.settings.Log.MaxChanges = 1000
		world.settings.Outputs.MaxFiles = 15
	}
	w := world.open()
	curve, err := growth.Run(t.Context(), w, events, events/10)
	require.NoError(t, err)
	for _, size := range curve {
		assert.LessOrEqual(t, size.Changes, int64(world.settings.Log.MaxChanges), "after %d events", size.Events)
		assert.LessOrEqual(t, size.Bytes, int64(allOfIt), "after %d events", size.Events)
		assert.LessOrEqual(t, size.WAL, int64(wal), "after %d events", size.Events)
	}
	middle, end := curve[5], curve[9]
	assert.LessOrEqual(t, end.Files, middle.Files, "%+v", curve)
	if !testing.Short() {
		assert.LessOrEqual(t, end.Bytes, middle.Bytes*105/100, "%+v", curve)
	}
}

//go:build !race

package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/test/growth"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// The number of bytes reaches its bound after 6,000 events. With the race detector the test would take
// minutes, so it runs without it.
func TestA12_TenThousandEventsOfOneSessionLeaveTheFolderBounded(t *testing.T) {
	slow.Test(t)
	const (
		allOfIt = 8 << 20 // bytes
		wal     = 6 << 20 // bytes: what is written while a checkpoint of 4 MB waits comes on top
	)
	const events = 10_000
	world := newWorld(t)
	world.settings.Log.MaxChanges = 4000
	world.settings.Outputs.MaxFiles = 50
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
	// The 2,000 fixes and 4,000 steps of practice that are kept are reached at about 10,000 events.
	assert.LessOrEqual(t, end.Bytes, middle.Bytes*130/100, "%+v", curve)
}

// TestE10_AYearOfHeavyUseStaysWithinItsLimits makes a year of 8,000 items by a seeded clock, with lower limits than
// usual. make bench makes one of 1,000,000.
func TestE10_AYearOfHeavyUseStaysWithinItsLimits(t *testing.T) {
	slow.Test(t)
	set := settings.Default()
	set.Items.MaxEpisodic, set.Items.MaxSemantic = 400, 200
	set.Items.MaxWorking, set.Items.MaxConversation = 10, 20
	set.Log.MaxChanges = 1000
	const (
		keptDays = 14 + 7 + 1 // sessions, which are swept once a week
		most     = 400 + 200 + keptDays*(10+20)
		allOfIt  = 10 << 20 // bytes
		wal      = 7 << 20
	)
	curve, err := growth.Year(t.Context(), t.TempDir(), set, 8000, 800)
	require.NoError(t, err)
	require.Len(t, curve, 10)
	for _, size := range curve {
		assert.LessOrEqual(t, size.Items, most, "after %d events", size.Events)
		assert.LessOrEqual(t, size.Changes, int64(set.Log.MaxChanges), "after %d events", size.Events)
		assert.LessOrEqual(t, size.Bytes, int64(allOfIt), "after %d events", size.Events)
		assert.LessOrEqual(t, size.WAL, int64(wal), "after %d events", size.Events)
	}
	assert.GreaterOrEqual(t, curve[9].Items, set.Items.MaxEpisodic, "the limit is reached")
}

package pressure_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

func newRoom(s *settings.Settings) *pressure.Room {
	return pressure.New(room.Env{Settings: func() *settings.Settings { return s }})
}

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func report(t *testing.T, r *pressure.Room, minute, used, limit int) (pressure.Pressure, []change.Row) {
	t.Helper()
	changes, err := r.Observe(
		event.Event{Session: "s", Body: event.UsageReported{Used: used, Limit: limit, Unit: "chars"}},
	)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	changes[0].At = began.Add(time.Duration(minute) * time.Minute)
	rows, err := r.Fold(changes[0])
	require.NoError(t, err)
	return r.Of("s"), rows
}

func TestA10_TheLevelAndTheHintFollowThePercentage(t *testing.T) {
	for used, want := range map[int]struct {
		level pressure.Level
		hint  pressure.Hint
	}{
		0: {pressure.Safe, pressure.Normal}, 199: {pressure.Safe, pressure.Normal},
		200: {pressure.Safe, pressure.Light}, 399: {pressure.Safe, pressure.Light},
		400: {pressure.Safe, pressure.Medium}, 600: {pressure.Safe, pressure.Heavy},
		699: {pressure.Safe, pressure.Heavy}, 700: {pressure.Moderate, pressure.Heavy},
		749: {pressure.Moderate, pressure.Heavy}, 750: {pressure.Moderate, pressure.Emergency},
		849: {pressure.Moderate, pressure.Emergency},
		850: {pressure.High, pressure.Emergency}, 949: {pressure.High, pressure.Emergency},
		950: {pressure.Critical, pressure.Emergency}, 1200: {pressure.Critical, pressure.Emergency},
	} {
		p, _ := report(t, newRoom(settings.Default()), 0, used, 1000)
		assert.Equal(t, want.level, p.Level(settings.Default().Pressure), used)
		assert.Equal(t, want.hint, p.Hint(settings.Default().Compact), used)
		assert.InDelta(t, float64(used)/10, p.Percentage(), 1e-9)
	}
}

func TestA11_EveryCrossingCountsOnce(t *testing.T) {
	r := newRoom(settings.Default())
	for i, c := range []struct{ used, want int }{
		{900, 0}, {950, 1}, {990, 1}, {900, 1}, {960, 2}, {1100, 2}, {100, 2},
	} {
		p, _ := report(t, r, i, c.used, 1000)
		assert.Equal(t, c.want, p.Interventions, i)
	}
}

func TestA11_ACrossingIsOneOfTheBoundThatHeldThen(t *testing.T) {
	s := settings.Default()
	r := newRoom(s)
	s.Pressure.Critical = 60
	p, _ := report(t, r, 0, 600, 1000)
	assert.Equal(t, 1, p.Interventions)
	s.Pressure.Critical = 90
	p, _ = report(t, r, 1, 800, 1000)
	assert.Equal(t, 1, p.Interventions)
	p, _ = report(t, r, 2, 900, 1000)
	assert.Equal(t, 2, p.Interventions)
	s.Pressure.Critical = 95
	p, _ = report(t, r, 3, 940, 1000)
	assert.Equal(t, 2, p.Interventions)
	p, _ = report(t, r, 4, 950, 1000)
	assert.Equal(t, 3, p.Interventions)
}

func TestAReportOfAnOlderLogCountsFromNinetyFive(t *testing.T) {
	s := settings.Default()
	s.Pressure.Critical = 60
	r := newRoom(s)
	for used, want := range []int{94: 0, 95: 1} {
		_, err := r.Fold(
			change.New(pressure.Reported, "s", map[string]any{"used": used, "limit": 100, "unit": "chars"}),
		)
		require.NoError(t, err)
		require.Equal(t, want, r.Of("s").Interventions, used)
	}
}

func TestC7_AHintHoldsFromExactlyItsPart(t *testing.T) {
	for percent := 1; percent <= 96; percent++ {
		p := pressure.Pressure{Used: percent * 7, Limit: 700}
		part := float64(percent) / 100
		assert.Equal(
			t,
			pressure.Light,
			p.Hint(settings.Compact{Light: part, Medium: 0.97, Heavy: 0.98, Emergency: 0.99}),
			percent,
		)
		p.Used--
		assert.Equal(
			t,
			pressure.Normal,
			p.Hint(settings.Compact{Light: part, Medium: 0.97, Heavy: 0.98, Emergency: 0.99}),
			percent,
		)
	}
}

func TestTheCourseOfTheReportsIsKeptAndBounded(t *testing.T) {
	r, copied := newRoom(settings.Default()), newRoom(settings.Default())
	for i := range 150 {
		_, rows := report(t, r, i, i, 1000)
		require.NoError(t, copied.Load(rows))
	}
	p := r.Of("s")
	assert.Len(t, p.History, 100)
	assert.InDelta(t, 5.0, p.History[0].Percentage, 1e-9)
	assert.Equal(t, began.Add(149*time.Minute), p.LastChecked)
	assert.Equal(t, p, copied.Of("s"))
}

// compact folds what the room makes of a compaction, and returns how many changes that are.
func compact(t *testing.T, r *pressure.Room, body event.CompactionFinished) int {
	t.Helper()
	changes, err := r.Observe(event.Event{Session: "s", Body: body})
	require.NoError(t, err)
	for _, c := range changes {
		rows, err := r.Fold(c)
		require.NoError(t, err)
		loaded := newRoom(settings.Default())
		require.NoError(t, loaded.Load(rows))
		assert.Equal(t, r.Of("s"), loaded.Of("s"))
	}
	return len(changes)
}

func TestHowFullAContextIsIsNotToldAfterACompactionUntilItIsReported(t *testing.T) {
	for _, c := range []struct {
		name    string
		body    event.CompactionFinished
		used    []int // reported before it
		changes int
		told    bool
	}{
		{"the host has compacted", event.CompactionFinished{Summary: "What was done."}, []int{900}, 1, false},
		{"without a summary", event.CompactionFinished{}, []int{300, 960}, 1, false},
		{"the agent has archived messages", event.CompactionFinished{Recorded: true}, []int{900}, 0, true},
		{"nothing was reported", event.CompactionFinished{}, nil, 0, false},
	} {
		r := newRoom(settings.Default())
		for i, used := range c.used {
			report(t, r, i, used, 1000)
		}
		before := r.Of("s")
		assert.Equal(t, c.changes, compact(t, r, c.body), c.name)
		p := r.Of("s")
		assert.Equal(t, c.told, p.IsNews(settings.Default().Pressure), c.name)
		assert.Zero(t, compact(t, r, event.CompactionFinished{Recorded: true}), c.name)
		assert.Equal(t, before.Used, p.Used, c.name)
		assert.Equal(t, before.History, p.History, c.name)
		assert.Equal(t, before.Interventions, p.Interventions, c.name)
	}
}

func TestAReportAfterACompactionIsNewsOnlyIfTheContextFills(t *testing.T) {
	for used, news := range map[int]bool{100: false, 250: true, 720: true, 960: true} {
		r := newRoom(settings.Default())
		report(t, r, 0, 970, 1000)
		assert.Equal(t, 1, compact(t, r, event.CompactionFinished{}))
		assert.Zero(t, compact(t, r, event.CompactionFinished{}), "it is outdated already")
		p, _ := report(t, r, 1, used, 1000)
		assert.True(t, p.IsKnown(), used)
		assert.Equal(t, news, p.IsNews(settings.Default().Pressure), used)
	}
}

func TestADeletedSessionTakesItsPressureAlong(t *testing.T) {
	r := newRoom(settings.Default())
	report(t, r, 0, 500, 1000)
	rows := r.ForgetSession("s")
	assert.Len(t, rows, 1)
	assert.Zero(t, r.Of("s").Limit)
}

package sessions

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// written folds changes of times into a room.
func written(t *testing.T, r *Room, times ...time.Time) {
	t.Helper()
	for _, at := range times {
		c := change.New(Active, "s", struct{}{})
		c.At = at
		_, err := r.Fold(c)
		require.NoError(t, err)
	}
}

func TestAgesAreTakenFromTheNewestChange(t *testing.T) {
	year := 365 * maxStep
	day, minute := maxStep, time.Minute
	after := func(times ...time.Duration) (all []time.Time) {
		for _, d := range times {
			all = append(all, noon.Add(d))
		}
		return all
	}
	for name, c := range map[string]struct {
		written    []time.Time
		wall, want time.Duration // after noon
	}{
		"without a change nothing else is known": {nil, 0, 0},
		"a clock that goes is believed":          {after(0), 20 * time.Hour, 20 * time.Hour},
		"one that went ahead is not":             {after(0), year, 0},
		"nor are changes of that moment":         {after(0, year), year + time.Second, 0},
		"one that went back makes nothing old":   {after(0), -year, -year},
		"it is believed when it is right again":  {after(0, year), time.Hour, time.Hour},
		"after a pause it is believed in an hour": {
			after(0, 9*day, 9*day+time.Hour), 10 * day, 10 * day,
		},
		"also if it is used for minutes every second day": {after(0, 2*day, 4*day), 4 * day, 4 * day},
		"two jumps are not an hour":                       {after(0, year, minute, 2*year), 2 * year, minute},
		"two jumps after each other are not either":       {after(0, year, 2*year), 2 * year, 0},
		"a clock that was wrong for long is corrected":    {after(year, 0, time.Hour), 2 * time.Hour, 2 * time.Hour},
		"then it is not believed when it is wrong again":  {after(year, 0, time.Hour), year, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			r := New(room.Env{})
			written(t, r, c.written...)
			assert.Equal(t, noon.Add(c.want), r.AgeNow(noon.Add(c.wall)))
		})
	}
}

func TestAJumpOfTheClockIsTold(t *testing.T) {
	year := 365 * maxStep
	r := New(room.Env{})
	written(t, r, noon)
	quiet := func(wall time.Time) {
		t.Helper()
		_, is := r.ClockProblem(wall)
		assert.False(t, is)
	}
	quiet(noon)
	quiet(noon.Add(60 * maxStep)) // the workspace was not used
	problem, is := r.ClockProblem(noon.Add(year))
	require.True(t, is)
	assert.Contains(t, problem.Message, "shows 2027-03-01, 365 days after the newest change")
	written(t, r, noon.Add(year))
	problem, is = r.ClockProblem(noon.Add(time.Second))
	require.True(t, is)
	assert.Contains(t, problem.Message, "went ahead to 2027-03-01 for a time, and is at 2026-03-01 again")
	written(t, r, noon.Add(30*time.Minute))
	_, is = r.ClockProblem(noon.Add(31 * time.Minute))
	assert.True(t, is)
	written(t, r, noon.Add(61*time.Minute))
	quiet(noon.Add(62 * time.Minute))
	problem, is = r.ClockProblem(noon.Add(-3 * maxStep))
	require.True(t, is)
	assert.Contains(t, problem.Message, "shows 2026-02-26, 3 days before the newest change")
}

// TestAClockThatJumpsNeverRunsAheadOfTheTrueTime has a clock that is wrong for moments, and looks
// that nothing is taken for older than it is.
func TestAClockThatJumpsNeverRunsAheadOfTheTrueTime(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 1))
		r := New(room.Env{})
		now := noon
		written(t, r, now)
		for range 300 {
			now = now.Add(time.Duration(random.IntN(3600)) * time.Second)
			shown := now
			if random.IntN(3) == 0 { // for less than an hour, and a whole change in between
				shown = now.Add(time.Duration(random.IntN(4*365)-2*365) * maxStep)
			}
			require.LessOrEqual(t, r.AgeNow(shown).Sub(now), maxStep, "seed %d", seed)
			written(t, r, shown)
			require.LessOrEqual(t, r.AgeNow(shown).Sub(now), maxStep, "seed %d", seed)
			written(t, r, now)
		}
		assert.Equal(t, now, r.AgeNow(now), "seed %d", seed)
	}
}

package sessions

import (
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

const (
	// maxStep is how far the time of a change may be from that of the newest one before it.
	maxStep = 24 * time.Hour
	// confirmed is the time over which changes that are further off make their time the valid
	// one, and maxGap the longest time between two of them.
	confirmed = time.Hour
	maxGap    = 30 * 24 * time.Hour
	// longIdle is how long a workspace may be unused without people being told.
	longIdle = 180 * 24 * time.Hour
	// grain is how exact the times are that are kept.
	grain = time.Minute
)

// A clock is the time by the changes of the log. Their times are those of the clocks of
// machines, which may be wrong for a while.
type clock struct {
	// Newest is the time of the newest change that is believed.
	Newest time.Time `json:"newest,omitzero"`
	// First and Last are times of the changes after it that are more than maxStep off. They
	// are zero if the newest change is not.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
	// Odd is the latest time that was off, and OddAt is Newest then. It is forgotten when
	// Newest has gone on for the time confirmed.
	Odd   time.Time `json:"odd,omitzero"`
	OddAt time.Time `json:"oddAt,omitzero"`
}

// after returns the clock after a change.
func (c clock) after(at time.Time) clock {
	if c.Newest.IsZero() {
		return clock{Newest: at}
	}
	if off := at.Sub(c.Newest); -maxStep <= off && off <= maxStep {
		c.First, c.Last = time.Time{}, time.Time{}
		if off >= grain {
			c.Newest = at
		}
		if c.Newest.Sub(c.OddAt) >= confirmed {
			c.Odd, c.OddAt = time.Time{}, time.Time{}
		}
		return c
	}
	switch {
	case c.First.IsZero() || at.Before(c.First) || at.Sub(c.Last) > maxGap:
		c.First, c.Last = at, at
	case at.Sub(c.Last) >= grain:
		c.Last = at
	}
	if c.Last.Sub(c.First) >= confirmed {
		return clock{Newest: c.Last}
	}
	c.Odd, c.OddAt = c.First, c.Newest
	return c
}

// now returns the time from which ages are measured.
func (c clock) now(wall time.Time) time.Time {
	if !c.Newest.IsZero() && wall.Sub(c.Newest) > maxStep {
		return c.Newest
	}
	return wall
}

// problem returns what people should know about the clock of the machine, and whether there
// is anything.
func (c clock) problem(wall time.Time) (room.Problem, bool) {
	if c.Newest.IsZero() {
		return room.Problem{}, false
	}
	tell := func(format string, args ...any) (room.Problem, bool) {
		const fix = "Correct it if it is wrong. Until the changes of an hour agree, nothing is deleted for its age."
		return room.Warning(fmt.Sprintf(format, args...), fix), true
	}
	switch ahead := wall.Sub(c.Newest); {
	case ahead > longIdle:
		return tell("The clock of this machine shows %s, %d days after the newest change of the memory.",
			day(wall), int(ahead/maxStep))
	case ahead < -maxStep:
		return tell("The clock of this machine shows %s, %d days before the newest change of the memory.",
			day(wall), int(-ahead/maxStep))
	case c.Odd.Sub(wall) > maxStep:
		return tell("A clock went ahead to %s for a time, and is at %s again. Changes of that time keep their dates.",
			day(c.Odd), day(wall))
	}
	return room.Problem{}, false
}

func day(at time.Time) string { return at.UTC().Format("2006-01-02") }

// foldTime notes the time of a change. Changes of the workspace itself don't count, because a
// purge leaves no rows. It is called with the lock held.
func (r *Room) foldTime(c change.Change) []change.Row {
	before := r.clock[clockKey]
	after := before.after(c.At)
	if c.At.IsZero() || c.Kind.Noun() == "workspace" || after == before {
		return nil
	}
	return []change.Row{r.clock.Put(clockKey, after)}
}

// AgeNow returns the time from which the ages of what is kept are measured: the wall clock,
// or the time of the newest change if the wall clock is more than a day ahead of it. It may
// be wrong then, which shows when changes are written for an hour.
func (r *Room) AgeNow(wall time.Time) time.Time {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.clock[clockKey].now(wall)
}

// ClockProblem returns what people should know about the clock, and whether there is anything.
func (r *Room) ClockProblem(wall time.Time) (room.Problem, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.clock[clockKey].problem(wall)
}

package memory

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

func TestHowLongNoticesAreNotFollowedDependsOnHowManyWrite(t *testing.T) {
	for _, c := range []struct {
		name    string
		took    time.Duration
		writers int
		refresh time.Duration // the rest after a refresh
		write   time.Duration // the rest after a write of the process
	}{
		{"a refresh that nothing was read in", time.Millisecond, 0, 8 * time.Millisecond, refreshMost},
		{"a quick one of one writer", time.Millisecond, 1, 8 * time.Millisecond, refreshMost},
		{"a slow one of one writer", time.Second, 1, refreshMost, refreshMost},
		{"a quick one of three writers", time.Millisecond, 3, 24 * time.Millisecond, 3 * refreshMost},
		{"a quick one of many writers", time.Millisecond, 31, 248 * time.Millisecond, refreshCrowded},
		{"a slow one of three writers", time.Second, 3, 3 * refreshMost, 3 * refreshMost},
		{"a slow one of many writers", time.Second, 31, refreshCrowded, refreshCrowded},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.refresh, restAfter(c.took, c.writers))
			assert.Equal(t, c.write, restAfterWrite(c.writers))
		})
	}
}

func TestProcessesThatWriteNoMoreAreNotCounted(t *testing.T) {
	by := func(origins ...string) (changes []change.Change) {
		for _, origin := range origins {
			changes = append(changes, change.Change{Origin: origin})
		}
		return changes
	}
	var known writers
	began := time.Now()
	assert.Zero(t, known.count(began))
	known.note(by("one", "two", "one"), began)
	known.note(by("three"), began.Add(lately))
	assert.Equal(t, 3, known.count(began.Add(lately)))
	assert.Equal(t, 1, known.count(began.Add(lately+1)), "of the two others nothing was read lately")
	assert.Zero(t, known.count(began.Add(3*lately)))
}

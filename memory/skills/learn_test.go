package skills

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
)

// learn lets a room learn what was found.
func learn(t *testing.T, r *Room, found ...mining.Found) {
	t.Helper()
	for _, c := range r.Learn(found) {
		_, err := r.Fold(c)
		require.NoError(t, err)
	}
}

func newRoom() *Room {
	n := 0
	now := func() time.Time { return time.Date(2026, 3, 1, 0, 0, n, 0, time.UTC) }
	return New(room.Env{Now: now, NewID: func() string { n++; return fmt.Sprintf("id %04d", n) }})
}

// targets returns what was found: a target of make for each number.
func targets(from, to int) (found []mining.Found) {
	for n := from; n < to; n++ {
		key := fmt.Sprint("make target", n)
		found = append(found, mining.Found{
			Kind: mining.Procedure, Key: key, Title: key, Commands: []string{key}, Successes: 3, Attempts: 3,
		})
	}
	return found
}

func TestWhatWasDroppedIsNotForgottenForWhatIsOffered(t *testing.T) {
	r := newRoom()
	learn(t, r, targets(0, 3)...)
	for _, s := range r.List(Offering) {
		changes, err := r.Drop(s.ID, "")
		require.NoError(t, err)
		_, err = r.Fold(changes[0])
		require.NoError(t, err)
	}
	for from := 3; from < 3*maxSkills; from += 50 {
		learn(t, r, targets(from, from+50)...)
		assert.LessOrEqual(t, len(r.List(Offering)), maxSkills)
	}
	learn(t, r, targets(0, 3)...)
	assert.Len(t, r.List(Gone), 3)
	for _, s := range r.List(Offering) {
		assert.NotContains(t, []string{"make target0", "make target1", "make target2"}, s.Title)
	}
}

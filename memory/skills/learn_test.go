package skills

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
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

func TestSkillsOfOneHabitBecomeOne(t *testing.T) {
	files := func(names ...string) mining.Found {
		return mining.Found{
			Kind: mining.Together, Key: strings.Join(names, " + "), Title: strings.Join(names, ", "), Files: names,
			Triggers: names, Successes: 4, Attempts: 5,
		}
	}
	for name, test := range map[string]struct {
		decide func(r *Room, id string) ([]change.Change, error)
		want   Status
	}{
		"none was kept": {want: Offering},
		"one was kept": {func(r *Room, id string) ([]change.Change, error) {
			kept := Active
			return r.Update(id, "", Patch{Status: &kept})
		}, Active},
		"one was dropped": {func(r *Room, id string) ([]change.Change, error) { return r.Drop(id, "") }, Gone},
	} {
		t.Run(name, func(t *testing.T) {
			for _, title := range []string{"a, b", "a, c", "b, c"} {
				r := newRoom()
				learn(t, r, files("a", "b"), files("a", "c"), files("b", "c"))
				for _, s := range r.List() {
					if test.decide != nil && s.Title == title {
						changes, err := test.decide(r, s.ID)
						require.NoError(t, err)
						_, err = r.Fold(changes[0])
						require.NoError(t, err)
					}
				}
				learn(t, r, files("a", "b", "c"))
				require.Len(t, r.List(), 1)
				assert.Equal(t, "a + b + c", r.List()[0].Key)
				assert.Equal(t, test.want, r.List()[0].Status)
			}
		})
	}
}

func TestFilesThatChangeTogetherAreRoutedByEachThatAsksForTheOthers(t *testing.T) {
	skill := together("Change a.go, b.json and c.ts together", "api/a.go", "api/b.json", "web/c.ts")
	skill.Triggers = skill.Files[:2]
	for query, want := range map[string]int{
		"rename the method in a.go": 1, "add a member to api/b.json": 1, "mend the colours in c.ts": 0,
	} {
		assert.Len(t, Route([]Skill{skill}, query, 1), want, query)
	}
	assert.Contains(t, skill.Text(), "Look whether `api/a.go` has to be changed, too")
}

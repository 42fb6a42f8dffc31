package limits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

const entries = "memory.maxEntries"

func stated(by string, value any) Statement {
	return Statement{By: by, Limits: settings.Limits{entries: value}}
}

// a step is what somebody's settings set, and what the same process set before.
type step struct {
	now, former Statement
	changes     int
	inForce     any // nil for none
}

func TestTheNewestLimitIsInForce(t *testing.T) {
	none := Statement{}
	for _, test := range []struct {
		name  string
		steps []step
	}{
		{"one is set", []step{{stated("editor", 500.0), none, 1, 500.0}}},
		{"another one sets it later", []step{
			{stated("editor", 500.0), none, 1, 500.0}, {stated("file", int64(60)), none, 1, 60.0},
		}},
		{"the first one starts again with the same value", []step{
			{stated("editor", 500.0), none, 1, 500.0}, {stated("file", 60.0), none, 1, 60.0},
			{stated("editor", 500.0), none, 0, 60.0},
		}},
		{"the first one changes it", []step{
			{stated("editor", 500.0), none, 1, 500.0}, {stated("file", 60.0), none, 1, 60.0},
			{stated("editor", 70.0), stated("editor", 500.0), 1, 70.0},
		}},
		{"the newest is withdrawn", []step{
			{stated("editor", 500.0), none, 1, 500.0}, {stated("file", 60.0), none, 1, 60.0},
			{Statement{By: "file"}, stated("file", 60.0), 1, 500.0},
			{Statement{By: "editor"}, stated("editor", 500.0), 1, nil},
		}},
		{"who starts without it withdraws nothing", []step{
			{stated("editor", 500.0), none, 1, 500.0}, {Statement{By: "editor"}, Statement{By: "editor"}, 0, 500.0},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, log := New(room.Env{}), []change.Change{}
			for _, step := range test.steps {
				changes := r.changesFor(step.now, step.former)
				require.Len(t, changes, step.changes)
				for _, c := range changes {
					c.At = time.Date(2026, 3, 1, 9, len(log), 0, 0, time.UTC)
					_, err := r.Fold(c)
					require.NoError(t, err)
					log = append(log, c)
				}
				assert.Equal(t, step.inForce, r.InForce()[entries])
			}
			again := New(room.Env{})
			var rows []change.Row
			for _, c := range log {
				touched, err := again.Fold(c)
				require.NoError(t, err)
				rows = append(rows, touched...)
			}
			assert.Equal(t, r.InForce(), again.InForce())
			loaded := New(room.Env{})
			require.NoError(t, loaded.Load(rows))
			assert.Equal(t, r.InForce(), loaded.InForce())
		})
	}
}

func TestAChangeOfAnotherKeyThanItsSubjectIsRefused(t *testing.T) {
	r := New(room.Env{})
	_, err := r.Fold(change.New(Set, "memory.maxChars", Limit{Key: entries, By: "editor"}))
	assert.Error(t, err)
	rows, err := r.Fold(change.New("memory.added", "x", nil))
	assert.NoError(t, err)
	assert.Empty(t, rows)
}

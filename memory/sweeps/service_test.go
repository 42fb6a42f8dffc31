package sweeps_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
)

const aDay = 24 * time.Hour

// fake is a workspace that makes every decision twice, as if another process had
// written in between.
type fake struct {
	room.Host
	t        *testing.T
	store    *sqlite.Store
	settings *settings.Settings
	rooms    []room.Room
	known    *sessions.Room
	applied  [][]change.Kind
	// decided is called after every decision, and fail before anything is written.
	decided func()
	fail    func(n int) error
	writers int
	offered int
}

func (f *fake) Settings() *settings.Settings     { return f.settings }
func (f *fake) Now() time.Time                   { return time.Now() }
func (f *fake) AgeNow() time.Time                { return time.Now() }
func (f *fake) Log() *slog.Logger                { return slog.New(slog.DiscardHandler) }
func (f *fake) Rooms() []room.Room               { return f.rooms }
func (f *fake) Sessions() *sessions.Room         { return f.known }
func (f *fake) Outputs() (outputs.Store, error)  { return f.store, nil }
func (f *fake) Folders() (sweeps.Folders, error) { return f.store, nil }
func (f *fake) Writers() int                     { return f.writers }
func (f *fake) Offer(func()) bool                { f.offered++; return true }
func (f *fake) ClearProblem(string)              {}

func (f *fake) Apply(
	_ context.Context, _ change.Actor, decide func() ([]change.Change, error),
) (changes []change.Change, err error) {
	for range 2 {
		changes, err = decide()
		require.NoError(f.t, err)
		f.decided()
	}
	if err := f.fail(len(f.applied)); err != nil {
		return nil, err
	}
	var kinds []change.Kind
	for i := range changes {
		changes[i].At = f.Now()
		kinds = append(kinds, changes[i].Kind)
		for _, r := range f.rooms {
			_, err := r.Fold(changes[i])
			require.NoError(f.t, err)
		}
	}
	f.applied = append(f.applied, kinds)
	return changes, nil
}

// newFake returns a workspace with a session that ended long ago, its folder, and
// an output that is too old, and the paths of both.
func newFake(t *testing.T) (f *fake, old []string) {
	dir := t.TempDir()
	opened, err := sqlite.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	f = &fake{t: t, store: opened, settings: settings.Default(), known: sessions.New(room.Env{}), decided: func() {}}
	f.fail = func(int) error { return nil }
	f.rooms = []room.Room{f.known, sweeps.New(room.Env{})}
	long := time.Now().Add(-100 * aDay)
	for _, c := range []change.Change{
		change.New(sessions.Started, "over", map[string]string{"worktree": "/w"}),
		change.New(sessions.Ended, "over", struct{}{}),
	} {
		c.At = long
		_, err := f.known.Fold(c)
		require.NoError(t, err)
	}
	ref, err := opened.KeepOutput("of long ago")
	require.NoError(t, err)
	output := filepath.Join(dir, "cache", "tool-outputs", ref)
	folder := opened.SessionDir("over")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	for _, path := range []string{output, folder} {
		require.NoError(t, os.Chtimes(path, long, long))
	}
	return f, []string{output, folder}
}

func TestA12_DecidingToSweepDeletesNothing(t *testing.T) {
	f, old := newFake(t)
	f.decided = func() {
		if len(f.applied) > 0 {
			return
		}
		for _, path := range old {
			_, err := os.Stat(path)
			require.NoError(t, err, "deleted before the sweep was claimed")
		}
	}
	record, err := sweeps.NewService(f).Sweep(t.Context(), change.Actor{})
	require.NoError(t, err)
	assert.Equal(t, [][]change.Kind{{sessions.Swept, sweeps.Claimed}, {sweeps.Swept}}, f.applied)
	assert.Equal(t, 1, record.Deleted)
	assert.Equal(t, 1, record.Sessions)
	for _, path := range old {
		assert.NoFileExists(t, path)
		assert.NoDirExists(t, path)
	}
}

func TestA12_ASweepThatCannotBeClaimedDeletesNothing(t *testing.T) {
	f, old := newFake(t)
	f.fail = func(int) error { return errors.New("disk full") }
	_, err := sweeps.NewService(f).Sweep(t.Context(), change.Actor{})
	require.ErrorContains(t, err, "disk full")
	for _, path := range old {
		_, err := os.Stat(path)
		assert.NoError(t, err)
	}
}

func TestA12_WhatASweepLeftThatWasCutShortTheNextOneDeletes(t *testing.T) {
	f, old := newFake(t)
	f.fail = func(n int) error {
		if n > 0 {
			return errors.New("the process ended")
		}
		return nil
	}
	stuck := filepath.Join(filepath.Dir(old[0]), "stuck")
	require.NoError(t, os.MkdirAll(filepath.Join(stuck, "by this"), 0o700))
	long := time.Now().Add(-100 * aDay)
	require.NoError(t, os.Chtimes(stuck, long, long))
	service := sweeps.NewService(f)
	_, err := service.Sweep(t.Context(), change.Actor{})
	require.ErrorContains(t, err, "the process ended")
	require.NoError(t, os.RemoveAll(filepath.Join(stuck, "by this")))
	require.NoError(t, os.Chtimes(stuck, long, long))
	f.fail = func(int) error { return nil }
	record, err := service.Sweep(t.Context(), change.Actor{})
	require.NoError(t, err)
	assert.Equal(t, 1, record.Deleted)
	assert.NoDirExists(t, stuck)
}

func TestA12_EntriesThatGoOutOfForceMakeASweepDue(t *testing.T) {
	r := sweeps.New(room.Env{})
	for i, kind := range []change.Kind{"memory.evicted", "memory.superseded", "memory.removed", "working.observed"} {
		for range sweeps.Every / 4 {
			assert.False(t, r.Due(), i)
			_, err := r.Fold(change.New(kind, "x", struct{}{}))
			require.NoError(t, err)
		}
	}
	assert.True(t, r.Due())
}

func TestA12_ASweepBeginsAtOnceOrWhileOthersWriteWithAPoll(t *testing.T) {
	for _, c := range []struct {
		name              string
		writers           int
		committed, polled int // how many sweeps were begun until then
	}{
		{"nobody else writes", 0, 1, 1},
		{"others write", 2, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, _ := newFake(t)
			f.writers = c.writers
			for range sweeps.Every {
				for _, r := range f.rooms {
					_, err := r.Fold(change.New("working.observed", "s", struct{}{}))
					require.NoError(t, err)
				}
			}
			service := sweeps.NewService(f)
			service.Committed(nil)
			assert.Equal(t, c.committed, f.offered)
			service.Poll(t.Context())
			assert.Equal(t, c.polled, f.offered)
		})
	}
}

func TestA12_AClaimedSweepIsDueNoMore(t *testing.T) {
	known := sweeps.New(room.Env{})
	fold := func(c change.Change) {
		_, err := known.Fold(c)
		require.NoError(t, err)
	}
	for range sweeps.Every {
		assert.False(t, known.Due())
		fold(change.New("working.observed", "s", struct{}{}))
	}
	require.True(t, known.Due())
	claim := known.Claim()
	fold(change.New("working.observed", "s", struct{}{}))
	fold(claim)
	assert.False(t, known.Due())
	fold(known.Done(sweeps.Record{Deleted: 3}))
	assert.False(t, known.Due())
	assert.Equal(t, sweeps.Every, known.Latest().Events)
}

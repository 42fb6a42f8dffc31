package longterm

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// past returns the ids of the entries that are neither in force nor offered.
func (f *fixture) past() []string {
	var found []string
	for _, entry := range f.room.List(nil, true) {
		if entry.isPast() {
			found = append(found, entry.ID)
		}
	}
	return found
}

func (f *fixture) sweep() []change.Change {
	f.Helper()
	changes, err := f.room.SweepRows()
	f.apply(changes, err)
	return changes
}

func TestSweep_EntriesThatLeftFirstAreDeletedOverTheLimit(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxEntries, f.settings.Memory.MaxPast = 1, 2
	var added []string
	for i := range 5 {
		added = append(added, f.add(Addition{Text: fact(i)}).ID)
	}
	// The first is restored and evicted once more: now it left last but one.
	f.apply(f.room.Restore(added[0]))
	f.apply(f.room.Restore(added[4]))
	require.Equal(t, added[:4], f.past())
	changes := f.sweep()
	assert.Equal(t, []change.Kind{Swept, Swept}, kinds(changes))
	assert.Equal(t, "over the limit of 2 entries no longer in force, and the oldest", changes[0].Reason)
	assert.Empty(t, changes[0].Before, "the log does not get the text once more")
	assert.Equal(t, []string{added[0], added[3]}, f.past())
	assert.Empty(t, f.sweep(), "nothing is over the limit")
	_, err := f.room.Restore(added[1])
	require.ErrorContains(t, err, "there is no memory")
	f.apply(f.room.Restore(added[3]))
	assert.Equal(t, StatusActive, f.get(added[3]).Status)
	assertReplay(t, f)
}

func TestSweep_OffersThatNobodyTookGoMuchSooner(t *testing.T) {
	f := newFixture(t)
	limits := &f.settings.Memory
	limits.MaxOffered, limits.MaxPast, limits.MaxPastOffers = 1, 10, 2
	removed := f.add(Addition{Text: fact(0)}).ID
	f.apply(f.room.Remove(removed))
	declined := f.says("s1", rule)[0].ID
	f.apply(f.room.Remove(declined))
	var offered []string
	for i := range 6 {
		offered = append(offered, f.says("s1", fmt.Sprintf("we never use the archive of region %d in tests", i))[0].ID)
	}
	assert.Len(t, f.sweep(), 3)
	assert.ElementsMatch(t, []string{removed, declined, offered[3], offered[4]}, f.past())
	assert.Empty(t, f.says("s2", rule), "what somebody removed is not offered again")
	assert.Less(t, settings.Default().Memory.MaxPastOffers, settings.Default().Memory.MaxPast/5)
	assertReplay(t, f)
}

func TestSweep_AnEntryThatWaitsForAFileIsDeletedToo(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxPast = 0
	id := f.add(Addition{Text: fact(0), Files: []string{"a.go"}}).ID
	f.observe(event.FileDeleted{Path: "a.go"})
	f.apply(f.room.Remove(id))
	f.sweep()
	assert.Empty(t, f.past())
	assert.Zero(t, f.room.state.stale)
	assertReplay(t, f)
}

func TestSweep_WhatIsInForceOrOfferedStays(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxPast, f.settings.Memory.MaxPastOffers = 0, 0
	f.add(Addition{Text: fact(0)})
	f.says("s1", rule)
	assert.Empty(t, f.sweep())
	assert.Len(t, f.room.List(nil, true), 2)
}

func TestSweep_OneSweepIsBounded(t *testing.T) {
	f := newFixture(t)
	var rows []change.Row
	for i := range maxSwept + 30 {
		entry := Entry{ID: fmt.Sprintf("01%04d", i), Text: fact(i), Status: StatusEvicted, Ended: &Ended{At: f.now}}
		rows = append(rows, change.NewRow(entry.ID, &entry, nil))
	}
	require.NoError(t, f.room.Load(rows))
	f.settings.Memory.MaxPast = 10
	changes, err := f.room.SweepRows()
	require.NoError(t, err)
	assert.Len(t, changes, maxSwept)
}

func TestSweep_RetiredRowsThatWereReadBeforeDoNotComeBack(t *testing.T) {
	f := newFixture(t)
	entry := Entry{ID: "01A", Text: fact(0), Status: StatusEvicted, Ended: &Ended{At: f.now}}
	var known *Room
	known = New(room.Env{
		Settings: func() *settings.Settings { return f.settings },
		Retired: func(string) ([]change.Row, error) {
			_, err := known.Fold(change.New(Swept, entry.ID, subject{entry.ID})) // another process, meanwhile
			return []change.Row{change.NewRow(entry.ID, &entry, nil)}, err
		},
	})
	assert.Empty(t, known.List(nil, true))
}

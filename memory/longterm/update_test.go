package longterm

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

func TestB1_AnEditChangesWhatItNames(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: fact(1), Source: Compaction}).ID
	receipts := f.update(
		id,
		Patch{Text: ptr(" " + fact(2)), Type: ptr("reference"), Rationale: ptr("it bills us"), Reviewed: ptr(true)},
	)
	require.Len(t, receipts, 1)
	assert.Equal(t, ReceiptUpdated, receipts[0].Status)
	entry := f.get(id)
	assert.Equal(t, fact(2), entry.Text)
	assert.Equal(t, "reference", entry.Type)
	assert.Equal(t, "it bills us", entry.Rationale)
	assert.True(t, entry.Reviewed)
	assert.Equal(t, Compaction, entry.Source)
	assert.Zero(t, entry.Reinforced)
}

func TestB1_AnEditThatChangesNothingIsNoChange(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: fact(1)}).ID
	changes, err := f.room.Update(id, Patch{Text: ptr(fact(1) + "\n"), Pinned: ptr(false)})
	require.NoError(t, err)
	assert.Empty(t, changes)
}

func TestB4_AnEditToNothingIsRejected(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: fact(1)}).ID
	receipts := f.update(id, Patch{Text: ptr(" ")})
	assert.Equal(t, ReceiptRejected, receipts[0].Status)
	assert.Equal(t, fact(1), f.get(id).Text)
}

func TestB5_AnEntryEditedToSayWhatAnotherSaysIsAbsorbedByIt(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxPinned = 1
	twin := f.add(Addition{Text: fact(1), Source: Manual})
	other := f.add(Addition{Text: fact(2), Source: Manual, Pinned: true})
	changes, err := f.room.Update(other.ID, Patch{Text: ptr(fact(1) + "!"), Reviewed: ptr(true)})
	assert.Equal(t, []change.Kind{Superseded, Merged}, kinds(changes))
	receipts, _ := f.apply(changes, err)

	require.Len(t, receipts, 1)
	assert.Equal(t, ReceiptMerged, receipts[0].Status)
	assert.Equal(t, twin.ID, receipts[0].ID)
	assert.Equal(t, fact(1)+"!", f.get(twin.ID).Text)
	assert.True(t, f.get(twin.ID).Pinned, "the pin moves over, the limit holds")
	superseded := f.get(other.ID)
	assert.Equal(t, StatusSuperseded, superseded.Status)
	assert.Equal(t, twin.ID, superseded.Ended.By)
	assert.Equal(t, fact(2), superseded.Text)
}

func TestB1_OnlyActiveEntriesCanBeEdited(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: fact(1)}).ID
	f.apply(f.room.Remove(id))
	_, err := f.room.Update(id, Patch{Pinned: ptr(true)})
	assert.Equal(t, fault.Missing(id, "memory %q is removed: restore it first", id), err)
	_, err = f.room.Update("01Z", Patch{Pinned: ptr(true)})
	assert.Equal(t, fault.Missing("01Z", `there is no memory "01Z"`), err)
}

func TestB1_WhatWasRemovedCanBeRestored(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: fact(1), Pinned: true}).ID
	receipts, _ := f.apply(f.room.Remove(id))
	assert.Equal(t, StatusRemoved, receipts[0].Entry.Status)
	again, err := f.room.Remove(id)
	require.NoError(t, err)
	assert.Empty(t, again)

	receipts, _ = f.apply(f.room.Restore(id))
	assert.Equal(t, ReceiptUpdated, receipts[0].Status)
	entry := f.get(id)
	assert.Equal(t, StatusActive, entry.Status)
	assert.Zero(t, entry.Reinforced, "nobody has said it again")
	assert.True(t, entry.Pinned)
	assert.Nil(t, entry.Ended)
	again, err = f.room.Restore(id)
	require.NoError(t, err)
	assert.Empty(t, again)
}

func TestB1_ARestoredEntryEvictsOthersAndNeverItself(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxEntries = 2
	f.add(Addition{Text: fact(1), Source: Explicit})
	f.add(Addition{Text: fact(2), Source: Explicit})
	weak := f.add(Addition{Text: fact(3), Source: Compaction})
	receipts, _ := f.apply(f.room.Restore(weak.ID))
	assert.Equal(t, StatusActive, f.get(weak.ID).Status)
	assert.Len(t, receipts[0].Evicted, 1)
	assert.NotContains(t, receipts[0].Evicted, weak.ID)
}

func TestB1_RestoringIntoAMemoryFullOfPinsIsRefused(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxEntries = 2
	f.add(Addition{Text: fact(1), Pinned: true})
	f.add(Addition{Text: fact(2), Pinned: true})
	id := f.add(Addition{Text: fact(3)}).ID
	_, err := f.room.Restore(id)
	require.True(t, fault.Has(err, fault.Limit), err)
	assert.Equal(t, fault.Data{Max: 2}, fault.Of(err).Data)
}

func TestB1_APinThatFindsNoPlaceAnyMoreIsNotRestored(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxPinned = 1
	first := f.add(Addition{Text: fact(1), Pinned: true})
	f.apply(f.room.Remove(first.ID))
	f.add(Addition{Text: fact(2), Pinned: true})
	receipts, _ := f.apply(f.room.Restore(first.ID))
	assert.False(t, receipts[0].Entry.Pinned)
}

func TestB5_RestoringWhatIsSaidAgainReinforcesTheActiveEntry(t *testing.T) {
	f := newFixture(t)
	first := f.add(Addition{Text: fact(1) + "."})
	f.apply(f.room.Remove(first.ID))
	second := f.add(Addition{Text: fact(1)})
	receipts, _ := f.apply(f.room.Restore(first.ID))
	require.Len(t, receipts, 1)
	assert.Equal(t, ReceiptMerged, receipts[0].Status)
	assert.Equal(t, second.ID, receipts[0].ID)
	assert.Equal(t, 1, f.get(second.ID).Reinforced)
	assert.Equal(t, StatusSuperseded, f.get(first.ID).Status)
}

func TestErase_LeavesNeitherRowNorTextInTheChange(t *testing.T) {
	f := newFixture(t)
	old := f.add(Addition{Text: fact(1)})
	f.apply(f.room.Remove(old.ID))
	id := f.add(Addition{Text: fact(1) + "."}).ID
	other := f.add(Addition{Text: fact(2)}).ID
	changes, err := f.room.Erase(id)
	require.NoError(t, err)
	assert.Len(t, changes, 2, "an entry that left long ago says the same: it goes too")
	for _, c := range changes {
		assert.Equal(t, Erased, c.Kind)
		assert.Empty(t, c.Before)
		assert.JSONEq(t, `{"id":"`+c.Subject+`"}`, string(c.After))
	}
	f.apply(changes, nil)
	assert.ElementsMatch(t, []string{other, erasedKey(id), erasedKey(old.ID)}, slices.Collect(maps.Keys(f.rows)))

	_, err = f.room.Erase(id)
	require.True(t, fault.Has(err, fault.NotFound), err)
	_, err = f.room.Restore(id)
	require.True(t, fault.Has(err, fault.NotFound), err)
	_, err = f.room.Remove(id)
	require.True(t, fault.Has(err, fault.NotFound), err)
	_, err = f.room.Explain(id)
	require.True(t, fault.Has(err, fault.NotFound), err)
}

func TestErase_FindsEveryChangeThatTellsOfTheEntry(t *testing.T) {
	f := newFixture(t)
	f.add(Addition{Text: fact(2)})
	id := f.add(Addition{Text: "use tabs everywhere"}).ID
	f.add(Addition{Text: "Use tabs, everywhere!", Source: Explicit})
	f.update(id, Patch{Text: ptr("use spaces everywhere")})
	f.apply([]change.Change{change.New(Rejected, "", Rejection{Text: "Use spaces everywhere."})}, nil)
	f.apply([]change.Change{change.New("slot.added", "x", Rejection{Text: "use spaces everywhere"})}, nil)
	erased := f.get(id)
	f.apply(f.room.Erase(id))
	var telling []int64
	for _, c := range f.log {
		if Tells(c, erased) {
			telling = append(telling, c.Seq)
		}
	}
	assert.Equal(t, []int64{2, 3, 4, 5, 7}, telling)
}

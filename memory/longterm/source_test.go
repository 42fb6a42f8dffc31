package longterm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/room"
)

var _ room.Source = (*Room)(nil)

// searched follows the documents of the log as an index does, and compares them with those of
// Each and Find.
func (f *fixture) searched() (texts []string) {
	f.Helper()
	index := map[string]room.Document{}
	for _, c := range f.log {
		put, removed := f.room.Documents(c)
		for _, doc := range put {
			index[doc.ID] = doc
		}
		for _, id := range removed {
			delete(index, id)
		}
	}
	each := map[string]room.Document{}
	require.NoError(f, f.room.Each(f.Context(), nil, func(doc room.Document) bool {
		each[doc.ID] = doc
		return true
	}))
	assert.Equal(f, each, index)
	for id, doc := range index {
		found, err := f.room.Find(f.Context(), nil, []string{"note:" + id, id, DocumentID("none")})
		require.NoError(f, err)
		assert.Equal(f, []room.Document{doc}, found)
		texts = append(texts, doc.Text)
	}
	slices.Sort(texts)
	return texts
}

func TestEntriesInForceEvictedAndRemovedOnesAreDocuments(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxEntries = 2
	first := f.add(Addition{Text: "Round once, at the end.", Rationale: "Sums differ otherwise.", Source: Explicit})
	second := f.add(Addition{Text: "Deploy on Thursday.", Source: Explicit})
	assert.Equal(t,
		[]string{"Deploy on Thursday.", "Round once, at the end.\nWhy: Sums differ otherwise."}, f.searched())

	f.add(Addition{Text: "Keep invoices for ten years.", Source: Explicit})
	assert.Len(t, f.searched(), 3, "an evicted entry is found")
	kept, err := f.room.Find(t.Context(), nil, []string{DocumentID(first.ID)})
	require.NoError(t, err)
	require.Len(t, kept, 1)
	assert.InDelta(t, 0.4, kept[0].Importance, 1e-9, "and less important than before")
	assert.Equal(t, room.StoreWorkspace, kept[0].Store)

	assert.Equal(t, room.Evicted, kept[0].State)

	f.apply(f.room.Remove(second.ID))
	assert.Len(t, f.searched(), 3, "what was forgotten aside is found")
	kept, err = f.room.Find(t.Context(), nil, []string{DocumentID(second.ID)})
	require.NoError(t, err)
	require.Len(t, kept, 1)
	assert.Equal(t, room.Removed, kept[0].State)
	assert.InDelta(t, 0.2, kept[0].Importance, 1e-9)

	f.apply(f.room.Erase(second.ID))
	assert.Equal(t, []string{
		"Keep invoices for ten years.", "Round once, at the end.\nWhy: Sums differ otherwise.",
	}, f.searched())
}

func TestWhatIsOfferedIsNoDocumentUntilItIsKept(t *testing.T) {
	f := newFixture(t)
	offered := f.says("s1", "we never deploy on Fridays")
	require.Len(t, offered, 1)
	assert.Empty(t, f.searched())
	active := StatusActive
	f.apply(f.room.Update(offered[0].ID, Patch{Status: &active}))
	assert.Len(t, f.searched(), 1)
}

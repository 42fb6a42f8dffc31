package longterm

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

func TestEntriesThatSayNearlyTheSameAreShownToBeMerged(t *testing.T) {
	f := newFixture(t)
	ids := map[string]string{}
	for _, in := range []Addition{
		{Text: "Use pnpm, not npm"},
		{Text: "Do not use npm but pnpm", Pinned: true, Files: []string{"package.json"}, Rationale: "it is faster"},
		{Text: "Indent with tabs"}, {Text: "Indent with spaces"}, {Text: "Prices are whole cents"},
	} {
		receipts, _ := f.apply(f.room.Add(in))
		ids[in.Text] = receipts[0].ID
	}
	pairs := f.room.Pairs()
	require.Len(t, pairs, 2)
	assert.Equal(t, []quality.Relation{quality.Alike, quality.Contrary}, []quality.Relation{
		pairs[0].Relation, pairs[1].Relation,
	})
	section := f.room.paint(panel.Reader{})
	group := section.Items[0]
	assert.Equal(t, "1 contradict each other, 1 say nearly the same", group.Label)
	require.Len(t, group.Children, 2)
	assert.Equal(t, "contradicts “Indent with spaces”", group.Children[1].Detail)
	assert.Equal(t, "wm/memory/restore", group.Children[1].Actions[0].Undo.Method)

	kept, gone := ids["Use pnpm, not npm"], ids["Do not use npm but pnpm"]
	f.apply(f.room.MergeInto(gone, kept))
	entry, _ := f.room.Get(kept)
	assert.Equal(t, "Use pnpm, not npm", entry.Text)
	assert.True(t, entry.Pinned)
	assert.Equal(t, []string{"package.json"}, entry.Files)
	assert.Equal(t, "it is faster", entry.Rationale)
	merged, _ := f.room.Get(gone)
	assert.Equal(t, StatusSuperseded, merged.Status)
	assert.Len(t, f.room.Pairs(), 1)
	f.apply(f.room.Restore(gone))
	assert.Len(t, f.room.Pairs(), 2, "it is taken back")

	for _, into := range []string{"none", kept} {
		_, err := f.room.MergeInto(kept, into)
		assert.Error(t, err, into)
	}
}

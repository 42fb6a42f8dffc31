package longterm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory/fault"
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
	assert.Equal(t, "1 contradiction, 1 near duplicate", group.Label)
	require.Len(t, group.Children, 2)
	item := group.Children[1]
	assert.Equal(t, "contradicts the one below", item.Detail)
	assert.Equal(t, "wm/memory/restore", item.Actions[0].Undo.Method)
	require.Len(t, item.Children, 1, "both texts are rows")
	below := item.Children[0]
	assert.Equal(t, []string{"Indent with tabs", "Indent with spaces"}, []string{item.Label, below.Label})
	for row, gone := range map[*panel.Item]string{&item: "Indent with spaces", &below: "Indent with tabs"} {
		var inline []panel.Action
		for _, action := range row.Actions {
			if action.Inline {
				inline = append(inline, action)
			}
		}
		require.Len(t, inline, 1)
		assert.Equal(t, map[string]any{"id": ids[gone]}, inline[0].Params, "the button keeps the text beside it")
	}
	text, _ := f.room.markdown(panel.Reader{}, item.ID)
	ofBelow, _ := f.room.markdown(panel.Reader{}, below.ID)
	assert.Equal(t, text, ofBelow)
	assert.Contains(t, text, "These contradict each other. Which one holds?\n\n1. [Indent with tabs](wm:memory:"+
		ids["Indent with tabs"]+"): ")
	assert.Contains(t, text, "\n2. [Indent with spaces](wm:memory:"+ids["Indent with spaces"]+"): ")
	assert.Equal(t, []string{"Only the first holds", "Only the second holds", "Keep both"},
		titles(group.Children[1].Actions))
	alike := group.Children[0]
	assert.Equal(t, []string{"Merge into the first", "Merge into the second", "Keep both"}, titles(alike.Actions))
	text, _ = f.room.markdown(panel.Reader{}, alike.ID)
	assert.Contains(t, text, "These say nearly the same. Which one is to be kept?\n\n1. [Use pnpm, not npm]")

	kept, gone := ids["Use pnpm, not npm"], ids["Do not use npm but pnpm"]
	before := f.get(kept)
	f.apply(f.room.MergeInto(gone, kept))
	text, _ = f.room.markdown(panel.Reader{}, alike.ID)
	assert.Contains(t, text, "A decision about them was made:\n\n1. [Use pnpm, not npm]")
	assert.Contains(t, text, ", replaced: merged on request")
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
	assert.True(t, f.get(gone).Pinned)
	after := f.get(kept)
	assert.Equal(t, before.Revision(), after.Revision(), "the other one has again what it had")
	assert.Empty(t, after.Files)

	changed := "Indent with two spaces in YAML files"
	f.apply(f.room.Update(ids["Indent with spaces"], Patch{Text: &changed}))
	assert.Len(t, f.room.Pairs(), 1, "a changed entry is compared again")

	for _, into := range []string{"none", kept} {
		_, err := f.room.MergeInto(kept, into)
		assert.Error(t, err, into)
	}
}

// titles returns what actions are called.
func titles(actions []panel.Action) []string {
	names := make([]string, len(actions))
	for i, action := range actions {
		names[i] = action.Title
	}
	return names
}

func TestToTakeBackAMergeLeavesWhatTheOtherEntryHadOrGotSince(t *testing.T) {
	const reason = "it is faster"
	for name, test := range map[string]struct {
		kept, gone Addition
		since      Patch
		want       Entry
	}{
		"it had all of it": {
			kept: Addition{Pinned: true, Files: []string{"package.json"}, Rationale: reason},
			gone: Addition{Pinned: true, Files: []string{"package.json"}, Rationale: "of the lock file"},
			want: Entry{Pinned: true, Files: []string{"package.json"}, Rationale: reason},
		},
		"it had another file": {
			kept: Addition{Files: []string{"pnpm-lock.yaml"}},
			gone: Addition{Files: []string{"package.json", "pnpm-lock.yaml"}},
			want: Entry{Files: []string{"pnpm-lock.yaml"}},
		},
		"it got another reason since": {
			gone:  Addition{Rationale: reason},
			since: Patch{Rationale: new("of the lock file")},
			want:  Entry{Rationale: "of the lock file"},
		},
		"it was unpinned since": {gone: Addition{Pinned: true}, since: Patch{Pinned: new(false)}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			test.kept.Text, test.gone.Text = "Use pnpm, not npm", "Do not use npm but pnpm"
			kept, gone := f.add(test.kept).ID, f.add(test.gone).ID
			f.apply(f.room.MergeInto(gone, kept))
			f.update(kept, test.since)
			f.apply(f.room.Restore(gone))
			got := f.get(kept)
			assert.Equal(t, test.want.Pinned, got.Pinned)
			assert.Equal(t, test.want.Files, got.Files)
			assert.Equal(t, test.want.Rationale, got.Rationale)
			assert.Zero(t, got.Reinforced)
		})
	}
}

func TestAPairThatAPersonKeepsIsNotAskedAboutUntilATextChanges(t *testing.T) {
	text := func(text string) Patch { return Patch{Text: &text} }
	for name, test := range map[string]struct {
		then  func(f *fixture, tabs, spaces string)
		pairs int
	}{
		"nothing happens":       {func(*fixture, string, string) {}, 0},
		"it is kept once more":  {func(f *fixture, a, b string) { f.update(b, Patch{Beside: &[]string{a}}) }, 0},
		"the first is pinned":   {func(f *fixture, a, _ string) { f.update(a, Patch{Pinned: new(true)}) }, 0},
		"the first is changed":  {func(f *fixture, a, _ string) { f.update(a, text("Indent with hard tabs")) }, 1},
		"the second is changed": {func(f *fixture, _, b string) { f.update(b, text("Indent with four spaces")) }, 1},
		"it is undone":          {func(f *fixture, a, _ string) { f.update(a, Patch{Beside: &[]string{}}) }, 1},
		"it is undone from the other side": {
			func(f *fixture, _, b string) { f.update(b, Patch{Beside: &[]string{}}) }, 1,
		},
		"a change is undone": {func(f *fixture, a, b string) {
			f.update(a, text("Indent with hard tabs"))
			f.update(a, Patch{Text: new("Indent with tabs"), Beside: &[]string{b}})
		}, 0},
		"one is changed and the other kept beside a third": {func(f *fixture, a, b string) {
			f.update(b, text("Indent with four spaces"))
			third := f.add(Addition{Text: "Prices are whole cents"}).ID
			f.update(a, Patch{Beside: &[]string{third}})
		}, 1},
		"one is forgotten and restored": {func(f *fixture, a, _ string) {
			f.apply(f.room.Remove(a))
			f.apply(f.room.Restore(a))
		}, 0},
		"the memory is rebuilt from its copy": {func(f *fixture, _, _ string) {
			copied, err := f.room.Document(DocumentWorkspace{}, 1, f.now).Encode()
			require.NoError(f, err)
			f.room, f.rows = f.newRoom(), map[string]string{}
			f.apply(f.room.RebuildFrom(copied))
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			tabs := f.add(Addition{Text: "Indent with tabs"}).ID
			spaces := f.add(Addition{Text: "Indent with spaces"}).ID
			item := f.room.paint(panel.Reader{}).Items[0].Children[0]
			keep := item.Actions[2]
			assert.Equal(t, "Keep both", keep.Title)
			assert.Equal(t, map[string]any{"id": tabs, "beside": []string{spaces}}, keep.Params)
			assert.Equal(t, map[string]any{"id": tabs, "beside": []string{}}, keep.Undo.Params)
			receipts := f.update(tabs, Patch{Beside: &[]string{spaces}})
			assert.Equal(t, tabs, receipts[len(receipts)-1].ID, "the receipt of the request is the last")
			assert.Empty(t, f.room.Pairs())
			test.then(f, tabs, spaces)
			assert.Len(t, f.room.Pairs(), test.pairs)
		})
	}
}

func TestAnEntryIsKeptBesideOtherEntriesOnly(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: "Indent with tabs"}).ID
	gone := f.add(Addition{Text: "Indent with spaces"}).ID
	f.update(id, Patch{Beside: &[]string{gone}})
	f.apply(f.room.Erase(gone))
	for _, other := range []string{id, "none"} {
		_, err := f.room.Update(id, Patch{Beside: &[]string{other}})
		assert.Equal(t, "beside", fault.Of(err).Field)
	}
	f.update(id, Patch{Beside: &[]string{gone}})
	assert.Empty(t, f.get(id).Beside, "what was erased is left out")
}

func TestOfEntriesThatAllContradictEachOtherEachIsListedOnce(t *testing.T) {
	for n, want := range map[int]struct {
		label string
		rows  int
	}{2: {"1 contradiction", 1}, 15: {"14 contradictions", 14}, 25: {"24 contradictions", maxPairs}} {
		f := newFixture(t)
		ids := make([]string, n)
		for i := range ids {
			ids[i] = f.add(Addition{Text: fmt.Sprintf("The importer retries failed uploads %d times", i)}).ID
		}
		require.Len(t, f.room.Pairs(), n*(n-1)/2)
		group := f.room.paint(panel.Reader{}).Items[0]
		assert.Equal(t, want.label, group.Label)
		require.Len(t, group.Children, want.rows)
		for i, item := range group.Children {
			assert.Equal(t, pairPrefix+ids[0]+":"+ids[i+1], item.ID)
		}
	}
}

// BenchmarkPairs measures what a painting costs with as many entries as the settings allow: the first one, one after
// an entry has changed, and any other.
func BenchmarkPairs(b *testing.B) {
	parts := [][]string{
		{"parser", "cart", "invoice", "worker", "index", "session", "queue", "cache", "login", "report"},
		{"reads", "rejects", "keeps", "sorts", "logs", "counts", "sends", "merges", "signs", "drops"},
		{"late", "empty", "signed", "broken", "shared", "old", "large", "nested", "foreign", "hidden"},
		{"orders", "rows", "files", "lines", "tokens", "prices", "names", "dates", "events", "paths"},
	}
	random := rand.New(rand.NewPCG(1, 1))
	active := map[string]*held{}
	for i := range 500 {
		words := []any{}
		for _, choices := range parts {
			words = append(words, choices[random.IntN(len(choices))])
		}
		id := fmt.Sprintf("%03d", i)
		active[id] = &held{Entry: Entry{ID: id, Text: fmt.Sprintf("The %s %s %s %s before it commits", words...)}}
	}
	first := func() *compared {
		known := &compared{}
		for id, h := range active {
			active[id] = &held{Entry: h.Entry}
		}
		known.among(active)
		return known
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			first()
		}
	})
	known := first()
	b.Run("changed", func(b *testing.B) {
		for b.Loop() {
			active["100"] = &held{Entry: active["100"].Entry}
			known.among(active)
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			known.among(active)
		}
		b.ReportMetric(float64(len(known.pairs)), "pairs")
	})
}

package recall_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/recall"
)

var _ recall.Index = (*recall.InMemory)(nil)

func TestDocumentsOfAThreadAreNeighboursAlsoAfterOneIsDeleted(t *testing.T) {
	var index recall.InMemory
	add := func(thread string) recall.Doc { return index.Add(recall.Analyze(recall.Text{Body: "word"}), thread) }
	first, alone, second, third := add("a"), add(""), add("a"), add("a")
	feature := index.Feature
	assert.Equal(t, recall.Feature{Thread: first, Next: second, Length: 1}, feature(first))
	assert.Equal(t, recall.Feature{Thread: alone, Length: 1}, feature(alone))
	assert.Equal(t, recall.Feature{Thread: first, Prev: second, Length: 1, Position: 2}, feature(third))

	require.True(t, index.Delete(second))
	assert.False(t, index.Delete(second))
	assert.Equal(t, third, feature(first).Next)
	assert.Equal(t, recall.Feature{Thread: first, Prev: first, Length: 1, Position: 1}, feature(third), "it moves up")
	assert.Zero(t, feature(second))
	lists, err := index.Lists([]string{"word", "unknown"})
	require.NoError(t, err)
	assert.Equal(t, []recall.List{{Docs: []recall.Doc{first, alone, third}, TF: []uint8{1, 1, 1}}, {}}, lists)

	require.True(t, index.Delete(third))
	fourth := add("a")
	assert.Equal(t, recall.Feature{Thread: first, Prev: first, Length: 1, Position: 1}, feature(fourth))
	stats, err := index.Stats()
	require.NoError(t, err)
	assert.Equal(t, recall.Stats{Documents: 3, Last: fourth, Terms: 3}, stats)

	longer := recall.Analyze(recall.Text{Body: "another word"})
	replaced := index.Replace(first, longer)
	assert.Equal(t, recall.Feature{Thread: first, Next: fourth, Length: 2}, feature(replaced), "it keeps its place")
	assert.Equal(t, replaced, feature(fourth).Prev)
	require.True(t, index.Delete(replaced))
	assert.Equal(t, recall.Feature{Thread: first, Length: 1}, feature(fourth))
	fifth := add("a")
	assert.Equal(t, recall.Feature{Thread: first, Prev: fourth, Length: 1, Position: 1}, feature(fifth))
}

func TestAFamilyIsTheIndexedTermsOfAPrefix(t *testing.T) {
	var index recall.InMemory
	index.Add(recall.Analyze(recall.Text{Body: "parsing parser pars part paint"}), "")
	family, err := index.Family("pars", 2)
	require.NoError(t, err)
	assert.Len(t, family, 2)
	for _, term := range family {
		assert.Contains(t, term, "pars")
	}
}

func TestAFeatureIsReadAsItWasWritten(t *testing.T) {
	feature := recall.Feature{
		Thread: 1 << 30, Prev: 7, Next: 1 << 31, Day: 20_000, Length: 65_535, Position: 300,
		Flags: recall.HasTime | recall.HasNumber | 2,
	}
	written := recall.AppendFeature(nil, feature)
	assert.Len(t, written, recall.FeatureSize)
	assert.Equal(t, feature, recall.ReadFeature(written))
	assert.Equal(t, 2, feature.Flags.Capitals())
}

func TestADayIsThatOfTheTimeInItsOwnPlace(t *testing.T) {
	assert.EqualValues(t, 1, recall.Day(time.Date(1970, 1, 2, 0, 30, 0, 0, time.FixedZone("east", 3600))))
	assert.Zero(t, recall.Day(time.Time{}))
	assert.Zero(t, recall.Day(time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC)))
	assert.Zero(t, recall.Day(time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)))
}

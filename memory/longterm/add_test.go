package longterm

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

func TestB1_NewEntriesHaveTheConfidenceOfTheirSource(t *testing.T) {
	for source, confidence := range map[Source]float64{Explicit: 1.0, Manual: 0.9, Compaction: 0.75} {
		f := newFixture(t)
		receipt := f.add(Addition{Type: "project", Text: fact(1), Source: source, Session: "s1", Agent: "opencode"})
		entry := f.get(receipt.ID)
		assert.Equal(t, ReceiptAdded, receipt.Status)
		assert.Equal(t, confidence, entry.Confidence)
		assert.Equal(t, source != Compaction, entry.Reviewed)
		assert.Equal(t, &Origin{SessionID: "s1", Agent: "opencode"}, entry.Origin)
		assert.Equal(t, StatusActive, entry.Status)
		assert.Equal(t, f.log[0].At, entry.CreatedAt)
	}
}

func TestB1_AnAdditionThatCannotBeUsedNamesItsField(t *testing.T) {
	cases := []struct {
		name  string
		in    Addition
		field string
	}{
		{"a type that nobody knows", Addition{Type: "poem", Text: fact(1)}, "type"},
		{"a source that nobody knows", Addition{Text: fact(1), Source: "rumour"}, "source"},
		{"a text without end", Addition{Text: strings.Repeat("x", maxTextChars+1)}, "text"},
		{
			"a rationale without end",
			Addition{Text: fact(1), Rationale: strings.Repeat("x", maxTextChars+1)},
			"rationale",
		},
		{
			"files without end",
			Addition{Text: fact(1), Files: slices.Repeat([]string{"a.go"}, maxFiles+1)},
			"files",
		},
		{
			"a file without end",
			Addition{Text: fact(1), Files: []string{strings.Repeat("x", maxFileBytes+1)}},
			"files",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := newFixture(t).room.Add(c.in)
			assert.Equal(t, fault.Params, fault.Of(err).Kind)
			assert.Equal(t, c.field, fault.Of(err).Field)
		})
	}
}

func TestB16_TypesOfTheSettingsAreTypes(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.Types = []string{"risk"}
	receipt := f.add(Addition{Type: "Risk", Text: fact(1)})
	assert.Equal(t, "risk", f.get(receipt.ID).Type)
}

func TestATypeIsKnownByTheNameThatPeopleAreShown(t *testing.T) {
	for name, want := range map[string]string{
		"": "project", "project": "project", "Fact": "project", "fact": "project", "Preference": "feedback",
		" DECISION ": "decision", "pointer": "reference",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			receipt := f.add(Addition{Text: fact(1), Type: name})
			assert.Equal(t, want, f.get(receipt.ID).Type)
		})
	}
	f := newFixture(t)
	f.settings.Memory.Types = []string{"fact"}
	assert.Equal(t, "fact", f.get(f.add(Addition{Text: fact(1), Type: "Fact"}).ID).Type, "the settings have it")
}

func TestB1_OverTheLimitTheLowestSourceThenTheOldestReinforcementLeaves(t *testing.T) {
	cases := []struct {
		name    string
		before  []Addition // numbered from 0 by their text
		in      Addition
		evicted int // index into before, len(before) for the newcomer
	}{
		{
			"the lowest source leaves",
			[]Addition{{Source: Explicit}, {Source: Compaction}, {Source: Manual}},
			Addition{Source: Manual},
			1,
		},
		{
			"of equal sources the oldest leaves",
			[]Addition{{Source: Manual}, {Source: Manual}, {Source: Manual}},
			Addition{Source: Manual},
			0,
		},
		{
			"a pinned entry stays",
			[]Addition{{Source: Compaction, Pinned: true}, {Source: Manual}, {Source: Manual}},
			Addition{Source: Manual},
			1,
		},
		{
			"the newcomer leaves if it is the weakest",
			[]Addition{{Source: Explicit}, {Source: Manual}, {Source: Explicit}},
			Addition{Source: Compaction},
			3,
		},
		{
			"the newcomer leaves if all others are pinned",
			[]Addition{{Source: Compaction, Pinned: true}, {Source: Compaction, Pinned: true},
				{Source: Compaction, Pinned: true}},
			Addition{Source: Explicit},
			3,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			f.settings.Memory.MaxEntries = 3
			var issued []string
			for i, in := range c.before {
				in.Text = fact(i)
				issued = append(issued, f.add(in).ID)
			}
			c.in.Text = fact(99)
			receipt := f.add(c.in)
			issued = append(issued, receipt.ID)

			assert.Equal(t, ReceiptAdded, receipt.Status)
			assert.Equal(t, []string{issued[c.evicted]}, receipt.Evicted)
			assert.Equal(t, StatusEvicted, f.get(issued[c.evicted]).Status)
			entries, _ := f.room.Used()
			assert.Equal(t, 3, entries)
			explained, err := f.room.Explain(issued[c.evicted])
			require.NoError(t, err)
			assert.Contains(t, explained.Reason, "over the limit of 3 entries")
		})
	}
}

func TestB1_TheReceiptOfAnEvictedNewcomerSaysSo(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxEntries = 1
	f.add(Addition{Text: fact(1), Source: Explicit})
	receipt := f.add(Addition{Text: fact(2), Source: Compaction})
	assert.Equal(t, []string{receipt.ID}, receipt.Evicted)
	assert.Equal(t, StatusEvicted, receipt.Entry.Status)
	assert.Contains(t, receipt.Reason, "over the limit")
}

func TestB1_ReinforcementKeepsAnEntry(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxEntries = 2
	first := f.add(Addition{Text: fact(1)})
	second := f.add(Addition{Text: fact(2)})
	f.add(Addition{Text: fact(1)})
	receipt := f.add(Addition{Text: fact(3)})
	assert.Equal(t, []string{second.ID}, receipt.Evicted)
	assert.Equal(t, StatusActive, f.get(first.ID).Status)
}

func TestB1_OnlySoManyEntriesCanBePinned(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxPinned = 1
	first := f.add(Addition{Text: fact(1), Pinned: true})
	second := f.add(Addition{Text: fact(2)})

	_, err := f.room.Add(Addition{Text: fact(3), Pinned: true})
	require.True(t, fault.Has(err, fault.Limit), err)
	assert.Equal(t, fault.Data{Max: 1}, fault.Of(err).Data)
	_, err = f.room.Update(second.ID, Patch{Pinned: ptr(true)})
	require.True(t, fault.Has(err, fault.Limit), err)
	_, err = f.room.Add(Addition{Text: fact(2), Pinned: true})
	require.True(t, fault.Has(err, fault.Limit), "a merge that pins")

	f.update(first.ID, Patch{Pinned: ptr(false)})
	f.update(second.ID, Patch{Pinned: ptr(true)})
	assert.True(t, f.get(second.ID).Pinned)
}

func TestB5_ATextThatSaysTheSameIsMergedIntoTheOlderEntry(t *testing.T) {
	cases := []struct {
		name   string
		first  Addition
		second Addition
		text   string
		source Source
	}{
		{"the newer wording stays between equals",
			Addition{Text: "Use tabs for indentation, always.", Source: Manual},
			Addition{
				Text:   "use TABS for indentation always",
				Source: Manual,
			}, "use TABS for indentation always", Manual},
		{"the higher source brings its wording, type and confidence",
			Addition{Text: "Always use tabs for indentation!", Source: Compaction, Type: "feedback"},
			Addition{
				Text:   "always use tabs for indentation",
				Source: Explicit,
				Type:   "feedback",
			}, "always use tabs for indentation", Explicit},
		{"the lower source changes no wording",
			Addition{Text: "Always use tabs for indentation!", Source: Explicit, Type: "feedback"},
			Addition{
				Text:   "always use tabs for indentation",
				Source: Compaction,
				Type:   "feedback",
			}, "Always use tabs for indentation!", Explicit},
		{"full-width letters are the same letters",
			Addition{Text: "use ＴＡＢＳ for indentation", Source: Manual},
			Addition{Text: "use tabs   for\nindentation", Source: Manual}, "use tabs   for\nindentation", Manual},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			c.first.Files, c.second.Files = []string{"a.go"}, []string{"b.go", "./a.go"}
			first, second := f.add(c.first), f.add(c.second)
			entry := f.get(first.ID)
			assert.Equal(t, ReceiptMerged, second.Status)
			assert.Equal(t, first.ID, second.ID)
			assert.Equal(t, c.text, entry.Text)
			assert.Equal(t, c.source, entry.Source)
			assert.Equal(t, confidences[c.source], entry.Confidence)
			assert.Equal(t, 1, entry.Reinforced)
			assert.True(t, entry.ReinforcedAt.After(entry.CreatedAt))
			assert.Equal(t, []string{"a.go", "b.go"}, entry.Files)
			assert.NotEmpty(t, f.log[1].Before)
		})
	}
}

func TestB5_TheHigherConfidenceStaysBetweenEqualSources(t *testing.T) {
	f := newFixture(t)
	entry := Entry{
		ID:         "01A",
		Type:       "project",
		Text:       "Use tabs, please, everywhere.",
		Source:     Manual,
		Confidence: 0.95,
		Status:     StatusActive,
	}
	f.apply([]change.Change{change.New(Added, entry.ID, entry)}, nil)
	f.add(Addition{Text: "use tabs please everywhere", Source: Manual})
	assert.Equal(t, "Use tabs, please, everywhere.", f.get("01A").Text)
}

func TestB5_OnlyActiveEntriesAreMergedWith(t *testing.T) {
	f := newFixture(t)
	first := f.add(Addition{Text: fact(1)})
	f.apply(f.room.Remove(first.ID))
	second := f.add(Addition{Text: fact(1)})
	assert.Equal(t, ReceiptAdded, second.Status)
	assert.NotEqual(t, first.ID, second.ID)
}

func TestB4_ARejectedTextLeavesATraceAndNoRow(t *testing.T) {
	f := newFixture(t)
	receipt := f.add(Addition{Text: "   ", Source: Explicit})
	assert.Equal(t, ReceiptRejected, receipt.Status)
	assert.Equal(t, "empty", receipt.Reason)
	assert.Nil(t, receipt.Entry)
	assert.Empty(t, f.rows)
	assert.Equal(t, []change.Kind{Rejected}, kinds(f.log))
}

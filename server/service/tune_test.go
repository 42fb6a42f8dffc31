package service

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A topic is something about which there are a string that fits a query better and is old, and one that
// is new. The new one is right.
type topic struct{ query, before, now, act string }

func topics(n int) (all []topic) {
	random := rand.New(rand.NewPCG(7, 7))
	word := func() string {
		var made strings.Builder
		for range 3 {
			made.WriteByte("bdfgklmnprstvz"[random.IntN(14)])
			made.WriteByte("aeiou"[random.IntN(5)])
		}
		return made.String() + "x"
	}
	for range n {
		about, step, own, other := word(), word(), word(), word()
		all = append(all, topic{
			query: about + " " + step, before: fmt.Sprintf("%s %s is done by %s", about, step, word()),
			now: fmt.Sprintf("%s is now done by %s with %s", about, own, other),
			act: fmt.Sprintf("started %s, and %s came up", own, other),
		})
	}
	return all
}

// right returns the mean reciprocal rank of what is right for topics.
func (f *face) right(all []topic) (mean float64) {
	for _, one := range all {
		found := f.found(wire.SearchParams{Query: one.query, Params: wire.Params{SessionID: "other"}})
		for i, text := range found {
			if text == one.now {
				mean += 1 / float64(i+1) / float64(len(all))
			}
		}
	}
	return mean
}

func TestE8_WhatWasUsedProposesCoefficientsThatHelpWhenAPersonAppliesThem(t *testing.T) {
	f := newFace(t)
	all := topics(45)
	trained, others := all[:30], all[30:]
	for _, one := range all {
		old := wire.Time(time.Now().AddDate(0, 0, -300).UTC().Format(time.RFC3339))
		result := get[wire.MemorizeResult](f, "wm/memorize", &wire.MemorizeParams{
			Params: wire.Params{SessionID: "other"}, Items: []wire.MemoryItem{
				{Text: one.before, Type: "fact", Timestamp: old, Importance: new(0.5)},
				{Text: one.now, Type: "fact", Importance: new(0.5)},
			},
		})
		for _, receipt := range result.Results {
			require.Equal(t, wire.MemorizeStatus("stored"), receipt.Status, receipt.Reason)
		}
	}
	before := f.right(others)
	status := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
	assert.Nil(t, status.Rating.Proposal, "nothing was used yet")
	for i, one := range trained {
		found := f.found(wire.SearchParams{Query: one.query})
		require.Contains(t, found, one.now)
		get[wire.MemorizeResult](f, "wm/memorize", &wire.MemorizeParams{Items: []wire.MemoryItem{
			{Text: one.act, Type: "tool_result", Source: "tool", Importance: new(0.6)},
		}})
		if i == 10 {
			f.traced(wire.TraceParams{})
			status = get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
			assert.Nil(t, status.Rating.Proposal, "too few searches")
		}
	}
	used := f.traced(wire.TraceParams{Kinds: []string{"search.used"}})
	require.Len(t, used, len(trained))
	for _, event := range used {
		var use reads.Use
		require.NoError(t, json.Unmarshal(event.After, &use))
		assert.Len(t, use.IDs, 1)
	}

	status = get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
	proposal := status.Rating.Proposal
	require.NotNil(t, proposal)
	assert.Equal(t, len(trained), proposal.Searches)
	assert.Greater(t, proposal.Gain, 0.1)
	assert.False(t, status.Rating.Tuned)
	assert.InDelta(t, 0.4, status.Rating.Coefficients.Similarity, 1e-9, "it is not applied by itself")
	assert.InDelta(t, before, f.right(others), 1e-9)

	tuned := get[wire.SearchTuneResult](f, "wm/search/tune",
		&wire.SearchTuneParams{Coefficients: &proposal.Coefficients})
	assert.Equal(t, proposal.Coefficients, tuned.After)
	after := f.right(others)
	assert.Greater(t, after-before, 0.1, "other searches gain: from %v to %v", before, after)
	t.Logf("mean reciprocal rank on other searches: %.3f before, %.3f after; said: %.3f and %.3f more", before, after,
		proposal.Now, proposal.Gain)
	events := f.traced(wire.TraceParams{Kinds: []string{"search.tuned"}})
	require.Len(t, events, 1)
	assert.Contains(t, string(events[0].Before), `"similarity":0.4`)
	assert.True(t, get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).Rating.Tuned)

	get[wire.SearchTuneResult](f, "wm/search/tune", &wire.SearchTuneParams{})
	assert.InDelta(t, before, f.right(others), 1e-9, "it is taken back")
	get[wire.SearchTuneResult](f, "wm/search/tune", &wire.SearchTuneParams{Coefficients: &proposal.Coefficients})
	f.configure(`{"recall": {"recency": 0.05}}`)
	status = get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
	assert.False(t, status.Rating.Tuned, "settings that were changed since are in force")
	assert.InDelta(t, 0.05, status.Rating.Coefficients.Recency, 1e-9)
}

func TestE8_CoefficientsThatMakeNoSenseAreRefused(t *testing.T) {
	f := newFace(t)
	for member, of := range map[string]wire.Coefficients{
		"coefficients.similarity": {Similarity: 1.5}, "coefficients.recency": {Recency: -1},
		"coefficients.decay": {Similarity: 1, Decay: 11}, "coefficients": {},
	} {
		_, err := f.call("wm/search/tune", &wire.SearchTuneParams{Coefficients: &of})
		assert.ErrorContains(t, err, member+":")
	}
}

func TestE13_WhatAUserSaysAndWhatOthersDoIsNoUse(t *testing.T) {
	f := newFace(t)
	one := topics(1)[0]
	get[wire.MemorizeResult](f, "wm/memorize", &wire.MemorizeParams{Items: []wire.MemoryItem{
		{Text: one.before, Type: "fact"}, {Text: one.now, Type: "fact"},
	}})
	f.found(wire.SearchParams{Query: one.query})
	for _, params := range []wire.MemorizeParams{
		{Items: []wire.MemoryItem{{Text: one.act, Type: "observation", Source: "user"}}},
		{
			Items:  []wire.MemoryItem{{Text: one.act + " there", Type: "observation"}},
			Params: wire.Params{SessionID: "b"},
		},
		{Items: []wire.MemoryItem{{Text: one.query + " is what was asked", Type: "observation"}}},
	} {
		get[wire.MemorizeResult](f, "wm/memorize", &params)
	}
	assert.Empty(t, f.traced(wire.TraceParams{Kinds: []string{"search.used"}}))
	receipt := get[wire.MemorizeResult](f, "wm/memorize", &wire.MemorizeParams{Items: []wire.MemoryItem{
		{Text: one.act + " here", Type: "observation", Source: "tool"},
	}})
	assert.Len(t, f.traced(wire.TraceParams{Kinds: []string{"search.used"}}), 1, "%v", receipt)
}

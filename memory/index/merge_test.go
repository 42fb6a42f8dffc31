package index

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFewSegmentsAreLeftAndADocumentIsSeldomWrittenAgain(t *testing.T) {
	for _, added := range []int{openDocs, 1000} {
		t.Run(fmt.Sprintf("%d at a time", added), func(t *testing.T) {
			const documents = 1_000_000
			var segments []segment
			most, written := 0, 0
			for n := 0; n < documents; n += added {
				segments = append(segments, segment{docs: added})
				for group := toMerge(segments); len(group) > 0; group = toMerge(segments) {
					merged := segment{docs: docsOf(group)}
					segments = append(segments[:len(segments)-len(group)], merged)
					written += merged.docs
				}
				most = max(most, len(segments))
			}
			assert.LessOrEqual(t, most, 13)
			assert.LessOrEqual(t, written, 10*documents)
		})
	}
}

func TestTheNewestSegmentsAreMerged(t *testing.T) {
	for name, test := range map[string]struct {
		docs   []int // of the segments
		merged int   // how many of the last ones are
	}{
		"fewer than a merge needs":       {[]int{500, 500, 500, 500, 500}, 0},
		"as many as a merge needs":       {[]int{500, 500, 500, 500, 500, 500}, 6},
		"those of a level and below":     {[]int{9000, 500, 500, 500, 500, 500, 99}, 6},
		"a large one is left alone":      {[]int{1001, 100, 100, 100, 100, 100}, 0},
		"one that is no more than twice": {[]int{1000, 100, 100, 100, 100, 100}, 6},
		"the smallest at once":           {[]int{5000, 500, 20, 3}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var segments []segment
			for _, docs := range test.docs {
				segments = append(segments, segment{docs: docs})
			}
			assert.ElementsMatch(t, segments[len(segments)-test.merged:], toMerge(segments))
		})
	}
}

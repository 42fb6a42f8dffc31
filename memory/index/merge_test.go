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
	for name, test := range map[string]struct{ docs, want []int }{
		"fewer than a merge needs":       {[]int{500, 500, 500, 500, 500}, nil},
		"as many as a merge needs":       {[]int{500, 500, 500, 500, 500, 500}, []int{500, 500, 500, 500, 500, 500}},
		"those of a level alone":         {[]int{9000, 500, 500, 500, 500, 500, 99}, []int{500, 500, 500, 500, 500, 99}},
		"a large one is left alone":      {[]int{5001, 500, 500, 500, 500, 500}, nil},
		"one that is no more than twice": {[]int{5000, 500, 500, 500, 500, 500}, []int{5000, 500, 500, 500, 500, 500}},
		"the smallest at once":           {[]int{5000, 500, 20, 3}, []int{20, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			var segments []segment
			for _, docs := range test.docs {
				segments = append(segments, segment{docs: docs})
			}
			var merged []int
			for _, s := range toMerge(segments) {
				merged = append(merged, s.docs)
			}
			assert.Equal(t, test.want, merged)
		})
	}
}

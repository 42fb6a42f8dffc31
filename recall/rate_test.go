package recall

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

var defaults = Coefficients{Similarity: 0.4, Recency: 0.25, Importance: 0.25, Duplication: 0.1, Decay: 0.1}

func TestE8_TheScoreIsMadeOfSimilarityRecencyImportanceAndDuplication(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		candidates []Candidate
		scores     []float64
		order      []int
	}{
		"nothing is known": {[]Candidate{{}}, []float64{0}, []int{0}},
		"all that there is": {
			[]Candidate{{Text: "a b", Similarity: 1, At: now, Importance: 1}}, []float64{0.9}, []int{0},
		},
		"what was written later is not more than new": {
			[]Candidate{{At: now.AddDate(1, 0, 0)}}, []float64{0.25}, []int{0},
		},
		"ten days": {[]Candidate{{At: now.AddDate(0, 0, -10)}}, []float64{0.25 / 2.718281828}, []int{0}},
		"the same again": {
			[]Candidate{{Text: "Round once.", Similarity: 0.5}, {Text: "round ONCE", Similarity: 1}},
			[]float64{0.2 - 0.1, 0.4}, []int{1, 0},
		},
		"a duplicate falls behind another one": {
			[]Candidate{{Text: "a b", Similarity: 1}, {Text: "b a", Similarity: 0.9}, {Text: "c", Similarity: 0.7}},
			[]float64{0.4, 0.26, 0.28}, []int{0, 2, 1},
		},
		"of equal ones the former":               {[]Candidate{{Text: "a"}, {Text: "b"}}, []float64{0, 0}, []int{0, 1}},
		"texts without words are not duplicates": {[]Candidate{{Text: "…"}, {Text: "…"}}, []float64{0, 0}, []int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			ratings, order := defaults.Rate(c.candidates, now)
			for i, rating := range ratings {
				assert.InDelta(t, c.scores[i], rating.Score(), 1e-6)
			}
			assert.Equal(t, c.order, order)
		})
	}
}

func TestTheHashOfATextIsThatOfItsWordsInTheirOrder(t *testing.T) {
	hash := HashOfWords("Count Äpfel: once, 7.")
	assert.Equal(t, hash, HashOfWords("(count) ÄPFEL once… 7"))
	for name, other := range map[string]string{
		"another order": "count once äpfel 7", "a word less": "count äpfel once",
		"two words of one": "count äpfel on ce 7",
		"one word of two":  "count äpfel once7", "without the accent": "count apfel once 7",
	} {
		assert.NotEqual(t, hash, HashOfWords(other), name)
	}
}

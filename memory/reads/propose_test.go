package reads

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/recall"
)

// searches returns searches of ten candidates, of which the one is used that is best by a value.
func searches(seed uint64, n int, value func(random *rand.Rand, c Candidate) float64) (all []judged) {
	random := rand.New(rand.NewPCG(seed, 1))
	for range n {
		of := judged{used: make([]bool, 10)}
		best := 0
		values := make([]float64, 10)
		for i := range 10 {
			c := Candidate{
				Similarity: random.Float64(), Days: random.Float64() * 60, Importance: random.Float64(),
				Duplication: random.Float64() / 3,
			}
			of.candidates = append(of.candidates, c)
			if values[i] = value(random, c); values[i] > values[best] {
				best = i
			}
		}
		of.used[best] = true
		all = append(all, of)
	}
	return all
}

func meanRank(all []judged, c recall.Coefficients) (mean float64) {
	for i := range all {
		mean += all[i].rank(c) / float64(len(all))
	}
	return mean
}

func TestE8_AProposalHelpsOnOtherSearchesThanThoseItIsMadeFrom(t *testing.T) {
	now := CoefficientsOf(settings.Default().Recall)
	for name, value := range map[string]func(*rand.Rand, Candidate) float64{
		"the newest is used":    func(_ *rand.Rand, c Candidate) float64 { return -c.Days },
		"the most important is": func(_ *rand.Rand, c Candidate) float64 { return c.Importance },
		"what fits best is":     func(_ *rand.Rand, c Candidate) float64 { return c.Similarity },
		"new and fitting, roughly": func(r *rand.Rand, c Candidate) float64 {
			return c.Similarity - c.Days/20 + r.Float64()/3
		},
	} {
		t.Run(name, func(t *testing.T) {
			proposal, better := propose(searches(1, 60, value), now)
			assert.True(t, better)
			assert.NotEqual(t, now, proposal.Coefficients)
			later := searches(2, 200, value)
			gain := meanRank(later, proposal.Coefficients) - meanRank(later, now)
			assert.Greater(t, gain, 0.1)
			assert.InDelta(t, gain, proposal.Gain, 0.15, "what is said of the gain holds")
			assert.Equal(t, 60, proposal.Searches)
		})
	}
}

func TestE8_NothingIsProposedForChanceOrForWhatIsInForce(t *testing.T) {
	now := CoefficientsOf(settings.Default().Recall)
	for seed := range uint64(20) {
		_, better := propose(searches(seed, 60, func(r *rand.Rand, _ Candidate) float64 { return r.Float64() }), now)
		assert.False(t, better, "chance %d", seed)
		_, better = propose(searches(seed, 60, func(_ *rand.Rand, c Candidate) float64 { return c.score(now) }), now)
		assert.False(t, better, "in force %d", seed)
	}
}

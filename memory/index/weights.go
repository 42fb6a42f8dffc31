package index

import (
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/recall"
)

// WeightsOf returns the weights of the ranking that the settings have.
func WeightsOf(set settings.Weights) recall.Weights {
	three := func(one, two, three float64) [3]float32 {
		return [3]float32{float32(one), float32(two), float32(three)}
	}
	return recall.Weights{
		K1:              float32(set.K1),
		B:               float32(set.B),
		Generic:         float32(set.Generic),
		Capital:         float32(set.Capital),
		Speaker:         float32(set.Speaker),
		Family:          float32(set.Family),
		Beside:          float32(set.Beside),
		Related:         float32(set.Related),
		RelatedInThread: float32(set.RelatedInThread),
		Meaning:         float32(set.Meaning),
		Sure:            float32(set.Sure),
		Before:          three(set.Before1, set.Before2, set.Before3),
		After:           three(set.After1, set.After2, set.After3),
		Question:        float32(set.Question),
		Thread:          float32(set.Thread),
		Said:            float32(set.Said),
		OnDay:           float32(set.OnDay),
		SoonAfter:       float32(set.SoonAfter),
		InMonth:         float32(set.InMonth),
		Length:          float32(set.Length),
		Asks:            float32(set.Asks),
		Capitals:        float32(set.Capitals),
		Opens:           float32(set.Opens),
		OfSelf:          float32(set.OfSelf),
		ToOther:         float32(set.ToOther),
		When:            float32(set.When),
		NamesAsked:      float32(set.NamesAsked),
		Number:          float32(set.Number),
		Best:            float32(set.Best),
		TwoBefore:       float32(set.TwoBefore),
		OneBefore:       float32(set.OneBefore),
		OneAfter:        float32(set.OneAfter),
		ByChance:        float32(set.ByChance),
		Turn:            float32(set.Turn),
	}
}

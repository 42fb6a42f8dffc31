package service

import (
	"context"
	"math"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// SearchTune implements wm/search/tune.
func (s *Service) SearchTune(
	ctx context.Context, at *View, params *wire.SearchTuneParams,
) (wire.SearchTuneResult, error) {
	result := wire.SearchTuneResult{}
	if err := at.NoWorkspace(); err != nil {
		return result, err
	}
	var to *recall.Coefficients
	if params.Coefficients != nil {
		of := recall.Coefficients(*params.Coefficients)
		if err := checkCoefficients(of); err != nil {
			return result, err
		}
		to = &of
	}
	set := reads.CoefficientsOf(at.Settings().Recall)
	_, err := at.ApplyIn(ctx, at.written(), func() ([]change.Change, error) {
		known := memory.RoomOf[*reads.Room](at.Workspace)
		result.Before = wire.Coefficients(known.Coefficients(set))
		return known.Tune(to, set), nil
	})
	result.After = wire.Coefficients(memory.RoomOf[*reads.Room](at.Workspace).Coefficients(set))
	return result, err
}

func checkCoefficients(of recall.Coefficients) error {
	for _, one := range []struct {
		name        string
		value, most float64
	}{
		{"similarity", of.Similarity, 1}, {"recency", of.Recency, 1}, {"importance", of.Importance, 1},
		{"duplication", of.Duplication, 1}, {"decay", of.Decay, 10},
	} {
		if math.IsNaN(one.value) || one.value < 0 || one.value > one.most {
			return fault.Invalid("coefficients."+one.name, "must be 0 to %v, got %v", one.most, one.value)
		}
	}
	if of.Similarity+of.Recency+of.Importance == 0 {
		return fault.Invalid("coefficients", "must not all be 0")
	}
	return nil
}

// rating returns how what is found is rated, nil if that cannot be read.
func (v *View) rating(ctx context.Context) *wire.StatusRating {
	set := reads.CoefficientsOf(v.Settings().Recall)
	now := memory.RoomOf[*reads.Room](v.Workspace).Coefficients(set)
	rating := &wire.StatusRating{Coefficients: wire.Coefficients(now), Tuned: now != set}
	proposal, better, err := memory.ServiceOf[*reads.Service](v.Workspace).Propose(ctx, now)
	if err == nil && better {
		rating.Proposal = &wire.RatingProposal{
			Coefficients: wire.Coefficients(proposal.Coefficients), Now: proposal.Now, Gain: proposal.Gain,
			Searches: proposal.Searches,
		}
	}
	return rating
}

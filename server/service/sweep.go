package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Sweep implements wm/sweep (systems.md A12).
func (s *Service) Sweep(ctx context.Context, at *View, _ *wire.SweepParams) (wire.SweepResult, error) {
	done, err := memory.ServiceOf[*sweeps.Service](at.Workspace).Sweep(ctx, at.Actor())
	if err != nil {
		return wire.SweepResult{}, err
	}
	return wire.SweepResult{
		At: wire.At(done.At), Scanned: done.Scanned, Deleted: done.Deleted, ReclaimedBytes: int(done.Reclaimed),
		Failed: done.Failed, Sessions: done.Sessions, Entries: done.Entries,
	}, nil
}

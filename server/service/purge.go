package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// WorkspacePurge implements wm/workspace/purge.
func (s *Service) WorkspacePurge(
	ctx context.Context, at *View, params *wire.WorkspacePurgeParams,
) (wire.WorkspacePurgeResult, error) {
	if err := at.NoWorkspace(); err != nil {
		return wire.WorkspacePurgeResult{}, err
	}
	if params.Confirm != at.Key() {
		return wire.WorkspacePurgeResult{}, fault.Invalid("confirm",
			"must be %s, the key of %s, to forget everything about it, got %q", at.Key(), at.Root(), params.Confirm)
	}
	removed, err := at.Purge(ctx, at.who)
	return wire.WorkspacePurgeResult{Removed: removed}, err
}

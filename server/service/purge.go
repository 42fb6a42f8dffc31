package service

import (
	"context"
	"fmt"
	"strings"

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
	removed, left, err := at.Purge(ctx, at.who)
	if err != nil {
		return wire.WorkspacePurgeResult{}, err
	}
	return wire.WorkspacePurgeResult{Removed: removed, FilesLeft: left, Message: tellLeft(left)}, nil
}

// tellLeft returns the message to a person about the files that are still to be erased, or ""
// if there are none.
func tellLeft(left []string) string {
	switch len(left) {
	case 0:
		return ""
	case 1:
		return "gone from the memory; 1 file left, tried again: " + left[0]
	}
	return fmt.Sprintf("gone from the memory; %d files left, tried again: %s", len(left), strings.Join(left, ", "))
}

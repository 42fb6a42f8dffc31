package service

import (
	"context"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// CoreRead does wm/core/read.
func (s *Service) CoreRead(_ context.Context, at *View, _ *wire.CoreReadParams) (wire.CoreReadResult, error) {
	if err := at.NotDeleted(at.who.Session); err != nil {
		return wire.CoreReadResult{}, err
	}
	return wire.CoreReadResult{Blocks: wire.CoreBlocks{
		Goal: at.coreBlock("goal"), Progress: at.coreBlock("progress"), Context: at.coreBlock("context"),
	}}, nil
}

// CoreUpdate does wm/core/update.
func (s *Service) CoreUpdate(ctx context.Context, at *View, params *wire.CoreUpdateParams) (wire.CoreUpdateResult, error) {
	if names := core.Names(); !slices.Contains(names, params.Block) {
		return wire.CoreUpdateResult{}, fault.Invalid("block", "must be one of %s, got %q", strings.Join(names, ", "), params.Block)
	}
	if params.Operation != wire.CoreReplace && params.Operation != wire.CoreAppend {
		return wire.CoreUpdateResult{}, fault.Invalid("operation", "must be replace or append, got %q", params.Operation)
	}
	if err := at.recording(); err != nil {
		return wire.CoreUpdateResult{}, err
	}
	var before string
	_, err := at.ApplyIn(ctx, at.writing(), func() ([]change.Change, error) {
		before = memory.RoomOf[*core.Room](at.Workspace).Get(at.who.Session, params.Block).Content
		return memory.RoomOf[*core.Room](at.Workspace).Update(at.who.Session, params.Block, core.Operation(params.Operation), params.Content)
	})
	if err != nil {
		return wire.CoreUpdateResult{}, err
	}
	return wire.CoreUpdateResult{Block: at.coreBlock(params.Block), Undo: &wire.Undo{Method: "wm/core/update", Params: wire.Object{
		"sessionId": at.who.Session, "block": params.Block, "operation": wire.CoreReplace, "content": before,
	}}}, nil
}

func (v *View) coreBlock(name string) wire.CoreBlock {
	block := memory.RoomOf[*core.Room](v.Workspace).Get(v.who.Session, name)
	return wire.CoreBlock{Content: block.Content, Chars: block.Chars(), MaxChars: memory.RoomOf[*core.Room](v.Workspace).MaxChars(name), UpdatedAt: wire.At(block.UpdatedAt)}
}

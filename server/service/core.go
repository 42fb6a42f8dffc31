package service

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// CoreRead implements wm/core/read.
func (s *Service) CoreRead(_ context.Context, at *View, _ *wire.CoreReadParams) (wire.CoreReadResult, error) {
	if err := at.Sessions().NotDeleted(at.who.Session); err != nil {
		return wire.CoreReadResult{}, err
	}
	return wire.CoreReadResult{Blocks: wire.CoreBlocks{
		Goal: at.coreBlock("goal"), Progress: at.coreBlock("progress"), Context: at.coreBlock("context"),
	}}, nil
}

// CoreUpdate implements wm/core/update.
func (s *Service) CoreUpdate(
	ctx context.Context, at *View, params *wire.CoreUpdateParams,
) (wire.CoreUpdateResult, error) {
	name, operation := string(params.Block), cmp.Or(params.Operation, wire.CoreReplace)
	if names := core.Names(); !slices.Contains(names, name) {
		return wire.CoreUpdateResult{}, fault.Invalid("block", "must be one of %s, got %q", strings.Join(names, ", "),
			name)
	}
	if operation != wire.CoreReplace && operation != wire.CoreAppend {
		return wire.CoreUpdateResult{}, fault.Invalid("operation", "must be replace or append, got %q", operation)
	}
	if err := at.recording(); err != nil {
		return wire.CoreUpdateResult{}, err
	}
	var before string
	_, err := at.ApplyIn(ctx, at.written(), func() ([]change.Change, error) {
		before = at.core().Get(at.who.Session, name).Content
		return at.core().Update(at.who.Session, name, core.Operation(operation), params.Content,
			string(params.IfRevision))
	})
	if err != nil {
		return wire.CoreUpdateResult{}, err
	}
	result := wire.CoreUpdateResult{
		Block: at.coreBlock(name),
		Undo: &wire.Undo{Method: "wm/core/update", Params: wire.Object{
			"sessionId": at.who.Session, "block": name, "operation": wire.CoreReplace, "content": before,
			"ifRevision": at.core().Get(at.who.Session, name).Revision(),
		}},
	}
	tail, original := "", params.Content
	if operation == wire.CoreAppend && before != "" {
		tail, original = redact.Tail(before), before+"\n"+original
	}
	result.Redactions, result.Redacted = takenOutBehind(tail, params.Content)
	s.askForOriginalBlock(at, name, result.Redacted, original)
	return result, nil
}

func (v *View) coreBlock(name string) wire.CoreBlock {
	block := v.core().Get(v.who.Session, name)
	return wire.CoreBlock{
		Content: block.Content, Chars: block.Chars(), MaxChars: v.core().MaxChars(name),
		UpdatedAt: wire.At(block.UpdatedAt),
	}
}

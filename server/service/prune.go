package service

import (
	"context"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Prune does wm/prune.
func (s *Service) Prune(_ context.Context, at *View, params *wire.PruneParams) (wire.Pruned, error) {
	switch params.Mode {
	case "":
		params.Mode = at.pruneMode()
	case wire.PruneNormal, wire.PruneAggressive, wire.PruneHyper:
	default:
		return wire.Pruned{}, fault.Invalid("mode", "must be normal, aggressive or hyper, got %q", params.Mode)
	}
	return at.pruned(outputs.Output{
		Tool: params.Tool, Command: params.Command, Text: params.Output, Mode: string(params.Mode), Synthetic: params.Synthetic,
	}), nil
}

// pruned prunes an output and keeps its full text.
func (v *View) pruned(output outputs.Output) wire.Pruned {
	result, ref := memory.ServiceOf[*outputs.Service](v.Workspace).Prune(output)
	kinds := make([]string, 0, len(result.Kinds))
	for _, kind := range result.Kinds {
		kinds = append(kinds, string(kind))
	}
	return wire.Pruned{
		Output: result.Noted(ref), Pruned: result.Pruned, Kinds: kinds, Mode: wire.PruneMode(output.Mode), Ref: ref,
		LinesIn: result.LinesIn, LinesOut: result.LinesOut, CharsIn: result.CharsIn, CharsOut: result.CharsOut,
	}
}

// OutputRead does wm/output/read.
func (s *Service) OutputRead(_ context.Context, at *View, params *wire.OutputReadParams) (wire.OutputReadResult, error) {
	for name, value := range map[string]int{"offset": params.Offset, "limit": params.Limit} {
		if value < 0 {
			return wire.OutputReadResult{}, fault.Invalid(name, "must be 0 or more, got %d", value)
		}
	}
	text, err := memory.ServiceOf[*outputs.Service](at.Workspace).Read(params.Ref)
	if err != nil {
		return wire.OutputReadResult{}, err
	}
	result := wire.OutputReadResult{Output: skip(text, params.Offset), TotalChars: utf8.RuneCountInString(text)}
	if params.Limit > 0 {
		result.Output = result.Output[:len(result.Output)-len(skip(result.Output, params.Limit))]
	}
	return result, nil
}

// skip returns a text without its first n code points.
func skip(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[i:]
		}
		n--
	}
	return ""
}

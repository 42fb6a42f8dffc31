package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Prune implements wm/prune.
func (s *Service) Prune(_ context.Context, at *View, params *wire.PruneParams) (wire.Pruned, error) {
	switch params.Mode {
	case "":
		params.Mode = at.pruneMode()
	case wire.PruneNormal, wire.PruneAggressive, wire.PruneHyper:
	case "hyper-aggressive": // as an earlier tool called it
		params.Mode = wire.PruneHyper
	default:
		return wire.Pruned{}, fault.Invalid("mode", "must be normal, aggressive or hyper, got %q", params.Mode)
	}
	return at.pruned(outputs.Output{
		Tool: params.Tool, Command: params.Command, Text: params.Output, Mode: string(params.Mode),
		Synthetic: params.Synthetic,
	}), nil
}

// pruned prunes an output and stores its full text.
func (v *View) pruned(output outputs.Output) wire.Pruned {
	result, ref := v.outputs().Prune(output)
	kinds := make([]string, 0, len(result.Kinds))
	for _, kind := range result.Kinds {
		kinds = append(kinds, string(kind))
	}
	return wire.Pruned{
		Output: result.Noted(ref), Pruned: result.Pruned, Kinds: kinds, Mode: wire.PruneMode(output.Mode), Ref: ref,
		LinesIn: result.LinesIn, LinesOut: result.LinesOut, CharsIn: result.CharsIn, CharsOut: result.CharsOut,
	}
}

// pruneMode returns the default mode at the pressure of the session (systems.md A8), which is unknown between a
// compaction and the next report.
func (v *View) pruneMode() wire.PruneMode {
	used := v.used()
	switch level := used.Level(v.Settings().Pressure); {
	case !used.IsKnown():
		return wire.PruneNormal
	case level == pressure.Critical:
		return wire.PruneHyper
	case level == pressure.High:
		return wire.PruneAggressive
	}
	return wire.PruneNormal
}

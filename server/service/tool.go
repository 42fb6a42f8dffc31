package service

import (
	"context"
	"encoding/json"
	"math"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/tool"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// ToolExecuted implements wm/tool/executed.
func (s *Service) ToolExecuted(
	ctx context.Context, at *View, params *wire.ToolExecutedParams,
) (wire.ToolExecutedResult, error) {
	result := wire.ToolExecutedResult{ActiveFiles: []wire.ActiveFile{}, Opened: []wire.OpenError{}, Closed: []string{}}
	if params.Tool == "" {
		return result, fault.Invalid("tool", "is missing; must be the name of the tool")
	}
	switch params.Outcome {
	case "", wire.OutcomeSuccess, wire.OutcomeFailure:
	default:
		return result, fault.Invalid("outcome", "must be success, failure or absent, got %q", params.Outcome)
	}
	code := exitCode(params)
	ran := event.ToolRan{
		Tool: params.Tool, Input: params.Input, Output: params.Output, Error: params.Error, ExitCode: code,
		Failed: params.Outcome == wire.OutcomeFailure, Cwd: params.Cwd, Synthetic: params.Synthetic,
	}
	ev := at.event(ran)
	if params.Terminal {
		ev.Body = event.TerminalRan{ToolRan: ran}
	}
	ev.ID = params.CallID
	changes, err := at.Observe(ctx, ev)
	if err != nil {
		return result, err
	}
	result.ActiveFiles = at.touchedFiles(changes)
	result.Opened, result.Closed = at.openedAndClosed(changes)
	result.ItemID = items.TrackedIn(changes)
	if params.Prune {
		output := at.pruned(outputs.Output{
			Tool: params.Tool, Command: tool.CommandLine(params.Input), Text: params.Output,
			Mode: string(at.pruneMode()), Synthetic: params.Synthetic,
		})
		result.Output = &output
	}
	return result, nil
}

// exitCode returns the exit code, also if it is in the metadata. It returns nil if it is
// not known.
func exitCode(params *wire.ToolExecutedParams) *int {
	if params.ExitCode != nil {
		return params.ExitCode
	}
	var metadata map[string]any
	if json.Unmarshal(params.Metadata, &metadata) != nil {
		return nil
	}
	for _, name := range []string{"exitCode", "exit_code", "exit", "code", "status"} {
		if number, ok := metadata[name].(float64); ok && number == math.Trunc(number) &&
			math.Abs(number) <= math.MaxInt32 {
			code := int(number)
			return &code
		}
	}
	return nil
}

package service

import (
	"context"
	"encoding/json"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// StateRead does wm/state/read.
func (s *Service) StateRead(_ context.Context, at *View, _ *wire.StateReadParams) (wire.StateReadResult, error) {
	if err := at.NotDeleted(at.who.Session); err != nil {
		return wire.StateReadResult{}, err
	}
	note, err := memory.ServiceOf[*notes.Service](at.Workspace).Overview(at.who.Session)
	if err != nil {
		return wire.StateReadResult{}, err
	}
	state := overview.Read(note.Content)
	yaml, err := state.YAML()
	if err != nil {
		return wire.StateReadResult{}, err
	}
	object, err := json.Marshal(state)
	return wire.StateReadResult{YAML: string(yaml), State: object, Revision: wire.Revision(note.Revision)}, err
}

// StateWrite does wm/state/write.
func (s *Service) StateWrite(
	ctx context.Context, at *View, params *wire.StateWriteParams,
) (wire.StateWriteResult, error) {
	if err := at.recording(); err != nil {
		return wire.StateWriteResult{}, err
	}
	state, err := stateOf(params)
	if err != nil {
		return wire.StateWriteResult{}, err
	}
	note, err := memory.ServiceOf[*notes.Service](
		at.Workspace,
	).UpdateOverview(ctx, at.writing(), string(params.IfRevision), func(text string) (string, error) { return overview.Write(text, state) })
	return wire.StateWriteResult{Revision: wire.Revision(note.Revision)}, err
}

func stateOf(params *wire.StateWriteParams) (state overview.State, err error) {
	switch {
	case params.YAML != "" && len(params.State) > 0:
		return state, fault.Invalid("state", "and yaml are both given; give one of them")
	case params.YAML != "":
		if state, err = overview.ParseYAML([]byte(params.YAML)); err != nil {
			return state, fault.Invalid("yaml", "%v", err)
		}
	case len(params.State) > 0:
		if err := json.Unmarshal(params.State, &state); err != nil {
			return state, fault.Invalid("state", "%v", err)
		}
	default:
		return state, fault.Invalid("yaml", "is missing; give yaml, or state")
	}
	return redacted(state)
}

// redacted is a state without its secrets. They are taken out of its values, not
// out of the text that these become: a marker there would be a list of YAML.
func redacted(state overview.State) (overview.State, error) {
	doc, err := json.Marshal(state)
	if err != nil {
		return state, err
	}
	doc, found := redact.JSON(doc)
	if found == 0 {
		return state, nil
	}
	var without overview.State
	return without, json.Unmarshal(doc, &without)
}

// StateEvent writes what happened to the task into the overview (systems.md C8).
func (s *Service) StateEvent(ctx context.Context, at *View, params *wire.StateEventParams) (wire.Empty, error) {
	if at.Paused() {
		return wire.Empty{}, nil
	}
	when := at.who.At
	if when.IsZero() {
		when = time.Now()
	}
	_, err := memory.ServiceOf[*notes.Service](
		at.Workspace).UpdateOverview(ctx, at.event(nil), "", func(text string) (string, error) {
		return overview.Apply(text, params.Type, params.Data, when)
	})
	return wire.Empty{}, err
}

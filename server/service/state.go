package service

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// StateRead implements wm/state/read.
func (s *Service) StateRead(_ context.Context, at *View, _ *wire.StateReadParams) (wire.StateReadResult, error) {
	if err := at.Sessions().NotDeleted(at.who.Session); err != nil {
		return wire.StateReadResult{}, err
	}
	note, err := at.notes().Overview(at.who.Session)
	if err != nil {
		return wire.StateReadResult{}, err
	}
	state := at.withMeta(overview.Read(note.Content))
	yaml, err := state.YAML()
	if err != nil {
		return wire.StateReadResult{}, err
	}
	object, err := json.Marshal(state)
	return wire.StateReadResult{YAML: string(yaml), State: object, Revision: wire.Revision(note.Revision)}, err
}

// StateWrite implements wm/state/write.
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
	state = at.withoutMeta(state)
	note, err := at.notes().UpdateOverview(ctx, at.written(), string(params.IfRevision),
		func(text string) (string, error) { return overview.Write(text, state) })
	return wire.StateWriteResult{Revision: wire.Revision(note.Revision)}, err
}

// stateVersion is the version of the form of the state.
const stateVersion = "1.0"

// withMeta returns the state of an overview with what the server knows about it (systems.md
// C6). Members that the overview has itself stay as they are.
func (v *View) withMeta(state overview.State) overview.State {
	value, there := state.Get("meta")
	own, is := value.(overview.Map)
	if there && !is || len(state.Map) == 0 {
		return state
	}
	meta := overview.Map{{Key: "version", Value: stateVersion}}
	if seen, known := memory.RoomOf[*notes.Room](v.Workspace).Overview(v.who.Session); known {
		meta = meta.With("last_updated", string(wire.At(seen.At)))
	}
	meta = meta.With("session_id", v.who.Session)
	for _, member := range own {
		meta = meta.With(member.Key, member.Value)
	}
	rest := slices.DeleteFunc(slices.Clone(state.Map), func(m overview.Member) bool { return m.Key == "meta" })
	return overview.State{Map: append(overview.Map{{Key: "meta", Value: meta}}, rest...)}
}

// withoutMeta returns a state without the members that withMeta adds.
func (v *View) withoutMeta(state overview.State) overview.State {
	value, _ := state.Get("meta")
	meta, is := value.(overview.Map)
	if !is {
		return state
	}
	meta = slices.DeleteFunc(slices.Clone(meta), func(m overview.Member) bool {
		return m.Key == "version" && m.Value == stateVersion || m.Key == "last_updated" ||
			m.Key == "session_id" && m.Value == v.who.Session
	})
	if len(meta) > 0 {
		return overview.State{Map: state.With("meta", meta)}
	}
	return overview.State{Map: slices.DeleteFunc(slices.Clone(state.Map), func(m overview.Member) bool {
		return m.Key == "meta"
	})}
}

// stateOf returns the redacted state in params.
func stateOf(params *wire.StateWriteParams) (state overview.State, err error) {
	switch {
	case params.YAML != "" && len(params.State) > 0:
		return state, fault.Invalid("state", "must not be sent together with yaml")
	case params.YAML != "":
		if state, err = overview.ParseYAML([]byte(params.YAML)); err != nil {
			return state, fault.Invalid("yaml", "%v", err)
		}
	case len(params.State) > 0:
		if err := json.Unmarshal(params.State, &state); err != nil {
			return state, fault.Invalid("state", "%v", err)
		}
	default:
		return state, fault.Invalid("yaml", "is missing; send yaml or state")
	}
	return redacted(state)
}

// redacted returns a value without secrets. They are removed from the values and not
// from the YAML text, in which a marker would be read as a list, and before anything is
// cut or joined.
func redacted[T any](value T) (T, error) {
	doc, err := json.Marshal(value)
	if err != nil {
		return value, err
	}
	doc, found := redact.JSON(doc)
	if found == 0 {
		return value, nil
	}
	var without T
	err = json.Unmarshal(doc, &without)
	return without, err
}

// StateEvent implements wm/state/event. It writes the event into the overview (systems.md
// C8).
func (s *Service) StateEvent(ctx context.Context, at *View, params *wire.StateEventParams) (wire.Empty, error) {
	if at.Paused() {
		return wire.Empty{}, nil
	}
	when := at.who.At
	if when.IsZero() {
		when = time.Now()
	}
	data, err := redacted(params.Data)
	if err != nil {
		return wire.Empty{}, err
	}
	_, err = at.notes().UpdateOverview(ctx, at.event(nil), "", func(text string) (string, error) {
		return overview.Apply(text, params.Type, data, when)
	})
	if err == nil && params.Type == taskCompleted {
		err = at.endEpisodes(ctx, "the task is completed")
	}
	return wire.Empty{}, err
}

const taskCompleted = "task_completed"

// endEpisodes ends the episodes of the session.
func (v *View) endEpisodes(ctx context.Context, why string) error {
	_, err := v.ApplyIn(ctx, v.event(nil), func() ([]change.Change, error) {
		return v.items().EndEpisodes(v.who.Session, why), nil
	})
	return err
}

package service

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// NotesList does wm/notes/list.
func (s *Service) NotesList(_ context.Context, at *View, _ *wire.NotesListParams) (wire.NotesListResult, error) {
	if err := at.NotDeleted(at.who.Session); err != nil {
		return wire.NotesListResult{}, err
	}
	folder, err := memory.ServiceOf[*notes.Service](at.Workspace).Folder(at.who.Session)
	if err != nil {
		return wire.NotesListResult{}, err
	}
	files, err := folder.List()
	if err != nil {
		return wire.NotesListResult{}, notes.StoreError(err)
	}
	result := wire.NotesListResult{Root: folder.Path(), Files: []wire.NoteFile{}}
	for _, file := range files {
		result.Files = append(result.Files, wire.NoteFile{Path: file.Path, Bytes: file.Bytes, UpdatedAt: wire.At(file.UpdatedAt), Title: file.Title})
	}
	return result, nil
}

// NotesRead does wm/notes/read.
func (s *Service) NotesRead(_ context.Context, at *View, params *wire.NotesReadParams) (wire.NotesReadResult, error) {
	if err := at.NotDeleted(at.who.Session); err != nil {
		return wire.NotesReadResult{}, err
	}
	folder, err := memory.ServiceOf[*notes.Service](at.Workspace).Folder(at.who.Session)
	if err != nil {
		return wire.NotesReadResult{}, err
	}
	var note notes.Note
	if params.Revision == "" {
		note, err = folder.Read(params.Path)
	} else {
		note, err = folder.ReadRevision(params.Path, string(params.Revision))
	}
	if err != nil {
		return wire.NotesReadResult{}, notes.StoreError(err)
	}
	return wire.NotesReadResult{Path: note.Path, Content: note.Content, Revision: wire.Revision(note.Revision)}, nil
}

// NotesWrite does wm/notes/write.
func (s *Service) NotesWrite(ctx context.Context, at *View, params *wire.NotesWriteParams) (wire.NotesWriteResult, error) {
	if err := at.recording(); err != nil {
		return wire.NotesWriteResult{}, err
	}
	if strings.ContainsRune(params.Content, 0) {
		return wire.NotesWriteResult{}, fault.Invalid("content", "must be text, got binary data")
	}
	note, err := memory.ServiceOf[*notes.Service](at.Workspace).Write(ctx, at.writing(), params.Path, params.Content, string(params.IfRevision))
	return wire.NotesWriteResult{Path: note.Path, Revision: wire.Revision(note.Revision)}, err
}

// NotesArchive does wm/notes/archive.
func (s *Service) NotesArchive(ctx context.Context, at *View, params *wire.NotesArchiveParams) (wire.NotesArchiveResult, error) {
	to, err := memory.ServiceOf[*notes.Service](at.Workspace).Archive(ctx, at.writing(), params.Path)
	if err != nil {
		return wire.NotesArchiveResult{}, err
	}
	return wire.NotesArchiveResult{Path: to, Undo: at.undoOfMove("wm/notes/restore", wire.Object{"path": to, "to": params.Path})}, nil
}

// NotesRestore does wm/notes/restore.
func (s *Service) NotesRestore(ctx context.Context, at *View, params *wire.NotesRestoreParams) (wire.NotesRestoreResult, error) {
	to, err := memory.ServiceOf[*notes.Service](at.Workspace).Restore(ctx, at.writing(), params.Path, params.To)
	if err != nil {
		return wire.NotesRestoreResult{}, err
	}
	return wire.NotesRestoreResult{Path: to, Undo: at.undoOfMove("wm/notes/archive", wire.Object{"path": to})}, nil
}

// undoOfMove is the call that moves a note of the session back.
func (v *View) undoOfMove(method string, params wire.Object) *wire.Undo {
	params["sessionId"] = v.who.Session
	return &wire.Undo{Method: method, Params: params}
}

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
func (s *Service) StateWrite(ctx context.Context, at *View, params *wire.StateWriteParams) (wire.StateWriteResult, error) {
	if err := at.recording(); err != nil {
		return wire.StateWriteResult{}, err
	}
	state, err := stateOf(params)
	if err != nil {
		return wire.StateWriteResult{}, err
	}
	note, err := memory.ServiceOf[*notes.Service](at.Workspace).UpdateOverview(ctx, at.writing(), string(params.IfRevision), func(text string) (string, error) { return overview.Write(text, state) })
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
	_, err := memory.ServiceOf[*notes.Service](at.Workspace).UpdateOverview(ctx, at.event(nil), "", func(text string) (string, error) {
		return overview.Apply(text, params.Type, params.Data, when)
	})
	return wire.Empty{}, err
}

// makeOverview makes the overview from the template where there is none, and
// returns it. Making it is a mutation of its own in the order of the workspace.
func (s *Service) makeOverview(ctx context.Context, at *View) (notes.Note, error) {
	note, err := memory.ServiceOf[*notes.Service](at.Workspace).Overview(at.who.Session)
	if err != nil || note.Revision != "" || !at.Settings().Notes.Create || at.Paused() || !at.Healthy() {
		return note, err
	}
	made := s.Order(ctx, wire.Mutates, at, func(ctx context.Context) (any, error) {
		return nil, memory.ServiceOf[*notes.Service](at.Workspace).MakeOverview(ctx, at.event(nil))
	})
	if _, err := made(); err != nil {
		return note, err
	}
	return memory.ServiceOf[*notes.Service](at.Workspace).Overview(at.who.Session)
}

// recording is an error while nothing is recorded.
func (v *View) recording() error {
	if !v.Paused() {
		return nil
	}
	until := v.Sessions().PausedUntil().Local().Format("15:04")
	return fault.Refuse(fault.Paused, fault.Data{},
		"nothing was written: recording is paused until %s; resume it with wm/pause", until)
}

package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (s *Server) notesList(_ context.Context, at *view, _ *wire.NotesListParams) (wire.NotesListResult, error) {
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

func (s *Server) notesRead(_ context.Context, at *view, params *wire.NotesReadParams) (wire.NotesReadResult, error) {
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

func (s *Server) notesWrite(ctx context.Context, at *view, params *wire.NotesWriteParams) (wire.NotesWriteResult, error) {
	if err := at.recording(); err != nil {
		return wire.NotesWriteResult{}, err
	}
	if strings.ContainsRune(params.Content, 0) {
		return wire.NotesWriteResult{}, badParam("content", "is binary; notes are texts")
	}
	note, err := memory.ServiceOf[*notes.Service](at.Workspace).Write(ctx, at.writing(), params.Path, params.Content, string(params.IfRevision))
	return wire.NotesWriteResult{Path: note.Path, Revision: wire.Revision(note.Revision)}, err
}

func (s *Server) notesArchive(ctx context.Context, at *view, params *wire.NotesArchiveParams) (wire.NotesArchiveResult, error) {
	to, err := memory.ServiceOf[*notes.Service](at.Workspace).Archive(ctx, at.writing(), params.Path)
	if err != nil {
		return wire.NotesArchiveResult{}, err
	}
	return wire.NotesArchiveResult{Path: to, Undo: at.undoOfMove("wm/notes/restore", wire.Object{"path": to, "to": params.Path})}, nil
}

func (s *Server) notesRestore(ctx context.Context, at *view, params *wire.NotesRestoreParams) (wire.NotesRestoreResult, error) {
	to, err := memory.ServiceOf[*notes.Service](at.Workspace).Restore(ctx, at.writing(), params.Path, params.To)
	if err != nil {
		return wire.NotesRestoreResult{}, err
	}
	return wire.NotesRestoreResult{Path: to, Undo: at.undoOfMove("wm/notes/archive", wire.Object{"path": to})}, nil
}

// undoOfMove is the call that moves a note of the session back.
func (v *view) undoOfMove(method string, params wire.Object) *wire.Undo {
	params["sessionId"] = v.who.Session
	return &wire.Undo{Method: method, Params: params}
}

// commandArchiveNote moves a note to the archive.
func (s *Server) commandArchiveNote(ctx context.Context, at *view, args json.RawMessage) (any, error) {
	params, err := decodeArgs[wire.NotesArchiveParams](args)
	if err != nil {
		return nil, err
	}
	if params.Path == "" {
		return nil, badParam("path", "is missing; name the note to archive")
	}
	result, err := s.notesArchive(ctx, at, &params)
	if err == nil {
		s.say(ctx, "Archived as %s.", result.Path)
	}
	return result, err
}

func (s *Server) stateRead(_ context.Context, at *view, _ *wire.StateReadParams) (wire.StateReadResult, error) {
	note, err := at.overview()
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

func (s *Server) stateWrite(ctx context.Context, at *view, params *wire.StateWriteParams) (wire.StateWriteResult, error) {
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
		return state, badParam("state", "and yaml are both given; give one of them")
	case params.YAML != "":
		if state, err = overview.ParseYAML([]byte(params.YAML)); err != nil {
			return state, badParam("yaml", "%v", err)
		}
	case len(params.State) > 0:
		if err := json.Unmarshal(params.State, &state); err != nil {
			return state, badParam("state", "%v", err)
		}
	default:
		return state, badParam("yaml", "is missing; give yaml, or state")
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

// stateEvent writes what happened to the task into the overview (systems.md C8).
func (s *Server) stateEvent(ctx context.Context, at *view, params *wire.StateEventParams) (wire.Empty, error) {
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

// overview is the overview of the session as it is on the disk; an empty note if
// there is none.
func (v *view) overview() (notes.Note, error) {
	folder, err := memory.ServiceOf[*notes.Service](v.Workspace).Folder(v.who.Session)
	if err != nil {
		return notes.Note{}, nil // without a store there are no notes
	}
	note, err := folder.Read(notes.Overview)
	var absent *notes.NotFoundError
	switch {
	case errors.As(err, &absent):
		return notes.Note{}, nil
	case err != nil:
		return notes.Note{}, notes.StoreError(err)
	}
	return note, nil
}

// makeOverview makes the overview from the template where there is none, and
// returns it.
func (v *view) makeOverview(ctx context.Context) (notes.Note, error) {
	note, err := v.overview()
	if err != nil || note.Revision != "" || !v.Settings().Notes.Create || v.Paused() || !v.Healthy() {
		return note, err
	}
	made := make(chan struct{})
	if !v.Do(func() {
		defer close(made)
		err = memory.ServiceOf[*notes.Service](v.Workspace).MakeOverview(ctx, v.event(nil))
	}) {
		return note, errClosing
	}
	<-made
	if err != nil {
		return note, err
	}
	return v.overview()
}

// recording is an error while nothing is recorded.
func (v *view) recording() error {
	if !v.Paused() {
		return nil
	}
	until := v.Sessions().PausedUntil().Local().Format("15:04")
	return withData(wire.CodeRequestFailed, errors.New("nothing was written: recording is paused until "+until+"; resume it with wm/pause"), wire.Refusal{Reason: wire.RefusalPaused})
}

// An outline is what an overview says, read once for every revision of it.
type outline struct {
	own        string // its revision without the blocks of the server
	maintained bool
	compacted  bool // it tells of history that was compacted
	chars      int
	sections   []overview.Section
	resolved   []string
}

func outlineOf(text string) outline {
	return outline{
		own: notes.OwnRevision(text), maintained: overview.Maintained(text), compacted: overview.Block(text, overview.History) != "", chars: utf8.RuneCountInString(text),
		sections: overview.Sections(text), resolved: overview.Resolved(text),
	}
}

// A portion is what of an overview is rendered within a length.
type portion struct {
	text    string
	omitted []string // headings
}

type portionKey struct {
	revision string
	maxChars int
}

// elementOfOverview are the tags around the overview.
const elementOfOverview = "<overview>\n\n</overview>"

// renderOverview shows whole sections of the overview (systems.md D2).
func (c *composer) renderOverview(maxChars int) render.Part {
	if c.problem != nil {
		return render.Part{Omitted: []render.Omission{{ID: notes.Overview, Reason: c.problem.Error()}}}
	}
	if c.overview.Revision == "" {
		return render.Part{}
	}
	shown := c.server.portions.of(portionKey{c.overview.Revision, maxChars}, func() (p portion) {
		text, room := render.Inert(gate.Text(c.overview.Content)), maxChars-len(elementOfOverview)
		if p.text, p.omitted = overview.Render(text, room); len(p.omitted) == 0 {
			return p
		}
		rest := fmt.Sprintf("\n\n(%s left out here; read overview.md)", counted(len(p.omitted), "section is", "sections are"))
		if p.text, p.omitted = overview.Render(text, room-len(rest)); p.text != "" {
			p.text += rest
		}
		return p
	})
	part := render.Part{}
	for _, heading := range shown.omitted {
		part.Omitted = append(part.Omitted, render.Omission{ID: cmp.Or(heading, notes.Overview), Reason: "budget"})
	}
	c.says(overviewSection, shown.text)
	if shown.text != "" {
		part.Text = "<overview>\n" + shown.text + "\n</overview>"
		part.Items = []render.Item{{ID: notes.Overview, Text: part.Text}}
	}
	return part
}

// history says how much of the conversation the host has to keep (systems.md D4).
func (c *composer) history(context render.Context) wire.History {
	all := func(reason string) wire.History { return wire.History{Keep: wire.KeepAll, Reason: reason} }
	at := slices.IndexFunc(context.Sections, func(r render.Rendered) bool { return r.ID == overviewSection })
	switch {
	case at < 0:
		return all("the overview is not asked for")
	case c.problem != nil:
		return all("the overview cannot be read: " + c.problem.Error())
	case c.overview.Revision == "":
		return all("no overview of the session is kept that could stand for its history")
	case !c.outline.maintained && c.outline.compacted:
		return all("the overview tells what was compacted, and of nothing since: what is left of the history is needed")
	case !c.outline.maintained:
		return all("the overview is still the template; nothing stands for the history yet")
	case context.Sections[at].Text == "" || len(context.Sections[at].Omitted) > 0:
		return all("not all of the overview is in this context")
	}
	return wire.History{Keep: wire.KeepActiveTurn, Reason: "the overview is maintained and stands for what was before the active turn"}
}

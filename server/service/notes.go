package service

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// NotesList implements wm/notes/list.
func (s *Service) NotesList(_ context.Context, at *View, _ *wire.NotesListParams) (wire.NotesListResult, error) {
	if err := at.Sessions().NotDeleted(at.who.Session); err != nil {
		return wire.NotesListResult{}, err
	}
	folder, err := at.notes().Folder(at.who.Session)
	if err != nil {
		return wire.NotesListResult{}, err
	}
	files, err := folder.List()
	if err != nil {
		return wire.NotesListResult{}, notes.StoreError(err)
	}
	return wire.NotesListResult{Root: folder.Path(), Files: noteFiles(files)}, nil
}

func noteFiles(files []notes.File) []wire.NoteFile {
	list := []wire.NoteFile{}
	for _, file := range files {
		list = append(list,
			wire.NoteFile{Path: file.Path, Bytes: file.Bytes, UpdatedAt: wire.At(file.UpdatedAt), Title: file.Title})
	}
	return list
}

// NotesRead implements wm/notes/read.
func (s *Service) NotesRead(_ context.Context, at *View, params *wire.NotesReadParams) (wire.NotesReadResult, error) {
	if err := at.Sessions().NotDeleted(at.who.Session); err != nil {
		return wire.NotesReadResult{}, err
	}
	folder, err := at.notes().Folder(at.who.Session)
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

// NotesWrite implements wm/notes/write.
func (s *Service) NotesWrite(
	ctx context.Context, at *View, params *wire.NotesWriteParams,
) (wire.NotesWriteResult, error) {
	if err := at.recording(); err != nil {
		return wire.NotesWriteResult{}, err
	}
	if strings.ContainsRune(params.Content, 0) {
		return wire.NotesWriteResult{}, fault.Invalid("content", "must be text, got binary data")
	}
	note, err := at.notes().Write(ctx, at.written(), params.Path, params.Content, string(params.IfRevision))
	if err != nil {
		return wire.NotesWriteResult{Path: note.Path, Revision: wire.Revision(note.Revision)}, err
	}
	result := wire.NotesWriteResult{
		Path: note.Path, Revision: wire.Revision(note.Revision), Undo: at.undoOfWrite(note),
	}
	result.Redactions, result.Redacted = takenOut(params.Content)
	return result, nil
}

// undoOfWrite returns the call that undoes the writing or deleting of a note, nil if nothing
// was changed.
func (v *View) undoOfWrite(note notes.Note) *wire.Undo {
	if note.Former == note.Revision {
		return nil
	}
	return v.undoOfMove("wm/notes/restore", wire.Object{
		"path": note.Path, "revision": cmp.Or(note.Former, notes.Absent),
		"ifRevision": cmp.Or(note.Revision, notes.Absent),
	})
}

// takenOut returns how many secrets are removed from strings when they are written, and by which
// rules. It does not count those that were removed before.
func takenOut(texts ...string) (redactions int, rules []string) {
	for _, text := range texts {
		n, added := takenOutBehind("", text)
		redactions, rules = redactions+n, append(rules, added...)
	}
	return redactions, rules
}

// takenOutBehind is takenOut for a string that is written behind another one, of which it takes redact.Tail: a secret
// may have its name there.
func takenOutBehind(tail, text string) (redactions int, rules []string) {
	clean, n := redact.TextAfter(tail, text)
	if n == 0 {
		return 0, nil
	}
	added := redact.Added(text, clean)
	return max(n, len(added)), added
}

// NotesArchive implements wm/notes/archive.
func (s *Service) NotesArchive(
	ctx context.Context, at *View, params *wire.NotesArchiveParams,
) (wire.NotesArchiveResult, error) {
	note, err := at.notes().Archive(ctx, at.written(), params.Path, string(params.IfRevision))
	if err != nil {
		return wire.NotesArchiveResult{}, err
	}
	return wire.NotesArchiveResult{
		Path: note.Path, Undo: at.undoOfMove("wm/notes/restore",
			wire.Object{"path": note.Path, "to": params.Path, "ifRevision": note.Revision}),
	}, nil
}

// NotesRestore implements wm/notes/restore.
func (s *Service) NotesRestore(
	ctx context.Context, at *View, params *wire.NotesRestoreParams,
) (wire.NotesRestoreResult, error) {
	if params.Revision != "" {
		return s.restoreText(ctx, at, params)
	}
	note, err := at.notes().Restore(ctx, at.written(), params.Path, params.To, string(params.IfRevision))
	if err != nil {
		return wire.NotesRestoreResult{}, err
	}
	return wire.NotesRestoreResult{
		Path: note.Path, Undo: at.undoOfMove("wm/notes/archive",
			wire.Object{"path": note.Path, "ifRevision": note.Revision}),
	}, nil
}

// restoreText restores a former text of a note.
func (s *Service) restoreText(
	ctx context.Context, at *View, params *wire.NotesRestoreParams,
) (wire.NotesRestoreResult, error) {
	if err := at.recording(); err != nil {
		return wire.NotesRestoreResult{}, err
	}
	if params.To != "" {
		return wire.NotesRestoreResult{}, fault.Invalid("to", "must be empty with a revision, got %q", params.To)
	}
	note, err := at.notes().RestoreRevision(ctx, at.written(), params.Path, string(params.Revision),
		string(params.IfRevision))
	if err != nil {
		return wire.NotesRestoreResult{}, err
	}
	return wire.NotesRestoreResult{Path: note.Path, Undo: at.undoOfWrite(note)}, nil
}

// undoOfMove returns the call that moves a note of the session back.
func (v *View) undoOfMove(method string, params wire.Object) *wire.Undo {
	params["sessionId"] = v.who.Session
	return &wire.Undo{Method: method, Params: params}
}

// ArchiveNoteMessage returns the message to a person for the result of NotesArchive.
func ArchiveNoteMessage(result wire.NotesArchiveResult) string {
	return fmt.Sprintf("Archived as %s.", result.Path)
}

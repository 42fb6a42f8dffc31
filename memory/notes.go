package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/notes"
)

// NotesOf is the folder of the notes of a session.
func (w *Workspace) NotesOf(session string) (notes.Folder, error) {
	dir, err := w.sessionDir(session)
	return notes.In(dir), err
}

// sessionDir returns the folder that holds the files of a session.
func (w *Workspace) sessionDir(session string) (string, error) {
	s := w.store.Load()
	if s == nil {
		return "", w.storeError()
	}
	return s.SessionDir(session), nil
}

// Overview returns the overview of a session as it is on the disk, an empty note
// if there is none.
func (w *Workspace) Overview(session string) (notes.Note, error) {
	folder, err := w.NotesOf(session)
	if err != nil {
		return notes.Note{}, nil // without a store there are no notes
	}
	note, err := folder.Read(notes.Overview)
	switch {
	case fault.Has(err, fault.NotFound):
		return notes.Note{}, nil
	case err != nil:
		return notes.Note{}, NoteError(err)
	}
	return note, nil
}

// WriteNote sets the content of a note, without its secrets. With ifRevision it
// is refused with the reason Conflict if somebody else has changed it. It is
// called on the queue.
func (w *Workspace) WriteNote(ctx context.Context, ev event.Event, path, content, ifRevision string) (notes.Note, error) {
	if err := tellsNothing(path); err != nil {
		return notes.Note{}, err
	}
	return w.updateNotes(ctx, ev, func(folder notes.Folder) (notes.Note, error) {
		return folder.Write(path, gate.Text(content), ifRevision)
	})
}

// tellsNothing is an error where the path of a note would tell a secret.
func tellsNothing(path string) error {
	if named := gate.Text(path); named != path {
		return notes.BadPath(named, "holds a secret; call it otherwise")
	}
	return nil
}

// ArchiveNote moves a note to the archive. It is called on the queue.
func (w *Workspace) ArchiveNote(ctx context.Context, ev event.Event, path string) (to string, err error) {
	_, err = w.updateNotes(ctx, ev, func(folder notes.Folder) (notes.Note, error) {
		to, err = folder.Archived(path)
		return notes.Note{Path: to}, err
	})
	return to, err
}

// RestoreNote moves a note back from the archive, into detail/ unless it is said
// where. It is called on the queue.
func (w *Workspace) RestoreNote(ctx context.Context, ev event.Event, path, to string) (string, error) {
	_, err := w.updateNotes(ctx, ev, func(folder notes.Folder) (note notes.Note, err error) {
		to, err = folder.Restored(path, to)
		return notes.Note{Path: to}, err
	})
	return to, err
}

// UpdateOverview sets the overview of a session to what edit makes of it, or of
// the template where there is none. With ifRevision it is refused with
// the reason Conflict if it has another revision. It is called on the queue.
func (w *Workspace) UpdateOverview(ctx context.Context, ev event.Event, ifRevision string, edit func(text string) (string, error)) (notes.Note, error) {
	return w.updateNotes(ctx, ev, func(folder notes.Folder) (notes.Note, error) {
		return folder.Update(notes.Overview, func(before notes.Note) (string, error) {
			text := before.Content
			if before.Revision == "" {
				text = w.template()
			}
			after, err := edit(text)
			if strings.ContainsRune(after, 0) {
				return "", fault.Refuse(fault.Conflict, fault.Data{},
					"a text with a NUL cannot be written into the overview")
			}
			if err == nil && ifRevision != "" && ifRevision != before.Revision {
				return gate.Text(after), notes.ErrChanged
			}
			var wrong *overview.EventError
			switch {
			case errors.As(err, &wrong):
				err = fault.Invalid(wrong.Field, "%s", wrong.Reason)
			case err != nil:
				err = fault.Refuse(fault.Conflict, fault.Data{}, "%s", err)
			}
			return gate.Text(after), err
		})
	})
}

// MakeOverview makes the overview of a session from the template, if there is
// none (systems.md D2). It is called on the queue.
func (w *Workspace) MakeOverview(ctx context.Context, ev event.Event) error {
	if !w.Settings().Notes.Create || w.Paused() || ev.Session == "" || w.Sessions().Deleted(ev.Session) {
		return nil
	}
	_, err := w.UpdateOverview(ctx, ev, "", func(text string) (string, error) { return text, nil })
	return err
}

func (w *Workspace) template() string {
	settings := w.Settings().Notes
	return cmp.Or(settings.Template, overview.Template(settings.Language))
}

// updateNotes runs what writes into the notes of a session, which it starts if
// need be, keeps the index of the overview true, and says what changed.
func (w *Workspace) updateNotes(ctx context.Context, ev event.Event, write func(notes.Folder) (notes.Note, error)) (notes.Note, error) {
	if err := ctx.Err(); err != nil {
		return notes.Note{}, err
	}
	folder, err := w.NotesOf(ev.Session)
	if err != nil {
		return notes.Note{}, err
	}
	if err := w.NotDeleted(ev.Session); err != nil {
		return notes.Note{}, err
	}
	if err := w.attend(ctx, ev); err != nil {
		return notes.Note{}, err
	}
	written, err := write(folder)
	if err != nil {
		return notes.Note{}, NoteError(err)
	}
	if written.Path != notes.Overview {
		if _, err := w.applyHot(ctx, change.Actor{Session: ev.Session, Agent: ev.Agent}, RoomOf[*notes.Room](w).Written(ev.Session, written, w.turn(ev.Session))); err != nil {
			return written, err
		}
	}
	overview, err := w.noticeNotes(ctx, ev.Session)
	if err != nil { // the note is written all the same
		w.options.Log.Warn("keep the index of the notes", "workspace", w.key, "error", err)
	}
	if written.Path == notes.Overview && overview.Path != "" {
		written = overview
	}
	return written, nil
}

// NoteError says that the disk is to blame where a note is not.
func NoteError(err error) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrStore, err)
}

func (w *Workspace) turn(session string) int {
	known, _ := w.Sessions().Get(session)
	return known.Turn
}

// noticeNotes keeps the index in the overview true and notes that the overview
// has changed, whoever wrote it. It returns the overview, empty if there is none.
// It is called on the queue.
func (w *Workspace) noticeNotes(ctx context.Context, session string) (notes.Note, error) {
	if w.Sessions().Deleted(session) {
		return notes.Note{}, nil
	}
	folder, err := w.NotesOf(session)
	if err != nil {
		return notes.Note{}, err
	}
	if _, err := folder.Read(notes.Overview); err != nil {
		return notes.Note{}, nil // there is none, or none that can be read: its readers say so
	}
	files, err := folder.List()
	if err != nil {
		return notes.Note{}, NoteError(err)
	}
	index := notes.IndexOf(files, w.Settings().Notes.Language)
	var changes []change.Change
	note, err := folder.Update(notes.Overview, func(before notes.Note) (string, error) {
		switch {
		case before.Revision == "":
			return "", fault.Missing(notes.Overview, "there is no note %s", notes.Overview) // deleted just now
		case overview.Block(before.Content, overview.Index) == index:
			return before.Content, nil
		}
		changes = []change.Change{change.New(notes.Indexed, session, struct{}{}).AsHot()}
		return overview.SetBlock(before.Content, overview.Index, index), nil
	})
	if fault.Has(err, fault.NotFound) {
		return notes.Note{}, nil
	}
	if err != nil {
		return notes.Note{}, NoteError(err)
	}
	if err := folder.Keep(note.Content); err != nil {
		return notes.Note{}, NoteError(err)
	}
	changes = append(changes, RoomOf[*notes.Room](w).Written(session, note, w.turn(session))...)
	_, err = w.applyHot(ctx, change.Actor{Session: session}, changes)
	return note, err
}

// lookAtNotes notices what was written into the notes of the sessions that this
// process serves without telling us: by an editor, or by an agent's own tools.
func (w *Workspace) lookAtNotes(ctx context.Context) {
	serves := slices.AppendSeq(slices.Collect(maps.Keys(w.leases)), maps.Keys(w.attached))
	for _, session := range serves {
		folder, err := w.NotesOf(session)
		if err != nil {
			return
		}
		stamp, changed := folder.Stamp(w.noteStamps[session])
		if !changed {
			continue
		}
		if _, err := w.noticeNotes(ctx, session); err != nil {
			w.options.Log.Warn("look at the notes of a session", "workspace", w.key, "error", err)
		}
		w.noteStamps[session] = stamp
	}
}

// NoticeOverview notes soon that the overview of a session has another revision
// of its own than is known.
func (w *Workspace) NoticeOverview(session, own string) {
	if seen, there := RoomOf[*notes.Room](w).Overview(session); there && seen.Revision == own {
		return
	}
	w.queue.put(func() {
		if _, err := w.noticeNotes(context.Background(), session); err != nil {
			w.options.Log.Warn("look at the notes of a session", "workspace", w.key, "error", err)
		}
	})
}

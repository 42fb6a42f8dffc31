package notes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

// A Workspace is what the service needs of its workspace.
type Workspace interface {
	room.Host
	// Sessions returns the room of the sessions.
	Sessions() *sessions.Room
}

// A Service writes notes and notices those that others write. What writes is
// called on the queue of the workspace.
type Service struct {
	workspace Workspace
	stamps    map[string]Stamp // of the notes of the sessions that this process serves
}

// NewService returns the service of a workspace.
func NewService(workspace Workspace) *Service {
	return &Service{workspace: workspace, stamps: map[string]Stamp{}}
}

func (s *Service) room() *Room {
	known, _ := room.Find[*Room](s.workspace.Rooms())
	return known
}

// Folder returns the folder of the notes of a session.
func (s *Service) Folder(session string) (Folder, error) {
	dir, err := s.workspace.SessionDir(session)
	return In(dir), err
}

// Overview returns the overview of a session as it is on the disk, an empty note
// if there is none. It need not be called on the queue.
func (s *Service) Overview(session string) (Note, error) {
	folder, err := s.Folder(session)
	if err != nil {
		return Note{}, nil // without a store there are no notes
	}
	note, err := folder.Read(Overview)
	switch {
	case fault.Has(err, fault.NotFound):
		return Note{}, nil
	case err != nil:
		return Note{}, StoreError(err)
	}
	return note, nil
}

// Write sets the content of a note, without its secrets. With ifRevision it is
// refused with the reason Conflict if somebody else has changed it.
func (s *Service) Write(ctx context.Context, ev event.Event, path, content, ifRevision string) (Note, error) {
	if err := TellsNothing(path); err != nil {
		return Note{}, err
	}
	return s.Update(ctx, ev, func(folder Folder) (Note, error) {
		return folder.Write(path, gate.Text(content), ifRevision)
	})
}

// TellsNothing returns an error if the path of a note would tell a secret.
func TellsNothing(path string) error {
	if named := gate.Text(path); named != path {
		return BadPath(named, "holds a secret; call it otherwise")
	}
	return nil
}

// Archive moves a note to the archive and returns its path there.
func (s *Service) Archive(ctx context.Context, ev event.Event, path string) (to string, err error) {
	_, err = s.Update(ctx, ev, func(folder Folder) (Note, error) {
		to, err = folder.Archived(path)
		return Note{Path: to}, err
	})
	return to, err
}

// Restore moves a note back from the archive, into detail/ unless it is said
// where, and returns its path.
func (s *Service) Restore(ctx context.Context, ev event.Event, path, to string) (string, error) {
	_, err := s.Update(ctx, ev, func(folder Folder) (note Note, err error) {
		to, err = folder.Restored(path, to)
		return Note{Path: to}, err
	})
	return to, err
}

// UpdateOverview sets the overview of a session to what edit makes of it, or of
// the template if there is none. With ifRevision it is refused with the reason
// Conflict if it has another revision.
func (s *Service) UpdateOverview(
	ctx context.Context, ev event.Event, ifRevision string, edit func(text string) (string, error),
) (Note, error) {
	return s.Update(ctx, ev, func(folder Folder) (Note, error) {
		return folder.Update(Overview, func(before Note) (string, error) {
			text := before.Content
			if before.Revision == "" {
				text = s.template()
			}
			after, err := edit(text)
			if strings.ContainsRune(after, 0) {
				return "", fault.Refuse(fault.Conflict, fault.Data{},
					"a text with a NUL cannot be written into the overview")
			}
			if err == nil && ifRevision != "" && ifRevision != before.Revision {
				return gate.Text(after), ErrChanged
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
// none (systems.md D2).
func (s *Service) MakeOverview(ctx context.Context, ev event.Event) error {
	w := s.workspace
	if !w.Settings().Notes.Create || w.Paused() || ev.Session == "" || w.Sessions().Deleted(ev.Session) {
		return nil
	}
	_, err := s.UpdateOverview(ctx, ev, "", func(text string) (string, error) { return text, nil })
	return err
}

func (s *Service) template() string {
	settings := s.workspace.Settings().Notes
	return cmp.Or(settings.Template, overview.Template(settings.Language))
}

// Update runs what writes into the notes of a session, which it starts if need
// be, keeps the index of the overview true, and says what changed.
func (s *Service) Update(ctx context.Context, ev event.Event, write func(Folder) (Note, error)) (Note, error) {
	if err := ctx.Err(); err != nil {
		return Note{}, err
	}
	folder, err := s.Folder(ev.Session)
	if err != nil {
		return Note{}, err
	}
	if err := s.workspace.NotDeleted(ev.Session); err != nil {
		return Note{}, err
	}
	if err := s.workspace.Attend(ctx, ev); err != nil {
		return Note{}, err
	}
	written, err := write(folder)
	if err != nil {
		return Note{}, StoreError(err)
	}
	if written.Path != Overview {
		who := change.Actor{Session: ev.Session, Agent: ev.Agent}
		changes := s.room().Written(ev.Session, written, s.turn(ev.Session))
		if _, err := s.workspace.ApplyHot(ctx, who, changes); err != nil {
			return written, err
		}
	}
	overview, err := s.notice(ctx, ev.Session)
	if err != nil { // the note is written all the same
		s.workspace.Log().Warn("keep the index of the notes", "error", err)
	}
	if written.Path == Overview && overview.Path != "" {
		written = overview
	}
	return written, nil
}

// StoreError makes a room.ErrStore of an error for which the disk is to blame
// rather than the note.
func StoreError(err error) error {
	var known *fault.Fault
	if errors.As(err, &known) {
		return err
	}
	return fmt.Errorf("%w: %w", room.ErrStore, err)
}

func (s *Service) turn(session string) int {
	known, _ := s.workspace.Sessions().Get(session)
	return known.Turn
}

// notice keeps the index in the overview true and notes that the overview has
// changed, whoever wrote it. It returns the overview, empty if there is none.
func (s *Service) notice(ctx context.Context, session string) (Note, error) {
	if s.workspace.Sessions().Deleted(session) {
		return Note{}, nil
	}
	folder, err := s.Folder(session)
	if err != nil {
		return Note{}, err
	}
	if _, err := folder.Read(Overview); err != nil {
		return Note{}, nil // there is none, or none that can be read: its readers say so
	}
	files, err := folder.List()
	if err != nil {
		return Note{}, StoreError(err)
	}
	index := IndexOf(files, s.workspace.Settings().Notes.Language)
	var changes []change.Change
	note, err := folder.Update(Overview, func(before Note) (string, error) {
		switch {
		case before.Revision == "":
			return "", fault.Missing(Overview, "there is no note %s", Overview) // deleted just now
		case overview.Block(before.Content, overview.Index) == index:
			return before.Content, nil
		}
		changes = []change.Change{change.New(Indexed, session, struct{}{}).AsHot()}
		return overview.SetBlock(before.Content, overview.Index, index), nil
	})
	if fault.Has(err, fault.NotFound) {
		return Note{}, nil
	}
	if err != nil {
		return Note{}, StoreError(err)
	}
	if err := folder.Keep(note.Content); err != nil {
		return Note{}, StoreError(err)
	}
	changes = append(changes, s.room().Written(session, note, s.turn(session))...)
	_, err = s.workspace.ApplyHot(ctx, change.Actor{Session: session}, changes)
	return note, err
}

// Look notices what was written into the notes of the sessions that this process
// serves without telling us: by an editor, or by an agent's own tools.
func (s *Service) Look(ctx context.Context) {
	for _, session := range s.workspace.Served() {
		folder, err := s.Folder(session)
		if err != nil {
			return
		}
		stamp, changed := folder.Stamp(s.stamps[session])
		if !changed {
			continue
		}
		s.tryNotice(ctx, session)
		s.stamps[session] = stamp
	}
}

// NoticeOverview notes soon that the overview of a session has another revision
// of its own than is known. It need not be called on the queue.
func (s *Service) NoticeOverview(session, own string) {
	if seen, there := s.room().Overview(session); there && seen.Revision == own {
		return
	}
	s.workspace.Do(func() { s.tryNotice(context.Background(), session) })
}

func (s *Service) tryNotice(ctx context.Context, session string) {
	if _, err := s.notice(ctx, session); err != nil {
		s.workspace.Log().Warn("look at the notes of a session", "error", err)
	}
}

// Release forgets how the notes of a session looked.
func (s *Service) Release(session string) { delete(s.stamps, session) }

// Tidy removes the template of the overview, if nothing else was written.
func (s *Service) Tidy(dir string) error {
	template := cmp.Or(s.workspace.Settings().Notes.Template, overview.Template("en"))
	return In(dir).RemoveUntouched([]string{template, overview.Template("en"), overview.Template("zh")})
}

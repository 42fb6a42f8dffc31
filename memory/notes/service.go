package notes

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
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

// A Workspace is the workspace as the service uses it.
type Workspace interface {
	room.Host
	// Sessions returns the room of the sessions.
	Sessions() *sessions.Room
}

// A Service writes notes and detects notes that others write. Methods that write are called
// on the queue of the workspace.
type Service struct {
	workspace Workspace
	stamps    map[string]Stamp // of the notes of the sessions that this process serves
	watched   map[string]watch // for search, of these sessions
	// others are the sessions whose notes this process has not looked at yet. It is nil before the
	// first Poll.
	others []string
}

// A watch is what is known of the notes of a session.
type watch struct {
	stamps  map[string]string // at the last look
	settled bool              // and the look before, since when they were read
}

// NewService returns the service of a workspace.
func NewService(workspace Workspace) *Service {
	return &Service{workspace: workspace, stamps: map[string]Stamp{}, watched: map[string]watch{}}
}

func (s *Service) room() *Room { return room.Of[*Room](s.workspace) }

// Folder returns the folder of the notes of a session.
func (s *Service) Folder(session string) (Folder, error) {
	dir, err := s.workspace.SessionDir(session)
	return In(dir), err
}

// Overview returns the overview of a session from the disk, an empty note if there is
// none. It need not be called on the queue.
func (s *Service) Overview(session string) (Note, error) {
	return readOverview(s.workspace.SessionDir(session))
}

// readOverview returns the overview in the folder of a session, an empty note if there is
// none. Without a store, err is not nil and there are no notes.
func readOverview(sessionDir string, err error) (Note, error) {
	if err != nil {
		return Note{}, nil
	}
	folder := In(sessionDir)
	note, err := folder.Read(Overview)
	switch {
	case fault.Has(err, fault.NotFound):
		return Note{}, nil
	case err != nil:
		return Note{}, StoreError(err)
	}
	return note, nil
}

// Write sets the content of a note, redacted. If ifRevision is not empty and the note has
// another revision, the error is a refusal with the reason Conflict.
func (s *Service) Write(ctx context.Context, ev event.Event, path, content, ifRevision string) (Note, error) {
	if err := CheckPathForSecrets(path); err != nil {
		return Note{}, err
	}
	return s.Update(ctx, ev, func(folder Folder) (Note, error) {
		return folder.Write(path, gate.Text(content), ifRevision)
	})
}

// CheckPathForSecrets returns an error if the path of a note contains a secret.
func CheckPathForSecrets(path string) error {
	if named := gate.Name(path); named != path {
		return BadPath(named, "holds a secret; call it otherwise")
	}
	return nil
}

// Archive moves a note to the archive, and returns it as move does. If ifRevision is not empty and the note has another
// revision, the error is a refusal with the reason Conflict.
func (s *Service) Archive(ctx context.Context, ev event.Event, path, ifRevision string) (Note, error) {
	return s.move(ctx, ev, path, func(folder Folder) (string, error) { return folder.Archive(path, ifRevision) })
}

// move moves a note, and returns it with its new path and the one before, without its content.
func (s *Service) move(
	ctx context.Context, ev event.Event, path string, move func(folder Folder) (to string, err error),
) (Note, error) {
	return s.Update(ctx, ev, func(folder Folder) (Note, error) {
		to, err := move(folder)
		if err != nil {
			return Note{}, err
		}
		from, err := Clean(path)
		if err != nil {
			return Note{}, err
		}
		note, err := folder.Read(to)
		return Note{Path: to, Revision: note.Revision, Moved: from}, err
	})
}

// Restore moves a note from the archive to a path, or into detail/ if to is empty. It
// returns it with the new path. If ifRevision is not empty and the note has another revision,
// the error is a refusal with the reason Conflict.
func (s *Service) Restore(ctx context.Context, ev event.Event, path, to, ifRevision string) (Note, error) {
	if err := CheckPathForSecrets(to); err != nil {
		return Note{}, err
	}
	return s.move(ctx, ev, path, func(folder Folder) (string, error) { return folder.Restore(path, to, ifRevision) })
}

// RestoreRevision is Folder.RestoreRevision.
func (s *Service) RestoreRevision(
	ctx context.Context, ev event.Event, path, revision, ifRevision string,
) (Note, error) {
	return s.Update(ctx, ev, func(folder Folder) (Note, error) {
		return folder.RestoreRevision(path, revision, ifRevision)
	})
}

// UpdateOverview sets the overview of a session to the result of edit, which is called with
// the overview, or with the template if there is none. If ifRevision is not empty and the
// overview has another revision, the error is a refusal with the reason Conflict.
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
					"a string with a NUL cannot be written into the overview")
			}
			if err == nil && !before.is(ifRevision) {
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

// MakeOverview creates the overview of a session from the template if there is none
// (systems.md D2). It starts the session if necessary. SyncOverview, or the next Poll,
// records the overview.
func (s *Service) MakeOverview(ctx context.Context, ev event.Event) error {
	folder, isWanted, err := s.beginOverview(ctx, ev)
	if err != nil || !isWanted {
		return err
	}
	if err := folder.Create(Overview, s.keptTemplate()); err != nil {
		return StoreError(err)
	}
	return nil
}

// BeginOverview starts a session if necessary, and returns the overview that MakeOverview creates if there is
// none. It is empty if none is wanted.
func (s *Service) BeginOverview(ctx context.Context, ev event.Event) (Note, error) {
	_, isWanted, err := s.beginOverview(ctx, ev)
	if err != nil || !isWanted {
		return Note{}, err
	}
	content := s.keptTemplate()
	return Note{Path: Overview, Content: content, Revision: RevisionOf(content)}, nil
}

// beginOverview starts a session if necessary, unless no overview is wanted.
func (s *Service) beginOverview(ctx context.Context, ev event.Event) (folder Folder, isWanted bool, err error) {
	w := s.workspace
	if !w.Settings().Notes.Create || w.Paused() || ev.Session == "" || w.Sessions().Deleted(ev.Session) {
		return Folder{}, false, nil
	}
	folder, err = s.begin(ctx, ev)
	return folder, err == nil, err
}

func (s *Service) template() string {
	settings := s.workspace.Settings().Notes
	return cmp.Or(settings.Template, overview.Template(settings.Language))
}

// keptTemplate returns the template without its secrets. Only one of a person can have some. To look for them takes the
// tables of the redaction, for which the first context would wait.
func (s *Service) keptTemplate() string {
	if s.workspace.Settings().Notes.Template == "" {
		return s.template()
	}
	return gate.Text(s.template())
}

// Update runs write on the notes of a session. It starts the session if necessary, updates
// the index in the overview, and records what changed. It waits for two syncs of the disk:
// that of the note, and that of the overview, after which the renaming of the note is on the
// disk too; or that of the note's folder, if the overview stays the same.
func (s *Service) Update(ctx context.Context, ev event.Event, write func(Folder) (Note, error)) (Note, error) {
	folder, written, err := s.put(ctx, ev, write)
	if err != nil {
		return written, err
	}
	overview, indexed, err := s.sync(ctx, ev.Session, false)
	if err != nil { // the note is written all the same
		s.workspace.Log().Warn("update the index of the notes", "error", err)
	}
	if !indexed {
		if err := folder.sync(written.Path); err != nil {
			return written, StoreError(err)
		}
	}
	if written.Path == Overview && overview.Path != "" {
		overview.Former = written.Former
		written = overview
	}
	return written, nil
}

// Put is Update that leaves the overview as it is. It waits for one sync of the disk, that of the
// note. The renaming of the note is on the disk when a file is that was written after it, with
// every file system that has a journal.
func (s *Service) Put(ctx context.Context, ev event.Event, write func(Folder) (Note, error)) (Note, error) {
	_, written, err := s.put(ctx, ev, write)
	return written, err
}

func (s *Service) put(
	ctx context.Context, ev event.Event, write func(Folder) (Note, error),
) (folder Folder, written Note, err error) {
	if folder, err = s.begin(ctx, ev); err != nil {
		return folder, Note{}, err
	}
	if written, err = write(folder.lazily()); err != nil {
		return folder, Note{}, StoreError(err)
	}
	if written.Path == Overview {
		return folder, written, nil
	}
	changes := s.room().Written(ev.Session, written, s.turn(ev.Session))
	if written.Moved != "" {
		changes = append(changes, foundAt(ev.Session, written.Moved))
	}
	_, err = s.workspace.ApplyHot(ctx, change.Actor{Session: ev.Session, Agent: ev.Agent, Person: ev.Person}, changes)
	return folder, written, err
}

// begin starts the session of an event if necessary, and returns the folder of its notes.
func (s *Service) begin(ctx context.Context, ev event.Event) (Folder, error) {
	if err := ctx.Err(); err != nil {
		return Folder{}, err
	}
	folder, err := s.Folder(ev.Session)
	if err != nil {
		return Folder{}, err
	}
	if err := s.workspace.NotDeleted(ev.Session); err != nil {
		return Folder{}, err
	}
	return folder, s.workspace.EnsureSession(ctx, ev)
}

// StoreError returns an error as it is if it is a fault, and otherwise wrapped in
// room.ErrStore.
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

// sync updates the index in the overview and records if the overview has changed, whoever
// wrote it. It returns the overview, an empty note if there is none, and whether it wrote it.
// If others wrote it, foreign is true, and it waits until that is on the disk.
func (s *Service) sync(ctx context.Context, session string, foreign bool) (note Note, indexed bool, err error) {
	if s.workspace.Sessions().Deleted(session) {
		return Note{}, false, nil
	}
	folder, err := s.Folder(session)
	if err != nil {
		return Note{}, false, err
	}
	if _, err := folder.Read(Overview); err != nil {
		return Note{}, false, nil // there is none, or it cannot be read, which its readers report
	}
	var changes []change.Change
	note, err = folder.lazily().Update(Overview, func(before Note) (string, error) {
		if before.Revision == "" {
			return "", fault.Missing(Overview, "there is no note %s", Overview) // deleted in the meantime
		}
		files, err := folder.List() // with the lock held: nothing is erased before it is written
		if err != nil {
			return "", err
		}
		index := IndexOf(files, s.workspace.Settings().Notes.Language)
		if overview.Block(before.Content, overview.Index) == index {
			return before.Content, folder.Keep(Overview, before.Content)
		}
		changes = []change.Change{change.New(Indexed, session, struct{}{}).AsHot()}
		return overview.SetBlock(before.Content, overview.Index, index), nil
	})
	if fault.Has(err, fault.NotFound) {
		return Note{}, false, nil
	}
	if err != nil {
		return Note{}, false, StoreError(err)
	}
	indexed = len(changes) > 0
	if written := s.room().Written(session, note, s.turn(session)); len(written) > 0 {
		if foreign {
			if err := folder.Sync(Overview); err != nil { // what it waits for happens all the same, later
				s.workspace.Log().Warn("wait until the overview is on the disk", "error", err)
			}
		}
		changes = append(changes, written...)
	}
	_, err = s.workspace.ApplyHot(ctx, change.Actor{Session: session}, changes)
	return note, indexed, err
}

// Poll detects notes of the served sessions that others wrote, such as an editor or an
// agent's own tools. It also looks once at those of every other session, a few at a time.
func (s *Service) Poll(ctx context.Context) {
	s.lookAtOthers(ctx)
	for _, session := range s.workspace.Served() {
		folder, err := s.Folder(session)
		if err != nil {
			return
		}
		s.watch(ctx, session, folder)
		stamp, changed := folder.Stamp(s.stamps[session])
		if !changed {
			continue
		}
		s.trySync(ctx, session)
		s.stamps[session] = stamp
	}
}

// watch has the notes of a session read for search that others wrote. It waits until they stay the
// same from one look to the next: then they are whole, and what this process wrote is known.
func (s *Service) watch(ctx context.Context, session string, folder Folder) {
	now, before := folder.stamps(), s.watched[session]
	same := before.stamps != nil && maps.Equal(now, before.stamps)
	if same && before.settled {
		return
	}
	s.watched[session] = watch{stamps: now, settled: same && s.find(ctx, session, now)}
}

// find has the notes of a session read for search that differ from what was read. It reports
// whether that is done.
func (s *Service) find(ctx context.Context, session string, now map[string]string) bool {
	if s.workspace.Paused() || s.workspace.Sessions().Deleted(session) {
		return false
	}
	read, known := s.room().stamps(ctx, session)
	if !known {
		return false
	}
	var changes []change.Change
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if read[path] != now[path] {
			changes = append(changes, foundAt(session, path))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(read)) {
		if _, there := now[path]; !there {
			changes = append(changes, foundAt(session, path))
		}
	}
	if len(changes) == 0 {
		return true
	}
	_, err := s.workspace.ApplyHot(ctx, change.Actor{Session: session}, changes)
	if err != nil {
		s.workspace.Log().Warn("read the notes of a session for search", "error", err)
	}
	return err == nil
}

// maxLooks is how many sessions that are not served a Poll looks at.
const maxLooks = 20

// lookAtOthers looks at the notes of the next sessions that are not served.
func (s *Service) lookAtOthers(ctx context.Context) {
	served := s.workspace.Served()
	if s.others == nil {
		s.others = []string{}
		for _, known := range s.workspace.Sessions().List() {
			if !known.Deleted && !slices.Contains(served, known.ID) {
				s.others = append(s.others, known.ID)
			}
		}
	}
	for range min(maxLooks, len(s.others)) {
		session := s.others[0]
		if folder, err := s.Folder(session); err != nil || !s.isOver(session) && !slices.Contains(served, session) &&
			!s.find(ctx, session, folder.stamps()) {
			return // later
		}
		s.others = s.others[1:]
	}
}

// isOver reports whether a session was deleted or swept.
func (s *Service) isOver(session string) bool {
	known, there := s.workspace.Sessions().Get(session)
	return !there || known.Deleted
}

// SyncOverview records soon that the overview of a session has changed, if own is not its
// known revision. It need not be called on the queue.
func (s *Service) SyncOverview(session, own string) {
	if seen, there := s.room().Overview(session); there && seen.Revision == own {
		return
	}
	s.workspace.Do(func() { s.trySync(context.Background(), session) })
}

func (s *Service) trySync(ctx context.Context, session string) {
	if _, _, err := s.sync(ctx, session, true); err != nil {
		s.workspace.Log().Warn("check the notes of a session for changes", "error", err)
	}
}

// Release forgets the stamp of the notes of a session.
func (s *Service) Release(session string) {
	delete(s.stamps, session)
	delete(s.watched, session)
}

// Tidy removes the overview if it is the template and there are no other notes.
func (s *Service) Tidy(dir string) error {
	return In(dir).RemoveUnused([]string{s.keptTemplate(), overview.Template("en"), overview.Template("zh")})
}

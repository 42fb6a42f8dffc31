package longterm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// copyAfter is how long the readable copy may lag behind the memory.
const copyAfter = 50 * time.Millisecond

// What problems are about.
const (
	aboutCopy   = "readable copy"
	aboutEdited = "edited copy"
)

// A Workspace is what the service needs of its workspace.
type Workspace interface {
	room.Host
	// Root is the folder whose memory it is, Key its name on the disk, Dir where it
	// is kept.
	Root() string
	Key() string
	Dir() string
	// Store returns the open store. The error is room.ErrStore if there is none.
	Store() (*store.Store, error)
	// CatchUp folds what other processes have written, in a transaction.
	CatchUp(tx *store.Tx) error
	// Seq returns the latest change that is folded.
	Seq() int64
}

// A Service keeps the readable copy of the entries and imports what people edit in
// it. It is called on the queue of the workspace.
type Service struct {
	workspace Workspace
	due       bool      // the copy is to be written
	seen      fileStamp // of the copy
}

// A fileStamp tells whether a file was touched.
type fileStamp struct {
	modified time.Time
	size     int64
}

// NewService returns the service of a workspace.
func NewService(workspace Workspace) *Service { return &Service{workspace: workspace} }

func (s *Service) room() *Room {
	known, _ := room.Find[*Room](s.workspace.Rooms())
	return known
}

func (s *Service) document() Document {
	w := s.workspace
	return s.room().Document(DocumentWorkspace{Root: w.Root(), Key: w.Key()}, w.Seq(), w.Now())
}

// Salvage returns the readable copy of the entries in memory.
func (s *Service) Salvage() ([]byte, error) { return s.document().Encode() }

// encode returns the text of the readable copy, of what all processes have
// written: one of them may just have erased what this one still holds. Its entries
// passed the gate before; the path of the workspace did not.
func (s *Service) encode(tx *store.Tx) ([]byte, error) {
	if err := s.workspace.CatchUp(tx); err != nil {
		return nil, err
	}
	doc, err := s.document().Encode()
	return gate.Document(doc), err
}

// Committed has the readable copy written when what changes now is done.
func (s *Service) Committed(changes []change.Change) {
	if slices.ContainsFunc(changes, func(c change.Change) bool { return c.Kind.Noun() == Noun }) {
		s.writeSoon()
	}
}

func (s *Service) writeSoon() {
	if s.due {
		return
	}
	s.due = true
	time.AfterFunc(copyAfter, func() {
		s.workspace.Do(func() { s.WriteCopy(context.Background()) })
	})
}

// Leave writes the readable copy, if that was put off.
func (s *Service) Leave(ctx context.Context) {
	if s.due {
		s.WriteCopy(ctx)
	}
}

// WriteCopy writes the readable copy; a hand edit that it finds is imported first.
func (s *Service) WriteCopy(ctx context.Context) {
	s.due = false
	in, err := s.workspace.Store()
	if err != nil {
		return
	}
	err = in.WriteCopy(ctx, s.encode)
	if errors.Is(err, store.ErrEdited) {
		s.importCopy(ctx, in)
		return
	}
	s.written(err)
}

func (s *Service) written(err error) {
	switch {
	case err == nil:
		s.workspace.ClearProblem(aboutCopy)
		s.seen = s.stamp()
	case !errors.Is(err, store.ErrReplaced) && !errors.Is(err, store.ErrEdited):
		s.workspace.SetProblem(aboutCopy, room.Warning("The readable copy could not be written: "+err.Error(),
			"The memory itself is safe in the database."))
	}
}

func (s *Service) stamp() fileStamp {
	info, err := os.Stat(filepath.Join(s.workspace.Dir(), store.CopyName))
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.ModTime(), info.Size()}
}

// Look imports the readable copy if somebody edited it.
func (s *Service) Look(ctx context.Context) {
	seen := s.stamp()
	if seen == s.seen {
		return
	}
	s.seen = seen
	if in, err := s.workspace.Store(); err == nil {
		s.importCopy(ctx, in)
	}
}

// importCopy takes over what was edited by hand in the readable copy.
func (s *Service) importCopy(ctx context.Context, in *store.Store) {
	w := s.workspace
	doc, edited, err := in.ReadCopy(ctx)
	if err != nil {
		w.SetProblem(aboutCopy, room.Warning(err.Error(), "Move the file away; it is written anew."))
		return
	}
	if !edited {
		return
	}
	document, err := ParseDocument(doc)
	var newer *NewerError
	switch {
	case errors.As(err, &newer):
		w.SetProblem(aboutCopy, room.Failure(err.Error(), "Install the newest wm-lsp. The file was left as it is."))
		return
	case err != nil:
		s.setAside(ctx, in, err)
		return
	}
	base, err := s.entriesAt(ctx, in, document.Seq)
	if err == nil {
		_, err = w.Apply(ctx, change.Actor{Agent: "hand edit"}, func() ([]change.Change, error) {
			return s.room().Import(document, base)
		})
	}
	if err != nil {
		w.SetProblem(aboutCopy, room.Failure("The edited copy could not be imported: "+err.Error(),
			"Correct the file; it was left as it is."))
		return
	}
	for _, broken := range document.Broken {
		message := fmt.Sprintf("Entry %d of the edited copy could not be read: %v", broken.Index+1, broken.Err)
		w.SetProblem(aboutEdited, room.Warning(message, "It was left out; the other edits were taken over."))
	}
	s.written(in.ReplaceCopy(ctx, doc, s.encode))
}

// setAside moves a copy away that cannot be read, and has a new one written.
func (s *Service) setAside(ctx context.Context, in *store.Store, cause error) {
	w := s.workspace
	name, err := in.SetCopyAside(ctx, w.Now(), gate.Document)
	if err != nil {
		w.SetProblem(aboutCopy, room.Failure(err.Error(), "Move the file away; it is written anew."))
		return
	}
	s.writeSoon()
	w.SetProblem(aboutEdited, room.Warning(cause.Error(), fmt.Sprintf(
		"What you wrote was kept as %s. Correct it and put its entries into the new %s.", name, store.CopyName)))
}

// entriesAt returns the active entries as they were after the change seq.
func (s *Service) entriesAt(ctx context.Context, in *store.Store, seq int64) ([]Entry, error) {
	then := New(s.room().options)
	history, err := in.History(ctx, seq)
	if err != nil {
		return nil, err
	}
	if err := then.Load(history.Rows[then.Name()]); err != nil {
		return nil, err
	}
	for _, c := range history.Changes {
		if _, err := then.Fold(c); err != nil {
			return nil, err
		}
	}
	return then.List(nil, false), nil
}

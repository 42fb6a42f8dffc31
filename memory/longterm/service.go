package longterm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// The readable copy is written copyAfter after a change, but not before copyEvery after it
// was last written, by whichever process.
const (
	copyAfter = 50 * time.Millisecond
	copyEvery = 500 * time.Millisecond
)

// SettleFor is how long the readable copy must stay as it is before an edit of it is
// judged: editors truncate a file before they write it.
const SettleFor = 200 * time.Millisecond

// What problems are about.
const (
	aboutCopy   = "readable copy"
	aboutEdited = "edited copy"
)

// A Workspace is what the service needs of its workspace.
type Workspace interface {
	room.Host
	// Root is the folder whose memory it is, Key its name on the disk.
	Root() string
	Key() string
	// Copies returns the store of the readable copy. The error is room.ErrStore if
	// there is none.
	Copies() (Copies, error)
	// CatchUp folds what other processes have written, in a transaction.
	CatchUp(tx store.Tx) error
	// Seq returns the latest change that is folded.
	Seq() int64
	// Own reports whether this process has written a change.
	Own(c change.Change) bool
}

// Copies is the store of the readable copy.
type Copies interface {
	// CopyStamp returns what tells whether the copy was touched. It may be called in a
	// transaction.
	CopyStamp() store.CopyStamp
	// ReadCopy returns the copy, nil where there is none, and whether it is another
	// one than the store wrote last.
	ReadCopy(ctx context.Context) (doc []byte, edited bool, err error)
	// WriteCopy replaces the copy with what build returns. The error is
	// store.ErrEdited, and nothing is written, where an edit is still to be imported.
	WriteCopy(ctx context.Context, build func(store.Tx) ([]byte, error)) error
	// ReplaceCopy writes the copy after an edit was imported, of which the caller
	// gives the content that it read: if it was edited once more meanwhile, the error
	// is store.ErrEdited.
	ReplaceCopy(ctx context.Context, imported []byte, build func(store.Tx) ([]byte, error)) error
	// SetCopyAside renames a copy that is not imported, of which the caller gives the
	// content that it read, and returns its new name. clean redacts what is kept. If the
	// copy was edited once more meanwhile, the error is store.ErrEdited.
	SetCopyAside(ctx context.Context, judged []byte, now time.Time, clean func(doc []byte) []byte) (string, error)
	// RemoveCopy deletes the copy, and reports whether there was one. It may be called in a
	// transaction.
	RemoveCopy() (bool, error)
	// History returns how the memory came to be as it was after the change seq.
	History(ctx context.Context, seq int64) (store.History, error)
}

// A Service keeps the readable copy of the entries and imports what people edit in
// it. It is called on the queue of the workspace.
type Service struct {
	workspace Workspace
	due       bool            // the copy is to be written
	seen      store.CopyStamp // of the copy that was looked at last
	settling  settling        // an edit that may not be complete
	changed   int64           // the latest change of this process that the copy must hold
	compared  bool            // whether the copy was compared with the memory after the start
}

// settling is the state of the readable copy since a time.
type settling struct {
	stamp store.CopyStamp
	since time.Time
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
func (s *Service) encode(tx store.Tx) ([]byte, error) {
	if err := s.workspace.CatchUp(tx); err != nil {
		return nil, err
	}
	doc, err := s.document().Encode()
	return gate.DocumentExcept(doc, s.room().Spares), err
}

// Committed has the readable copy written when what changes now is done, by the process that
// has written the changes.
func (s *Service) Committed(changes []change.Change) {
	for _, c := range changes {
		if c.Kind.Noun() == Noun && s.workspace.Own(c) {
			s.changed = c.Seq
			s.writeSoon()
		}
	}
}

func (s *Service) writeSoon() { s.writeAfter(copyAfter) }

func (s *Service) writeAfter(wait time.Duration) {
	if s.due {
		return
	}
	s.due = true
	time.AfterFunc(wait, func() {
		s.workspace.Do(func() { s.writeIfDue(context.Background()) })
	})
}

// writeIfDue writes the readable copy, unless another process has written the changes of
// this one, or has just written it.
func (s *Service) writeIfDue(ctx context.Context) {
	s.due = false
	in, err := s.workspace.Copies()
	if err != nil {
		return
	}
	recent := time.Since(in.CopyStamp().Modified)
	if doc, edited, err := in.ReadCopy(ctx); err == nil && !edited && doc != nil {
		var head struct {
			Seq int64 `json:"seq"`
		}
		if json.Unmarshal(doc, &head) == nil && head.Seq >= s.changed {
			return
		}
		if recent >= 0 && recent < copyEvery {
			s.writeAfter(copyEvery - recent)
			return
		}
	}
	_ = s.WriteCopy(ctx) // what fails is a problem of the workspace
}

// Flush writes the readable copy, if that was delayed.
func (s *Service) Flush(ctx context.Context) {
	if s.due {
		_ = s.WriteCopy(ctx) // what fails is a problem of the workspace
	}
}

// WriteCopy writes the readable copy. A hand edit that it finds is imported first; if
// the edit may not be complete, the error is store.ErrEdited and it is tried again
// after SettleFor. If it fails, people are told.
func (s *Service) WriteCopy(ctx context.Context) error {
	s.due = false
	in, err := s.workspace.Copies()
	if err != nil {
		return err
	}
	err = in.WriteCopy(ctx, s.encode)
	if errors.Is(err, store.ErrEdited) {
		return s.importCopy(ctx, in)
	}
	return s.written(err)
}

// written notes whether the copy could be written and returns the error.
func (s *Service) written(err error) error {
	switch {
	case err == nil:
		// The next poll looks at what is there now: it may be an edit of what was written.
		s.workspace.ClearProblem(aboutCopy)
	case errors.Is(err, store.ErrReplaced) || errors.Is(err, store.ErrRemade):
		s.writeSoon() // when the workspace knows it
	case !errors.Is(err, store.ErrEdited):
		s.workspace.SetProblem(aboutCopy, room.Warning("The readable copy could not be written: "+err.Error(),
			"The memory itself is safe in the database."))
	}
	return err
}

func (s *Service) stamp() store.CopyStamp {
	in, err := s.workspace.Copies()
	if err != nil {
		return store.CopyStamp{}
	}
	return in.CopyStamp()
}

// Poll imports the readable copy if somebody edited it.
func (s *Service) Poll(ctx context.Context) {
	if !s.compared { // the process that had to write the copy may have been killed
		s.compared = true
		time.AfterFunc(copyAfter, func() { s.workspace.Do(func() { s.compare(context.Background()) }) })
	}
	seen := s.stamp()
	if seen == s.seen {
		return
	}
	s.seen = seen
	if in, err := s.workspace.Copies(); err == nil {
		_ = s.importCopy(ctx, in) // what fails is a problem of the workspace
	}
}

// compare has the readable copy written if it does not hold the entries of the memory.
func (s *Service) compare(ctx context.Context) {
	in, err := s.workspace.Copies()
	if err != nil {
		return
	}
	doc, edited, err := in.ReadCopy(ctx)
	if err != nil || edited {
		return // it is imported, or people are told
	}
	document, err := ParseDocument(doc)
	entries := s.room().List(nil, false)
	same := func(a, b Entry) bool { return a.ID == b.ID && a.UpdatedAt.Equal(b.UpdatedAt) }
	if doc == nil && len(entries) == 0 || err == nil && slices.EqualFunc(document.Entries, entries, same) {
		return
	}
	s.changed = max(s.changed, s.workspace.Seq())
	s.writeSoon()
}

// settled reports whether the readable copy has not changed for SettleFor.
func (s *Service) settled() bool {
	now := time.Now()
	stamp := s.stamp()
	if stamp != s.settling.stamp {
		s.settling = settling{stamp, now}
	}
	unchanged := now.Sub(stamp.Modified) // by the clock of the file system, which may be ahead
	return unchanged >= SettleFor || now.Sub(s.settling.since) >= SettleFor
}

// importCopy takes over what was edited by hand in the readable copy, which is
// replaced or set aside then. If it fails, people are told. An edit that may not be
// complete is looked at again later.
func (s *Service) importCopy(ctx context.Context, in Copies) error {
	w := s.workspace
	stamp := s.stamp()
	doc, edited, err := in.ReadCopy(ctx)
	if err != nil {
		w.SetProblem(aboutCopy, room.Warning(err.Error(), "Move the file away; it is written anew."))
		return err
	}
	if !edited {
		return nil
	}
	if !s.settled() || s.settling.stamp != stamp {
		s.writeAfter(SettleFor)
		return store.ErrEdited
	}
	document, err := ParseDocument(doc)
	var newer *NewerError
	switch {
	case errors.As(err, &newer):
		w.SetProblem(aboutCopy, room.Failure(err.Error(), "Install the newest wm-lsp. The file was left as it is."))
		return err
	case err != nil:
		return s.setAside(ctx, in, doc, err, "Correct it and put its entries into the new "+store.CopyName+".")
	}
	base, purged, err := s.baseOf(ctx, in, document)
	if purged {
		document.Entries = slices.DeleteFunc(document.Entries, func(e Entry) bool { return e.ID != "" })
		w.SetProblem(aboutEdited, room.Warning("The edited copy is from before the memory was purged.",
			"Its entries were left out, but for those without an id. Remove the ids of others to add them again."))
	}
	if err == nil {
		_, err = w.Apply(ctx, change.Actor{Agent: "hand edit"}, func() ([]change.Change, error) {
			if in.CopyStamp() != stamp { // it was edited again, or purged
				return nil, store.ErrEdited
			}
			return s.room().Import(document, base)
		})
	}
	if errors.Is(err, store.ErrEdited) {
		return err // the next poll imports what is there now
	}
	var loss *LossError
	if errors.As(err, &loss) {
		return s.setAside(ctx, in, doc, err, "No entry was removed. To keep them, do nothing, and put "+
			"other edits into the new "+store.CopyName+". To remove them, use the panel or wm/memory/remove, "+
			"or delete at most half at a time.")
	}
	if err != nil {
		w.SetProblem(aboutCopy, room.Failure("The edited copy could not be imported: "+err.Error(),
			"Correct the file; it was left as it is."))
		return err
	}
	for _, broken := range document.Broken {
		message := fmt.Sprintf("Entry %d of the edited copy could not be read: %v", broken.Index+1, broken.Err)
		w.SetProblem(aboutEdited, room.Warning(message, "It was left out; the other edits were taken over."))
	}
	return s.written(in.ReplaceCopy(ctx, doc, s.encode))
}

// setAside renames a copy that is not imported, and has a new one written. fix tells
// a person what to do with it.
func (s *Service) setAside(ctx context.Context, in Copies, judged []byte, cause error, fix string) error {
	w := s.workspace
	name, err := in.SetCopyAside(ctx, judged, w.Now(), gate.Document)
	if errors.Is(err, store.ErrEdited) {
		s.writeAfter(SettleFor)
		return err
	}
	if err != nil {
		w.SetProblem(aboutCopy, room.Failure(err.Error(), "Move the file away; it is written anew."))
		return err
	}
	s.writeSoon()
	w.SetProblem(aboutEdited, room.Warning(cause.Error(), "What you wrote was kept as "+name+". "+fix))
	return nil
}

// baseOf returns the active entries as they were when a copy was written, and whether the
// memory was purged since.
func (s *Service) baseOf(
	ctx context.Context, in Copies, document Document,
) (base []Entry, purged bool, err error) {
	env := s.room().env
	env.Retired = nil // which are those of now
	then := New(env)
	history, err := in.History(ctx, document.Seq)
	if err != nil {
		return nil, false, err
	}
	purged = document.Seq < history.Cleared
	room.LoadReadable(then, history.Rows[then.Name()])
	if document.Seq < history.Seq {
		return then.BaseOf(document), purged, nil
	}
	for _, c := range history.Changes {
		if _, err := then.Fold(c); err != nil {
			return nil, purged, err
		}
	}
	return then.List(nil, false), purged, nil
}

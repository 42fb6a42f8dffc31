package longterm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// The readable copy is written copyAfter after a change, but not within copyEvery after any
// process has written it.
const (
	copyAfter = 50 * time.Millisecond
	copyEvery = time.Second
	// copySpread is how much longer a process waits at most, at random, so that not all of many
	// processes encode the copy at once. It is multiplied by the number of other processes that
	// write, which is spreadMost at most; the first of them writes what all have added.
	copySpread = copyEvery / 2
	spreadMost = 16
	// copyRetry is when writing it is tried again after an error.
	copyRetry = 2 * time.Second
)

// SettleFor is how long the readable copy must not change before an edit of it is imported,
// because editors truncate a file before they write it.
const SettleFor = 200 * time.Millisecond

// The subjects of problems.
const (
	aboutCopy   = "readable copy"
	aboutEdited = "edited copy"
)

// A Workspace is a workspace as this service uses it.
type Workspace interface {
	room.Host
	// Root returns the folder that the workspace is the memory of, Key its key, and Dir the folder of the memory.
	Root() string
	Key() string
	Dir() string
	// Copies returns the store of the readable copy. The error is room.ErrStore if it is
	// not open.
	Copies() (Copies, error)
	// Refresh folds what other processes have written. It must not be called in a
	// transaction.
	Refresh(ctx context.Context)
	// CatchUp is Refresh in a transaction.
	CatchUp(tx store.Tx) error
	// Seq returns the position of the latest folded change.
	Seq() int64
	// Own reports whether this process has written a change.
	Own(c change.Change) bool
	// Writers returns how many other processes have written lately.
	Writers() int
}

// Copies is the store of the readable copy.
type Copies interface {
	// CopyStamp returns a value that differs after the copy was modified. It may be called
	// in a transaction.
	CopyStamp() store.CopyStamp
	// IsWrittenCopy reports whether a stamp is that of the copy that the store wrote last.
	IsWrittenCopy(ctx context.Context, stamp store.CopyStamp) bool
	// ReadCopy returns the copy, or nil if there is none, and whether it differs from the
	// one that the store wrote last.
	ReadCopy(ctx context.Context) (doc []byte, edited bool, err error)
	// WriteCopy replaces the copy by what build returns. If there is an edit that was not
	// imported, nothing is written and the error is store.ErrEdited.
	WriteCopy(ctx context.Context, build func(store.Tx) ([]byte, error)) error
	// ReplaceCopy writes the copy after an edit was imported. imported is the content that
	// the caller read. If the copy was edited since, the error is store.ErrEdited.
	ReplaceCopy(ctx context.Context, imported []byte, build func(store.Tx) ([]byte, error)) error
	// SetCopyAside renames a copy that is not imported, and returns its new name. judged is
	// the content that the caller read. clean redacts what is kept. If the copy was edited
	// since, the error is store.ErrEdited.
	SetCopyAside(ctx context.Context, judged []byte, now time.Time, clean func(doc []byte) []byte) (string, error)
	// RemoveCopy deletes the copy, and reports whether there was one. It may be called in a
	// transaction.
	RemoveCopy() (bool, error)
	// History returns how the memory came to be as it was after the change seq.
	History(ctx context.Context, seq int64) (store.History, error)
}

// A Service writes the readable copy of the entries and imports hand edits of it. It is called
// on the queue of the workspace.
type Service struct {
	workspace Workspace
	due       bool            // the copy is to be written
	seen      store.CopyStamp // of the copy at the last poll
	settling  settling        // an edit that may not be complete
	changed   int64           // the latest change of this process that the copy must include
	compared  bool            // the copy was compared since the opening
}

// settling is the stamp of the readable copy and when it was first seen.
type settling struct {
	stamp store.CopyStamp
	since time.Time
}

// NewService returns the service of a workspace.
func NewService(workspace Workspace) *Service { return &Service{workspace: workspace} }

func (s *Service) room() *Room { return room.Of[*Room](s.workspace) }

func (s *Service) document() Document {
	w := s.workspace
	return s.room().Document(DocumentWorkspace{Root: w.Root(), Key: w.Key()}, w.Seq(), w.Now())
}

// Salvage returns the readable copy of the entries in memory.
func (s *Service) Salvage() ([]byte, error) { return s.document().Encode() }

// A draftCopy is the text of the readable copy that was encoded before the lock was taken.
type draftCopy struct {
	entries *Room
	doc     []byte
	err     error
}

// encode returns the text of the readable copy, of what all processes have written. Its
// entries passed the gate before; the path of the workspace did not.
func (s *Service) encode() draftCopy {
	doc, err := s.document().Encode()
	return draftCopy{s.room(), gate.DocumentExcept(doc, s.room().Spares), err}
}

// build returns a function that returns the draft in the transaction that writes it. Other
// processes wait meanwhile. Only if one of them has erased what the draft may hold, which
// replaces the room, the copy is encoded once more. Whoever added something later writes it.
func (s *Service) build(draft draftCopy) func(store.Tx) ([]byte, error) {
	return func(tx store.Tx) ([]byte, error) {
		if err := s.workspace.CatchUp(tx); err != nil {
			return nil, err
		}
		if s.room() != draft.entries {
			draft = s.encode()
		}
		return draft.doc, draft.err
	}
}

// Committed schedules the writing of the readable copy if this process has written a change of
// an entry.
func (s *Service) Committed(changes []change.Change) {
	for _, c := range changes {
		if c.Kind.Noun() == Noun && s.workspace.Own(c) {
			s.changed = c.Seq
			s.writeSoon()
		}
	}
}

// spread returns how much longer than copyEvery a process waits at most, while a number of others
// write.
func spread(writers int) time.Duration {
	return time.Duration(min(max(writers, 1), spreadMost)) * copySpread
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

// writeIfDue writes the readable copy, unless it includes the changes of this process already,
// or another process has just written it.
func (s *Service) writeIfDue(ctx context.Context) {
	s.due = false
	in, err := s.workspace.Copies()
	if err != nil {
		return
	}
	if recent := time.Since(in.CopyStamp().Modified); recent >= 0 && recent < copyEvery {
		s.writeAfter(copyEvery - recent + rand.N(spread(s.workspace.Writers())))
		return
	}
	if doc, edited, err := in.ReadCopy(ctx); err == nil && !edited && doc != nil {
		var head struct {
			Seq int64 `json:"seq"`
		}
		if json.Unmarshal(doc, &head) == nil && head.Seq >= s.changed {
			s.workspace.ClearProblem(aboutCopy)
			return
		}
	}
	_ = s.WriteCopy(ctx) // what fails is a problem of the workspace
}

// Flush writes the readable copy if that is scheduled.
func (s *Service) Flush(ctx context.Context) {
	if s.due {
		_ = s.WriteCopy(ctx) // what fails is a problem of the workspace
	}
}

// WriteCopy writes the readable copy. A hand edit is imported first. If the edit may not be
// complete, the error is store.ErrEdited, and the copy is written after SettleFor. Other
// errors are reported as problems.
func (s *Service) WriteCopy(ctx context.Context) error {
	s.due = false
	in, err := s.workspace.Copies()
	if err != nil {
		return err
	}
	s.workspace.Refresh(ctx)
	err = in.WriteCopy(ctx, s.build(s.encode()))
	if errors.Is(err, store.ErrEdited) {
		return s.importCopy(ctx, in)
	}
	return s.written(err)
}

// written reports an error of writing the copy as a problem, and returns the error.
func (s *Service) written(err error) error {
	switch {
	case err == nil:
		// The next poll reads the copy, which may have been edited since.
		s.workspace.ClearProblem(aboutCopy)
	case errors.Is(err, store.ErrReplaced) || errors.Is(err, store.ErrRemade):
		s.writeSoon() // when the workspace has reloaded its state
	case errors.Is(err, store.ErrBusy): // a problem of the workspace
		s.writeAfter(copyEvery)
	case !errors.Is(err, store.ErrEdited):
		s.workspace.SetProblem(aboutCopy, room.Warning("The readable copy could not be written: "+fault.Plain(err),
			"The memory itself is safe in the database. Writing the copy is tried again."))
		s.writeAfter(copyRetry)
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

// Opened imports the readable copy if it was edited while no process ran.
func (s *Service) Opened(ctx context.Context) {
	s.compared = false
	s.importEdited(ctx)
}

// Poll imports the readable copy if it was edited. The first time after the opening it also compares it: the
// process that had to write it may have been killed.
func (s *Service) Poll(ctx context.Context) {
	if s.compared {
		s.importEdited(ctx)
		return
	}
	s.compared = true
	s.compare(ctx)
}

// importEdited imports the readable copy if it was edited since it was last looked at.
func (s *Service) importEdited(ctx context.Context) {
	seen := s.stamp()
	if seen == s.seen {
		return
	}
	s.seen = seen
	in, err := s.workspace.Copies()
	if err != nil || in.IsWrittenCopy(ctx, seen) { // at the start it need not be read
		return
	}
	_ = s.importCopy(ctx, in) // what fails is a problem of the workspace
}

// Waiting reports whether the readable copy has a hand edit that is not imported yet. The error is a CorruptError if it
// cannot be.
func (s *Service) Waiting(ctx context.Context) (bool, error) {
	in, err := s.workspace.Copies()
	if err != nil {
		return false, nil
	}
	stamp := in.CopyStamp()
	if stamp == (store.CopyStamp{}) || in.IsWrittenCopy(ctx, stamp) {
		return false, nil
	}
	doc, edited, err := in.ReadCopy(ctx)
	if err != nil || !edited {
		return false, nil
	}
	var corrupt *CorruptError
	if _, err := ParseDocument(doc); errors.As(err, &corrupt) {
		return true, corrupt
	}
	return true, nil
}

// compare schedules the writing of the readable copy if its entries differ from the memory.
func (s *Service) compare(ctx context.Context) {
	in, err := s.workspace.Copies()
	if err != nil {
		return
	}
	doc, edited, err := in.ReadCopy(ctx)
	if err != nil || edited { // which its stamp may not tell where the times of files are coarse
		_ = s.importCopy(ctx, in) // what fails is a problem of the workspace
		return
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

// importCopy imports hand edits of the readable copy, which is then replaced or set aside.
// Errors are reported as problems. If the edit may not be complete, it is imported later.
func (s *Service) importCopy(ctx context.Context, in Copies) error {
	w := s.workspace
	stamp := s.stamp()
	doc, edited, err := in.ReadCopy(ctx)
	if errors.Is(err, store.ErrBusy) { // a problem of the workspace
		s.seen = store.CopyStamp{}
		return err
	}
	if err != nil {
		w.SetProblem(aboutCopy, room.Warning(fault.Plain(err), "Move the file away; it is written anew."))
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
			"other edits into the new "+store.CopyName+". To remove them, use wm-lsp forget or the panel, "+
			"or delete at most half at a time.")
	}
	if err != nil {
		w.SetProblem(aboutCopy, room.Failure("The edited copy could not be imported: "+fault.Plain(err),
			"Correct the file; it was left as it is."))
		return err
	}
	for _, broken := range document.Broken {
		message := fmt.Sprintf("Entry %d of the edited copy could not be read: %v", broken.Index+1, broken.Err)
		w.SetProblem(aboutEdited, room.Warning(message, "It was left out; the other edits were taken over."))
	}
	return s.written(in.ReplaceCopy(ctx, doc, s.build(s.encode())))
}

// setAside renames a copy that is not imported, and schedules the writing of a new one. fix
// tells a person what to do with it.
func (s *Service) setAside(ctx context.Context, in Copies, judged []byte, cause error, fix string) error {
	w := s.workspace
	name, err := in.SetCopyAside(ctx, judged, w.Now(), gate.Document)
	if errors.Is(err, store.ErrEdited) {
		s.writeAfter(SettleFor)
		return err
	}
	if err != nil {
		w.SetProblem(aboutCopy, room.Failure(fault.Plain(err), "Move the file away; it is written anew."))
		return err
	}
	s.writeSoon()
	w.SetProblem(aboutEdited, room.Warning(cause.Error(),
		"What you wrote was kept as "+filepath.Join(w.Dir(), name)+". "+fix))
	return nil
}

// baseOf returns the active entries when a copy was written, and whether the memory was purged
// since.
func (s *Service) baseOf(
	ctx context.Context, in Copies, document Document,
) (base []Entry, purged bool, err error) {
	env := s.room().env
	env.Retired = nil // it reads the current rows
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

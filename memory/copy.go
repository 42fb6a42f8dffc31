package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// copyAfter is how long the readable copy may lag behind the memory.
const copyAfter = 50 * time.Millisecond

const longtermNoun = "memory"

// copyStamp tells whether the file of the copy was touched.
type copyStamp struct {
	modified time.Time
	size     int64
}

func (w *Workspace) document() longterm.Document {
	return RoomOf[*longterm.Room](w).Document(longterm.DocumentWorkspace{Root: w.root, Key: w.key}, w.seq, w.now())
}

// encodeDocument returns the text of the readable copy, of what all processes have
// written: one of them may just have erased what this one still holds. Its entries
// passed the gate before; the path of the workspace did not.
func (w *Workspace) encodeDocument(tx *store.Tx) ([]byte, error) {
	if err := w.catchUp(tx); err != nil {
		return nil, err
	}
	doc, err := w.document().Encode()
	return gate.Document(doc), err
}

// copySoon has the readable copy written when what changes now is done.
func (w *Workspace) copySoon() {
	if w.copyDue {
		return
	}
	w.copyDue = true
	time.AfterFunc(copyAfter, func() {
		w.queue.put(func() { w.writeCopy(context.Background()) })
	})
}

// writeCopy writes the readable copy; a hand edit that it finds is imported first.
func (w *Workspace) writeCopy(ctx context.Context) {
	w.copyDue = false
	s := w.store.Load()
	if s == nil {
		return
	}
	err := s.WriteCopy(ctx, w.encodeDocument)
	if errors.Is(err, store.ErrEdited) {
		w.importCopy(ctx)
		return
	}
	w.copyWritten(err)
}

func (w *Workspace) copyWritten(err error) {
	switch {
	case err == nil:
		w.clearProblem(aboutCopy)
		w.copySeen = w.stampOfCopy()
	case !errors.Is(err, store.ErrReplaced) && !errors.Is(err, store.ErrEdited):
		w.setProblem(aboutCopy, room.Warning("The readable copy could not be written: "+err.Error(), "The memory itself is safe in the database."))
	}
}

func (w *Workspace) stampOfCopy() copyStamp {
	info, err := os.Stat(filepath.Join(w.dir, store.CopyName))
	if err != nil {
		return copyStamp{}
	}
	return copyStamp{info.ModTime(), info.Size()}
}

// checkCopy imports the readable copy if somebody edited it.
func (w *Workspace) checkCopy(ctx context.Context) {
	seen := w.stampOfCopy()
	if seen == w.copySeen {
		return
	}
	w.copySeen = seen
	w.importCopy(ctx)
}

// importCopy takes over what was edited by hand in the readable copy.
func (w *Workspace) importCopy(ctx context.Context) {
	s := w.store.Load()
	doc, edited, err := s.ReadCopy(ctx)
	if err != nil {
		w.setProblem(aboutCopy, room.Warning(err.Error(), "Move the file away; it is written anew."))
		return
	}
	if !edited {
		return
	}
	document, err := longterm.ParseDocument(doc)
	var newer *longterm.NewerError
	switch {
	case errors.As(err, &newer):
		w.setProblem(aboutCopy, room.Failure(err.Error(), "Install the newest wm-lsp. The file was left as it is."))
		return
	case err != nil:
		name, asideErr := s.SetCopyAside(ctx, w.now(), gate.Document)
		if asideErr != nil {
			w.setProblem(aboutCopy, room.Failure(asideErr.Error(), "Move the file away; it is written anew."))
			return
		}
		w.copySoon()
		w.setProblem("edited copy", room.Warning(err.Error(),
			"What you wrote was kept as "+name+". Correct it and put its entries into the new "+store.CopyName+"."))
		return
	}
	base, err := w.entriesAt(ctx, document.Seq)
	if err == nil {
		_, err = w.Apply(ctx, change.Actor{Agent: "hand edit"}, func() ([]change.Change, error) { return RoomOf[*longterm.Room](w).Import(document, base) })
	}
	if err != nil {
		w.setProblem(aboutCopy, room.Failure("The edited copy could not be imported: "+err.Error(), "Correct the file; it was left as it is."))
		return
	}
	for _, broken := range document.Broken {
		w.setProblem("edited copy", room.Warning(fmt.Sprintf("Entry %d of the edited copy could not be read: %v", broken.Index+1, broken.Err),
			"It was left out; the other edits were taken over."))
	}
	w.copyWritten(s.ReplaceCopy(ctx, doc, w.encodeDocument))
}

// entriesAt returns the active entries as they were after the change seq.
func (w *Workspace) entriesAt(ctx context.Context, seq int64) ([]longterm.Entry, error) {
	entries, _ := room.Find[*longterm.Room](w.newRooms().list)
	s := w.store.Load()
	history, err := s.History(ctx, seq)
	if err != nil {
		return nil, err
	}
	if err := entries.Load(history.Rows[entries.Name()]); err != nil {
		return nil, err
	}
	for _, c := range history.Changes {
		if _, err := entries.Fold(c); err != nil {
			return nil, err
		}
	}
	return entries.List(nil, false), nil
}

package memory

import (
	"context"
	"errors"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// recoverFrom recovers after a transaction that failed because the store was damaged, replaced or
// removed. It reports whether the transaction can be tried again.
func (w *Workspace) recoverFrom(ctx context.Context, cause error) bool {
	switch {
	case errors.Is(cause, store.ErrRemade):
		w.remade(ctx)
	case errors.Is(cause, store.ErrReplaced):
		if err := w.reloadReplaced(ctx); err != nil {
			_ = w.failed(err)
			return false
		}
	case errors.Is(cause, store.ErrCorrupt):
		w.replaceDamaged(ctx, cause)
	default:
		return false
	}
	return true
}

// remade restores the other files after the folder of the workspace was removed and the
// database was written again.
func (w *Workspace) remade(ctx context.Context) {
	w.problems.set(aboutRemoved, room.Warning(
		"The folder of the memory was removed while it was in use: "+w.dir+
			". It was created again with the state in memory.",
		"Notes, conversations and kept outputs, which were files in it, are lost. "+
			"To forget everything, use wm/workspace/purge instead of removing the folder."))
	w.restoreFiles()
	_ = ServiceOf[*longterm.Service](w).WriteCopy(ctx) // what fails is a problem of the workspace
}

// restoreFiles restores the file with the name of the machine and the leases of this process,
// if they were removed.
func (w *Workspace) restoreFiles() {
	w.origin.keep()
	w.leases.restore()
}

// reloadReplaced loads the state of a store that another process created again, and adds the
// entries that are missing in it, unless it was purged or restored from a backup.
func (w *Workspace) reloadReplaced(ctx context.Context) error {
	held, salvageErr := w.repairer.salvage()
	if err := w.reload(ctx); err != nil {
		return err
	}
	w.restoreFiles()
	s := w.store.Load()
	history, err := s.History(ctx, w.reader.seq.Load())
	if err != nil || salvageErr != nil || history.Cleared > 0 { // it was purged
		return err
	}
	_, err = w.write(ctx, change.Actor{}, store.Durable, func(tx store.Tx) ([]change.Change, error) {
		if restored, err := tx.Meta(store.RestoredKey); err != nil || restored != "" {
			return nil, err
		}
		return rebuiltFrom(held, w.rooms.Load().list)
	}, nil)
	return err
}

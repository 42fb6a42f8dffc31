package memory

import (
	"context"
	"errors"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// regain brings the workspace and its store together again after a transaction that failed
// because the store is damaged, replaced or removed. It reports whether the transaction can
// be tried again.
func (w *Workspace) regain(ctx context.Context, cause error) bool {
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

// remade restores what belongs to the database after its folder was removed and the
// database was written again.
func (w *Workspace) remade(ctx context.Context) {
	w.problems.set(aboutRemoved, room.Warning(
		"The folder of the memory was removed while it was in use: "+w.dir+
			". It was made anew with what the memory held.",
		"Notes, conversations and kept outputs were files in it and are gone. "+
			"To forget everything, use wm/workspace/purge instead of removing the folder."))
	w.restoreFiles()
	_ = ServiceOf[*longterm.Service](w).WriteCopy(ctx) // what fails is a problem of the workspace
}

// restoreFiles writes the name of the machine again, and takes the leases of this process
// again, if their files were removed.
func (w *Workspace) restoreFiles() {
	w.origin.keep()
	w.leases.restore()
}

// reloadReplaced loads the state of a store that another process made anew, and adds the
// entries that are missing in it.
func (w *Workspace) reloadReplaced(ctx context.Context) error {
	held, salvageErr := w.repairer.salvage()
	if err := w.reload(ctx); err != nil {
		return err
	}
	w.restoreFiles()
	s := w.store.Load()
	history, err := s.History(ctx, w.seq)
	if err != nil || salvageErr != nil || history.Cleared > 0 { // it was purged: nothing comes back
		return err
	}
	_, err = w.write(ctx, change.Actor{}, store.Durable, func() (changes []change.Change, err error) {
		each(w.rooms, func(r room.Rebuilder) {
			rebuilt, rebuildErr := r.RebuildFrom(held)
			changes, err = append(changes, rebuilt...), errors.Join(err, rebuildErr)
		})
		return changes, err
	}, nil)
	return err
}

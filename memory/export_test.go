package memory

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
)

// Replay folds changes over rows in rooms of their own.
func Replay(w *Workspace, rows map[string][]change.Row, changes []change.Change) (map[string][]change.Row, error) {
	return w.replay(rows, changes)
}

// Poll does what is done every second. It is called on the queue.
func Poll(w *Workspace) { w.poll(context.Background()) }

// RemoveUnused removes the folder of a session that has ended and was not used. It is called
// on the queue.
func RemoveUnused(w *Workspace, session string) { w.removeUnused(context.Background(), session) }

// WriteCopy writes the readable copy. It is called on the queue.
func WriteCopy(w *Workspace) { ServiceOf[*longterm.Service](w).WriteCopy(context.Background()) }

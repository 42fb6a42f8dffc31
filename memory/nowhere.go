package memory

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/scope"
)

// Nowhere returns the memory of what has none: it can be asked and knows
// nothing, takes no event and keeps nothing. The reason says why.
func Nowhere(reason error, options Options) *Workspace {
	w := newWorkspace(scope.Place{}, options)
	w.nowhere = reason
	return w
}

// NoWorkspace is why nothing can be kept here; nil where it can.
func (w *Workspace) NoWorkspace() error {
	if w.nowhere == nil {
		return nil
	}
	if w.nowhere == scope.ErrNoWorkspace {
		return fmt.Errorf("%w: no folder is open, and memory belongs to a folder; open one, or name one as workspace", scope.ErrNoWorkspace)
	}
	return w.nowhere
}

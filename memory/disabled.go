package memory

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/scope"
)

// Disabled returns a workspace without memory. It can be read and is empty. It ignores
// events and keeps nothing.
func Disabled(reason error, options Options) *Workspace {
	w := newWorkspace(scope.Place{}, options)
	if reason == scope.ErrNoWorkspace {
		reason = fmt.Errorf("%w: no folder is open, and memory belongs to a folder; "+
			"open one, or name one as workspace", scope.ErrNoWorkspace)
	}
	w.store.disabled = reason
	return w
}

// NoWorkspace returns the reason if the workspace is disabled, otherwise nil.
func (w *Workspace) NoWorkspace() error { return w.store.disabled }

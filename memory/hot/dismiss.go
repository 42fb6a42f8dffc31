package hot

import (
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// dismissal is the payload of ErrorDismissed. The subject is the fingerprint.
type dismissal struct {
	Worktree string `json:"worktree"`
	// Undone is true if the error is shown again.
	Undone bool `json:"undone,omitempty"`
}

// Dismiss returns the change by which a person dismisses an error, or shows a dismissed one again, and
// the error. What the sources report now is not shown any more; what they report anew is.
func (r *Room) Dismiss(worktree, fingerprint string, undo bool) (Error, []change.Change, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	e, there := r.errors[key(errorTable, worktree, fingerprint)]
	switch {
	case !there:
		return Error{}, nil, fault.Missing(fingerprint, "no error with the fingerprint %q is open", fingerprint)
	case e.isDismissed() == !undo:
		return e, nil, nil
	}
	payload := dismissal{Worktree: worktree, Undone: undo}
	return e, []change.Change{change.New(ErrorDismissed, fingerprint, payload)}, nil
}

// isDismissed reports whether a person has dismissed all that the sources report.
func (e Error) isDismissed() bool {
	return !slices.ContainsFunc(e.Sources, func(s Source) bool { return !s.Dismissed })
}

func (r *Room) foldDismissed(c change.Change) ([]change.Row, error) {
	var p dismissal
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	k := key(errorTable, p.Worktree, c.Subject)
	e, there := r.errors[k]
	if !there {
		return nil, nil
	}
	e.Sources = slices.Clone(e.Sources)
	for i, s := range e.Sources {
		if !s.SeenAt.After(c.At) {
			e.Sources[i].Dismissed = !p.Undone
		}
	}
	return []change.Row{r.errors.Put(k, e)}, nil
}

// staysDismissed reports whether what a source reports was dismissed. A language server reports an error
// as long as it is there; a command reports it anew when it is run.
func (e Error) staysDismissed(p seen) bool {
	return p.Origin == Diagnostic && !p.Again && slices.ContainsFunc(e.Sources, func(s Source) bool {
		return s.Origin == Diagnostic && s.Dismissed
	})
}

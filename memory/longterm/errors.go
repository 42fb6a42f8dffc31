package longterm

import "github.com/wm-lsp/wm-lsp/memory/fault"

func tooManyPinned(limit int) error {
	return fault.Refuse(fault.Limit, fault.Data{Max: limit},
		"%d entries are pinned, more are not allowed: unpin one first", limit)
}

func allPinned(limit int) error {
	return fault.Refuse(fault.Limit, fault.Data{Max: limit},
		"the memory holds %d entries and all are pinned: unpin or remove one first", limit)
}

func notFound(id string) error {
	return fault.Missing(id, "there is no memory %q", id)
}

// notActive returns the fault for an edit of an inactive entry.
func notActive(id string, status Status) error {
	return fault.Missing(id, "memory %q is %s: restore it first", id, status)
}

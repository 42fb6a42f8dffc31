package longterm

import "fmt"

// FieldError says which parameter cannot be used, and why: the server answers -32602.
type FieldError struct{ Field, Reason string }

func (e *FieldError) Error() string { return e.Field + ": " + e.Reason }

// LimitError says that a limit keeps the change from being made: the server
// answers -32803.
type LimitError struct {
	Reason string // always "limit"
	Max    int
	detail string
}

func (e *LimitError) Error() string { return e.detail }

func tooManyPinned(limit int) error {
	return &LimitError{Reason: "limit", Max: limit,
		detail: fmt.Sprintf("%d entries are pinned, more are not allowed: unpin one first", limit)}
}

func allPinned(limit int) error {
	return &LimitError{Reason: "limit", Max: limit,
		detail: fmt.Sprintf("the memory holds %d entries and all are pinned: unpin or remove one first", limit)}
}

// NotFoundError says that there is no entry with the id, or that it is not in the
// status that the operation needs: the server answers -32803.
type NotFoundError struct {
	ID string
	// Status is the status of the entry, empty if there is none with the id.
	Status Status
}

func (e *NotFoundError) Error() string {
	if e.Status == "" {
		return fmt.Sprintf("there is no memory %q", e.ID)
	}
	return fmt.Sprintf("memory %q is %s: restore it first", e.ID, e.Status)
}

// Package fault is the one error type with which an operation fails in a way that
// its caller can act on. Rooms return it; each face maps it to its own form once.
package fault

import (
	"context"
	"errors"
	"fmt"
)

// A Kind says who has to do something about a fault.
type Kind int

// The kinds.
const (
	// Internal is a fault of the program.
	Internal Kind = iota
	// Params is a parameter that cannot be used, see Fault.Field.
	Params
	// Refused is a request with usable parameters that cannot be followed, see
	// Fault.Reason. Nothing was changed.
	Refused
	// Cancelled is a request that the caller took back. Nothing was changed.
	Cancelled
)

// A Reason says why a request was refused, for programs.
type Reason string

// The reasons.
const (
	Limit       Reason = "limit"       // A limit would be exceeded.
	Conflict    Reason = "conflict"    // Somebody else changed it meanwhile.
	NotFound    Reason = "notFound"    // There is nothing with this id.
	NoWorkspace Reason = "noWorkspace" // No folder is open, so nothing can be kept.
	Store       Reason = "store"       // The disk did not take it.
	Paused      Reason = "paused"      // Recording is paused.
)

// Data are the details of a refusal. Those that do not apply are zero.
type Data struct {
	// ID of what was not found.
	ID string
	// Max is the limit that would be exceeded, Used how much there is or would be.
	Max, Used int
	// Chars is how long a text would be, MaxChars how long it may be.
	Chars, MaxChars int
	// Revision is that of a note which was changed meanwhile, Kept that of the
	// text which was not written.
	Revision, Kept string
}

// A Fault is an error with what a caller has to know of it.
type Fault struct {
	Kind Kind
	// Field is the parameter that is wrong, with dots for members within; empty
	// if the parameters as a whole are. Only with Params.
	Field string
	// Reason is empty if there is none of the list. Only with Refused.
	Reason Reason
	// Message says what happened and what to do, without the field.
	Message string
	Data    Data
}

func (f *Fault) Error() string {
	if f.Field != "" {
		return f.Field + ": " + f.Message
	}
	return f.Message
}

// Invalid returns a fault of a parameter.
func Invalid(field, format string, args ...any) *Fault {
	return &Fault{Kind: Params, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Refuse returns a refusal.
func Refuse(reason Reason, data Data, format string, args ...any) *Fault {
	return &Fault{Kind: Refused, Reason: reason, Data: data, Message: fmt.Sprintf(format, args...)}
}

// Missing returns the refusal of a request for something that is not there.
func Missing(id, format string, args ...any) *Fault {
	return Refuse(NotFound, Data{ID: id}, format, args...)
}

// Has reports whether an error is, or wraps, a refusal with this reason.
func Has(err error, reason Reason) bool {
	var f *Fault
	return errors.As(err, &f) && f.Kind == Refused && f.Reason == reason
}

// Of returns the fault that an error is. One that wraps a fault has its kind and
// its details, and the message of the whole error; what is no fault is Internal.
// It returns nil if there is no error.
func Of(err error) *Fault {
	if err == nil {
		return nil
	}
	if f, is := err.(*Fault); is {
		return f
	}
	var f *Fault
	switch {
	case errors.As(err, &f) && f.Kind == Params:
		return f
	case f != nil:
		whole := *f
		whole.Message = err.Error()
		return &whole
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Fault{Kind: Cancelled, Message: "the request was cancelled; nothing was changed"}
	}
	return &Fault{Kind: Internal, Message: err.Error()}
}

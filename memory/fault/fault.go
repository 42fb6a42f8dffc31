// Package fault defines the error type for failures that a caller can act on. Rooms and
// services return it, and each protocol maps it once.
package fault

import (
	"context"
	"errors"
	"fmt"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// A Kind is the kind of a fault.
type Kind int

// The kinds.
const (
	// Internal is an error of the program or its environment.
	Internal Kind = iota
	// Params is an invalid parameter, see Fault.Field.
	Params
	// Refused is a refused request with valid parameters, see Fault.Reason. Nothing was
	// changed.
	Refused
	// Cancelled is a request that the caller cancelled. Nothing was changed.
	Cancelled
)

// A Reason is the reason of a refusal, for programs.
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

// Data holds the details of a refusal. Fields that do not apply are zero.
type Data struct {
	// ID is the id that was not found.
	ID string
	// Max is the limit that would be exceeded, Used the current or resulting amount.
	Max, Used int
	// Chars is the resulting length of a string, MaxChars the maximum.
	Chars, MaxChars int
	// Revision is the revision of what was changed meanwhile, empty if it is gone. Kept is that
	// of the text of a note that was not written.
	Revision, Kept string
}

// A Fault is an error with the information that a caller needs.
type Fault struct {
	Kind Kind
	// Field is the path of the invalid parameter, such as items.createdAt. It is empty if
	// the parameters as a whole are invalid. Only with Params.
	Field string
	// Reason is empty if no Reason applies. Only with Refused.
	Reason Reason
	// Message is what happened and what to do. It does not include the field.
	Message string
	Data    Data
}

func (f *Fault) Error() string {
	if f.Field != "" {
		return f.Field + ": " + f.Message
	}
	return f.Message
}

// Invalid returns a fault for an invalid parameter.
func Invalid(field, format string, args ...any) *Fault {
	return &Fault{Kind: Params, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Refuse returns a refusal.
func Refuse(reason Reason, data Data, format string, args ...any) *Fault {
	return &Fault{Kind: Refused, Reason: reason, Data: data, Message: fmt.Sprintf(format, args...)}
}

// maxQuoted is how much of an id that is not known is quoted in a message, in bytes.
const maxQuoted = 200

// Missing returns a refusal with the reason NotFound. Arguments that are the id are shortened.
func Missing(id, format string, args ...any) *Fault {
	for i, arg := range args {
		if arg == id {
			args[i] = shorten.Bytes(id, maxQuoted)
		}
	}
	return Refuse(NotFound, Data{ID: id}, format, args...)
}

// Has reports whether an error is or wraps a refusal with a reason.
func Has(err error, reason Reason) bool {
	var f *Fault
	return errors.As(err, &f) && f.Kind == Refused && f.Reason == reason
}

// Of returns an error as a fault. An error that wraps a fault keeps the kind and details of
// the fault, with the plain message of the whole error. Other errors are Internal. It returns nil
// for nil.
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
		whole.Message = Plain(err)
		return &whole
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Fault{Kind: Cancelled, Message: "the request was cancelled; nothing was changed"}
	}
	return &Fault{Kind: Internal, Message: Plain(err)}
}

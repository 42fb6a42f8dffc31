package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// invalidParams is an error of the params of a request, -32602.
type invalidParams struct{ wire.InvalidParams }

func (e *invalidParams) Error() string {
	if e.Field == "" {
		return "the params are wrong: " + e.Reason
	}
	return fmt.Sprintf("the member %s of the params is wrong: %s", e.Field, e.Reason)
}

func badParam(field, format string, args ...any) error {
	return &invalidParams{wire.InvalidParams{Field: field, Reason: fmt.Sprintf(format, args...)}}
}

// wireError gives every error its code and data (protocol.md, "Errors"). What
// has none of its own is a fault of the server.
func wireError(err error) error {
	if err == nil {
		return nil
	}
	var (
		already  *jsonrpc2.Error
		params   *invalidParams
		field    *longterm.FieldError
		limit    *longterm.LimitError
		notFound *longterm.NotFoundError
		early    *StateError
		tooLong  *core.Limit
		longItem *working.LengthError
		noSlot   *working.SlotError
		badPath  *notes.PathError
		noNote   *notes.NotFoundError
		conflict *notes.ConflictError
		large    *notes.SizeError
		badShape *notes.ShapeError
		badEvent *overview.EventError
		deleted  *memory.DeletedError
		unknown  *memory.UnknownError
	)
	switch {
	case errors.As(err, &already):
		return already
	case errors.As(err, &params):
		return withData(wire.CodeInvalidParams, err, params.InvalidParams)
	case errors.As(err, &field):
		return withData(wire.CodeInvalidParams, err, wire.InvalidParams{Field: field.Field, Reason: field.Reason})
	case errors.As(err, &early):
		return jsonrpc2.NewError(early.code(), err.Error())
	case errors.As(err, &limit):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalLimit, Max: limit.Max})
	case errors.As(err, &tooLong):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalLimit, Chars: tooLong.Chars, MaxChars: tooLong.MaxChars})
	case errors.As(err, &longItem):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalLimit, Chars: longItem.Chars, MaxChars: working.MaxChars})
	case errors.As(err, &noSlot):
		return withData(wire.CodeInvalidParams, err, wire.InvalidParams{Field: "slot", Reason: noSlot.Error()})
	case errors.As(err, &badPath):
		return withData(wire.CodeInvalidParams, err, wire.InvalidParams{Field: "path", Reason: badPath.Error()})
	case errors.As(err, &noNote):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalNotFound, ID: noNote.Path})
	case errors.As(err, &conflict):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalConflict, Revision: wire.Revision(conflict.Revision), Kept: wire.Revision(conflict.Kept)})
	case errors.As(err, &large):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalLimit, Used: int(large.Bytes), Max: notes.MaxBytes})
	case errors.As(err, &badShape):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalConflict})
	case errors.As(err, &badEvent):
		return withData(wire.CodeInvalidParams, err, wire.InvalidParams{Field: badEvent.Field, Reason: badEvent.Reason})
	case errors.As(err, &notFound):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalNotFound, ID: notFound.ID})
	case errors.As(err, &deleted):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalNotFound, ID: deleted.Session})
	case errors.As(err, &unknown):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalNotFound, ID: unknown.Session})
	case errors.Is(err, store.ErrNoOutput), errors.Is(err, history.ErrNotKept):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalNotFound})
	case errors.Is(err, scope.ErrNoWorkspace):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalNoWorkspace})
	case errors.Is(err, memory.ErrStore):
		return withData(wire.CodeRequestFailed, err, wire.Refusal{Reason: wire.RefusalStore})
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return jsonrpc2.NewError(wire.CodeRequestCancelled, "the request was cancelled; nothing was changed")
	}
	return jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
}

func withData(code jsonrpc2.Code, err error, data any) error {
	doc, encodeErr := json.Marshal(data)
	if encodeErr != nil {
		doc = nil
	}
	return &jsonrpc2.Error{Code: code, Message: err.Error(), Data: doc}
}

func notFound(id string) error {
	return withData(wire.CodeRequestFailed, fmt.Errorf("there is nothing with the id %q any more", id), wire.Refusal{Reason: wire.RefusalNotFound, ID: id})
}

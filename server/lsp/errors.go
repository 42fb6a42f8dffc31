package lsp

import (
	"encoding/json"
	"errors"

	"go.lsp.dev/jsonrpc2"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// wireError returns the JSON-RPC error for an error (protocol.md, "Errors").
func wireError(err error) error {
	if err == nil {
		return nil
	}
	var rpc *jsonrpc2.Error
	if errors.As(err, &rpc) {
		return rpc
	}
	var state *stateError
	if errors.As(err, &state) {
		return jsonrpc2.NewError(state.code(), err.Error())
	}
	f := fault.Of(err)
	switch f.Kind {
	case fault.Params:
		return withData(wire.CodeInvalidParams, f, wire.InvalidParams{Field: f.Field, Reason: f.Message})
	case fault.Refused:
		if f.Reason == "" {
			return jsonrpc2.NewError(wire.CodeRequestFailed, f.Error())
		}
		return withData(wire.CodeRequestFailed, f, service.RefusalOf(f))
	case fault.Cancelled:
		return jsonrpc2.NewError(wire.CodeRequestCancelled, f.Error())
	}
	return jsonrpc2.NewError(wire.CodeInternalError, f.Error())
}

func withData(code jsonrpc2.Code, f *fault.Fault, data any) error {
	doc, err := json.Marshal(data)
	if err != nil {
		doc = nil
	}
	return &jsonrpc2.Error{Code: code, Message: f.Error(), Data: doc}
}

package mcp

import (
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// advice is what to do after a refusal.
var advice = map[fault.Reason]string{
	fault.Limit:       "Send less, or make room first, and call again.",
	fault.Conflict:    "Read it again, add your change to what is there now, and write that with its revision.",
	fault.NoWorkspace: "Tell the user. A call can also name a folder: workspace, a URI such as file:///home/me/work.",
	fault.Store:       "Tell the user; wm-lsp has written the cause to its log.",
	fault.Paused:      "Go on without it; the user has paused the recording.",
}

// failed is the structured result of a call that failed.
type failed struct {
	// What happened and what to do next.
	Message string `json:"message"`
	// The parameter that is wrong.
	Field string `json:"field,omitzero"`
	// The reason of a refusal, with its details.
	*wire.Refusal
}

// unchanged is said of a call that could have changed something.
const unchanged = "Nothing was changed. "

// failure returns the result of a call of a method that failed. A model reads it, so it says what
// to do next; missing does if there is nothing with an id or path.
func failure(err error, access wire.Access, missing string) *sdk.CallToolResult {
	before := unchanged
	if access == wire.Reads {
		before = ""
	}
	f := fault.Of(err)
	said := failed{Message: f.Error(), Field: f.Field}
	switch f.Kind {
	case fault.Params:
		if f.Field == "" {
			said.Message = "arguments: " + said.Message
		}
		said.Message = sentences(said.Message, before+"Correct it and call again.")
	case fault.Refused:
		next := advice[f.Reason]
		switch {
		case f.Reason == fault.NotFound:
			next = missing
		case errors.Is(err, service.ErrNoHome):
			next = "Tell the user." // another folder has no memory either
		case f.Reason == fault.Store || f.Reason == fault.Paused:
			next = before + next
		}
		said.Message = sentences(said.Message, next)
		refusal := service.RefusalOf(f)
		said.Refusal = &refusal
	}
	result := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: said.Message}}}
	if doc, err := wire.Encode(map[string]failed{"error": said}); err == nil {
		result.StructuredContent = doc
	}
	return result
}

// sentences joins two strings as sentences.
func sentences(first, second string) string {
	if second == "" {
		return first
	}
	return strings.TrimRight(first, ".") + ". " + second
}

// protocolError returns the error of the protocol for a request that is not a call of a tool.
func protocolError(err error) error {
	f := fault.Of(err)
	code := int64(jsonrpc.CodeInternalError)
	if f.Kind == fault.Params {
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: f.Error()}
}

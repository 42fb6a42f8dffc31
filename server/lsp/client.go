package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// callTimeout is how long the server waits for the result of a request to the client.
const callTimeout = 30 * time.Second

// later calls run on a goroutine of its own, with a context that ends with the connection.
func (s *Server) later(run func(context.Context)) {
	s.background.Go(func() { run(s.life) })
}

// ask sends a request to the client and waits for its result. It must not be called on
// the read loop or on a queue.
func (s *Server) ask(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return s.request(ctx, method, params, result)
}

// request is ask for as long as ctx allows.
func (s *Server) request(ctx context.Context, method string, params, result any) error {
	doc, err := protocol.Marshal(params)
	if err != nil {
		return err
	}
	var reply jsonrpc2.RawMessage
	if _, err := s.conn.Call(ctx, method, jsonrpc2.RawMessage(doc), &reply); err != nil {
		return err
	}
	if result == nil || len(reply) == 0 {
		return nil
	}
	return json.Unmarshal(reply, result)
}

// notifyStandard sends a notification of LSP to the client.
func (s *Server) notifyStandard(ctx context.Context, method string, params any) {
	doc, err := protocol.Marshal(params)
	if err == nil {
		err = s.conn.Notify(ctx, method, jsonrpc2.RawMessage(doc))
	}
	if err != nil {
		s.log.Debug("notify the client", "method", method, "error", err)
	}
}

// showMessage shows a message to the person.
func (s *Server) showMessage(ctx context.Context, message string) {
	s.notifyStandard(ctx, protocol.MethodWindowShowMessage,
		&protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: message})
}

// showDocument opens a file in the editor. It reports whether that succeeded.
func (s *Server) showDocument(ctx context.Context, path string) bool {
	if !s.client.showDocument {
		return false
	}
	focus := true
	var result struct {
		Success bool `json:"success"`
	}
	err := s.ask(ctx, protocol.MethodWindowShowDocument,
		&protocol.ShowDocumentParams{URI: uri.File(path), TakeFocus: &focus}, &result)
	return err == nil && result.Success
}

// client holds the capabilities of the client.
type client struct {
	notifications bool // wants wm/* notifications
	configuration bool // supports workspace/configuration
	watchedFiles  bool // supports registration of file watchers
	showDocument  bool // supports window/showDocument
	asks          bool // supports window/showMessageRequest
	codeActions   bool // supports code actions, and not only commands
	markdown      bool // supports Markdown in hovers
	diagnostics   bool // supports textDocument/publishDiagnostics
}

// setTextDocument reads the capabilities for text documents. A capability that cannot be
// decoded counts as missing.
func (c *client) setTextDocument(capabilities json.RawMessage) {
	var supported struct {
		CodeAction struct {
			LiteralSupport json.RawMessage `json:"codeActionLiteralSupport"`
		} `json:"codeAction"`
		PublishDiagnostics json.RawMessage `json:"publishDiagnostics"`
		Hover              struct {
			ContentFormat []protocol.MarkupKind `json:"contentFormat"`
		} `json:"hover"`
	}
	_ = json.Unmarshal(capabilities, &supported)
	c.codeActions = len(supported.CodeAction.LiteralSupport) > 0
	c.diagnostics = len(supported.PublishDiagnostics) > 0
	c.markdown = slices.Contains(supported.Hover.ContentFormat, protocol.MarkupKindMarkdown)
}

// message is showMessage for the queue: it does not wait for the client.
func (s *Server) message(text string) {
	s.later(func(ctx context.Context) { s.showMessage(ctx, text) })
}

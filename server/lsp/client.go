package lsp

import (
	"context"
	"encoding/json"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// askWithin is how long a client may take to answer a question of the server.
const askWithin = 30 * time.Second

// later runs something off the read loop, for as long as the connection lives;
// only there may the client be asked.
func (s *Server) later(run func(context.Context)) {
	s.background.Go(func() { run(s.life) })
}

// ask calls the client. It must not be called on the read loop.
func (s *Server) ask(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	doc, err := protocol.Marshal(params)
	if err != nil {
		return err
	}
	var answer jsonrpc2.RawMessage
	if _, err := s.conn.Call(ctx, method, jsonrpc2.RawMessage(doc), &answer); err != nil {
		return err
	}
	if result == nil || len(answer) == 0 {
		return nil
	}
	return json.Unmarshal(answer, result)
}

func (s *Server) notifyStandard(ctx context.Context, method string, params any) {
	doc, err := protocol.Marshal(params)
	if err == nil {
		err = s.conn.Notify(ctx, method, jsonrpc2.RawMessage(doc))
	}
	if err != nil {
		s.log.Debug("notify the client", "method", method, "error", err)
	}
}

func (s *Server) showMessage(ctx context.Context, message string) {
	s.notifyStandard(ctx, protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: message})
}

// showDocument opens a file in the editor; false where it cannot.
func (s *Server) showDocument(ctx context.Context, path string) bool {
	if !s.client.showDocument {
		return false
	}
	focus := true
	var answer struct {
		Success bool `json:"success"`
	}
	err := s.ask(ctx, protocol.MethodWindowShowDocument, &protocol.ShowDocumentParams{URI: uri.File(path), TakeFocus: &focus}, &answer)
	return err == nil && answer.Success
}

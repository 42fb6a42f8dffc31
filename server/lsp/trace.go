package lsp

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/protocol"
)

// setTrace handles $/setTrace.
func (s *Server) setTrace(_ context.Context, params *protocol.SetTraceParams) {
	s.trace.Store(string(params.Value))
}

// traced sends $/logTrace with the time that a message took, if the client has enabled
// it.
func (s *Server) traced(method string, began time.Time) {
	if level, _ := s.trace.Load().(string); level == "" || level == "off" {
		return
	}
	s.remarks.put(protocol.MethodLogTrace, &protocol.LogTraceParams{
		Message: fmt.Sprintf("%s took %d µs", method, time.Since(began).Microseconds()),
	})
}

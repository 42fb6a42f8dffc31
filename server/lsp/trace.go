package lsp

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/protocol"
)

func (s *Server) setTrace(_ context.Context, params *protocol.SetTraceParams) {
	s.trace.Store(string(params.Value))
}

// traced tells a client that asked for it with $/setTrace what was handled and
// how long it took.
func (s *Server) traced(method string, began time.Time) {
	if level, _ := s.trace.Load().(string); level == "" || level == "off" {
		return
	}
	s.remarks.put(protocol.MethodLogTrace, &protocol.LogTraceParams{
		Message: fmt.Sprintf("%s took %d µs", method, time.Since(began).Microseconds()),
	})
}

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpPatience is the timeout of a conversation over MCP.
const mcpPatience = 20 * time.Second

// startMCP measures the time from the start of the process to the answer to the first tool over
// MCP: after initialize, the list of the tools and the context of a new session. The reference
// is a server on the same library that answers at once.
func (s *subject) startMCP() error {
	began := func(server string, args ...string) trial {
		return func() (time.Duration, error) {
			ctx, cancel := context.WithTimeout(context.Background(), mcpPatience)
			defer cancel()
			process := exec.Command(server, args...)
			process.Dir = s.folder
			process.Env = append(os.Environ(), "XDG_DATA_HOME="+s.data, "XDG_CONFIG_HOME="+s.data)
			client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"},
				&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
			began := time.Now()
			session, err := client.Connect(ctx, &mcp.CommandTransport{Command: process},
				&mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
			if err != nil {
				return 0, err
			}
			if _, err := session.ListTools(ctx, nil); err != nil {
				return 0, err
			}
			answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "memory_context"})
			took := time.Since(began)
			if err != nil {
				return 0, err
			}
			if answer.IsError {
				return 0, fmt.Errorf("memory_context failed: %v", answer.Content)
			}
			return took, session.Close()
		}
	}
	answered, err := interleave(30, began(s.binary, "mcp"), began(s.stub))
	if err != nil {
		return err
	}
	s.report.times("MCP: start → first `memory_context` answered", "stub", s.times, answered,
		goal{p50: 20 * time.Millisecond})
	return nil
}

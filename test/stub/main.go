// Command stub is a minimal server on the MCP library, with one tool. It is the reference of
// the benchmarks for wm-lsp mcp.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type knownContext struct {
	Text string `json:"text"`
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "stub", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "memory_context", Description: "What is known."},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, knownContext, error) {
			return nil, knownContext{"nothing"}, nil
		})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, "stub:", err)
		os.Exit(1)
	}
}

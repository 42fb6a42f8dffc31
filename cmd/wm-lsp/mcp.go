package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"

	"github.com/wm-lsp/wm-lsp/server/lsp"
	"github.com/wm-lsp/wm-lsp/server/mcp"
)

const mcpUsage = `Serve the working memory of a workspace to an agent over MCP on standard input and output. The agent
starts it. The workspace is the root of the host, or else CLAUDE_PROJECT_DIR, or else the working
directory. docs/mcp.md describes it.`

// runMCP is the command mcp.
func (p program) runMCP(args []string) int {
	flags := flag.NewFlagSet("wm-lsp mcp", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	tools, named, openLog := mcpFlags(flags)
	if err := flags.Parse(args); err != nil {
		return p.misused(flags, err)
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(p.errOut, "wm-lsp mcp: unknown argument %q; see wm-lsp mcp --help\n", flags.Arg(0))
		return exitUsage
	}
	if *tools != "daily" && *tools != "all" {
		fmt.Fprintf(p.errOut, "wm-lsp mcp: --tools must be daily or all, got %q\n", *tools)
		return exitUsage
	}
	log, err := openLog(p.errOut)
	if err != nil {
		fmt.Fprintln(p.errOut, "wm-lsp:", err)
		return exitUsage
	}
	ctx, end := context.WithCancelCause(context.Background())
	go listen(end)
	defer recorded("mcp", log)()
	mcp.Run(ctx, mcp.Options{
		In: polled(p.in, p.out, p.errOut), Out: p.out, Log: log, Version: version, AllTools: *tools == "all",
		NamedSessions: *named, Cores: p.cores,
	})
	return lsp.ExitOK
}

// mcpFlags adds the flags of the command mcp.
func mcpFlags(flags *flag.FlagSet) (
	tools *string, named *bool, openLog func(errOut io.Writer) (*slog.Logger, error),
) {
	tools = flags.String("tools", "daily", "the `tools` to offer: daily or all")
	named = flags.Bool("named-sessions", false, "start no session, because each call names one as sessionId")
	return tools, named, logFlags(flags)
}

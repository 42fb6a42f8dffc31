package main

import (
	"context"
	"flag"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/wm-lsp/wm-lsp/server/cli"
)

// runCommand runs a command that is over after its work.
func runCommand(args []string, in io.Reader, out, errOut io.Writer) int {
	started := others(in, out, errOut)
	for _, other := range started {
		if name, _, _ := strings.Cut(other.Use, " "); name == args[0] {
			return other.Run(args[1:])
		}
	}
	debug.SetGCPercent(-1) // the process is over before it is worth it
	debug.SetMemoryLimit(hookMemory)
	ctx, end := context.WithCancelCause(context.Background())
	go listen(end)
	return cli.Run(ctx, cli.Options{
		In: in, Out: out, Err: errOut, Env: os.Getenv, Version: version, Others: started,
		Terminal: isTerminal(in) && isTerminal(errOut),
	}, args)
}

// others are the commands that agents start. They parse their arguments themselves, because that takes less time.
func others(in io.Reader, out, errOut io.Writer) []cli.Other {
	return []cli.Other{
		{
			Use: "mcp", Short: "Serve the memory to an agent over MCP", Long: mcpUsage,
			Flags: func(flags *flag.FlagSet) { mcpFlags(flags) },
			Run:   func(args []string) int { return runMCP(args, in, out, errOut) },
		},
		{
			Use: "hook [EVENT]", Short: "Handle one event of an agent", Long: hookUsage,
			Flags: func(flags *flag.FlagSet) { hookFlags(flags) },
			Run:   func(args []string) int { return runHook(args, in, out, errOut) },
		},
	}
}

func isTerminal(stream any) bool {
	file, is := stream.(*os.File)
	return is && (isatty.IsTerminal(file.Fd()) || isatty.IsCygwinTerminal(file.Fd()))
}

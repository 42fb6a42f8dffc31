package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/wm-lsp/wm-lsp/server/cli"
)

// runCommand runs a command that is over after its work.
func (p program) runCommand(args []string) int {
	started := p.others()
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
		In: p.in, Out: p.out, Err: p.errOut, Env: os.Getenv, Version: version, Others: started,
		Terminal: isTerminal(p.in) && isTerminal(p.errOut), Cores: p.cores,
	}, args)
}

// others are the commands that agents start. They parse their arguments themselves, because that takes less time.
func (p program) others() []cli.Other {
	return []cli.Other{
		{
			Use: "mcp", Short: "Serve the memory to an agent over MCP", Long: mcpUsage,
			Flags: func(flags *flag.FlagSet) { mcpFlags(flags) },
			Run:   p.runMCP,
		},
		{
			Use: "hook [EVENT]", Short: "Handle one event of an agent", Long: hookUsage,
			Flags: func(flags *flag.FlagSet) { hookFlags(flags) },
			Run:   p.runHook,
		},
	}
}

// misused writes the help of what has the flags if it was asked for, or else the error of their parser. It returns
// the exit code.
func (p program) misused(flags *flag.FlagSet, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		asked := strings.Fields(flags.Name())
		asked[0] = "help"
		return p.runCommand(asked)
	}
	fmt.Fprintf(p.errOut, "%s: %v\nSee %s --help.\n", flags.Name(), err, flags.Name())
	return exitUsage
}

func isTerminal(stream any) bool {
	file, is := stream.(*os.File)
	return is && (isatty.IsTerminal(file.Fd()) || isatty.IsCygwinTerminal(file.Fd()))
}

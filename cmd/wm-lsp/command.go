package main

import (
	"context"
	"flag"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/wm-lsp/wm-lsp/install"
	"github.com/wm-lsp/wm-lsp/server/cli"
)

// runCommand runs a command that is over after its work.
func runCommand(args []string, in io.Reader, out, errOut io.Writer) int {
	known := others(in, out, errOut)
	for _, other := range known {
		if name, _, _ := strings.Cut(other.Use, " "); name == args[0] {
			return other.Run(args[1:])
		}
	}
	debug.SetGCPercent(-1) // the process is over before it is worth it
	debug.SetMemoryLimit(hookMemory)
	ctx, end := context.WithCancelCause(context.Background())
	go listen(end)
	return cli.Run(ctx, cli.Options{
		In: in, Out: out, Err: errOut, Env: os.Getenv, Version: version, Others: known,
		Terminal: isTerminal(in) && isTerminal(errOut),
		Export:   func(folder, file string) error { return writeBackup(folder, file, out, errOut) },
		Import:   func(folder, file string) error { return restoreBackup(folder, file, false, out, errOut) },
		Install: func(folder string) (install.Options, error) {
			return installOptions(folder, in, io.Discard, errOut)
		},
	}, args)
}

// others are the commands that parse their arguments themselves.
func others(in io.Reader, out, errOut io.Writer) []cli.Other {
	installs := func(name, arguments, short string, values func() []string) cli.Other {
		return cli.Other{
			Use: name + arguments, Short: short, Long: installUsage[name], Values: values,
			Flags: func(flags *flag.FlagSet) { installFlags(name, flags) },
			Run:   func(args []string) int { return runInstall(name, args, in, out, errOut) },
		}
	}
	backups := func(name, short string) cli.Other {
		return cli.Other{
			Use: name + " FILE", Short: short, Long: backupUsage[name],
			Flags: func(flags *flag.FlagSet) { backupFlags(name, flags) },
			Run:   func(args []string) int { return runBackup(name, args, out, errOut) },
		}
	}
	return []cli.Other{
		installs("install", " AGENT", "Put the memory into the settings of an agent", agentNames),
		installs("uninstall", " AGENT", "Take it out of the settings of an agent", agentNames),
		installs("agents", "", "List the agents and whether they use the memory", none),
		backups("backup", "Write the memory of the workspace to a file"),
		backups("restore", "Read the memory of the workspace from a backup"),
		{
			Use: "rebuild", Short: "Make the index of search anew", Long: rebuildUsage, Values: none,
			Flags: func(flags *flag.FlagSet) { rebuildFlags(flags) },
			Run:   func(args []string) int { return runRebuild(args, out, errOut) },
		},
		{
			Use: "mcp", Short: "Serve the memory to an agent over MCP", Long: mcpUsage, Values: none,
			Flags: func(flags *flag.FlagSet) { mcpFlags(flags) },
			Run:   func(args []string) int { return runMCP(args, in, out, errOut) },
		},
		{
			Use: "hook [EVENT]", Short: "Handle one event of an agent", Long: hookUsage, Values: none,
			Flags: func(flags *flag.FlagSet) { hookFlags(flags) },
			Run:   func(args []string) int { return runHook(args, in, out, errOut) },
		},
	}
}

// none is the list of values of a command that takes no argument.
func none() []string { return nil }

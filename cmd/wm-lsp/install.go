package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/wm-lsp/wm-lsp/install"
	"github.com/wm-lsp/wm-lsp/server/lsp"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// exitFailed is the exit code for what was not done.
const exitFailed = 1

// runInstall runs the commands install, uninstall and agents.
func runInstall(command string, args []string, in io.Reader, out, errOut io.Writer) int {
	flags := flag.NewFlagSet("wm-lsp "+command, flag.ContinueOnError)
	flags.SetOutput(errOut)
	flags.Usage = func() {
		fmt.Fprintln(errOut, installUsage[command])
		flags.PrintDefaults()
	}
	chosen := installFlags(command, flags)
	names, err := parseMixed(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		return lsp.ExitOK
	}
	s, all := install.Selection{Project: chosen.project}, chosen.all
	wanted := 1
	if all || command == "agents" {
		wanted = 0
	}
	if err == nil && len(names) != wanted {
		switch {
		case wanted == 1:
			err = fmt.Errorf("it takes the name of one agent: %s", strings.Join(agentNames(), ", "))
		case all:
			err = errors.New("--all takes no name of an agent")
		default:
			err = errors.New("it takes no name of an agent")
		}
		fmt.Fprintf(errOut, "wm-lsp %s: %v; see wm-lsp %s --help\n", command, err, command)
	}
	if err != nil {
		return exitUsage
	}
	if wanted == 1 {
		s.Agent = names[0]
	}
	o, err := installOptions(".", in, out, errOut)
	o.Yes, o.DryRun = chosen.yes, chosen.dryRun
	if err == nil {
		switch command {
		case "install":
			err = install.Install(o, s)
		case "uninstall":
			err = install.Uninstall(o, s)
		default:
			err = install.List(context.Background(), o, chosen.json)
		}
	}
	if err != nil {
		fmt.Fprintf(errOut, "wm-lsp %s: %v\n", command, err)
		if errors.Is(err, install.ErrUsage) {
			return exitUsage
		}
		return exitFailed
	}
	return lsp.ExitOK
}

// installOptions returns where settings are, for the workspace in a folder.
func installOptions(folder string, in io.Reader, out, errOut io.Writer) (o install.Options, err error) {
	o = install.Options{
		Env: os.Getenv, LookPath: exec.LookPath, In: in, Out: out, Err: errOut,
		StateDir: service.StateDir(), DataDir: service.DataDir(), Terminal: isTerminal(in) && isTerminal(out),
	}
	if o.Home, err = os.UserHomeDir(); err != nil || !filepath.IsAbs(o.Home) {
		return o, errors.New(
			"nothing has a place without a home folder; set HOME to its path, then run the command again")
	}
	if o.Program, err = os.Executable(); err != nil {
		o.Program = os.Args[0]
	}
	o.WorkDir, err = filepath.Abs(folder)
	return o, err
}

// installChoice is what the flags of the commands install, uninstall and agents choose.
type installChoice struct{ project, yes, dryRun, all, json bool }

// installFlags adds the flags of one of these commands.
func installFlags(command string, flags *flag.FlagSet) *installChoice {
	c := &installChoice{}
	if command == "agents" {
		flags.BoolVar(&c.json, "json", false, "write JSON")
		return c
	}
	flags.BoolVar(&c.project, "project", false, "the settings of the project in this folder, not the user's")
	flags.BoolVar(&c.yes, "yes", false, "write without asking")
	flags.BoolVar(&c.dryRun, "dry-run", false, "only show what would be written")
	if command == "uninstall" {
		flags.BoolVar(&c.all, "all", false, "all agents, and without --project all projects, too")
	}
	return c
}

var installUsage = map[string]string{
	"install": "wm-lsp install AGENT puts the memory into the settings of an agent: hooks and a server of MCP.\n" +
		"It shows what it changes and asks. wm-lsp agents lists the agents. docs/install.md describes it.\n",
	"uninstall": "wm-lsp uninstall AGENT undoes wm-lsp install AGENT. It shows what it changes and asks.\n" +
		"The memory itself stays. docs/install.md describes it.\n",
	"agents": "wm-lsp agents lists the agents: which are found on this machine, where the memory is in their\n" +
		"settings, whether their hooks are trusted, and when they were last heard in this workspace.\n",
}

func agentNames() (names []string) {
	for _, agent := range install.Agents() {
		names = append(names, agent.Name)
	}
	return names
}

// parseMixed parses flags that may stand behind arguments, which it returns.
func parseMixed(flags *flag.FlagSet, args []string) (names []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return names, nil
		}
		names = append(names, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

func isTerminal(stream any) bool {
	file, is := stream.(*os.File)
	return is && (isatty.IsTerminal(file.Fd()) || isatty.IsCygwinTerminal(file.Fd()))
}

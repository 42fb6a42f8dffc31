package cli

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/install"
	"github.com/wm-lsp/wm-lsp/server/service"
)

func (p *program) installCommand() *cobra.Command {
	return p.changesSettings(install.Install, &cobra.Command{
		Use: "install AGENT", Short: "Put the memory into the settings of an agent",
		Long: `Put the memory into the settings of an agent: hooks and a server of MCP. What is changed is shown,
and then a question follows; with --yes only how much was changed. wm-lsp agents lists the agents.
docs/install.md describes it.`,
		Example: `  wm-lsp install claude-code --dry-run
  wm-lsp install claude-code --yes
  wm-lsp install codex --project --yes`,
	})
}

func (p *program) uninstallCommand() *cobra.Command {
	return p.changesSettings(install.Uninstall, &cobra.Command{
		Use: "uninstall AGENT", Short: "Take it out of the settings of an agent",
		Long: `Undo wm-lsp install AGENT. What is changed is shown, and then a question follows; with --yes only how
much was changed. The memory itself stays. docs/install.md describes it.`,
		Example: `  wm-lsp uninstall claude-code --yes
  wm-lsp uninstall --all --dry-run`,
	})
}

func (p *program) agentsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "agents", Short: "List the agents and whether they use the memory",
		Long: `List the agents: which are found on this machine, where the memory is in their settings, whether
their hooks are trusted, and when they were last heard in this workspace.`,
		Example: `  wm-lsp agents
  wm-lsp agents --json`,
		Args: takes(0, 0, ""),
		RunE: func(command *cobra.Command, _ []string) error {
			o, err := p.installOptions(io.Discard)
			if err != nil {
				return err
			}
			all, err := install.Statuses(command.Context(), o)
			return p.write(answer{agentsResult{all}, install.Table(o, all), err})
		},
	}
}

// An agentsResult is what the command agents writes as JSON.
type agentsResult struct {
	Agents []install.Status `json:"agents"`
}

// changesSettings makes a command change the settings of an agent.
func (p *program) changesSettings(
	do func(install.Options, install.Selection) (install.Result, error), command *cobra.Command,
) *cobra.Command {
	var project, yes, dryRun, all bool
	command.Flags().BoolVar(&project, "project", false, "the settings of the project in this folder, not the user's")
	command.Flags().BoolVarP(&yes, "yes", "y", false, "write without asking")
	command.Flags().BoolVar(&dryRun, "dry-run", false, "only show what would be written")
	if command.Name() == "uninstall" {
		command.Flags().BoolVar(&all, "all", false, "all agents, and without --project all projects, too")
	}
	command.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return agentNames(), cobra.ShellCompDirectiveNoFileComp
	}
	command.Args = func(_ *cobra.Command, args []string) error {
		switch {
		case all && len(args) > 0:
			return errors.New("--all takes no name of an agent")
		case !all && len(args) != 1:
			return errors.New("it takes the name of one agent: " + strings.Join(agentNames(), ", "))
		}
		return nil
	}
	command.RunE = func(_ *cobra.Command, args []string) error {
		out := p.Out
		if p.json {
			out = p.Err // a person who is asked has to see what for
		}
		o, err := p.installOptions(out)
		if err != nil {
			return err
		}
		o.Yes, o.DryRun = yes, dryRun
		result, err := do(o, install.Selection{Agent: strings.Join(args, ""), Project: project})
		if wrong, is := errors.AsType[install.UsageError](err); is {
			return usage("%w", wrong)
		}
		return p.write(answer{result: result, err: err})
	}
	return command
}

// installOptions returns where the settings of agents are, for the workspace in the folder.
func (p *program) installOptions(out io.Writer) (o install.Options, err error) {
	o = install.Options{
		Env: p.Env, LookPath: exec.LookPath, Out: out, StateDir: service.StateDir(), DataDir: service.DataDir(),
	}
	if p.Terminal {
		o.Agree = func() bool { return p.agrees(bufio.NewReader(p.In), "Write this?") }
	}
	if o.Home, err = os.UserHomeDir(); err != nil || !filepath.IsAbs(o.Home) {
		return o, errors.New(
			"nothing has a place without a home folder; set HOME to its path, then run the command again")
	}
	if o.Program, err = os.Executable(); err != nil {
		o.Program = os.Args[0]
	}
	o.WorkDir, err = absolute(p.folder)
	return o, err
}

func agentNames() (names []string) {
	for _, agent := range install.Agents() {
		names = append(names, agent.Name)
	}
	return names
}

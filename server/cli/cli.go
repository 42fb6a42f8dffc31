// Package cli is the face for people and scripts: a command attaches to the memory of the workspace
// in a folder, starts operations of package service, writes what they return, as text or as JSON
// (package wire), and ends. Each command has a file. docs/cli.md and the pages in docs/man are
// generated from the commands.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wm-lsp/wm-lsp/memory/backup"
	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// The exit codes.
const (
	ExitDone    = 0 // It is done.
	ExitFailed  = 1 // It was not done; the message says why.
	ExitUsage   = 2 // The command or its parameters are wrong.
	ExitNothing = 3 // There is nothing of what was asked for.
)

// Options configure Run.
type Options struct {
	In       io.Reader
	Out, Err io.Writer
	// Terminal is true if a person can be asked on In and Err.
	Terminal bool
	// Env looks up environment variables.
	Env func(string) string
	// Version is the version of the program.
	Version string
	// Others are the commands that agents start.
	Others []Other
	// Cores are those of service.Options.
	Cores *cores.Cores
}

// An Other is a command that parses its arguments itself.
type Other struct {
	// Use is its name and its arguments, and Short a few words about it.
	Use, Short string
	// Long describes it.
	Long string
	// Flags declares its flags, for help and completions.
	Flags func(*flag.FlagSet)
	// Run runs it and returns the exit code.
	Run func(args []string) int
}

// patience is how long a command may take that uses the memory, unless it takes as long as there is to do. A search
// that waits for an endpoint for embeddings takes seconds.
const patience = time.Minute

var errPatience = errors.New("it took too long and was left; another process may hold the memory, see wm-lsp doctor")

// errUsage means that the command or its parameters are wrong.
var errUsage = errors.New("")

// A program is one run of the program.
type program struct {
	Options
	terminal terminal
	// folder is the folder of the workspace, and json whether results are written as JSON.
	folder string
	json   bool
	// running is false while the arguments are parsed.
	running bool
	// leave ends the program with a message.
	leave context.CancelCauseFunc
	// code is the exit code of an Other.
	code int
	// halfway is waited for when the command is interrupted.
	halfway halfway
	// unending is true once the command goes on until it is interrupted, which is no failure then.
	unending atomic.Bool
}

// Run runs the command of the arguments and returns its exit code. It returns when ctx is done, too.
func Run(ctx context.Context, options Options, args []string) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := &program{Options: options, terminal: terminalOf(options.Out, options.Env), leave: cancel}
	root := p.root()
	root.SetArgs(args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		plainUsages(root)
	}
	finished := make(chan func() int, 1)
	go func() {
		defer func() {
			if caught := recover(); caught != nil {
				err := fmt.Errorf("internal error: %v\n%s", caught, debug.Stack())
				finished <- func() int { return p.exit(root, err) }
			}
		}()
		command, err := root.ExecuteContextC(ctx)
		finished <- func() int { return p.exit(command, err) }
	}()
	select {
	case exit := <-finished:
		return exit()
	case <-ctx.Done():
		p.halfway.wait()
		if p.unending.Load() {
			return 0
		}
		fmt.Fprintln(p.Err, "wm-lsp:", context.Cause(ctx))
		return ExitFailed
	}
}

// Commands returns the commands, for documents.
func Commands(options Options) *cobra.Command {
	return (&program{Options: options}).root()
}

// plainUsages takes the backticks, which name the value of a flag in help, out of what a shell shows.
func plainUsages(root *cobra.Command) {
	plain := func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") }
	root.PersistentFlags().VisitAll(plain)
	for _, command := range root.Commands() {
		command.Flags().VisitAll(plain)
	}
}

// exit reports an error to a person and returns the exit code.
func (p *program) exit(command *cobra.Command, err error) int {
	if err == nil {
		return p.code
	}
	var nothing nothingFound
	var bad *fault.Fault
	name := command.CommandPath()
	switch {
	case errors.As(err, &nothing):
		fmt.Fprintln(p.Err, nothing)
		return ExitNothing
	case errors.Is(err, service.ErrNothingKept):
		fmt.Fprintf(p.Err, "%s: %v\nwm-lsp remember TEXT begins one.\n", name, err)
		return ExitNothing
	case errors.Is(err, backup.ErrNone), fault.Has(err, fault.NotFound):
		fmt.Fprintf(p.Err, "%s: %v\n", name, err)
		return ExitNothing
	case !p.running, errors.Is(err, errUsage), errors.As(err, &bad) && bad.Kind == fault.Params:
		fmt.Fprintf(p.Err, "%s: %v\nSee %s --help.\n", name, err, name)
		return ExitUsage
	}
	fmt.Fprintf(p.Err, "%s: %v\n", name, err)
	if fault.Has(err, fault.Paused) {
		fmt.Fprintln(p.Err, resumeHint)
	}
	return ExitFailed
}

// resumeHint tells a person how to end a pause.
const resumeHint = "wm-lsp pause --resume resumes it."

// A nothingFound is the error that there is nothing of what was asked for.
type nothingFound string

func (n nothingFound) Error() string { return string(n) }

// usage returns an error for wrong parameters.
func usage(format string, args ...any) error {
	return fmt.Errorf("%w"+format, append([]any{errUsage}, args...)...)
}

// takes returns the check for a number of arguments; most may be negative, which means no limit.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < least, most > 0 && len(args) > most:
			return fmt.Errorf("it takes %s, got %d arguments", what, len(args))
		case most == 0 && len(args) > 0:
			return fmt.Errorf("it takes no arguments, got %q", args[0])
		}
		return nil
	}
}

const about = `wm-lsp is the working memory of a workspace: rules, decisions, open errors and active files, shared
by editors and agents.

Without a command it serves the memory over LSP on standard input and output; editors and agents
start it so. It then has the flags --log-file FILE, --log-level LEVEL and --stdio. At a terminal it
prints this help instead.

The commands use the memory of the repository or folder in which they run; no server has to run. The
exit code is 0 if it is done, 1 if it failed, 2 if the command is wrong, and 3 if there is nothing
of what was asked for. With --json the results are those of docs/protocol.md, one a line.`

// The groups of the list of commands.
const (
	groupMemory    = "memory"
	groupWorkspace = "workspace"
	groupProgram   = "program"
)

// root returns the tree of commands.
func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use: "wm-lsp", Short: "The working memory of a workspace", Long: about,
		SilenceErrors: true, SilenceUsage: true, Args: cobra.ArbitraryArgs,
		SuggestionsMinimumDistance: 2,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmd.ValidateFlagGroups(); err != nil { // cobra looks at them later
				return err
			}
			p.running = true
			return checkFolder(p.folder)
		},
	}
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.PersistentFlags().StringVarP(&p.folder, "directory", "C", ".", "the `folder` of the workspace")
	_ = root.MarkPersistentFlagDirname("directory") // it exists
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.PersistentFlags().BoolVar(&p.json, "json", false, "write the result as JSON")
	var version bool
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if version && len(args) == 0 {
			return p.writeVersion()
		}
		return unknown(cmd, args)
	}
	root.AddGroup(
		&cobra.Group{ID: groupMemory, Title: "What is remembered:"},
		&cobra.Group{ID: groupWorkspace, Title: "The workspace:"},
		&cobra.Group{ID: groupProgram, Title: "The program:"},
	)
	root.SetHelpCommandGroupID(groupProgram)
	root.SetCompletionCommandGroupID(groupProgram)
	add := func(group string, commands ...*cobra.Command) {
		for _, command := range commands {
			command.GroupID = group
			root.AddCommand(command)
		}
	}
	add(groupMemory, p.contextCommand(), p.rememberCommand(), p.forgetCommand(), p.listCommand(), p.searchCommand())
	add(groupWorkspace, p.errorsCommand(), p.panelCommand(), p.traceCommand(), p.statusCommand(), p.pauseCommand(),
		p.exportCommand(), p.importCommand(), p.purgeCommand())
	add(groupProgram, p.installCommand(), p.uninstallCommand(), p.agentsCommand(), p.doctorCommand(),
		p.backupCommand(), p.restoreCommand(), p.rebuildCommand(), p.versionCommand())
	for _, other := range p.Others {
		add(groupProgram, p.otherCommand(other))
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, command := range root.Commands() {
		switch command.Name() {
		case "completion":
			command.Short = "Print the completions for a shell"
			command.Args, command.RunE = cobra.ArbitraryArgs, func(*cobra.Command, []string) error {
				return usage("it takes the name of a shell: bash, fish, powershell or zsh")
			}
		case "help":
			command.Short = "Describe a command"
			help := command.Run
			command.Run, command.RunE = nil, func(cmd *cobra.Command, args []string) error {
				if asked, _, err := root.Find(args); len(args) > 0 && (err != nil || asked == root) {
					return unknown(root, args)
				}
				help(cmd, args)
				return nil
			}
		}
	}
	return root
}

// checkFolder returns an error if the folder of -C is none.
func checkFolder(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usage("there is no folder %q", folder)
	case err == nil && !info.IsDir():
		return usage("%q is not a folder", folder)
	}
	return nil // what cannot be looked at is told by whoever opens it
}

// absolute returns the absolute path of a file or folder.
func absolute(path string) (string, error) {
	whole, err := filepath.Abs(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", usage("the current folder was deleted; change to one that exists, or name the workspace with -C")
	}
	return whole, err
}

// flagError returns what is said about a flag that is wrong, without what the parser of its value says.
func flagError(err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return err
	}
	what := "a number"
	if wrong.GetFlag().Value.Type() == "bool" {
		what = "true or false"
	}
	return fmt.Errorf("--%s must be %s, got %q", wrong.GetFlag().Name, what, wrong.GetValue())
}

// unknown is run for what is not a command.
func unknown(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return root.Help()
	}
	said := fmt.Sprintf("there is no command %q", args[0])
	if near := root.SuggestionsFor(args[0]); args[0] != "" && len(near) > 0 {
		said += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage("%s", said)
}

// otherCommand returns a command that parses its arguments itself.
func (p *program) otherCommand(other Other) *cobra.Command {
	command := &cobra.Command{
		Use: other.Use, Short: other.Short, Long: other.Long, DisableFlagParsing: true,
		Run: func(_ *cobra.Command, args []string) { p.code = other.Run(args) },
	}
	flags := flag.NewFlagSet(command.Name(), flag.ContinueOnError)
	other.Flags(flags)
	command.Flags().AddGoFlagSet(flags)
	for _, name := range []string{"directory", "json"} { // its help shows none of the flags of all commands
		command.Flags().Bool(name, false, "")
		_ = command.Flags().MarkHidden(name) // it exists
	}
	return command
}

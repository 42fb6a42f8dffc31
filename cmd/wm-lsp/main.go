// Command wm-lsp is the working memory of a workspace. It serves it over LSP, on standard input and
// output, and has commands for people and scripts.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/server/lsp"
)

// version is set by the linker.
var version = "dev"

// exitUsage is the exit code for invalid arguments. The server has the others.
const exitUsage = 2

// A start keeps most of what it allocates, so collecting garbage then finds little
// and takes a fifth of the time until the first context. For startTime the heap may
// grow by startGrowth per cent until the first collection, that is to 16 MB. A start
// takes some ten milliseconds, and longer only where the processors are busy anyway.
const (
	startTime   = 100 * time.Millisecond
	startGrowth = 400
)

// A program is what a command runs in: its standard streams, and the processors of the process.
type program struct {
	in          io.Reader
	out, errOut io.Writer
	cores       *cores.Cores
}

func main() {
	p := program{in: os.Stdin, out: os.Stdout, errOut: os.Stderr, cores: &cores.Cores{}}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(startGrowth)
		pace := sync.OnceFunc(p.cores.Pace)
		cores.AfterCollection(pace)
		time.AfterFunc(startTime, pace)
	}
	// After it a process runs on one processor. It serves one client, its work is a queue, and
	// there are as many processes as editors and agents. A goroutine then hands over to the next
	// one without waking a thread, and the monitor of the runtime sleeps while the process waits
	// for a lock. With several it wakes every 20 µs, for up to 10 ms, to see whether the processor
	// of the waiting goroutine is needed.
	if os.Getenv("GOMAXPROCS") == "" {
		time.AfterFunc(startTime, func() { runtime.GOMAXPROCS(1) })
	}
	os.Exit(p.run(os.Args[1:]))
}

func (p program) run(args []string) int {
	if len(args) == 0 && isTerminal(p.in) { // a person, who speaks no LSP
		args = []string{"help"}
	}
	if len(args) == 0 || isServerFlag(args[0]) {
		return p.runServer(args)
	}
	return p.runCommand(args)
}

// isServerFlag reports whether the first argument is a flag of the server, and not of all commands.
func isServerFlag(arg string) bool {
	return strings.HasPrefix(arg, "-") && !slices.ContainsFunc(
		[]string{"-h", "-help", "--help", "-C", "--directory", "--json"}, func(other string) bool {
			return arg == other || strings.HasPrefix(arg, other+"=") || other == "-C" && strings.HasPrefix(arg, other)
		})
}

// runServer serves the memory over LSP.
func (p program) runServer(args []string) int {
	flags := flag.NewFlagSet("wm-lsp", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	showVersion := flags.Bool("version", false, "print the version and exit")
	asJSON := flags.Bool("json", false, "write the version as JSON")
	flags.Bool("stdio", true, "use standard input and output, the only supported transport")
	openLog := logFlags(flags)
	if err := flags.Parse(args); err != nil {
		return p.misused(flags, err)
	}
	if *showVersion {
		return p.runCommand([]string{"version", fmt.Sprintf("--json=%t", *asJSON)})
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(p.errOut, "wm-lsp: unknown argument %q; see wm-lsp --help\n", flags.Arg(0))
		return exitUsage
	}
	log, err := openLog(p.errOut)
	if err != nil {
		fmt.Fprintln(p.errOut, "wm-lsp:", err)
		return exitUsage
	}
	ctx, end := context.WithCancelCause(context.Background())
	defer recorded("lsp", log)()
	go lsp.Prepare()
	return lsp.Run(ctx, lsp.Options{
		In: polled(p.in, p.out, p.errOut), Out: p.out, Log: log, Version: version, Cores: p.cores,
		Begun: func() { go listen(end) }, // it starts threads; before, nothing can be lost
	})
}

// listen cancels a context on the signals that end the process.
func listen(end context.CancelCauseFunc) {
	received := make(chan os.Signal, 1)
	signal.Notify(received, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(received, syscall.SIGHUP) // the terminal was closed
	}
	// A write to a client that is gone returns an error. SIGPIPE would end the process
	// before its state is written.
	signal.Ignore(syscall.SIGPIPE)
	go func() { end(fmt.Errorf("%v signal received", <-received)) }()
}

// logFlags adds the flags of the log. The returned function opens it.
func logFlags(flags *flag.FlagSet) func(errOut io.Writer) (*slog.Logger, error) {
	file := flags.String("log-file", "", "append the log to this `file` instead of writing it to standard error")
	level := flags.String("log-level", "info", "minimum log `level`: debug, info, warn or error")
	return func(errOut io.Writer) (*slog.Logger, error) { return newLogger(*file, *level, errOut) }
}

func newLogger(file, level string, errOut io.Writer) (*slog.Logger, error) {
	var from slog.Level
	if err := from.UnmarshalText([]byte(strings.ToUpper(level))); err != nil {
		return nil, fmt.Errorf("--log-level must be debug, info, warn or error, got %q", level)
	}
	to := errOut
	if file != "" {
		opened, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open the log file: %w", err)
		}
		to = opened // closed when the process exits
	}
	return slog.New(withCrashes(slog.NewTextHandler(gate.Writer(to), &slog.HandlerOptions{Level: from}))), nil
}

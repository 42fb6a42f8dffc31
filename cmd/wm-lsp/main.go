// Command wm-lsp serves the working memory of a workspace over LSP, on standard
// input and output.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/server/lsp"
)

// version is set by the linker.
var version = "dev"

// exitUsage is the exit code for wrong arguments. Package lsp has the others.
const exitUsage = 2

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, in io.Reader, out, errOut io.Writer) int {
	flags := flag.NewFlagSet("wm-lsp", flag.ContinueOnError)
	flags.SetOutput(errOut)
	flags.Usage = func() {
		fmt.Fprint(errOut, "wm-lsp serves the working memory of a workspace over LSP on standard input and output.\n"+
			"Editors and agents start it; see the README for how to set them up.\n\n")
		flags.PrintDefaults()
	}
	showVersion := flags.Bool("version", false, "print the version and exit")
	flags.Bool("stdio", true, "use standard input and output, which is the default and the only transport")
	logFile := flags.String("log-file", "", "append the log to this `file` instead of writing it to standard error")
	logLevel := flags.String("log-level", "info", "log messages of this `level` and above: debug, info, warn or error")
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return lsp.ExitOK
		}
		return exitUsage
	}
	if *showVersion {
		fmt.Fprintln(out, "wm-lsp", version)
		return lsp.ExitOK
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(errOut, "wm-lsp: unknown argument %q; see wm-lsp --help\n", flags.Arg(0))
		return exitUsage
	}
	log, err := newLogger(*logFile, *logLevel, errOut)
	if err != nil {
		fmt.Fprintln(errOut, "wm-lsp:", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A client that has ended is noticed by a failed write. The signal would end the
	// process before its state is written.
	signal.Ignore(syscall.SIGPIPE)
	return lsp.Run(ctx, lsp.Options{In: in, Out: out, Log: log, Version: version})
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
	return slog.New(slog.NewTextHandler(gate.Writer(to), &slog.HandlerOptions{Level: from})), nil
}

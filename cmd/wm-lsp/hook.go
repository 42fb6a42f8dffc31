package main

import (
	"context"
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/process"
	"github.com/wm-lsp/wm-lsp/server/hook"
	"github.com/wm-lsp/wm-lsp/server/lsp"
	"github.com/wm-lsp/wm-lsp/server/mcp"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// hookMemory is from how many bytes on a hook collects garbage.
const hookMemory = 256 << 20

const hookUsage = `Handle one event of an agent: read it as JSON on standard input, and write the answer that the agent
expects. Agents run it. The event is named for agents that do not send its name. The exit code is 0
whatever fails, because agents take another one for an objection. docs/hooks.md describes it.`

// runHook is the command hook. Its exit code is 0 whatever fails, because agents take another
// one for an objection to what they do.
func (p program) runHook(args []string) int {
	debug.SetGCPercent(-1) // the process is over before it is worth it
	debug.SetMemoryLimit(hookMemory)
	flags := flag.NewFlagSet("wm-lsp hook", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	file, tools := hookFlags(flags)
	if err := flags.Parse(args); err != nil {
		p.misused(flags, err)
		return lsp.ExitOK
	}
	to := &lateFile{path: *file}
	workDir, _ := os.Getwd() // events name their folder, too
	ctx, end := context.WithCancelCause(context.Background())
	go listen(end)
	hook.Run(ctx, hook.Options{
		In: p.in, Out: p.out, Name: flags.Arg(0), Version: version, Env: os.Getenv, WorkDir: workDir,
		Host: process.Caller(), Cores: p.cores,
		Tools: mcp.DailyTools(), HasTools: *tools,
		Log: slog.New(withCrashes(slog.NewTextHandler(gate.Writer(to), &slog.HandlerOptions{Level: slog.LevelWarn}))),
	})
	return lsp.ExitOK
}

// hookFlags adds the flags of the command hook.
func hookFlags(flags *flag.FlagSet) (file *string, tools *bool) {
	usual := service.StateDir()
	if usual != "" {
		usual = filepath.Join(usual, "hook.log")
	}
	return flags.String("log-file", usual, "append what fails to this `file`"),
		flags.Bool("tools", false, "the agent also has the tools of wm-lsp mcp")
}

// maxLog is how many bytes a log has before it begins anew. The former one is kept.
const maxLog = 1 << 20

// A lateFile is a log that is opened when something is written. A line that cannot be written
// is lost, and so is every line without a path.
type lateFile struct {
	path string

	mu   sync.Mutex
	file *os.File
}

// Write implements io.Writer. It returns no error.
func (l *lateFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil && l.path != "" {
		_ = os.MkdirAll(filepath.Dir(l.path), 0o700)
		if info, err := os.Stat(l.path); err == nil && info.Mode().IsRegular() && info.Size() > maxLog {
			_ = os.Rename(l.path, l.path+".1")
		}
		l.file, _ = os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	}
	if l.file != nil {
		_, _ = l.file.Write(line) // closed when the process exits
	}
	return len(line), nil
}

package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/doctor"
	"github.com/wm-lsp/wm-lsp/doctor/running"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// stackName is the name of the attribute of a log record of a panic.
const stackName = "stack"

// crashing is a log handler that also writes the records of panics to the file that wm-lsp doctor
// reads.
type crashing struct {
	slog.Handler
	crashes slog.Handler
}

// withCrashes returns a handler that also writes panics to the file of crashes.
func withCrashes(log slog.Handler) slog.Handler {
	state := service.StateDir()
	if state == "" {
		return log
	}
	to := &lateFile{path: doctor.CrashLog(state)}
	return crashing{log, slog.NewJSONHandler(gate.Writer(to), nil)}
}

// Handle implements slog.Handler.
func (c crashing) Handle(ctx context.Context, record slog.Record) error {
	record.Attrs(func(a slog.Attr) bool {
		if a.Key != stackName {
			return true
		}
		_ = c.crashes.Handle(ctx, record.Clone()) // the log has it, too
		return false
	})
	return c.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (c crashing) WithAttrs(attrs []slog.Attr) slog.Handler {
	return crashing{c.Handler.WithAttrs(attrs), c.crashes.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (c crashing) WithGroup(name string) slog.Handler {
	return crashing{c.Handler.WithGroup(name), c.crashes}
}

const recordAfter = time.Second

// recorded records this process for wm-lsp doctor, and makes the runtime write a panic that ends the
// process to the file of crashes. Both begin after recordAfter, so that no start waits for them. The
// process calls the returned function at its end.
func recorded(face string, log *slog.Logger) (end func()) {
	state, started := service.StateDir(), time.Now()
	if state == "" {
		return func() {}
	}
	var mu sync.Mutex
	forget := func() {}
	timer := time.AfterFunc(recordAfter, func() {
		mu.Lock()
		defer mu.Unlock()
		end, err := running.Record(doctor.RunningDir(state), running.This(version, face, started))
		if err == nil {
			forget = end
			err = crashesTo(doctor.CrashLog(state))
		}
		if err != nil {
			log.Info("wm-lsp doctor will not know of this process", "error", err)
		}
	})
	return func() {
		timer.Stop()
		mu.Lock()
		defer mu.Unlock()
		forget()
	}
}

// crashesTo makes the runtime also write a panic that ends the process to a file.
func crashesTo(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // the runtime has its own
	return debug.SetCrashOutput(file, debug.CrashOptions{})
}

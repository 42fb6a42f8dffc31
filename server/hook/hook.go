// Package hook is the face for agents that run a command at each of their events. A process
// lives for one event: it reads it, starts operations of package service in the session of the
// agent, to which it is only attached, writes the answer that the agent expects, and leaves
// nothing running. Each host has a file that reads its events into the form of event.go and one
// place in answer.go; operations.go maps what happened to operations.
package hook

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/process"
)

// Options configure Run.
type Options struct {
	In  io.Reader
	Out io.Writer
	// Log receives what fails. The agent is told nothing of it.
	Log *slog.Logger
	// Name is the name of the event, for hosts that do not send it, or "".
	Name string
	// Version is the version of the program.
	Version string
	// Tools are the names of the tools that the plugin gives to the agent, by their methods.
	// HasTools is true if the agent has them without the plugin.
	Tools    map[string]string
	HasTools bool
	// Now returns the time. The default is the wall clock.
	Now func() time.Time
	// Env looks up environment variables, WorkDir is the working directory.
	Env     Environment
	WorkDir string
	// Host is the process of the agent, "" if it is not known.
	Host process.ID
	// DataDir, UserFile and Cores are those of service.Options.
	DataDir, UserFile string
	Cores             *cores.Cores

	// patience and patienceAtEnd are longer in tests, which do not depend on how busy the machine is.
	patience, patienceAtEnd time.Duration
}

const (
	// maxEvent is how many bytes an event has at most. Agents cut the outputs of tools before.
	maxEvent = 16 << 20
	// patience is how long an event may take. Agents wait ten seconds by the configuration of the
	// plugin, and Codex three at the end of a session.
	patience      = 8 * time.Second
	patienceAtEnd = 2 * time.Second
	// aMoment is how long before it is left a person is told that.
	aMoment = time.Second
)

// Run handles the event on the input. What fails is logged; the output is then empty. It
// returns after patience in any case.
func Run(ctx context.Context, options Options) {
	if options.Now == nil {
		options.Now = time.Now
	}
	options.patience = cmp.Or(options.patience, patience)
	options.patienceAtEnd = cmp.Or(options.patienceAtEnd, patienceAtEnd)
	ctx, cancel := context.WithTimeout(ctx, options.patience)
	defer cancel()
	answers := make(chan []byte, 1) // closed when the event is handled
	go func() {
		defer close(answers)
		defer func() {
			if caught := recover(); caught != nil {
				options.Log.Error("the hook panicked", "panic", caught, "stack", string(debug.Stack()))
			}
		}()
		handle(ctx, cancel, options, func(answer []byte) { answers <- answer })
	}()
	for {
		select {
		case answer, more := <-answers:
			if !more {
				return
			}
			if _, err := options.Out.Write(answer); err != nil {
				options.Log.Warn("the answer was not written", "error", err)
			}
		case <-ctx.Done():
			options.Log.Warn("the event took too long and was left", "cause", context.Cause(ctx))
			return
		}
	}
}

// handle reads and handles the event. It calls write with the answer, if there is one, before
// it waits for the disk. It calls leave when the event has taken too long.
func handle(ctx context.Context, leave func(), options Options, write func(answer []byte)) {
	doc, err := io.ReadAll(io.LimitReader(options.In, maxEvent+1))
	switch {
	case err != nil:
		err = fmt.Errorf("read the event: %w", err)
	case len(doc) > maxEvent:
		err = fmt.Errorf("the event has more than %d bytes; it is not read", maxEvent)
	}
	var e Event
	if err == nil {
		e, err = Parse(doc, options.Name, options.Env)
	}
	if err != nil {
		level := slog.LevelWarn
		if errors.Is(err, ErrUnknown) {
			level = slog.LevelInfo // another hook's event
		}
		options.Log.Log(ctx, level, "no event", "error", err)
		return
	}
	if e.Kind == Nothing {
		return
	}
	e.Project, e.Cwd = absolute(options.WorkDir, e.Project), absolute(options.WorkDir, e.Cwd)
	var first sync.Once // answer counts
	say := func(answer Answer) {
		first.Do(func() {
			if !answer.empty() {
				write(answer.encode(e))
			}
		})
	}
	d := newDesk(options, e)
	defer d.close()
	switch e.Kind { // what is durable waits for the lock of the memory as long as it takes
	case SessionEnd:
		defer time.AfterFunc(options.patienceAtEnd, leave).Stop()
	case Prompt:
		defer time.AfterFunc(options.patience-aMoment, func() { say(Answer{Message: lateMessage}) }).Stop()
	}
	say(d.answer(ctx, e))
}

// lateMessage is what a person is told whose prompt is left: what it asks to remember may be lost.
const lateMessage = "wm-lsp: the memory did not answer in time; another process may hold it, which wm-lsp doctor " +
	"names. If you asked to remember something, it may not be kept: ask again."

// absolute returns the folder that an agent names, which may be relative to the one in which it runs
// the hook. An empty one stays empty.
func absolute(workDir, folder string) string {
	if folder == "" || filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join(workDir, folder)
}

// digest returns a short hash.
func digest(doc []byte) string {
	sum := sha256.Sum256(doc)
	return hex.EncodeToString(sum[:12])
}

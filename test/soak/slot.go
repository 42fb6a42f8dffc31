//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

const (
	// patience is how long a server may take for an answer, and after it lost its client
	// to end. It is for a machine that does other work, too.
	patience = 90 * time.Second
	// recovery is how long after the disk was full a write may still be refused.
	recovery = 5 * time.Second
)

// An ending is a way in which a server ends.
type ending string

const (
	killed   ending = "kill -9"
	hungUp   ending = "closed pipes"
	shutDown ending = "shutdown and exit"
	orphaned ending = "death of the client's process"
)

// endings are the ways to end a server, as often as they are used.
var endings = []ending{killed, killed, killed, killed, hungUp, shutDown, orphaned}

// errGone is the error of a call whose server ended before it answered.
var errGone = errors.New("the server ended before it answered")

// A refusal is the error of a call that the server has refused.
type refusal struct {
	reason  wire.RefusalReason
	message string
}

func (r *refusal) Error() string { return r.message }

// refusedFor reports whether a call was refused for a reason.
func refusedFor(err error, reason wire.RefusalReason) bool {
	var r *refusal
	return errors.As(err, &r) && r.reason == reason
}

// A slot is a client that always has a server.
type slot struct {
	world   *world
	index   int
	session string
	random  *rand.Rand // of run
	state   slotState

	mu     sync.Mutex
	served *served // nil while there is no server
}

// served is a running server with its client.
type served struct {
	client *peer.Client
	// parent is the process that the server takes for its client's.
	parent *exec.Cmd
	stderr *tail
	ended  chan struct{} // closed when the server has ended
	code   int           // valid after ended
	mu     sync.Mutex
	by     ending // how the client ended it, "" as long as it should run
}

func newSlot(w *world, index int) *slot {
	return &slot{
		world: w, index: index, session: fmt.Sprintf("agent-%d", index),
		random: rand.New(rand.NewPCG(w.seed, uint64(100+index))),
	}
}

func (s *slot) current() *served {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served
}

func (s *slot) pid() int {
	if at := s.current(); at != nil {
		return at.client.Process().Pid
	}
	return 0
}

// start starts a server for the session of the slot.
func (s *slot) start(ctx context.Context) error {
	w := s.world
	at := &served{parent: exec.Command("sleep", "86400"), stderr: &tail{}, ended: make(chan struct{})}
	at.parent.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := at.parent.Start(); err != nil {
		return err
	}
	process := exec.Command(w.server, "--log-level", "warn")
	process.Dir, process.Stderr = w.kept, at.stderr
	process.Env = append(os.Environ(), "XDG_DATA_HOME="+w.data, "XDG_CONFIG_HOME="+w.temporary+"/config",
		"XDG_STATE_HOME="+filepath.Join(filepath.Dir(w.data), "state"), "HOME="+w.temporary+"/home",
		"TMPDIR="+w.temporary)
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client, err := peer.Open(patient, s.session, process, peer.Object{
		"processId":  at.parent.Process.Pid,
		"clientInfo": peer.Object{"name": s.session},
		"initializationOptions": peer.Object{
			"sessionId": s.session, "agent": s.session,
			// What was swept long ago cannot be erased by its id, so nothing is swept here.
			"memory":  peer.Object{"maxEntries": 200, "maxPast": 10_000, "maxPastOffers": 10_000},
			"core":    peer.Object{"progress": 20_000},
			"log":     peer.Object{"maxChanges": 4_000},
			"working": peer.Object{"slots": []peer.Object{{"name": "soak", "max": slotItems}}},
		},
		"workspaceFolders": []peer.Object{
			{"uri": string(uri.File(w.kept)), "name": "kept"}, {"uri": string(uri.File(w.purged)), "name": "purged"},
		},
		"capabilities": peer.Object{"experimental": peer.Object{"workingMemory": peer.Object{"notifications": true}}},
	})
	if client == nil {
		_ = at.parent.Process.Kill()
		return err
	}
	w.starts.Add(1)
	at.client = client
	go func() {
		_ = process.Wait() // the exit code says the same
		at.code = process.ProcessState.ExitCode()
		close(at.ended)
	}()
	s.mu.Lock()
	s.served = at
	s.mu.Unlock()
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	return nil
}

// run calls methods until the context is done, and starts a new server whenever one has
// ended.
func (s *slot) run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.act(); errors.Is(err, errGone) {
			if err := s.restart(context.WithoutCancel(ctx)); err != nil {
				s.world.faults.add("a server cannot be started: %v", err)
				sleep(ctx, time.Second)
			}
		}
	}
}

// restart waits for the end of the server and starts the next one.
func (s *slot) restart(ctx context.Context) error {
	s.awaitEnd()
	return s.start(ctx)
}

// disturb ends the server in a way. It does not wait for the end.
func (s *slot) disturb(by ending) {
	at := s.current()
	if at == nil {
		return
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.by != "" {
		return // it is ending
	}
	at.by = by
	s.world.endings.add(string(by))
	switch by {
	case killed:
		_ = at.client.Process().Kill()
	case hungUp:
		at.client.HangUp()
	case orphaned:
		_ = at.parent.Process.Kill()
	case shutDown:
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := at.client.CallContext(ctx, "shutdown", nil, nil); err != nil {
			s.world.faults.add("shutdown: %v", err)
		}
		at.client.Notify("exit", nil)
	}
}

// awaitEnd waits until the server is gone. It must end by itself if the client has ended it.
func (s *slot) awaitEnd() {
	at := s.current()
	if at == nil {
		return
	}
	at.mu.Lock()
	by := at.by
	at.mu.Unlock()
	select {
	case <-at.ended:
		s.checkEnd(at, by)
	case <-time.After(patience):
		s.world.faults.add("an orphan: a server still runs %v after %s", patience, by)
		_ = at.client.Process().Kill()
		<-at.ended
	}
	at.client.HangUp()
	_ = at.parent.Process.Kill()
	_ = at.parent.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.served = nil
}

// checkEnd checks how a server has ended.
func (s *slot) checkEnd(at *served, by ending) {
	switch {
	case by == "":
		s.world.faults.add("a server ended by itself with code %d:\n%s", at.code, at.stderr)
	case by == shutDown && at.code != 0:
		s.world.faults.add("a server ended with code %d after shutdown and exit:\n%s", at.code, at.stderr)
	case by != killed && (at.code < 0 || at.code > 1):
		s.world.faults.add("a server ended with code %d after its client was gone:\n%s", at.code, at.stderr)
	}
	text := at.stderr.String()
	for _, sign := range []string{"panicked", "DATA RACE", "the index of search is damaged"} {
		if strings.Contains(text, sign) {
			s.world.faults.add("a server said %q:\n%s", sign, text)
		}
	}
}

// call calls a method. The error is errGone or a *refusal.
func (s *slot) call(method string, params peer.Object, result any) error {
	w, at := s.world, s.current()
	if at == nil {
		return errGone
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w.counts.called.add(method)
	err := at.client.CallContext(ctx, method, params, result)
	var fault *jsonrpc2.Error
	switch {
	case err == nil:
		w.counts.answered.add(method)
		return nil
	case errors.Is(err, jsonrpc2.ErrClientClosing) || errors.Is(err, jsonrpc2.ErrServerClosing): // no answer
	case errors.As(err, &fault):
		return s.refused(method, at, fault, began)
	case errors.Is(err, context.DeadlineExceeded):
		w.faults.add("%s has no answer after %v", method, patience)
		_ = at.client.Process().Kill()
	}
	at.await() // the connection is closed
	return errGone
}

// await waits until the server has ended, as it must. awaitEnd reports if it does not.
func (at *served) await() {
	select {
	case <-at.ended:
	case <-time.After(patience):
	}
}

// refused returns the refusal of a call, and records it if it has no reason.
func (s *slot) refused(method string, at *served, fault *jsonrpc2.Error, began time.Time) error {
	w := s.world
	var data wire.Refusal
	_ = json.Unmarshal(fault.Data, &data) // other errors have other data, or none
	refused := &refusal{data.Reason, fault.Message}
	at.mu.Lock()
	ending := at.by != ""
	at.mu.Unlock()
	switch {
	case ending: // after shutdown nothing is accepted
		at.await()
		return refused
	case fault.Code != wire.CodeRequestFailed:
		w.faults.add("%s: %s", method, fault.Error())
	case data.Reason == wire.RefusalStore && !w.full.since(began.Add(-recovery)):
		w.faults.add("the disk is not full, but %s: %s", method, fault.Message)
	case data.Reason == "":
		w.faults.add("%s is refused without a reason: %s", method, fault.Message)
	}
	w.refusals.add(string(data.Reason))
	return refused
}

// write calls a method that writes a value, and records the outcome.
func (s *slot) write(to *ledger, value, method string, params peer.Object, result any) error {
	to.begin(value, s.world.tick())
	err := s.call(method, params, result)
	to.end(value, outcomeOf(err), s.world.tick())
	return err
}

func outcomeOf(err error) outcome {
	switch {
	case err == nil:
		return acknowledged
	case errors.Is(err, errGone):
		return unknown
	}
	return refused
}

// A tail keeps the end of what is written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailBytes is the length of a tail.
const tailBytes = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - tailBytes; over > 0 {
		t.text = bytes.Clone(t.text[over:])
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/test/peer"
)

// editorPatience is the timeout for every operation of an editor.
const editorPatience = time.Minute

// An editor is a real editor in its own process. It reports what it has painted on its
// standard output and is controlled over a socket.
type editor struct {
	process *exec.Cmd
	stdin   io.WriteCloser
	stderr  bytes.Buffer
	painted chan painting // closed with the output of the process
	asked   *net.UnixListener
	inside  net.Conn
	answers *bufio.Reader
}

// A painting is the lines that were painted at once.
type painting struct {
	rows []string
	at   time.Time
}

// startEditor starts an editor with its own home folder.
func startEditor(home string, environ []string, dir, program string, args ...string) (*editor, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	socket := filepath.Join(home, "socket")
	asked, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, err
	}
	e := &editor{process: exec.Command(program, args...), painted: make(chan painting, 1<<12), asked: asked}
	e.process.Dir = dir
	e.process.Env = append(append(os.Environ(), environ...), "WM_BENCH_SOCKET="+socket, "HOME="+home, "LC_ALL=C.UTF-8",
		"XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"),
		"XDG_RUNTIME_DIR="+home)
	e.process.Stderr = &e.stderr
	if e.stdin, err = e.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := e.process.Start(); err != nil {
		return nil, err
	}
	go e.watch(out)
	return e, nil
}

func (e *editor) watch(out io.Reader) {
	defer close(e.painted)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		at := time.Now()
		if err != nil {
			return
		}
		var rows []string
		if json.Unmarshal(line, &rows) == nil {
			e.painted <- painting{rows, at}
		}
	}
}

// enter waits until the editor has connected.
func (e *editor) enter() (err error) {
	if err := e.asked.SetDeadline(time.Now().Add(editorPatience)); err != nil {
		return err
	}
	if e.inside, err = e.asked.Accept(); err != nil {
		return fmt.Errorf("wait for the editor: %w\n%s", err, &e.stderr)
	}
	e.answers = bufio.NewReader(e.inside)
	return nil
}

// ask runs an operation in the editor and waits for its result.
func (e *editor) ask(what string, params peer.Object, answer any) error {
	asked := peer.Object{"ask": what}
	for name, value := range params {
		asked[name] = value
	}
	line, err := json.Marshal(asked)
	if err != nil {
		return err
	}
	if err := e.inside.SetDeadline(time.Now().Add(editorPatience)); err != nil {
		return err
	}
	if _, err := e.inside.Write(append(line, '\n')); err != nil {
		return err
	}
	if line, err = e.answers.ReadBytes('\n'); err != nil {
		return fmt.Errorf("ask the editor for %s: %w\n%s", what, err, &e.stderr)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(line, answer)
}

// forget discards what was painted so far.
func (e *editor) forget() {
	for {
		select {
		case _, open := <-e.painted:
			if open {
				continue
			}
		default:
		}
		return
	}
}

// await waits until a row that contains a string is painted.
func (e *editor) await(text string) (time.Time, error) {
	at, err := e.awaitEach([]string{text})
	if err != nil {
		return time.Time{}, err
	}
	return at[0], nil
}

// awaitEach returns when each of several successive contents of a row, or a later one,
// was painted.
func (e *editor) awaitEach(rows []string) ([]time.Time, error) {
	late := time.After(editorPatience)
	at := make([]time.Time, 0, len(rows))
	for len(at) < len(rows) {
		select {
		case p, open := <-e.painted:
			if !open {
				return nil, fmt.Errorf("the editor ended before it had painted %q\n%s", rows[len(at)], &e.stderr)
			}
			for i := len(rows) - 1; i >= len(at); i-- {
				if p.shows(rows[i]) {
					for len(at) <= i {
						at = append(at, p.at)
					}
				}
			}
		case <-late:
			return nil, fmt.Errorf("the editor has not painted %q\n%s", rows[len(at)], &e.stderr)
		}
	}
	return at, nil
}

func (p painting) shows(text string) bool {
	for _, row := range p.rows {
		if strings.Contains(row, text) {
			return true
		}
	}
	return false
}

// used is the memory usage of an editor or its extension host, in bytes.
type used struct {
	Heap     int64 `json:"heap"`
	Resident int64 `json:"resident"` // proportional set size (Pss)
}

func (e *editor) memory() (u used, err error) {
	err = e.ask("memory", nil, &u)
	return u, err
}

// end ends the editor and all processes that it has started.
func (e *editor) end() error {
	if e.inside != nil {
		_ = e.inside.Close()
	}
	_ = e.asked.Close()
	_ = e.stdin.Close()
	for range e.painted { // until it is closed
	}
	return e.process.Wait()
}

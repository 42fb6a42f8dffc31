package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/creack/pty"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

// commands measures what people and scripts run: a process for each command, from its start to its end. The
// reference is the start and end of the echo server.
func (s *subject) commands() error {
	for _, command := range []struct {
		name      string
		arguments func() []string
	}{
		{"context", func() []string { return []string{"fix", "the", "region"} }},
		{"list", func() []string { return nil }},
		{"search", func() []string { return []string{"which", "invoices", "are", "validated"} }},
		{"remember", func() []string { s.added++; return []string{sentence(s.added)} }},
		{"errors", func() []string { return nil }},
		{"panel", func() []string { return nil }},
		{"status", func() []string { return nil }},
	} {
		ours := func() (time.Duration, error) {
			var errOut strings.Builder
			process := s.command(append([]string{command.name}, command.arguments()...)...)
			process.Stderr = &errOut
			took, err := timed(process.Run)()
			if err != nil {
				return 0, fmt.Errorf("wm-lsp %s: %w: %s", command.name, err, &errOut)
			}
			return took, nil
		}
		taken, err := interleave(50, ours, s.echoStart)
		if err != nil {
			return err
		}
		s.report.times("`wm-lsp "+command.name+"`", "start of echo", s.times, taken,
			goal{p50: 30 * time.Millisecond})
	}
	return nil
}

// command returns a process of the program in the workspace.
func (s *subject) command(arguments ...string) *exec.Cmd {
	process := exec.Command(s.binary, arguments...)
	process.Dir, process.Env = s.folder, os.Environ()
	for _, folder := range []string{"DATA", "CONFIG", "STATE"} {
		process.Env = append(process.Env, "XDG_"+folder+"_HOME="+s.data)
	}
	return process
}

// echoStart measures the start and end of the echo server.
func (s *subject) echoStart() (time.Duration, error) {
	began := time.Now()
	c, err := peer.Start(s.bench.echo, s.data, s.folder, "bench", "bench")
	if err != nil {
		return 0, err
	}
	return time.Since(began), c.End()
}

// A livePanel is the live panel on a terminal of its own.
type livePanel struct {
	process  *exec.Cmd
	terminal *os.File
	written  chan output // closed with the terminal
}

// An output is what the panel has written at a time.
type output struct {
	text string
	at   time.Time
}

// rows and columns are the size of the terminal. Every entry at 1 × is on the screen.
const rows, columns = 60, 130

func (s *subject) startPanel() (*livePanel, error) {
	p := &livePanel{process: s.command("panel"), written: make(chan output, 1<<10)}
	p.process.Env = append(p.process.Env, "TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR=")
	var err error
	if p.terminal, err = pty.StartWithSize(p.process, &pty.Winsize{Rows: rows, Cols: columns}); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.written)
		chunk := make([]byte, 64<<10)
		for {
			n, err := p.terminal.Read(chunk)
			p.written <- output{string(chunk[:n]), time.Now()}
			if err != nil { // the process has ended
				return
			}
		}
	}()
	return p, nil
}

// await returns when the panel has written a string, from now on.
func (p *livePanel) await(text string) (time.Time, error) {
	late := time.After(editorPatience)
	said := ""
	for {
		select {
		case out, open := <-p.written:
			if !open {
				return time.Time{}, fmt.Errorf("the panel ended before it had written %q: %q", text, said)
			}
			if said += out.text; strings.Contains(said, text) {
				return out.at, nil
			}
		case <-late:
			return time.Time{}, fmt.Errorf("the panel has not written %q: %q", text, said)
		}
	}
}

// end leaves the panel.
func (p *livePanel) end() error {
	_, err := io.WriteString(p.terminal, "q")
	for range p.written { // until the process has ended
	}
	return errors.Join(err, p.process.Wait(), p.terminal.Close())
}

// word returns a word of eight letters of which none is at the same place in the word before, so that
// a terminal on which only differences are drawn is sent the whole of it.
func word(n int) string {
	letters := make([]byte, 8)
	for i := range letters {
		letters[i] = 'a' + byte((n+3*i)%26)
	}
	return string(letters)
}

// livePanel measures the time from a call in one process until the terminal of another process has received what
// has changed on the screen. The pauses between the changes differ, as the screen is drawn at intervals. At
// 100 × the open errors take the whole screen, so no entry is on it.
func (s *subject) livePanel() error {
	if s.times > 10 {
		return nil
	}
	p, err := s.startPanel()
	if err != nil {
		return err
	}
	var panel wire.Panel
	if err := s.server.Call("wm/panel", nil, &panel); err != nil {
		return err
	}
	memory := slices.IndexFunc(panel.Sections, func(section wire.PanelSection) bool { return section.ID == "memory" })
	if memory < 0 {
		return errors.New("the panel has no section of the memory")
	}
	entries := entriesIn(panel.Sections[memory].Items)
	if len(entries) == 0 {
		return errors.New("the panel has no entries")
	}
	entry := entries[0]
	label := []rune(entry.Label)
	if _, err := p.await(string(label[:min(40, len(label))])); err != nil {
		return err
	}
	n := 0
	taken, err := interleave(200, func() (time.Duration, error) {
		n++
		time.Sleep(time.Duration(n*7%23) * time.Millisecond)
		began := time.Now()
		if err := s.server.Call("wm/memory/update", peer.Object{
			"id": strings.TrimPrefix(entry.ID, "memory:"), "text": word(n) + " is the name: " + sentence(s.added),
		}, nil); err != nil {
			return 0, err
		}
		at, err := p.await(word(n))
		return at.Sub(began), err
	}, timed(func() error { return s.echo.Call("echo", nil, nil) }))
	if err != nil {
		return err
	}
	s.report.times("`wm/memory/update` → on the screen of `wm-lsp panel`", "echo", s.times, taken,
		goal{p99: 50 * time.Millisecond})
	return p.end()
}

// inTerminal measures what people use at a terminal. It has a memory of its own: the sessions of the hooks that are
// measured for the server would take the whole screen.
func (b *bench) inTerminal() error {
	for _, times := range scales {
		fmt.Fprintf(os.Stderr, "measure at %d ×\n", times)
		s, err := b.prepare(times)
		if err != nil {
			return fmt.Errorf("prepare at %d ×: %w", times, err)
		}
		if err := errors.Join(s.commands(), s.open()); err != nil {
			return fmt.Errorf("at %d ×: %w", times, err)
		}
		if err := errors.Join(s.livePanel(), s.close()); err != nil {
			return fmt.Errorf("at %d ×: %w", times, err)
		}
	}
	return nil
}

package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/test/installed"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

// neovim compares the editor with the plugin and without it.
func (s *subject) neovim() error {
	for _, step := range []func() error{s.neovimStart, s.neovimMemory, s.changesInNeovim} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// startNeovim starts Neovim with a file of the workspace.
func (s *subject) startNeovim(environ ...string) (*editor, error) {
	program, err := installed.Path("nvim-0.12/bin/nvim")
	if err != nil {
		return nil, err
	}
	script, err := filepath.Abs(filepath.Join("editors", "nvim", "tests", "bench.lua"))
	if err != nil {
		return nil, err
	}
	s.started++
	home := filepath.Join(s.dir, fmt.Sprintf("nvim%d-%d", s.times, s.started))
	return startEditor(home, append(s.environ(), environ...), s.folder, program, "--clean", "--headless", "-u", script,
		file(0))
}

// withPlugin and withPanel return the environment of the editor.
func (s *subject) withPlugin() []string { return []string{"WM_BENCH_SERVER=" + s.binary} }

func (s *subject) withPanel() []string { return append(s.withPlugin(), "WM_BENCH_PANEL=1") }

// neovimStart measures the time from the start of the process until it accepts keys,
// and until the panel is painted.
func (s *subject) neovimStart() error {
	until := func(row string, environ ...string) trial {
		return func() (time.Duration, error) {
			began := time.Now()
			e, err := s.startNeovim(environ...)
			if err != nil {
				return 0, err
			}
			at, err := e.await(row)
			if err != nil {
				return 0, err
			}
			if err := e.enter(); err != nil {
				return 0, err
			}
			return at.Sub(began), e.end()
		}
	}
	if s.times == 1 {
		started, err := interleave(20, until("ready", s.withPlugin()...), until("ready"))
		if err != nil {
			return err
		}
		s.report.times("Neovim: start with a file, with setup and attach", "without", s.times, started, goal{})
	}
	painted, err := interleave(20, until(s.shown, s.withPanel()...), until("ready"))
	if err != nil {
		return err
	}
	s.report.times("Neovim: start, server started → panel painted", "without", s.times, painted, goal{})
	return nil
}

// neovimMemory measures the additional memory usage of the editor with a panel.
func (s *subject) neovimMemory() error {
	after := func(row string, environ ...string) (u used, err error) {
		e, err := s.startNeovim(environ...)
		if err != nil {
			return u, err
		}
		if _, err := e.await(row); err != nil {
			return u, err
		}
		if err := e.enter(); err != nil {
			return u, err
		}
		if u, err = e.memory(); err != nil {
			return u, err
		}
		return u, e.end()
	}
	var heap, resident addition
	for range hosts {
		without, err := after("ready")
		if err != nil {
			return err
		}
		with, err := after(s.shown, s.withPanel()...)
		if err != nil {
			return err
		}
		heap.add(without.Heap, 0, with.Heap-without.Heap)
		resident.add(without.Resident, 0, with.Resident-without.Resident)
	}
	s.report.adds("Neovim: memory of Lua", s.times, heap)
	s.report.adds("Neovim: resident memory", s.times, resident)
	return nil
}

// changesInNeovim measures the time from a change in another process to its painted
// line.
func (s *subject) changesInNeovim() error {
	e, err := s.startNeovim(s.withPanel()...)
	if err != nil {
		return err
	}
	if _, err := e.await(s.shown); err != nil {
		return err
	}
	if err := e.enter(); err != nil {
		return err
	}
	if err := e.ask("open", peer.Object{"rows": s.items}, nil); err != nil {
		return err
	}
	one, err := interleave(changes, changed(e, 0, s.addOrForget), changed(e, 0, s.bare(e)))
	if err != nil {
		return err
	}
	s.report.times("Neovim: change in another process → painted", "bare", s.times, one, goal{p99: live})
	return e.end()
}

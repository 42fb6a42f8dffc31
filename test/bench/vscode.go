package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/installed"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

const (
	// hosts is the number of extension hosts for measurements that can be made only once
	// in each.
	hosts = 5

	// rest is longer than the time after which VS Code applies a change of a tree, such as the bare one,
	// immediately.
	rest = 250 * time.Millisecond

	// filtered is the number of items of the panel that is filtered, and hits that of
	// each filter.
	filtered, hits = 5000, 1000

	// filters is the number of filters that are typed.
	filters = 30

	// bareRows is the number of rows of the tree beside the panel that is filtered. VS Code takes longer for more.
	bareRows = 200

	panelView = "workingMemory.panel"
)

// vscode compares the extension with one that only has a tree.
func (s *subject) vscode() error {
	if s.times == 1 {
		if err := s.filteringInVSCode(); err != nil {
			return fmt.Errorf("filter: %w", err)
		}
	}
	e, err := s.startVSCode("vscode", s.binary, s.items)
	if err != nil {
		return err
	}
	if err := s.activation(e); err != nil {
		return err
	}
	if err := s.openedView(e); err != nil {
		return err
	}
	if err := s.changesInVSCode(e); err != nil {
		return err
	}
	return e.end()
}

// onlyChangesInVSCode measures the painting of changes alone.
func (s *subject) onlyChangesInVSCode() error {
	e, err := s.startVSCode("changes", s.binary, s.items)
	if err != nil {
		return err
	}
	if err := e.freshWithViews(s.shown); err != nil {
		return err
	}
	return errors.Join(s.changesInVSCode(e), e.end())
}

// startVSCode starts an editor whose home has a name, and a bare tree with some rows.
func (s *subject) startVSCode(name, server string, rows int) (*editor, error) {
	node, err := installed.Path("vscode/bin/node")
	if err != nil {
		return nil, err
	}
	extension, err := filepath.Abs(filepath.Join("editors", "vscode"))
	if err != nil {
		return nil, err
	}
	build := exec.Command(node, filepath.Join("scripts", "build.mjs"))
	build.Dir, build.Stderr = extension, os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build the extension: %w", err)
	}
	home := filepath.Join(s.dir, fmt.Sprintf("%s%d", name, s.times))
	environ := append(s.environ(), "WM_TEST_VSCODE="+filepath.Dir(filepath.Dir(node)),
		"WM_BENCH_ROWS="+strconv.Itoa(rows))
	return startEditor(home, environ, extension, node, filepath.Join("tests", "bench.mjs"), home, s.folder, server)
}

// fresh starts another extension host and waits until the editor is idle.
func (e *editor) fresh() error {
	if e.inside != nil {
		if err := e.inside.Close(); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(e.stdin); err != nil {
		return err
	}
	if err := e.enter(); err != nil {
		return err
	}
	return e.ask("rest", nil, nil)
}

// freshWithViews is fresh with both views open, the panel with a row.
func (e *editor) freshWithViews(row string) error {
	if err := e.fresh(); err != nil {
		return err
	}
	if _, err := e.open("bare.tree", "row 0 "); err != nil {
		return err
	}
	_, err := e.open(panelView, row)
	return err
}

// activation measures the time in an idle host until the extension is activated and
// until its server runs.
func (s *subject) activation(e *editor) error {
	if s.times != 1 {
		return nil
	}
	var activated, running sample
	for i := range hosts {
		if err := e.fresh(); err != nil {
			return err
		}
		var own, bare, json struct{ Activated, Running millis }
		steps := []func() error{
			func() error { return e.ask("activate", peer.Object{"id": "wm-lsp.wm-lsp"}, &own) },
			func() error { return e.ask("activate", peer.Object{"id": "bench.bare"}, &bare) },
			func() error { return e.ask("activate", peer.Object{"id": "vscode.json-language-features"}, &json) },
		}
		for j := range steps {
			if err := steps[(i+j)%len(steps)](); err != nil { // none is always the first
				return err
			}
		}
		activated.add(own.Activated.duration(), bare.Activated.duration())
		running.add(own.Running.duration(), json.Running.duration())
	}
	s.report.times("VS Code: extension loaded and activated", "bare", s.times, activated, goal{})
	s.report.times("VS Code: the same → server running", "JSON", s.times, running, goal{})
	return nil
}

// openedView measures the time from the command that opens the view, in a host where
// the extension is not active yet, to the painted panel, and the additional memory
// usage of the host.
func (s *subject) openedView(e *editor) error {
	var opened sample
	var heap, resident addition
	for range hosts {
		if err := e.fresh(); err != nil {
			return err
		}
		before, err := e.memory()
		if err != nil {
			return err
		}
		bareTook, err := e.open("bare.tree", "row 0 ")
		if err != nil {
			return err
		}
		withBare, err := e.memory()
		if err != nil {
			return err
		}
		took, err := e.open(panelView, s.shown)
		if err != nil {
			return err
		}
		after, err := e.memory()
		if err != nil {
			return err
		}
		opened.add(took, bareTook)
		heap.add(before.Heap, withBare.Heap-before.Heap, after.Heap-withBare.Heap)
		resident.add(before.Resident, withBare.Resident-before.Resident, after.Resident-withBare.Resident)
	}
	s.report.times("VS Code: view opened, extension and server started → panel painted", "bare", s.times, opened,
		goal{})
	s.report.adds("VS Code: heap of the extension host", s.times, heap)
	s.report.adds("VS Code: resident memory of the extension host", s.times, resident)
	return nil
}

// open opens a view and waits until it is painted and the host is idle again.
func (e *editor) open(view, row string) (took time.Duration, err error) {
	began := time.Now()
	if err := e.ask("open", peer.Object{"view": view}, nil); err != nil {
		return 0, err
	}
	at, err := e.await(row)
	if err != nil {
		return 0, err
	}
	return at.Sub(began), e.ask("rest", nil, nil)
}

// changesInVSCode measures the time from a change in another process to its painted
// row.
func (s *subject) changesInVSCode(e *editor) error {
	one, err := interleave(changes, changed(e, rest, s.addOrForget), changed(e, rest, s.bare(e)))
	if err != nil {
		return err
	}
	s.report.times(changeInVSCode, "bare", s.times, one, goal{p99: live})
	var many sample
	if many.ours, err = stream(e, s.correct); err != nil {
		return err
	}
	if many.floor, err = stream(e, s.bare(e)); err != nil {
		return err
	}
	s.report.times(streamInVSCode, "bare", s.times, many, goal{p99: live})
	return nil
}

// filteringInVSCode measures the time from the last key of a filter to the painted rows. A memory has at most 500
// entries, so the panel is that of a server of the extension's tests.
func (s *subject) filteringInVSCode() error {
	server, err := s.largePanel()
	if err != nil {
		return err
	}
	e, err := s.startVSCode("filter", server, bareRows)
	if err != nil {
		return err
	}
	if err := e.freshWithViews("number 0 "); err != nil {
		return err
	}
	if err := e.ask("filter", nil, nil); err != nil {
		return err
	}
	bare := changed(e, rest, s.bare(e))
	whole, err := interleave(filters, s.typed(e, false), bare)
	if err != nil {
		return err
	}
	s.report.times(filterInVSCode, "bare", s.times, whole, goal{p99: live})
	keys, err := interleave(filters, s.typed(e, true), bare)
	if err != nil {
		return err
	}
	s.report.times(filterByKeysInVSCode, "bare", s.times, keys, goal{p99: live})
	return e.end()
}

// typed returns a trial that types a filter, key by key or as a whole, and measures the time from the last key.
func (s *subject) typed(e *editor, byKeys bool) trial {
	turn := 0
	return func() (time.Duration, error) {
		turn++
		batch := 1 + turn%(filtered/hits-1) // not the one whose items are shown without a filter
		typed := peer.Object{"words": fmt.Sprintf("batch%d", batch)}
		if byKeys {
			if err := e.typeIn(peer.Object{"words": ""}); err != nil {
				return 0, err
			}
			typed["delay"] = 100 + 10*(turn%10)
		}
		time.Sleep(2 * rest)
		e.forget()
		if err := e.typeIn(typed); err != nil {
			return 0, err
		}
		at, err := e.awaitEach([]string{"last key", fmt.Sprintf("number %d ", batch*hits)})
		if err != nil {
			return 0, err
		}
		return at[1].Sub(at[0]), nil
	}
}

// typeIn types into the open input box.
func (e *editor) typeIn(typed peer.Object) error {
	line, err := json.Marshal(typed)
	if err != nil {
		return err
	}
	_, err = e.stdin.Write(append(line, '\n'))
	return err
}

// largePanel returns the program of a server with a panel of many items.
func (s *subject) largePanel() (program string, err error) {
	items := make([]wire.PanelItem, filtered)
	for i := range items {
		items[i] = wire.PanelItem{
			ID: strconv.Itoa(i), Kind: "memory", Icon: "law", Actions: []wire.PanelAction{},
			Label: fmt.Sprintf("number %d of batch%d: %s", i, i/hits, sentence(i)),
		}
	}
	panel, err := json.Marshal(peer.Object{"seq": 1, "sections": []wire.PanelSection{{
		ID: "memory", Title: "Project memory", Show: "always", Items: items,
	}}})
	if err != nil {
		return "", err
	}
	dir := filepath.Join(s.dir, "large")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "panel.json"), panel, 0o600); err != nil {
		return "", err
	}
	node, err := installed.Path("vscode/bin/node")
	if err != nil {
		return "", err
	}
	script, err := filepath.Abs(filepath.Join("editors", "vscode", "tests", "fake-server.mjs"))
	if err != nil {
		return "", err
	}
	program = filepath.Join(dir, "wm-lsp")
	start := fmt.Sprintf("#!/bin/sh\nFAKE_DIR='%s' exec '%s' '%s' \"$@\"\n", dir, node, script)
	return program, os.WriteFile(program, []byte(start), 0o755)
}

// millis is a time or duration in milliseconds, as in JavaScript.
type millis float64

func (m millis) duration() time.Duration {
	return time.Duration(float64(m) * float64(time.Millisecond))
}

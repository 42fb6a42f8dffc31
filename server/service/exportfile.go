package service

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

const (
	// maxExportFile is the maximum size of a file into which entries are written, in bytes.
	maxExportFile = 4 << 20
	// exportAfter is how long after a change the file is written, so that several changes are written at once.
	exportAfter = 500 * time.Millisecond
)

// WriteInto writes Markdown into a file, between its markers or at its end. The file keeps its mode and is
// replaced as a whole, unless it has the Markdown already; a link is followed.
func WriteInto(file, markdown string) error {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	before, err := regular.Follow(file, maxExportFile)
	if errors.Is(err, fs.ErrNotExist) {
		before, err = nil, nil
	}
	if err != nil {
		return err
	}
	after, err := WithMarkdown(string(before), markdown)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if after == string(before) && len(before) > 0 {
		return nil
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	return files.WriteBeside(file, mode, func(to *os.File) error {
		_, err := to.WriteString(after)
		return err
	})
}

// An exporter keeps the block of a file up to date in the worktrees of the client (the setting export.file).
type exporter struct {
	service *Service

	mu  sync.Mutex
	due map[*memory.Workspace]*time.Timer
	// told is what a person was told last.
	told string

	writing sync.Mutex // held while files are written, one after the other
}

// changed schedules the writing of the file of a workspace. It does not block.
func (e *exporter) changed(w *memory.Workspace) {
	if w.NoWorkspace() != nil || w.Settings().Export.File == "" {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.due == nil {
		e.due = map[*memory.Workspace]*time.Timer{}
	}
	if e.due[w] == nil {
		e.due[w] = time.AfterFunc(exportAfter, func() { e.write(w) })
	}
}

// flush writes what is scheduled.
func (e *exporter) flush() {
	e.mu.Lock()
	var due []*memory.Workspace
	for w, timer := range e.due {
		if timer.Stop() {
			due = append(due, w)
		}
	}
	e.mu.Unlock()
	for _, w := range due {
		e.write(w)
	}
	e.writing.Lock() // until what was begun is written
	defer e.writing.Unlock()
}

// write writes the file of a workspace in each of its worktrees that is open.
func (e *exporter) write(w *memory.Workspace) {
	e.mu.Lock()
	delete(e.due, w)
	e.mu.Unlock()
	e.writing.Lock()
	defer e.writing.Unlock()
	name := w.Settings().Export.File
	if name == "" || !w.Healthy() { // what is not read yet would look empty
		return
	}
	markdown := Markdown(memoryEntries(memory.RoomOf[*longterm.Room](w).List(nil, false)))
	done := map[string]bool{}
	for _, f := range e.service.folders.all() {
		if f.workspace == w && !done[f.place.Worktree] {
			done[f.place.Worktree] = true
			e.tell(name, writeBlock(f.place.Worktree, name, markdown))
		}
	}
}

// tell tells a person that a file is not kept up to date, once for each reason.
func (e *exporter) tell(name string, err error) {
	said := ""
	if err != nil {
		said = fmt.Sprintf("%s is not kept up to date: %v", name, err)
	}
	e.mu.Lock()
	isNew := said != "" && said != e.told
	e.told = said
	e.mu.Unlock()
	if isNew {
		e.service.log.Warn("a file is not kept up to date", "file", name, "error", err)
		e.service.options.Outbox.Tell(said)
	}
}

// writeBlock replaces the block of a file below a worktree. A file without markers, or that is not there,
// stays as it is: markers say that it is wanted.
func writeBlock(worktree, name, markdown string) error {
	if !filepath.IsLocal(name) {
		return fmt.Errorf("the setting export.file must name a file in the worktree, got %q", name)
	}
	doc, err := regular.Read(worktree, filepath.ToSlash(name), maxExportFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !strings.Contains(string(doc), beginPrefix) {
		return nil
	}
	return WriteInto(filepath.Join(worktree, filepath.FromSlash(name)), markdown)
}

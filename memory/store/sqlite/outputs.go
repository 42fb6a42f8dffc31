package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// KeepOutput stores the full text of an output and returns its reference: the first 16 hex
// digits of the sha256 of the text. Outputs are a cache, so they are not synced to the disk.
func (s *Store) KeepOutput(text string) (string, error) {
	ref := store.OutputRef(text)
	if err := errors.Join(s.ownOutputs(), regular.Alone(s.outputPath(ref))); err != nil {
		return "", fmt.Errorf("keep the output: %w", err)
	}
	if err := os.MkdirAll(s.outputs(), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of outputs: %w", err)
	}
	if err := files.WriteUnsynced(s.outputPath(ref), []byte(text)); err != nil {
		return "", fmt.Errorf("keep the output: %w", err)
	}
	return ref, nil
}

// maxOutputBytes is the maximum size of an output, which is that of a message.
const maxOutputBytes = 64 << 20

// ReadOutput returns the full text of an output, or ErrNoOutput.
func (s *Store) ReadOutput(ref string) (string, error) {
	if !store.IsOutputRef(ref) {
		return "", store.ErrNoOutput
	}
	if err := s.ownOutputs(); err != nil {
		return "", fmt.Errorf("read the output: %w", err)
	}
	text, err := regular.ReadAlone(s.outputPath(ref), maxOutputBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", store.ErrNoOutput
	case err != nil:
		return "", fmt.Errorf("read the output: %w", err)
	case store.OutputRef(string(text)) != ref: // it was damaged by a power cut
		return "", store.ErrNoOutput
	}
	return string(text), nil
}

// SweepOutputs deletes the outputs that are older than maxAge, and the oldest of
// more than maxFiles.
func (s *Store) SweepOutputs(now time.Time, maxFiles int, maxAge time.Duration) (store.Sweep, error) {
	var sweep store.Sweep
	if err := s.ownOutputs(); err != nil {
		return sweep, fmt.Errorf("list the outputs: %w", err)
	}
	found, err := os.ReadDir(s.outputs())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return sweep, fmt.Errorf("list the outputs: %w", err)
	}
	files := make([]fs.FileInfo, 0, len(found))
	for _, f := range found {
		if info, err := f.Info(); err == nil {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	sweep.Scanned = len(files)
	for i, f := range files {
		if i < maxFiles && now.Sub(f.ModTime()) <= maxAge {
			continue
		}
		if err := os.Remove(filepath.Join(s.outputs(), f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			sweep.Failed = append(sweep.Failed, f.Name())
			continue
		}
		sweep.Deleted++
		sweep.Reclaimed += f.Size()
	}
	return sweep, nil
}

// ownOutputs returns an error if the folders of the outputs are something else, such as links.
func (s *Store) ownOutputs() error {
	return errors.Join(regular.Folder(filepath.Dir(s.outputs())), regular.Folder(s.outputs()))
}

func (s *Store) outputs() string              { return filepath.Join(s.dir, store.CacheName, store.OutputsName) }
func (s *Store) outputPath(ref string) string { return filepath.Join(s.outputs(), ref) }

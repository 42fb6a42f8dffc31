package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// ErrNoOutput means that there is no output with a reference, or no more.
var ErrNoOutput error = fault.Refuse(fault.NotFound, fault.Data{},
	"there is no output with this reference; it may have been swept")

const (
	cacheName   = "cache"
	outputsName = "tool-outputs"
	// refLength is the length of a reference, in hex digits.
	refLength = 16
)

// KeepOutput keeps the full text of an output and returns its reference: the
// first 16 hex digits of the sha256 of the text. The same text is kept once.
func (s *Store) KeepOutput(text string) (string, error) {
	sum := sha256.Sum256([]byte(text))
	ref := hex.EncodeToString(sum[:])[:refLength]
	if err := os.MkdirAll(s.outputs(), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of kept outputs: %w", err)
	}
	if err := maybe.WriteFile(s.outputPath(ref), []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("keep the output: %w", err)
	}
	return ref, nil
}

// ReadOutput returns the full text of an output, or ErrNoOutput.
func (s *Store) ReadOutput(ref string) (string, error) {
	if len(ref) != refLength || strings.Trim(ref, "0123456789abcdef") != "" {
		return "", ErrNoOutput
	}
	text, err := os.ReadFile(s.outputPath(ref))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", ErrNoOutput
	case err != nil:
		return "", fmt.Errorf("read the output: %w", err)
	}
	return string(text), nil
}

// A Sweep says what a sweep of kept outputs, or of folders of sessions, did
// (systems.md A12).
type Sweep struct {
	Scanned, Deleted int
	Reclaimed        int64 // bytes, of outputs
	Failed           []string
}

// SweepOutputs deletes the outputs that are older than maxAge, and the oldest of
// more than maxFiles.
func (s *Store) SweepOutputs(now time.Time, maxFiles int, maxAge time.Duration) (Sweep, error) {
	var sweep Sweep
	found, err := os.ReadDir(s.outputs())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return sweep, fmt.Errorf("look at the kept outputs: %w", err)
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

func (s *Store) outputs() string              { return filepath.Join(s.dir, cacheName, outputsName) }
func (s *Store) outputPath(ref string) string { return filepath.Join(s.outputs(), ref) }

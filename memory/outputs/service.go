// Package outputs shortens what tools print and keeps the full texts as files, so
// that whatever is left out can be read back (systems.md A8, A9, A12).
package outputs

import (
	"errors"
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/prune"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// A Workspace is what the service needs of its workspace.
type Workspace interface {
	room.Host
	// Outputs returns the store of outputs. The error is room.ErrStore if there is none.
	Outputs() (Store, error)
}

// A Store keeps the full texts of outputs.
type Store interface {
	// KeepOutput keeps a text once and returns its reference.
	KeepOutput(text string) (string, error)
	// ReadOutput returns the full text of an output, or store.ErrNoOutput.
	ReadOutput(ref string) (string, error)
	// SweepOutputs deletes the outputs that are older than maxAge, and the oldest of
	// more than maxFiles.
	SweepOutputs(now time.Time, maxFiles int, maxAge time.Duration) (store.Sweep, error)
}

// A Service prunes outputs. It is safe for concurrent use.
type Service struct{ workspace Workspace }

// New returns the service of a workspace.
func New(workspace Workspace) *Service { return &Service{workspace} }

// An Output is what a tool printed, and how it is to be pruned.
type Output struct {
	Tool, Command string // may be empty
	Text          string
	Mode          string // one of the modes of package prune
	Synthetic     bool
}

// Prune shortens an output (systems.md A8) and keeps its full text, without its
// secrets, under the reference that it returns. What cannot be kept is not
// pruned: nothing is left out that cannot be read back (A9).
func (s *Service) Prune(output Output) (result prune.Result, ref string) {
	settings, mode := s.workspace.Settings(), prune.Mode(output.Mode)
	always, never := settings.Prune.Kept()
	shows := showsFiles(tool.KindOf(settings.Tools, output.Tool))
	result = prune.Prune(output.Text, prune.Options{
		Mode: mode, Rule: ruleOf(settings.Prune, mode), Synthetic: output.Synthetic,
		Prints: shows || command.Parse(output.Command).Prints(),
		Always: always, Never: never,
	})
	if !result.Pruned {
		return result, ""
	}
	ref, err := s.keep(output.Text)
	if err != nil {
		s.workspace.Log().Warn("an output was not pruned, because it could not be kept", "error", err)
		return result.Undone(output.Text), ""
	}
	return result, ref
}

func ruleOf(rules settings.Prune, mode prune.Mode) prune.Rule {
	switch mode {
	case prune.Aggressive:
		return prune.Rule(rules.Aggressive)
	case prune.Hyper:
		return prune.Rule(rules.Hyper)
	default:
		return prune.Rule(rules.Normal)
	}
}

// showsFiles reports whether a tool prints what is in files rather than reports
// on them.
func showsFiles(kind tool.Kind) bool { return kind == tool.Read || kind == tool.Grep }

func (s *Service) keep(text string) (string, error) {
	kept, err := s.workspace.Outputs()
	switch {
	case err != nil:
		return "", err
	case s.workspace.Paused():
		return "", errors.New("recording is paused")
	}
	ref, err := kept.KeepOutput(gate.Text(text))
	if err != nil {
		return "", fmt.Errorf("%w: %w", room.ErrStore, err)
	}
	// A host may have outputs pruned without telling any event.
	if _, err := Sweep(kept, s.workspace.Settings().Outputs, s.workspace.Now()); err != nil {
		s.workspace.Log().Warn("the kept outputs were not swept", "error", err)
	}
	return ref, nil
}

// Read returns the full text of a pruned output, without its secrets. The error is
// store.ErrNoOutput if there is none, or no more.
func (s *Service) Read(ref string) (string, error) {
	kept, err := s.workspace.Outputs()
	if err != nil {
		return "", err
	}
	return kept.ReadOutput(ref)
}

// Sweep deletes the outputs that are over the bounds.
func Sweep(kept Store, bounds settings.Outputs, now time.Time) (store.Sweep, error) {
	return kept.SweepOutputs(now, bounds.MaxFiles, time.Duration(bounds.MaxDays)*24*time.Hour)
}

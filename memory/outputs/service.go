// Package outputs shortens the outputs of tools and keeps the originals as files, so that
// they can be read later (systems.md A8, A9, A12).
package outputs

import (
	"errors"
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/prune"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// A Workspace is the workspace as the service uses it.
type Workspace interface {
	room.Host
	// Outputs returns the store of outputs. The error is room.ErrStore if it is not open.
	Outputs() (Store, error)
}

// A Store keeps the originals of outputs.
type Store interface {
	// KeepOutput stores a string and returns its reference. The same string is stored once.
	KeepOutput(text string) (string, error)
	// ReadOutput returns the full text of an output, or store.ErrNoOutput.
	ReadOutput(ref string) (string, error)
	// SweepOutputs deletes the outputs that are older than maxAge, and the oldest if there are
	// more than maxFiles.
	SweepOutputs(now time.Time, maxFiles int, maxAge time.Duration) (store.Sweep, error)
}

// A Service prunes outputs. It is safe for concurrent use.
type Service struct{ workspace Workspace }

// NewService returns the service of a workspace.
func NewService(workspace Workspace) *Service { return &Service{workspace} }

// An Output is the output of a tool, with the options for pruning it.
type Output struct {
	Tool, Command string // may be empty
	Text          string
	Mode          string // one of the modes of package prune
	Synthetic     bool
}

// Prune shortens an output (systems.md A8) and stores its full text, redacted, under the
// returned reference. If the text cannot be stored, the output is not pruned (A9).
func (s *Service) Prune(output Output) (result prune.Result, ref string) {
	settings, mode := s.workspace.Settings(), prune.Mode(output.Mode)
	always, never := settings.Prune.Kept()
	kind, command := tool.KindOf(settings.Tools, output.Tool), command.Parse(output.Command)
	result = prune.Prune(output.Text, prune.Options{
		Mode: mode, Rule: ruleOf(settings.Prune, mode), Synthetic: output.Synthetic,
		Prints: showsFiles(kind) || command.Prints(), Reads: kind == tool.Read || command.Reads(),
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

const aboutKeeping = "outputs"

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

// showsFiles reports whether tools of a kind print the contents of files.
func showsFiles(kind tool.Kind) bool {
	return kind == tool.Read || kind == tool.Grep || kind == tool.Glob
}

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
		s.workspace.SetProblem(aboutKeeping, room.Warning(
			"An output was not pruned, because it could not be kept: "+fault.Plain(err),
			"Outputs are given as they are until one can be kept."))
		return "", fmt.Errorf("%w: %w", room.ErrStore, err)
	}
	s.workspace.ClearProblem(aboutKeeping)
	// A host may prune outputs without sending events, which trigger sweeps.
	if _, err := Sweep(kept, s.workspace.Settings().Outputs, s.workspace.AgeNow()); err != nil {
		s.workspace.Log().Warn("the kept outputs were not swept", "error", err)
	}
	return ref, nil
}

// Read returns the redacted full text of a pruned output. The error is store.ErrNoOutput
// if there is none.
func (s *Service) Read(ref string) (string, error) {
	kept, err := s.workspace.Outputs()
	if err != nil {
		return "", err
	}
	return kept.ReadOutput(ref)
}

// Sweep deletes the outputs that exceed the limits.
func Sweep(kept Store, bounds settings.Outputs, now time.Time) (store.Sweep, error) {
	return kept.SweepOutputs(now, bounds.MaxFiles, time.Duration(bounds.MaxDays)*24*time.Hour)
}

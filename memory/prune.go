package memory

import (
	"errors"
	"fmt"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/prune"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

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
func (w *Workspace) Prune(output Output) (result prune.Result, ref string) {
	settings, mode := w.Settings(), prune.Mode(output.Mode)
	always, never := settings.Prune.Kept()
	result = prune.Prune(output.Text, prune.Options{
		Mode: mode, Rule: pruneRule(settings.Prune, mode), Synthetic: output.Synthetic,
		Prints: showsFiles(tool.KindOf(settings.Tools, output.Tool)) || command.Parse(output.Command).Prints(),
		Always: always, Never: never,
	})
	if !result.Pruned {
		return result, ""
	}
	ref, err := w.keepOutput(output.Text)
	if err != nil {
		w.options.Log.Warn("an output was not pruned, because it could not be kept", "workspace", w.key, "error", err)
		return result.Undone(output.Text), ""
	}
	return result, ref
}

func pruneRule(rules settings.Prune, mode prune.Mode) prune.Rule {
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

func (w *Workspace) keepOutput(text string) (string, error) {
	s := w.store.Load()
	switch {
	case s == nil:
		return "", w.storeError()
	case w.Paused():
		return "", errors.New("recording is paused")
	}
	ref, err := s.KeepOutput(gate.Text(text))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrStore, err)
	}
	// A host may have outputs pruned without telling any event.
	if _, err := w.sweepOutputs(s); err != nil {
		w.options.Log.Warn("the kept outputs were not swept", "workspace", w.key, "error", err)
	}
	return ref, nil
}

// ReadOutput returns the full text of a pruned output, without its secrets. The
// error is store.ErrNoOutput where there is none, or no more.
func (w *Workspace) ReadOutput(ref string) (string, error) {
	s := w.store.Load()
	if s == nil {
		return "", w.storeError()
	}
	return s.ReadOutput(ref)
}

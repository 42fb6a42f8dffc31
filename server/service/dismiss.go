package service

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// ErrorsDismiss implements wm/errors/dismiss.
func (s *Service) ErrorsDismiss(
	ctx context.Context, at *View, params *wire.ErrorParams,
) (wire.ErrorsDismissResult, error) {
	return at.dismiss(ctx, params.Fingerprint, false)
}

// ErrorsRestore implements wm/errors/restore.
func (s *Service) ErrorsRestore(
	ctx context.Context, at *View, params *wire.ErrorParams,
) (wire.ErrorsDismissResult, error) {
	return at.dismiss(ctx, params.Fingerprint, true)
}

// dismiss dismisses an error, or shows it again. It is not an event of a session, so it also works while
// recording is paused.
func (v *View) dismiss(ctx context.Context, fingerprint string, undo bool) (wire.ErrorsDismissResult, error) {
	var result wire.ErrorsDismissResult
	if fingerprint == "" {
		return result, missingFingerprint()
	}
	_, err := v.Apply(ctx, v.Actor(), func() ([]change.Change, error) {
		e, changes, err := v.hot().Dismiss(v.worktree(), fingerprint, undo)
		result.Error = v.openError(e)
		return changes, err
	})
	return result, err
}

func missingFingerprint() error {
	return fault.Invalid("fingerprint", "is missing; must be the fingerprint of an open error")
}

// openErrorOf returns the open error with a fingerprint.
func (v *View) openErrorOf(fingerprint string) (hot.Error, error) {
	if fingerprint == "" {
		return hot.Error{}, missingFingerprint()
	}
	e, open := v.hot().Open(v.worktree(), fingerprint)
	if !open {
		return e, fault.Missing(fingerprint, "no error with the fingerprint %q is open", fingerprint)
	}
	return e, nil
}

// ErrorsRemember implements wm/errors/remember.
func (s *Service) ErrorsRemember(
	ctx context.Context, at *View, params *wire.ErrorsRememberParams,
) (wire.Receipt, error) {
	e, err := at.openErrorOf(params.Fingerprint)
	if err != nil {
		return wire.Receipt{}, err
	}
	request := RememberRequest{Type: params.Type, Fix: params.Fix}
	reported := wire.Diagnostic{Source: e.Tool, Code: wire.Code(e.Code)}
	request.Text = errorText(e.Path, e.Summary, reported)
	if e.Path != "" && !filepath.IsAbs(e.Path) {
		request.Path = e.Path
	}
	return s.Remember(ctx, at, request)
}

// ErrorsCopy implements wm/errors/copy.
func (s *Service) ErrorsCopy(
	_ context.Context, at *View, params *wire.ErrorParams,
) (wire.ErrorsCopyResult, error) {
	e, err := at.openErrorOf(params.Fingerprint)
	if err != nil {
		return wire.ErrorsCopyResult{}, err
	}
	return wire.ErrorsCopyResult{Clipboard: clipboardText(e)}, nil
}

// clipboardText returns what an agent has to know of an error.
func clipboardText(e hot.Error) string {
	var text strings.Builder
	place := e.Path
	if place != "" && e.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, e.Line)
	}
	if place != "" {
		text.WriteString(place + ": ")
	}
	text.WriteString(e.Summary + "\n")
	switch {
	case e.Rerun != nil && e.Rerun.Dir != "":
		fmt.Fprintf(&text, "Reported by this command, in %s:\n%s\n", e.Rerun.Dir, e.Rerun.Line)
	case e.Rerun != nil:
		fmt.Fprintf(&text, "Reported by this command:\n%s\n", e.Rerun.Line)
	case e.Command != "":
		fmt.Fprintf(&text, "Reported by: %s\n", e.Command)
	case e.Tool != "":
		fmt.Fprintf(&text, "Reported by: %s\n", strings.TrimSpace(e.Tool+" "+e.Code))
	}
	if e.MaybeFixed {
		text.WriteString("The file was edited since; it was not checked again.\n")
	}
	return text.String()
}

// ErrorsCommand implements wm/errors/command.
func (s *Service) ErrorsCommand(
	_ context.Context, at *View, params *wire.ErrorParams,
) (wire.ErrorsCommandResult, error) {
	e, err := at.openErrorOf(params.Fingerprint)
	switch {
	case err != nil:
		return wire.ErrorsCommandResult{}, err
	case e.Rerun == nil && e.Command == "":
		return wire.ErrorsCommandResult{}, fault.Missing(e.Fingerprint,
			"no command reported this error")
	case e.Rerun == nil:
		return wire.ErrorsCommandResult{}, fault.Missing(e.Fingerprint,
			"the command is not known as it was; run it by hand: %s", e.Command)
	}
	cwd := filepath.FromSlash(e.Rerun.Dir)
	if !filepath.IsAbs(cwd) {
		cwd = filepath.Join(at.worktree(), cwd)
	}
	return wire.ErrorsCommandResult{Run: wire.TerminalCommand{Command: e.Rerun.Line, Cwd: cwd}}, nil
}

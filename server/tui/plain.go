package tui

import (
	"context"
	"fmt"
	"io"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Plain writes the panel as text, and then each change of an item as a line, until ctx is done or the output is
// closed. It draws nothing anew, for readers of screens and for programs.
func Plain(
	ctx context.Context, s *service.Service, outbox *Outbox, o Options, text func(wire.PanelResult) string,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.Tell(ctx)
	m := newMemory(s)
	var before *wire.PanelResult
	for {
		params := o.Params
		if before != nil {
			params.IfSeq = &before.Seq
		}
		now, err := ask[wire.PanelResult](ctx, m, "wm/panel", &params)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		case before == nil:
			_, err = io.WriteString(o.Out, text(now))
		case !now.Unchanged:
			_, err = io.WriteString(o.Out, changesOf(*before, now))
		}
		if err != nil {
			return fmt.Errorf("the output was not written: %w", err)
		}
		if !now.Unchanged {
			before = &now
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-outbox.changed:
		case message := <-outbox.said:
			if _, err := fmt.Fprintln(o.Out, terminal.Line(message)); err != nil {
				return fmt.Errorf("the output was not written: %w", err)
			}
		}
	}
}

// changesOf returns what differs between two panels, a line each.
func changesOf(before, now wire.PanelResult) (lines string) {
	for _, each := range sightOf(now.Sections).since(sightOf(before.Sections)) {
		switch each.kind {
		case changed:
			lines += fmt.Sprintf("%s, %s: %s (was: %s)\n", each.section, each.kind, each.after, each.before)
		default:
			lines += fmt.Sprintf("%s, %s: %s%s\n", each.section, each.kind, each.before, each.after)
		}
	}
	if until := now.PausedUntil; until != before.PausedUntil {
		lines += service.PauseMessage(wire.PauseResult{PausedUntil: until}) + "\n"
	}
	if was, is := level(before), level(now); is != "" && was != is {
		lines += fmt.Sprintf("Context: %d %%, %s\n", int(now.Pressure.Percentage), is)
	}
	return lines
}

// level returns how full the context is in a word, "" if that is not known.
func level(of wire.PanelResult) string {
	if of.Pressure == nil {
		return ""
	}
	return terminal.Line(string(of.Pressure.Level))
}

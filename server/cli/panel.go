package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/frame"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/tui"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) panelCommand() *cobra.Command {
	var params wire.PanelParams
	var all, plain bool
	var theme string
	command := &cobra.Command{
		Use: "panel", Short: "Show the panel of editors, live",
		Long: `Show what the panel of an editor shows, with the same actions: sessions, open errors, the memory,
active files, what the agent that was active last notes for itself. It is live: a change by any
agent or editor is seen at once. ? lists the keys.

Without a terminal, and with --json, the panel is printed once. With --plain it is printed, and then
each change as a line, for readers of screens and for programs, until it is interrupted.

Enter opens a location in the editor that VISUAL or EDITOR names; on a hit of a search it goes to
where the hit stands. A terminal without UTF-8, by LC_ALL, LC_CTYPE or LANG, gets characters of
ASCII. After kill -9, reset brings the terminal back.`,
		Example: `  wm-lsp panel
  wm-lsp panel --all
  wm-lsp panel --section errors,files`,
		Args: takes(0, 0, ""),
	}
	flags := command.Flags()
	flags.BoolVar(&plain, "plain", false, "print the panel, and then each change as a line")
	flags.StringVar(&theme, "theme", string(tui.ThemeAuto), "the `theme`: auto, dark or light")
	flags.StringSliceVar(&params.Sections, "section", nil, "only these `sections`, such as memory or errors")
	flags.StringVar(&params.SessionID, "session", "", "the `id` of the session whose own memory is shown")
	flags.BoolVar(&all, "all", false, "also the sections for who wants to know more")
	themes := []string{string(tui.ThemeAuto), string(tui.ThemeDark), string(tui.ThemeLight)}
	completes(command, "theme", cobra.FixedCompletions(themes, cobra.ShellCompDirectiveNoFileComp))
	completes(command, "section", p.several(panelSections))
	completes(command, "session", p.one(sessions))
	printed := func(result wire.PanelResult) string {
		var text strings.Builder
		if result.Hint != "" {
			text.WriteString(p.terminal.indented(0, line(result.Hint)) + "\n")
		}
		for _, section := range result.Sections {
			advanced := section.Show == panel.ShowAdvanced && !all && len(params.Sections) == 0
			if advanced || section.Show != panel.ShowAlways && len(section.Items) == 0 {
				continue
			}
			text.WriteString(p.sectionText(section))
		}
		if text.Len() > 0 && result.PausedUntil != "" {
			return service.PauseMessage(wire.PauseResult{PausedUntil: result.PausedUntil}) + "\n\n" + text.String()
		}
		return text.String()
	}
	p.run(command, looks, func(ctx context.Context, d *desk, _ []string) (said answer, err error) {
		if err := d.knows(ctx, &params); err != nil {
			return said, err
		}
		result, err := call[wire.PanelResult](ctx, d, "wm/panel", &params)
		if err != nil {
			return said, err
		}
		text := printed(result)
		return found(len(text), result, text, "There is nothing in these sections."), nil
	})
	once := command.RunE
	command.RunE = func(cmd *cobra.Command, args []string) error {
		chosen := tui.Theme(theme)
		switch {
		case !slices.Contains([]tui.Theme{tui.ThemeAuto, tui.ThemeDark, tui.ThemeLight}, chosen):
			return usage("--theme must be auto, dark or light, got %q", theme)
		case p.json || !plain && !p.interactive():
			return once(cmd, args)
		}
		return p.livePanel(cmd.Context(), tui.Options{
			In: p.In, Out: p.Out, Env: p.Env, Theme: chosen, Params: params, All: all,
		}, plain, printed)
	}
	return command
}

// interactive reports whether a person sees the output on a terminal that can be drawn on, and types there.
func (p *program) interactive() bool {
	in, isFile := p.In.(*os.File)
	return isFile && isatty.IsTerminal(in.Fd()) && p.terminal.whole
}

// livePanel shows the panel until the person leaves it.
func (p *program) livePanel(
	ctx context.Context, options tui.Options, plain bool, printed func(wire.PanelResult) string,
) error {
	debug.SetGCPercent(cores.UsualGrowth) // a command that ends at once has none
	debug.SetMemoryLimit(math.MaxInt64)
	var failed bytes.Buffer // the log would be drawn over
	outbox := tui.NewOutbox()
	d, err := p.openWith(service.Options{Log: p.log(&failed), Outbox: outbox})
	if err != nil {
		return err
	}
	defer func() {
		d.close()
		_, _ = failed.WriteTo(p.Err)
	}()
	if err := d.knows(ctx, &options.Params); err != nil {
		return err
	}
	if folder, err := filepath.Abs(p.folder); err == nil {
		options.Name = filepath.Base(folder)
	}
	interrupted := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go untilClosed(ctx, p.Out, cancel)
	if plain {
		p.unending.Store(true)
		if err := tui.Plain(ctx, d.service, outbox, options, printed); interrupted.Err() == nil {
			return err
		}
		return nil
	}
	defer p.halfway.begin()()
	return tui.Run(ctx, d.service, outbox, options)
}

var errClosed = errors.New("the output is closed; nothing is lost")

// untilClosed cancels a context when the other end of a pipe is closed, into which nothing may be written for
// long, or when the terminal is closed, which sends no signal to a process that ignores it.
func untilClosed(ctx context.Context, out io.Writer, cancel context.CancelCauseFunc) {
	file, is := out.(*os.File)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for is {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if frame.HungUp(file) {
				cancel(errClosed)
			}
		}
	}
}

func (p *program) sectionText(section wire.PanelSection) string {
	head := p.terminal.paint(bold, line(section.Title))
	if section.Summary != "" {
		head += "  " + p.terminal.paint(dim, line(section.Summary))
	}
	text := head + "\n"
	for _, item := range section.Items {
		text += p.itemText(2, item)
	}
	if len(section.Items) == 0 && section.Empty != "" {
		text += p.terminal.indented(2, line(section.Empty))
	}
	return text
}

func (p *program) itemText(indent int, item wire.PanelItem) string {
	said := line(item.Label)
	if beside := item.Beside(); beside != "" {
		said += "  " + line(beside)
	}
	text := p.terminal.indented(indent, said)
	for _, child := range item.Children {
		text += p.itemText(indent+2, child)
	}
	return text
}

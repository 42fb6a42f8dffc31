package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) panelCommand() *cobra.Command {
	var params wire.PanelParams
	var all bool
	command := &cobra.Command{
		Use: "panel", Short: "Print the panel that editors show",
		Long: `Print what the panel of an editor shows now: the memory, open errors, active files, what the agent that
was active last notes for itself, sessions, problems.`,
		Example: `  wm-lsp panel
  wm-lsp panel --all
  wm-lsp panel --section errors,files`,
		Args: takes(0, 0, ""),
	}
	flags := command.Flags()
	flags.StringSliceVar(&params.Sections, "section", nil, "only these `sections`, such as memory or errors")
	flags.StringVar(&params.SessionID, "session", "", "the `id` of the session whose own memory is shown")
	flags.BoolVar(&all, "all", false, "also the sections for who wants to know more")
	return p.run(command, looks, func(ctx context.Context, d *desk, _ []string) (said answer, err error) {
		result, err := call[wire.PanelResult](ctx, d, "wm/panel", &params)
		if err != nil {
			return said, err
		}
		var text strings.Builder
		for _, section := range result.Sections {
			advanced := section.Show == panel.ShowAdvanced && !all && len(params.Sections) == 0
			if advanced || section.Show != panel.ShowAlways && len(section.Items) == 0 {
				continue
			}
			text.WriteString(p.sectionText(section))
		}
		return found(text.Len(), result, text.String(), "There is nothing in these sections."), nil
	})
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
	if item.Detail != "" {
		said += "  " + line(item.Detail)
	}
	text := p.terminal.indented(indent, said)
	for _, child := range item.Children {
		text += p.itemText(indent+2, child)
	}
	return text
}

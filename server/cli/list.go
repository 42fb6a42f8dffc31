package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) listCommand() *cobra.Command {
	var params wire.MemoryListParams
	command := &cobra.Command{
		Use: "list", Short: "List what is remembered",
		Long: "List the entries of the workspace memory, in the order in which they were added.",
		Example: `  wm-lsp list
  wm-lsp list --type decision,feedback
  wm-lsp list --all --json`,
		Args: takes(0, 0, ""),
	}
	flags := command.Flags()
	flags.StringSliceVarP(&params.Types, "type", "t", nil, "only these `types`, such as decision or fact")
	flags.BoolVar(&params.IncludeInactive, "all", false,
		"also what is offered, replaced, moved out of contexts or forgotten")
	completes(command, "type", p.several(types))
	return p.run(command, reads, func(ctx context.Context, d *desk, _ []string) (said answer, err error) {
		for i, name := range params.Types {
			if params.Types[i], err = typeNamed(ctx, d, name); err != nil {
				return said, err
			}
		}
		known, err := types(ctx, d)
		if err != nil {
			return said, err
		}
		entryType := func(doc room.Document) string {
			if doc.Store != room.StoreWorkspace {
				return ""
			}
			return doc.Type
		}
		if err := d.checkKnown(ctx, "type", params.Types, known, entryType); err != nil {
			return said, err
		}
		result, err := call[wire.MemoryListResult](ctx, d, "wm/memory/list", &params)
		if err != nil {
			return said, err
		}
		var text strings.Builder
		for _, entry := range result.Entries {
			text.WriteString(d.entryText(entry))
		}
		nothing := "Nothing is remembered."
		if len(params.Types) > 0 {
			nothing = "Nothing of this type is remembered."
		}
		return found(len(result.Entries), result, text.String(), nothing), nil
	})
}

// typeNamed returns the type of entries that is named, also by the name that people are shown, such as "Fact".
func typeNamed(ctx context.Context, d *desk, name string) (string, error) {
	known, err := types(ctx, d)
	if err != nil || slices.Contains(known, name) {
		return name, err
	}
	return panel.TypeNamed(name), nil
}

// entryText returns an entry with its id and what else there is to know about it.
func (p *program) entryText(entry wire.MemoryEntry) string {
	head := p.terminal.paint(dim, entry.ID) + "  " + p.terminal.paint(blue, line(entry.Detail))
	if entry.Pinned {
		head += "  pinned"
	}
	if entry.Status != wire.StatusActive {
		head += "  " + p.terminal.paint(yellow, service.StatusLabel(entry.Status))
	}
	text := head + "\n" + p.terminal.indented(4, line(entry.Text))
	if entry.Rationale != "" {
		text += p.terminal.indented(4, "Why: "+line(entry.Rationale))
	}
	if len(entry.Files) > 0 {
		text += p.terminal.indented(4, "About: "+line(strings.Join(entry.Files, ", ")))
	}
	if entry.Imported != nil {
		text += p.importedFrom(*entry.Imported)
	}
	if entry.Stale != nil {
		text += p.terminal.indented(4, "It may be outdated: "+line(entry.Stale.Reason))
	}
	return text
}

package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) importCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "import [FILE]", Short: "Take over the memory of another program, or an export",
		Long: `Take over the memory that the plugin opencode-working-memory of OpenCode keeps of the workspace. Its
files stay as they are, and what was taken over before is not taken over again.

With a file, read the memory back that wm-lsp export or wm-lsp backup has written. The workspace must
have no memory yet; wm-lsp restore --replace replaces one.`,
		Example: `  wm-lsp import
  wm-lsp import --from opencode-working-memory --json`,
		Args: takes(0, 1, "one file"),
	}
	from := command.Flags().String("from", string(wire.ImportOpenCodeWorkingMemory), "the `program`")
	p.run(command, writes, func(ctx context.Context, d *desk, _ []string) (said answer, err error) {
		result, err := call[wire.ImportResult](ctx, d, "wm/import", &wire.ImportParams{From: wire.ImportSource(*from)})
		if err != nil {
			return said, err
		}
		return found(len(result.Memories)+len(result.Sessions)+len(result.Skipped), result, d.importText(result),
			"There is nothing new to take over."), nil
	})
	takeOver := command.RunE
	command.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return takeOver(cmd, args)
		case cmd.Flags().Changed("from"):
			return usage("it takes a file or --from, not both")
		}
		return p.Import(p.folder, args[0])
	}
	return command
}

func (p *program) importText(result wire.ImportResult) string {
	var text strings.Builder
	for _, receipt := range result.Memories {
		if receipt.Entry == nil {
			text.WriteString(p.terminal.paint(yellow, string(receipt.Status)) + "  " + line(receipt.Reason) + "\n")
			text.WriteString(p.terminal.indented(4, line(receipt.Text)))
			continue
		}
		text.WriteString(string(receipt.Status) + "  " + p.entryText(*receipt.Entry))
	}
	for _, session := range result.Sessions {
		text.WriteString("session  " + line(session) + "\n")
	}
	for _, skipped := range result.Skipped {
		text.WriteString(p.terminal.paint(yellow, "not read") + "  " +
			line(fmt.Sprintf("%s: %s", skipped.Name, skipped.Reason)) + "\n")
	}
	return text.String()
}

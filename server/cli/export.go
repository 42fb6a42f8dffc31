package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) exportCommand() *cobra.Command {
	var markdown bool
	var into string
	command := &cobra.Command{
		Use: "export [FILE]", Short: "Write the memory as JSON Lines or Markdown",
		Long: `Write everything that is kept of the workspace as JSON Lines, to a new file or the standard output.
wm-lsp import FILE reads it back, also for another workspace or on another machine; it is the file
of wm-lsp backup.

With --markdown, write the entries in force as Markdown instead. With --into, write them into a file
such as AGENTS.md: between its markers, which are added at the end of the file if it has none. The
rest of the file stays as it is, so the command can be repeated to keep the file up to date. The
setting export.file does so by itself, in editors and agents, for a file that has the markers.`,
		Example: `  wm-lsp export memory.jsonl
  wm-lsp export | head -n 1
  wm-lsp export --markdown
  wm-lsp export --into AGENTS.md`,
		Args: takes(0, 1, "one file"), ValidArgsFunction: fileNames(1),
	}
	command.Flags().BoolVar(&markdown, "markdown", false, "write the entries in force as Markdown")
	command.Flags().StringVar(&into, "into", "", "write them into this `file`, between markers")
	completes(command, "into", fileNames(-1))
	p.run(command, reads, func(ctx context.Context, d *desk, _ []string) (said answer, err error) {
		result, err := call[wire.MemoryListResult](ctx, d, "wm/memory/list", &wire.MemoryListParams{})
		if err != nil {
			return said, err
		}
		text := service.Markdown(result.Entries)
		if into != "" {
			if err := service.WriteInto(into, text); err != nil {
				return said, err
			}
			text = fmt.Sprintf("%s has the entries in force: %d.", line(into), len(result.Entries))
		}
		return answer{result: result, text: visible(text)}, nil
	})
	exportMarkdown := command.RunE
	command.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 0 && (markdown || into != ""):
			return usage("a FILE is for JSON Lines; --into names the file for Markdown")
		case markdown || into != "":
			return exportMarkdown(cmd, args)
		case len(args) == 0:
			args = []string{"-"}
		}
		return p.writeBackup(cmd.Context(), args[0])
	}
	return command
}

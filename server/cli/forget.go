package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) forgetCommand() *cobra.Command {
	var params wire.MemoryRemoveParams
	command := &cobra.Command{
		Use: "forget ID", Short: "Remove an entry or an item",
		Long: `Remove the entry or the item with an id, which wm-lsp list or wm-lsp search prints. It is
no longer in any context. A search still finds an entry, as removed, but not an item. With --erase
the text is erased everywhere, and cannot be restored.`,
		Example: `  wm-lsp forget 01JAB2C3D4E5F6G7H8J9K0MNPQ
  wm-lsp forget --erase 01JAB2C3D4E5F6G7H8J9K0MNPR`,
		Args:              takes(1, 1, "the id of one entry or item, which wm-lsp list prints"),
		ValidArgsFunction: p.entryIDs,
	}
	command.Flags().BoolVar(&params.Erase, "erase", false, "erase its text everywhere")
	return p.run(command, reads, func(ctx context.Context, d *desk, args []string) (said answer, err error) {
		params.ID = args[0]
		result, err := call[wire.MemoryRemoveResult](ctx, d, "wm/memory/remove", &params)
		if fault.Has(err, fault.NotFound) {
			err = fmt.Errorf("%w; wm-lsp list and wm-lsp search print the ids", err)
		}
		if err != nil {
			return said, err
		}
		text := "Forgotten.\n"
		if result.Entry.Text != "" {
			text += d.entryText(result.Entry)
		}
		return answer{result: result, text: text + line(result.Message)}, nil
	})
}

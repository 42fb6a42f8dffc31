package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) forgetCommand() *cobra.Command {
	var params wire.MemoryRemoveParams
	var restore bool
	command := &cobra.Command{
		Use: "forget ID", Short: "Remove an entry or an item",
		Long: `Remove the entry or the item with an id, which wm-lsp list or wm-lsp search prints. It is
no longer in any context. A search still finds an entry, as forgotten, but not an item. With
--restore what was forgotten, replaced or moved out of contexts is in force again. With --erase the
text is erased everywhere, and cannot be restored.`,
		Example: `  wm-lsp forget 01JAB2C3D4E5F6G7H8J9K0MNPQ
  wm-lsp forget --restore 01JAB2C3D4E5F6G7H8J9K0MNPQ
  wm-lsp forget --erase 01JAB2C3D4E5F6G7H8J9K0MNPR`,
		Args:              takes(1, 1, "the id of one entry or item, which wm-lsp list prints"),
		ValidArgsFunction: p.entryIDs,
	}
	command.Flags().BoolVar(&params.Erase, "erase", false, "erase its text everywhere")
	command.Flags().BoolVar(&restore, "restore", false, "take back that it was forgotten")
	command.MarkFlagsMutuallyExclusive("erase", "restore")
	return p.run(command, reads, func(ctx context.Context, d *desk, args []string) (said answer, err error) {
		if params.ID = args[0]; restore {
			return d.restore(ctx, params.ID)
		}
		result, err := call[wire.MemoryRemoveResult](ctx, d, "wm/memory/remove", &params)
		if err != nil {
			return said, withIDs(err)
		}
		if params.Erase {
			return answer{result: result, text: "Erased.\n" + line(result.Message)}, nil
		}
		text := "Forgotten.\n" + d.entryText(result.Entry)
		text += fmt.Sprintf("wm-lsp forget --restore %s takes it back.\n", line(result.Entry.ID))
		return answer{result: result, text: text}, nil
	})
}

// restore restores an entry or an item. Nothing is changed if it is in force, or another one says the same.
func (d *desk) restore(ctx context.Context, id string) (said answer, err error) {
	receipt, err := call[wire.Receipt](ctx, d, "wm/memory/restore", &wire.MemoryRestoreParams{ID: id})
	if err != nil {
		return said, withIDs(err)
	}
	said = answer{result: receipt, text: "Restored.\n"}
	if receipt.Status == wire.ReceiptUnchanged {
		said.text = "Nothing is changed: " + cmp.Or(receipt.Reason, "it is not forgotten") + ".\n"
	}
	if receipt.Entry != nil {
		said.text += d.entryText(*receipt.Entry)
	}
	return said, nil
}

// withIDs returns an error with where the ids are, if it says that there is none of one.
func withIDs(err error) error {
	if fault.Has(err, fault.NotFound) {
		return fmt.Errorf("%w; wm-lsp list --all and wm-lsp search print the ids", err)
	}
	return err
}

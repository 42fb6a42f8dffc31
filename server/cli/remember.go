package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) rememberCommand() *cobra.Command {
	var params wire.MemoryAddParams
	command := &cobra.Command{
		Use: "remember TEXT...", Short: "Remember something for all sessions and agents",
		Long: `Remember a rule, a decision or a fact for all later sessions and agents of the workspace. The text
may be - for the standard input. Secrets are removed before it is kept. At a terminal it counts as the
words of a person; elsewhere, and in the commands of an agent, as those of a command.`,
		Example: `  wm-lsp remember Amounts are integers, in cents
  wm-lsp remember --type decision --why "floats round" Amounts are integers
  wm-lsp remember --type feedback --pin "run make check before a commit"
  echo "The tax rates stand in chapter 4" | wm-lsp remember --type reference -`,
		Args: takes(1, -1, "the text to remember"),
	}
	flags := command.Flags()
	flags.StringVarP(&params.Type, "type", "t", "",
		"the `type`: project or fact, feedback or preference, decision, reference or pointer, or one of the settings")
	flags.StringVar(&params.Rationale, "why", "", "the `reason`; agents are told it when a prompt asks for it")
	flags.StringSliceVar(&params.Files, "file", nil, "a `file` that it is about")
	flags.BoolVar(&params.Pinned, "pin", false, "never evict it")
	completes(command, "type", p.one(types))
	completes(command, "file", fileNames(-1))
	return p.run(command, writes, func(ctx context.Context, d *desk, args []string) (said answer, err error) {
		if params.Text, err = p.textOf(args); err != nil {
			return said, err
		}
		for i, file := range params.Files {
			if params.Files[i], err = d.relative(file); err != nil {
				return said, err
			}
		}
		receipt, err := call[wire.Receipt](ctx, d, "wm/memory/add", &params)
		if err != nil {
			return said, err
		}
		said.result = receipt
		redacted := ""
		if receipt.Redactions > 0 {
			redacted = fmt.Sprintf(" Secrets were removed from it: %d.", receipt.Redactions)
		}
		message := service.RememberMessage(receipt, redacted, true)
		if receipt.Status == wire.ReceiptRejected {
			if receipt.PausedUntil != "" {
				message += "\n" + resumeHint
			}
			said.err = errors.New(visible(message))
			return said, nil
		}
		said.text = message + "\n"
		if receipt.Entry != nil {
			said.text += d.entryText(*receipt.Entry)
		}
		return said, nil
	})
}

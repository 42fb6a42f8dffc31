package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) contextCommand() *cobra.Command {
	var params wire.ContextParams
	var budget wire.ContextBudget
	command := &cobra.Command{
		Use: "context [PROMPT...]", Short: "Print what an agent is told",
		Long: `Print what an agent is told before a prompt: rules, decisions, open errors, active files, and what
fits the prompt, which may be - for the standard input. Nothing is recorded.

The session is the live one that was active last, or the one of --session.`,
		Example: `  wm-lsp context
  wm-lsp context fix the rounding of totals
  wm-lsp context --include workspace,session --max-tokens 500
  echo "fix the rounding" | wm-lsp context -`,
	}
	flags := command.Flags()
	flags.StringVar(&params.SessionID, "session", "", "the `id` of the session")
	flags.BoolVar(&params.Guide, "guide", false, "begin with the guide to the memory")
	flags.IntVar(&budget.Chars, "max-chars", 0, "at most so many `characters`; 0 means no limit")
	flags.IntVar(&budget.Tokens, "max-tokens", 0, "at most so many `tokens`; 0 means no limit")
	flags.StringSliceVar(&params.Include, "include", nil, "only these `sections`")
	flags.StringSliceVar(&params.Exclude, "exclude", nil, "without these `sections`")
	completes(command, "session", p.one(sessions))
	completes(command, "include", p.several(contextSections))
	completes(command, "exclude", p.several(contextSections))
	return p.run(command, reads, func(ctx context.Context, d *desk, args []string) (said answer, err error) {
		if params.Query, err = p.textOf(args); err != nil {
			return said, err
		}
		if err := d.knows(ctx, &params); err != nil {
			return said, err
		}
		params.Preview, params.Budget = true, &budget
		if params.SessionID == "" {
			known, err := call[wire.SessionListResult](ctx, d, "wm/session/list", &wire.SessionListParams{})
			if err != nil {
				return said, err
			}
			params.SessionID = known.Shown
		}
		result, err := call[wire.ContextResult](ctx, d, "wm/context", &params)
		if err != nil {
			return said, err
		}
		nothing := "There is nothing to tell."
		if budget != (wire.ContextBudget{}) {
			nothing = "There is nothing to tell within this limit."
		}
		return found(len(result.Text), result, visible(result.Text), nothing), nil
	})
}

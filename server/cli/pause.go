package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) pauseCommand() *cobra.Command {
	var params wire.PauseParams
	command := &cobra.Command{
		Use: "pause [MINUTES]", Short: "Pause recording for a while, or resume it",
		Long: `Pause recording: until it resumes, nothing is written to the memory, by no editor and no agent.
Without minutes the setting recording.pauseMinutes counts.`,
		Example: `  wm-lsp pause
  wm-lsp pause 30
  wm-lsp pause --resume`,
		Args: takes(0, 1, "one number of minutes"),
	}
	command.Flags().BoolVar(&params.Resume, "resume", false, "resume recording now")
	return p.run(command, writes, func(ctx context.Context, d *desk, args []string) (said answer, err error) {
		if len(args) > 0 {
			if params.Minutes, err = strconv.Atoi(args[0]); err != nil || params.Minutes < 1 || params.Resume {
				return said, usage("it takes a number of minutes of 1 or more, or --resume")
			}
		}
		result, err := call[wire.PauseResult](ctx, d, "wm/pause", &params)
		if err != nil {
			return said, err
		}
		text := service.PauseMessage(result)
		if result.PausedUntil != "" {
			text += "\n" + resumeHint
		}
		return answer{result: result, text: text}, nil
	})
}

package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) traceCommand() *cobra.Command {
	var params wire.TraceParams
	var since string
	command := &cobra.Command{
		Use: "trace [ID]", Short: "List what changed, when, by whom and why",
		Long: `List the changes of the memory, and what was read of it, oldest first; with an id, only those of
this entry, error or file.`,
		Example: `  wm-lsp trace
  wm-lsp trace --kind memory --limit 5
  wm-lsp trace --since 2026-03-01T09:30:00Z --json
  wm-lsp trace 01JAB2C3D4E5F6G7H8J9K0MNPQ`,
		Args:              takes(0, 1, "one id"),
		ValidArgsFunction: p.entryIDs,
	}
	flags := command.Flags()
	flags.StringSliceVar(&params.Kinds, "kind", nil, "only these `kinds`, such as memory or memory.added")
	flags.StringVar(&since, "since", "", "only changes after this `time`, such as 2026-03-01T09:30:00Z")
	flags.IntVarP(&params.Limit, "limit", "n", 0, "at most the newest `changes`; 0 means 100")
	completes(command, "kind", p.several(kinds))
	return p.run(command, reads, func(ctx context.Context, d *desk, args []string) (said answer, err error) {
		params.Since.At = wire.Time(since)
		if len(args) > 0 {
			params.ID = args[0]
		}
		result, err := call[wire.TraceResult](ctx, d, "wm/trace", &params)
		if err != nil {
			return said, err
		}
		if len(result.Events) == 0 {
			if err := checkKinds(ctx, d, params.Kinds); err != nil {
				return said, err
			}
		}
		var text strings.Builder
		for _, event := range result.Events {
			text.WriteString(d.eventText(event))
		}
		return found(len(result.Events), result, text.String(), "There is no such change."), nil
	})
}

// checkKinds returns an error if the noun of a kind of changes is not known.
func checkKinds(ctx context.Context, d *desk, given []string) error {
	known, err := kinds(ctx, d)
	if err != nil {
		return err
	}
	for _, kind := range given {
		if noun, _, _ := strings.Cut(kind, "."); !slices.Contains(known, noun) {
			return usage("--kind must begin with one of %s, got %q", strings.Join(known, ", "), kind)
		}
	}
	return nil
}

// kindColumns is the width of the kinds in a list of changes.
const kindColumns = 20

func (p *program) eventText(event wire.TraceEvent) string {
	said := p.terminal.paint(dim, clock(event.At)) + "  " +
		p.terminal.paint(blue, padded(line(event.Kind), kindColumns)) + "  " + line(event.Subject)
	if event.By != "" {
		said += "  by " + line(event.By)
	}
	if event.Reason != "" {
		said += "  (" + line(event.Reason) + ")"
	}
	return strings.TrimRight(said, " ") + "\n"
}

// clock returns a local time for display.
func clock(at wire.Time) string {
	t, err := at.Parse()
	if err != nil || t.IsZero() {
		return line(string(at))
	}
	return t.Local().Format(time.DateTime)
}

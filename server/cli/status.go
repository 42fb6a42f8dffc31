package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) statusCommand() *cobra.Command {
	var all bool
	command := &cobra.Command{
		Use: "status", Short: "Say where the memory is, how large, and what is wrong",
		Long: `Say where the memory of the workspace is, how large it is, whether recording is paused, and what is
wrong. With --all, list the memories of all workspaces on this machine, with their sizes and ages.`,
		Example: `  wm-lsp status
  wm-lsp status --json
  wm-lsp status --all
  wm-lsp -C . status`,
		Args: takes(0, 0, ""),
	}
	command.Flags().BoolVar(&all, "all", false, "list the memories of all workspaces")
	return p.run(command, looks, func(ctx context.Context, d *desk, _ []string) (said answer, err error) {
		if all {
			return d.memories()
		}
		result, err := call[wire.StatusResult](ctx, d, "wm/status", &wire.StatusParams{})
		if err != nil {
			return said, err
		}
		return answer{result: result, text: p.statusText(result)}, nil
	})
}

func recordingText(pausedUntil wire.Time) string {
	if pausedUntil == "" {
		return "on"
	}
	return "paused until " + line(pausedUntil.Beside(time.Now()))
}

func (p *program) statusText(s wire.StatusResult) string {
	var text strings.Builder
	fact := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%s %s\n", p.terminal.paint(bold, padded(name+":", 11)), line(fmt.Sprintf(format, args...)))
	}
	fact("Version", "%s", s.Version)
	if s.Workspace.Root != "" {
		fact("Workspace", "%s (key %s)", s.Workspace.Root, s.Workspace.Key)
		fact("Memory", "%s, %s, %s %s", s.Store.Path, humanize.Bytes(uint64(s.Sizes.DatabaseBytes)),
			humanize.Comma(s.Sizes.Changes), english.PluralWord(int(s.Sizes.Changes), "change", ""))
		fact("Holds", "%s, %s, %s", english.Plural(s.Sizes.Entries, "entry", ""),
			english.Plural(s.Sizes.Errors, "open error", ""), english.Plural(s.Sizes.Files, "active file", ""))
		fact("Sessions", "%d live", s.Sessions)
		fact("Recording", "%s", recordingText(s.PausedUntil))
		fact("Search", "%s", s.Retrieval)
	}
	if e := s.Embeddings; e != nil {
		fact("Embeddings", "%s, %d of %d documents", e.Model, e.Done, e.Total)
		if e.Fallback != "" {
			fact("", "%s", e.Fallback)
		}
	}
	for _, problem := range s.Problems {
		color := yellow
		if problem.Severity == wire.ProblemError {
			color = red
		}
		text.WriteString(p.terminal.paint(color, padded(string(problem.Severity)+":", 11)) + " " +
			line(problem.Message) + "\n")
		if problem.Fix != "" {
			text.WriteString(p.terminal.indented(12, line(problem.Fix)))
		}
	}
	return text.String()
}

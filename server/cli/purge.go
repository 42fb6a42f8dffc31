package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/inventory"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) purgeCommand() *cobra.Command {
	var gone, yes bool
	command := &cobra.Command{
		Use: "purge", Short: "Delete the memory of the workspace, or of folders that are gone",
		Long: `Delete all memory of the workspace, also on the disk. With --gone, delete instead the memories of
folders that are gone and that were not used for 90 days (the setting cleaning.goneDays). A folder
that is gone together with the folder that holds it may be on a disk that is not mounted; its memory
is kept.

What would be deleted is shown first. On a terminal a question follows; without one, and without
--yes, nothing is deleted.`,
		Example: `  wm-lsp purge --yes
  wm-lsp purge --gone --yes`,
		Args: takes(0, 0, ""),
	}
	command.Flags().BoolVar(&gone, "gone", false, "delete the memories of folders that are gone")
	command.Flags().BoolVarP(&yes, "yes", "y", false, "delete without asking")
	return p.run(command, looks, func(ctx context.Context, d *desk, _ []string) (said answer, err error) {
		if gone {
			return d.purgeGone(ctx, yes)
		}
		return d.purge(ctx, yes)
	})
}

// errNotAgreed means that a person did not agree to delete something.
var errNotAgreed = errors.New("nothing was deleted; run it again with --yes to delete it")

// agree asks a person at a terminal.
func (p *program) agree(question string, yes bool) error {
	if yes {
		return nil
	}
	fmt.Fprintln(p.Err, question)
	if !p.agrees(bufio.NewReader(p.In), "Delete it?") {
		return errNotAgreed
	}
	return nil
}

// purge deletes the memory of the workspace.
func (d *desk) purge(ctx context.Context, yes bool) (said answer, err error) {
	if err := d.ready(ctx); err != nil {
		return said, err
	}
	at, err := d.view()
	if err != nil {
		return said, err
	}
	if err := d.agree(fmt.Sprintf("This deletes all memory of %s.", line(at.Root())), yes); err != nil {
		return said, err
	}
	result, err := call[wire.WorkspacePurgeResult](ctx, d, "wm/workspace/purge",
		&wire.WorkspacePurgeParams{Confirm: at.Key()})
	if err != nil {
		return said, err
	}
	text := "Deleted: " + line(strings.Join(result.Removed, ", ")) + "\n" + line(result.Message)
	return answer{result: result, text: text}, nil
}

// A memoryList is what status --all and purge --gone write as JSON.
type memoryList struct {
	Memories []inventory.Memory `json:"memories"`
}

// memories lists the memories of all workspaces.
func (d *desk) memories() (said answer, err error) {
	list, err := d.service.Memories()
	if err != nil {
		return said, err
	}
	var text strings.Builder
	var gone int
	var bytes int64
	for _, m := range list {
		text.WriteString(d.memoryText(m))
		if m.State == inventory.Gone {
			gone, bytes = gone+1, bytes+m.Bytes
		}
	}
	if gone > 0 {
		fmt.Fprintf(&text, "wm-lsp purge --gone deletes the memories of folders that are gone: %d, %s.\n", gone,
			humanize.Bytes(uint64(bytes)))
	}
	result := memoryList{append([]inventory.Memory{}, list...)}
	return found(len(list), result, text.String(), "There is no memory."), nil
}

func (p *program) memoryText(m inventory.Memory) string {
	root := line(m.Root)
	if m.Root == "" {
		root = "an unknown folder (" + line(m.Path) + ")"
	}
	used := "never used"
	if !m.LastUsed.IsZero() {
		used = "used " + humanize.Time(m.LastUsed)
	}
	text := padded(humanize.Bytes(uint64(m.Bytes)), 8) + "  " + padded(used, 18) + "  " + root
	if m.State == inventory.Gone || m.State == inventory.Missing {
		text += "  " + p.terminal.paint(yellow, string(m.State))
	}
	return text + "\n"
}

// purgeGone deletes the memories of folders that are gone.
func (d *desk) purgeGone(ctx context.Context, yes bool) (said answer, err error) {
	list, err := d.service.Memories()
	if err != nil {
		return said, err
	}
	list = slices.DeleteFunc(list, func(m inventory.Memory) bool { return m.State != inventory.Gone })
	if len(list) == 0 {
		return found(0, memoryList{[]inventory.Memory{}}, "", "There is no memory of a folder that is gone."), nil
	}
	question := "This deletes the memories of folders that are gone:"
	for _, m := range list {
		question += "\n" + strings.TrimSuffix(d.memoryText(m), "\n")
	}
	if err := d.agree(question, yes); err != nil {
		return said, err
	}
	deleted, err := d.service.PurgeGone(ctx, list)
	var text strings.Builder
	for _, m := range deleted {
		text.WriteString("Deleted: " + line(m.Root) + "\n")
	}
	return answer{memoryList{append([]inventory.Memory{}, deleted...)}, text.String(), err}, nil
}

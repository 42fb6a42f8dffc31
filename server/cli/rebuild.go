package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

func (p *program) rebuildCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "rebuild", Short: "Make the index of search anew",
		Long: `Make anew what is kept of the memory of the workspace only to find things fast, such as the index of
search. Nothing that was remembered changes, and searches answer as before. Editors and agents may
use the memory meanwhile.`,
		Example: `  wm-lsp rebuild
  wm-lsp rebuild --json`,
		Args: takes(0, 0, ""),
	}
	return p.runLong(command, reads, func(ctx context.Context, d *desk, _ []string) (said answer, err error) {
		began := time.Now()
		at, err := d.view()
		if err == nil {
			err = at.Rebuild(ctx)
		}
		took := time.Since(began).Round(time.Millisecond)
		text := fmt.Sprintf("The index was made anew in %v.", took)
		return answer{result: rebuildResult{took.Milliseconds()}, text: text}, err
	})
}

// A rebuildResult is what the command writes as JSON.
type rebuildResult struct {
	TookMillis int64 `json:"tookMillis"`
}

// mended calls do. If that meets damage of the memory of the folder, it is repaired, and do is called again.
func (p *program) mended(do func() error) error {
	damage := do()
	if !errors.Is(damage, store.ErrCorrupt) {
		return damage
	}
	if err := p.mend(damage); err != nil {
		return errors.Join(damage, err)
	}
	return do()
}

// mend repairs the memory of the folder, and writes what it repaired.
func (p *program) mend(damage error) error {
	d, err := p.open(true)
	if err != nil {
		return err
	}
	defer d.close()
	at, err := d.view()
	if err == nil {
		err = at.NoWorkspace()
	}
	if err != nil {
		return err
	}
	at.MendSoon(func() error { return damage })
	d.tellProblems()
	return nil
}

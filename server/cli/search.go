package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) searchCommand() *cobra.Command {
	var params wire.SearchParams
	var since, until string
	command := &cobra.Command{
		Use: "search WORDS...", Short: "Search everything that is remembered",
		Long: `Search entries, notes, errors, decisions and items for words or a question, which may be - for the
standard input. The best hits come first.`,
		Example: `  wm-lsp search rounding of totals
  wm-lsp search --limit 3 --store workspace "how are amounts stored?"
  wm-lsp search --explain --json amounts`,
		Args: takes(1, -1, "words"),
	}
	flags := command.Flags()
	flags.IntVarP(&params.Limit, "limit", "n", 0, "at most so many `hits`, up to 100; 0 means 10")
	flags.StringSliceVar(&params.Stores, "store", nil, "only these `stores`, such as workspace or notes")
	flags.StringSliceVarP(&params.Types, "type", "t", nil, "only these `types`, such as decision")
	flags.StringVar(&since, "since", "", "only what was written at this `time` or later, such as 2026-03-01T09:30:00Z")
	flags.StringVar(&until, "until", "", "only what was written at this `time` or before")
	flags.BoolVar(&params.Explain, "explain", false, "say what made a hit similar")
	completes(command, "store", p.several(stores))
	completes(command, "type", p.several(documentTypes))
	return p.run(command, reads, func(ctx context.Context, d *desk, args []string) (said answer, err error) {
		if params.Query, err = p.textOf(args); err != nil {
			return said, err
		}
		if err := d.checkFilter(ctx, &params); err != nil {
			return said, err
		}
		params.Since, params.Until = wire.Time(since), wire.Time(until)
		result, err := call[wire.SearchResult](ctx, d, "wm/search", &params)
		if err != nil {
			return said, err
		}
		var text strings.Builder
		for _, hit := range result.Hits {
			text.WriteString(d.hitText(hit))
		}
		return found(len(result.Hits), result, text.String(), "Nothing that is remembered fits these words."), nil
	})
}

// checkFilter returns an error if the filter of a search names a store or a type that is not known. It replaces the
// names that people are shown by types.
func (d *desk) checkFilter(ctx context.Context, params *wire.SearchParams) error {
	known, err := stores(ctx, d)
	if err != nil {
		return err
	}
	store := func(doc room.Document) string { return doc.Store }
	if err := d.checkKnown(ctx, "store", params.Stores, known, store); err != nil {
		return err
	}
	if known, err = documentTypes(ctx, d); err != nil {
		return err
	}
	var kinds []string
	for _, name := range params.Types {
		kind := panel.TypeNamed(name)
		if kind == name || slices.Contains(known, name) { // such as fact, which is a type of items, too
			kinds = append(kinds, name)
		}
		if kind != name {
			kinds = append(kinds, kind)
		}
	}
	params.Types = kinds
	return d.checkKnown(ctx, "type", kinds, known, func(doc room.Document) string { return doc.Type })
}

// checkKnown returns an error if a value of a flag is not known, and not that of anything that is remembered: it is a
// slip. The operations find nothing with it, because a client may ask all workspaces for what only some have.
func (d *desk) checkKnown(
	ctx context.Context, flag string, values, known []string, of func(room.Document) string,
) error {
	at, err := d.view()
	if err != nil || at.NoWorkspace() != nil {
		return err
	}
	for _, value := range values {
		if slices.Contains(known, value) {
			continue
		}
		held, err := d.service.Holds(ctx, at, func(doc room.Document) bool { return of(doc) == value })
		if err != nil {
			return err
		}
		if !held {
			return usage("--%s must be one of %s, got %q", flag, strings.Join(known, ", "), value)
		}
	}
	return nil
}

func (p *program) hitText(hit wire.SearchHit) string {
	head := p.terminal.paint(blue, line(hit.From))
	if hit.Item.ID != "" {
		head += "  " + p.terminal.paint(dim, line(hit.Item.ID))
	}
	said, why, _ := strings.Cut(hit.Item.Text, "\n"+service.WhyLabel) // of an entry
	text := head + "\n" + p.terminal.indented(4, line(said))
	if why != "" {
		text += p.terminal.indented(4, service.WhyLabel+line(why))
	}
	var reasons []string
	for _, reason := range hit.Reasons {
		said := reason.Reason
		if reason.Word != "" {
			said += " " + line(reason.Word)
		}
		reasons = append(reasons, fmt.Sprintf("%s %.2f", said, reason.Score))
	}
	if len(reasons) > 0 {
		text += p.terminal.indented(4, "Found by: "+strings.Join(reasons, ", "))
	}
	return text
}

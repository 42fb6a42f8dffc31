package cli

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Arguments and values of flags have no completion but what their commands say.

// completes sets the completion of the values of a flag.
func completes(command *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := command.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // there is no such flag
	}
}

// fileNames completes the names of at most so many files and folders; most may be negative, which means no limit.
func fileNames(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most >= 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// A lookup returns the values that the workspace has for an argument or a flag.
type lookup func(ctx context.Context, d *desk) ([]string, error)

// one completes one value.
func (p *program) one(values lookup) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
		return p.lookUp(cmd.Context(), values, "", begin, nil), cobra.ShellCompDirectiveNoFileComp
	}
}

// several completes values with commas between them.
func (p *program) several(values lookup) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
		last := strings.LastIndex(begin, ",") + 1
		given := strings.Split(begin[:last], ",")
		return p.lookUp(cmd.Context(), values, begin[:last], begin[last:], given), cobra.ShellCompDirectiveNoFileComp
	}
}

// lookUp returns the values that begin with a string and are not given yet, each after a prefix.
func (p *program) lookUp(ctx context.Context, values lookup, prefix, begin string, given []string) (found []string) {
	_, _ = p.answer(ctx, reads, nil, func(ctx context.Context, d *desk, _ []string) (answer, error) {
		all, err := values(ctx, d)
		for _, value := range all {
			if strings.HasPrefix(value, begin) && !slices.Contains(given, value) {
				found = append(found, prefix+value)
			}
		}
		return answer{}, err // a completion says nothing of it
	})
	return found
}

// entryIDs completes the id of one entry.
func (p *program) entryIDs(cmd *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return p.one(entries)(cmd, args, begin)
}

func entries(ctx context.Context, d *desk) (ids []string, err error) {
	known, err := call[wire.MemoryListResult](ctx, d, "wm/memory/list", &wire.MemoryListParams{})
	for _, entry := range known.Entries {
		ids = append(ids, cobra.CompletionWithDesc(entry.ID, line(entry.Text)))
	}
	return ids, err
}

func sessions(ctx context.Context, d *desk) (ids []string, err error) {
	known, err := call[wire.SessionListResult](ctx, d, "wm/session/list", &wire.SessionListParams{})
	for _, session := range known.Sessions {
		ids = append(ids, cobra.CompletionWithDesc(session.SessionID, line(session.Title)))
	}
	return ids, err
}

func fingerprints(ctx context.Context, d *desk) (all []string, err error) {
	open, err := call[wire.ErrorsListResult](ctx, d, "wm/errors/list", &wire.ErrorsListParams{})
	for _, one := range open.Errors {
		all = append(all, cobra.CompletionWithDesc(one.Fingerprint, line(one.Summary)))
	}
	return all, err
}

func panelSections(ctx context.Context, d *desk) (ids []string, err error) {
	shown, err := call[wire.PanelResult](ctx, d, "wm/panel", &wire.PanelParams{})
	for _, section := range shown.Sections {
		ids = append(ids, section.ID)
	}
	return ids, err
}

// viewed returns what a function returns of the view of the workspace.
func viewed(d *desk, of func(*service.View) []string) ([]string, error) {
	at, err := d.view()
	if err != nil {
		return nil, err
	}
	return of(at), nil
}

func contextSections(_ context.Context, d *desk) ([]string, error) {
	return viewed(d, func(at *service.View) []string { return assembly.SectionIDs(at.Workspace) })
}

// types are those of entries.
func types(_ context.Context, d *desk) ([]string, error) {
	return viewed(d, func(at *service.View) []string { return at.Settings().Memory.AllTypes() })
}

// kinds are the nouns of the kinds of changes.
func kinds(_ context.Context, d *desk) ([]string, error) {
	return viewed(d, func(at *service.View) []string { return slices.Sorted(maps.Keys(at.Nouns())) })
}

func stores(_ context.Context, d *desk) ([]string, error) { return viewed(d, (*service.View).Stores) }

// documentTypes are those of all that search finds.
func documentTypes(_ context.Context, d *desk) ([]string, error) {
	return viewed(d, (*service.View).DocumentTypes)
}

package cli

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) errorsCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "errors [PATH...]", Short: "List the open errors",
		Long: `List the errors of language servers, compilers, tests and linters that nobody has seen fixed, of all
agents and editors; with paths, only those in these files and folders. With --dismiss the error with
a fingerprint, which the list has, is in no list and no context until it comes back; with --restore
it is there again.`,
		Example: `  wm-lsp errors
  wm-lsp errors add.go
  wm-lsp errors --json
  wm-lsp errors --dismiss 0a1b2c3d4e5f`,
	}
	var dismiss, restore string
	command.Flags().StringVar(&dismiss, "dismiss", "", "dismiss the error with this fingerprint")
	command.Flags().StringVar(&restore, "restore", "", "show the dismissed error with this fingerprint again")
	command.MarkFlagsMutuallyExclusive("dismiss", "restore")
	command.ValidArgsFunction = fileNames(-1)
	completes(command, "dismiss", p.one(fingerprints))
	return p.run(command, reads, func(ctx context.Context, d *desk, args []string) (said answer, err error) {
		if dismiss != "" || restore != "" {
			return d.dismiss(ctx, dismiss, restore, args)
		}
		var params wire.ErrorsListParams
		for _, arg := range args {
			relative, err := d.relative(arg)
			if err != nil {
				return said, err
			}
			params.Paths = append(params.Paths, relative)
		}
		result, err := call[wire.ErrorsListResult](ctx, d, "wm/errors/list", &params)
		if err != nil {
			return said, err
		}
		var text strings.Builder
		for _, open := range result.Errors {
			text.WriteString(d.errorText(open))
		}
		nothing := "No error is open."
		if len(args) > 0 {
			nothing = "No error is open in these files and folders."
		}
		return found(len(result.Errors), result, text.String(), nothing), nil
	})
}

// dismiss dismisses the error with one fingerprint, or restores the one with the other.
func (d *desk) dismiss(ctx context.Context, dismiss, restore string, args []string) (said answer, err error) {
	if len(args) > 0 {
		return said, usage("--dismiss and --restore take one fingerprint and no paths")
	}
	done, method := "Dismissed until it comes back.\n", "wm/errors/dismiss"
	params := wire.ErrorParams{Fingerprint: dismiss}
	if restore != "" {
		done, method, params.Fingerprint = "Restored.\n", "wm/errors/restore", restore
	}
	result, err := call[wire.ErrorsDismissResult](ctx, d, method, &params)
	if err != nil {
		return said, err
	}
	return answer{result: result, text: done + d.errorText(result.Error)}, nil
}

// relative returns the path of a file or folder of the workspace relative to the workspace. A relative
// one begins in the folder of the command.
func (d *desk) relative(file string) (string, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(d.folder, file)
	}
	below, err := absolute(filepath.Join(file, "below")) // which the root has, too
	if err != nil {
		return "", err
	}
	_, relative, inside := d.service.Locate(string(uri.File(below)))
	if !inside {
		return "", usage("%s is not in the workspace", file)
	}
	return path.Dir(relative), nil
}

func (d *desk) errorText(open wire.OpenError) string {
	head := d.terminal.paint(red, "["+open.Category+"]") + " " + line(open.Summary)
	if open.Path != "" {
		place := line(open.Path)
		if open.Line > 0 {
			place = fmt.Sprintf("%s:%d", place, open.Line)
		}
		head = d.terminal.paint(bold, d.terminal.link(d.fileURI(open.Path), place)) + " " + head
	}
	var facts []string
	if from := cmp.Or(open.Command, open.Tool); from != "" {
		facts = append(facts, "reported by "+line(from))
	}
	if open.Count > 1 {
		facts = append(facts, fmt.Sprintf("%d times", open.Count))
	}
	seen := "last seen "
	if !open.Verified {
		seen = "not checked since "
	}
	facts = append(facts, seen+clock(open.LastSeen))
	if open.MaybeFixed {
		facts = append(facts, "its file was edited since")
	}
	facts = append(facts, open.Fingerprint)
	return head + "\n" + d.terminal.indented(4, strings.Join(facts, ", "))
}

// fileURI returns the URI of a file whose path is relative to the workspace, "" if there is none.
func (d *desk) fileURI(path string) string {
	at, err := d.view()
	if err != nil {
		return ""
	}
	return at.FileURI(path)
}

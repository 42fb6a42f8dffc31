package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/importer"
	"github.com/wm-lsp/wm-lsp/memory/backup"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) importCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "import [FILE|FOLDER]", Short: "Take over the memory of another program, or an export",
		Long: `Take over the memory that other programs keep of the workspace: rules, decisions and facts become
entries, each with the file and line that it is from, and documents become notes. They have to pass
the quality gate (docs/quality-gate.md), and secrets are removed from them. The files stay as they
are. What was taken over before is not taken over again, also if it was removed since, unless
--again is given.

Without a file everything is taken over that has a place for the workspace: the plugin
opencode-working-memory of OpenCode, ~/.ai/sessions, the memory of Claude Code, the memories of
Serena, the memory bank of Cline, and the rules in CLAUDE.md, AGENTS.md, GEMINI.md, .cursor/rules
and .github/copilot-instructions.md. With a file or folder that is taken over, of any of these, or
of basic-memory, server-memory, mem0 (also a zip of OpenMemory) or claude-mem. What is over the
limit of memory.maxEntries is in no context, but found by wm-lsp search and brought back by
wm-lsp forget --restore.

A file that wm-lsp export or wm-lsp backup has written is read back. The workspace must have no
memory yet then; wm-lsp restore --replace replaces one.`,
		Example: `  wm-lsp import --dry-run
  wm-lsp import
  wm-lsp import --from opencode-working-memory --json
  wm-lsp import --undo`,
		Args: takes(0, 1, "one file or folder"), ValidArgsFunction: fileNames(1),
	}
	var params wire.ImportParams
	flags := command.Flags()
	from := flags.String("from", "", "only this `format`: "+strings.Join(importer.Names(), ", "))
	flags.BoolVar(&params.DryRun, "dry-run", false, "change nothing, and say what would be taken over")
	flags.BoolVar(&params.Again, "again", false, "take over also what was taken over before")
	flags.BoolVar(&params.Undo, "undo", false, "take the latest import back")
	completes(command, "from", cobra.FixedCompletions(importer.Names(), cobra.ShellCompDirectiveNoFileComp))
	p.runLong(command, writes, func(ctx context.Context, d *desk, args []string) (said answer, err error) {
		params.From = wire.ImportSource(*from)
		if len(args) == 0 && !params.Undo {
			params.From = cmp.Or(params.From, wire.ImportAll)
		}
		if len(args) > 0 {
			if params.Path, err = absolute(args[0]); err != nil {
				return said, err
			}
		}
		defer p.halfway.begin()()
		result, err := call[wire.ImportResult](ctx, d, "wm/import", &params)
		if err != nil {
			return said, err
		}
		return d.importAnswer(result, params.Undo), nil
	})
	takeOver := command.RunE
	command.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case params.Undo && (len(args) > 0 || params.DryRun || params.Again):
			return usage("--undo takes no file, --dry-run or --again")
		case len(args) == 0 || !isBackup(args[0]):
			return takeOver(cmd, args)
		case *from != "" || params.DryRun || params.Again:
			return usage("%s is an export of wm-lsp, which is read back as a whole, without flags", args[0])
		}
		return p.restoreBackup(cmd.Context(), args[0], false)
	}
	return command
}

// isBackup reports whether a file begins as an export does.
func isBackup(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	from, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = from.Close() }()
	return backup.Recognizes(io.LimitReader(from, 64))
}

// errNothingRead is the error of an import that found files and could read none of them.
var errNothingRead = errors.New("nothing was taken over, because it cannot be read")

// importAnswer returns what is said about an import, or about one that was taken back.
func (p *program) importAnswer(result wire.ImportResult, undone bool) answer {
	done := len(result.Memories) + len(result.Sessions) + len(result.Notes)
	nothing := "There is nothing new to take over."
	if result.Before > 0 {
		nothing += "\n" + beforeText(result.Before)
	}
	if undone {
		nothing = "There is no import to take back."
	}
	said := found(done+len(result.Skipped), result, p.importText(result, undone), nothing)
	if done == 0 && said.err == nil && !undone {
		said.err = errNothingRead
	}
	return said
}

// beforeText returns how much an earlier import decided about, and how what was removed since comes back.
func beforeText(n int) string {
	return fmt.Sprintf("In an earlier import: %d. wm-lsp import --again brings back what was removed since.", n)
}

func (p *program) importText(result wire.ImportResult, undone bool) string {
	var text strings.Builder
	counts, aside := map[wire.ReceiptStatus]int{}, 0
	for _, receipt := range result.Memories {
		counts[receipt.Status]++
		if receipt.Status == wire.ReceiptAdded && receipt.Entry.Status == wire.StatusEvicted {
			aside++
		}
		text.WriteString(p.importReceipt(receipt, result.DryRun, undone))
	}
	for _, session := range result.Sessions {
		text.WriteString("session  " + line(session) + "\n")
	}
	for _, note := range result.Notes {
		text.WriteString("note  " + line(note.Path+" of "+note.SessionID) + "\n" +
			p.terminal.indented(4, "From: "+line(note.Imported.File)))
	}
	for _, skipped := range result.Skipped {
		what := "not read"
		if undone {
			what = "not taken back"
		}
		text.WriteString(p.terminal.paint(yellow, what) + "  " +
			line(fmt.Sprintf("%s: %s", skipped.Name, skipped.Reason)) + "\n")
	}
	if len(result.Memories)+len(result.Sessions)+len(result.Notes) == 0 {
		return text.String()
	}
	if undone {
		text.WriteString("The import is taken back. wm-lsp import --again takes it over once more.\n")
		return text.String()
	}
	fmt.Fprintf(&text, "%s: %s, %s, %s; rejected: %d; remembered already: %d; not read: %d.\n",
		map[bool]string{true: "Would be taken over", false: "Taken over"}[result.DryRun],
		count(counts[wire.ReceiptAdded], "entry", "entries"), count(len(result.Sessions), "session", "sessions"),
		count(len(result.Notes), "note", "notes"), counts[wire.ReceiptRejected], counts[wire.ReceiptUnchanged],
		len(result.Skipped))
	if aside > 0 {
		fmt.Fprintf(&text, "Of the entries, %d are over the limit of memory.maxEntries: wm-lsp search finds them.\n",
			aside)
	}
	if result.Before > 0 {
		text.WriteString(beforeText(result.Before) + "\n")
	}
	if result.Redactions > 0 {
		fmt.Fprintf(&text, "Secrets that were removed: %d.\n", result.Redactions)
	}
	if result.Undo != nil {
		text.WriteString("wm-lsp import --undo takes it back.\n")
	}
	return text.String()
}

// importReceipt returns the receipt of one entry as text.
func (p *program) importReceipt(receipt wire.Receipt, dry, undone bool) string {
	status := string(receipt.Status)
	switch {
	case undone:
		status = "removed"
	case dry && receipt.Status == wire.ReceiptAdded:
		status = "would be added"
	}
	where := ""
	if receipt.Imported != nil && (receipt.Entry == nil || receipt.Entry.Imported == nil) {
		where = p.importedFrom(*receipt.Imported)
	}
	if receipt.Entry == nil {
		return p.terminal.paint(yellow, status) + "  " + line(receipt.Reason) + "\n" +
			p.terminal.indented(4, line(receipt.Text)) + where
	}
	if receipt.Entry.ID == "" {
		return status + p.entryText(*receipt.Entry) + where
	}
	return status + "  " + p.entryText(*receipt.Entry) + where
}

// importedFrom returns where a string of another program was read.
func (p *program) importedFrom(at wire.Imported) string {
	where := at.File
	if at.Line > 0 {
		where += fmt.Sprintf(":%d", at.Line)
	}
	return p.terminal.indented(4, "From: "+line(where))
}

// count returns a number of things in words.
func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

package service

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// withFiles writes files of the workspace.
func withFiles(f *face, files map[string]string) {
	f.t.Helper()
	f.t.Setenv("HOME", f.t.TempDir())
	f.t.Setenv("CLAUDE_CONFIG_DIR", "")
	f.t.Setenv("XDG_DATA_HOME", f.t.TempDir())
	for name, text := range files {
		path := filepath.Join(f.root, filepath.FromSlash(name))
		require.NoError(f.t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(f.t, os.WriteFile(path, []byte(text), 0o644))
	}
}

func (f *face) importing(params wire.ImportParams) wire.ImportResult {
	f.t.Helper()
	result, err := f.call("wm/import", &params)
	require.NoError(f.t, err)
	return result.(wire.ImportResult)
}

func (f *face) entries() (texts []string) {
	f.t.Helper()
	list, err := f.call("wm/memory/list", &wire.MemoryListParams{})
	require.NoError(f.t, err)
	for _, entry := range list.(wire.MemoryListResult).Entries {
		texts = append(texts, entry.Text)
	}
	return texts
}

const twoRules = "# Rules\n\n- Never commit to main, open a pull request\n- Always run the linter before a commit\n"

func TestADryRunSaysWhatAnImportDoesAndChangesNothing(t *testing.T) {
	f := newFace(t)
	withFiles(f, map[string]string{
		"AGENTS.md":             twoRules + "- Never use it\n- Keep password: hunter2-Xk29! out of the log\n",
		".serena/memories/a.md": "# A\n\ntext with the password: hunter2-Xk29! in it\n",
	})
	_, err := f.call("wm/memory/add", &wire.MemoryAddParams{Text: "Always run the linter before a commit"})
	require.NoError(t, err)
	dry := f.importing(wire.ImportParams{From: wire.ImportAll, DryRun: true})
	assert.Len(t, f.entries(), 1)
	real := f.importing(wire.ImportParams{From: wire.ImportAll})
	require.Len(t, dry.Memories, 4)
	for i, r := range real.Memories {
		assert.Equal(t, r.Status, dry.Memories[i].Status)
		assert.Equal(t, r.Reason, dry.Memories[i].Reason)
		assert.Equal(t, r.Imported, dry.Memories[i].Imported)
		assert.Equal(t, r.Redactions, dry.Memories[i].Redactions)
		assert.Nil(t, dry.Memories[i].Undo)
	}
	assert.Equal(t, wire.ReceiptAdded, real.Memories[0].Status)
	assert.Equal(t, &wire.Imported{From: "instructions", File: "AGENTS.md", Line: 3}, real.Memories[0].Imported)
	assert.Equal(t, real.Memories[0].Imported, real.Memories[0].Entry.Imported)
	assert.Equal(t, wire.ReceiptUnchanged, real.Memories[1].Status, "it says the same as an entry")
	assert.Equal(t, "too_short", real.Memories[2].Reason, "the quality gate applies")
	assert.Equal(t, dry.Notes, real.Notes)
	assert.Equal(t, 2, real.Redactions)
	assert.Equal(t, dry.Redactions, real.Redactions)
	for _, said := range []string{"remembered (2)", "AGENTS.md:3", "too_short", "Secrets that are removed: 2"} {
		assert.Contains(t, dry.Markdown, said)
	}
	assert.NotContains(t, dry.Markdown, "hunter2")
	assert.Empty(t, real.Markdown)
	note, err := f.call("wm/notes/read", &wire.NotesReadParams{
		Params: wire.Params{SessionID: "serena:documents"}, Path: "detail/a.md",
	})
	require.NoError(t, err)
	assert.Contains(t, note.(wire.NotesReadResult).Content, "text with the")
	assert.NotContains(t, note.(wire.NotesReadResult).Content, "hunter2")
}

func TestAnImportIsTakenBackButWhatWasChangedSince(t *testing.T) {
	f := newFace(t)
	withFiles(f, map[string]string{"AGENTS.md": twoRules, ".serena/memories/a.md": "a", "memory-bank/b.md": "b"})
	_, err := f.call("wm/memory/add", &wire.MemoryAddParams{Text: "Amounts are integers, in cents"})
	require.NoError(t, err)
	first := f.importing(wire.ImportParams{From: wire.ImportAll})
	require.Len(t, first.Memories, 2)
	require.Len(t, first.Notes, 2)
	assert.Equal(t, &wire.Undo{Method: "wm/import", Params: wire.Object{"undo": true}}, first.Undo)
	text := "Always run the linter and the tests before a commit"
	_, err = f.call("wm/memory/update", &wire.MemoryUpdateParams{ID: first.Memories[1].ID, Text: &text})
	require.NoError(t, err)
	own := wire.Params{SessionID: "serena:documents"}
	_, err = f.call("wm/message/received", &wire.MessageReceivedParams{Params: own, Role: "user", Text: "go on"})
	require.NoError(t, err)

	back := f.importing(wire.ImportParams{Undo: true})
	require.Len(t, back.Memories, 1)
	assert.Equal(t, first.Memories[0].ID, back.Memories[0].ID)
	assert.Equal(t, []string{"cline-memory-bank:documents"}, back.Sessions)
	var names []string
	for _, skipped := range back.Skipped {
		names = append(names, skipped.Name)
	}
	assert.Equal(t, []string{first.Memories[1].ID, "serena:documents"}, names)
	assert.Equal(t, []string{"Amounts are integers, in cents", text}, f.entries())

	assert.Empty(t, f.importing(wire.ImportParams{Undo: true}).Memories)
	assert.Empty(t, f.importing(wire.ImportParams{From: wire.ImportAll}).Memories, "it does not come back by itself")
	again := f.importing(wire.ImportParams{From: wire.ImportAll, Again: true})
	assert.Len(t, again.Memories, 2)
	assert.Len(t, again.Notes, 2, "also that of the session that was continued, which was removed")
	assert.Empty(t, f.importing(wire.ImportParams{From: "serena", Again: true}).Notes, "a note that is there stays")
}

// manyRules returns a file with so many rules.
func manyRules(n int) string {
	var rules strings.Builder
	for i := range n {
		fmt.Fprintf(&rules, "- Never call function number %d from a handler\n", i)
	}
	return rules.String()
}

func TestALargeImportEvictsNothingAndSearchFindsWhatIsOverTheLimit(t *testing.T) {
	f := newFace(t)
	withFiles(f, map[string]string{"CLAUDE.md": manyRules(40)})
	_, err := f.call("wm/memory/add", &wire.MemoryAddParams{Text: "Amounts are integers, in cents"})
	require.NoError(t, err)
	dry := f.importing(wire.ImportParams{From: wire.ImportInstructions, DryRun: true})
	assert.Contains(t, dry.Markdown, "Would be remembered (27)")
	assert.Contains(t, dry.Markdown, "Would be found by search only (13)")
	result := f.importing(wire.ImportParams{From: wire.ImportInstructions})
	require.Len(t, result.Memories, 40)
	kept := f.entries()
	assert.Len(t, kept, 28)
	assert.Equal(t, "Amounts are integers, in cents", kept[0])
	for i, receipt := range result.Memories {
		assert.Equal(t, wire.ReceiptAdded, receipt.Status)
		assert.Equal(t, receipt.Status, dry.Memories[i].Status)
		assert.Equal(t, receipt.Reason, dry.Memories[i].Reason)
		if i >= 27 {
			assert.Equal(t, wire.StatusEvicted, receipt.Entry.Status)
			assert.Contains(t, receipt.Reason, "searches find it")
			assert.NotNil(t, receipt.Undo)
		}
	}
	search := func() (texts []string) {
		found, err := f.call("wm/search", &wire.SearchParams{Query: "function number 39"})
		require.NoError(t, err)
		for _, hit := range found.(wire.SearchResult).Hits {
			if hit.Item.State == wire.SearchEvicted {
				texts = append(texts, hit.Item.Text)
			}
		}
		return texts
	}
	assert.Contains(t, search(), "Never call function number 39 from a handler")
	assert.Empty(t, f.importing(wire.ImportParams{From: wire.ImportInstructions}).Memories, "it is taken over once")
	again := f.importing(wire.ImportParams{From: wire.ImportInstructions, Again: true})
	for _, receipt := range again.Memories {
		assert.Equal(t, wire.ReceiptUnchanged, receipt.Status)
	}
	_, err = f.call("wm/memory/restore", &wire.MemoryRestoreParams{ID: result.Memories[39].ID})
	require.NoError(t, err)
	assert.Contains(t, f.entries(), "Never call function number 39 from a handler")
	back := f.importing(wire.ImportParams{Undo: true})
	assert.Len(t, back.Memories, 38, "but not what was restored, and what was evicted for it")
	assert.NotContains(t, search(), "Never call function number 38 from a handler")
}

func TestASecretInAFileOfAnyFormatIsRemovedAndCounted(t *testing.T) {
	const secret = "hunter2-Xk29!"
	for format, c := range map[string]struct{ file, text string }{
		"opencode-working-memory": {
			".opencode/memory-core/s.json", `{"sessionID":"s","blocks":{"goal":{"content":"use password: %s"}}}`,
		},
		"session-folders":   {".ai/sessions/--x--/s1/working-memory/overview.md", "# Work\n\npassword: %s\n"},
		"claude-memory":     {"memory/MEMORY.md", "- Never log in with password: %s at night\n"},
		"serena":            {".serena/memories/a.md", "- Never log in with password: %s at night\n"},
		"cline-memory-bank": {"memory-bank/b.md", "- Never log in with password: %s at night\n"},
		"instructions":      {"AGENTS.md", "- Never log in with password: %s at night\n"},
		"claude-mem": {
			"e.json", `{"observations":[{"facts":["Never log in with password: %s at night"]}],"summaries":[]}`,
		},
		"server-memory": {
			"g.json", `{"type":"entity","name":"S","entityType":"x","observations":["has the password: %s at night"]}`,
		},
		"mem0":         {"m.json", `{"results":[{"memory":"Never log in with password: %s at night"}]}`},
		"basic-memory": {"c.md", "---\npermalink: a\n---\n- [rule] Never log in with password: %s at night\n"},
	} {
		t.Run(format, func(t *testing.T) {
			f := newFace(t)
			withFiles(f, map[string]string{c.file: fmt.Sprintf(c.text, secret)})
			result := f.importing(wire.ImportParams{
				From: wire.ImportSource(format), Path: filepath.Join(f.root, filepath.FromSlash(c.file)),
			})
			assert.Empty(t, result.Skipped)
			assert.Positive(t, len(result.Memories)+len(result.Notes)+len(result.Sessions))
			assert.Positive(t, result.Redactions)
			f.service.Close(context.Background())
			err := filepath.WalkDir(f.service.options.DataDir, func(path string, e fs.DirEntry, err error) error {
				if err != nil || !e.Type().IsRegular() {
					return err
				}
				doc, err := os.ReadFile(path)
				assert.NotContains(t, string(doc), secret, path)
				return err
			})
			require.NoError(t, err)
		})
	}
}

func TestAnImportThatIsLargerThanWhatIsKeptSaysWhatItLeavesOut(t *testing.T) {
	f := newFace(t)
	f.configure(`{"memory": {"maxEntries": 5, "maxPast": 10}}`)
	withFiles(f, map[string]string{"CLAUDE.md": manyRules(20)})
	result := f.importing(wire.ImportParams{From: wire.ImportInstructions})
	require.Len(t, result.Memories, 20)
	for i, receipt := range result.Memories {
		switch {
		case i < 5:
			assert.Equal(t, wire.StatusActive, receipt.Entry.Status)
		case i < 15:
			assert.Equal(t, wire.StatusEvicted, receipt.Entry.Status)
		default:
			assert.Equal(t, wire.ReceiptRejected, receipt.Status)
			assert.Contains(t, receipt.Reason, "memory_full: there are 5 entries")
		}
	}
	f.configure(`{"memory": {"maxEntries": 7, "maxPast": 10}}`)
	later := f.importing(wire.ImportParams{From: wire.ImportInstructions})
	require.Len(t, later.Memories, 5, "what was left out")
	assert.Equal(t, wire.StatusActive, later.Memories[1].Entry.Status, "there is space now")
	assert.Equal(t, wire.ReceiptRejected, later.Memories[2].Status)
}

func TestTheMemoryOfOtherProgramsIsOfferedInThePanelOnce(t *testing.T) {
	f := newFace(t)
	withFiles(f, map[string]string{
		"CLAUDE.md": twoRules, ".serena/memories/a.md": twoRules, "memory-bank/progress.md": "b",
	})
	offers := func() (items []panel.Item) {
		result, err := f.call("wm/panel", &wire.PanelParams{})
		require.NoError(t, err)
		for _, section := range result.(wire.PanelResult).Panel.Sections {
			if section.ID == importSection {
				items = section.Items
			}
		}
		return items
	}
	found := offers()
	require.Len(t, found, 2, "not what agents read by themselves")
	assert.Equal(t, "The memories of Serena", found[0].Label)
	assert.Equal(t, "1 file · .serena/memories", found[0].Detail)
	said, err := f.call("wm/panel/resolve", &wire.PanelResolveParams{ID: found[0].ID, Full: true})
	require.NoError(t, err)
	details := said.(wire.PanelResolveResult)
	assert.Contains(t, details.Markdown, "- **Found:** 1 file · .serena/memories\n")
	assert.Equal(t, found[0].Actions, details.Actions, "they can be chosen beside the details")
	for _, action := range found[0].Actions {
		if action.Title == "Take over" {
			assert.Equal(t, map[string]any{"from": "serena"}, action.Params)
			assert.Len(t, f.importing(wire.ImportParams{From: "serena"}).Memories, 2)
		}
	}
	found = offers()
	require.Len(t, found, 1)
	assert.Equal(t, map[string]any{"from": "cline-memory-bank", "dismiss": true}, found[0].Actions[2].Params)
	f.importing(wire.ImportParams{From: "cline-memory-bank", Dismiss: true})
	assert.Empty(t, offers())
	f.importing(wire.ImportParams{Undo: true})
	assert.Empty(t, offers(), "what was answered is not offered again")
}

func TestAnImportThatCannotBeIsRefused(t *testing.T) {
	f := newFace(t)
	withFiles(f, map[string]string{"AGENTS.md": twoRules})
	for name, params := range map[string]wire.ImportParams{
		"from":  {From: "something"},
		"path":  {Path: "AGENTS.md"},
		"place": {From: wire.ImportMem0},
		"undo":  {Undo: true, Path: filepath.Join(f.root, "AGENTS.md")},
		"all":   {Dismiss: true, From: wire.ImportAll},
	} {
		_, err := f.call("wm/import", &params)
		assert.Equal(t, fault.Params, fault.Of(err).Kind, name)
	}
	_, err := f.call("wm/import", &wire.ImportParams{Path: filepath.Join(f.root, "gone.md")})
	require.Error(t, err)
	_, err = f.call("wm/pause", &wire.PauseParams{Minutes: 5})
	require.NoError(t, err)
	_, err = f.call("wm/import", &wire.ImportParams{Undo: true})
	assert.Equal(t, fault.Paused, fault.Of(err).Reason)
	assert.Len(t, f.importing(wire.ImportParams{From: wire.ImportAll, DryRun: true}).Memories, 2, "nothing is written")
}

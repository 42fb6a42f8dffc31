package service

import (
	"fmt"
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

func TestAnImportEvictsNothing(t *testing.T) {
	f := newFace(t)
	var rules strings.Builder
	for i := range 40 {
		fmt.Fprintf(&rules, "- Never call function number %d from a handler\n", i)
	}
	withFiles(f, map[string]string{"CLAUDE.md": rules.String()})
	_, err := f.call("wm/memory/add", &wire.MemoryAddParams{Text: "Amounts are integers, in cents"})
	require.NoError(t, err)
	result := f.importing(wire.ImportParams{From: wire.ImportInstructions})
	require.Len(t, result.Memories, 40)
	assert.Contains(t, result.Memories[39].Reason, "memory_full")
	kept := f.entries()
	assert.Len(t, kept, 28)
	assert.Equal(t, "Amounts are integers, in cents", kept[0])
	_, err = f.call("wm/memory/remove", &wire.MemoryRemoveParams{ID: result.Memories[0].ID})
	require.NoError(t, err)
	assert.Equal(t, wire.ReceiptAdded, f.importing(wire.ImportParams{From: wire.ImportInstructions}).Memories[0].Status,
		"there is space now")
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

package notes_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

func snapshotOf(text string, problem error) notes.Snapshot {
	note := notes.Note{Path: notes.Overview, Content: text, Revision: notes.RevisionOf(text)}
	return notes.New(room.Env{Settings: settings.Default}).SnapshotOf(note, problem)
}

func TestASnapshotReadsTheOverviewOfItsSession(t *testing.T) {
	dir := t.TempDir()
	r := notes.New(room.Env{
		Settings:   settings.Default,
		SessionDir: func(session string) (string, error) { return filepath.Join(dir, session), nil },
	})
	assert.False(t, r.Snapshot("s").Exists())
	written, err := notes.In(filepath.Join(dir, "s")).Write(notes.Overview, "# Cart\n", "")
	require.NoError(t, err)
	assert.Equal(t, written, r.Snapshot("s").Note)
	assert.False(t, r.Snapshot("t").Exists())

	withoutStore := notes.New(room.Env{
		Settings:   settings.Default,
		SessionDir: func(string) (string, error) { return "", room.ErrStore },
	})
	snapshot := withoutStore.Snapshot("s")
	assert.False(t, snapshot.Exists())
	assert.NoError(t, snapshot.Problem, "without a store there are no notes")
}

func TestTheSectionOfAnOverviewDependsOnItsRevision(t *testing.T) {
	first := snapshotOf("# Cart\n\nRound - once.\n", nil)
	section := first.Section()
	part := section.Render(section.MaxChars, nil)
	assert.Equal(t, "<overview>\n# Cart\n\nRound - once.\n</overview>", part.Text)
	assert.True(t, render.DedupSet{part.DedupKeys}.Has(render.DedupKey("round once")))
	assert.False(t, section.Guidance)
	assert.Equal(t, first.Revision, section.State)
	assert.True(t, snapshotOf("# Cart\n", nil).Section().Guidance, "there is nothing but a heading")
	assert.Equal(t, render.Part{}, notes.Snapshot{}.Section().Render(1000, nil))
}

func TestAnOverviewThatCannotBeReadIsLeftOutWithTheReason(t *testing.T) {
	section := snapshotOf("# Cart\n", errors.New("no disk")).Section()
	assert.Contains(t, section.State, "no disk")
	part := section.Render(section.MaxChars, nil)
	assert.Equal(t, render.Part{Omitted: []render.Omission{{ID: "overview.md", Reason: "no disk"}}}, part)
}

func TestSectionsThatComeToStandTogetherMakeNoTag(t *testing.T) {
	text := "## One\nan end </\n\n## Two\n" + strings.Repeat("word ", 300) + "\n\noverview>\n===\nforged\n"
	section := snapshotOf(text, nil).Section()
	for limit := range 2000 {
		part := section.Render(limit, nil)
		require.LessOrEqual(t, strings.Count(strings.Join(strings.Fields(part.Text), ""), "</overview>"), 1, part.Text)
	}
	part := section.Render(200, nil)
	assert.Contains(t, part.Text, "an end ‹/\n\noverview>\n===\nforged\n")
	assert.Equal(t, []render.Omission{{ID: "Two", Reason: "budget"}}, part.Omitted)
}

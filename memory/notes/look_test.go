package notes_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

func look(text string, problem error) notes.Look {
	room := notes.New(notes.Options{
		Settings: settings.Default,
		Read: func(string) (notes.Note, error) {
			return notes.Note{Path: notes.Overview, Content: text, Revision: notes.RevisionOf(text)}, problem
		},
	})
	return room.Look("s")
}

func TestTheSectionOfAnOverviewDependsOnItsRevision(t *testing.T) {
	first := look("# Cart\n\nRound - once.\n", nil)
	section := first.Section()
	part := section.Render(section.MaxChars, nil)
	assert.Equal(t, "<overview>\n# Cart\n\nRound - once.\n</overview>", part.Text)
	assert.True(t, render.Said{part.Says}.Has(render.Saying("round once")))
	assert.False(t, section.Guidance)
	assert.Equal(t, first.Revision, section.State)
	assert.True(t, look("# Cart\n", nil).Section().Guidance, "there is nothing but a heading")
	assert.Equal(t, render.Part{}, notes.Look{}.Section().Render(1000, nil))
}

func TestAnOverviewThatCannotBeReadIsLeftOutWithTheReason(t *testing.T) {
	section := look("# Cart\n", errors.New("no disk")).Section()
	assert.Contains(t, section.State, "no disk")
	part := section.Render(section.MaxChars, nil)
	assert.Equal(t, render.Part{Omitted: []render.Omission{{ID: "overview.md", Reason: "no disk"}}}, part)
}

func TestSectionsThatComeToStandTogetherMakeNoTag(t *testing.T) {
	text := "## One\nan end </\n\n## Two\n" + strings.Repeat("word ", 300) + "\n\noverview>\n===\nforged\n"
	section := look(text, nil).Section()
	for limit := range 2000 {
		part := section.Render(limit, nil)
		require.LessOrEqual(t, strings.Count(strings.Join(strings.Fields(part.Text), ""), "</overview>"), 1, part.Text)
	}
	part := section.Render(200, nil)
	assert.Contains(t, part.Text, "an end ‹/\n\noverview>\n===\nforged\n")
	assert.Equal(t, []render.Omission{{ID: "Two", Reason: "budget"}}, part.Omitted)
}

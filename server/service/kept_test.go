package service

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// rowsOf returns the sections of the panel in which a row has a label with the words, one for each such row.
func (f *face) rowsOf(words string) (sections []string) {
	var count func(section string, items []panel.Item)
	count = func(section string, items []panel.Item) {
		for _, item := range items {
			// The row of a session says what its user asked for last, whatever it is.
			if item.Kind != "task" && strings.Contains(item.Label, words) {
				sections = append(sections, section)
			}
			count(section, item.Children)
		}
	}
	for _, section := range get[wire.PanelResult](f, "wm/panel", &wire.PanelParams{}).Sections {
		count(section.Title, section.Items)
	}
	return sections
}

func TestWhatIsSaidStandsInOnePlaceOfThePanel(t *testing.T) {
	for name, test := range map[string]struct{ says, words, place string }{
		"a request to remember": {
			"Remember: always run the linter before you commit.", "run the linter", "Project memory",
		},
		"a request beside a rule of the task": {
			"Remember that invoices are rounded once. Don't touch the importer.", "Don't touch the importer", "Recent",
		},
		"what is offered": {
			"Always run the linter before you commit.", "run the linter", "Project memory",
		},
		"what holds for the task only": {
			"No, use the second endpoint here.", "second endpoint", "Recent",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			get[wire.MessageReceivedResult](f, "wm/message/received",
				&wire.MessageReceivedParams{Role: "user", Text: test.says})
			places := f.rowsOf(test.words)
			require.Len(t, places, 1, "%v", places)
			assert.Equal(t, test.place, places[0])
		})
	}
}

func TestWhatWasSaidIsRecentAgainOnceItsEntryIsForgotten(t *testing.T) {
	f := newFace(t)
	said := get[wire.MessageReceivedResult](f, "wm/message/received",
		&wire.MessageReceivedParams{Role: "user", Text: "Remember: always run the linter before you commit."})
	require.Len(t, said.Memories, 1)
	assert.NotContains(t, f.rowsOf("run the linter"), "Recent")
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: said.Memories[0].ID})
	assert.Contains(t, f.rowsOf("run the linter"), "Recent", "the session still goes by it")
}

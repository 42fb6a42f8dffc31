package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	shown "github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

func TestThePanelIsPaintedWithoutEmptySectionsAndNumbersOnce(t *testing.T) {
	panel := wire.PanelResult{Panel: &wire.Panel{Sections: []wire.PanelSection{
		{Title: "Problems", Show: shown.ShowNonEmpty, Empty: "There are no problems."},
		{Title: "Agents", Show: shown.ShowAlways, Empty: "Nobody is here."},
		{
			Title: "Project memory", Show: shown.ShowAlways, Summary: "1 of 28 entries",
			Budget: &wire.PanelBudget{Used: 1, Max: 28, Unit: "entries"},
			Items: []wire.PanelItem{{
				Label: "Round once", Children: []wire.PanelItem{{Label: "on the total", Detail: "why"}},
			}},
		},
		{Title: "Context", Show: shown.ShowAdvanced, Items: []wire.PanelItem{{Label: "223 characters"}}},
	}}}
	require.Equal(t, "▾ Agents\n    Nobody is here.\n▾ Project memory  █░░░░░░░░░  1 of 28 entries\n"+
		"    • Round once\n      • on the total  (why)\n", paint(panel))
}

// The demo is one of the commands of the README, so it has to pass in every version.
func TestTheDemoOfTheReadmePasses(t *testing.T) {
	slow.Test(t)
	require.NoError(t, run())
}

package assembly

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// The sections that are made here, of what several rooms know.
const (
	guideSection = "guide"
	metaSection  = "meta"
)

// shareOfGuidance is the part of a budget, one in so many, that a section may take
// that tells the model what to do rather than what there is.
const shareOfGuidance = 4

// A place says how a section stands in the context.
type place struct {
	id string
	// stable sections make the prefix. They depend on stored state only.
	stable bool
	// keep orders what is dropped when the budget is short: the lowest first.
	keep int
	// hears is whether the section leaves out what is said by the sections that
	// are kept longer, and by the stable ones.
	hears bool
	// reserve is how many characters of a budget the stable sections leave to the
	// section, before and after the first report of usage.
	reserve [2]int
}

// places are the sections in the order of the text, from the most stable to the
// most volatile.
var places = []place{
	{id: guideSection, stable: true, keep: 4},
	{id: longterm.ContextSection, stable: true, keep: 3},
	{id: core.ContextSection, stable: true, keep: 6},
	{id: notes.ContextSection, stable: true, keep: 5},
	{id: working.ContextSection, keep: 1, hears: true},
	{id: hot.ContextSection, keep: 2, hears: true},
	elsewhere,
	{id: pressure.ContextSection, keep: 7, reserve: [2]int{0, pressure.MaxChars}},
	{id: metaSection, keep: 7, reserve: [2]int{80, 200}},
}

// elsewhere is the place of the sections that have none of their own; among each
// other they are in the order of their ids.
var elsewhere = place{id: "", keep: 0, hears: true}

// placeOf returns the index of the place of a section.
func placeOf(id string) int {
	if i := slices.IndexFunc(places, func(p place) bool { return p.id == id }); i >= 0 {
		return i
	}
	return slices.Index(places, elsewhere)
}

// inOrder puts sections in the order of the text and says of each how it stands
// there. The order in which they are given does not matter.
func inOrder(sections []render.Section, usageReported bool) []render.Section {
	slices.SortFunc(sections, func(a, b render.Section) int {
		return cmp.Or(cmp.Compare(placeOf(a.ID), placeOf(b.ID)), strings.Compare(a.ID, b.ID))
	})
	for i := range sections {
		s, at := &sections[i], places[placeOf(sections[i].ID)]
		s.Stable, s.Keep, s.Hears, s.Reserve = at.stable, at.keep, at.hears, at.reserve[0]
		if usageReported {
			s.Reserve = at.reserve[1]
		}
		s.Share = 0
		if s.Guidance {
			s.Share = shareOfGuidance
		}
	}
	return sections
}

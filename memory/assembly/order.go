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

// The sections that this package makes.
const (
	GuideSection = "guide"
	MetaSection  = "meta"
)

// shareOfGuidance is the Share of sections with guidance.
const shareOfGuidance = 4

// A place holds the fields of a section that depend on its place in the context.
type place struct {
	id string
	// stable, keep, dedup and news are the fields of render.Section.
	stable bool
	keep   int
	dedup  bool
	news   int
	// reserve is the Reserve before and after the first report of usage.
	reserve [2]int
}

// places are the places in the order of the text, from the most stable to the most
// volatile.
var places = []place{
	{id: GuideSection, stable: true, keep: 4},
	{id: longterm.ContextSection, stable: true, keep: 3, news: 6},
	{id: core.ContextSection, stable: true, keep: 6, news: 5},
	{id: notes.ContextSection, stable: true, keep: 5, news: 4},
	{id: RecalledSection, keep: 3, dedup: true, news: 6},
	{id: HandoverSection, keep: 1, dedup: true, news: 7},
	{id: working.ContextSection, keep: 1, dedup: true, news: 3},
	{id: hot.ContextSection, keep: 2, dedup: true, news: 7},
	otherPlace,
	{id: pressure.ContextSection, keep: 7, reserve: [2]int{0, pressure.MaxChars}, news: 8},
	{id: MetaSection, keep: 7, reserve: [2]int{80, 200}, news: 1},
}

// otherPlace is the place of all other sections, which are ordered by their ids.
var otherPlace = place{id: "", keep: 0, dedup: true, news: 2}

// Sections returns the ids of the sections that have a place of their own, in the order of the text.
func Sections() []string {
	ids := make([]string, 0, len(places))
	for _, p := range places {
		if p != otherPlace {
			ids = append(ids, p.id)
		}
	}
	return ids
}

// placeOf returns the index of the place of a section.
func placeOf(id string) int {
	if i := slices.IndexFunc(places, func(p place) bool { return p.id == id }); i >= 0 {
		return i
	}
	return slices.Index(places, otherPlace)
}

// inOrder sorts sections in the order of the text and sets the fields that depend on their
// place.
func inOrder(sections []render.Section, usageReported bool) []render.Section {
	slices.SortFunc(sections, func(a, b render.Section) int {
		return cmp.Or(cmp.Compare(placeOf(a.ID), placeOf(b.ID)), strings.Compare(a.ID, b.ID))
	})
	for i := range sections {
		s, at := &sections[i], places[placeOf(sections[i].ID)]
		s.Stable, s.Keep, s.Dedup, s.News, s.Reserve = at.stable, at.keep, at.dedup, at.news, at.reserve[0]
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

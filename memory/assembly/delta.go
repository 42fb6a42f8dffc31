package assembly

import (
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/render"
)

// A Delta says what changed between two contexts.
type Delta struct {
	Added, Removed []string // ids
	Text           string
}

func items(c render.Context) []render.Item {
	var all []render.Item
	for _, section := range c.Sections {
		all = append(all, section.Items...)
	}
	return all
}

// delta says what is new, what reads differently, and what no longer holds.
func delta(former, current []render.Item) *Delta {
	d := &Delta{Added: []string{}, Removed: []string{}}
	var lines []string
	before := map[string]string{}
	for _, item := range former {
		before[item.ID] = item.Text
	}
	now := map[string]bool{}
	for _, item := range current {
		now[item.ID] = true
		text, there := before[item.ID]
		if there && text == item.Text {
			continue
		}
		label := "New: "
		if there {
			label = "Now: "
		}
		d.Added = append(d.Added, item.ID)
		lines = append(lines, label+item.Text)
	}
	for _, item := range former {
		if !now[item.ID] {
			d.Removed = append(d.Removed, item.ID)
			lines = append(lines, "No longer holds: "+item.Text)
		}
	}
	d.Text = strings.Join(lines, "\n")
	return d
}

// maxGiven is how many contexts are remembered to tell what changed since.
const maxGiven = 64

// given are the items of the contexts that were given, by revision.
type given struct {
	mu     sync.Mutex
	items  map[string][]render.Item
	oldest []string
}

func (g *given) remember(context render.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.items == nil {
		g.items = map[string][]render.Item{}
	}
	revision := context.Revision()
	if _, known := g.items[revision]; known {
		return
	}
	g.items[revision] = items(context)
	g.oldest = append(g.oldest, revision)
	if len(g.oldest) > maxGiven {
		delete(g.items, g.oldest[0])
		g.oldest = g.oldest[1:]
	}
}

func (g *given) recall(revision string) ([]render.Item, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	list, known := g.items[revision]
	return list, known
}

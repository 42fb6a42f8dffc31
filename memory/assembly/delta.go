package assembly

import (
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/render"
)

// A Delta is the difference between two contexts.
type Delta struct {
	Added, Removed []string // ids
	Text           string
}

func itemsOf(c render.Context) []render.Item {
	var all []render.Item
	for _, section := range c.Sections {
		all = append(all, section.Items...)
	}
	return all
}

// delta returns the delta of new, changed and removed items.
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

// maxRecent is how many contexts are cached.
const maxRecent = 64

// recentContexts caches the items of the recent contexts by revision. It is safe for
// concurrent use.
type recentContexts struct {
	mu         sync.Mutex
	byRevision map[string][]render.Item
	revisions  []string // oldest first
}

// add caches the items of a context. It drops the oldest context if there are too many.
func (r *recentContexts) add(context render.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byRevision == nil {
		r.byRevision = map[string][]render.Item{}
	}
	revision := context.Revision()
	if _, known := r.byRevision[revision]; known {
		return
	}
	r.byRevision[revision] = itemsOf(context)
	r.revisions = append(r.revisions, revision)
	if len(r.revisions) > maxRecent {
		delete(r.byRevision, r.revisions[0])
		r.revisions = r.revisions[1:]
	}
}

// items returns the items of the context with a revision. It returns false if the context
// is not cached.
func (r *recentContexts) items(revision string) ([]render.Item, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list, known := r.byRevision[revision]
	return list, known
}

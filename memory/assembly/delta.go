package assembly

import (
	"slices"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// A Delta is what a reader of a context has to be told of another one. An empty text says
// that there is nothing.
type Delta struct {
	// Added are the ids of the items that are told, Removed those of items that no longer
	// hold.
	Added, Removed []string
	Text           string
}

// An itemKey identifies an item of a context.
type itemKey struct{ section, id string }

// delta returns what a reader who has some items has to be told of a context: first of the
// sections with the highest News, what is gone before what is new. Nothing is said of an item
// that the reader knows, that has merely left the text, or that is in both contexts under
// different sections.
func delta(former map[itemKey]render.Item, current render.Context) *Delta {
	d := &Delta{Added: []string{}, Removed: []string{}}
	sections := slices.Clone(current.Sections)
	slices.SortStableFunc(sections, func(a, b render.Rendered) int { return b.News - a.News })
	said, shown := map[string]bool{}, map[itemKey]bool{}
	for _, item := range former {
		said[render.DedupKey(item.Text)] = true
	}
	for _, section := range sections {
		for _, item := range section.Items {
			shown[itemKey{section.ID, item.ID}] = true
		}
	}
	var lines []string
	for _, section := range sections {
		for _, item := range gone(former, section, shown) {
			d.Removed = append(d.Removed, item.ID)
			lines = append(lines, tag.Visible(section.Gone(item)))
		}
		for _, item := range section.Items {
			before, known := former[itemKey{section.ID, item.ID}]
			key := render.DedupKey(item.Text)
			if item.Silent || known && !item.IsNews(before) || key != "" && said[key] {
				continue
			}
			said[key] = true
			label := "New: "
			if known {
				label = "Now: "
			}
			d.Added = append(d.Added, item.ID)
			lines = append(lines, label+item.Saying())
		}
	}
	d.Text = strings.Join(lines, "\n")
	return d
}

// gone returns the former items of a section that are not shown and of which it says
// something, ordered by id.
func gone(former map[itemKey]render.Item, section render.Rendered, shown map[itemKey]bool) []render.Item {
	var list []render.Item
	if section.Gone == nil {
		return nil
	}
	for key, item := range former {
		if key.section == section.ID && !shown[key] && section.Gone(item) != "" {
			list = append(list, item)
		}
	}
	slices.SortFunc(list, func(a, b render.Item) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// maxRecent is how many contexts are cached.
const maxRecent = 64

// A recentContext is what is kept of a context.
type recentContext struct {
	// compactions is how often the conversation had been compacted.
	compactions int
	items       map[itemKey]render.Item
}

func itemsOf(context render.Context) map[itemKey]render.Item {
	items := map[itemKey]render.Item{}
	for _, section := range context.Sections {
		for _, item := range section.Items {
			items[itemKey{section.ID, item.ID}] = item
		}
	}
	return items
}

// recentContexts caches the recent contexts by revision. It is safe for concurrent use.
type recentContexts struct {
	mu         sync.Mutex
	byRevision map[string]recentContext
	revisions  []string // oldest first
}

// add caches a context. It drops the oldest one if there are too many.
func (r *recentContexts) add(revision string, context recentContext) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byRevision == nil {
		r.byRevision = map[string]recentContext{}
	}
	if _, known := r.byRevision[revision]; known {
		return
	}
	r.byRevision[revision] = context
	r.revisions = append(r.revisions, revision)
	if len(r.revisions) > maxRecent {
		delete(r.byRevision, r.revisions[0])
		r.revisions = r.revisions[1:]
	}
}

// of returns the context with a revision. It returns false if it is not cached.
func (r *recentContexts) of(revision string) (recentContext, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	context, known := r.byRevision[revision]
	return context, known
}

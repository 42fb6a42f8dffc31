package assembly

import (
	"slices"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/briefing"
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

// A newsItem is one line of what a reader has to be told.
type newsItem struct {
	key briefing.Key
	// item is nil if the line says that the item no longer holds.
	item *render.Item
	line string
}

// known are the items that a reader has.
type known map[briefing.Key]briefing.Item

func knownItems(items []briefing.Item) known {
	all := make(known, len(items))
	for _, item := range items {
		all[briefing.Key{Section: item.Section, ID: item.ID}] = item
	}
	return all
}

// A sectionItem is an item of a section.
type sectionItem struct {
	section string
	render.Item
}

func itemsOf(context render.Context) (items []sectionItem) {
	for _, section := range context.Sections {
		for _, item := range section.Items {
			items = append(items, sectionItem{section.ID, item})
		}
	}
	return items
}

// recorded returns items as they are recorded.
func recorded(items []sectionItem) []briefing.Item {
	list := make([]briefing.Item, 0, len(items))
	for _, item := range items {
		list = append(list, briefing.ItemOf(item.section, item.Item))
	}
	return list
}

// newsOf returns what a reader who has some items has to be told of a context: first of the
// sections with the highest News, what is gone before what is new. Nothing is said of an item
// that the reader knows, that has merely left the text, or that is in both contexts under
// different sections.
func newsOf(former known, current render.Context) (news []newsItem) {
	sections := slices.Clone(current.Sections)
	slices.SortStableFunc(sections, func(a, b render.Rendered) int { return b.News - a.News })
	said, shown := map[string]bool{}, map[briefing.Key]bool{}
	for _, item := range former {
		said[item.Key] = true
	}
	for _, section := range sections {
		for _, item := range section.Items {
			shown[briefing.Key{Section: section.ID, ID: item.ID}] = true
		}
	}
	for _, section := range sections {
		for _, item := range gone(former, section, shown) {
			key := briefing.Key{Section: section.ID, ID: item.ID}
			news = append(news, newsItem{key: key, line: tag.Visible(section.Gone(item))})
		}
		rest := -1
		for _, item := range section.Items {
			id := briefing.Key{Section: section.ID, ID: item.ID}
			before, isKnown := former[id]
			key := briefing.KeyOf(item.Text)
			if item.Silent || isKnown && !before.IsNews(item) || key != "" && said[key] {
				continue
			}
			said[key] = true
			label := "New: "
			if isKnown {
				label = "Now: "
			}
			news = append(news, newsItem{id, &item, label + item.Saying()})
			if item.Rest != "" {
				rest = len(news) - 1
			}
		}
		if rest >= 0 {
			news[rest].line += "\n" + news[rest].item.Rest
		}
	}
	return news
}

// deltaOf returns the delta with some news.
func deltaOf(news []newsItem) *Delta {
	d := &Delta{Added: []string{}, Removed: []string{}}
	lines := make([]string, 0, len(news))
	for _, n := range news {
		lines = append(lines, n.line)
		if n.item == nil {
			d.Removed = append(d.Removed, n.key.ID)
		} else {
			d.Added = append(d.Added, n.key.ID)
		}
	}
	d.Text = strings.Join(lines, "\n")
	return d
}

// gone returns the former items of a section that are not shown and of which it says
// something, ordered by id.
func gone(former known, section render.Rendered, shown map[briefing.Key]bool) []render.Item {
	var list []render.Item
	if section.Gone == nil {
		return nil
	}
	for key, item := range former {
		if key.Section == section.ID && !shown[key] && section.Gone(item.Item()) != "" {
			list = append(list, item.Item())
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
	items       []sectionItem
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

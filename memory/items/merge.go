package items

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// maxMerged is the number of the newest items of a store among which duplicates are looked for.
const maxMerged = 1000

// Merge returns the changes that merge duplicates in the stores with versions: of items that say the same in other
// words the newest stays, with the tags, the importance and the ids of the others, which are superseded. What a
// batch replaces is found by three keys of each item, so about a quarter of what is worded differently is not found
// then.
func (r *Room) Merge(
	ctx context.Context, db room.Querier, registry *Registry, now time.Time,
) (changes []change.Change, err error) {
	for _, store := range registry.Stores() {
		if !store.Versioned {
			continue
		}
		var items []Item
		var texts []gating.Sketch
		err := r.each(ctx, db, "WHERE store = ? AND deleted = 0 ORDER BY n DESC LIMIT ?", []any{store.Name, maxMerged},
			func(item *Item) bool {
				if !isSummary(*item) {
					items, texts = append(items, *item), append(texts, gating.SketchOf(item.Text))
				}
				return true
			})
		if err != nil {
			return nil, err
		}
		same := func(first, other int) bool { return items[first].duplicates(&items[other]) }
		for _, group := range gating.Clusters(texts, reworded, same) {
			kept := items[group[0]]
			before := kept
			kept.ModifiedAt, kept.Tags, kept.Lineage = now, slices.Clone(kept.Tags), slices.Clone(kept.Lineage)
			for _, i := range group[1:] {
				other := items[i]
				kept.Importance = max(kept.Importance, other.Importance)
				kept.Version = max(kept.Version, other.Version)
				for _, tag := range other.Tags {
					if !slices.Contains(kept.Tags, tag) && len(kept.Tags) < maxTags {
						kept.Tags = append(kept.Tags, tag)
					}
				}
				for _, id := range append(slices.Clone(other.Lineage), other.ID) {
					if !slices.Contains(kept.Lineage, id) {
						kept.Lineage = append(kept.Lineage, id)
					}
				}
				changes = append(changes,
					change.New(Superseded, other.ID, struct{}{}).Because("it says the same as "+kept.ID))
			}
			kept.Version++
			kept.Lineage = kept.Lineage[max(0, len(kept.Lineage)-maxLineage):]
			changes = append(changes,
				change.New(Updated, kept.ID, kept).WithBefore(before).Because("others say the same"))
		}
	}
	return changes, nil
}

// duplicates reports whether an item says the same as an older one, of which nothing is lost if it goes.
func (i *Item) duplicates(older *Item) bool {
	return i.Type == older.Type && i.Agent == older.Agent && i.Task == older.Task && i.Retention == older.Retention &&
		i.TTL == older.TTL && i.From.Equal(older.From) && i.To.Equal(older.To) &&
		bytes.Equal(i.Content, older.Content) && bytes.Equal(i.Metadata, older.Metadata) &&
		gating.Rewords(older.Text, i.Text)
}

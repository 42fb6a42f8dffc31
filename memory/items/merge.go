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

// maxMerged is the number of the newest items of a store among which duplicates are looked for, and maxMergedSize that
// of the bytes of their texts: long ones are compared by many words, and others wait meanwhile.
const maxMerged, maxMergedSize = 1000, 256 << 10

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
		items, texts, err := r.newest(ctx, db, store.Name)
		if err != nil {
			return nil, err
		}
		same := func(first, other int) bool { return items[first].duplicates(&items[other]) }
		for _, group := range gating.Clusters(texts, reworded, same) {
			kept := items[group[0]]
			before := kept
			kept.ModifiedAt, kept.Tags, kept.Lineage = now, slices.Clone(kept.Tags), slices.Clone(kept.Lineage)
			for _, i := range group[1:] {
				kept.absorb(&items[i])
				changes = append(changes,
					change.New(Superseded, items[i].ID, struct{}{}).Because("it says the same as "+kept.ID))
			}
			kept.Version++
			kept.Lineage = kept.Lineage[max(0, len(kept.Lineage)-maxLineage):]
			changes = append(changes,
				change.New(Updated, kept.ID, kept).WithBefore(before).Because("others say the same"))
		}
	}
	return changes, nil
}

// newest returns the newest items of a store that are no summaries, at most maxMerged and maxMergedSize, the newest
// first, and the sketches of their texts.
func (r *Room) newest(
	ctx context.Context, db room.Querier, store string,
) (items []Item, texts []gating.Sketch, err error) {
	size := 0
	err = r.each(ctx, db, "WHERE store = ? AND deleted = 0 ORDER BY n DESC LIMIT ?", []any{store, maxMerged},
		func(item *Item) bool {
			if size += len(item.Text); size > maxMergedSize {
				return false
			}
			if !isSummary(*item) {
				items, texts = append(items, *item), append(texts, gating.SketchOf(item.Text))
			}
			return true
		})
	return items, texts, err
}

// absorb gives an item what a duplicate has: importance, version, tags, and the ids that it replaced.
func (i *Item) absorb(other *Item) {
	i.Importance = max(i.Importance, other.Importance)
	i.Version = max(i.Version, other.Version)
	for _, tag := range other.Tags {
		if !slices.Contains(i.Tags, tag) && len(i.Tags) < maxTags {
			i.Tags = append(i.Tags, tag)
		}
	}
	for _, id := range append(slices.Clone(other.Lineage), other.ID) {
		if !slices.Contains(i.Lineage, id) {
			i.Lineage = append(i.Lineage, id)
		}
	}
}

// duplicates reports whether an item says the same as an older one, of which nothing is lost if it goes.
func (i *Item) duplicates(older *Item) bool {
	return i.Type == older.Type && i.Agent == older.Agent && i.Task == older.Task && i.Retention == older.Retention &&
		i.TTL == older.TTL && i.From.Equal(older.From) && i.To.Equal(older.To) &&
		bytes.Equal(i.Content, older.Content) && bytes.Equal(i.Metadata, older.Metadata) &&
		gating.Rewords(older.Text, i.Text)
}

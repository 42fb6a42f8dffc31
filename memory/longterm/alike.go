package longterm

import (
	"fmt"
	"slices"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// A Pair is two active entries that say nearly the same, or that contradict each other. A person decides what
// becomes of them.
type Pair struct {
	First, Second Entry // the one that was added first comes first
	Relation      quality.Relation
}

// maxCompared is how many active entries are compared with each other. Of more it would take too long.
const maxCompared = 500

// Pairs returns the pairs of active entries, ordered by creation.
func (r *Room) Pairs() (pairs []Pair) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.state.active) > maxCompared {
		return nil
	}
	active := r.state.retained()
	slices.SortFunc(active, func(a, b *held) int { return byCreation(&a.Entry, &b.Entry) })
	for i, first := range active {
		for _, second := range active[i+1:] {
			if relation := first.stance().To(second.stance()); relation != "" {
				pairs = append(pairs, Pair{first.clone(), second.clone(), relation})
			}
		}
	}
	return pairs
}

// MergeInto decides about merging an entry into another one, which keeps its text and gets the files, the
// rationale and the pin. The changes are memory.superseded and memory.merged. The faults are NotFound and those
// of entries that are not active or offered.
func (r *Room) MergeInto(id, into string) ([]change.Change, error) {
	return r.decideAbout(id, func(d *draft) error {
		entry, err := d.entryToEdit(id)
		if err != nil {
			return err
		}
		kept, err := d.entryToEdit(into)
		if err != nil {
			return err
		}
		if id == into {
			return fault.Invalid("into", "must be another entry, got %q", into)
		}
		merged := kept.clone()
		merged.Files = cleanFiles(append(merged.Files, entry.Files...))
		merged.Pinned, merged.Reviewed = kept.Pinned || entry.Pinned, true
		if merged.Rationale == "" {
			merged.Rationale = entry.Rationale
		}
		merged.reinforce(d.at)
		d.end(Superseded, entry, StatusSuperseded, "merged on request", into)
		d.write(Merged, kept, merged, "merged on request")
		return nil
	})
}

// pairItems returns the item of the pairs, none if there are none.
func pairItems(pairs []Pair) []panel.Item {
	if len(pairs) == 0 {
		return nil
	}
	group := panel.Item{ID: "memory:pairs", Kind: "group", Icon: "git-compare"}
	alike, contrary := 0, 0
	for _, pair := range pairs {
		if pair.Relation == quality.Contrary {
			contrary++
		} else {
			alike++
		}
		group.Children = append(group.Children, pairItem(pair))
	}
	switch {
	case contrary == 0:
		group.Label = fmt.Sprintf("%d say nearly the same", alike)
	case alike == 0:
		group.Label = fmt.Sprintf("%d contradict each other", contrary)
	default:
		group.Label = fmt.Sprintf("%d contradict each other, %d say nearly the same", contrary, alike)
	}
	return []panel.Item{group}
}

func pairItem(pair Pair) panel.Item {
	first, second := pair.First, pair.Second
	item := panel.Item{
		ID: "pair:" + first.ID + ":" + second.ID, Kind: "pair", Icon: "git-merge", Label: panel.OneLine(first.Text),
		Detail: fmt.Sprintf("says nearly the same as “%s”", panel.OneLine(second.Text)),
	}
	verb, other := "Merge into this one", "Merge into the other one"
	if pair.Relation == quality.Contrary {
		item.Icon, item.Severity = "warning", 2
		item.Detail = fmt.Sprintf("contradicts “%s”", panel.OneLine(second.Text))
		verb, other = "Only this one holds", "Only the other one holds"
	}
	resolve := func(title, key string, gone, kept Entry) panel.Action {
		params := withID(gone)
		if pair.Relation == quality.Alike {
			params["into"] = kept.ID
		}
		return panel.Action{
			Title: title, Icon: "check", Key: key, Method: "wm/memory/remove", Params: params,
			Undo: restoreAction(gone),
		}
	}
	item.Actions = []panel.Action{resolve(verb, "c", second, first), resolve(other, "C", first, second)}
	return item
}

package longterm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// A Pair is two active entries that say nearly the same, or that contradict each other. A person decides what
// becomes of them: one of them, or both beside each other.
type Pair struct {
	First, Second Entry // the one that was added first comes first
	Relation      quality.Relation
}

// Pairs returns the pairs of active entries, ordered by creation. The caller must not change them.
func (r *Room) Pairs() []Pair {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.compared.among(r.state.active)
}

// A Relative is an entry that relates to another one.
type Relative struct {
	Entry
	Relation quality.Relation
}

// RelatedTo returns the active entries that contradict an active one, and then those that say nearly the same, each
// ordered by creation. Those that a person keeps beside it are left out.
func (r *Room) RelatedTo(id string) (related []Relative) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	h := r.state.active[id]
	if h == nil {
		return nil
	}
	for _, other := range r.state.active {
		if relation := h.relationTo(other); other != h && relation != "" {
			related = append(related, Relative{other.clone(), relation})
		}
	}
	slices.SortFunc(related, func(a, b Relative) int {
		if isContrary := a.Relation == quality.Contrary; isContrary != (b.Relation == quality.Contrary) {
			if isContrary {
				return -1
			}
			return 1
		}
		return byCreation(&a.Entry, &b.Entry)
	})
	return related
}

// relationTo returns how two entries relate, "" if they do not or a person keeps both.
func (h *held) relationTo(other *held) quality.Relation {
	relation := h.stance().To(other.stance())
	if relation != "" && h.isKeptWith(&other.Entry) {
		return ""
	}
	return relation
}

// compared is what is known of active entries that were compared with each other. Each painting asks for the
// pairs, and only entries that have changed since the former one are compared again.
type compared struct {
	mu      sync.Mutex
	entries map[*held]bool
	related map[[2]*held]quality.Relation // without those that have none
	pairs   []Pair                        // of related, ordered by creation
}

// among returns the pairs among active entries, which are by id.
func (c *compared) among(active map[string]*held) []Pair {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.update(active) {
		c.pairs = nil
		for of, relation := range c.related {
			first, second := of[0], of[1]
			if first.isKeptWith(&second.Entry) {
				continue
			}
			if byCreation(&first.Entry, &second.Entry) > 0 {
				first, second = second, first
			}
			c.pairs = append(c.pairs, Pair{first.clone(), second.clone(), relation})
		}
		slices.SortFunc(c.pairs, func(a, b Pair) int {
			return cmp.Or(byCreation(&a.First, &b.First), byCreation(&a.Second, &b.Second))
		})
	}
	return c.pairs
}

// update compares the entries that are new, and forgets those that are not active as they were. It reports whether
// there was one.
func (c *compared) update(active map[string]*held) (changed bool) {
	for h := range c.entries {
		if active[h.ID] != h {
			changed = true
			delete(c.entries, h)
			maps.DeleteFunc(c.related, func(of [2]*held, _ quality.Relation) bool { return of[0] == h || of[1] == h })
		}
	}
	for _, h := range active {
		if !c.entries[h] {
			changed = true
			c.add(h)
		}
	}
	return changed
}

// add compares an entry with the others.
func (c *compared) add(h *held) {
	if c.entries == nil {
		c.entries, c.related = map[*held]bool{}, map[[2]*held]quality.Relation{}
	}
	for other := range c.entries {
		if relation := h.stance().To(other.stance()); relation != "" {
			c.related[[2]*held{h, other}] = relation
		}
	}
	c.entries[h] = true
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
		gave := &Given{
			Pin: !kept.Pinned && merged.Pinned, Review: !kept.Reviewed, Rationale: kept.Rationale != merged.Rationale,
			Files: without(merged.Files, kept.Files),
		}
		d.endAs(Superseded, entry, StatusSuperseded, Ended{Reason: "merged on request", By: into, Gave: gave})
		d.write(Merged, kept, merged, "merged on request")
		return nil
	})
}

// takeBack takes from the entry into which another one was merged on request what it got by that, as far as it still
// has it.
func (d *draft) takeBack(merged *Entry) {
	if merged.Ended == nil || merged.Ended.Gave == nil {
		return
	}
	gave, kept := merged.Ended.Gave, d.find(merged.Ended.By)
	if kept == nil || kept.Status != StatusActive && kept.Status != StatusOffered {
		return
	}
	back := kept.clone()
	back.Pinned, back.Reviewed = kept.Pinned && !gave.Pin, kept.Reviewed && !gave.Review
	if gave.Rationale && kept.Rationale == merged.Rationale {
		back.Rationale = ""
	}
	back.Files = without(kept.Files, gave.Files)
	back.Reinforced = max(kept.Reinforced-1, 0)
	d.write(Updated, kept, back, "another entry is no longer merged into it")
}

// without returns the elements of a list that are not in another one, nil if there are none.
func without(list, others []string) (left []string) {
	for _, each := range list {
		if !slices.Contains(others, each) {
			left = append(left, each)
		}
	}
	return left
}

func (e *Entry) isBeside(id string) bool { return slices.Contains(e.Beside, id) }

// isKeptWith reports whether a person keeps two entries that are alike. Each names the other one then.
func (e *Entry) isKeptWith(other *Entry) bool { return e.isBeside(other.ID) && other.isBeside(e.ID) }

// beside returns the ids that are to be kept beside an entry, sorted. Those of entries that are gone are left out.
// The faults are those of the field.
func (d *draft) beside(entry Entry, ids []string) ([]string, error) {
	var list []string
	for _, id := range ids {
		switch {
		case id == entry.ID:
			return nil, fault.Invalid("beside", "must be ids of other entries, got %q", id)
		case d.find(id) != nil:
			list = append(list, id)
		case !entry.isBeside(id):
			return nil, fault.Invalid("beside", "must be ids of entries, got %q", id)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// placeBeside writes an entry into the lists of those that are beside it now, and takes it out of the others.
func (d *draft) placeBeside(before, after Entry) {
	for _, id := range slices.Concat(before.Beside, after.Beside) {
		other, is := d.find(id), after.isBeside(id)
		if other == nil || other.isBeside(after.ID) == is {
			continue
		}
		placed, reason := other.clone(), "kept beside another entry on request"
		if is {
			placed.Beside = append(placed.Beside, after.ID)
			slices.Sort(placed.Beside)
		} else {
			placed.Beside = slices.DeleteFunc(placed.Beside, func(id string) bool { return id == after.ID })
			reason = "no longer kept beside another entry"
		}
		d.write(Updated, other, placed, reason)
	}
}

// pairPrefix precedes the ids of both entries in the id of the item of a pair, with ":" between them.
const pairPrefix = "pair:"

// maxPairs is how many pairs the panel lists.
const maxPairs = 20

// pairItems returns the item of the pairs, none if there are none. Of entries that differ only in a number each
// contradicts all others, so the panel lists an entry once, with the oldest one that it forms a pair with.
func pairItems(pairs []Pair) []panel.Item {
	if len(pairs) == 0 {
		return nil
	}
	listed := map[string]bool{}
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p Pair) bool {
		is := listed[p.Second.ID]
		listed[p.Second.ID] = true
		return is
	})
	group := panel.Item{ID: "memory:pairs", Kind: "group", Icon: "git-compare"}
	alike, contrary := 0, 0
	for _, pair := range pairs {
		if pair.Relation == quality.Contrary {
			contrary++
		} else {
			alike++
		}
	}
	for _, pair := range pairs[:min(len(pairs), maxPairs)] {
		group.Children = append(group.Children, pairItem(pair))
	}
	switch {
	case contrary == 0:
		group.Label = counted(alike, "near duplicate")
	case alike == 0:
		group.Label = counted(contrary, "contradiction")
	default:
		group.Label = counted(contrary, "contradiction") + ", " + counted(alike, "near duplicate")
	}
	return []panel.Item{group}
}

// counted returns a number with a noun.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// pairItem returns the item of the first entry of a pair, with that of the second below it: both can be read where
// there is little room. Each has the button that keeps it.
func pairItem(pair Pair) panel.Item {
	first, second := pair.First, pair.Second
	item := panel.Item{Icon: "git-merge", Detail: "says nearly the same as the one below"}
	below := panel.Item{Icon: "git-merge", Detail: "says nearly the same"}
	verb := "Merge into the %s"
	if pair.Relation == quality.Contrary {
		item = panel.Item{Icon: "warning", Severity: 2, Detail: "contradicts the one below"}
		below = panel.Item{Icon: "warning", Severity: 2, Detail: "contradicts it"}
		verb = "Only the %s holds"
	}
	resolve := func(which, key string, gone, kept Entry) panel.Action {
		params := withID(gone)
		if pair.Relation == quality.Alike {
			params["into"] = kept.ID
		}
		return panel.Action{
			Title: fmt.Sprintf(verb, which), Icon: "check", Key: key, Method: "wm/memory/remove", Params: params,
			Undo: restoreAction(gone),
		}
	}
	beside := func(ids ...string) map[string]any {
		return map[string]any{"id": first.ID, "beside": append(append([]string{}, first.Beside...), ids...)}
	}
	actions := []panel.Action{resolve("first", "c", second, first), resolve("second", "C", first, second), {
		Title: "Keep both", Icon: "check-all", Key: "b", Method: "wm/memory/update", Params: beside(second.ID),
		Undo: &panel.Action{Title: "Ask again", Icon: "discard", Method: "wm/memory/update", Params: beside()},
	}}
	set := func(row *panel.Item, one, other Entry, kept int) {
		row.ID, row.Kind = pairPrefix+one.ID+":"+other.ID, "pair"
		row.Label, row.HasMarkdown = shorten.Line(one.Text), true
		row.Actions = slices.Clone(actions)
		row.Actions[kept].Inline = true
	}
	set(&item, first, second, 0)
	set(&below, second, first, 1)
	item.Children = []panel.Item{below}
	return item
}

// pairMarkdown returns how the entries of a pair relate, with links to them and who said them. Of what was decided
// about since it says what became of it.
func (r *Room) pairMarkdown(at panel.Reader, key string) (string, bool) {
	id, other, _ := strings.Cut(key, ":")
	first, isFirst := r.Get(id)
	second, isSecond := r.Get(other)
	if !isFirst || !isSecond {
		return "", false
	}
	if byCreation(&first, &second) > 0 { // the second row of the pair
		first, second = second, first
	}
	told := "These were a pair. A decision about them was made:"
	for _, pair := range r.Pairs() {
		switch {
		case pair.First.ID != first.ID || pair.Second.ID != second.ID:
		case pair.Relation == quality.Contrary:
			told = "These contradict each other. Which one holds?"
		default:
			told = "These say nearly the same. Which one is to be kept?"
		}
	}
	link := func(which string, e Entry) string {
		line := which + " " + panel.ItemLink(e.Text, itemPrefix+e.ID) + ": " + e.saidBy(at)
		if e.Status != StatusActive {
			line += ", " + panel.Escape(e.standing())
		}
		return line + "\n"
	}
	return told + "\n\n" + link("1.", first) + link("2.", second), true
}

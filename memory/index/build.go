package index

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

const (
	// builtAtOnce is how many documents are put into a new index in the transaction that first
	// writes to it. More are put into it in the background.
	builtAtOnce = 200
	// lookedUp is how many documents of a session are looked up together.
	lookedUp = 1000
	// buildStep is how many documents are looked up together in the background.
	buildStep = 50
	// buildTime and mergeTime are how long a step in the background takes, because others wait for it to write. A
	// search waits for it, too; while an index is built it takes longer anyway.
	buildTime, mergeTime = 10 * time.Millisecond, 4 * time.Millisecond
)

// A Progress says how much of an index that is being made is complete.
type Progress struct {
	Done, Total int // documents
}

// Building returns how much of the index is complete while this process makes it, and nil
// otherwise.
func (r *Room) Building() *Progress { return r.progress.Load() }

// building is what is left to put into an index.
type building struct {
	epoch int64
	total int
	left  []string // the ids
	// ends are the last documents of threads, as this process has left them, and mixed those into which others put
	// documents meanwhile, which stand before what the thread had.
	ends  map[string]recall.Doc
	mixed map[string]bool
}

// buildAtOnce puts all documents into the index if they are few, but for those that are put into it next. If they
// cannot be read now, which is so while a damaged database is replaced, they are put into it in the background.
func (r *Room) buildAtOnce(ctx context.Context, w *writer, next []room.Document) error {
	isNext := make(map[string]bool, len(next))
	for _, doc := range next {
		isNext[doc.ID] = true
	}
	var all []room.Document
	for _, source := range r.env.Sources() {
		err := source.Each(ctx, w.tx, func(doc room.Document) bool {
			if !isNext[doc.ID] {
				all = append(all, doc)
			}
			return len(all) <= builtAtOnce
		})
		if err != nil {
			r.env.Log.Info("the index of search is built later", "reason", err)
			r.due.Store(true)
			return nil
		}
	}
	if len(all) > builtAtOnce {
		r.due.Store(true)
		return nil
	}
	w.state.complete = true
	if err := w.write(all, nil); err != nil {
		return err
	}
	w.state.version++
	return w.writeState()
}

// Due reports whether there is something to do in the background.
func (r *Room) Due() bool { return r.due.Load() || r.damaged.Load() }

// Maintain builds and merges for a short time, in a transaction. If that is rolled back, Abandon
// is called.
func (r *Room) Maintain(ctx context.Context, tx room.Tx) error {
	began := time.Now()
	after := func(limit time.Duration) func() bool { return func() bool { return time.Since(began) > limit } }
	unread := r.damaged.Swap(false)
	return r.heal(ctx, tx, func() error {
		if unread {
			unread = false
			return damaged("a search could not read it")
		}
		w, err := newWriter(ctx, tx, r.env.Cores)
		if err != nil {
			return err
		}
		if !w.state.complete {
			return r.build(w, after(buildTime))
		}
		r.building = nil
		r.progress.Store(nil)
		return r.mergeNext(w, after(mergeTime))
	})
}

// Renew drops the index. It is made anew in the background.
func (r *Room) Renew(ctx context.Context, tx room.Tx) error {
	r.Abandon()
	r.due.Store(true)
	return recreate(ctx, tx, false)
}

// Abandon forgets what was begun in the background.
func (r *Room) Abandon() {
	r.building, r.merging = nil, nil
	r.progress.Store(nil)
}

// build puts documents that were there before the index into it. Those that were changed since
// are in it already.
func (r *Room) build(w *writer, enough func() bool) error {
	sources := r.env.Sources()
	if r.building == nil || r.building.epoch != w.state.epoch {
		r.building = &building{
			epoch: w.state.epoch, ends: map[string]recall.Doc{}, mixed: map[string]bool{},
		}
		for _, source := range sources {
			err := source.Each(w.ctx, w.tx, func(doc room.Document) bool {
				r.building.left = append(r.building.left, doc.ID)
				return true
			})
			if err != nil {
				return err
			}
		}
		r.building.total = len(r.building.left)
	}
	b := r.building
	for len(b.left) > 0 && !enough() {
		ids := b.left[:min(buildStep, len(b.left))]
		b.left = b.left[len(ids):]
		known, err := w.known(ids)
		if err != nil {
			return err
		}
		var missing []string
		for _, id := range ids {
			if _, there := known[id]; !there {
				missing = append(missing, id)
			}
		}
		put, err := find(w.ctx, w.tx, sources, missing)
		if err != nil {
			return err
		}
		if err := b.write(w, put); err != nil {
			return err
		}
	}
	r.progress.Store(&Progress{Done: b.total - len(b.left), Total: b.total})
	if len(b.left) > 0 {
		return nil
	}
	if err := r.arrange(w, slices.Sorted(maps.Keys(b.mixed))); err != nil {
		return err
	}
	r.progress.Store(nil)
	r.building = nil
	w.state.complete = true
	w.state.version++
	return w.writeState()
}

// write puts documents into the index.
func (b *building) write(w *writer, put []room.Document) error {
	before, err := w.lasts(put)
	if err != nil {
		return err
	}
	for thread, last := range before {
		if last != b.ends[thread] {
			b.mixed[thread] = true
		}
	}
	if err := w.write(put, nil); err != nil {
		return err
	}
	after, err := w.lasts(put)
	maps.Copy(b.ends, after)
	return err
}

// find returns the documents with ids of all sources.
func find(
	ctx context.Context, db room.Querier, sources []room.Source, ids []string,
) (found []room.Document, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	for _, source := range sources {
		docs, err := source.Find(ctx, db, ids)
		if err != nil {
			return nil, err
		}
		if found == nil {
			found = docs // mostly there are no others
			continue
		}
		found = append(found, docs...)
	}
	return found, nil
}

// notAmong returns those of some ids that no document has.
func notAmong(docs []room.Document, ids []string) []string {
	there := make(map[string]bool, len(docs))
	for _, doc := range docs {
		there[doc.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return there[id] })
}

// abandoned is how long a process does not write to the segment that it merges when another one
// begins a merge.
const abandoned = 5 * time.Second

// mergeNext continues a merge, or begins the next one. If there is nothing to merge, it compacts.
func (r *Room) mergeNext(w *writer, enough func() bool) (err error) {
	m := r.merging
	if m != nil && (m.epoch != w.state.epoch || m.into.id != w.state.merging) {
		m = nil // another process has gone on, or something was erased
	}
	now := time.Now().UnixMilli()
	if m == nil {
		if w.state.merging != 0 && now >= w.state.merged && now < w.state.merged+abandoned.Milliseconds() {
			// Another process merges. If it ends before all is merged, a search finds what is left.
			r.merging = nil
			r.due.Store(false)
			return nil
		}
		if m, err = beginMerge(w); err != nil {
			return err
		}
		if m == nil {
			r.merging = nil
			return r.compact(w, enough)
		}
	}
	r.merging, w.state.merged = m, now
	done, err := m.step(w.ctx, w.tx, enough)
	if err != nil {
		return err
	}
	if done {
		if err := m.finish(w.ctx, w.tx); err != nil {
			return err
		}
		r.merging, w.state.merging = nil, 0
		w.state.version++
	}
	return w.writeState()
}

// beginMerge begins a merge, or returns nil if there is nothing to merge.
func beginMerge(w *writer) (*merge, error) {
	segments, err := readSegments(w.ctx, w.tx)
	if err != nil {
		return nil, err
	}
	if err := dropLeft(w.ctx, w.tx); err != nil {
		return nil, err
	}
	group := toMerge(segments)
	if len(group) == 0 {
		return nil, nil
	}
	w.state.segments++
	w.state.merging = w.state.segments
	m, err := newMerge(w.ctx, w.tx, w.state.merging, group)
	if err == nil {
		m.epoch = w.state.epoch
	}
	return m, err
}

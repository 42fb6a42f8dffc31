// Package index is the room of the index of search: postings and records of the documents of
// all rooms, in tables of the database. It is derived from the documents, and made anew if it is
// damaged. The texts stay in their rooms.
package index

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Room keeps the index. It is safe for concurrent use.
type Room struct {
	env room.Env
	local
}

// local is what the process knows beside the tables. It is no state.
type local struct {
	attached atomic.Bool
	db       room.Database
	// due is true if the index has to be built or segments are to be merged in the background.
	due atomic.Bool
	// damaged is true if a search could not read the index.
	damaged atomic.Bool

	mu    sync.Mutex // held while a query runs
	cache *cache

	// What the process does in the background. It is used on the queue only.
	building *building
	merging  *merge
	progress atomic.Pointer[Progress]
}

// New returns a room. It uses Settings, Now, Log and Sources of env.
func New(env room.Env) *Room { return &Room{env: env} }

// Name returns "index", the beginning of the names of the room's tables.
func (r *Room) Name() string { return "index" }

// Observe returns nothing: the room has no changes of its own.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// Fold returns nothing: the room has no rows.
func (r *Room) Fold(change.Change) ([]change.Row, error) { return nil, nil }

// Load does nothing.
func (r *Room) Load([]change.Row) error { return nil }

// TablesVersion returns the version of the tables.
func (r *Room) TablesVersion() int { return 1 }

// Migrate makes empty tables. What there was before is put into them in the background.
func (r *Room) Migrate(ctx context.Context, tx room.Tx, _ int) error {
	r.due.Store(true)
	return recreate(ctx, tx, false)
}

// Attach sets the database.
func (r *Room) Attach(db room.Database) {
	r.db = db
	r.attached.Store(true)
}

// Index puts the documents of changes into the index. If the index is damaged, it is made anew.
func (r *Room) Index(ctx context.Context, tx room.Tx, changes []change.Change) error {
	put, removed := r.documents(changes)
	if len(put) == 0 && len(removed) == 0 {
		return nil
	}
	return r.heal(ctx, tx, func() error {
		w, err := newWriter(ctx, tx)
		if err != nil {
			return err
		}
		if !w.state.complete {
			if err := r.buildAtOnce(ctx, w); err != nil {
				return err
			}
		}
		if err := w.write(put, removed); err != nil {
			return err
		}
		segments, err := readSegments(ctx, tx)
		if len(toMerge(segments)) > 0 {
			r.due.Store(true)
		}
		return err
	})
}

// heal calls change. If the tables are damaged, it makes them anew and calls it again.
func (r *Room) heal(ctx context.Context, tx room.Tx, change func() error) error {
	err := change()
	if !isDamage(err) {
		return err
	}
	r.env.Log.Warn("the index of search is damaged and is made anew", "error", err)
	r.due.Store(true)
	r.Abandon()
	if err := recreate(ctx, tx, false); err != nil {
		return err
	}
	return change()
}

// documents returns what changes put and remove, each id once, as the last change says.
func (r *Room) documents(changes []change.Change) (put []room.Document, removed []string) {
	sources := r.env.Sources()
	type note struct {
		doc  room.Document
		puts bool
	}
	var notes []note
	last := map[string]int{} // places in notes
	add := func(id string, doc room.Document, puts bool) {
		doc.ID = id
		last[id] = len(notes)
		notes = append(notes, note{doc, puts})
	}
	for _, c := range changes {
		for _, source := range sources {
			docs, gone := source.Documents(c)
			for _, id := range gone {
				add(id, room.Document{}, false)
			}
			for _, doc := range docs {
				add(doc.ID, doc, true)
			}
		}
	}
	for i, is := range notes {
		switch {
		case last[is.doc.ID] != i:
		case is.puts:
			put = append(put, is.doc)
		default:
			removed = append(removed, is.doc.ID)
		}
	}
	return put, removed
}

// EraseIndexed takes what is deleted out of all postings, and texts out of the documents of all
// sources.
func (r *Room) EraseIndexed(ctx context.Context, tx room.Tx, texts []string) error {
	return r.heal(ctx, tx, func() error {
		w, err := newWriter(ctx, tx)
		if err != nil {
			return err
		}
		var put []room.Document
		for _, source := range r.env.Sources() {
			err := source.Each(ctx, tx, func(doc room.Document) bool {
				if without := withoutTexts(doc, texts); sumOf(without) != sumOf(doc) {
					put = append(put, without)
				}
				return true
			})
			if err != nil {
				return err
			}
		}
		slices.SortFunc(put, byID)
		known, err := w.known(idsOf(put))
		if err != nil {
			return err
		}
		put = slices.DeleteFunc(put, func(doc room.Document) bool { _, there := known[doc.ID]; return !there })
		if err := w.write(put, nil); err != nil {
			return err
		}
		return w.purgeDeleted()
	})
}

func idsOf(docs []room.Document) []string {
	ids := make([]string, len(docs))
	for i, doc := range docs {
		ids[i] = doc.ID
	}
	return ids
}

// withoutTexts returns a document without texts.
func withoutTexts(doc room.Document, texts []string) room.Document {
	for _, field := range []*string{&doc.Text, &doc.Speaker, &doc.Type, &doc.Agent, &doc.Task, &doc.Episode} {
		*field = store.Without(*field, texts)
	}
	doc.Tags = slices.Clone(doc.Tags)
	for i := range doc.Tags {
		doc.Tags[i] = store.Without(doc.Tags[i], texts)
	}
	return doc
}

// purgeDeleted writes every segment with deleted documents again, without their terms.
func (w *writer) purgeDeleted() error {
	segments, err := readSegments(w.ctx, w.tx)
	if err != nil {
		return err
	}
	for i, s := range segments {
		if s.dead == 0 {
			continue
		}
		w.state.segments++
		if err := mergeAll(w.ctx, w.tx, w.state.segments, segments[i:i+1]); err != nil {
			return err
		}
	}
	w.state.version++
	w.state.merging = 0 // what is being merged may hold what was deleted
	return errors.Join(dropLeft(w.ctx, w.tx), w.writeState())
}

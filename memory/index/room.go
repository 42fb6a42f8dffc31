// Package index is the room of the index of search: postings and records of the documents of
// all rooms, in tables of the database. It is derived from the documents, and made anew if it is
// damaged. The content stays in the rooms.
package index

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Room keeps the index. It is safe for concurrent use.
type Room struct {
	env room.Env
	local
}

// local is what the process knows beside the tables. It is not state.
type local struct {
	attached atomic.Bool
	db       room.Database
	// due is true if the index has to be built or segments are to be merged in the background.
	due atomic.Bool
	// damaged is true if a search could not read the index.
	damaged atomic.Bool

	mu    sync.Mutex // held while a query runs
	cache *cache
	// aside are the documents beside the index of the latest query that had some.
	aside atomic.Pointer[collection]

	// What the process does in the background. It is used on the queue only.
	building *building
	merging  *merge
	progress atomic.Pointer[Progress]

	// ahead is the analysis of what the next call of Index puts, nil if none was begun. It is used on the queue only.
	ahead *ahead
}

// An ahead is what changes put and remove, and the analysis of what they put.
type ahead struct {
	changes []change.Change
	removed []string
	*analysis
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

// TablesVersion returns the version of the tables. It rises also when there are documents of another kind, or they are
// analysed in another way, so that those of before are put into the index anew.
func (r *Room) TablesVersion() int { return 7 }

// Tables returns the names of the tables.
func (r *Room) Tables() []string { return tableNames }

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

// Analyse begins to analyse the documents of changes for Index.
func (r *Room) Analyse(changes []change.Change) {
	put, removed := r.documents(changes)
	r.ahead = &ahead{changes, removed, analyse(put, nil)}
}

// begun returns what changes put and remove, and the analysis of what they put if it was begun, otherwise nil.
func (r *Room) begun(changes []change.Change) (put []room.Document, removed []string, begun *analysis) {
	ahead := r.ahead
	r.ahead = nil
	if ahead != nil && len(ahead.changes) == len(changes) && &ahead.changes[0] == &changes[0] {
		return ahead.docs, ahead.removed, ahead.analysis
	}
	put, removed = r.documents(changes)
	return put, removed, nil
}

// Index puts the documents of changes into the index. If the index is damaged, it is made anew.
func (r *Room) Index(ctx context.Context, tx room.Tx, changes []change.Change) error {
	put, removed, begun := r.begun(changes)
	ended := endedSessions(changes)
	bound, err := r.bound(ctx, tx, changes)
	if err != nil || len(put) == 0 && len(removed) == 0 && len(ended) == 0 && len(bound) == 0 {
		return err
	}
	return r.heal(ctx, tx, func() error {
		w, err := newWriter(ctx, tx, r.env.Cores)
		if err != nil {
			return err
		}
		if !w.state.complete {
			if err := r.buildAtOnce(ctx, w, put); err != nil {
				return err
			}
		}
		all, err := w.matching(removed, put)
		if err != nil {
			return err
		}
		if err := w.writeAnalysed(put, all, begun); err != nil {
			return err
		}
		if err := r.arrange(w, inserted(put)); err != nil {
			return err
		}
		if len(bound) > 0 {
			if err := w.write(bound, nil); err != nil {
				return err
			}
		}
		if err := r.dropEnded(w, ended); err != nil {
			return err
		}
		segments := w.segments
		if segments == nil {
			if segments, err = readSegments(ctx, tx); err != nil {
				return err
			}
		}
		if isUntidy(w.state.stats, segments) {
			r.due.Store(true)
		}
		return nil
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
	docs, puts := make([]room.Document, 0, len(changes)), make([]bool, 0, len(changes))
	last := make(map[string]int, len(changes)) // places in docs
	add := func(doc room.Document, isPut bool) {
		last[doc.ID] = len(docs)
		docs, puts = append(docs, doc), append(puts, isPut)
	}
	for _, c := range changes {
		for _, source := range sources {
			written, gone := source.Documents(c)
			for _, id := range gone {
				if strings.HasSuffix(id, "/") { // what earlier changes say of these counts no longer
					maps.DeleteFunc(last, func(known string, _ int) bool { return strings.HasPrefix(known, id) })
				}
				add(room.Document{ID: id}, false)
			}
			for _, doc := range written {
				add(doc, true)
			}
		}
	}
	put = docs[:0]
	for i := range docs {
		switch at, counts := last[docs[i].ID]; {
		case !counts || at != i:
		case puts[i]:
			put = append(put, docs[i])
		default:
			removed = append(removed, docs[i].ID)
		}
	}
	return put, removed
}

// bound returns the documents that only their session recalls when it has ended, of the sessions that changes end or
// resume.
func (r *Room) bound(ctx context.Context, tx room.Tx, changes []change.Change) (docs []room.Document, err error) {
	seen := map[string]bool{}
	for _, c := range changes {
		if c.Kind != sessions.Ended && c.Kind != sessions.Resumed || seen[c.Subject] {
			continue
		}
		seen[c.Subject] = true
		for _, source := range r.env.Sources() {
			bound, is := source.(room.SessionBound)
			if !is {
				continue
			}
			of, err := bound.OfSession(ctx, tx, c.Subject)
			if err != nil {
				return nil, err
			}
			docs = append(docs, of...)
		}
	}
	return docs, nil
}

// An ended session was swept, or deleted, so that nothing of it may be left.
type endedSession struct {
	id      string
	deleted bool
}

// endedSessions returns the sessions that changes end for good.
func endedSessions(changes []change.Change) (ended []endedSession) {
	for _, c := range changes {
		if c.Kind == sessions.Deleted || c.Kind == sessions.Swept {
			ended = append(ended, endedSession{c.Subject, c.Kind == sessions.Deleted})
		}
	}
	return ended
}

// dropEnded takes the documents of sessions out of the index that their rooms do not have any more.
func (r *Room) dropEnded(w *writer, ended []endedSession) error {
	purges := false
	for _, session := range ended {
		dropped, err := r.dropGone(w, session.id)
		if err != nil {
			return err
		}
		purges = purges || dropped && session.deleted
	}
	if purges {
		return w.purgeDeleted()
	}
	return nil
}

// dropGone looks the documents of a session up, removes those that are gone and writes the others
// as they are now. It reports whether there were any.
func (r *Room) dropGone(w *writer, session string) (any bool, err error) {
	index, err := newReader(w.ctx, w.tx, nil)
	if err != nil {
		return false, err
	}
	lists, err := index.Lists([]string{mark(markSession, session)})
	if err != nil {
		return false, err
	}
	for docs := range slices.Chunk(lists[0].Docs, lookedUp) {
		ids, err := idsOf(index.ctx, index.db, docs)
		if err != nil {
			return false, err
		}
		left, err := find(w.ctx, w.tx, r.env.Sources(), ids)
		if err != nil {
			return false, err
		}
		gone := notAmong(left, ids)
		if err := w.write(left, gone); err != nil {
			return false, err
		}
		any = any || len(gone) > 0
	}
	return any, nil
}

// EraseIndexed takes what is deleted out of all postings, and strings out of the documents of all
// sources. Rooms may have erased them from their documents before.
func (r *Room) EraseIndexed(ctx context.Context, tx room.Tx, texts []string) error {
	return r.heal(ctx, tx, func() error {
		w, err := newWriter(ctx, tx, r.env.Cores)
		if err != nil {
			return err
		}
		var put []room.Document
		var removed []string
		for _, source := range r.env.Sources() {
			changed, dropped, err := w.changed(source, texts)
			if err != nil {
				return err
			}
			put, removed = append(put, changed...), append(removed, dropped...)
		}
		slices.SortFunc(put, byID)
		if err := w.write(put, removed); err != nil {
			return err
		}
		return w.purgeDeleted()
	})
}

// withoutTexts returns a document without the strings that are erased.
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
		if _, err := mergeAll(w.ctx, w.tx, w.state.segments, segments[i:i+1]); err != nil {
			return err
		}
	}
	w.state.version++
	w.state.merging = 0 // what is being merged may hold what was deleted
	return errors.Join(dropLeft(w.ctx, w.tx), w.writeState())
}

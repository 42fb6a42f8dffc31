package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

const (
	// usedEvery is how often it is noted that a model is used, unusedFor how long a model is kept that
	// nobody uses.
	usedEvery = 24 * time.Hour
	unusedFor = 7 * 24 * time.Hour
)

// unusable says why a model has no vectors to search by, "" if it has some. length is that of the
// query's vector, 0 if it is not known yet.
func (m model) unusable(there bool, length int) string {
	switch {
	case !there || m.done == 0 || m.dimension == 0:
		return "no document has a vector of the model yet"
	case length != 0 && length != m.dimension:
		return fmt.Sprintf("the endpoint returns vectors of %d numbers, and those of the documents have %d", length,
			m.dimension)
	}
	return ""
}

// A lot is a number of documents that are sent to an endpoint together.
type lot struct {
	model model
	docs  []recall.Doc
	texts []string
	// upTo is the last document that is done with them.
	upTo recall.Doc
	// vectors are those of the documents, quantised. That of a document that the endpoint refuses is nil.
	vectors [][]byte
	// busy is true if another process fills in the vectors, more if there is something else to do.
	busy, more bool
}

// A claim is that of a process that fills in the vectors of a model.
type claim struct {
	name    string
	process int64
	lease   time.Duration // after which another process may take over
	texts   int           // how many are sent together
}

// next stores the vectors of a lot, if there is one, and returns the next lot, whose strings are empty
// if all documents have vectors or another process fills them in.
func (r *Room) next(ctx context.Context, tx room.Tx, by claim, filled *lot) (next lot, err error) {
	w, err := newWriter(ctx, tx, r.env.Cores)
	if err != nil {
		return next, err
	}
	now := time.Now()
	m, more, err := w.claim(by, now)
	if err != nil || m.claimant != by.process {
		return lot{model: m, busy: !more, more: more}, err
	}
	if filled != nil && filled.model.epoch == m.epoch {
		if err := w.store(&m, filled); err != nil {
			return next, err
		}
	}
	next, err = r.pick(w, m, by.texts)
	if err != nil {
		return next, err
	}
	if next.upTo == 0 {
		next.model.claimant, next.model.done = 0, w.state.stats.Last
	}
	next.more = more
	return next, errors.Join(w.writeModel(next.model), w.writeState())
}

// claim returns the model with the name of a claim, which belongs to the process if nobody else fills
// it in. Models that nobody uses are deleted step by step; more is true if one is.
func (w *writer) claim(by claim, now time.Time) (m model, more bool, err error) {
	models, err := readModels(w.ctx, w.tx)
	if err != nil {
		return m, false, err
	}
	free := map[int]bool{}
	for slot := range slots {
		free[slot] = true
	}
	there, oldest := false, -1
	for i, one := range models {
		delete(free, one.slot)
		switch {
		case one.name == by.name:
			m, there = one, true
		case one.name == "" || now.UnixMilli()-one.used > unusedFor.Milliseconds():
			if one.name != "" {
				one.done = 0
			}
			more = true
			if err := w.empty(one); err != nil {
				return m, more, err
			}
		case oldest < 0 || one.used < models[oldest].used:
			oldest = i
		}
	}
	switch {
	case !there && len(free) == 0:
		if oldest >= 0 && !more {
			models[oldest].done = 0
			err = w.empty(models[oldest])
		}
		return m, true, err
	case !there:
		m = model{slot: slots - 1, name: by.name, epoch: random()}
		if free[0] {
			m.slot = 0
		}
	case m.claimant != 0 && m.claimant != by.process && now.UnixMilli()-m.claimed < by.lease.Milliseconds():
		return m, more, nil
	}
	m.claimant, m.claimed, m.used = by.process, now.UnixMilli(), now.UnixMilli()
	return m, more, nil
}

// store stores the vectors of a lot.
func (w *writer) store(m *model, filled *lot) error {
	vectors := map[recall.Doc][]byte{}
	for i, numbers := range filled.vectors {
		if numbers != nil {
			vectors[filled.docs[i]] = numbers
			m.dimension = len(numbers)
		}
	}
	m.done = max(m.done, filled.upTo)
	if len(vectors) == 0 {
		return nil
	}
	w.state.version++
	return w.putVectors(*m, vectors)
}

// pick returns the next documents without a vector. upTo is 0 if there are no more documents.
func (r *Room) pick(w *writer, m model, n int) (next lot, err error) {
	next.model = m
	var ids []string
	byID := map[string]recall.Doc{}
	rows, err := w.tx.QueryContext(w.ctx, `SELECT doc, id FROM index_document WHERE doc > ?
		AND doc * ? + ? NOT IN (SELECT id FROM index_vector) ORDER BY doc LIMIT ?`, m.done, slots, m.slot, n)
	if err != nil {
		return next, err
	}
	for rows.Next() {
		var id string
		if err := rows.Scan(&next.upTo, &id); err != nil {
			return next, errors.Join(err, rows.Close())
		}
		ids, byID[id] = append(ids, id), next.upTo
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return next, err
	}
	docs, err := find(w.ctx, w.tx, r.env.Sources(), ids)
	for _, doc := range docs {
		next.docs, next.texts = append(next.docs, byID[doc.ID]), append(next.texts, doc.Text)
	}
	return next, err
}

// A Filled says how many documents have a vector of a model.
type Filled struct {
	Done, Total int
	// Dimension is the length of the vectors, 0 if there is none yet.
	Dimension int
}

// filled returns how many documents have a vector of a model.
func (r *Room) filled(ctx context.Context, name string) (f Filled, err error) {
	if !r.attached.Load() {
		return f, errDetached
	}
	err = r.db.View(ctx, func(db room.Querier) error {
		state, err := readState(ctx, db)
		if err != nil {
			return err
		}
		m, _, err := readModel(ctx, db, name)
		if err != nil {
			return err
		}
		f = Filled{Total: state.stats.Documents, Dimension: m.dimension}
		left := 0
		row := db.QueryRowContext(ctx, "SELECT count(*) FROM index_document WHERE doc > ?", m.done)
		err = row.Scan(&left)
		f.Done = f.Total - left
		return err
	})
	return f, err
}

// modelOf returns what the tables hold of a model, and whether there is something to fill in or to
// note.
func (r *Room) modelOf(ctx context.Context, name string) (m model, there, due bool, err error) {
	if !r.attached.Load() {
		return m, false, false, errDetached
	}
	state, err := readState(ctx, r.db)
	if err != nil {
		return m, false, false, err
	}
	m, there, err = readModel(ctx, r.db, name)
	due = !there && state.stats.Last > 0 || there && m.done < state.stats.Last ||
		there && time.Now().UnixMilli()-m.used > usedEvery.Milliseconds()
	return m, there, due, err
}

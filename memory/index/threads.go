package index

import (
	"context"
	"errors"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// inserted returns the threads into which some documents were inserted, each once.
func inserted(put []room.Document) (threads []string) {
	for _, doc := range put {
		if doc.Inserted && doc.Thread != "" && !slices.Contains(threads, doc.Thread) {
			threads = append(threads, doc.Thread)
		}
	}
	return threads
}

// arrange puts the documents of threads in the order of their rooms.
func (r *Room) arrange(w *writer, threads []string) error {
	for _, thread := range threads {
		docs, ids, err := w.inThread(thread)
		if err != nil {
			return err
		}
		order, err := ordered(w.ctx, w.tx, r.env.Sources(), ids)
		if err != nil {
			return err
		}
		if len(order) != len(ids) || slices.Equal(order, ids) {
			clear(w.pages) // they were only read
			continue
		}
		numbers := make(map[string]recall.Doc, len(ids))
		for i, id := range ids {
			numbers[id] = docs[i]
		}
		for i, id := range order {
			docs[i] = numbers[id]
		}
		if err := errors.Join(w.chain(thread, docs), w.flush()); err != nil {
			return err
		}
	}
	return nil
}

// ordered returns those of some ids that are of documents of rooms with an order, in that.
func ordered(
	ctx context.Context, db room.Querier, sources []room.Source, ids []string,
) (order []string, err error) {
	for _, source := range sources {
		if orderer, is := source.(room.Orderer); is {
			own, err := orderer.Ordered(ctx, db, ids)
			if err != nil {
				return nil, err
			}
			order = append(order, own...)
		}
	}
	return order, nil
}

// lasts returns the last document of each of the threads of some documents, 0 if it has none.
func (w *writer) lasts(docs []room.Document) (map[string]recall.Doc, error) {
	lasts := map[string]recall.Doc{}
	for _, doc := range docs {
		if _, known := lasts[doc.Thread]; known || doc.Thread == "" {
			continue
		}
		lasts[doc.Thread] = 0
		switch in, err := w.knownThread(doc.Thread); {
		case err != nil:
			return nil, err
		case in != nil:
			lasts[doc.Thread] = in.last
		}
	}
	return lasts, nil
}

// inThread returns the documents of a thread and their ids, in their order.
func (w *writer) inThread(name string) (docs []recall.Doc, ids []string, err error) {
	in, err := w.knownThread(name)
	if in == nil || err != nil {
		return nil, nil, err
	}
	for doc := in.last; doc != 0; {
		if docs = append(docs, doc); len(docs) > w.state.stats.Documents {
			return nil, nil, damaged("a thread has no beginning")
		}
		p, place, err := w.record(doc)
		if err != nil {
			return nil, nil, err
		}
		doc = p[place].Prev
	}
	slices.Reverse(docs)
	ids, err = idsOf(w.ctx, w.tx, docs)
	return docs, ids, err
}

// chain makes documents follow each other in their thread, of which they are all.
func (w *writer) chain(thread string, docs []recall.Doc) error {
	var position uint16
	for i, doc := range docs {
		p, place, err := w.record(doc)
		if err != nil {
			return err
		}
		is := &p[place]
		is.Prev, is.Next, is.Position = 0, 0, position
		if i > 0 {
			is.Prev = docs[i-1]
		}
		if i+1 < len(docs) {
			is.Next = docs[i+1]
		}
		position = is.After()
	}
	w.threads[thread].last = docs[len(docs)-1]
	return nil
}

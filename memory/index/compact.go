package index

import (
	"cmp"
	"errors"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/recall"
)

// Numbers are never used again, and a search has sums for all from the first document to the last. So that there are
// not ever more of them, the oldest documents get new numbers, as a log is compacted whose end is overwritten.
const (
	// numbersEach is how many numbers there are for each document at most, besides spareNumbers. With 2, as many
	// numbers of deleted documents become free as documents get new ones.
	numbersEach  = 2
	spareNumbers = 2 * recall.BlockSize
)

// first returns the first number of segments, 0 if there are none. No document has a lower number.
func first(segments []segment) recall.Doc {
	if len(segments) == 0 {
		return 0
	}
	return segments[0].first
}

// isSparse reports whether there are too many numbers for the documents.
func isSparse(of recall.Stats, segments []segment) bool {
	return of.Documents > 0 && int(of.Last-first(segments)) > numbersEach*of.Documents+spareNumbers
}

// compact gives the oldest documents new numbers until there is something to merge.
func (r *Room) compact(w *writer, enough func() bool) error {
	for {
		segments, err := readSegments(w.ctx, w.tx)
		if err != nil || len(toMerge(segments)) > 0 {
			return err
		}
		if err := w.dropBefore(segments); err != nil {
			return err
		}
		if !isSparse(w.state.stats, segments) {
			r.due.Store(false)
			return nil
		}
		ids, err := w.oldest(buildStep)
		if err != nil {
			return err
		}
		docs, err := find(w.ctx, w.tx, r.env.Sources(), ids)
		if err != nil {
			return err
		}
		if err := w.renumber(ids, docs); err != nil {
			return err
		}
		if enough() {
			return nil
		}
	}
}

// oldest returns the ids of the n documents with the lowest numbers.
func (w *writer) oldest(n int) ([]string, error) {
	return store.Strings(w.ctx, w.tx, "SELECT id FROM index_document ORDER BY doc LIMIT ?", n)
}

// dropBefore deletes the pages of the blocks before the first segment. No search reads them. What processes keep of a
// block is brought up to date by its pages, so these stay as long as one of them is read.
func (w *writer) dropBefore(segments []segment) error {
	block, _ := first(segments).Block()
	_, err := w.tx.ExecContext(w.ctx, "DELETE FROM index_record WHERE page < ?", block*pages)
	if err == nil {
		_, err = w.tx.ExecContext(w.ctx, "DELETE FROM index_signs WHERE id < ?", block*pages*slots)
	}
	return err
}

// renumber gives documents with some ids the next numbers. They keep their places in their threads, and their vectors.
// Those that are not among docs are gone.
func (w *writer) renumber(ids []string, docs []room.Document) (err error) {
	known, err := w.known(ids)
	if err != nil {
		return err
	}
	slices.SortFunc(docs, func(a, b room.Document) int { return cmp.Compare(known[a.ID].doc, known[b.ID].doc) })
	var analysed *analysis
	w.cores.While(len(docs), func() {
		analysed = analyse(docs, nil)
		analysed.finish()
	})
	last, numbers := w.state.stats.Last, make(map[recall.Doc]recall.Doc, len(docs))
	var changed []room.Document
	for i, doc := range docs {
		was := known[doc.ID]
		if was.sum != analysed.sums[i] {
			changed = append(changed, doc)
			continue
		}
		if numbers[was.doc], err = w.replace(was.doc, doc, was.sum, analysed.entries[i]); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		w.segment = analysed.segment
	}
	carried, err := w.vectorsOf(numbers)
	if err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.carry(carried, last); err != nil {
		return err
	}
	return w.write(changed, notAmong(docs, ids))
}

// Carried vectors are those of a model, by the new numbers of their documents.
type carried struct {
	model
	vectors map[recall.Doc][]byte
}

// vectorsOf returns the vectors of documents, whose new numbers are by their former ones.
func (w *writer) vectorsOf(numbers map[recall.Doc]recall.Doc) (all []carried, err error) {
	models, err := readModels(w.ctx, w.tx)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		if m.name == "" {
			continue
		}
		of := carried{m, map[recall.Doc][]byte{}}
		var ids []int64
		for doc := range numbers {
			ids = append(ids, m.vectorID(doc))
		}
		err := eachBlob(w.ctx, w.tx, func(id int64, vector []byte) error {
			of.vectors[numbers[recall.Doc(id/slots)]] = slices.Clone(vector)
			return nil
		}, "SELECT id, numbers FROM index_vector WHERE id IN "+anyOf, list(ids))
		if err != nil {
			return nil, err
		}
		all = append(all, of)
	}
	return all, nil
}

// carry stores vectors under the new numbers of their documents. last was the last number before: a model that was
// done with all documents still is.
func (w *writer) carry(all []carried, last recall.Doc) error {
	for _, of := range all {
		if of.done >= last {
			of.done = w.state.stats.Last
		}
		if err := errors.Join(w.putVectors(of.model, of.vectors), w.writeModel(of.model)); err != nil {
			return err
		}
	}
	return nil
}

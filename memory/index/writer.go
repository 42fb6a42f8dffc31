package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/recall"
)

// A writer changes the index in one transaction. Nothing is read from or written to what the
// process keeps of the index, because the transaction may be rolled back.
type writer struct {
	ctx     context.Context
	tx      room.Tx
	cores   *cores.Cores
	state   state
	pages   map[int]*page
	threads map[string]*thread
	added   []addition
	// segment is what the added documents are as a segment, nil if that is to be made.
	segment *postings
	deleted []recall.Doc
	// segments are those that there are after documents were added, nil if none were.
	segments []segment
	// atOnce is how many documents are merged in the transaction. More are merged in the background.
	atOnce int
}

// A thread is a row of index_thread.
type thread struct{ first, last recall.Doc }

// An addition is a document that is added.
type addition struct {
	doc   recall.Doc
	id    string
	sum   int64
	terms []recall.Term
}

func newWriter(ctx context.Context, tx room.Tx, of *cores.Cores) (*writer, error) {
	state, err := readState(ctx, tx)
	if err != nil {
		return nil, err
	}
	return &writer{
		ctx: ctx, tx: tx, cores: of, state: state, pages: map[int]*page{}, threads: map[string]*thread{},
		atOnce: mergedAtOnce,
	}, nil
}

// known is what the index has of a document.
type known struct {
	doc recall.Doc
	sum int64
}

// known returns those of the documents with some ids that are in the index.
func (w *writer) known(ids []string) (found map[string]known, err error) {
	found = map[string]known{}
	rows, err := w.tx.QueryContext(w.ctx,
		"SELECT id, doc, sum FROM index_document WHERE id IN "+anyOf, room.Values(ids))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id string
		var one known
		if err := rows.Scan(&id, &one.doc, &one.sum); err != nil {
			return nil, err
		}
		found[id] = one
	}
	return found, rows.Err()
}

// matching returns the ids to remove, each once. One that ends with "/" stands for all that begin with it, but
// for those of put.
func (w *writer) matching(removed []string, put []room.Document) (ids []string, err error) {
	known := map[string]bool{}
	for _, doc := range put {
		known[doc.ID] = true
	}
	add := func(id string) {
		if !known[id] {
			known[id], ids = true, append(ids, id)
		}
	}
	for _, id := range removed {
		if !strings.HasSuffix(id, "/") {
			add(id)
			continue
		}
		found, err := w.beginning(id)
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			add(id)
		}
	}
	return ids, nil
}

// beginning returns the ids that begin with a prefix that ends with "/".
func (w *writer) beginning(prefix string) (ids []string, err error) {
	after := strings.TrimSuffix(prefix, "/") + "0" // which follows "/"
	return store.Strings(w.ctx, w.tx, "SELECT id FROM index_document WHERE id >= ? AND id < ?", prefix, after)
}

// changed returns the documents of a source without their content, of those that are in the index with
// other content, and the ids of those that go.
func (w *writer) changed(
	source room.Source, texts []string,
) (changed []room.Document, dropped []string, err error) {
	dropper, drops := source.(room.Dropper)
	var docs []room.Document
	compare := func() error {
		ids := make([]string, len(docs))
		for i, doc := range docs {
			ids[i] = doc.ID
		}
		known, err := w.known(ids)
		if err != nil {
			return err
		}
		for _, doc := range docs {
			if one, there := known[doc.ID]; there && one.sum != sumOf(doc) {
				changed = append(changed, doc)
			}
		}
		docs = docs[:0]
		return nil
	}
	var failed error
	err = source.Each(w.ctx, w.tx, func(doc room.Document) bool {
		if drops && dropper.Drops(doc, texts) {
			dropped = append(dropped, doc.ID)
			return true
		}
		if docs = append(docs, withoutTexts(doc, texts)); len(docs) == lookedUp {
			failed = compare()
		}
		return failed == nil
	})
	if err := errors.Join(err, failed); err != nil {
		return nil, nil, err
	}
	return changed, dropped, compare()
}

// An analysis is what the index stores of documents. It is made beside other work.
type analysis struct {
	docs    []room.Document
	sums    []int64
	entries []recall.Entry
	// segment is what all documents are as a segment, nil if some may be known.
	segment *postings
	finish  func() // waits for it
}

// analyse begins the analysis of documents. It leaves out the entries of those that are known with the same sum. If
// known is nil, it is not known yet which are, and mostly none is.
func analyse(docs []room.Document, known map[string]known) *analysis {
	a := &analysis{docs: docs, sums: make([]int64, len(docs)), entries: make([]recall.Entry, len(docs))}
	var left atomic.Int64
	left.Store(int64(len(docs)))
	a.finish = cores.Begin(docs, func(i int, doc *room.Document) {
		a.sums[i] = sumOf(*doc)
		if one, there := known[doc.ID]; !there || one.sum != a.sums[i] {
			a.entries[i] = entryOf(*doc)
		}
		if left.Add(-1) == 0 && known == nil { // beside the writing of others
			a.segment = a.postings()
		}
	})
	return a
}

// postings returns what all documents are as a segment.
func (a *analysis) postings() *postings {
	terms := make([][]recall.Term, len(a.entries))
	for i := range a.entries {
		terms[i] = a.entries[i].Terms
	}
	return postingsOf(terms)
}

// write removes documents and then puts some, each id once. A document whose terms are the same
// keeps its number, and one that stays in its thread its place there.
func (w *writer) write(put []room.Document, removed []string) (err error) {
	w.cores.While(len(put), func() { err = w.writeAnalysed(put, removed, nil) })
	return err
}

// writeAnalysed is write for documents whose analysis was begun, or nil.
func (w *writer) writeAnalysed(put []room.Document, removed []string, begun *analysis) error {
	ids := slices.Clone(removed)
	for _, doc := range put {
		ids = append(ids, doc.ID)
	}
	known, err := w.known(ids)
	if err != nil {
		return err
	}
	for _, id := range removed {
		if one, there := known[id]; there {
			if err := w.delete(one.doc); err != nil {
				return err
			}
		}
	}
	if begun == nil {
		begun = analyse(put, known)
	}
	begun.finish()
	for i, doc := range put {
		sum := begun.sums[i]
		one, there := known[doc.ID]
		if there && one.sum == sum {
			p, place, err := w.record(one.doc)
			if err != nil {
				return err
			}
			p[place].column = columnOf(doc)
			continue
		}
		if err := w.put(doc, sum, begun.entries[i], one.doc); err != nil {
			return err
		}
	}
	if len(w.added) == len(put) { // none is left as it was
		w.segment = begun.segment
	}
	return w.flush()
}

// record returns the page with the record of a document, which will be written.
func (w *writer) record(doc recall.Doc) (*page, int, error) {
	number, place := pageOf(doc)
	if p := w.pages[number]; p != nil {
		return p, place, nil
	}
	p := new(page)
	err := eachBlob(w.ctx, w.tx, func(_ int64, blob []byte) (err error) {
		p, err = decodePage(blob)
		return err
	}, "SELECT page, records FROM index_record WHERE page = ?", number)
	w.pages[number] = p
	return p, place, err
}

// put adds a document, in the place of its former content if it has a number.
func (w *writer) put(doc room.Document, sum int64, entry recall.Entry, former recall.Doc) error {
	if former == 0 {
		return w.add(doc, sum, entry)
	}
	stays, err := w.isIn(former, doc.Thread)
	switch {
	case err != nil:
		return err
	case stays:
		_, err = w.replace(former, doc, sum, entry)
		return err
	}
	if err := w.delete(former); err != nil {
		return err
	}
	return w.add(doc, sum, entry)
}

// isIn reports whether a document is in a thread.
func (w *writer) isIn(doc recall.Doc, thread string) (bool, error) {
	if thread == "" {
		return false, nil
	}
	p, place, err := w.record(doc)
	if err != nil {
		return false, err
	}
	in, err := w.knownThread(thread)
	return in != nil && in.first == p[place].Thread, err
}

func (w *writer) add(doc room.Document, sum int64, entry recall.Entry) error {
	w.state.stats.Documents++
	w.state.stats.Terms += int64(entry.Feature.Length)
	number, is, err := w.next(doc, sum, entry)
	if err != nil {
		return err
	}
	is.Thread, is.Prev, is.Next, is.Position = number, 0, 0, 0
	if doc.Thread == "" {
		return nil
	}
	in, err := w.thread(doc.Thread, number)
	if err != nil {
		return err
	}
	is.Thread, is.Prev = in.first, in.last
	if in.last != 0 {
		before, place, err := w.record(in.last)
		if err != nil {
			return err
		}
		before[place].Next, is.Position = number, before[place].After()
	}
	in.last = number
	return nil
}

// replace gives a document other content and the next number, which it returns. It keeps its place in its thread.
func (w *writer) replace(
	former recall.Doc, doc room.Document, sum int64, entry recall.Entry,
) (recall.Doc, error) {
	taken, err := w.take(former)
	if err != nil {
		return 0, err
	}
	number, is, err := w.next(doc, sum, entry)
	if err != nil {
		return 0, err
	}
	is.Thread, is.Prev, is.Next, is.Position = taken.Thread, taken.Prev, taken.Next, taken.Position
	w.state.stats.Terms += int64(is.Length) - int64(taken.Length)
	return number, w.link(former, taken, number, number)
}

// next gives a document the next number, and returns its record, which does not say yet where it stands in a thread.
func (w *writer) next(doc room.Document, sum int64, entry recall.Entry) (recall.Doc, *record, error) {
	w.state.stats.Last++
	number := w.state.stats.Last
	w.added = append(w.added, addition{number, doc.ID, sum, entry.Terms})
	p, place, err := w.record(number)
	is := &p[place]
	is.Feature, is.column, is.sketch = entry.Feature, columnOf(doc), entry.Sketch
	return number, is, err
}

// thread returns a thread, which begins with a document if there is none.
func (w *writer) thread(name string, begins recall.Doc) (*thread, error) {
	in, err := w.knownThread(name)
	if in == nil && err == nil {
		in = &thread{first: begins}
		w.threads[name] = in
	}
	return in, err
}

// knownThread returns a thread, nil if there is none.
func (w *writer) knownThread(name string) (*thread, error) {
	if in := w.threads[name]; in != nil {
		return in, nil
	}
	rows, err := w.tx.QueryContext(w.ctx, "SELECT first, last FROM index_thread WHERE name = ?", name)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		in := new(thread)
		if err := rows.Scan(&in.first, &in.last); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		w.threads[name] = in
	}
	return w.threads[name], errors.Join(rows.Err(), rows.Close())
}

func (w *writer) delete(doc recall.Doc) error {
	gone, err := w.take(doc)
	if err != nil {
		return err
	}
	w.state.stats.Documents--
	w.state.stats.Terms -= int64(gone.Length)
	if err := w.link(doc, gone, gone.Prev, gone.Next); err != nil {
		return err
	}
	for next, position := gone.Next, gone.Position; next != 0 && position < recall.Opening; position++ {
		p, place, err := w.record(next)
		if err != nil {
			return err
		}
		p[place].Position, next = position, p[place].Next
	}
	return nil
}

// take takes the record of a document out.
func (w *writer) take(doc recall.Doc) (record, error) {
	p, place, err := w.record(doc)
	if err != nil {
		return record{}, err
	}
	taken := p[place]
	if taken.Thread == 0 {
		return taken, damaged("a document was deleted twice")
	}
	p[place] = record{}
	w.deleted = append(w.deleted, doc)
	return taken, nil
}

// link makes prev what stands before the document after one that was taken out of its thread, and next what stands
// after the one before.
func (w *writer) link(doc recall.Doc, taken record, prev, next recall.Doc) error {
	for _, beside := range []struct {
		doc recall.Doc
		set func(*record)
	}{{taken.Prev, func(r *record) { r.Next = next }}, {taken.Next, func(r *record) { r.Prev = prev }}} {
		if beside.doc == 0 {
			continue
		}
		p, place, err := w.record(beside.doc)
		if err != nil {
			return err
		}
		beside.set(&p[place])
	}
	if taken.Next != 0 {
		return nil
	}
	for _, in := range w.threads { // it may be the last of its thread
		if in.last == doc {
			in.last = prev
		}
	}
	_, err := w.tx.ExecContext(w.ctx, "UPDATE index_thread SET last = ? WHERE first = ? AND last = ?",
		prev, taken.Thread, doc)
	return err
}

// flush writes what was changed.
func (w *writer) flush() error {
	if len(w.pages) == 0 {
		return nil
	}
	w.state.version++
	for _, number := range slices.Sorted(maps.Keys(w.pages)) {
		_, err := w.tx.ExecContext(w.ctx, `INSERT INTO index_record(page, stamp, records) VALUES(?, ?, ?)
			ON CONFLICT DO UPDATE SET stamp = excluded.stamp, records = excluded.records`,
			number, w.state.version, w.pages[number].encode())
		if err != nil {
			return err
		}
	}
	for name, in := range w.threads {
		_, err := w.tx.ExecContext(w.ctx, `INSERT INTO index_thread(name, first, last) VALUES(?, ?, ?)
			ON CONFLICT DO UPDATE SET last = excluded.last`, name, in.first, in.last)
		if err != nil {
			return err
		}
	}
	if err := errors.Join(w.flushDeleted(), w.flushAdded()); err != nil {
		return err
	}
	clear(w.pages)
	clear(w.threads)
	w.added, w.segment, w.deleted = nil, nil, nil
	return w.writeState()
}

func (w *writer) writeState() error {
	_, err := w.tx.ExecContext(w.ctx, `UPDATE index_state SET
		version = ?, complete = ?, last = ?, documents = ?, terms = ?, segments = ?, merging = ?, merged = ?`,
		w.state.version, w.state.complete, w.state.stats.Last, w.state.stats.Documents, w.state.stats.Terms,
		w.state.segments, w.state.merging, w.state.merged)
	return err
}

func (w *writer) flushDeleted() error {
	if len(w.deleted) == 0 {
		return nil
	}
	w.segments = nil
	_, err := w.tx.ExecContext(w.ctx, "DELETE FROM index_document WHERE doc IN "+anyOf, list(w.deleted))
	if err != nil {
		return err
	}
	if err := w.deleteVectors(w.deleted); err != nil {
		return err
	}
	for _, doc := range w.deleted {
		_, err := w.tx.ExecContext(w.ctx, `UPDATE index_segment SET dead = dead + 1
			WHERE id = (SELECT id FROM index_segment WHERE first <= ? ORDER BY first DESC LIMIT 1)`, doc)
		if err != nil {
			return err
		}
	}
	return w.dropEmpty()
}

// dropEmpty deletes the segments of which all documents were deleted.
func (w *writer) dropEmpty() error {
	segments, err := readSegments(w.ctx, w.tx)
	if err != nil {
		return err
	}
	var empty []int64
	for _, s := range segments {
		if s.dead >= s.docs {
			empty = append(empty, s.id)
		}
	}
	return dropSegments(w.ctx, w.tx, empty)
}

func (w *writer) flushAdded() error {
	if len(w.added) == 0 {
		return nil
	}
	if err := w.insertDocuments(); err != nil {
		return err
	}
	added := w.newSegment()
	segments, err := readSegments(w.ctx, w.tx)
	if err != nil {
		return err
	}
	w.segments = append(segments, added)
	for {
		group := toMerge(w.unmerged())
		if len(group) == 0 || docsOf(group) > max(w.atOnce, mergedPerAdded*len(w.added)) {
			break
		}
		w.state.segments++
		merged, err := mergeAll(w.ctx, w.tx, w.state.segments, group)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(w.segments, func(s segment) bool { return s.id == group[0].id })
		w.segments = slices.Replace(w.segments, at, at+len(group), merged...)
	}
	if last := len(w.segments) - 1; last >= 0 && w.segments[last].chunks != nil {
		return putSegment(w.ctx, w.tx, &w.segments[last])
	}
	return nil
}

// unmerged returns the newest segments, of which none is being merged in the background: those that were made since
// that merge began. All are if there is none.
func (w *writer) unmerged() []segment {
	from := len(w.segments)
	for from > 0 && w.segments[from-1].id > w.state.merging {
		from--
	}
	return w.segments[from:]
}

// insertDocuments writes the ids of the added documents.
func (w *writer) insertDocuments() error {
	values := make([]any, 0, 3*len(w.added))
	for _, a := range w.added {
		values = append(values, int64(a.doc), a.id, a.sum)
	}
	return room.Insert(w.ctx, w.tx, "INSERT INTO index_document(doc, id, sum) VALUES", "(?,?,?)", values)
}

// newSegment returns a segment with the terms of the added documents, which is not in the tables yet.
func (w *writer) newSegment() segment {
	if w.segment == nil {
		terms := make([][]recall.Term, len(w.added))
		for i, a := range w.added {
			terms[i] = a.terms
		}
		w.segment = postingsOf(terms)
	}
	w.state.segments++
	return segment{
		id: w.state.segments, first: w.added[0].doc, last: w.added[len(w.added)-1].doc, docs: len(w.added),
		chunks: w.segment.chunks, fences: w.segment.fences,
	}
}

// postings are the chunks of a segment, whose content does not depend on the number of its first document, and their
// first terms.
type postings struct {
	chunks [][]byte
	fences []string
}

// postingsOf returns the postings of documents with some terms that follow each other.
func postingsOf(terms [][]recall.Term) *postings {
	p := &postings{}
	chunks := chunkWriter{done: func(first string, chunk []byte) error {
		p.chunks, p.fences = append(p.chunks, chunk), append(p.fences, first)
		return nil
	}}
	lists, all := listsOf(terms)
	var encoded []byte
	for _, of := range lists {
		encoded = appendPostings(encoded[:0], 0, recall.List{Docs: all.Docs[of.from:of.to], TF: all.TF[of.from:of.to]})
		_ = chunks.add(of.term, encoded) // fails only if done does
	}
	_ = chunks.flush()
	return p
}

// A termList is where the documents with a term are in the lists of all terms.
type termList struct {
	term     string
	from, to int32
}

// listsOf returns the terms of documents in their order, and for each where its documents, which are numbered from 1,
// are in all.
func listsOf(terms [][]recall.Term) (lists []termList, all recall.List) {
	total := 0
	for _, of := range terms {
		total += len(of)
	}
	numbers := make(map[string]int32, total/4)
	places := make([]int32, 0, total) // in lists, of the terms of all documents
	for _, of := range terms {
		for _, term := range of {
			n, known := numbers[term.Text]
			if !known {
				n = int32(len(lists))
				numbers[term.Text] = n
				lists = append(lists, termList{term: term.Text})
			}
			lists[n].to++ // a count so far
			places = append(places, n)
		}
	}
	next := int32(0)
	for i := range lists {
		next, lists[i].from, lists[i].to = next+lists[i].to, next, next
	}
	all = recall.List{Docs: make([]recall.Doc, total), TF: make([]uint8, total)}
	for doc, of := range terms {
		for i, term := range of {
			list := &lists[places[i]]
			all.Docs[list.to], all.TF[list.to] = recall.Doc(doc+1), term.TF
			list.to++
		}
		places = places[len(of):]
	}
	slices.SortFunc(lists, func(a, b termList) int { return strings.Compare(a.term, b.term) })
	return lists, all
}

// putSegment writes a segment into the tables.
func putSegment(ctx context.Context, tx room.Tx, s *segment) error {
	for place, chunk := range s.chunks {
		if err := insertChunk(ctx, tx, s.chunk(place), chunk); err != nil {
			return err
		}
	}
	s.chunks = nil
	return insertSegment(ctx, tx, *s)
}

// markPrefix begins the terms by which documents are filtered. No word and no term of package
// recall begins with it.
const markPrefix = "\x00"

// The kinds of marks.
const (
	markStore   = "store"
	markType    = "type"
	markTag     = "tag"
	markSession = "session"
	markAgent   = "agent"
	markTask    = "task"
	markEpisode = "episode"
)

func mark(kind, value string) string { return markPrefix + kind + ":" + value }

// appendMarks appends the terms by which a document is filtered, each once.
func appendMarks(terms []recall.Term, doc room.Document) []recall.Term {
	others := len(terms)
	for _, one := range []struct{ kind, value string }{
		{markStore, doc.Store}, {markType, doc.Type}, {markSession, doc.Session}, {markAgent, doc.Agent},
		{markTask, doc.Task}, {markEpisode, doc.Episode},
	} {
		if one.value != "" {
			terms = append(terms, recall.Term{Text: mark(one.kind, one.value), TF: 1})
		}
	}
	for _, tag := range doc.Tags {
		terms = append(terms, recall.Term{Text: mark(markTag, tag), TF: 1})
	}
	marks := terms[others:]
	slices.SortFunc(marks, func(a, b recall.Term) int { return strings.Compare(a.Text, b.Text) })
	return terms[:others+len(slices.Compact(marks))]
}

// sumOf returns a number that differs if the terms of the document, or its thread, do.
func sumOf(doc room.Document) int64 {
	hash := fnv.New64a()
	parts := append([]string{
		doc.Text, doc.Thread, doc.Speaker, doc.Store, doc.Type, doc.Session, doc.Agent, doc.Task, doc.Episode,
	}, slices.Concat(doc.Tags, doc.Words)...)
	_, _ = hash.Write([]byte(strings.Join(parts, "\x00"))) // it does not fail
	_, _ = hash.Write(binary.LittleEndian.AppendUint16(nil, recall.Day(doc.At)))
	return int64(hash.Sum64())
}

// entryOf returns what the index stores of a document: its terms with the marks.
func entryOf(doc room.Document) recall.Entry {
	entry := recall.Analyze(recall.Text{Body: bodyOf(doc), Speaker: doc.Speaker, At: doc.At})
	entry.Terms = appendMarks(entry.Terms, doc)
	return entry
}

// bodyOf returns the text by whose words a document is found.
func bodyOf(doc room.Document) string {
	return strings.TrimSuffix(doc.Text+"\n"+strings.Join(doc.Words, " "), "\n")
}

func columnOf(doc room.Document) column {
	return column{
		At: seconds(doc.At), Until: seconds(endOf(doc)), Importance: importance(doc.Importance),
		Pool: poolOf(doc.Store),
	}
}

// endOf returns when a document is no longer recalled in all sessions, the zero time if it always is.
func endOf(doc room.Document) time.Time {
	if doc.Until.IsZero() || !doc.SessionEnd.IsZero() && doc.SessionEnd.Before(doc.Until) {
		return doc.SessionEnd
	}
	return doc.Until
}

// importanceOf returns an importance from 0 to 1.
func importanceOf(value float64) float64 {
	if math.IsNaN(value) {
		return 0
	}
	return min(max(value, 0), 1)
}

// importance returns an importance as it is stored.
func importance(value float64) uint16 {
	return uint16(math.Round(importanceOf(value) * math.MaxUint16))
}

// seconds returns a time in seconds since 1970, 0 for the zero time and what is before.
func seconds(at time.Time) uint32 {
	if at.IsZero() {
		return 0
	}
	return uint32(min(max(at.Unix(), 0), math.MaxUint32))
}

// byID sorts documents by their ids.
func byID(a, b room.Document) int { return cmp.Compare(a.ID, b.ID) }

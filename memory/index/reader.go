package index

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/recall/vectors"
)

const (
	// maxChunks is how many bytes of chunks a process keeps.
	maxChunks = 4 << 20
	// maxBlocks is how many blocks of records a process keeps, without their sketches: 11 bytes for each document, 8
	// more in those of which not all neighbours stand beside each other, and 12 more in those with columns.
	maxBlocks = 160
	// maxSketched is how many blocks of sketches it keeps, which is more than a search looks through.
	maxSketched = 40
)

// A cache is what a process keeps of the index between queries.
type cache struct {
	epoch, version int64
	segments       []segment
	// chunks holds chunks by their numbers. Those that were not used since there
	// were too many are in older.
	chunks, older map[int64]*chunk
	bytes         int // of chunks
	// docs and tf are the memory of the lists of a query, sums that of its ranking.
	docs     []recall.Doc
	tf       []uint8
	looked   looked
	sums     recall.Sums
	lists    map[string]recall.List // of a query, which were read
	threads  *recall.Threads
	blocks   map[int]*block
	sketches map[int][]vectors.Sketch // by block
	signs    *signCache               // nil if no vectors were asked for
	// documents are those of the version, and written the languages of all, nil until a query needs them.
	documents keptDocuments
	written   *recall.Written
}

// A block holds the records of recall.BlockSize documents.
type block struct {
	rows  *recall.Rows
	pools []pool
	// ends is the first Until of a document, 0 if none has one.
	ends uint32
	// columns is nil until a query needs it.
	columns []column
}

func newCache(epoch int64) *cache {
	return &cache{
		epoch: epoch, version: -1, chunks: map[int64]*chunk{}, looked: looked{read: map[int64]*chunk{}},
		lists: map[string]recall.List{}, threads: &recall.Threads{}, blocks: map[int]*block{},
		sketches: map[int][]vectors.Sketch{}, documents: keptDocuments{},
	}
}

// A reader is the index in one state, for one query.
type reader struct {
	*cache
	ctx   context.Context
	db    room.Querier
	state state
	// along is true if the query will also look through the sketches of the blocks that it reads.
	along bool
}

// newReader brings what is kept up to date. It returns the kept cache, or a new one.
func newReader(ctx context.Context, db room.Querier, kept *cache) (*reader, error) {
	state, err := readState(ctx, db)
	if err != nil {
		return nil, err
	}
	if kept == nil || kept.epoch != state.epoch || kept.version > state.version {
		kept = newCache(state.epoch)
	}
	if kept.docs, kept.tf = kept.docs[:0], kept.tf[:0]; cap(kept.docs) > maxPostings {
		kept.docs, kept.tf = nil, nil
	}
	clear(kept.lists)
	r := &reader{cache: kept, ctx: ctx, db: db, state: state}
	if kept.version == state.version {
		return r, nil
	}
	if err := r.refresh(); err != nil {
		return nil, err
	}
	clear(kept.documents)
	kept.written = nil
	kept.version = state.version
	return r, nil
}

func (r *reader) refresh() error {
	segments, err := readSegments(r.ctx, r.db)
	if err != nil {
		return err
	}
	at := map[int64]int{}
	var unread []int64
	kept := r.segments
	for i := range segments {
		if place := slices.IndexFunc(kept, func(s segment) bool { return s.id == segments[i].id }); place >= 0 {
			segments[i].fences = kept[place].fences
			continue
		}
		at[segments[i].id], unread = i, append(unread, segments[i].id)
	}
	if len(unread) > 0 {
		err := eachBlob(r.ctx, r.db, func(id int64, blob []byte) (err error) {
			segments[at[id]].fences, err = readFences(blob)
			return err
		}, "SELECT id, fences FROM index_segment WHERE id IN "+anyOf, list(unread))
		if err != nil {
			return err
		}
	}
	r.segments = segments
	if len(r.blocks) == 0 && len(r.sketches) == 0 {
		return nil
	}
	return eachBlob(r.ctx, r.db, func(page int64, blob []byte) error {
		number, place := int(page)/pages, int(page)%pages
		if kept, there := r.sketches[number]; there {
			kept, err := readSketches(kept, place, blob)
			if err != nil {
				return err
			}
			r.sketches[number] = kept
		}
		if kept := r.blocks[number]; kept != nil {
			return kept.read(place, blob)
		}
		return nil
	}, "SELECT page, records FROM index_record WHERE stamp > ?", r.version)
}

// read takes a page of the block over.
func (b *block) read(place int, blob []byte) error {
	content, err := pageContent(blob)
	if err != nil {
		return err
	}
	from := place * pageDocs
	if missing := from + pageDocs - len(b.pools); missing > 0 {
		b.pools = append(b.pools, make([]pool, missing)...)
		if b.columns != nil {
			b.columns = append(b.columns, make([]column, missing)...)
		}
	}
	for i := range pageDocs {
		is := readColumn(content[i*recordSize:])
		b.rows.Set(from+i, recall.ReadFeature(content[i*recordSize:]))
		b.pools[from+i] = is.Pool
		if is.Until != 0 && (b.ends == 0 || is.Until < b.ends) {
			b.ends = is.Until
		}
		if b.columns != nil {
			b.columns[from+i] = is
		}
	}
	return nil
}

// block returns the records of a block, with columns if they are asked for.
func (r *reader) block(number int, columns bool) (*block, error) {
	if kept := r.blocks[number]; kept != nil && (!columns || kept.columns != nil) {
		return kept, nil
	}
	size := r.sizeOf(number)
	found := &block{rows: recall.NewRows(r.threads, number, size), pools: make([]pool, 0, size)}
	if columns {
		found.columns = make([]column, 0, size)
	}
	read := found.read
	_, kept := r.sketches[number]
	last, _ := r.state.stats.Last.Block()
	along := r.along && !kept && number > last-maxSketched
	var sketches []vectors.Sketch
	if along {
		sketches = make([]vectors.Sketch, 0, size)
		read = func(place int, blob []byte) (err error) {
			if err = found.read(place, blob); err == nil {
				sketches, err = readSketches(sketches, place, blob)
			}
			return err
		}
	}
	if err := r.eachPage(number, read); err != nil {
		return nil, err
	}
	if along {
		makeRoom(r.sketches, maxSketched)
		r.sketches[number] = sketches
	}
	makeRoom(r.blocks, maxBlocks)
	r.blocks[number] = found
	return found, nil
}

// pages is how many pages a block has.
const pages = recall.BlockSize / pageDocs

// sizeOf returns how many records the pages of a block have.
func (r *reader) sizeOf(number int) int {
	last, _ := pageOf(r.state.stats.Last)
	return max(0, min(last+1-number*pages, pages)) * pageDocs
}

// eachPage calls read with the pages of a block and their places in it.
func (r *reader) eachPage(number int, read func(place int, blob []byte) error) error {
	return eachBlob(r.ctx, r.db, func(page int64, blob []byte) error { return read(int(page)-number*pages, blob) },
		"SELECT page, records FROM index_record WHERE page >= ? AND page < ?", number*pages, (number+1)*pages)
}

// makeRoom deletes any of the blocks if there are as many as there may be.
func makeRoom[B any](blocks map[int]B, most int) {
	for other := range blocks {
		if len(blocks) < most {
			return
		}
		delete(blocks, other)
	}
}

// Stats implements recall.Index.
func (r *reader) Stats() (recall.Stats, error) {
	stats := r.state.stats
	stats.First = first(r.segments)
	return stats, nil
}

// firstBlock returns the number of the first block that has documents.
func (r *reader) firstBlock() int {
	number, _ := first(r.segments).Block()
	return number
}

// Sums implements recall.Keeper.
func (r *reader) Sums() *recall.Sums { return &r.sums }

// Rows implements recall.Index.
func (r *reader) Rows(number int) (*recall.Rows, error) {
	found, err := r.block(number, false)
	if err != nil {
		return nil, err
	}
	return found.rows, nil
}

// Sketches implements recall.Sketcher.
func (r *reader) Sketches(number int) ([]vectors.Sketch, error) {
	if kept, there := r.sketches[number]; there {
		return kept, nil
	}
	found := make([]vectors.Sketch, 0, r.sizeOf(number))
	err := r.eachPage(number, func(place int, blob []byte) (err error) {
		found, err = readSketches(found, place, blob)
		return err
	})
	if err != nil {
		return nil, err
	}
	makeRoom(r.sketches, maxSketched)
	r.sketches[number] = found
	return found, nil
}

// readSketches takes the sketches of a page over.
func readSketches(sketches []vectors.Sketch, place int, blob []byte) ([]vectors.Sketch, error) {
	content, err := pageContent(blob)
	if err != nil {
		return nil, err
	}
	from := place * pageDocs
	if missing := from + pageDocs - len(sketches); missing > 0 {
		sketches = append(sketches, make([]vectors.Sketch, missing)...)
	}
	for i := range pageDocs {
		sketches[from+i] = readSketch(content[i*recordSize:])
	}
	return sketches, nil
}

// SketchesOf implements recall.Sketcher. It reads single pages, so that documents all over a large index do not make
// it read all of it.
func (r *reader) SketchesOf(docs []recall.Doc) ([]vectors.Sketch, error) {
	found := make([]vectors.Sketch, len(docs))
	at := map[int][]int{} // places in docs by page
	for i, doc := range docs {
		number, _ := pageOf(doc)
		at[number] = append(at[number], i)
	}
	if len(at) == 0 {
		return found, nil
	}
	err := eachBlob(r.ctx, r.db, func(page int64, blob []byte) error {
		content, err := pageContent(blob)
		if err != nil {
			return err
		}
		for _, i := range at[int(page)] {
			_, place := pageOf(docs[i])
			found[i] = readSketch(content[place*recordSize:])
		}
		return nil
	}, "SELECT page, records FROM index_record WHERE page IN "+anyOf, list(slices.Sorted(maps.Keys(at))))
	return found, err
}

// keep keeps a chunk.
func (c *cache) keep(id int64, kept *chunk) {
	if c.bytes += len(kept.content); c.bytes > maxChunks/2 {
		c.older, c.chunks, c.bytes = c.chunks, map[int64]*chunk{}, len(kept.content)
	}
	c.chunks[id] = kept
}

// kept returns a chunk, nil if it is not kept.
func (c *cache) kept(id int64) *chunk {
	if kept := c.chunks[id]; kept != nil {
		return kept
	}
	kept := c.older[id]
	if kept != nil {
		c.keep(id, kept)
	}
	return kept
}

// maxNumbers is how many chunks are read by one statement.
const maxNumbers = 500

// read returns chunks by their numbers. They are valid until the next call.
func (r *reader) read(numbers []int64) (map[int64]*chunk, error) {
	chunks := r.looked.read
	clear(chunks)
	var missing []int64
	for _, id := range numbers {
		if kept := r.kept(id); kept != nil {
			chunks[id] = kept
			continue
		}
		if _, asked := chunks[id]; !asked {
			chunks[id], missing = nil, append(missing, id)
		}
	}
	for part := range slices.Chunk(missing, maxNumbers) {
		err := eachBlob(r.ctx, r.db, func(id int64, blob []byte) error {
			content, err := unsealed(slices.Clone(blob))
			if err == nil {
				chunks[id] = &chunk{content: content}
				r.keep(id, chunks[id])
			}
			return err
		}, "SELECT id, terms FROM index_chunk WHERE id IN "+anyOf, list(part))
		if err != nil {
			return nil, err
		}
	}
	for _, id := range missing {
		if chunks[id] == nil {
			return nil, damaged("a chunk is missing")
		}
	}
	return chunks, nil
}

// place returns the place of the chunk that holds a term if the segment has it, -1 if it does
// not.
func (s segment) place(term string) int {
	return sort.Search(len(s.fences), func(i int) bool { return s.fences[i] > term }) - 1
}

// A wanted is a term that is looked up: its place among the terms, and that of its chunk in a segment.
type wanted struct{ term, chunk int }

// looked is the memory in which terms are looked up. It is empty between two look-ups, so that chunks that are not kept
// can be collected.
type looked struct {
	sorted    []int      // places of the terms, in the order of their bytes
	inSegment [][]wanted // by place of the segment
	chunks    []int64
	read      map[int64]*chunk
	found     [][]held // by place of the term
}

// begin makes room for a number of terms and of segments.
func (l *looked) begin(terms, segments int) {
	l.sorted = slices.Grow(l.sorted, terms)[:terms]
	l.inSegment, l.found = longEnough(l.inSegment, segments), longEnough(l.found, terms)
}

func (l *looked) end() {
	l.sorted, l.chunks = l.sorted[:0], l.chunks[:0]
	empty(l.inSegment)
	empty(l.found)
	clear(l.read)
}

// longEnough returns n lists at least.
func longEnough[T any](lists [][]T, n int) [][]T {
	return append(lists, make([][]T, max(0, n-len(lists)))...)
}

// empty makes lists empty.
func empty[T any](lists [][]T) {
	for i, list := range lists {
		clear(list)
		lists[i] = list[:0]
	}
}

// Lists implements recall.Index. A query asks for most of its terms twice.
func (r *reader) Lists(terms []string) ([]recall.List, error) {
	var missing []string
	for _, term := range terms {
		if _, known := r.lists[term]; !known {
			r.lists[term] = recall.List{}
			missing = append(missing, term)
		}
	}
	read, err := r.readLists(missing)
	if err != nil {
		return nil, err
	}
	for i, term := range missing {
		r.lists[term] = read[i]
	}
	lists := make([]recall.List, len(terms))
	for i, term := range terms {
		lists[i] = r.lists[term]
	}
	return lists, nil
}

// readLists returns the lists of terms, each of which is there once.
func (r *reader) readLists(terms []string) ([]recall.List, error) {
	l := &r.looked
	l.begin(len(terms), len(r.segments))
	defer l.end()
	for i := range l.sorted {
		l.sorted[i] = i
	}
	slices.SortFunc(l.sorted, func(a, b int) int { return strings.Compare(terms[a], terms[b]) })
	for i, s := range r.segments {
		for _, term := range l.sorted {
			if place := s.place(terms[term]); place >= 0 {
				l.inSegment[i] = append(l.inSegment[i], wanted{term, place})
				l.chunks = append(l.chunks, s.chunk(place))
			}
		}
	}
	chunks, err := r.read(l.chunks)
	if err != nil {
		return nil, err
	}
	for i := range r.segments {
		if err := addPostings(l.found, &r.segments[i], terms, l.inSegment[i], chunks); err != nil {
			return nil, err
		}
	}
	lists := make([]recall.List, len(terms))
	for i := range lists {
		bytes := 0
		for _, part := range l.found[i] {
			bytes += len(part.postings)
		}
		lists[i] = r.list(bytes) // a posting takes at least a byte
		for _, part := range l.found[i] {
			if err := r.appendPostings(&lists[i], part); err != nil {
				return nil, err
			}
		}
	}
	return lists, nil
}

// maxPostings is for how many postings a process keeps memory.
const maxPostings = 1 << 19

// list returns an empty list with room for some postings. It is valid until the next query.
func (c *cache) list(postings int) recall.List {
	if cap(c.docs)-len(c.docs) < postings {
		size := max(postings, min(2*cap(c.docs), maxPostings), 1<<12)
		c.docs, c.tf = make([]recall.Doc, 0, size), make([]uint8, 0, size)
	}
	from, to := len(c.docs), len(c.docs)+postings
	c.docs, c.tf = c.docs[:to], c.tf[:to]
	return recall.List{Docs: c.docs[from:from:to], TF: c.tf[from:from:to]}
}

// held is the postings of a term that a segment has.
type held struct {
	*segment
	postings []byte
}

// addPostings adds the postings that a segment has of terms, which are sorted: a chunk is gone through once for all
// of its terms.
func addPostings(found [][]held, s *segment, terms []string, sorted []wanted, chunks map[int64]*chunk) error {
	var in seeker
	place := -1
	for _, one := range sorted {
		if one.chunk != place {
			place, in = one.chunk, chunks[s.chunk(one.chunk)].seeker()
		}
		term := terms[one.term]
		more, err := in.seek(term)
		if err != nil {
			return err
		}
		if more && string(in.term) == term {
			found[one.term] = append(found[one.term], held{s, in.postings})
		}
	}
	return nil
}

// appendPostings appends the postings that a segment has of a term.
func (r *reader) appendPostings(list *recall.List, part held) error {
	from := len(list.Docs)
	if err := readPostings(list, part.first-1, part.postings); err != nil {
		return err
	}
	if n := len(list.Docs); n > from && list.Docs[n-1] > part.last {
		return damaged("a segment has a document that is not its own")
	}
	if part.dead == 0 {
		return nil
	}
	return r.dropDead(list, from)
}

// dropDead takes deleted documents out of a list, from a place on.
func (r *reader) dropDead(list *recall.List, from int) error {
	kept := from
	for i := from; i < len(list.Docs); i++ {
		number, place := list.Docs[i].Block()
		rows, err := r.Rows(number)
		if err != nil {
			return err
		}
		if rows.Has(place) {
			list.Docs[kept], list.TF[kept] = list.Docs[i], list.TF[i]
			kept++
		}
	}
	list.Docs, list.TF = list.Docs[:kept], list.TF[:kept]
	return nil
}

// Family implements recall.Index.
func (r *reader) Family(prefix string, limit int) ([]string, error) {
	found := map[string]bool{}
	for _, s := range r.segments {
		if err := r.addFamily(found, s, prefix, limit); err != nil {
			return nil, err
		}
	}
	family := slices.Sorted(maps.Keys(found))
	return family[:min(limit, len(family))], nil
}

// Languages implements recall.Index.
func (r *reader) Languages() (recall.Written, error) {
	if r.written == nil {
		found, err := recall.WrittenIn(r)
		if err != nil {
			return found, err
		}
		r.written = &found
	}
	return *r.written, nil
}

// addFamily adds the first terms of a segment that begin with a prefix, at most limit.
func (r *reader) addFamily(found map[string]bool, s segment, prefix string, limit int) error {
	added := 0
	for place := max(s.place(prefix), 0); place < len(s.fences) && added < limit; place++ {
		if fence := s.fences[place]; fence > prefix && !strings.HasPrefix(fence, prefix) {
			return nil
		}
		chunks, err := r.read([]int64{s.chunk(place)})
		if err != nil {
			return err
		}
		in := chunks[s.chunk(place)].seeker()
		more, err := in.seek(prefix)
		for ; added < limit && more && strings.HasPrefix(string(in.term), prefix); more, err = in.next() {
			var list recall.List
			if s.dead > 0 {
				err := errors.Join(readPostings(&list, s.first-1, in.postings), r.dropDead(&list, 0))
				if err != nil {
					return err
				}
				if len(list.Docs) == 0 {
					continue
				}
			}
			found[string(in.term)] = true
			added++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// idsOf returns the ids of documents, "" for those that there are not.
func idsOf(ctx context.Context, db room.Querier, docs []recall.Doc) (ids []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT doc, id FROM index_document WHERE doc IN "+anyOf, list(docs))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	by := make(map[recall.Doc]string, len(docs))
	for rows.Next() {
		var doc recall.Doc
		var id string
		if err := rows.Scan(&doc, &id); err != nil {
			return nil, err
		}
		by[doc] = id
	}
	for _, doc := range docs {
		ids = append(ids, by[doc])
	}
	return ids, rows.Err()
}

// columns returns the columns of a block, or nil if they are not asked for and no document in it ends before a time, in
// seconds since 1970.
func (r *reader) columns(number int, asked bool, at uint32) ([]column, error) {
	found, err := r.block(number, asked)
	if err == nil && found.ends != 0 && found.ends < at {
		found, err = r.block(number, true)
	}
	if err != nil {
		return nil, err
	}
	return found.columns, nil
}

// poolOf returns the pool of a document.
func (r *reader) poolOf(doc recall.Doc) (pool, error) {
	number, place := doc.Block()
	found, err := r.block(number, false)
	if err != nil || place >= len(found.pools) {
		return 0, err
	}
	return found.pools[place], nil
}

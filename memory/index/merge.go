package index

import (
	"context"
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

const (
	// openDocs is how many documents a segment holds at least before a further one is begun.
	openDocs = 64
	// width is how many segments are merged into one, and growth how many times as many documents a level holds as the
	// one before.
	width, growth = 6, 8
	// mergedAtOnce is how many documents are merged in the transaction that adds some, and mergedPerAdded how many for
	// each that it adds, if that is more: the index of a process that adds many and ends is searched by others.
	mergedAtOnce, mergedPerAdded = 4096, 10
)

// level returns the level of a segment: 0 up to openDocs, then one more for each growth.
func (s segment) level() int {
	level := 0
	for limit := openDocs; s.docs >= limit; limit *= growth {
		level++
	}
	return level
}

// toMerge returns segments that follow each other and are to become one, or none: the newest, if
// there are too many of their level or below, or one of which a quarter was deleted. A search reads the fewer segments
// the more is merged: with 100,000 documents that are added one by one there are 5.3 in the mean, and each document is
// written 8 times.
func toMerge(segments []segment) []segment {
	highest := 0
	for _, s := range segments {
		highest = max(highest, s.level())
	}
	for level := 0; level <= highest; level++ {
		from := len(segments)
		for from > 0 && segments[from-1].level() <= level {
			from--
		}
		group := segments[from:]
		if len(group) >= width && isBalanced(group) || level == 0 && len(group) > 1 {
			return group
		}
	}
	for i, s := range segments {
		if s.dead*4 >= s.docs && s.dead > 0 {
			return segments[i : i+1]
		}
	}
	return nil
}

// isUntidy reports whether there is something to merge, or to compact.
func isUntidy(of recall.Stats, segments []segment) bool {
	return len(toMerge(segments)) > 0 || isSparse(of, segments)
}

// isBalanced reports whether the largest of some segments has at most two thirds of their documents. Otherwise a large
// one is written again and again for a few documents that were added.
func isBalanced(segments []segment) bool {
	largest := 0
	for _, s := range segments {
		largest = max(largest, s.docs)
	}
	return 3*largest <= 2*docsOf(segments)
}

func docsOf(segments []segment) (docs int) {
	for _, s := range segments {
		docs += s.docs
	}
	return docs
}

// A merge writes segments that follow each other into one. What was deleted is left out. It may
// take several transactions; the segment is part of the index after the last one only.
type merge struct {
	epoch   int64
	into    segment
	from    []*source
	live    []bool // by document, from the first one
	chunks  chunkWriter
	numbers []int64 // of those that are in the tables
	fences  []string
	ctx     context.Context // of the current step
	tx      room.Tx
}

// A source is a segment that is merged.
type source struct {
	segment
	place  int // of the next chunk
	reader chunkReader
	chunk  []byte
	more   bool
}

func newMerge(ctx context.Context, tx room.Tx, id int64, segments []segment) (*merge, error) {
	m := &merge{into: segment{id: id, first: segments[0].first, last: segments[len(segments)-1].last}}
	live, err := liveDocs(ctx, tx, m.into.first, m.into.last)
	if err != nil {
		return nil, err
	}
	m.live = live
	for _, is := range live {
		if is {
			m.into.docs++
		}
	}
	for len(m.live) > 0 && !m.live[0] {
		m.into.first, m.live = m.into.first+1, m.live[1:]
	}
	m.chunks.done = func(first string, chunk []byte) error {
		if len(m.fences) >= chunksPerSegment {
			return fmt.Errorf("a segment of the index has more than %d chunks", chunksPerSegment)
		}
		err := insertChunk(m.ctx, m.tx, m.into.chunk(len(m.fences)), chunk)
		m.fences = append(m.fences, first)
		return err
	}
	for _, s := range segments {
		if s.chunks == nil {
			m.numbers = append(m.numbers, s.id)
		}
		m.from = append(m.from, &source{segment: s})
	}
	for _, s := range m.from {
		if err := s.next(ctx, tx); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// liveDocs returns which documents of a range are not deleted.
func liveDocs(ctx context.Context, db room.Querier, first, last recall.Doc) ([]bool, error) {
	live := make([]bool, last-first+1)
	from, _ := pageOf(first)
	to, _ := pageOf(last)
	err := eachBlob(ctx, db, func(number int64, blob []byte) error {
		content, err := pageContent(blob)
		if err != nil {
			return err
		}
		for i := range pageDocs {
			doc := recall.Doc(number)*pageDocs + recall.Doc(i)
			if doc >= first && doc <= last {
				live[doc-first] = recall.ReadFeature(content[i*recordSize:]).Thread != 0
			}
		}
		return nil
	}, "SELECT page, records FROM index_record WHERE page BETWEEN ? AND ?", from, to)
	return live, err
}

// next reads the next term of a source.
func (s *source) next(ctx context.Context, db room.Querier) error {
	for {
		more, err := s.reader.next()
		if err != nil || more {
			s.more = more
			return err
		}
		blob, err := s.blob(ctx, db)
		if err != nil {
			return err
		}
		if blob == nil {
			s.more = false
			return nil
		}
		content, err := unsealed(blob)
		if err != nil {
			return err
		}
		s.chunk, s.reader, s.place = blob, chunkReader{left: content}, s.place+1
	}
}

// blob returns the next chunk, nil at the end.
func (s *source) blob(ctx context.Context, db room.Querier) (blob []byte, err error) {
	if s.chunks != nil {
		if s.place < len(s.chunks) {
			blob = s.chunks[s.place]
		}
		return blob, nil
	}
	err = eachBlob(ctx, db, func(_ int64, chunk []byte) error {
		blob = append(s.chunk[:0], chunk...)
		return nil
	}, "SELECT id, terms FROM index_chunk WHERE id = ?", s.segment.chunk(s.place))
	return blob, err
}

// step merges terms until enough returns true, and reports whether all are merged. The segments are still there, but
// for those of which all was deleted: see writer.unmerged.
func (m *merge) step(ctx context.Context, tx room.Tx, enough func() bool) (done bool, err error) {
	m.ctx, m.tx = ctx, tx
	var merged recall.List
	var postings []byte
	for n := 0; ; n++ {
		if n%64 == 63 && enough() {
			return false, nil
		}
		least := ""
		any := false
		for _, s := range m.from {
			if s.more && (!any || string(s.reader.term) < least) {
				least, any = string(s.reader.term), true
			}
		}
		if !any {
			return true, m.chunks.flush()
		}
		merged.Docs, merged.TF = merged.Docs[:0], merged.TF[:0]
		for _, s := range m.from {
			if !s.more || string(s.reader.term) != least {
				continue
			}
			if err := m.take(&merged, s); err != nil {
				return false, err
			}
			if err := s.next(ctx, tx); err != nil {
				return false, err
			}
		}
		if len(merged.Docs) == 0 {
			continue
		}
		postings = appendPostings(postings[:0], m.into.first-1, merged)
		if err := m.chunks.add(least, postings); err != nil {
			return false, err
		}
	}
}

// take appends the postings of the term of a source, without deleted documents.
func (m *merge) take(merged *recall.List, s *source) error {
	from := len(merged.Docs)
	if err := readPostings(merged, s.first-1, s.reader.postings); err != nil {
		return err
	}
	kept := from
	for i := from; i < len(merged.Docs); i++ {
		doc := merged.Docs[i]
		if doc < s.first || doc > s.last {
			return damaged("a segment has a document that is not its own")
		}
		if doc >= m.into.first && m.live[doc-m.into.first] {
			merged.Docs[kept], merged.TF[kept] = doc, merged.TF[i]
			kept++
		}
	}
	merged.Docs, merged.TF = merged.Docs[:kept], merged.TF[:kept]
	return nil
}

// finish puts the segment in the place of those that were merged.
func (m *merge) finish(ctx context.Context, tx room.Tx) error {
	// What was deleted since the merge began is dead in the new segment.
	live, err := liveDocs(ctx, tx, m.into.first, m.into.last)
	if err != nil {
		return err
	}
	for i := range live {
		if m.live[i] && !live[i] {
			m.into.dead++
		}
	}
	_, err = m.replace(ctx, tx)
	return err
}

// replace puts the segment in the place of those that were merged, and returns it, or none if it is empty.
func (m *merge) replace(ctx context.Context, tx room.Tx) ([]segment, error) {
	if err := dropSegments(ctx, tx, m.numbers); err != nil {
		return nil, err
	}
	if m.into.docs == m.into.dead {
		return nil, dropSegments(ctx, tx, []int64{m.into.id})
	}
	m.into.fences = m.fences
	return []segment{m.into}, insertSegment(ctx, tx, m.into)
}

func insertChunk(ctx context.Context, tx room.Tx, id int64, chunk []byte) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO index_chunk(id, terms) VALUES(?, ?)", id, chunk)
	return err
}

func insertSegment(ctx context.Context, tx room.Tx, s segment) error {
	_, err := tx.ExecContext(ctx,
		"INSERT INTO index_segment(id, first, last, docs, dead, fences) VALUES(?, ?, ?, ?, ?, ?)",
		s.id, s.first, s.last, s.docs, s.dead, appendFences(s.fences))
	return err
}

func dropSegments(ctx context.Context, tx room.Tx, numbers []int64) error {
	for _, id := range numbers {
		_, err := tx.ExecContext(ctx, "DELETE FROM index_chunk WHERE id >= ? AND id < ?",
			segment{id: id}.chunk(0), segment{id: id + 1}.chunk(0))
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM index_segment WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}

// dropLeft deletes the chunks of merges that were not finished.
func dropLeft(ctx context.Context, tx room.Tx) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM index_chunk WHERE id / ? NOT IN (SELECT id FROM index_segment)`,
		chunksPerSegment)
	return err
}

// mergeAll merges segments in one transaction, and returns the new one, or none if it is empty.
func mergeAll(ctx context.Context, tx room.Tx, id int64, segments []segment) ([]segment, error) {
	m, err := newMerge(ctx, tx, id, segments)
	if err != nil {
		return nil, err
	}
	if _, err := m.step(ctx, tx, func() bool { return false }); err != nil {
		return nil, err
	}
	return m.replace(ctx, tx)
}

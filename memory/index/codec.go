package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"sort"

	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/recall/vectors"
)

// errDamaged means that the tables do not hold an index. It is made anew then.
var errDamaged = errors.New("the index is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errDamaged, fmt.Sprintf(format, args...))
}

// sumSize is the size of the checksum before the content of a blob, in bytes.
const sumSize = 4

// sealed sets the checksum of a blob whose first bytes are left free for it.
func sealed(blob []byte) []byte {
	binary.LittleEndian.PutUint32(blob, crc32.ChecksumIEEE(blob[sumSize:]))
	return blob
}

// unsealed returns the content of a blob after its checksum.
func unsealed(blob []byte) ([]byte, error) {
	if len(blob) < sumSize || binary.LittleEndian.Uint32(blob) != crc32.ChecksumIEEE(blob[sumSize:]) {
		return nil, damaged("a checksum differs")
	}
	return blob[sumSize:], nil
}

// appendPostings appends the postings of a term: for each document its distance from the one
// before, or from the base, and its frequency if that is not 1.
func appendPostings(to []byte, base recall.Doc, list recall.List) []byte {
	for i, doc := range list.Docs {
		distance := uint64(doc-base) << 1
		base = doc
		if list.TF[i] == 1 {
			to = binary.AppendUvarint(to, distance)
			continue
		}
		to = append(binary.AppendUvarint(to, distance|1), list.TF[i])
	}
	return to
}

// readPostings appends postings to a list. base is that of appendPostings.
func readPostings(list *recall.List, base recall.Doc, from []byte) error {
	docs, tfs := list.Docs, list.TF // the collector of garbage is told of each change of what list points to
	for len(from) > 0 {
		distance, n := uint64(from[0]), 1
		if distance >= 1<<7 { // most have one byte
			if distance, n = binary.Uvarint(from); n <= 0 {
				return damaged("postings end within a number")
			}
		}
		from = from[n:]
		tf := uint8(1)
		if distance&1 != 0 {
			if len(from) == 0 {
				return damaged("postings end within a frequency")
			}
			tf, from = from[0], from[1:]
		}
		base += recall.Doc(distance >> 1)
		docs, tfs = append(docs, base), append(tfs, tf)
	}
	list.Docs, list.TF = docs, tfs
	return nil
}

// chunkSize is the size, in bytes, that a chunk has at least if it is not the last of its
// segment. With the headers of SQLite it fits into a page unless its last term is frequent.
const chunkSize = 3600

// A chunkWriter writes terms with their postings, in the order of their bytes, into chunks. A
// chunk holds whole terms: how many bytes a term shares with the one before, how many follow,
// these, how many bytes its postings take, and these.
type chunkWriter struct {
	// done is called with each chunk and its first term.
	done  func(first string, chunk []byte) error
	chunk []byte
	room  int // of the next chunk, in bytes
	first string
	last  string
}

func (w *chunkWriter) add(term string, postings []byte) error {
	if len(w.chunk) == 0 {
		w.chunk, w.first, w.last = make([]byte, sumSize, max(sumSize, w.room)), term, ""
	}
	shared := 0
	for shared < min(len(term), len(w.last)) && term[shared] == w.last[shared] {
		shared++
	}
	w.last = term
	w.chunk = binary.AppendUvarint(w.chunk, uint64(shared))
	w.chunk = binary.AppendUvarint(w.chunk, uint64(len(term)-shared))
	w.chunk = append(w.chunk, term[shared:]...)
	w.chunk = binary.AppendUvarint(w.chunk, uint64(len(postings)))
	w.chunk = append(w.chunk, postings...)
	if len(w.chunk) >= chunkSize {
		return w.flush()
	}
	return nil
}

// flush ends the chunk, if one was begun.
func (w *chunkWriter) flush() error {
	if len(w.chunk) == 0 {
		return nil
	}
	chunk := w.chunk
	w.chunk, w.room = nil, len(chunk)+len(chunk)/8 // most chunks of a segment have one size
	return w.done(w.first, sealed(chunk))
}

// A chunkReader reads the terms of the content of a chunk, in their order.
type chunkReader struct {
	left     []byte
	found    bool // a term was read
	term     []byte
	postings []byte
}

// next reads the next term and its postings. It returns false at the end.
func (r *chunkReader) next() (bool, error) {
	if r.found = len(r.left) > 0; !r.found {
		return false, nil
	}
	next, err := entryAt(r.left, 0)
	if err != nil {
		return false, err
	}
	if next.shared > len(r.term) {
		return false, damaged("a term shares more than there is")
	}
	r.take(next, r.term[:next.shared])
	return true, nil
}

// take makes an entry of what is left the term that was read.
func (r *chunkReader) take(next entry, shared []byte) {
	r.term, r.found = append(shared, r.left[next.further:next.furtherEnd]...), true
	r.postings, r.left = r.left[next.postings:next.end], r.left[next.end:]
}

// pass reads up to the first term that is not before the one that is sought; the one that was read last is. It returns
// false if there is none. A term that shares more with the one before it than that one shares with what is sought is
// before it as well, so most are passed without being put together.
func (r *chunkReader) pass(term string) (bool, error) {
	same := sharedPrefix(r.term, term)
	for at := 0; at < len(r.left); {
		next, err := entryAt(r.left, at)
		if err != nil {
			return false, err
		}
		if at = next.end; next.shared > same {
			continue
		}
		further, sought := r.left[next.further:next.furtherEnd], term[next.shared:]
		more := sharedPrefix(further, sought)
		if next.shared < same || more == len(sought) || more < len(further) && further[more] > sought[more] {
			r.take(next, append(r.term[:0], term[:next.shared]...))
			return true, nil
		}
		same = next.shared + more
	}
	r.left, r.found = nil, false
	return false, nil
}

// sharedPrefix returns how many bytes two strings share at their beginning.
func sharedPrefix(a []byte, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// An entry is where a term and its postings stand in a chunk.
type entry struct {
	shared              int // how many bytes it shares with the term before
	further, furtherEnd int // the places of the others
	postings, end       int
}

func entryAt(chunk []byte, at int) (entry, error) {
	shared, at := numberAt(chunk, at)
	length, further := numberAt(chunk, at)
	size, postings := numberAt(chunk, further+length)
	if postings < 0 || size > len(chunk)-postings {
		return entry{}, damaged("a chunk ends within a term")
	}
	return entry{shared, further, further + length, postings, postings + size}, nil
}

// numberAt returns the number at a place of a chunk and the place after it, which is negative if there is none.
func numberAt(chunk []byte, at int) (value, after int) {
	if at < 0 || at >= len(chunk) {
		return 0, -1
	}
	if chunk[at] < 1<<7 { // most have one byte
		return int(chunk[at]), at + 1
	}
	long, n := binary.Uvarint(chunk[at:])
	if n <= 0 || long > 1<<31 {
		return 0, -1
	}
	return int(long), at + n
}

// A chunk is the content of a chunk of the tables, with the places of some of its terms.
type chunk struct {
	content   []byte
	terms     []byte     // of the landmarks, one after the other
	landmarks []landmark // ascending, as far as the chunk was read
}

// A landmark is where a term of a chunk ends in terms, and the place after it in the content.
type landmark struct{ end, after uint32 }

// landmarkBytes is how many bytes are between two landmarks at least.
const landmarkBytes = 256

// known returns the term of a landmark.
func (c *chunk) known(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = c.landmarks[i-1].end
	}
	return c.terms[from:c.landmarks[i].end]
}

// A seeker finds terms in a chunk, whose landmarks say where to begin.
type seeker struct {
	chunkReader
	chunk *chunk
}

func (c *chunk) seeker() seeker { return seeker{chunkReader: chunkReader{left: c.content}, chunk: c} }

// seek reads up to the first term that is not before the one that is sought, which must not be before the one of
// the last call. It returns false if there is none.
func (s *seeker) seek(term string) (bool, error) {
	if s.found && string(s.term) >= term {
		return true, nil
	}
	c := s.chunk
	before := sort.Search(len(c.landmarks), func(i int) bool { return string(c.known(i)) >= term })
	if before > 0 && int(c.landmarks[before-1].after) > len(c.content)-len(s.left) {
		s.left, s.term = c.content[c.landmarks[before-1].after:], append(s.term[:0], c.known(before-1)...)
	}
	if before < len(c.landmarks) {
		return s.pass(term)
	}
	for {
		if more, err := s.next(); !more || err != nil || string(s.term) >= term {
			return more, err
		}
	}
}

// next reads the next term, which becomes a landmark if the one before is far.
func (s *seeker) next() (more bool, err error) {
	more, err = s.chunkReader.next()
	c, at, last := s.chunk, len(s.chunk.content)-len(s.left), 0
	if len(c.landmarks) > 0 {
		last = int(c.landmarks[len(c.landmarks)-1].after)
	}
	if more && at >= last+landmarkBytes {
		c.terms = append(c.terms, s.term...)
		c.landmarks = append(c.landmarks, landmark{uint32(len(c.terms)), uint32(at)})
	}
	return more, err
}

// appendFences returns the blob of the first terms of the chunks of a segment.
func appendFences(fences []string) []byte {
	blob := make([]byte, sumSize)
	for _, fence := range fences {
		blob = append(binary.AppendUvarint(blob, uint64(len(fence))), fence...)
	}
	return sealed(blob)
}

func readFences(blob []byte) ([]string, error) {
	content, err := unsealed(blob)
	if err != nil {
		return nil, err
	}
	var fences []string
	for at := 0; at < len(content); {
		length, from := numberAt(content, at)
		if from < 0 || length > len(content)-from {
			return nil, damaged("the fences of a segment end within a term")
		}
		at = from + length
		fences = append(fences, string(content[from:at]))
	}
	return fences, nil
}

// A record is what the index keeps of a document beside its terms. That of a deleted document,
// and of none, is zero.
type record struct {
	recall.Feature
	column
	sketch vectors.Sketch
}

// A column is what filters and ratings need of a document.
type column struct {
	At         uint32 // seconds since 1970-01-01, 0 if it is not known
	Until      uint32 // as At, 0 if it is always recalled
	Importance uint16 // of 65,535
	Pool       pool
}

// A pool is the place of a store in bounded, 0 if the document is of another store or the record was written before
// there were pools. It is the last byte of the feature of a record.
type pool uint8

// bounded are the stores of which a query has a bounded number of candidates.
var bounded = [...]string{1: gating.Episodic, 2: gating.Semantic}

func poolOf(store string) pool { return pool(max(slices.Index(bounded[:], store), 0)) }

// store returns the store of the documents of a pool, "" if they may be of several.
func (p pool) store() string {
	if int(p) < len(bounded) {
		return bounded[p]
	}
	return ""
}

const (
	columnSize = 10
	recordSize = recall.FeatureSize + columnSize + vectors.SketchSize
	// pageDocs is how many documents a page of records holds, so that it fits into a page of
	// SQLite. It divides recall.BlockSize.
	pageDocs = 64
)

// A page holds the records of documents that follow each other.
type page [pageDocs]record

// pageOf returns the number of the page that holds the record of a document, and its place.
func pageOf(doc recall.Doc) (number, place int) { return int(doc / pageDocs), int(doc % pageDocs) }

func (p *page) encode() []byte {
	blob := make([]byte, sumSize, sumSize+pageDocs*recordSize)
	for i := range p {
		blob = recall.AppendFeature(blob, p[i].Feature)
		blob[len(blob)-1] = byte(p[i].Pool)
		blob = binary.LittleEndian.AppendUint32(blob, p[i].At)
		blob = binary.LittleEndian.AppendUint32(blob, p[i].Until)
		blob = binary.LittleEndian.AppendUint16(blob, p[i].Importance)
		for _, signs := range p[i].sketch {
			blob = binary.LittleEndian.AppendUint64(blob, signs)
		}
	}
	return sealed(blob)
}

// pageContent returns the content of the blob of a page, pageDocs times recordSize bytes.
func pageContent(blob []byte) ([]byte, error) {
	content, err := unsealed(blob)
	if err == nil && len(content) != pageDocs*recordSize {
		return nil, damaged("a page of records has %d bytes", len(content))
	}
	return content, err
}

func readColumn(from []byte) column {
	return column{
		At:         binary.LittleEndian.Uint32(from[recall.FeatureSize:]),
		Until:      binary.LittleEndian.Uint32(from[recall.FeatureSize+4:]),
		Importance: binary.LittleEndian.Uint16(from[recall.FeatureSize+8:]),
		Pool:       pool(from[recall.FeatureSize-1]),
	}
}

func readSketch(from []byte) (sketch vectors.Sketch) {
	for i := range sketch {
		sketch[i] = binary.LittleEndian.Uint64(from[recall.FeatureSize+columnSize+8*i:])
	}
	return sketch
}

func decodePage(blob []byte) (*page, error) {
	content, err := pageContent(blob)
	if err != nil {
		return nil, err
	}
	p := new(page)
	for i := range p {
		from := content[i*recordSize:]
		p[i] = record{recall.ReadFeature(from), readColumn(from), readSketch(from)}
	}
	return p, nil
}

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

// A chunkReader reads the terms of the content of a chunk.
type chunkReader struct {
	left     []byte
	term     []byte
	postings []byte
}

// next reads the next term and its postings. It returns false at the end.
func (r *chunkReader) next() (bool, error) {
	if len(r.left) == 0 {
		return false, nil
	}
	shared, err := r.number()
	if err != nil {
		return false, err
	}
	if shared > len(r.term) {
		return false, damaged("a term shares more than there is")
	}
	further, err := r.bytes()
	if err != nil {
		return false, err
	}
	r.term = append(r.term[:shared], further...)
	r.postings, err = r.bytes()
	return err == nil, err
}

func (r *chunkReader) number() (int, error) {
	if len(r.left) > 0 && r.left[0] < 1<<7 { // most have one byte
		value := int(r.left[0])
		r.left = r.left[1:]
		return value, nil
	}
	value, n := binary.Uvarint(r.left)
	if n <= 0 || value > 1<<31 {
		return 0, damaged("a chunk ends within a number")
	}
	r.left = r.left[n:]
	return int(value), nil
}

func (r *chunkReader) bytes() ([]byte, error) {
	length, err := r.number()
	if err != nil {
		return nil, err
	}
	if length > len(r.left) {
		return nil, damaged("a chunk ends within a string")
	}
	found := r.left[:length]
	r.left = r.left[length:]
	return found, nil
}

// A chunk is the content of a chunk of the tables, with the places of some of its terms.
type chunk struct {
	content   []byte
	landmarks []landmark // ascending, as far as the chunk was read
}

// A landmark is a term of a chunk and the place after it.
type landmark struct {
	term  string
	after int
}

// landmarkBytes is how many bytes are between two landmarks at least.
const landmarkBytes = 256

// A seeker finds terms in a chunk, whose landmarks say where to begin.
type seeker struct {
	chunkReader
	chunk *chunk
	found bool // a term was read
}

func (c *chunk) seeker() seeker { return seeker{chunkReader: chunkReader{left: c.content}, chunk: c} }

// seek reads up to the first term that is not before the one that is sought, which must not be before the one of
// the last call. It returns false if there is none.
func (s *seeker) seek(term string) (bool, error) {
	if s.found && string(s.term) >= term {
		return true, nil
	}
	c := s.chunk
	before := sort.Search(len(c.landmarks), func(i int) bool { return c.landmarks[i].term >= term }) - 1
	if before >= 0 && c.landmarks[before].after > len(c.content)-len(s.left) {
		s.left, s.term = c.content[c.landmarks[before].after:], append(s.term[:0], c.landmarks[before].term...)
	}
	for {
		if more, err := s.next(); !more || err != nil || string(s.term) >= term {
			return more, err
		}
	}
}

// next reads the next term, which becomes a landmark if the one before is far.
func (s *seeker) next() (more bool, err error) {
	s.found, err = s.chunkReader.next()
	c, at, last := s.chunk, len(s.chunk.content)-len(s.left), 0
	if len(c.landmarks) > 0 {
		last = c.landmarks[len(c.landmarks)-1].after
	}
	if s.found && at >= last+landmarkBytes {
		c.landmarks = append(c.landmarks, landmark{string(s.term), at})
	}
	return s.found, err
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
	r := chunkReader{left: content}
	var fences []string
	for len(r.left) > 0 {
		fence, err := r.bytes()
		if err != nil {
			return nil, err
		}
		fences = append(fences, string(fence))
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

package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// The vectors of documents, which an endpoint for embeddings gave (systems.md E15). They are kept for
// two models, each in a slot: processes with different settings do not take each other's vectors
// away. A vector belongs to the number of a document, so it is gone with the text: a document whose
// text changes gets another number and does not take it along. All documents up to and with done have
// a vector, or will never have one. The id of a vector is the number of its document times slots plus
// its slot, that of a page of signs the number of the page likewise.
var vectorTables = []string{
	`CREATE TABLE index_model (
		slot INTEGER PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER NOT NULL, done INTEGER NOT NULL,
		epoch INTEGER NOT NULL, used INTEGER NOT NULL, claimant INTEGER NOT NULL, claimed INTEGER NOT NULL)`,
	`CREATE TABLE index_vector (id INTEGER PRIMARY KEY, numbers BLOB NOT NULL)`,
	`CREATE TABLE index_signs (id INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, signs BLOB NOT NULL)`,
	`CREATE INDEX index_signs_stamp ON index_signs(stamp)`,
}

// slots is how many models have vectors.
const slots = 2

// A model is a row of index_model.
type model struct {
	slot int
	// name is the identity of the model, see endpoint.Identity. It is empty while the vectors of a
	// model that is no longer used are deleted.
	name string
	// dimension is the length of its vectors, 0 until one is known.
	dimension int
	done      recall.Doc
	// epoch is a random number. The vectors of a slot that was used anew have another one.
	epoch int64
	// used is when a process last filled in vectors or looked whether all are there, in milliseconds
	// since 1970, to about a day.
	used int64
	// claimant is the process that fills in vectors, 0 if none does, and claimed when it last said so.
	claimant, claimed int64
}

// vectorID returns the id of the model's vector of a document.
func (m model) vectorID(doc recall.Doc) int64 { return int64(doc)*slots + int64(m.slot) }

func readModels(ctx context.Context, db room.Querier) (found []model, err error) {
	rows, err := db.QueryContext(ctx,
		"SELECT slot, name, dimension, done, epoch, used, claimant, claimed FROM index_model ORDER BY slot")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var m model
		err := rows.Scan(&m.slot, &m.name, &m.dimension, &m.done, &m.epoch, &m.used, &m.claimant, &m.claimed)
		if err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	return found, rows.Err()
}

// readModel returns the model with a name. ok is false if there is none.
func readModel(ctx context.Context, db room.Querier, name string) (found model, ok bool, err error) {
	models, err := readModels(ctx, db)
	for _, m := range models {
		if m.name == name {
			return m, true, err
		}
	}
	return found, false, err
}

func (w *writer) writeModel(m model) error {
	_, err := w.tx.ExecContext(w.ctx, "INSERT OR REPLACE INTO index_model VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
		m.slot, m.name, m.dimension, m.done, m.epoch, m.used, m.claimant, m.claimed)
	return err
}

// emptied is how many documents a step of empty goes on.
const emptied = 2000

// empty deletes vectors of a slot whose model is no longer used, a part of them. done says how far
// it is.
func (w *writer) empty(m model) error {
	m.name, m.claimant = "", 0
	from := m.done
	m.done += emptied
	fromPage, _ := pageOf(from)
	toPage, _ := pageOf(m.done)
	if m.done > w.state.stats.Last {
		toPage++
	}
	for _, part := range []struct {
		table    string
		from, to int64
	}{{"index_vector", int64(from), int64(m.done)}, {"index_signs", int64(fromPage), int64(toPage)}} {
		_, err := w.tx.ExecContext(w.ctx, "DELETE FROM "+part.table+" WHERE id >= ? AND id < ? AND id % ? = ?",
			part.from*slots, part.to*slots, slots, m.slot)
		if err != nil {
			return err
		}
	}
	if m.done <= w.state.stats.Last {
		return w.writeModel(m)
	}
	_, err := w.tx.ExecContext(w.ctx, "DELETE FROM index_model WHERE slot = ?", m.slot)
	return err
}

// signWords is how many words of 64 signs are kept of a vector in memory: of longer vectors the
// signs of the first numbers, which find the candidates as well.
const signWords = 8

// signs are the signs of the first numbers of a vector. They are zero if there is no vector.
type signs [signWords]uint64

const signSize = 8 * signWords

func signsOf[N int8 | float32](vector []N) (found signs) {
	for i, number := range vector[:min(len(vector), 64*signWords)] {
		if number > 0 {
			found[i/64] |= 1 << (i % 64)
		}
	}
	return found
}

func (s *signs) distance(to *signs) (differ int) {
	for i := range s {
		differ += bits.OnesCount64(s[i] ^ to[i])
	}
	return differ
}

// quantised returns a vector as bytes: each number is a share of the largest one, of 127.
func quantised(vector []float32) []byte {
	largest := 0.0
	for _, number := range vector {
		largest = max(largest, math.Abs(float64(number)))
	}
	if largest == 0 {
		return nil
	}
	bytes := make([]byte, len(vector))
	for i, number := range vector {
		bytes[i] = byte(int8(math.Round(float64(number) / largest * 127)))
	}
	return bytes
}

// cosineOf returns the cosine between a vector and a quantised one of the same length.
func cosineOf(vector []float32, length float64, numbers []byte) float64 {
	var dot float32
	var square int32
	for i, number := range vector {
		other := int8(numbers[i])
		dot += number * float32(other)
		square += int32(other) * int32(other)
	}
	if square == 0 || length == 0 {
		return 0
	}
	return float64(dot) / (length * math.Sqrt(float64(square)))
}

func lengthOf(vector []float32) float64 {
	square := 0.0
	for _, number := range vector {
		square += float64(number) * float64(number)
	}
	return math.Sqrt(square)
}

// putVectors stores quantised vectors of documents for a model. Those of documents that were deleted
// are left out.
func (w *writer) putVectors(m model, vectors map[recall.Doc][]byte) error {
	docs := make([]recall.Doc, 0, len(vectors))
	rows, err := w.tx.QueryContext(w.ctx,
		"SELECT doc FROM index_document WHERE doc IN (SELECT value FROM json_each(?))", room.Values(numbersOf(vectors)))
	if err != nil {
		return err
	}
	for rows.Next() {
		var doc recall.Doc
		if err := rows.Scan(&doc); err != nil {
			return errors.Join(err, rows.Close())
		}
		docs = append(docs, doc)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	changed := map[recall.Doc]signs{}
	for _, doc := range docs {
		numbers := vectors[doc]
		if numbers == nil {
			continue
		}
		_, err := w.tx.ExecContext(w.ctx, "INSERT OR REPLACE INTO index_vector(id, numbers) VALUES(?, ?)",
			m.vectorID(doc), numbers)
		if err != nil {
			return err
		}
		whole := make([]int8, min(len(numbers), 64*signWords))
		for i := range whole {
			whole[i] = int8(numbers[i])
		}
		changed[doc] = signsOf(whole)
	}
	return w.putSigns(m.slot, changed)
}

func numbersOf(vectors map[recall.Doc][]byte) []int64 {
	var numbers []int64
	for doc := range vectors {
		numbers = append(numbers, int64(doc))
	}
	slices.Sort(numbers)
	return numbers
}

// putSigns writes signs into their pages.
func (w *writer) putSigns(slot int, changed map[recall.Doc]signs) error {
	pages := map[int]map[int]signs{}
	for doc, of := range changed {
		number, place := pageOf(doc)
		if pages[number] == nil {
			pages[number] = map[int]signs{}
		}
		pages[number][place] = of
	}
	for number, of := range pages {
		id := int64(number)*slots + int64(slot)
		content := make([]byte, pageDocs*signSize)
		err := eachBlob(w.ctx, w.tx, func(_ int64, blob []byte) error {
			read, err := signContent(blob)
			copy(content, read)
			return err
		}, "SELECT id, signs FROM index_signs WHERE id = ?", id)
		if err != nil {
			return err
		}
		for place, one := range of {
			for i, word := range one {
				binary.LittleEndian.PutUint64(content[place*signSize+8*i:], word)
			}
		}
		_, err = w.tx.ExecContext(w.ctx, `INSERT INTO index_signs(id, stamp, signs) VALUES(?, ?, ?)
			ON CONFLICT DO UPDATE SET stamp = excluded.stamp, signs = excluded.signs`,
			id, w.state.version, sealed(append(make([]byte, sumSize), content...)))
		if err != nil {
			return err
		}
	}
	return nil
}

func signContent(blob []byte) ([]byte, error) {
	content, err := unsealed(blob)
	if err == nil && len(content) != pageDocs*signSize {
		return nil, damaged("a page of signs has %d bytes", len(content))
	}
	return content, err
}

// deleteVectors deletes the vectors of documents.
func (w *writer) deleteVectors(docs []recall.Doc) error {
	models, err := readModels(w.ctx, w.tx)
	if err != nil {
		return err
	}
	for _, m := range models {
		ids := make([]int64, len(docs))
		for i, doc := range docs {
			ids[i] = m.vectorID(doc)
		}
		gone := map[recall.Doc]signs{}
		rows, err := w.tx.QueryContext(w.ctx,
			"DELETE FROM index_vector WHERE id IN (SELECT value FROM json_each(?)) RETURNING id", room.Values(ids))
		if err != nil {
			return err
		}
		for rows.Next() {
			var id int64
			if err := rows.Scan(&id); err != nil {
				return errors.Join(err, rows.Close())
			}
			gone[recall.Doc(id/slots)] = signs{}
		}
		if err := errors.Join(rows.Err(), rows.Close(), w.putSigns(m.slot, gone)); err != nil {
			return err
		}
	}
	return nil
}

const (
	// nearPool is how many documents are compared by their whole vectors, and become candidates.
	nearPool = 200
	// mostSigns is how many blocks of signs a process looks through: the newest 262,144 numbers,
	// 16 MB. Of older documents the vectors count if words find them.
	mostSigns = 32
)

// A signBlock holds the signs of the documents of a block.
type signBlock []signs

// read takes a page over.
func (b *signBlock) read(place int, blob []byte) error {
	content, err := signContent(blob)
	if err != nil {
		return err
	}
	from := place * pageDocs
	if missing := from + pageDocs - len(*b); missing > 0 {
		*b = append(*b, make(signBlock, missing)...)
	}
	for i := range pageDocs {
		for k := range signWords {
			(*b)[from+i][k] = binary.LittleEndian.Uint64(content[i*signSize+8*k:])
		}
	}
	return nil
}

// A signCache is what a process keeps of the signs of a model between queries.
type signCache struct {
	epoch   int64 // of the model
	version int64 // of the index
	blocks  map[int]*signBlock
}

// signBlocks returns the blocks of signs of a model, as they are in the tables.
func (r *reader) signBlocks(m model) (map[int]*signBlock, error) {
	kept := r.signs
	if kept == nil || kept.epoch != m.epoch {
		kept = &signCache{epoch: m.epoch, version: -1, blocks: map[int]*signBlock{}}
	}
	if kept.version == r.state.version {
		return kept.blocks, nil
	}
	first := max(r.firstBlock(), int(r.state.stats.Last)/recall.BlockSize+1-mostSigns)
	for number := range kept.blocks {
		if number < first {
			delete(kept.blocks, number)
		}
	}
	err := eachBlob(r.ctx, r.db, func(id int64, blob []byte) error {
		page := int(id / slots)
		if id%slots != int64(m.slot) || page/pages < first {
			return nil
		}
		block := kept.blocks[page/pages]
		if block == nil {
			block = new(signBlock)
			kept.blocks[page/pages] = block
		}
		return block.read(page%pages, blob)
	}, "SELECT id, signs FROM index_signs WHERE stamp > ? AND id >= ?", kept.version, first*pages*slots)
	if err != nil {
		return nil, err
	}
	kept.version = r.state.version
	r.signs = kept
	return kept.blocks, nil
}

// near returns the documents whose vectors are the nearest, and the cosines of these and of further
// documents, as far as they have a vector.
func (r *reader) near(
	m model, vector []float32, further []recall.Doc, allowed func(recall.Doc) bool,
) ([]recall.Near, error) {
	blocks, err := r.signBlocks(m)
	if err != nil {
		return nil, err
	}
	nearest := nearestSigns(signsOf(vector), blocks, nearPool, allowed)
	found := map[recall.Doc]bool{}
	for _, doc := range nearest {
		found[doc] = true
	}
	for _, doc := range further {
		found[doc] = true
	}
	ids := make([]int64, 0, len(found))
	for doc := range found {
		ids = append(ids, m.vectorID(doc))
	}
	slices.Sort(ids)
	length := lengthOf(vector)
	cosines := make(map[recall.Doc]float64, len(ids))
	err = eachBlob(r.ctx, r.db, func(id int64, numbers []byte) error {
		if len(numbers) != len(vector) {
			return damaged("a vector has %d numbers", len(numbers))
		}
		cosines[recall.Doc(id/slots)] = cosineOf(vector, length, numbers)
		return nil
	}, "SELECT id, numbers FROM index_vector WHERE id IN (SELECT value FROM json_each(?))", room.Values(ids))
	if err != nil {
		return nil, err
	}
	near := make([]recall.Near, 0, len(cosines))
	for doc, cosine := range cosines {
		near = append(near, recall.Near{Doc: doc, Cosine: float32(cosine)})
	}
	slices.SortFunc(near, func(a, b recall.Near) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Doc, b.Doc))
	})
	return near, nil
}

// nearestSigns returns the n allowed documents whose signs differ least. Of those that differ as
// much, the first are taken.
func nearestSigns(wanted signs, blocks map[int]*signBlock, n int, allowed func(recall.Doc) bool) []recall.Doc {
	type far struct {
		doc      recall.Doc
		distance int
	}
	var all []far
	var histogram [64*signWords + 1]int
	limit := 64 * signWords // more than n documents are at most as far
	within := 0
	numbers := make([]int, 0, len(blocks))
	for number := range blocks {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	for _, number := range numbers {
		block := *blocks[number]
		for place := range block {
			if block[place] == (signs{}) {
				continue
			}
			distance := wanted.distance(&block[place])
			doc := recall.Doc(number*recall.BlockSize + place)
			if distance > limit || allowed != nil && !allowed(doc) {
				continue
			}
			all = append(all, far{doc, distance})
			histogram[distance]++
			within++
			for within-histogram[limit] >= n {
				within -= histogram[limit]
				limit--
			}
		}
	}
	slices.SortFunc(all, func(a, b far) int { return cmp.Or(a.distance-b.distance, cmp.Compare(a.doc, b.doc)) })
	docs := make([]recall.Doc, 0, n)
	for _, one := range all[:min(n, len(all))] {
		docs = append(docs, one.doc)
	}
	return docs
}

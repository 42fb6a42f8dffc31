package index

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// database is a SQLite database in memory.
type database struct{ *sql.DB }

func (d database) View(ctx context.Context, read func(room.Querier) error) error {
	return store.View(ctx, d.DB, func(tx *sql.Tx) error { return read(tx) })
}

func newDatabase(t testing.TB) database {
	db, err := sql.Open("sqlite", ":memory:")
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return database{db}
}

func (d database) update(t testing.TB, write func(tx room.Tx) error) {
	t.Helper()
	tx, err := d.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, write(tx))
	require.NoError(t, tx.Commit())
}

// A pair is an index in tables and the reference in memory, of the same documents.
type pair struct {
	testing.TB
	db        database
	reference recall.InMemory
	docs      map[string]room.Document
	numbers   map[string]recall.Doc // in both
	cache     *cache
	ahead     bool    // what is put is analysed before it is known what of it is new
	atOnce    int     // of each writer
	others    [2]Room // which merge in the background
}

func newPair(t testing.TB) *pair {
	p := &pair{
		TB: t, db: newDatabase(t), docs: map[string]room.Document{}, numbers: map[string]recall.Doc{},
		atOnce: mergedAtOnce,
	}
	p.db.update(t, func(tx room.Tx) error { return create(t.Context(), tx, true) })
	return p
}

func (p *pair) write(put []room.Document, removed []string) {
	p.Helper()
	p.db.update(p, func(tx room.Tx) error {
		w, err := newWriter(p.Context(), tx, nil)
		require.NoError(p, err)
		w.atOnce = p.atOnce
		if p.ahead {
			return w.writeAnalysed(put, removed, analyse(put, nil))
		}
		return w.write(put, removed)
	})
	for _, id := range removed {
		p.reference.Delete(p.numbers[id])
		delete(p.docs, id)
		delete(p.numbers, id)
	}
	for _, doc := range put {
		if old, there := p.docs[doc.ID]; there {
			if sumOf(old) == sumOf(doc) {
				continue
			}
			if old.Thread == doc.Thread && doc.Thread != "" {
				p.numbers[doc.ID], p.docs[doc.ID] = p.reference.Replace(p.numbers[doc.ID], entryOf(doc)), doc
				continue
			}
			p.reference.Delete(p.numbers[doc.ID])
		}
		p.numbers[doc.ID] = p.reference.Add(entryOf(doc), doc.Thread)
		p.docs[doc.ID] = doc
	}
}

// merge has one of the others merge for a short time.
func (p *pair) merge(random *rand.Rand) {
	p.Helper()
	p.db.update(p, func(tx room.Tx) error {
		w, err := newWriter(p.Context(), tx, nil)
		require.NoError(p, err)
		if random.IntN(10) == 0 {
			w.state.merged = 0 // as if nobody had gone on for long
		}
		return p.others[random.IntN(len(p.others))].mergeNext(w, func() bool { return random.IntN(2) == 0 })
	})
}

// renumber gives the oldest documents new numbers.
func (p *pair) renumber(n int) {
	p.Helper()
	var ids []string
	var docs []room.Document
	p.db.update(p, func(tx room.Tx) error {
		w, err := newWriter(p.Context(), tx, nil)
		require.NoError(p, err)
		w.atOnce = p.atOnce
		ids, err = w.oldest(n)
		require.NoError(p, err)
		for _, id := range slices.Backward(ids) { // a source returns them in any order
			docs = append(docs, p.docs[id])
		}
		return w.renumber(ids, docs)
	})
	for _, id := range ids {
		p.numbers[id] = p.reference.Replace(p.numbers[id], entryOf(p.docs[id]))
	}
}

// read calls f with the index.
func (p *pair) read(f func(r *reader)) {
	p.Helper()
	require.NoError(p, p.db.View(p.Context(), func(db room.Querier) error {
		r, err := newReader(p.Context(), db, p.cache)
		if err != nil {
			return err
		}
		p.cache = r.cache
		f(r)
		return nil
	}))
}

// same compares all that an index tells.
func (p *pair) same() {
	p.Helper()
	p.read(func(r *reader) {
		p.Helper()
		stats := must(r.Stats())
		for _, doc := range p.numbers {
			assert.LessOrEqual(p, stats.First, doc)
		}
		stats.First = 0 // the reference does not know it
		assert.Equal(p, must(p.reference.Stats()), stats)
		terms := must(p.reference.Family("", 1<<20))
		require.Equal(p, terms, must(r.Family("", 1<<20)))
		want, got := must(p.reference.Lists(terms)), must(r.Lists(terms))
		for i, term := range terms {
			require.Equal(p, want[i], got[i], term)
		}
		for _, prefix := range []string{"a", "wo", "word1", "zzz", markPrefix, "\xff"} {
			want, got := must(p.reference.Family(prefix, 3)), must(r.Family(prefix, 3))
			assert.Equal(p, append([]string{}, want...), append([]string{}, got...), prefix)
		}
		assert.Equal(p, must(p.reference.Languages()), must(r.Languages()))
		assert.Empty(p, must(r.Lists([]string{"never said"}))[0].Docs)
		last := stats.Last
		require.NoError(p, eachBlob(p.Context(), r.db, func(number int64, blob []byte) error {
			for place, record := range must(decodePage(blob)) {
				want := recall.Feature{}
				if doc := recall.Doc(int(number)*pageDocs + place); doc <= last {
					want = p.reference.Feature(doc)
				}
				require.Equal(p, want, record.Feature)
			}
			return nil
		}, "SELECT page, records FROM index_record"))
		for number := range int(last)/recall.BlockSize + 1 {
			sketches := must(p.reference.Sketches(number))
			require.Equal(p, sketches, must(r.Sketches(number))[:len(sketches)])
		}
		weights := WeightsOf(settings.Default().Recall.Weights)
		for _, text := range []string{"word3", "word1 word5 word40", "when was word0 in Berlin, January 5?"} {
			query := recall.Query{Text: text, Day: recall.Day(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)), TopK: 1000}
			require.Equal(p, must(weights.Search(&p.reference, query)), must(weights.Search(r, query)), text)
		}
		var ids []string
		var docs []recall.Doc
		for id, doc := range p.numbers {
			ids, docs = append(ids, id), append(docs, doc)
		}
		assert.Equal(p, must(p.reference.SketchesOf(docs)), must(r.SketchesOf(docs)))
		assert.Equal(p, ids, must(idsOf(r.ctx, r.db, docs)))
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// text returns a string of words of which some are frequent.
func text(random *rand.Rand) string {
	var said []string
	for range 1 + random.IntN(12) {
		said = append(said, fmt.Sprintf("word%d", int(random.ExpFloat64()*40)))
	}
	return strings.Join(said, " ") + []string{".", "?", " in Berlin."}[random.IntN(3)]
}

func document(random *rand.Rand, id int) room.Document {
	doc := room.Document{
		ID: fmt.Sprintf("note:%d", id), Store: "notes", Type: []string{"", "rule", "fact"}[random.IntN(3)],
		Text: text(random), Importance: random.Float64(),
		At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, random.IntN(100)),
	}
	if random.IntN(2) == 0 {
		doc.Thread = fmt.Sprintf("thread %d", random.IntN(5))
		doc.Session = doc.Thread
		doc.Tags = []string{"b", "a", "a"}
	}
	return doc
}

// run applies random operations to both and compares them now and then.
func (p *pair) run(random *rand.Rand, steps, most int) {
	p.Helper()
	for range steps {
		put, removed := map[string]room.Document{}, []string{}
		for range 1 + random.IntN(most) {
			doc := document(random, random.IntN(steps*most))
			put[doc.ID] = doc
		}
		for id, doc := range p.docs {
			if _, is := put[id]; !is && random.IntN(40) == 0 {
				removed = append(removed, id)
			} else if !is && random.IntN(20) == 0 {
				put[id] = doc // again
			}
		}
		slices.Sort(removed)
		var list []room.Document
		for _, doc := range put {
			list = append(list, doc)
		}
		slices.SortFunc(list, byID)
		p.ahead = random.IntN(2) == 0
		p.write(list, removed)
		if random.IntN(2) == 0 {
			p.merge(random)
		}
		if random.IntN(4) == 0 {
			p.renumber(random.IntN(most + 20))
		}
		if random.IntN(4) == 0 {
			p.same()
		}
	}
	p.same()
}

func TestTheTablesTellTheSameAsTheIndexInMemory(t *testing.T) {
	slow.Test(t)
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			p := newPair(t)
			p.atOnce = []int{mergedAtOnce, 8, 100, 150, 300, 20}[seed]
			p.run(random, 60, []int{1, 3, 20, 60, 200, 4}[seed])
		})
	}
}

func FuzzTheTablesTellTheSame(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint8(10))
	f.Add(uint64(2), uint8(40), uint8(1))
	f.Fuzz(func(t *testing.T, seed uint64, steps, most uint8) {
		p := newPair(t)
		p.atOnce = int(seed % mergedAtOnce)
		p.run(rand.New(rand.NewPCG(seed, 2)), int(steps%64)+1, int(most)+1)
	})
}

package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
	"github.com/wm-lsp/wm-lsp/recall"
)

// shelf is a source with documents in memory. The change "shelf.put" holds documents,
// "shelf.removed" ids.
type shelf struct {
	docs map[string]room.Document
	err  error // of Each
}

func (s *shelf) Documents(c change.Change) (put []room.Document, removed []string) {
	var err error
	switch c.Kind {
	case "shelf.put":
		err = c.Decode(&put)
	case "shelf.removed":
		err = c.Decode(&removed)
	}
	if err != nil {
		panic(err)
	}
	return put, removed
}

func (s *shelf) Each(_ context.Context, _ room.Querier, yield func(room.Document) bool) error {
	for _, id := range s.ids() {
		if !yield(s.docs[id]) {
			break
		}
	}
	return s.err
}

func (s *shelf) ids() (ids []string) {
	for id := range s.docs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Ordered returns ids in the order of Each.
func (s *shelf) Ordered(_ context.Context, _ room.Querier, ids []string) ([]string, error) {
	return slices.Sorted(slices.Values(ids)), nil
}

func (s *shelf) Find(_ context.Context, _ room.Querier, ids []string) (found []room.Document, err error) {
	for _, id := range ids {
		if doc, there := s.docs[id]; there {
			found = append(found, doc)
		}
	}
	return found, nil
}

// A process is a room with the store of a folder.
type process struct {
	testing.TB
	room  *Room
	store *sqlite.Store
	shelf *shelf
	now   time.Time
}

func newProcess(t testing.TB, dir string, of *shelf) *process {
	p := &process{TB: t, shelf: of, now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	p.room = New(room.Env{
		Settings: settings.Default, Now: func() time.Time { return p.now }, Log: slog.New(slog.DiscardHandler),
		Sources: func() []room.Source { return []room.Source{of} },
		Coefficients: func() recall.Coefficients {
			set := p.room.env.Settings().Recall
			return recall.Coefficients{
				Similarity: set.Similarity, Recency: set.Recency, Importance: set.Importance,
				Duplication: set.Duplication, Decay: set.Decay,
			}
		},
	})
	opened, err := sqlite.Open(context.Background(), dir, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	p.store = opened
	var made int
	row := opened.QueryRowContext(context.Background(), "SELECT count(*) FROM sqlite_master WHERE name = 'index_state'")
	require.NoError(t, row.Scan(&made))
	if made == 0 {
		p.update(func(tx store.Tx) error { return p.room.Migrate(context.Background(), tx, 0) })
	}
	p.room.Attach(opened)
	return p
}

func (p *process) update(write func(tx store.Tx) error) {
	p.Helper()
	require.NoError(p, p.store.Update(context.Background(), store.Fast, nil, write))
}

func (p *process) index(changes ...change.Change) {
	p.Helper()
	p.update(func(tx store.Tx) error { return p.room.Index(context.Background(), tx, changes) })
}

func (p *process) put(docs ...room.Document) {
	p.Helper()
	for _, doc := range docs {
		p.shelf.docs[doc.ID] = doc
	}
	p.index(change.New("shelf.put", "", docs))
}

func (p *process) remove(ids ...string) {
	p.Helper()
	for _, id := range ids {
		delete(p.shelf.docs, id)
	}
	p.index(change.New("shelf.removed", "", ids))
}

// maintain works in the background until nothing is left.
func (p *process) maintain() (steps int) {
	p.Helper()
	for p.room.Due() {
		steps++
		require.Less(p, steps, 100_000)
		p.update(func(tx store.Tx) error { return p.room.Maintain(context.Background(), tx) })
	}
	return steps
}

func (p *process) search(query Query) Result {
	p.Helper()
	if query.Limit == 0 {
		query.Limit = 10
	}
	result, err := p.room.Search(context.Background(), query)
	require.NoError(p, err)
	return result
}

var _ interface {
	room.Eraser
	room.Maintainer
} = (*Room)(nil)

// note returns a document of the shelf.
func note(id int, text string) room.Document {
	return room.Document{
		ID: fmt.Sprintf("note:%05d", id), Store: "notes", Type: "fact", Text: text, Importance: 0.5,
		At: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC),
	}
}

func notes(from, n int, text string) (docs []room.Document) {
	for id := from; id < from+n; id++ {
		docs = append(docs, note(id, fmt.Sprintf("%s n%dq", text, id)))
	}
	return docs
}

func shelfOf(docs ...room.Document) *shelf {
	s := &shelf{docs: map[string]room.Document{}}
	for _, doc := range docs {
		s.docs[doc.ID] = doc
	}
	return s
}

// ids returns the ids of the hits, sorted.
func (r Result) ids() []string {
	ids := []string{}
	for _, hit := range r.Hits {
		ids = append(ids, hit.ID)
	}
	slices.Sort(ids)
	return ids
}

// raw returns all that the tables hold, as bytes.
func (p *process) raw() string {
	p.Helper()
	var all strings.Builder
	for _, query := range []string{"SELECT terms FROM index_chunk", "SELECT fences FROM index_segment"} {
		require.NoError(p, eachBlob(context.Background(), p.store, func(_ int64, blob []byte) error {
			all.Write(blob)
			return nil
		}, strings.Replace(query, "SELECT ", "SELECT id, ", 1)))
	}
	return all.String()
}

func TestEveryProcessFindsWhatOneHasWritten(t *testing.T) {
	dir, of := t.TempDir(), shelfOf()
	one, other := newProcess(t, dir, of), newProcess(t, dir, of)
	one.put(note(1, "Round once, on the total"), note(2, "Deploy on Thursday"))
	for _, p := range []*process{one, other} {
		found := p.search(Query{Text: "rounding"})
		assert.Equal(t, Lexical, found.Mode)
		assert.Equal(t, []string{"note:00001"}, found.ids())
	}
	other.put(note(1, "Round down"), note(3, "The total is in cents"))
	one.remove("note:00002", "note:99999")
	for _, p := range []*process{one, other, newProcess(t, dir, of)} {
		assert.Equal(t, []string{"note:00003"}, p.search(Query{Text: "total"}).ids())
		assert.Empty(t, p.search(Query{Text: "thursday"}).ids())
		assert.Equal(t, []string{"note:00001"}, p.search(Query{Text: "rounding"}).ids())
	}
}

func TestTheLastChangeOfATransactionCounts(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf(note(1, "third"), note(3, "heron")))
	p.index(
		change.New("shelf.put", "", []room.Document{note(1, "first"), note(2, "gone"), note(3, "away")}),
		change.New("shelf.removed", "", []string{"note:00002", "note:00003"}),
		change.New("shelf.put", "", []room.Document{note(1, "third"), note(3, "heron")}),
	)
	assert.Equal(t, []string{"note:00001"}, p.search(Query{Text: "third"}).ids())
	assert.Equal(t, []string{"note:00003"}, p.search(Query{Text: "heron away gone first"}).ids())
}

func TestATransactionThatFailsLeavesTheIndexAsItWas(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	p.put(notes(0, 70, "heron")...)
	refused := errors.New("refused")
	err := p.store.Update(t.Context(), store.Fast, nil, func(tx store.Tx) error {
		c := change.New("shelf.put", "", append(notes(0, 3, "kestrel"), notes(100, 70, "kestrel")...))
		require.NoError(t, p.room.Index(t.Context(), tx, []change.Change{c}))
		return refused
	})
	require.ErrorIs(t, err, refused)
	assert.Empty(t, p.search(Query{Text: "kestrel"}).ids())
	assert.Len(t, p.search(Query{Text: "heron", Limit: 100}).Hits, 70)
	p.put(notes(100, 70, "kestrel")...)
	assert.Len(t, p.search(Query{Text: "kestrel", Limit: 100}).Hits, 70)
}

func TestAnIndexThatIsMadeAfterTheDocumentsHoldsThemAll(t *testing.T) {
	for name, n := range map[string]int{"few, at once": 150, "many, in the background": 1500} {
		t.Run(name, func(t *testing.T) {
			docs := notes(0, n, "before")
			p := newProcess(t, t.TempDir(), shelfOf(docs...))
			found := p.search(Query{Text: "n7q", Limit: 100})
			assert.Equal(t, Scan, found.Mode)
			assert.Equal(t, []string{"note:00007"}, found.ids())
			p.put(note(7, "changed meanwhile"), note(n, "added meanwhile"))
			p.remove("note:00008")
			if p.room.Due() && n > builtAtOnce {
				p.update(func(tx store.Tx) error { return p.room.Maintain(t.Context(), tx) })
				if progress := p.room.Building(); progress != nil { // it was not enough time
					assert.Equal(t, n, progress.Total)
					assert.Less(t, progress.Done, progress.Total)
				}
			}
			p.maintain()
			assert.Nil(t, p.room.Building())
			for query, want := range map[string][]string{
				"n7q": {}, "n8q": {}, "n9q": {"note:00009"}, "changed": {"note:00007"},
				"added": {fmt.Sprintf("note:%05d", n)}, fmt.Sprintf("n%dq", n-1): {fmt.Sprintf("note:%05d", n-1)},
			} {
				found := p.search(Query{Text: query})
				assert.Equal(t, Lexical, found.Mode)
				assert.Equal(t, want, found.ids(), query)
			}
			assert.False(t, p.room.Due())
		})
	}
}

func TestWhatIsAddedToAThreadWhileTheIndexIsMadeStandsBehindWhatItHad(t *testing.T) {
	docs := threaded(1500)
	p := newProcess(t, t.TempDir(), shelfOf(docs[:1490]...))
	p.put(docs[1490:1495]...)
	p.update(func(tx store.Tx) error { return p.room.Maintain(t.Context(), tx) })
	p.put(docs[1495:]...)
	p.maintain()
	made := newProcess(t, t.TempDir(), shelfOf())
	made.put(docs...)
	for _, words := range []string{"n1498q n1490q", "n1q n2q n3q", "n1494q n1493q"} {
		query := Query{Text: words, Limit: 20}
		want := made.search(query).similarities()
		require.Greater(t, len(want), 3, words)
		assert.InDeltaMapValues(t, want, p.search(query).similarities(), 1e-6, words)
	}
}

func TestTheFirstDocumentsOfAnIndexAreInItHoweverMany(t *testing.T) {
	dir, of := t.TempDir(), shelfOf()
	newProcess(t, dir, of).put(notes(0, 5*builtAtOnce, "first")...)
	found := newProcess(t, dir, of).search(Query{Text: "n777q"})
	assert.Equal(t, Lexical, found.Mode)
	assert.Equal(t, []string{"note:00777"}, found.ids())
}

func TestASourceThatCannotBeReadDelaysTheIndexOnly(t *testing.T) {
	of := shelfOf(notes(0, 10, "heron")...)
	p := newProcess(t, t.TempDir(), of)
	of.err = errors.New("not now")
	p.put(note(11, "a kestrel"))
	of.err = nil
	assert.Equal(t, Scan, p.search(Query{Text: "kestrel"}).Mode)
	p.maintain()
	found := p.search(Query{Text: "kestrel n7q"})
	assert.Equal(t, Lexical, found.Mode)
	assert.Equal(t, []string{"note:00007", "note:00011"}, found.ids())
}

func TestAScanFindsTheSameAsTheIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var docs []room.Document
	for id := range 300 {
		docs = append(docs, document(random, id))
	}
	slices.SortFunc(docs, byID) // the order of a scan, which makes neighbours
	p := newProcess(t, t.TempDir(), shelfOf())
	for some := range slices.Chunk(docs, 20) {
		p.put(some...)
	}
	scanned := newProcess(t, t.TempDir(), shelfOf(docs...))
	for range 40 {
		query := Query{Text: text(random), Limit: 300, Explain: true}
		query.reading = recall.ReadingOf(query.Text)
		switch random.IntN(4) {
		case 0:
			query.Types, query.Tags = []string{"rule", "fact"}, []string{"a"}
		case 1:
			query.Since, query.Until = docs[3].At, docs[5].At
		case 2:
			query.MinImportance = random.Float64()
		}
		scan, err := scanned.room.scan(t.Context(), query)
		require.NoError(t, err)
		found := p.search(query)
		assert.Equal(t, Lexical, found.Mode)
		assert.ElementsMatch(t, scan.ids(), found.ids())
	}
}

func TestWhatIsDamagedIsMadeAnew(t *testing.T) {
	for name, damage := range map[string]string{
		"a table is missing":     "DROP TABLE index_chunk",
		"another is missing":     "DROP TABLE index_state",
		"the state is missing":   "DELETE FROM index_state",
		"chunks are missing":     "DELETE FROM index_chunk",
		"chunks are overwritten": "UPDATE index_chunk SET terms = zeroblob(100)",
		"chunks are cut":         "UPDATE index_chunk SET terms = substr(terms, 1, length(terms) - 1)",
		"records are cut":        "UPDATE index_record SET records = substr(records, 1, 100)",
		"segments overlap": `INSERT INTO index_segment
			SELECT id + 1, first, last, docs, dead, fences FROM index_segment`,
		"fences are overwritten": "UPDATE index_segment SET fences = zeroblob(9)",
		"a column is missing":    "ALTER TABLE index_document RENAME COLUMN sum TO was",
		"it is of an older way":  "UPDATE index_state SET analysis = 1",
		"it has no way":          "ALTER TABLE index_state DROP COLUMN analysis",
	} {
		t.Run(name, func(t *testing.T) {
			for _, first := range []string{"a search", "a write"} {
				dir, of := t.TempDir(), shelfOf()
				newProcess(t, dir, of).put(notes(0, 150, "kept")...)
				p := newProcess(t, dir, of)
				p.update(func(tx store.Tx) error {
					_, err := tx.ExecContext(t.Context(), damage)
					return err
				})
				if first == "a write" {
					p.put(note(3, "written on"), note(200, "added"))
				}
				assert.Equal(t, []string{"note:00007"}, p.search(Query{Text: "n7q"}).ids(), first)
				p.room.due.Store(true)
				p.maintain()
				p.put(note(201, "added lately"))
				found := newProcess(t, dir, of).search(Query{Text: "n7q lately"})
				assert.Equal(t, Lexical, found.Mode, first)
				assert.Equal(t, []string{"note:00007", "note:00201"}, found.ids(), first)
			}
		})
	}
}

func TestTheIndexOfANewerProgramIsUsedAsItIs(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	p.put(notes(0, 150, "kept")...)
	p.update(func(tx store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "UPDATE index_state SET analysis = analysis + 1")
		return err
	})
	epoch := func() (epoch int64) {
		require.NoError(t, p.store.QueryRowContext(t.Context(), "SELECT epoch FROM index_state").Scan(&epoch))
		return epoch
	}
	before := epoch()
	p.put(note(200, "added"))
	p.maintain()
	found := p.search(Query{Text: "n7q added"})
	assert.Equal(t, Lexical, found.Mode)
	assert.ElementsMatch(t, []string{"note:00007", "note:00200"}, found.ids())
	assert.Equal(t, before, epoch())
}

func TestWhatIsErasedIsGoneFromEveryPosting(t *testing.T) {
	for name, n := range map[string]int{"among few": 3, "among many": 5000} {
		t.Run(name, func(t *testing.T) {
			p := newProcess(t, t.TempDir(), shelfOf())
			secret := note(1_000_000, "The launch codename is halcyonium")
			quotes := note(1_000_001, "He said: The launch codename is halcyonium, and laughed")
			p.put(notes(0, n/2, "other")...)
			p.put(secret, quotes)
			p.put(notes(n, n/2, "sparrow")...)
			p.maintain()
			require.Contains(t, p.raw(), "halcyon")
			p.update(func(tx store.Tx) error {
				delete(p.shelf.docs, secret.ID)
				c := change.New("shelf.removed", "", []string{secret.ID})
				if err := p.room.Index(t.Context(), tx, []change.Change{c}); err != nil {
					return err
				}
				return p.room.EraseIndexed(t.Context(), tx, []string{"The launch codename is halcyonium"})
			})
			assert.NotContains(t, p.raw(), "halcyon")
			assert.Equal(t, []string{quotes.ID}, p.search(Query{Text: "laughed"}).ids())
			assert.Empty(t, p.search(Query{Text: "codename halcyonium", Prompt: true}).ids(), "in the index")
			assert.NotEmpty(t, p.search(Query{Text: "sparrow"}).ids())
			p.maintain()
			assert.NotContains(t, p.raw(), "halcyon")
		})
	}
}

func TestWhatItsRoomErasedIsGoneFromEveryPosting(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	p.put(note(1, "The launch codename is halcyonium, and albatross"), note(2, "sparrow"))
	p.shelf.docs[note(1, "").ID] = note(1, "[erased], and albatross")
	p.update(func(tx store.Tx) error {
		return p.room.EraseIndexed(t.Context(), tx, []string{"The launch codename is halcyonium"})
	})
	assert.NotContains(t, p.raw(), "halcyon")
	assert.NotEmpty(t, p.search(Query{Text: "albatross"}).ids())
}

func TestTheDocumentsOfASessionThatIsDeletedAreGoneFromEveryPosting(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	in := func(session string, doc room.Document) room.Document {
		doc.Session = session
		return doc
	}
	gone, stays := in("s1", note(1, "halcyonium")), in("s1", note(2, "sparrow"))
	p.put(gone, stays, in("s2", note(3, "kestrel")))
	delete(p.shelf.docs, gone.ID)
	stays.Session = ""
	p.shelf.docs[stays.ID] = stays
	p.index(change.New(sessions.Deleted, "s1", struct{}{}))
	assert.NotContains(t, p.raw(), "halcyon")
	assert.Equal(t, []string{stays.ID}, p.search(Query{Text: "sparrow"}).ids())
	assert.Empty(t, p.search(Query{Text: "sparrow", Session: "s1"}).ids(), "it is written as it is now")
	assert.NotEmpty(t, p.search(Query{Text: "kestrel"}).ids())

	p.index(change.New(sessions.Swept, "s2", struct{}{}))
	assert.NotEmpty(t, p.search(Query{Text: "kestrel"}).ids(), "its room has it still")
	delete(p.shelf.docs, note(3, "").ID)
	p.index(change.New(sessions.Swept, "s2", struct{}{}))
	assert.Empty(t, p.search(Query{Text: "kestrel"}).ids())
	var left int
	row := p.store.QueryRowContext(t.Context(), "SELECT count(*) FROM index_document")
	require.NoError(t, row.Scan(&left))
	assert.Equal(t, 1, left)
}

func TestAnIDThatEndsWithASlashRemovesWhatBeginsWithIt(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	doc := func(id, text string) room.Document { return room.Document{ID: id, Text: text} }
	p.put(doc("note:a/1", "sparrow"), doc("note:a/2", "kestrel"), doc("note:a", "heron"), doc("note:ab/1", "osprey"))
	p.index(
		change.New("shelf.removed", "", []string{"note:a/"}),
		change.New("shelf.put", "", []room.Document{doc("note:a/2", "kestrel")}),
	)
	left := func() (ids []string) {
		rows, err := p.store.QueryContext(t.Context(), "SELECT id FROM index_document ORDER BY id")
		require.NoError(t, err)
		defer rows.Close()
		for rows.Next() {
			var id string
			require.NoError(t, rows.Scan(&id))
			ids = append(ids, id)
		}
		return ids
	}
	assert.Equal(t, []string{"note:a", "note:a/2", "note:ab/1"}, left())

	p.index(
		change.New("shelf.put", "", []room.Document{doc("note:a/3", "sparrow")}),
		change.New("shelf.removed", "", []string{"note:a/2"}),
		change.New("shelf.removed", "", []string{"note:a/", "note:a/2"}),
	)
	assert.Equal(t, []string{"note:a", "note:ab/1"}, left(), "it counts after what was put before, and once")
}

func TestDocumentsBesideTheIndexAreFoundAsTheyAreNow(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	p.put(note(1, "sparrow in the index"))
	also := []room.Document{note(2, "sparrow beside it"), note(3, "timetable")}
	found := func() []string { return p.search(Query{Text: "sparrow", Also: also}).ids() }
	for range 2 { // the second time they are analysed already
		assert.Equal(t, []string{"note:00001", "note:00002"}, found())
	}
	analysed := p.room.aside.Load()
	found()
	assert.Same(t, analysed, p.room.aside.Load())

	also[1].Text = "a sparrow, too" // in the same memory
	assert.Equal(t, []string{"note:00001", "note:00002", "note:00003"}, found())
	also[0].Tags, also[0].Text = []string{"money"}, "invoice"
	assert.Equal(t, []string{"note:00001", "note:00003"}, found())
	assert.Equal(t, []string{"note:00002"}, p.search(Query{Text: "invoice", Tags: []string{"money"}, Also: also}).ids())
	also = also[:1]
	assert.Equal(t, []string{"note:00001"}, found())
	also = nil
	assert.Equal(t, []string{"note:00001"}, found())
}

func TestE8_WhatIsBesideTheIndexIsNotFoundByADayIfWordsWereFoundInIt(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	day := func(id int, text string) room.Document {
		doc := note(id, text)
		doc.At = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
		return doc
	}
	p.put(day(1, "The sparrow sings."))
	also := []room.Document{day(2, "The lamp glows.")}
	for query, want := range map[string][]string{
		"sparrow 2026-11-03": {"note:00001"},
		"lamp 2026-11-03":    {"note:00001", "note:00002"}, // no word is in the index, so its day counts there
		"2026-11-03":         {"note:00001", "note:00002"},
	} {
		assert.ElementsMatch(t, want, p.search(Query{Text: query, Also: also}).ids(), query)
	}
}

func TestWhatIsWeaklyFoundBesideTheIndexIsNoHit(t *testing.T) {
	also := []room.Document{note(2, "Which date library do we use in the web client?")}
	for _, mode := range []string{Scan, Lexical} {
		t.Run(mode, func(t *testing.T) {
			p := newProcess(t, t.TempDir(), shelfOf())
			if mode == Lexical {
				p.put(note(1, "sparrow"))
			}
			for query, want := range map[string][]string{
				"what port does the dev server use?": {},
				"the library of the client":          {"note:00002"},
			} {
				result := p.search(Query{Text: query, Also: also})
				assert.Equal(t, want, result.ids(), query)
				assert.Equal(t, mode, result.Mode)
			}
		})
	}
}

func TestWhatIsFoundLiterallyHasItsReasons(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	p.put(note(1, "The users have to do it once more"))
	hits := p.search(Query{Text: "once mor", Explain: true}).Hits
	require.Len(t, hits, 1)
	assert.Equal(t, []recall.Part{
		{Reason: recall.InText, Word: "once", Score: 0.5}, {Reason: recall.InText, Word: "mor", Score: 0.5},
	}, hits[0].Reasons)
	assert.Empty(t, p.search(Query{Text: "once mor"}).Hits[0].Reasons)
}

func TestAWordIsLookedForInTheLanguagesOfWhatIsBesideTheIndex(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	p.put(note(1, "sparrow"))
	english, german := note(2, "The children pay cash."), note(3, "Die Kinder zahlen bar, und das ist gut.")
	further := note(4, "cash")
	further.Words = []string{"die", "Kinder", "und"}
	for name, test := range map[string]struct {
		also []room.Document
		want []string
	}{
		"none is in the language of the word": {[]room.Document{english}, []string{}},
		"one is":                              {[]room.Document{german}, []string{"note:00003"}},
		"one of several is":                   {[]room.Document{english, german}, []string{"note:00003"}},
		"one is by its further words":         {[]room.Document{further}, []string{"note:00004"}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, p.search(Query{Text: "Kindern", Also: test.also}).ids())
		})
	}
}

func TestSearchesAtOnceFindTheSameBesideTheIndex(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf(note(1, "sparrow")))
	p.maintain()
	var running sync.WaitGroup
	for i := range 4 {
		running.Go(func() {
			for k := range 20 {
				doc := note(2+(i+k)%3, "sparrow beside it")
				result, err := p.room.Search(context.Background(),
					Query{Text: "sparrow", Limit: 10, Also: []room.Document{doc}})
				assert.NoError(t, err)
				assert.Equal(t, []string{"note:00001", doc.ID}, result.ids())
			}
		})
	}
	running.Wait()
}

func TestATextIsNotFoundBeforeItIsValid(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	doc := note(1, "sparrow")
	doc.From = p.now.Add(time.Hour)
	p.put(doc)
	assert.Empty(t, p.search(Query{Text: "sparrow"}).Hits)
	p.now = doc.From
	assert.NotEmpty(t, p.search(Query{Text: "sparrow"}).Hits)
}

// The columns of the index have whole seconds.
func TestTimesCountToTheMillisecond(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	ends, written := note(1, "the ferry is late"), note(2, "the kiosk is shut")
	ends.Until = p.now.Add(500 * time.Millisecond)
	written.At = p.now.Add(-300*time.Millisecond - time.Nanosecond)
	p.put(ends, written)
	at := p.now.Add(-301 * time.Millisecond)
	for name, test := range map[string]struct {
		query Query
		after time.Duration
		want  []string
	}{
		"until it is over":                     {Query{Text: "ferry"}, 499 * time.Millisecond, []string{ends.ID}},
		"it is over":                           {Query{Text: "ferry"}, 500 * time.Millisecond, []string{}},
		"it is over, and only a scan finds it": {Query{Text: "the"}, 500 * time.Millisecond, []string{written.ID}},
		"since it was written":                 {Query{Text: "kiosk", Since: at}, 0, []string{written.ID}},
		"since later":                          {Query{Text: "kiosk", Since: at.Add(time.Millisecond)}, 0, []string{}},
		"until it was written":                 {Query{Text: "kiosk", Until: at}, 0, []string{written.ID}},
		"until earlier":                        {Query{Text: "kiosk", Until: at.Add(-time.Millisecond)}, 0, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			now := p.now
			p.now = now.Add(test.after)
			defer func() { p.now = now }()
			assert.Equal(t, test.want, p.search(test.query).ids())
		})
	}
}

// putMany puts 5,001 notes in so many transactions that the segments are to be merged, in the last of which there is
// only one, so that it leaves that for later.
func (p *process) putMany(text string) {
	p.Helper()
	const each = 5000 / (width - 1)
	for i := range width - 1 {
		p.put(notes(i*each, each, text)...)
	}
	p.put(note(5000, "the last of many"))
	require.True(p, p.room.Due())
}

// beginMerge does the first step of a merge that takes several.
func (p *process) beginMerge() {
	p.Helper()
	p.update(func(tx store.Tx) error {
		w, err := newWriter(p.Context(), tx, nil)
		require.NoError(p, err)
		return p.room.mergeNext(w, func() bool { return true })
	})
	require.NotNil(p, p.room.merging)
}

func TestAnErasureWhileSegmentsAreMergedEndsTheMerge(t *testing.T) {
	dir, of := t.TempDir(), shelfOf()
	p, other := newProcess(t, dir, of), newProcess(t, dir, of)
	p.putMany("halcyonium and much else that takes long")
	p.beginMerge()
	secret := note(5, "nothing")
	other.put(secret)
	other.update(func(tx store.Tx) error { return other.room.EraseIndexed(t.Context(), tx, []string{"n5q"}) })
	p.maintain()
	found := newProcess(t, dir, of).search(Query{Text: "n4999q"})
	assert.Equal(t, Lexical, found.Mode)
	assert.Equal(t, []string{"note:04999"}, found.ids())
	assert.Empty(t, p.search(Query{Text: "n5q"}).ids())
}

func TestADocumentIsInOneSegmentWhateverIsAddedDuringAMerge(t *testing.T) {
	dir, of := t.TempDir(), shelfOf()
	merges, adds := newProcess(t, dir, of), newProcess(t, dir, of)
	merges.putMany("word")
	merges.beginMerge()
	for i := range 20 {
		adds.put(note(5001+i, "added during the merge"))
	}
	merges.maintain()
	segments, err := readSegments(t.Context(), merges.store)
	require.NoError(t, err)
	assert.Equal(t, 5021, docsOf(segments))
	for i := 1; i < len(segments); i++ {
		assert.Greater(t, segments[i].first, segments[i-1].last)
	}
	assert.Equal(t, []string{"note:05000"}, adds.search(Query{Text: "the last of many"}).ids())
	assert.Len(t, adds.search(Query{Text: "added", Limit: 30}).ids(), 20)
}

func TestSeveralProcessesMergeInTurn(t *testing.T) {
	dir, of := t.TempDir(), shelfOf()
	one, other := newProcess(t, dir, of), newProcess(t, dir, of)
	one.putMany("word")
	other.room.due.Store(true)
	step := func(p *process) {
		p.update(func(tx store.Tx) error { return p.room.Maintain(t.Context(), tx) })
	}
	for one.room.Due() {
		step(one)
		step(other)
	}
	segments, err := readSegments(t.Context(), one.store)
	require.NoError(t, err)
	assert.Empty(t, toMerge(segments))
	assert.Equal(t, 5001, docsOf(segments))
	var left int
	row := one.store.QueryRowContext(t.Context(),
		"SELECT count(*) FROM index_chunk WHERE id / ? NOT IN (SELECT id FROM index_segment)", chunksPerSegment)
	require.NoError(t, row.Scan(&left))
	assert.Zero(t, left)
	assert.Equal(t, []string{"note:03333"}, other.search(Query{Text: "n3333q"}).ids())
}

func TestWhatAProcessHasLeftIsMergedByOneThatSearches(t *testing.T) {
	dir, of := t.TempDir(), shelfOf()
	newProcess(t, dir, of).putMany("word")
	searches := newProcess(t, dir, of)
	assert.False(t, searches.room.Due())
	assert.Equal(t, []string{"note:03333"}, searches.search(Query{Text: "n3333q"}).ids())
	assert.True(t, searches.room.Due())
	searches.maintain()
	segments, err := readSegments(t.Context(), searches.store)
	require.NoError(t, err)
	assert.Len(t, segments, 1)
	assert.Equal(t, []string{"note:03333"}, searches.search(Query{Text: "n3333q"}).ids())
	assert.False(t, searches.room.Due())
}

func TestNoProcessWaitsForOneThatMerges(t *testing.T) {
	dir, of := t.TempDir(), shelfOf()
	merges, searches := newProcess(t, dir, of), newProcess(t, dir, of)
	merges.putMany("word")
	merges.beginMerge()
	assert.Equal(t, []string{"note:03333"}, searches.search(Query{Text: "n3333q"}).ids())
	assert.Equal(t, 1, searches.maintain(), "it sees that another one merges")
	merges.update(func(tx store.Tx) error { // that one has ended
		_, err := tx.ExecContext(t.Context(), "UPDATE index_state SET merged = 0")
		return err
	})
	assert.Equal(t, []string{"note:03333"}, searches.search(Query{Text: "n3333q"}).ids())
	searches.maintain()
	segments, err := readSegments(t.Context(), searches.store)
	require.NoError(t, err)
	assert.Len(t, segments, 1)
}

func TestFiltersLeaveOutWhatDoesNotMatch(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	all := make([]room.Document, 6)
	for i := range all {
		all[i] = note(i, fmt.Sprintf("a kestrel flies n%dq", i))
	}
	all[0].Store, all[1].Type, all[2].Tags, all[3].Agent = "workspace", "rule", []string{"bird"}, "coder"
	all[4].Task, all[4].Episode, all[5].Importance = "t1", "e1", 0.9
	all[5].At, all[4].Until = p.now.Add(-time.Hour), p.now.Add(-time.Second)
	p.put(all...)
	for name, c := range map[string]struct {
		query Query
		want  []int
	}{
		"all that is recalled": {Query{}, []int{0, 1, 2, 3, 5}},
		"a store":              {Query{Stores: []string{"workspace", "attic"}}, []int{0}},
		"types":                {Query{Types: []string{"rule"}}, []int{1}},
		"a type and a tag":     {Query{Types: []string{"rule"}, Tags: []string{"bird"}}, nil},
		"a tag":                {Query{Tags: []string{"bird"}}, []int{2}},
		"an agent":             {Query{Agent: "coder"}, []int{3}},
		"a task of the past":   {Query{Task: "t1"}, nil},
		"since":                {Query{Since: p.now.Add(-time.Hour)}, []int{5}},
		"until":                {Query{Until: p.now.Add(-2 * time.Hour)}, []int{0, 1, 2, 3}},
		"important":            {Query{MinImportance: 0.9}, []int{5}},
		"nothing":              {Query{Stores: []string{"attic"}}, nil},
	} {
		c.query.Text = "kestrel"
		want := []string{}
		for _, i := range c.want {
			want = append(want, all[i].ID)
		}
		assert.Equal(t, want, p.search(c.query).ids(), name)
	}
	p.now = p.now.Add(-time.Minute)
	assert.Equal(t, []string{all[4].ID}, p.search(Query{Text: "kestrel", Task: "t1"}).ids(), "before its end")
}

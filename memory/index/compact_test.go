package index

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// churn puts documents and removes them again, so that more numbers are given than an index with some documents keeps.
func (p *process) churn(documents int) {
	p.Helper()
	const batch = 1500
	for from := 0; from < 2*spareNumbers+numbersEach*documents; from += batch {
		docs := notes(20_000, batch, fmt.Sprint("passing ", from))
		p.put(docs...)
		ids := make([]string, len(docs))
		for i, doc := range docs {
			ids[i] = doc.ID
		}
		p.remove(ids...)
		p.maintain()
	}
}

// similarities returns the similarities of the candidates by their ids. Those that are alike are in the order of their
// numbers.
func (r Result) similarities() map[string]float64 {
	found := make(map[string]float64, len(r.Rated))
	for _, rated := range r.Rated {
		found[rated.ID] = rated.Similarity
	}
	return found
}

// threaded returns notes in three threads and in none.
func threaded(n int) []room.Document {
	docs := notes(0, n, "a heron")
	for i := range docs {
		if i%4 != 0 {
			docs[i].Thread = fmt.Sprint("thread ", i%4)
		}
	}
	return docs
}

func (p *process) state() (s state, segments []segment) {
	p.Helper()
	s, err := readState(p.Context(), p.store)
	require.NoError(p, err)
	segments, err = readSegments(p.Context(), p.store)
	require.NoError(p, err)
	return s, segments
}

func TestTheNumbersOfAnIndexStayWithinAMultipleOfItsDocuments(t *testing.T) {
	slow.Test(t)
	const n = 700
	dir, of := t.TempDir(), shelfOf()
	p, other := newProcess(t, dir, of), newProcess(t, dir, of)
	p.put(threaded(n)...)
	query := Query{Text: "heron n10q n11q n600q", Limit: n}
	before := p.search(query).similarities()
	require.Len(t, before, n)
	require.Equal(t, before, other.search(query).similarities())
	for round := range 2 {
		p.churn(n)
		state, segments := p.state()
		assert.Equal(t, n, state.stats.Documents)
		assert.Greater(t, int(state.stats.Last), (round+1)*2*spareNumbers)
		assert.Less(t, int(state.stats.Last-first(segments)), numbersEach*n+spareNumbers+n)
		var pages int
		row := p.store.QueryRowContext(t.Context(), "SELECT count(*) FROM index_record")
		require.NoError(t, row.Scan(&pages))
		assert.Less(t, pages*pageDocs, numbersEach*n+spareNumbers+n+2*recall.BlockSize)
		for _, reads := range []*process{p, other, newProcess(t, dir, of)} {
			assert.Equal(t, before, reads.search(query).similarities(), "whatever a process keeps of the index")
			assert.Empty(t, reads.search(Query{Text: "passing"}).Hits)
		}
	}
	for number := range int(n / 7) {
		p.remove(fmt.Sprintf("note:%05d", 7*number))
	}
	p.put(note(n, "a kestrel"))
	assert.Len(t, p.search(query).Hits, n-n/7)
	assert.Equal(t, []string{fmt.Sprintf("note:%05d", n)}, p.search(Query{Text: "kestrel"}).ids())
}

func TestAnIndexThatIsMadeAnewFindsTheSameWhateverWasDeletedAndEdited(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	p := newProcess(t, t.TempDir(), shelfOf())
	docs := threaded(400)
	for some := range slices.Chunk(docs, 50) {
		p.put(some...)
		for range 20 {
			doc := docs[random.IntN(len(docs))]
			if _, there := p.shelf.docs[doc.ID]; !there {
				continue
			}
			switch random.IntN(6) {
			case 0, 1:
				p.remove(doc.ID)
			case 2:
				p.remove(doc.ID)
				doc.Inserted = true
				p.put(doc)
			case 3, 4:
				doc.Text = text(random)
				p.put(doc)
			default:
				p.renumber(1 + random.IntN(20))
			}
		}
		p.remove("note:00001", "note:00002", some[1].ID, some[2].ID) // which open threads
	}
	made := newProcess(t, t.TempDir(), shelfOf())
	for _, id := range p.shelf.ids() {
		made.shelf.docs[id] = p.shelf.docs[id]
	}
	made.index(change.New("shelf.put", "", []room.Document{made.shelf.docs[made.shelf.ids()[0]]}))
	made.maintain()
	for _, words := range []string{"heron", "heron n10q n12q", "word3 word5", "when was word1 in Berlin?"} {
		query := Query{Text: words, Limit: 400}
		want := p.search(query)
		require.Greater(t, len(want.Hits), 10, words)
		assert.InDeltaMapValues(t, want.similarities(), made.search(query).similarities(), 1e-6, words)
	}
}

func TestADocumentThatItsRoomDoesNotHaveAnyMoreGetsNoNewNumber(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	p.put(threaded(100)...)
	changed := note(3, "a kestrel")
	delete(p.shelf.docs, "note:00002")
	p.shelf.docs["note:00003"] = changed
	p.renumber(50)
	state, segments := p.state()
	assert.Equal(t, 99, state.stats.Documents)
	assert.Equal(t, recall.Doc(149), state.stats.Last)
	assert.Equal(t, 99, docsOf(segments)-dead(segments))
	assert.Empty(t, p.search(Query{Text: "n2q"}).ids())
	assert.Equal(t, []string{"note:00003"}, p.search(Query{Text: "kestrel"}).ids())
}

func dead(segments []segment) (n int) {
	for _, s := range segments {
		n += s.dead
	}
	return n
}

// renumber gives the first documents new numbers.
func (p *process) renumber(n int) {
	p.Helper()
	p.update(func(tx store.Tx) error {
		w, err := newWriter(p.Context(), tx, nil)
		require.NoError(p, err)
		ids, err := w.oldest(n)
		require.NoError(p, err)
		docs, err := p.shelf.Find(p.Context(), tx, ids)
		require.NoError(p, err)
		return w.renumber(ids, docs)
	})
}

func TestE15_ADocumentWithANewNumberKeepsItsVector(t *testing.T) {
	asks := newServer(t)
	o := open(t, deliveries(), asks)
	o.fill()
	sent := len(asks.sent())
	assert.Equal(t, "note:00001", o.find("shipment").Hits[0].ID)
	o.renumber(3)
	o.fill()
	assert.Equal(t, Hybrid, o.find("when is the shipment").Mode)
	assert.Equal(t, "note:00001", o.find("delivery").Hits[0].ID)
	assert.Equal(t, 4, o.vectors())
	assert.Equal(t, 4, o.signs())
	o.put(note(5, "the mail has come"))
	o.fill()
	assert.Equal(t, 5, o.vectors())
	assert.Len(t, asks.sent(), sent+4, "three queries and the new text")
}

func TestE15_ADocumentThatGetsANewNumberWhileVectorsAreFilledInIsNotSentAgain(t *testing.T) {
	asks := newServer(t)
	o := open(t, shelfOf(notes(0, 200, "the parcel")...), asks)
	renumbered := false
	asks.setBroken(func(http.ResponseWriter, *http.Request, []string) bool {
		if !renumbered && o.vectors() > 0 {
			renumbered = true
			o.renumber(20)
		}
		return false
	})
	o.fill()
	require.True(t, renumbered)
	assert.Equal(t, 200, o.vectors())
	assert.Len(t, asks.sent(), 200)
}

func TestADocumentThatGetsANewNumberAfterTheRankingIsFound(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf(notes(0, 100, "a heron")...))
	query := Query{Text: "heron", Limit: p.room.env.Settings().Recall.Candidates, reading: recall.ReadingOf("heron")}
	p.maintain()
	ranked, err := p.room.lookUp(t.Context(), query)
	require.NoError(t, err)
	require.Greater(t, len(ranked.hits), query.Limit, "there are others to take the place of one that is gone")
	p.remove(ranked.ids[0])
	p.renumber(100)
	docs, err := p.room.gather(t.Context(), &ranked, query)
	require.NoError(t, err)
	assert.Len(t, docs, query.Limit)
}

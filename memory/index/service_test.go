package index

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// patience is how long a test waits for anything. It is long, so that no test depends on how busy
// the machine is.
const patience = 5 * time.Minute

// answers returns a handler that answers every request with a status.
func answers(status int) func(http.ResponseWriter, *http.Request, []string) bool {
	return func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
		w.WriteHeader(status)
		return true
	}
}

// A server is an endpoint for embeddings on this machine. The vectors that it answers are of
// meanings: the words of a line of meanings are the same to it.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	texts  []string // that it was sent
	calls  int
	most   int // texts of a call
	long   int // of the vectors
	broken func(w http.ResponseWriter, r *http.Request, texts []string) bool
}

var meanings = []string{"parcel shipment delivery", "invoice bill", "crash panic abort", "socket port"}

func newServer(t testing.TB) *server {
	s := &server{long: 64}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.calls++
	s.most = max(s.most, len(asked.Input))
	s.texts = append(s.texts, asked.Input...)
	broken, long := s.broken, s.long
	s.mu.Unlock()
	if broken != nil && broken(w, r, asked.Input) {
		return
	}
	type one struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	var data []one
	for i, text := range asked.Input {
		data = append(data, one{i, meaningOf(text, long)})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

// meaningOf returns a vector: mostly noise that depends on the text, and a direction for each
// meaning that the text has.
func meaningOf(text string, long int) []float64 {
	noise := rand.New(rand.NewPCG(uint64(len(text)), uint64(strings.Count(text, "e"))))
	vector := make([]float64, long)
	for i := range vector {
		vector[i] = noise.NormFloat64() * 0.2
	}
	for i, words := range meanings {
		direction := rand.New(rand.NewPCG(uint64(i), 1))
		has := slices.ContainsFunc(strings.Fields(words), func(w string) bool { return strings.Contains(text, w) })
		for k := range vector {
			if number := direction.NormFloat64(); has {
				vector[k] += number
			}
		}
	}
	return vector
}

func (s *server) setBroken(broken func(w http.ResponseWriter, r *http.Request, texts []string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = broken
}

func (s *server) sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.texts)
}

// An office is a process with the service that asks a server. Its queue is a lock.
type office struct {
	*process
	room.Host // what the service does not use is nil
	service   *Service
	queue     sync.Mutex
	set       *settings.Settings
	problems  map[string]room.Problem
}

func (o *office) Settings() *settings.Settings { return o.set }
func (o *office) Rooms() []room.Room           { return []room.Room{o.process.room} }
func (o *office) Log() *slog.Logger            { return slog.New(slog.DiscardHandler) }
func (o *office) Do(task func()) bool {
	o.queue.Lock()
	defer o.queue.Unlock()
	task()
	return true
}
func (o *office) SetProblem(about string, problem room.Problem) { o.problems[about] = problem }
func (o *office) ClearProblem(about string)                     { delete(o.problems, about) }
func (o *office) WriteTables(ctx context.Context, write func(room.Tx) error) error {
	return o.store.Update(ctx, store.Fast, nil, func(tx store.Tx) error { return write(tx) })
}

// newOffice returns a process that asks a server.
func newOffice(t testing.TB, dir string, of *shelf, asks *server) *office {
	o := &office{process: newProcess(t, dir, of), set: settings.Default(), problems: map[string]room.Problem{}}
	o.process.room.env.Settings = o.Settings
	o.set.Embeddings.URL, o.set.Embeddings.Model = asks.URL, "small"
	o.set.Embeddings.SearchMillis = int(patience.Milliseconds())

	o.service = NewService(o)
	t.Cleanup(func() {
		o.service.Flush(context.Background())
		require.Eventually(t, func() bool { return !o.service.filling.Load() }, patience, time.Millisecond)
	})
	return o
}

// poll polls until a condition holds.
func (o *office) poll(until func() bool) {
	o.Helper()
	require.Eventually(o, func() bool {
		o.Do(func() { o.service.Poll(context.Background()) })
		return until()
	}, patience, time.Millisecond)
}

// fill fills in all vectors.
func (o *office) fill() {
	o.Helper()
	o.poll(func() bool {
		status, _ := o.service.Status(context.Background())
		return status.Done == status.Total && !o.service.filling.Load()
	})
}

func (o *office) find(text string) Result {
	o.Helper()
	result, err := o.service.Search(context.Background(), Query{Text: text, Limit: 10})
	require.NoError(o, err)
	return result
}

// deliveries are documents of which one is about a delivery, in other words than "shipment".
func deliveries() *shelf {
	return shelfOf(note(1, "the parcel arrives at noon"), note(2, "the bill is paid by the customer"),
		note(3, "a panic in the parser ends the process"), note(4, "the window has a blue frame"))
}

// open returns an office whose documents are in the index.
func open(t testing.TB, of *shelf, asks *server) *office {
	o := newOffice(t, t.TempDir(), of, asks)
	o.indexAll()
	return o
}

func (o *office) indexAll() {
	o.Helper()
	var docs []room.Document
	for _, id := range o.shelf.ids() {
		docs = append(docs, o.shelf.docs[id])
	}
	o.put(docs...)
}

func TestE15_WhatSharesNoWordWithAQueryIsFoundByItsVector(t *testing.T) {
	o := open(t, deliveries(), newServer(t))
	assert.Equal(t, Lexical, o.find("when is the shipment").Mode)
	assert.Contains(t, o.find("when is the shipment").Fallback, "no document has a vector")
	o.fill()
	result := o.find("when is the shipment")
	require.NotEmpty(t, result.Hits)
	assert.Equal(t, Hybrid, result.Mode)
	assert.Empty(t, result.Fallback)
	assert.Equal(t, "note:00001", result.Hits[0].ID)

	explained, err := o.service.Search(t.Context(), Query{Text: "shipment", Limit: 1, Explain: true})
	require.NoError(t, err)
	assert.Contains(t, explained.Hits[0].Reasons, recall.Part{Reason: recall.InVector, Score: 1})
	status, set := o.service.Status(t.Context())
	assert.True(t, set)
	assert.Equal(t, Status{Model: "small", Filled: Filled{Done: 4, Total: 4, Dimension: 64}}, status)
	assert.Equal(t, "note:00002", o.find("bill customer").Hits[0].ID, "words count as before")
	filtered, err := o.service.Search(t.Context(), Query{Text: "shipment", Limit: 9, Types: []string{"none"}})
	require.NoError(t, err)
	assert.Empty(t, filtered.Hits, "a filter holds for vectors, too")
}

func TestE15_WithoutAnEndpointSearchGoesByWordsAndSaysSo(t *testing.T) {
	asks := newServer(t)
	o := open(t, deliveries(), asks)
	o.set.Embeddings.URL = ""
	o.Do(func() { o.service.Poll(t.Context()) })
	result := o.find("parcel")
	assert.Equal(t, Lexical, result.Mode)
	assert.Empty(t, result.Fallback)
	assert.Equal(t, "note:00001", result.Hits[0].ID)
	assert.Empty(t, asks.sent(), "nothing is sent")
	_, set := o.service.Status(t.Context())
	assert.False(t, set)
}

func TestE15_AnEndpointThatFailsLeavesSearchToWords(t *testing.T) {
	release := make(chan struct{})
	for name, c := range map[string]struct {
		broken func(w http.ResponseWriter, r *http.Request, texts []string) bool
		want   string
	}{
		"down": {func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}, "502"},
		"slow": {func(_ http.ResponseWriter, r *http.Request, _ []string) bool {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return true
		}, "did not answer within 500ms"},
		"lying about its dimension": {func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
			return answer(w, []float64{1, 2, 3})
		}, "3 numbers, and those of the documents have 64"},
		"lying with zeros": {func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
			return answer(w, make([]float64, 64))
		}, "a vector that is zero"},
	} {
		t.Run(name, func(t *testing.T) {
			asks := newServer(t)
			o := open(t, deliveries(), asks)
			o.set.Embeddings.SearchMillis = 500
			o.fill()
			var want []string
			require.Eventually(t, func() bool {
				result := o.find("when is the shipment")
				want = result.ids()
				return result.Mode == Hybrid
			}, patience, time.Millisecond)
			asks.setBroken(c.broken)
			result := o.find("the parcel and its shipment")
			assert.Equal(t, Lexical, result.Mode)
			assert.Contains(t, result.Fallback, c.want)
			assert.Equal(t, "note:00001", result.Hits[0].ID)
			known := o.find("when is the shipment")
			assert.Equal(t, Hybrid, known.Mode, "the vector of a query that was asked before is known")
			assert.Equal(t, want, known.ids())
		})
	}
	close(release)
}

func answer(w http.ResponseWriter, vector []float64) bool {
	_ = json.NewEncoder(w).Encode(map[string]any{"data": []any{map[string]any{"embedding": vector}}})
	return true
}

// busy answers that the endpoint is to be asked again ten minutes later.
func busy(w http.ResponseWriter, _ *http.Request, _ []string) bool {
	w.Header().Set("Retry-After", "600")
	w.WriteHeader(http.StatusServiceUnavailable)
	return true
}

func TestE15_AnEndpointThatIsDownIsNotAskedForAWhile(t *testing.T) {
	asks := newServer(t)
	o := open(t, deliveries(), asks)
	o.fill()
	asks.setBroken(busy)
	before := len(asks.sent())
	for i := range 20 {
		assert.Contains(t, o.find(fmt.Sprint("shipment ", i)).Fallback, "503")
	}
	assert.Len(t, asks.sent(), before+1)
}

func TestE15_VectorsAreFilledInWhenTheEndpointIsBack(t *testing.T) {
	slow.Test(t)
	asks := newServer(t)
	asks.setBroken(answers(http.StatusInternalServerError))
	o := open(t, deliveries(), asks)
	o.poll(func() bool { return o.problems[aboutEmbeddings] != room.Problem{} })
	assert.Contains(t, o.problems[aboutEmbeddings].Message, "500")
	status, _ := o.service.Status(t.Context())
	assert.Equal(t, 0, status.Done)
	assert.Contains(t, status.Fallback, "500")
	assert.Less(t, len(asks.sent()), 20, "it waits longer and longer")

	asks.setBroken(nil)
	o.put(note(5, "an abort of the build"))
	o.fill()
	assert.Equal(t, "note:00001", o.find("shipment").Hits[0].ID)
	o.poll(func() bool { return len(o.problems) == 0 }) // the poll after the one that began to fill them in
	assert.Equal(t, 64, func() int { s, _ := o.service.Status(t.Context()); return s.Dimension }())
}

func TestE15_AnEndpointThatFillsInVectorsIsAskedForQueriesAgain(t *testing.T) {
	asks := newServer(t)
	o := open(t, deliveries(), asks)
	o.fill()
	asks.setBroken(busy)
	assert.Contains(t, o.find("shipment").Fallback, "503")
	asks.setBroken(nil)
	o.put(note(5, "an abort of the build"))
	o.fill()
	status, _ := o.service.Status(t.Context())
	assert.Empty(t, status.Fallback)
	assert.Equal(t, Hybrid, o.find("shipment").Mode)
}

func TestE15_TextsAreSentInBatchesOnceByAllProcesses(t *testing.T) {
	asks, of, dir := newServer(t), shelfOf(notes(0, 150, "the parcel of customer")...), t.TempDir()
	one, two := newOffice(t, dir, of, asks), newOffice(t, dir, of, asks)
	one.indexAll()
	one.set.Embeddings.Batch, two.set.Embeddings.Batch = 16, 16
	one.poll(func() bool {
		two.Do(func() { two.service.Poll(t.Context()) })
		status, _ := two.service.Status(t.Context())
		return status.Done == 150 && !one.service.filling.Load() && !two.service.filling.Load()
	})
	assert.LessOrEqual(t, asks.most, 16)
	sent := asks.sent()
	assert.Len(t, sent, 150)
	slices.Sort(sent)
	assert.Len(t, slices.Compact(sent), 150)
	two.poll(func() bool { return true })
	assert.Equal(t, Hybrid, two.find("shipment").Mode)
}

func TestE15_AProcessThatDiedWhileItFilledInIsFollowedByAnother(t *testing.T) {
	asks, of, dir := newServer(t), deliveries(), t.TempDir()
	dead, other := newOffice(t, dir, of, asks), newOffice(t, dir, of, asks)
	dead.indexAll()
	_, err := dead.service.next(dead.set.Embeddings, nil)
	require.NoError(t, err)
	next, err := other.service.next(other.set.Embeddings, nil)
	require.NoError(t, err)
	assert.True(t, next.busy)
	other.update(func(tx store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "UPDATE index_model SET claimed = claimed - 60000")
		return err
	})
	other.fill()
	assert.Equal(t, "note:00001", other.find("shipment").Hits[0].ID)
}

func TestE15_ATextThatIsRefusedKeepsNoOtherOut(t *testing.T) {
	asks := newServer(t)
	asks.setBroken(func(w http.ResponseWriter, _ *http.Request, texts []string) bool {
		refused := slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "window") })
		if refused {
			w.WriteHeader(http.StatusBadRequest)
		}
		return refused
	})
	o := open(t, deliveries(), asks)
	o.fill()
	assert.Equal(t, "note:00001", o.find("shipment").Hits[0].ID)
	assert.Equal(t, 3, o.vectors())
	assert.Equal(t, "note:00004", o.find("blue frame").Hits[0].ID, "it is found by its words")
}

func TestE15_AnEndpointThatRefusesEverythingIsAskedAgainLater(t *testing.T) {
	slow.Test(t)
	asks := newServer(t)
	asks.setBroken(answers(http.StatusBadRequest))
	o := open(t, deliveries(), asks)
	o.poll(func() bool { return o.problems[aboutEmbeddings] != room.Problem{} })
	asks.setBroken(nil)
	o.fill()
	assert.Equal(t, 4, o.vectors())
}

// vectors returns the number of vectors in the tables.
func (o *office) vectors() (n int) {
	require.NoError(o, o.store.QueryRowContext(context.Background(), "SELECT count(*) FROM index_vector").Scan(&n))
	return n
}

func TestE15_AnotherModelGetsAllTextsAgainAndTheFormerOneKeepsItsVectors(t *testing.T) {
	asks := newServer(t)
	o := open(t, deliveries(), asks)
	o.fill()
	asks.mu.Lock()
	asks.long = 96
	asks.mu.Unlock()
	for i, model := range []string{"large", "huge"} {
		o.set.Embeddings.Model = model
		assert.Contains(t, o.find("shipment").Fallback, "no document has a vector of the model yet")
		o.fill()
		assert.Len(t, asks.sent(), 4*(i+2)+i, "the texts, and a query")
		assert.Equal(t, "note:00001", o.find("shipment").Hits[0].ID)
		status, _ := o.service.Status(t.Context())
		assert.Equal(t, 96, status.Dimension)
		assert.Equal(t, 8, o.vectors(), "vectors of two models are kept")
	}
	before := len(asks.sent())
	o.set.Embeddings.Model = "large"
	o.fill()
	assert.Equal(t, Hybrid, o.find("delivery").Mode)
	assert.Len(t, asks.sent(), before+1, "only the query")
}

func TestE15_AModelThatNobodyUsesIsDeleted(t *testing.T) {
	o := open(t, shelfOf(notes(0, 200, "the parcel")...), newServer(t))
	o.fill()
	o.update(func(tx store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "UPDATE index_model SET used = used - ?", 2*unusedFor.Milliseconds())
		return err
	})
	o.set.Embeddings.Model = "large"
	o.fill()
	o.put(note(1000, "one more"))
	o.fill()
	assert.Equal(t, 201, o.vectors())
}

func TestE15_AModelThatAnswersOtherLengthsThanBeforeIsAProblem(t *testing.T) {
	slow.Test(t)
	asks := newServer(t)
	o := open(t, deliveries(), asks)
	o.fill()
	asks.mu.Lock()
	asks.long = 32
	asks.mu.Unlock()
	o.put(note(5, "an abort of the build"))
	o.poll(func() bool { return o.problems[aboutEmbeddings] != room.Problem{} })
	assert.Contains(t, o.problems[aboutEmbeddings].Message, "vectors of 32 numbers where 64 are expected")
	assert.Contains(t, o.problems[aboutEmbeddings].Fix, "set embeddings.dimensions to 32")
	assert.Equal(t, 4, o.vectors())
	o.set.Embeddings.Dimensions = 32
	o.fill()
	assert.Equal(t, "note:00005", o.find("crash").Hits[0].ID)
}

func TestE15_VectorsAreGoneWithTheirText(t *testing.T) {
	for name, remove := range map[string]func(o *office){
		"removed": func(o *office) { o.remove("note:00001") },
		"edited":  func(o *office) { o.put(note(1, "something else")) },
		"erased": func(o *office) {
			o.update(func(tx store.Tx) error {
				return o.process.room.EraseIndexed(t.Context(), tx, []string{"parcel"})
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := open(t, deliveries(), newServer(t))
			o.fill()
			assert.Equal(t, 4, o.vectors())
			assert.Equal(t, 4, o.signs())
			remove(o)
			assert.Equal(t, 3, o.vectors())
			assert.Equal(t, 3, o.signs())
			for _, hit := range o.find("shipment").Hits {
				assert.NotContains(t, hit.Text, "parcel")
			}
		})
	}
}

// signs returns the number of signs in the tables that are not zero.
func (o *office) signs() (n int) {
	require.NoError(o, eachBlob(context.Background(), o.store, func(_ int64, blob []byte) error {
		content, err := signContent(blob)
		for of := range slices.Chunk(content, signSize) {
			if slices.ContainsFunc(of, func(b byte) bool { return b != 0 }) {
				n++
			}
		}
		return err
	}, "SELECT id, signs FROM index_signs"))
	return n
}

func TestE15_ATextThatGoesWhileItIsSentGetsNoVector(t *testing.T) {
	asks := newServer(t)
	o := open(t, deliveries(), asks)
	asks.setBroken(func(_ http.ResponseWriter, _ *http.Request, texts []string) bool {
		if len(texts) > 1 {
			o.remove("note:00001")
		}
		return false
	})
	o.fill()
	assert.Equal(t, 3, o.vectors())
	assert.Equal(t, 3, o.signs())
}

func TestE15_ATableThatIsMadeAnewGetsItsVectorsAgain(t *testing.T) {
	o := open(t, deliveries(), newServer(t))
	o.fill()
	o.update(func(tx store.Tx) error { return recreate(t.Context(), tx, true) })
	o.indexAll()
	o.fill()
	assert.Equal(t, 4, o.vectors())
	assert.Equal(t, "note:00001", o.find("shipment").Hits[0].ID)
}

func TestE15_TablesOfTheVersionBeforeGetTheTablesOfVectors(t *testing.T) {
	o := open(t, deliveries(), newServer(t))
	o.update(func(tx store.Tx) error {
		for _, name := range []string{"index_model", "index_vector", "index_signs"} {
			if _, err := tx.ExecContext(t.Context(), "DROP TABLE "+name); err != nil {
				return err
			}
		}
		return o.process.room.Migrate(t.Context(), tx, 2)
	})
	o.process.maintain()
	o.fill()
	assert.Equal(t, "note:00001", o.find("shipment").Hits[0].ID)
}

// The nearest by signs and then by quantised vectors are those of the exact vectors.
func TestE15_TheNearestAreThoseOfTheWholeVectors(t *testing.T) {
	const documents, long = 3000, 384
	random := rand.New(rand.NewPCG(1, 2))
	topics := make([][]float32, 40)
	for i := range topics {
		topics[i] = direction(random, nil, long, 1)
	}
	p := newProcess(t, t.TempDir(), shelfOf())
	p.put(notes(0, documents, "text")...)
	vectors := map[recall.Doc][]float32{}
	quantisedOnes := map[recall.Doc][]byte{}
	for doc := recall.Doc(1); doc <= documents; doc++ {
		vectors[doc] = direction(random, topics[random.IntN(len(topics))], long, 1)
		quantisedOnes[doc] = quantised(vectors[doc])
	}
	m := model{slot: 1, name: "m", dimension: long, done: documents, epoch: 7}
	p.update(func(tx store.Tx) error {
		w, err := newWriter(t.Context(), tx, nil)
		require.NoError(t, err)
		w.state.version++
		require.NoError(t, w.putVectors(m, quantisedOnes))
		require.NoError(t, w.writeModel(m))
		return w.writeState()
	})
	shared, all := 0, 0
	for range 20 {
		query := direction(random, topics[random.IntN(len(topics))], long, 0.7)
		r, err := newReader(t.Context(), p.store, nil)
		require.NoError(t, err)
		got, err := r.near(m, query, nil, func(doc recall.Doc) bool { return doc%2 == 0 })
		require.NoError(t, err)
		require.Len(t, got, nearPool)
		want := make([]recall.Near, 0, documents)
		for doc, vector := range vectors {
			if doc%2 == 0 {
				want = append(want, recall.Near{Doc: doc, Cosine: exact(query, vector)})
			}
		}
		slices.SortFunc(want, func(a, b recall.Near) int {
			if a.Cosine > b.Cosine {
				return -1
			}
			return 1
		})
		for _, one := range want[:10] {
			all++
			at := slices.IndexFunc(got[:15], func(n recall.Near) bool { return n.Doc == one.Doc })
			if at >= 0 {
				shared++
				assert.InDelta(t, one.Cosine, got[at].Cosine, 0.01)
			}
		}
	}
	assert.GreaterOrEqual(t, float64(shared)/float64(all), 0.95)
}

// direction returns a random vector near another one.
func direction(random *rand.Rand, near []float32, long int, noise float64) []float32 {
	vector := make([]float32, long)
	for i := range vector {
		vector[i] = float32(random.NormFloat64() * noise)
		if near != nil {
			vector[i] += near[i]
		}
	}
	return vector
}

func exact(a, b []float32) float32 {
	dot := 0.0
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
	}
	return float32(dot / (lengthOf(a) * lengthOf(b)))
}

func TestE15_ANumberThatIsQuantisedKeepsItsDirection(t *testing.T) {
	assert.Nil(t, quantised([]float32{0, 0}))
	assert.Equal(t, []byte{127, 129, 0, 64}, quantised([]float32{2, -2, 0, 1}))
	assert.InDelta(t, 1, cosineOf([]float32{2, -2, 0, 1}, 3, quantised([]float32{2, -2, 0, 1})), 1e-3)
	assert.Equal(t, 0.0, cosineOf([]float32{1}, 1, []byte{0}))
	assert.False(t, math.IsNaN(cosineOf([]float32{0}, 0, []byte{5})))
}

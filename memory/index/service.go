package index

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/endpoint"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// A Workspace is the workspace as the service uses it.
type Workspace interface {
	room.Host
	// WriteTables writes tables of rooms in a transaction, on the newest state. It is called on the
	// queue.
	WriteTables(ctx context.Context, write func(tx room.Tx) error) error
}

// A Service asks the endpoint for embeddings of the settings, if a person has set one: for the
// vectors of all documents, in the background, and for those of queries. The documents without a
// vector are the queue, which is in the tables; the service holds one lot of documents. It is safe for
// concurrent use.
type Service struct {
	workspace Workspace
	process   int64 // a random number
	ctx       context.Context
	stop      context.CancelFunc
	filling   atomic.Bool
	queries   chan struct{} // a place for each query that the endpoint has not answered yet

	mu     sync.Mutex
	set    settings.Embeddings // of client
	client *endpoint.Client    // nil if there is no endpoint
	wrong  error               // why there is none, though the settings name one
	fill   pause
	ask    pause
	known  []vectorOf // of the latest queries, the newest last
}

const (
	// maxQueries is how many queries the endpoint is asked for at the same time.
	maxQueries = 2
	// knownQueries is how many vectors of queries are kept.
	knownQueries = 64
	// spare is how much longer than a request takes at most another process waits before it fills in
	// the vectors.
	spare = 15 * time.Second
)

type vectorOf struct {
	name, text string
	vector     []float32
}

// A pause is how long nothing is asked after a failure: a second, and twice as long after each
// further one.
type pause struct {
	until    time.Time
	failures int
	err      error // the latest, nil if there was none since the latest success
}

const longestPause = 5 * time.Minute

func (p *pause) failed(err error) {
	p.err = err
	wait := min(time.Second<<min(p.failures, 10), longestPause)
	p.failures++
	if fault, is := errors.AsType[*endpoint.Fault](err); is {
		wait = max(wait, fault.Pause)
	}
	p.until = time.Now().Add(wait)
}

func (p *pause) succeeded() { *p = pause{} }

func (p *pause) over() bool { return !time.Now().Before(p.until) }

// NewService returns the service of a workspace.
func NewService(workspace Workspace) *Service {
	ctx, stop := context.WithCancel(context.Background())
	return &Service{
		workspace: workspace, process: random() | 1, ctx: ctx, stop: stop, queries: make(chan struct{}, maxQueries),
	}
}

func (s *Service) room() *Room { return room.Of[*Room](s.workspace) }

// endpoint returns the client of the current settings, nil if there is no endpoint or it cannot be
// used, with the reason.
func (s *Service) endpoint() (*endpoint.Client, settings.Embeddings, error) {
	set := s.workspace.Settings().Embeddings
	s.mu.Lock()
	defer s.mu.Unlock()
	if set == s.set {
		return s.client, set, s.wrong
	}
	if s.client != nil {
		s.client.Close()
	}
	s.set, s.client, s.wrong, s.fill, s.ask, s.known = set, nil, nil, pause{}, pause{}, nil
	if set.URL != "" {
		s.client, s.wrong = endpoint.New(set)
	}
	return s.client, set, s.wrong
}

// aboutEmbeddings identifies the problem with the endpoint.
const aboutEmbeddings = "embeddings"

// Poll fills in vectors in the background if some are missing.
func (s *Service) Poll(ctx context.Context) {
	client, set, wrong := s.endpoint()
	s.tell(wrong)
	if client == nil || s.filling.Load() || !s.mayFill() {
		return
	}
	_, _, due, err := s.room().modelOf(ctx, endpoint.Identity(set))
	if err == nil && due {
		s.filling.Store(true)
		go func() {
			defer s.filling.Store(false)
			s.fillIn(client, set)
		}()
	}
}

func (s *Service) mayFill() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fill.over()
}

// toldAfter is how many failures that follow each other a person is told of.
const toldAfter = 2

// tell shows the problem with the endpoint, or takes it away.
func (s *Service) tell(wrong error) {
	s.mu.Lock()
	if wrong == nil && s.fill.failures >= toldAfter {
		wrong = s.fill.err
	}
	s.mu.Unlock()
	if wrong == nil {
		s.workspace.ClearProblem(aboutEmbeddings)
		return
	}
	fix := "Correct the settings embeddings."
	if fault, is := errors.AsType[*endpoint.Fault](wrong); is {
		fix = fault.Fix
	}
	s.workspace.SetProblem(aboutEmbeddings, room.Warning("search goes by words: "+wrong.Error(), fix))
}

// Flush ends what is done in the background. Vectors that are missing are filled in later.
func (s *Service) Flush(context.Context) { s.stop() }

// fillIn asks for vectors, a lot after the other, until all documents have one, another process fills
// them in, or something fails.
func (s *Service) fillIn(client *endpoint.Client, set settings.Embeddings) {
	var filled *lot
	for {
		next, err := s.next(set, filled)
		if err != nil {
			s.workspace.Log().Warn("store vectors of documents", "error", err)
			s.note(&s.fill, err)
			return
		}
		if len(next.texts) == 0 && next.upTo == 0 && !next.more || next.busy || s.ctx.Err() != nil {
			return
		}
		if err := s.embed(client, set, &next); err != nil {
			if s.ctx.Err() == nil {
				s.workspace.Log().Warn("ask the endpoint for embeddings", "error", err)
				s.note(&s.fill, err)
			}
			return
		}
		if filled = &next; len(next.texts) > 0 {
			s.note(&s.fill, nil)
			s.note(&s.ask, nil) // who answers for documents answers for queries
		}
	}
}

func (s *Service) note(p *pause, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		p.succeeded()
	} else {
		p.failed(err)
	}
}

// next stores what was filled in, and returns the next documents.
func (s *Service) next(set settings.Embeddings, filled *lot) (lot, error) {
	by := claim{
		name: endpoint.Identity(set), process: s.process, lease: set.Timeout() + spare, texts: set.Batch,
	}
	var next lot
	done := make(chan error, 1)
	put := s.workspace.Do(func() {
		if s.ctx.Err() != nil {
			return
		}
		done <- s.workspace.WriteTables(s.ctx, func(tx room.Tx) (err error) {
			next, err = s.room().next(s.ctx, tx, by, filled)
			return err
		})
	})
	if !put {
		return lot{}, nil
	}
	select {
	case err := <-done:
		return next, err
	case <-s.ctx.Done(): // the queue may be closed
		return lot{}, nil
	}
}

// embed sets the vectors of a lot.
func (s *Service) embed(client *endpoint.Client, set settings.Embeddings, of *lot) error {
	if len(of.texts) == 0 {
		return nil
	}
	vectors, err := s.texts(client, set, of.texts, false)
	if err != nil {
		return err
	}
	long := of.model.dimension
	for _, vector := range vectors {
		if long == 0 {
			long = len(vector)
		}
		if vector != nil && len(vector) != long {
			return endpoint.WrongLength(len(vector), long)
		}
		of.vectors = append(of.vectors, quantised(vector))
	}
	return nil
}

// texts returns the vectors of strings, nil for those that the endpoint does not take. It may refuse
// all of them because of one, so halves are tried; known is true if it takes others.
func (s *Service) texts(
	client *endpoint.Client, set settings.Embeddings, texts []string, known bool,
) ([][]float32, error) {
	vectors, err := s.ofTexts(client, set, texts)
	fault, is := errors.AsType[*endpoint.Fault](err)
	if !is || !fault.Refused {
		return vectors, err
	}
	if !known {
		if _, err := s.ofTexts(client, set, []string{"text"}); err != nil {
			return nil, err
		}
	}
	if len(texts) == 1 {
		return [][]float32{nil}, nil
	}
	first, err := s.texts(client, set, texts[:len(texts)/2], true)
	if err != nil {
		return nil, err
	}
	second, err := s.texts(client, set, texts[len(texts)/2:], true)
	return slices.Concat(first, second), err
}

func (s *Service) ofTexts(client *endpoint.Client, set settings.Embeddings, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(s.ctx, set.Timeout())
	defer cancel()
	vectors, err := client.Texts(ctx, texts)
	return vectors, late(ctx, err)
}

// late returns a fault if the error is that the time was over.
func late(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return endpoint.Late()
	}
	return err
}

// Search returns the documents that fit a query, as the room does, and takes the vectors of the
// endpoint into account if there is one. It waits for the endpoint as long as the settings allow.
func (s *Service) Search(ctx context.Context, query Query) (Result, error) {
	client, set, wrong := s.endpoint()
	fallback := ""
	switch {
	case wrong != nil:
		fallback = wrong.Error()
	case client != nil && set.Weight > 0:
		if query.vector, fallback = s.vector(ctx, client, set, query.Text); ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
	}
	result, err := s.room().Search(ctx, query)
	if query.vector == nil {
		result.Fallback = fallback
	}
	return result, err
}

// Find returns the document with an id, false if there is none.
func (s *Service) Find(ctx context.Context, id string) (room.Document, bool, error) {
	r := s.room()
	if !r.attached.Load() {
		return room.Document{}, false, nil
	}
	found, err := find(ctx, r.db, r.env.Sources(), []string{id})
	if err != nil || len(found) == 0 {
		return room.Document{}, false, err
	}
	return found[0], true, nil
}

// Any reports whether a document that is remembered fulfils a condition. It may read all of them.
func (s *Service) Any(ctx context.Context, is func(room.Document) bool) (any bool, err error) {
	r := s.room()
	if !r.attached.Load() {
		return false, nil
	}
	for _, source := range r.env.Sources() {
		err := source.Each(ctx, r.db, func(doc room.Document) bool {
			any = is(doc)
			return !any
		})
		if any || err != nil {
			return any, err
		}
	}
	return false, nil
}

// vector returns the vector of a query, or why there is none.
func (s *Service) vector(
	ctx context.Context, client *endpoint.Client, set settings.Embeddings, text string,
) ([]float32, string) {
	text = strings.TrimSpace(text)
	name := endpoint.Identity(set)
	m, there, _, err := s.room().modelOf(ctx, name)
	if err != nil {
		return nil, "the index of search cannot be read"
	}
	if reason := m.unusable(there, 0); reason != "" {
		return nil, reason
	}
	s.mu.Lock()
	for _, one := range s.known {
		if one.name == name && one.text == text {
			defer s.mu.Unlock()
			return one.vector, ""
		}
	}
	paused, why := !s.ask.over(), s.ask.err
	s.mu.Unlock()
	if paused {
		return nil, why.Error()
	}
	select {
	case s.queries <- struct{}{}:
	default:
		return nil, "the endpoint has not answered former searches yet"
	}
	answered := make(chan []float32, 1)
	failed := make(chan error, 1)
	go func() { // goes on if the search does not wait: the endpoint may be loading the model
		defer func() { <-s.queries }()
		within, cancel := context.WithTimeout(s.ctx, set.Timeout())
		defer cancel()
		vector, err := client.Query(within, text)
		if err = late(within, err); err == nil && lengthOf(vector) == 0 {
			err = endpoint.Empty()
		}
		s.note(&s.ask, err)
		if err != nil {
			failed <- err
			return
		}
		s.remember(vectorOf{name, text, vector})
		answered <- vector
	}()
	patience := time.NewTimer(set.Search())
	defer patience.Stop()
	select {
	case vector := <-answered:
		return vector, ""
	case err := <-failed:
		return nil, err.Error()
	case <-patience.C:
		return nil, "the endpoint did not answer within " + set.Search().String()
	case <-ctx.Done():
		return nil, ctx.Err().Error()
	}
}

func (s *Service) remember(one vectorOf) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) == knownQueries {
		s.known = slices.Delete(s.known, 0, 1)
	}
	s.known = append(s.known, one)
}

// A Status is what is known of the endpoint for embeddings.
type Status struct {
	Model string
	Filled
	// Fallback says why search goes by words, "" if it does not.
	Fallback string
}

// Status returns the status of the endpoint, and false if the settings name none.
func (s *Service) Status(ctx context.Context) (Status, bool) {
	_, set, wrong := s.endpoint()
	if set.URL == "" {
		return Status{}, false
	}
	status := Status{Model: set.Model}
	name := endpoint.Identity(set)
	m, there, _, unread := s.room().modelOf(ctx, name)
	s.mu.Lock()
	asked, filled := s.ask.err, s.fill.err
	s.mu.Unlock()
	for _, reason := range []error{wrong, asked, filled} {
		if reason != nil {
			status.Fallback = reason.Error()
			break
		}
	}
	if status.Fallback == "" {
		status.Fallback = m.unusable(there, 0)
	}
	if unread == nil {
		status.Filled, unread = s.room().filled(ctx, name)
	}
	if unread != nil {
		status.Fallback = "the index of search cannot be read"
	}
	return status, true
}

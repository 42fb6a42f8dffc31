package reads

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A Workspace is the workspace as the service uses it.
type Workspace interface {
	room.Host
	// WriteTables writes tables of rooms in a transaction, on the newest state. It is called on the
	// queue.
	WriteTables(ctx context.Context, write func(tx room.Tx) error) error
	// Seq returns the position of the latest folded change.
	Seq() int64
}

// A Service records reads. A read must not wait for a write, so they are written about every second
// and at the end of the process. It is safe for concurrent use.
type Service struct {
	workspace Workspace

	mu       sync.Mutex
	pending  []change.Change
	given    map[string]string // the revision of the latest context, by session
	recent   []*watched        // searches of which something may be used yet, the oldest first
	proposed *proposed         // nil if nothing was proposed yet
}

const (
	// maxPending is how many reads wait to be written; the oldest are dropped.
	maxPending = 1000
	// maxGiven is how many sessions' latest contexts are known.
	maxGiven = 256
	// flushTime is how long the end of a process may be delayed.
	flushTime = 200 * time.Millisecond
)

// NewService returns the service of a workspace.
func NewService(workspace Workspace) *Service {
	return &Service{workspace: workspace, given: map[string]string{}}
}

func (s *Service) room() *Room { return room.Of[*Room](s.workspace) }

// Context records the context that a session was given.
func (s *Service) Context(who change.Actor, given Context) {
	s.mu.Lock()
	if s.given[who.Session] == given.Revision {
		given.Same, given.Sections = true, nil
	} else {
		if len(s.given) >= maxGiven {
			clear(s.given)
		}
		s.given[who.Session] = given.Revision
	}
	s.mu.Unlock()
	s.record(who, change.New(Assembled, ulid.Make().String(), given))
}

// Search records a search with its candidates, the best first, and watches what is used of them.
func (s *Service) Search(who change.Actor, query, mode string, shown int, found []Found) {
	found = found[:min(len(found), maxCandidates)]
	search := Search{
		Mode: mode, Shown: min(shown, len(found)), Candidates: make([]Candidate, 0, len(found)),
	}
	clean := append(make([]string, 0, len(found)+2), mode) // see change.Change.Clean
	for _, one := range found {
		one.Similarity, one.Days = round(one.Similarity), round(one.Days)
		one.Importance, one.Duplication = round(one.Importance), round(one.Duplication)
		search.Candidates = append(search.Candidates, one.Candidate)
		if isMade(one.ID) {
			clean = append(clean, one.ID)
		}
	}
	ran := change.New(Ran, ulid.Make().String(), search)
	ran.Clean = append(clean, ran.Subject)
	if s.record(who, ran) {
		s.watch(ran.Subject, who, query, found)
	}
}

// isMade reports whether an id has the form of those that are made for what is remembered: a noun and a ULID. It
// holds no secret then, as one that a client gave may.
func isMade(id string) bool {
	noun, made, _ := strings.Cut(id, ":")
	_, err := ulid.ParseStrict(made)
	return err == nil && strings.Trim(noun, "abcdefghijklmnopqrstuvwxyz") == ""
}

func round(number float64) float64 { return math.Round(number*1000) / 1000 }

// record keeps a read until it is written. While recording is paused, it keeps nothing and returns
// false.
func (s *Service) record(who change.Actor, read change.Change) bool {
	if s.workspace.Paused() {
		return false
	}
	read.Seq, read.At = s.workspace.Seq(), who.At
	read.Session, read.By = who.Session, who.Agent
	if now := s.workspace.Now(); read.At.IsZero() || read.At.After(now) {
		read.At = now
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) == maxPending {
		s.pending = slices.Delete(s.pending, 0, 1)
	}
	s.pending = append(s.pending, read)
	return true
}

// Poll writes what was recorded.
func (s *Service) Poll(ctx context.Context) {
	s.mu.Lock()
	waiting := slices.Clone(s.pending)
	s.mu.Unlock()
	if len(waiting) == 0 {
		return
	}
	err := s.workspace.WriteTables(ctx, func(tx room.Tx) error {
		kept := slices.DeleteFunc(slices.Clone(waiting), func(read change.Change) bool {
			return s.workspace.NotDeleted(read.Session) != nil
		})
		return s.room().write(ctx, tx, kept, s.workspace.Settings().Log, s.workspace.AgeNow())
	})
	if err != nil { // the next poll tries again
		s.workspace.Log().Info("write the trace of reads", "error", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.pending) > 0 && len(waiting) > 0 && s.pending[0].Subject == waiting[0].Subject &&
		s.pending[0].Kind == waiting[0].Kind {
		s.pending, waiting = s.pending[1:], waiting[1:]
	}
}

// Flush writes what was recorded, unless another process writes for long.
func (s *Service) Flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	s.Poll(ctx)
}

// Trace writes what was recorded, and returns the reads that match a filter, oldest first.
func (s *Service) Trace(ctx context.Context, filter store.Filter) ([]change.Change, error) {
	written := make(chan struct{})
	if s.workspace.Do(func() { defer close(written); s.Poll(ctx) }) {
		select {
		case <-written:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.room().Trace(ctx, filter)
}

package items

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A Workspace is the workspace as the service uses it.
type Workspace interface {
	room.Host
	// ApplyTables is Apply for changes that depend on the tables of rooms, which decide reads in the
	// transaction. They may be lost in a power cut.
	ApplyTables(
		ctx context.Context, who change.Actor, decide func(tables room.Querier) ([]change.Change, error),
	) ([]change.Change, error)
	// Flush writes the changes that are folded and not written, with what is in tables.
	Flush(ctx context.Context)
}

// A Service does what can be done after the events: it keeps the stores within their limits, records
// episodes, and records when items were recalled.
type Service struct {
	host Workspace
	// added is true if items came in since the stores were last trimmed, trimmed when that was.
	added   atomic.Bool
	trimmed time.Time
	// unmerged is the number of items since duplicates were last looked for, merged when that was.
	unmerged atomic.Int64
	merged   time.Time
}

// NewService returns the service of a workspace.
func NewService(host Workspace) *Service { return &Service{host: host} }

// Committed notes that items came in, from this process or another.
func (s *Service) Committed(changes []change.Change) {
	for _, c := range changes {
		if c.Kind == Memorized {
			s.added.Store(true)
			s.unmerged.Add(1)
		}
	}
}

func (s *Service) room() *Room { return room.Of[*Room](s.host) }

// Item returns the item with an id, also if it was removed. It is called on the queue.
func (s *Service) Item(ctx context.Context, id string) (item Item, there bool, err error) {
	if s.room().db == nil {
		return item, false, nil
	}
	s.host.Flush(ctx) // it may be of a tool that just ran
	return s.Read(ctx, id)
}

// Read is Item for those that are written. It may be called on any goroutine.
func (s *Service) Read(ctx context.Context, id string) (item Item, there bool, err error) {
	held := s.room()
	if held.db == nil {
		return item, false, nil
	}
	found, err := held.Get(ctx, held.db, []string{strings.ToUpper(id)})
	if err != nil || len(found) == 0 {
		return item, false, err
	}
	return found[0], true, nil
}

// Same returns the item of which another one of its store would be a duplicate if it were memorized now. It is called
// on the queue, after Item.
func (s *Service) Same(ctx context.Context, item Item) (same Item, there bool, err error) {
	held := s.room()
	store, _ := RegistryOf(s.host.Rooms(), s.host.Settings().Items).Store(item.Store)
	if held.db == nil || !store.Gated {
		return same, false, nil
	}
	sketch := gating.SketchOf(item.Text)
	as := prepared{sketch: sketch, keys: keysOf(&item, sketch)}
	d := decision{ctx: ctx, tx: held.db, room: held, now: s.host.AgeNow(), latest: map[key]*candidate{}}
	if err := d.readLatest(as.keys); err != nil {
		return same, false, err
	}
	like, _ := d.nearest(&as)
	if !like.sketch.Same(sketch) || !like.span.covers(item.spanAt(d.now)) {
		return same, false, nil
	}
	return s.Item(ctx, like.id)
}

// maxAtOnce is how many episodes are recorded before other work on the queue has its turn.
const maxAtOnce = 4

// Poll ends episodes in which nothing happens any more, and records those that are due.
func (s *Service) Poll(ctx context.Context) {
	if s.host.Paused() {
		return
	}
	if idle := s.room().Idle(s.host.AgeNow()); len(idle) > 0 {
		if _, err := s.host.ApplyHot(ctx, change.Actor{}, idle); err != nil {
			s.host.Log().Warn("end episodes", "error", err)
		}
	}
	s.tell(ctx)
	s.trim(ctx)
	s.merge(ctx)
	s.tellUnread()
}

const aboutUnread = "unreadable items"

// maxNamed is how many of these items are named.
const maxNamed = 5

// tellUnread reports the items that could not be read since the state was loaded.
func (s *Service) tellUnread() {
	unread := s.room().Unread()
	if len(unread) == 0 {
		return
	}
	s.host.SetProblem(aboutUnread, room.Warning(
		fmt.Sprintf("%d items of the memory are left out, because something else than wm-lsp changed them: %s.",
			len(unread), shorten.List(unread, maxNamed)),
		"All other items are there. The rows of these stay in "+store.DatabaseName+" as they are."))
}

// Flush writes the summaries of episodes before the workspace is closed. The stores are looked at only if items came
// in, because many processes live for one event.
func (s *Service) Flush(ctx context.Context) {
	if s.host.Paused() {
		return
	}
	s.tell(ctx)
	if s.added.Load() {
		s.trim(ctx)
	}
}

// trimEvery is how often the stores are looked at into which nothing came: time passes.
const trimEvery = 10 * time.Minute

// trim ends what has to go from the stores.
func (s *Service) trim(ctx context.Context) {
	now := s.host.AgeNow()
	if !s.added.Swap(false) && now.Sub(s.trimmed) < trimEvery {
		return
	}
	s.trimmed = now
	registry := RegistryOf(s.host.Rooms(), s.host.Settings().Items)
	needed, err := s.room().NeedsTrim(ctx, registry, now)
	if err == nil && needed {
		var changes []change.Change
		changes, err = s.host.ApplyTables(ctx, change.Actor{}, func(tables room.Querier) ([]change.Change, error) {
			return s.room().Trim(ctx, tables, registry, now)
		})
		if len(changes) > 0 { // there may be more
			s.added.Store(true)
		}
	}
	if err != nil {
		s.host.Log().Warn("keep the stores of items within their limits", "error", err)
	}
}

const (
	// mergeEvery is how often duplicates are looked for at most, minUnmerged how many items make it worth while
	// before mergeLate.
	mergeEvery, mergeLate = time.Minute, 10 * time.Minute
	minUnmerged           = 50
)

// merge merges duplicates.
func (s *Service) merge(ctx context.Context) {
	now := s.host.AgeNow()
	since := now.Sub(s.merged)
	if n := s.unmerged.Load(); n == 0 || since < mergeEvery || n < minUnmerged && since < mergeLate {
		return
	}
	s.unmerged.Store(0)
	s.merged = now
	held := s.room()
	if held.db == nil {
		return
	}
	registry := RegistryOf(s.host.Rooms(), s.host.Settings().Items)
	changes, err := held.Merge(ctx, held.db, registry, now)
	if err == nil && len(changes) > 0 {
		_, err = s.host.ApplyTables(ctx, change.Actor{}, func(tables room.Querier) ([]change.Change, error) {
			return s.room().Merge(ctx, tables, registry, now)
		})
	}
	if err != nil {
		s.host.Log().Warn("merge duplicates", "error", err)
	}
}

func (s *Service) tell(ctx context.Context) {
	due := s.room().Untold()
	for _, id := range due[:min(maxAtOnce, len(due))] {
		_, err := s.host.ApplyTables(ctx, change.Actor{}, func(tables room.Querier) ([]change.Change, error) {
			return s.room().Tell(ctx, tables, id)
		})
		if err != nil {
			s.host.Log().Warn("tell of an episode", "episode", id, "error", err)
			return
		}
	}
}

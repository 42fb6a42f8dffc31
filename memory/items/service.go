package items

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A Workspace is the workspace as the service uses it.
type Workspace interface {
	room.Host
	// ApplyTables is Apply for changes that depend on the tables of rooms, which decide reads in the
	// transaction. They may be lost in a power cut.
	ApplyTables(
		ctx context.Context, who change.Actor, decide func(tables room.Querier) ([]change.Change, error),
	) ([]change.Change, error)
}

// A Service does what can be done after the events: it tells of episodes, and records when items were recalled.
type Service struct{ host Workspace }

// NewService returns the service of a workspace.
func NewService(host Workspace) *Service { return &Service{host} }

func (s *Service) room() *Room {
	found, _ := room.Find[*Room](s.host.Rooms())
	return found
}

// maxAtOnce is how many episodes are told before other work on the queue has its turn.
const maxAtOnce = 4

// Poll ends episodes in which nothing happens any more, and tells of those that are due.
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
}

// Flush tells of episodes before the workspace is closed.
func (s *Service) Flush(ctx context.Context) {
	if !s.host.Paused() {
		s.tell(ctx)
	}
}

func (s *Service) tell(ctx context.Context) {
	due := s.room().Due()
	for _, id := range due[:min(maxAtOnce, len(due))] {
		_, err := s.host.ApplyTables(ctx, change.Actor{}, func(tables room.Querier) ([]change.Change, error) {
			return s.room().Tell(ctx, tables, id)
		})
		if err != nil {
			if ctx.Err() == nil {
				s.host.Log().Warn("tell of an episode", "episode", id, "error", err)
			}
			return
		}
	}
}

package skills

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
)

// enough is how many new steps are worth looking for skills while sessions go on.
const enough = 30

// A Service looks for skills: when a session ends, after many steps, and at wm/commit.
type Service struct {
	host room.Host
	due  bool // a session has ended
}

// NewService returns the service of a workspace.
func NewService(host room.Host) *Service { return &Service{host: host} }

func (s *Service) room() *Room { return room.Of[*Room](s.host) }

// Committed notices the end of sessions.
func (s *Service) Committed(changes []change.Change) {
	for _, c := range changes {
		s.due = s.due || c.Kind == sessions.Ended
	}
}

// Poll looks for skills if a session has ended or much was done.
func (s *Service) Poll(ctx context.Context) {
	if !s.due && s.room().Fresh() < enough {
		return
	}
	s.background(ctx)
}

// Flush looks for skills if a session has ended.
func (s *Service) Flush(ctx context.Context) {
	if s.due {
		s.background(ctx)
	}
}

func (s *Service) background(ctx context.Context) {
	s.due = false
	if _, err := s.Extract(ctx, change.Actor{}); err != nil {
		s.host.Log().Warn("look for skills", "error", err)
	}
}

// Extract looks for skills in what was done and returns the changes of skills. It is called on the
// queue.
func (s *Service) Extract(ctx context.Context, who change.Actor) ([]change.Change, error) {
	known := s.room()
	fresh := known.Fresh()
	if fresh == 0 || s.host.Paused() || !s.host.Settings().Items.EnableSkillExtraction {
		return nil, nil
	}
	episodes, err := known.Episodes(ctx)
	if err != nil {
		return nil, err
	}
	found := mining.Mine(episodes)
	var learned []change.Change
	if len(known.Learn(found)) > 0 { // otherwise nothing need be synced
		learned, err = s.host.Apply(ctx, who, func() ([]change.Change, error) { return s.room().Learn(found), nil })
		if err != nil {
			return nil, err
		}
	}
	_, err = s.host.ApplyHot(ctx, who, []change.Change{s.room().Looked(fresh)})
	return learned, err
}

var (
	_ room.Follower = (*Service)(nil)
	_ room.Poller   = (*Service)(nil)
	_ room.Flusher  = (*Service)(nil)
)

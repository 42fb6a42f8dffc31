package sessions

import (
	"context"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A Workspace is the workspace as the service uses it.
type Workspace interface {
	room.Host
	// Decide is Apply for changes that may be lost in a power cut. If they cannot be written, they
	// are applied in memory.
	Decide(ctx context.Context, who change.Actor, decide func() ([]change.Change, error)) ([]change.Change, error)
}

// A Service writes which events sessions have seen, and what becomes of what ended sessions left.
type Service struct{ host Workspace }

// NewService returns the service of a workspace.
func NewService(host Workspace) *Service { return &Service{host} }

func (s *Service) room() *Room { return room.Of[*Room](s.host) }

// First reports whether an event is the first one of its session with its ID or one of the
// others, and remembers its ID, as the only writer of all processes. If about is not "", the IDs
// begin with it, and only the latest one that does counts: what happened again after something
// else is another event. While recording is paused it remembers nothing. It is called on the
// queue.
func (s *Service) First(ctx context.Context, ev event.Event, about string, others ...string) (bool, error) {
	if err := s.host.NotDeleted(ev.Session); err != nil {
		return false, err
	}
	if s.host.Paused() {
		return true, nil
	}
	if err := s.host.EnsureSession(ctx, ev); err != nil {
		return false, err
	}
	first := false
	_, err := s.host.Decide(ctx, ev.Actor(), func() ([]change.Change, error) {
		isSeen := func(id string) bool { return s.room().Seen(ev.Session, id) }
		if about != "" {
			last := s.room().SeenLast(ev.Session, about)
			isSeen = func(id string) bool { return id == last }
		}
		if first = !slices.ContainsFunc(append(others, ev.ID), isSeen); !first {
			return nil, nil
		}
		return []change.Change{change.New(Seen, ev.Session, ev.ID).AsHot()}, nil
	})
	return first, err
}

// HandOver gives what a session left to the session of an event, which has done so much. It returns false
// if another session was given it since former was read. It is called on the queue.
func (s *Service) HandOver(ctx context.Context, ev event.Event, former Session, said, steps int) (bool, error) {
	if err := s.host.NotDeleted(ev.Session); err != nil {
		return false, err
	}
	if err := s.host.EnsureSession(ctx, ev); err != nil {
		return false, err
	}
	to := Handing{To: ev.Session, At: s.host.Now(), Said: said, Steps: steps}
	written, err := s.host.Apply(ctx, ev.Actor(), func() ([]change.Change, error) {
		return s.room().HandOver(former, to), nil
	})
	return len(written) > 0, err
}

// Offer gives what an ended session left to the next one that starts, or no longer does. It is called on
// the queue.
func (s *Service) Offer(ctx context.Context, who change.Actor, session string, offers bool) error {
	_, err := s.host.Apply(ctx, who, func() ([]change.Change, error) {
		now, known := s.room().Get(session)
		is := offers && now.IsOffered() || !offers && now.OfferedAt.IsZero()
		if !known || now.Live() || is {
			return nil, nil
		}
		return s.room().Offer(session, offers), nil
	})
	return err
}

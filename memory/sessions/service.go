package sessions

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A Service writes what becomes of what ended sessions left.
type Service struct{ host room.Host }

// NewService returns the service of a workspace.
func NewService(host room.Host) *Service { return &Service{host} }

func (s *Service) room() *Room {
	known, _ := room.Find[*Room](s.host.Rooms())
	return known
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
	who := ev.Actor()
	written, err := s.host.Apply(ctx, who, func() ([]change.Change, error) {
		return s.room().HandOver(former, to), nil
	})
	return len(written) > 0, err
}

// Offer gives what an ended session left to the next one that starts, or no longer does. It is called on
// the queue.
func (s *Service) Offer(ctx context.Context, who change.Actor, session string, offers bool) error {
	_, err := s.host.Apply(ctx, who, func() ([]change.Change, error) {
		if now, known := s.room().Get(session); !known || now.Live() || now.IsOffered() == offers {
			return nil, nil
		}
		return s.room().Offer(session, offers), nil
	})
	return err
}

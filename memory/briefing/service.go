package briefing

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A Service records what sessions are told.
type Service struct{ host room.Host }

// NewService returns the service of a workspace.
func NewService(host room.Host) *Service { return &Service{host} }

// Record records what the session of an event was told. While recording is paused it records
// nothing. It is called on the queue.
func (s *Service) Record(ctx context.Context, ev event.Event, report Report) error {
	if s.host.Paused() || ev.Session == "" {
		return nil
	}
	if err := s.host.NotDeleted(ev.Session); err != nil {
		return err
	}
	if err := s.host.EnsureSession(ctx, ev); err != nil {
		return err
	}
	_, err := s.host.ApplyHot(ctx, ev.Actor(), []change.Change{change.New(Told, ev.Session, report).AsHot()})
	return err
}

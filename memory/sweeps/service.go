package sweeps

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// sessionsEvery is how often sessions are swept regardless of the number of events.
const sessionsEvery = time.Hour

// A Workspace is the workspace as the service uses it.
type Workspace interface {
	room.Host
	// Sessions returns the room of the sessions.
	Sessions() *sessions.Room
	// Outputs returns the store of outputs, Folders that of sessions. The error is
	// room.ErrStore if the store is not open.
	Outputs() (outputs.Store, error)
	Folders() (Folders, error)
	// Writers returns how many other processes have written lately.
	Writers() int
}

// Folders are the folders of sessions.
type Folders interface {
	// SweepSessions deletes the folders of sessions for whose key keep returns false, in
	// which nothing was written since a time, and which no process serves.
	SweepSessions(keep func(key string) bool, before time.Time) (store.Sweep, error)
}

// A Service deletes outputs over their limits, sessions that ended long ago, folders of
// unknown sessions, and rows of rooms over their limits (systems.md A12).
//
// A sweep is claimed in a transaction. Then files are deleted. Then the result is recorded
// in another transaction. If the process ends in between, the next sweep deletes the rest.
type Service struct {
	workspace Workspace
	due       bool      // a sweep is on the queue
	last      time.Time // when sessions were last swept
}

// NewService returns the service of a workspace.
func NewService(workspace Workspace) *Service { return &Service{workspace: workspace} }

func (s *Service) room() *Room { return room.Of[*Room](s.workspace) }

// Sweep runs a sweep. It is called on the queue.
func (s *Service) Sweep(ctx context.Context, who change.Actor) (Record, error) {
	err := s.sweep(ctx, who, func() bool { return true })
	return s.room().Latest(), err
}

// sweep runs a sweep if due returns true on the newest state of all processes, so that
// only one of them does.
func (s *Service) sweep(ctx context.Context, who change.Actor, due func() bool) error {
	before := s.before()
	entries := 0
	claimed, err := s.workspace.Apply(ctx, who, func() ([]change.Change, error) {
		if !due() {
			return nil, nil
		}
		rows, err := s.sweepRows()
		entries = len(rows)
		return slices.Concat(s.workspace.Sessions().Sweep(before), rows, []change.Change{s.room().Claim()}), err
	})
	if err != nil || len(claimed) == 0 {
		return err
	}
	record, err := s.delete(before)
	if err != nil {
		return err
	}
	record.Entries = entries
	_, err = s.workspace.Apply(ctx, who, func() ([]change.Change, error) {
		return []change.Change{s.room().Done(record)}, nil
	})
	return err
}

// sweepRows returns the changes that delete rows of rooms which are over their limits.
func (s *Service) sweepRows() ([]change.Change, error) {
	var changes []change.Change
	for _, r := range s.workspace.Rooms() {
		sweeper, sweeps := r.(room.Sweeper)
		if !sweeps {
			continue
		}
		rows, err := sweeper.SweepRows()
		if err != nil {
			return nil, fmt.Errorf("sweep the room %s: %w", r.Name(), err)
		}
		changes = append(changes, rows...)
	}
	return changes, nil
}

// before returns the time before which a session must have ended to be forgotten.
func (s *Service) before() time.Time {
	return s.workspace.AgeNow().AddDate(0, 0, -s.workspace.Settings().Session.KeepDays)
}

// delete deletes outputs and the folders of forgotten sessions.
func (s *Service) delete(before time.Time) (Record, error) {
	from, err := s.workspace.Outputs()
	if err != nil {
		return Record{}, err
	}
	kept, err := outputs.Sweep(from, s.workspace.Settings().Outputs, s.workspace.AgeNow())
	if err != nil {
		return Record{}, err
	}
	folders, err := s.deleteFolders(before)
	if err != nil {
		return Record{}, err
	}
	return Record{
		Scanned: kept.Scanned, Deleted: kept.Deleted, Reclaimed: kept.Reclaimed,
		Failed: append(kept.Failed, folders.Failed...), Sessions: folders.Deleted,
	}, nil
}

// deleteFolders deletes the folders of unknown sessions.
func (s *Service) deleteFolders(before time.Time) (store.Sweep, error) {
	from, err := s.workspace.Folders()
	if err != nil {
		return store.Sweep{}, err
	}
	known := map[string]bool{}
	for _, session := range s.workspace.Sessions().List() {
		known[store.SessionKey(session.ID)] = !session.Deleted
	}
	return from.SweepSessions(func(key string) bool { return known[key] }, before)
}

// Committed warns people about the clock, and puts a sweep on the queue if one is due. The event
// that made it due is answered before. While other processes write, that is left to Poll: all of
// them learn at the same time that it is due, and each would take its turn to write for nothing.
func (s *Service) Committed([]change.Change) {
	s.tellClock()
	if s.workspace.Writers() == 0 {
		s.sweepIfDue()
	}
}

// sweepIfDue puts a sweep on the queue if one is due.
func (s *Service) sweepIfDue() {
	if s.due || !s.room().Due() {
		return
	}
	s.due = s.workspace.Offer(func() {
		s.due = false
		if err := s.sweep(context.Background(), change.Actor{}, func() bool { return s.room().Due() }); err != nil {
			s.workspace.Log().Warn("sweep", "error", err)
		}
	})
}

// aboutClock is the subject of the problem with the clock of the machine.
const aboutClock = "clock"

// tellClock warns people about the clock of the machine.
func (s *Service) tellClock() {
	if problem, is := s.workspace.Sessions().ClockProblem(s.workspace.Now()); is {
		s.workspace.SetProblem(aboutClock, problem)
	} else {
		s.workspace.ClearProblem(aboutClock)
	}
}

// Poll sweeps the sessions now and then, and retries a sweep that did not fit on the queue.
func (s *Service) Poll(ctx context.Context) {
	s.tellClock()
	s.sweepIfDue()
	now := s.workspace.Now()
	if since := now.Sub(s.last); 0 <= since && since < sessionsEvery {
		return
	}
	s.last = now
	if err := s.sweepSessions(ctx); err != nil {
		s.workspace.Log().Warn("sweep the sessions", "error", err)
	}
}

func (s *Service) sweepSessions(ctx context.Context) error {
	before := s.before()
	if len(s.workspace.Sessions().Sweep(before)) > 0 {
		_, err := s.workspace.Apply(ctx, change.Actor{}, func() ([]change.Change, error) {
			return s.workspace.Sessions().Sweep(before), nil
		})
		if err != nil {
			return err
		}
	}
	_, err := s.deleteFolders(before)
	return err
}

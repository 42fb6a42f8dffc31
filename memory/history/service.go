package history

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// ErrNotKept means that the conversation of a session is not kept.
var ErrNotKept error = fault.Refuse(fault.NotFound, fault.Data{}, "the conversation of this session is not kept: "+
	"start it with wm/session/start and history: true, or set history.keep")

// A Workspace is what the service needs of its workspace.
type Workspace interface {
	room.Host
	// Sessions returns the room of the sessions.
	Sessions() *sessions.Room
}

// A Service keeps the conversations of the sessions of a workspace. What writes
// is called on the queue of the workspace.
type Service struct {
	workspace Workspace
	notes     *notes.Service

	mu   sync.Mutex
	logs map[string]Log // by session
}

// NewService returns the service of a workspace, which archives into notes.
func NewService(workspace Workspace, notes *notes.Service) *Service {
	return &Service{workspace: workspace, notes: notes, logs: map[string]Log{}}
}

// log returns the conversation of a session, kept or not.
func (s *Service) log(session string) (Log, error) {
	dir, err := s.workspace.SessionDir(session)
	if err != nil {
		return Log{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	log, there := s.logs[session]
	if !there {
		log = In(dir, Options{
			MaxBytes: func() int { return s.workspace.Settings().History.MaxBytes }, Tokens: tokens.Count,
		})
		s.logs[session] = log
	}
	return log, nil
}

// kept returns ErrNotKept if the conversation of a session is not kept.
func (s *Service) kept(session string) error {
	dir, err := s.workspace.SessionDir(session)
	if err != nil {
		return err
	}
	_, err = os.Lstat(filepath.Join(dir, store.MetaName))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotKept
	}
	return err
}

// Of returns the conversation of a session; the error is ErrNotKept if it is not
// kept. It need not be called on the queue.
func (s *Service) Of(session string) (Conversation, error) {
	if err := s.kept(session); err != nil {
		return Conversation{}, err
	}
	log, err := s.log(session)
	if err != nil {
		return Conversation{}, err
	}
	return log.Load()
}

// Keep keeps the conversation of a session from now on, with the folder that it
// needs (systems.md D1).
func (s *Service) Keep(ctx context.Context, ev event.Event) error {
	folder, err := s.notes.Folder(ev.Session)
	if err != nil {
		return err
	}
	if err := folder.Make(); err != nil {
		return notes.StoreError(err)
	}
	if err := s.describe(ev.Session); err != nil {
		return notes.StoreError(err)
	}
	return s.notes.MakeOverview(ctx, ev)
}

// redescribe brings the description up to date; nothing depends on it.
func (s *Service) redescribe(session string) {
	if err := s.describe(session); err != nil {
		s.workspace.Log().Warn("describe a session", "error", err)
	}
}

// describe writes down what session a folder is of.
func (s *Service) describe(session string) error {
	log, err := s.log(session)
	if err != nil {
		return err
	}
	conversation, err := log.Load()
	if err != nil {
		return err
	}
	known, _ := s.workspace.Sessions().Get(session)
	return log.SetMeta(Meta{
		SessionID: session, Agent: gate.Text(known.Agent), Title: gate.Text(known.Title), Worktree: known.Worktree,
		StartedAt: known.StartedAt, UpdatedAt: known.UpdatedAt, Turn: known.Turn,
		Messages: len(conversation.Messages), Compactions: len(conversation.Compactions),
	})
}

// Record appends what was said, or what a tool printed, to the conversation of a
// session that keeps it. Where nothing at all can be kept, it is no error.
func (s *Service) Record(ctx context.Context, ev event.Event) error {
	switch ev.Body.(type) {
	case event.MessageReceived, event.ToolRan:
	default:
		return nil
	}
	if _, err := s.workspace.SessionDir(ev.Session); err != nil {
		return nil // what is not kept at all goes on in memory
	}
	err := s.kept(ev.Session)
	if errors.Is(err, ErrNotKept) && s.workspace.Settings().History.Keep {
		err = s.Keep(ctx, ev)
	}
	switch {
	case errors.Is(err, ErrNotKept):
		return nil
	case err != nil:
		return notes.StoreError(err)
	}
	log, err := s.log(ev.Session)
	if err != nil {
		return err
	}
	m, err := log.Append(s.message(ev))
	if err != nil && m.ID != "" { // it is kept, only the file could not be bounded
		s.workspace.Log().Warn("bound a conversation", "error", err)
		return nil
	}
	if err != nil {
		return notes.StoreError(err)
	}
	return nil
}

// message returns what an event adds to a conversation, without its secrets.
func (s *Service) message(ev event.Event) Message {
	m := Message{ID: gate.Text(ev.ID), At: ev.At}
	if m.At.IsZero() {
		m.At = s.workspace.Now()
	}
	switch body := ev.Body.(type) {
	case event.MessageReceived:
		m.Role, m.Text, m.Tokens = body.Role, gate.Text(body.Text), body.Tokens
	case event.ToolRan:
		run := body.Run(ev.Worktree, s.workspace.Settings().Errors)
		m.Role, m.Text = Tool, gate.Text(run.Output.Stdout)
		m.Tool, m.Command = gate.Text(body.Tool), gate.Text(run.Command.Line)
	}
	return m
}

// Release brings the description of a session up to date that this process serves
// no longer.
func (s *Service) Release(session string) {
	if s.kept(session) == nil && !s.workspace.Sessions().Deleted(session) {
		s.redescribe(session)
	}
}

// Committed forgets the conversations of sessions that were deleted or swept.
func (s *Service) Committed(changes []change.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range changes {
		if c.Kind == sessions.Deleted || c.Kind == sessions.Swept {
			delete(s.logs, c.Subject)
		}
	}
}

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

// ErrNotKept is returned if the conversation of a session is not kept.
var ErrNotKept error = fault.Refuse(fault.NotFound, fault.Data{}, "the conversation of this session is not kept: "+
	"start it with wm/session/start and history: true, or set history.keep")

// A Workspace is the workspace as the service uses it.
type Workspace interface {
	room.Host
	// Sessions returns the room of the sessions.
	Sessions() *sessions.Room
	// Refresh folds changes of other processes. It must not be called in a transaction.
	Refresh(ctx context.Context)
	// ApplyDeferred is Apply for changes that need not be on the disk when it returns.
	ApplyDeferred(
		ctx context.Context, who change.Actor, decide func() ([]change.Change, error),
	) ([]change.Change, error)
}

// A Service keeps the conversations of the sessions of a workspace. Methods that write are
// called on the queue of the workspace.
type Service struct {
	workspace Workspace
	notes     *notes.Service

	// looked are the sessions whose overview was compared with their conversation since they are served.
	looked map[string]bool

	mu   sync.Mutex
	logs map[string]Log // by session
}

// NewService returns the service of a workspace. It archives messages into notes.
func NewService(workspace Workspace, notes *notes.Service) *Service {
	return &Service{workspace: workspace, notes: notes, looked: map[string]bool{}, logs: map[string]Log{}}
}

// log returns the log of a session, whether its conversation is kept or not.
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
	return keptIn(dir)
}

// keptIn returns ErrNotKept if the folder of a session has no conversation.
func keptIn(dir string) error {
	_, err := os.Lstat(filepath.Join(dir, store.MetaName))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotKept
	}
	return err
}

// IsKept reports whether the conversation of the session with a folder is kept.
func IsKept(dir string) bool { return keptIn(dir) == nil }

// Of returns the conversation of a session. The error is ErrNotKept if it is not kept. Of
// need not be called on the queue.
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

// Keep begins to keep the conversation of a session. It creates the folder and the overview
// (systems.md D1).
func (s *Service) Keep(ctx context.Context, ev event.Event) error {
	folder, err := s.notes.Folder(ev.Session)
	if err != nil {
		return err
	}
	if err := folder.Make(); err != nil {
		return notes.StoreError(err)
	}
	if err := s.describe(ctx, ev.Session); err != nil {
		return notes.StoreError(err)
	}
	return s.notes.MakeOverview(ctx, ev)
}

// aboutMeta is the subject of the problem that a session cannot be described.
const aboutMeta = "description of a session"

// tryDescribe updates the description of a session. If it fails, people are told.
func (s *Service) tryDescribe(ctx context.Context, session string) {
	if err := s.describe(ctx, session); err != nil {
		s.workspace.SetProblem(aboutMeta, room.Warning("A session cannot be described: "+fault.Plain(err),
			"The conversation itself is kept. Move the file away; it is written anew."))
		return
	}
	s.workspace.ClearProblem(aboutMeta)
}

// describe writes the description of a session.
func (s *Service) describe(ctx context.Context, session string) error {
	log, err := s.log(session)
	if err != nil {
		return err
	}
	return log.describe(func(conversation Conversation) Meta {
		s.workspace.Refresh(ctx)
		known, _ := s.workspace.Sessions().Get(session)
		return Meta{
			SessionID: session, Agent: gate.Text(known.Agent), Title: gate.Text(known.Title), Worktree: known.Worktree,
			StartedAt: known.StartedAt, UpdatedAt: known.UpdatedAt, Turn: known.Turn,
			Messages: len(conversation.Messages), Compactions: len(conversation.Compactions),
		}
	})
}

// Record appends a message or the output of a tool to the conversation of a session, if it
// is kept. Without a store it does nothing.
func (s *Service) Record(ctx context.Context, ev event.Event) error {
	switch ev.Body.(type) {
	case event.MessageReceived, event.ToolRan:
	default:
		return nil
	}
	if _, err := s.workspace.SessionDir(ev.Session); err != nil {
		return nil // without a store, the workspace works in memory
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
	if err != nil && m.ID != "" { // it is kept, but the file could not be shortened
		s.workspace.Log().Warn("shorten a conversation", "error", err)
		return nil
	}
	if err != nil {
		return notes.StoreError(err)
	}
	return nil
}

// message returns the message for an event, which was redacted when it entered the workspace.
func (s *Service) message(ev event.Event) Message {
	m := Message{ID: gate.Text(ev.ID), At: ev.At}
	if m.At.IsZero() {
		m.At = s.workspace.Now()
	}
	switch body := ev.Body.(type) {
	case event.MessageReceived:
		m.Role, m.Text, m.Tokens = body.Role, body.Text, body.Tokens
	case event.ToolRan:
		run := body.Run(ev.Worktree, s.workspace.Settings().Errors)
		m.Role, m.Text = Tool, run.Output.Stdout
		m.Tool, m.Command = body.Tool, run.Command.Line
	}
	return m
}

// Poll looks once at each served session whose conversation is kept, whether its overview
// describes the last compaction: the process that compacted it may have been killed.
func (s *Service) Poll(ctx context.Context) {
	for _, session := range s.workspace.Served() {
		if s.looked[session] || s.workspace.Paused() {
			continue
		}
		s.looked[session] = true
		if s.kept(session) == nil {
			s.tryDescribeCompactions(ctx, event.Event{Session: session})
		}
	}
}

// Release updates the description of a session that this process no longer serves, unless
// the session was deleted or purged.
func (s *Service) Release(session string) {
	delete(s.looked, session)
	known, there := s.workspace.Sessions().Get(session)
	if there && !known.Deleted && s.kept(session) == nil {
		s.tryDescribe(context.Background(), session)
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

package service

import (
	"cmp"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A View is a workspace as one request sees it: the folder, the session, who asks.
type View struct {
	*memory.Workspace
	folder *folder
	who    change.Actor
	task   string
	// The client's own agent and session.
	client, own string
	// attach is whether the client owns no session, see wire.InitializationOptions.
	attach bool
	// named is whether the request names the session.
	named bool
}

// View returns the workspace that params mean: the one that they name, else that of
// the file that they name, else the first.
func (s *Service) View(params Params) (*View, error) {
	file := ""
	if p, names := params.(*wire.DiagnosticsChangedParams); names {
		file = p.URI
	}
	return s.folders.view(params.Common(), file)
}

// ViewOfFile returns the workspace that params mean, or else that of a file, which
// may be empty.
func (s *Service) ViewOfFile(params Params, uri string) (*View, error) {
	return s.folders.view(params.Common(), uri)
}

// Actor returns in whose name the request acts. The agent of a session that is named
// without one is known from the session's start.
func (v *View) Actor() change.Actor {
	actor := v.who
	if known, _ := v.Sessions().Get(actor.Session); actor.Agent == "" {
		actor.Agent = cmp.Or(known.Agent, v.client)
	}
	return actor
}

// worktree is what paths are relative to.
func (v *View) worktree() string { return v.folder.place.Worktree }

// event makes an event of what this view's session did.
func (v *View) event(body any) event.Event {
	actor := v.Actor()
	return event.Event{
		At: actor.At, Session: actor.Session, Agent: actor.Agent, Task: v.task, Worktree: v.worktree(),
		Attached: v.attach || actor.Session != v.own, Body: body,
	}
}

// writing is the event of the client writing into what is kept of this view's
// session, which need not be its own.
func (v *View) writing() event.Event { return v.event(event.Written{Own: v.who.Session == v.own}) }

// moment is a time that a member of params gives, zero if it gives none.
func moment(field string, given wire.Time) (time.Time, error) {
	at, err := given.Parse()
	if err != nil {
		return at, fault.Invalid(field, "must be a time such as 2026-03-01T09:30:00.000Z, got %q", given)
	}
	if year := at.UTC().Year(); !at.IsZero() && (year < 1970 || year > 9999) {
		return at, fault.Invalid(field, "must lie between the years 1970 and 9999, got %q", given)
	}
	return at, nil
}

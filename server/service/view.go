package service

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/process"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A View is a workspace as seen by one request: with its folder, session and actor.
type View struct {
	*memory.Workspace
	folder *folder
	who    change.Actor
	task   string
	// client is the client's own agent, own its own session.
	client, own string
	// attach reports whether the client owns no session, see wire.InitializationOptions.
	attach bool
	// host is the process of the agent for whose event the client lives, "" if it is not known.
	host process.ID
	// tools are the names by which the client's agent calls methods.
	tools map[string]string
	// person is true if the client is an editor that named no agent.
	person bool
	// typed is Client.Typed.
	typed bool
	// named reports whether the request names the session.
	named bool
	// ignored are the members of the params that were ignored, see Ignores.
	ignored []string
	config  *configuration
	cores   *cores.Cores // those of Options
}

// mostIgnored is how many ignored members an answer names.
const mostIgnored = 10

// Ignores notes members of the params that are not known. An answer that would be another one with them names the first
// of them.
func (v *View) Ignores(unknown []wire.UnknownMember) {
	for _, member := range unknown[:min(len(unknown), mostIgnored)] {
		v.ignored = append(v.ignored, fmt.Sprintf("%s is not known; known are %s", member.Name,
			strings.Join(member.Known, ", ")))
	}
}

// View returns the workspace that params name. By default it is the workspace of the
// file in params, or else of the first folder.
func (s *Service) View(params Params) (*View, error) {
	file := ""
	if p, ok := params.(*wire.DiagnosticsChangedParams); ok {
		file = p.URI
	}
	return s.ViewOfFile(params, file)
}

// ViewOfFile returns the workspace that params name. By default it is the workspace
// of the file, or else of the first folder. The URI may be empty.
func (s *Service) ViewOfFile(params Params, uri string) (*View, error) {
	p := params.Common()
	at, err := parseTime("at", p.At)
	if err != nil {
		return nil, err
	}
	for field, id := range map[string]string{"agentId": p.AgentID, "taskId": p.TaskID} {
		if err := checkID(field, id); err != nil {
			return nil, err
		}
	}
	path := ""
	if uri != "" {
		if path, err = filePath(uri); err != nil {
			return nil, fault.Invalid("uri", "%v", err)
		}
	}
	chosen, err := s.folders.choose(p.Workspace, path)
	if err != nil {
		return nil, err
	}
	v := s.ownView(chosen)
	v.who = change.Actor{Session: cmp.Or(storedSessionID(p.SessionID), v.own), Agent: p.AgentID, At: at}
	if v.who.Agent == "" && v.who.Session == v.own {
		v.who.Agent = v.client
	}
	v.task, v.named = p.TaskID, p.SessionID != ""
	return v, nil
}

// ownView returns the view of the client's own session in a folder.
func (s *Service) ownView(at *folder) *View {
	return &View{
		Workspace: at.workspace, folder: at, who: change.Actor{Session: s.session(), Agent: s.agent},
		client: s.agent, own: s.session(), attach: s.attach, host: s.options.Host, tools: s.tools,
		person: s.person, typed: s.typed, config: &s.config, cores: s.options.Cores,
	}
}

// parseTime returns the time in a parameter, or the zero time if it is empty.
func parseTime(field string, value wire.Time) (time.Time, error) {
	at, err := value.Parse()
	if err != nil {
		return at, fault.Invalid(field, "must be a time such as 2026-03-01T09:30:00.000Z, got %q", value)
	}
	if year := at.UTC().Year(); !at.IsZero() && (year < 1970 || year > 9999) {
		return at, fault.Invalid(field, "must be between the years 1970 and 9999, got %q", value)
	}
	return at, nil
}

// Actor returns the actor of the request. If the request names a session without an
// agent, it is the agent that started the session.
func (v *View) Actor() change.Actor {
	actor := v.who
	if known, _ := v.Sessions().Get(actor.Session); actor.Agent == "" {
		actor.Agent = cmp.Or(known.Agent, v.client)
	}
	actor.Person = v.personIn(v.isPerson())
	return actor
}

// personIn returns where a person makes the changes of the request, empty if no person does.
func (v *View) personIn(isPerson bool) string {
	switch {
	case v.typed:
		return "a terminal"
	case isPerson:
		return cmp.Or(v.client, "an editor")
	}
	return ""
}

// worktree returns the folder that paths are relative to.
func (v *View) worktree() string { return v.folder.place.Worktree }

// FileURI returns the URI of a file whose path is relative to the worktree, or absolute.
func (v *View) FileURI(path string) string { return panel.FileURI(v.worktree(), path) }

// allProblems returns what a person should know about: the problems of the workspace and those of the settings.
func (v *View) allProblems() []memory.Problem {
	return append(v.Problems(), v.config.problemsOf(v.Root(), v.Settings())...)
}

// Failures returns the problems by which something does not work.
func (v *View) Failures() []memory.Problem {
	return slices.DeleteFunc(v.Problems(), func(p memory.Problem) bool {
		return p.Severity != string(wire.ProblemError)
	})
}

// Obstacles returns why the folder or its memory cannot be used, as sentences. That the home folder and the root of
// the file system have no memory is meant so, and no obstacle.
func (v *View) Obstacles() (said []string) {
	var cause syscall.Errno // why the system does not open the folder
	if reason := v.NoWorkspace(); errors.As(reason, &cause) || errors.Is(reason, ErrNoHome) {
		said = append(said, reason.Error()+".")
	}
	return append(said, v.failed()...)
}

// failed returns the failures as sentences.
func (v *View) failed() (said []string) {
	for _, problem := range v.Failures() {
		said = append(said, problem.String())
	}
	return said
}

// Unopened returns a refusal if the memory cannot be opened. It returns nil if the memory is open, or is being opened
// or closed.
func (v *View) Unopened() error {
	if v.Healthy() {
		return nil
	}
	said := v.failed()
	if len(said) == 0 {
		return nil
	}
	return fault.Refuse(fault.Store, fault.Data{}, "the memory cannot be opened: %s",
		strings.TrimRight(strings.Join(said, " "), "."))
}

// event returns an event of the view's session.
func (v *View) event(body any) event.Event {
	actor := v.Actor()
	return event.Event{
		At: actor.At, Session: actor.Session, Agent: actor.Agent, Task: v.task, Worktree: v.worktree(),
		Editor: v.person && actor.Session == v.own, Attached: v.attach || actor.Session != v.own,
		Host: v.host, Hook: os.Getpid(), Body: body,
	}
}

// operated returns the event that a program writes to the memory of the view's session by an operation that no editor
// offers to a person. It is called on the queue.
func (v *View) operated() event.Event { return v.event(event.Written{Own: v.who.Session == v.own}) }

// written returns the event that the client writes to the memory of the view's
// session, which may not be the client's own. It is called on the queue.
func (v *View) written() event.Event {
	ev := v.operated()
	ev.Person = v.personIn(v.isPerson() || v.helps())
	return ev
}

// helps reports whether a person at an editor writes to the session of an agent: one of another process.
func (v *View) helps() bool {
	known, _ := v.Sessions().Get(v.who.Session)
	return v.person && v.who.Agent == "" && known.Agent != "" && known.Agent != v.client &&
		!v.Serves(v.who.Session)
}

// The rooms of the workspace.

func (v *View) core() *core.Room { return memory.RoomOf[*core.Room](v.Workspace) }

func (v *View) hot() *hot.Room { return memory.RoomOf[*hot.Room](v.Workspace) }

func (v *View) longterm() *longterm.Room { return memory.RoomOf[*longterm.Room](v.Workspace) }

func (v *View) working() *working.Room { return memory.RoomOf[*working.Room](v.Workspace) }

// used returns how full the context of the view's session is.
func (v *View) used() pressure.Pressure {
	return memory.RoomOf[*pressure.Room](v.Workspace).Of(v.who.Session)
}

// The services of the workspace.

func (v *View) history() *history.Service { return memory.ServiceOf[*history.Service](v.Workspace) }

func (v *View) notes() *notes.Service { return memory.ServiceOf[*notes.Service](v.Workspace) }

func (v *View) outputs() *outputs.Service { return memory.ServiceOf[*outputs.Service](v.Workspace) }

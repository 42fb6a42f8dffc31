package service

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A folder is one that the client has open, with its memory.
type folder struct {
	uri       string
	place     scope.Place
	workspace *memory.Workspace
	scope     *scope.Scope // nil where there is no memory
}

// folders are the folders of a client, in the client's order, and the
// memories behind them: several folders of a repository share one.
type folders struct {
	service *Service

	mu         sync.RWMutex
	open       []*folder
	workspaces map[string]*opened // by key
	nowhere    *memory.Workspace
}

type opened struct {
	*memory.Workspace
	settings *atomic.Pointer[inForce]
	root     string
}

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

// Actor returns in whose name the request acts. The agent of a session that is named
// without one is known from the session's start.
func (v *View) Actor() change.Actor {
	actor := v.who
	if known, _ := v.Sessions().Get(actor.Session); actor.Agent == "" {
		actor.Agent = cmp.Or(known.Agent, v.client)
	}
	return actor
}

// initialize opens the folders of a client and returns the worktree of the first.
func (f *folders) initialize(uris []string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.workspaces = map[string]*opened{}
	f.nowhere = memory.Disabled(scope.ErrNoWorkspace, f.memoryOptions(f.service.config.current()))
	for _, uri := range uris {
		f.open = append(f.open, f.enter(uri))
	}
	if len(f.open) == 0 {
		return ""
	}
	return f.open[0].place.Worktree
}

func (f *folders) memoryOptions(current func() *inForce) memory.Options {
	return memory.Options{
		DataDir: f.service.options.DataDir, Storage: memory.StorageOf(sqlite.Open, sqlite.SetAside),
		Log: f.service.log, Changed: f.service.notifier.changed, Rooms: f.service.options.Rooms,
		Settings:           func() *settings.Settings { return current().Settings },
		SettingsGeneration: func() int64 { return current().generation },
	}
}

// enter opens the memory of a folder. One that has none is kept with the reason.
func (f *folders) enter(uri string) *folder {
	entered := &folder{uri: uri, workspace: f.nowhere}
	path, err := filePath(uri)
	if err == nil {
		entered.place, err = scope.Locate(path, f.service.config.current()().Root)
	} else {
		err = fmt.Errorf("%w: %w", scope.ErrNoWorkspace, err)
	}
	if err != nil {
		f.service.log.Warn("a folder has no memory", "error", err)
		entered.place.Folder = path
		entered.workspace = memory.Disabled(err, f.memoryOptions(f.service.config.current()))
		return entered
	}
	known, there := f.workspaces[entered.place.Key]
	if !there {
		known = &opened{settings: &atomic.Pointer[inForce]{}, root: entered.place.Root}
		known.settings.Store(f.service.config.forRepository(known.root))
		known.Workspace = memory.Open(entered.place, f.memoryOptions(known.settings.Load))
		f.workspaces[entered.place.Key] = known
	}
	entered.workspace, entered.scope = known.Workspace, known.Enter(entered.place)
	return entered
}

// change follows folders that the client adds and removes, and returns those whose
// memory no folder has any more. It stays open: sessions of it may still be told of.
func (f *folders) change(added, removed []string) (left []*folder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept, gone := []*folder{}, []*folder{}
	for _, known := range f.open {
		if slices.Contains(removed, known.uri) {
			gone = append(gone, known)
		} else {
			kept = append(kept, known)
		}
	}
	for _, uri := range added {
		kept = append(kept, f.enter(uri))
	}
	f.open = kept
	return slices.DeleteFunc(gone, func(g *folder) bool {
		return slices.ContainsFunc(kept, func(k *folder) bool { return k.workspace == g.workspace })
	})
}

// reconfigure gives every workspace the settings that are in force now.
func (f *folders) reconfigure() {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, known := range f.workspaces {
		known.settings.Store(f.service.config.forRepository(known.root))
	}
}

// view finds the workspace that params mean: the one that they name, else that
// of the file that they name, else the first.
func (f *folders) view(params *wire.Params, file string) (*View, error) {
	at, err := moment("at", params.At)
	if err != nil {
		return nil, err
	}
	path := ""
	if file != "" {
		if path, err = filePath(file); err != nil {
			return nil, fault.Invalid("uri", "%v", err)
		}
	}
	target, err := f.choose(params.Workspace, path)
	if err != nil {
		return nil, err
	}
	found := f.own(target)
	found.who = change.Actor{Session: sessionKept(cmp.Or(params.SessionID, found.own)), Agent: params.AgentID, At: at}
	if found.who.Agent == "" && found.who.Session == found.own {
		found.who.Agent = found.client
	}
	found.task, found.named = params.TaskID, params.SessionID != ""
	return found, nil
}

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

func (f *folders) choose(uri, path string) (*folder, error) {
	if uri == "" {
		f.mu.RLock()
		defer f.mu.RUnlock()
		if found := f.holding(path); found != nil {
			return found, nil
		}
		if len(f.open) > 0 {
			return f.open[0], nil
		}
		return &folder{workspace: f.nowhere}, nil
	}
	named, err := filePath(uri)
	if err != nil {
		return nil, fault.Invalid("workspace", "%v", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, known := range f.open {
		if filepath.Clean(named) == known.place.Folder {
			return known, nil
		}
	}
	// Agents may name a folder without opening it first.
	found := f.enter(uri)
	if found.scope == nil {
		return nil, found.workspace.NoWorkspace()
	}
	return found, nil
}

// holding returns the folder that holds a file, the innermost where several do;
// nil where none does.
func (f *folders) holding(path string) *folder {
	var found *folder
	if path == "" {
		return nil
	}
	for _, known := range f.open {
		if known.scope == nil {
			continue
		}
		if _, inside := known.scope.Rel("", path); !inside ||
			found != nil && len(known.place.Folder) <= len(found.place.Folder) {
			continue
		}
		found = known
	}
	return found
}

// locate returns the view of the client's session on the folder of a file,
// and the file's path in it; false where no folder holds it.
func (f *folders) locate(uri string) (*View, string, bool) {
	path, err := filePath(uri)
	if err != nil {
		return nil, "", false
	}
	f.mu.RLock()
	found := f.holding(path)
	f.mu.RUnlock()
	if found == nil {
		return nil, "", false
	}
	rel, _ := found.scope.Rel("", path)
	return f.own(found), rel, true
}

// own returns the view of the client's session on a folder.
func (f *folders) own(at *folder) *View {
	s := f.service
	return &View{
		Workspace: at.workspace, folder: at, who: change.Actor{Session: s.session, Agent: s.agent},
		client: s.agent, own: s.session, attach: s.attach,
	}
}

// all returns the folders that are open.
func (f *folders) all() []*folder {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return append([]*folder{}, f.open...)
}

func (f *folders) close(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var closing sync.WaitGroup
	for _, known := range f.workspaces {
		closing.Go(func() { known.Close(ctx) })
	}
	if f.nowhere != nil {
		f.nowhere.Close(ctx)
	}
	done := make(chan struct{})
	go func() {
		closing.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		f.service.log.Error("not everything could be written before the end", "error", ctx.Err())
	}
}

package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

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

// folders are the folders of a connection, in the client's order, and the
// memories behind them: several folders of a repository share one.
type folders struct {
	server *Server

	mu         sync.RWMutex
	open       []*folder
	workspaces map[string]*opened // by key

	nowhere     *memory.Workspace // without a folder, made when it is first needed
	nowhereOnce sync.Once
}

type opened struct {
	*memory.Workspace
	settings *atomic.Pointer[inForce]
	root     string
}

// A view is a workspace as one request sees it: the folder, the session, who asks.
type view struct {
	*memory.Workspace
	folder *folder
	who    change.Actor
	task   string
	// The connection's own agent and session.
	client, own string
	// attach is whether the connection owns no session, see wire.InitializationOptions.
	attach bool
	// named is whether the request names the session.
	named bool
}

// worktree is what paths are relative to.
func (v *view) worktree() string { return v.folder.place.Worktree }

// event makes an event of what this view's session did.
func (v *view) event(body any) event.Event {
	actor := v.actor()
	return event.Event{
		At: actor.At, Session: actor.Session, Agent: actor.Agent, Task: v.task, Worktree: v.worktree(),
		Attached: v.attach || actor.Session != v.own, Body: body,
	}
}

// writing is the event of the client writing into what is kept of this view's
// session, which need not be its own.
func (v *view) writing() event.Event { return v.event(event.Written{Own: v.who.Session == v.own}) }

// actor is in whose name the request acts. The agent of a session that is named
// without one is known from the session's start.
func (v *view) actor() change.Actor {
	actor := v.who
	if known, _ := v.Sessions().Get(actor.Session); actor.Agent == "" {
		actor.Agent = cmp.Or(known.Agent, v.client)
	}
	return actor
}

func (f *folders) initialize(params *initializeParams) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.workspaces = map[string]*opened{}
	uris := []string{}
	for _, given := range params.WorkspaceFolders {
		uris = append(uris, given.URI)
	}
	if len(uris) == 0 && params.RootURI != nil {
		uris = append(uris, *params.RootURI)
	}
	if len(uris) == 0 && params.RootPath != nil && *params.RootPath != "" {
		uris = append(uris, fileURI(*params.RootPath))
	}
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
		DataDir: f.server.options.DataDir, Storage: memory.StorageOf(f.openStore, sqlite.SetAside),
		Log: f.server.log, Changed: f.server.notifier.changed,
		Settings:           func() *settings.Settings { return current().Settings },
		SettingsGeneration: func() int64 { return current().generation },
	}
}

// openStore opens what keeps a memory. From then on there is something to lose.
func (f *folders) openStore(ctx context.Context, dir string, log *slog.Logger) (*sqlite.Store, error) {
	f.server.listen()
	return sqlite.Open(ctx, dir, log)
}

// enter opens the memory of a folder. One that has none is kept with the reason.
func (f *folders) enter(uri string) *folder {
	entered := &folder{uri: uri}
	path, err := filePath(uri)
	if err == nil {
		entered.place, err = scope.Locate(path, f.server.config.current()().Root)
	} else {
		err = fmt.Errorf("%w: %w", scope.ErrNoWorkspace, err)
	}
	if err != nil {
		f.server.log.Warn("a folder has no memory", "error", err)
		entered.place.Folder = path
		entered.workspace = memory.Nowhere(err, f.memoryOptions(f.server.config.current()))
		return entered
	}
	known, there := f.workspaces[entered.place.Key]
	if !there {
		known = &opened{settings: &atomic.Pointer[inForce]{}, root: entered.place.Root}
		known.settings.Store(f.server.config.forRepository(known.root))
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
		known.settings.Store(f.server.config.forRepository(known.root))
	}
}

// view finds the workspace that params mean: the one that they name, else that
// of the file that they name, else the first.
func (f *folders) view(params *wire.Params, file string) (*view, error) {
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
	client := f.server.client
	who := change.Actor{Session: sessionKept(cmp.Or(params.SessionID, client.session)), Agent: params.AgentID, At: at}
	if who.Agent == "" && who.Session == client.session {
		who.Agent = client.agent
	}
	return &view{
		Workspace: target.workspace, folder: target, task: params.TaskID, who: who,
		client: client.agent, own: client.session, attach: client.attach, named: params.SessionID != "",
	}, nil
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
		f.nowhereOnce.Do(func() {
			f.nowhere = memory.Nowhere(scope.ErrNoWorkspace, f.memoryOptions(f.server.config.current()))
		})
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
		if _, inside := known.scope.Rel("", path); !inside || found != nil && len(known.place.Folder) <= len(found.place.Folder) {
			continue
		}
		found = known
	}
	return found
}

// locate returns the view of the connection's session on the folder of a file,
// and the file's path in it; false where no folder holds it.
func (f *folders) locate(uri string) (*view, string, bool) {
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

// own returns the view of the connection's session on a folder.
func (f *folders) own(at *folder) *view {
	client := f.server.client
	return &view{
		Workspace: at.workspace, folder: at, who: change.Actor{Session: client.session, Agent: client.agent},
		client: client.agent, own: client.session, attach: client.attach,
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
		f.server.log.Error("not everything could be written before the end", "error", ctx.Err())
	}
}

// sessionID is the id of a connection that names none: a hash of what stays the
// same when an editor restarts its server and differs for every other editor
// process (architecture, "Identity"). Without a process it is random.
func sessionID(folder, client string, pid *int) string {
	if pid == nil || *pid <= 0 {
		return uuid.NewString()
	}
	started, err := processStart(*pid)
	if err != nil && errors.Is(err, errors.ErrUnsupported) {
		return uuid.NewString()
	}
	parts := []string{folder, client, fmt.Sprint(*pid), fmt.Sprint(started.UnixMilli())}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

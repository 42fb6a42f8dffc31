package service

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
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

// initialize opens the folders of a client and returns the worktree of the first.
func (f *folders) initialize(uris []string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.workspaces = map[string]*opened{}
	f.nowhere = memory.Nowhere(scope.ErrNoWorkspace, f.memoryOptions(f.service.config.current()))
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
		entered.workspace = memory.Nowhere(err, f.memoryOptions(f.service.config.current()))
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

// Locate returns the view of the client's session on the folder of a file, and
// the file's path in it; false if no folder holds it.
func (s *Service) Locate(uri string) (at *View, path string, inside bool) {
	return s.folders.locate(uri)
}

// ChangeFolders follows folders that the client adds and removes. It returns the
// views of those whose memory no folder has any more, see Leave.
func (s *Service) ChangeFolders(added, removed []string) (left []*View) {
	for _, gone := range s.folders.change(added, removed) {
		left = append(left, s.folders.own(gone))
	}
	s.notifier.everything()
	return left
}

// Leave ends the client's session in the memory of a folder that it has no more,
// as if the client had gone: nobody would take its diagnostics back. One that the
// client is only attached to goes on.
func (s *Service) Leave(at *View) {
	if s.attach {
		return
	}
	at.Do(func() {
		if err := at.EndSession(context.Background(), at.event(nil)); err != nil {
			s.log.Warn("end the session in a folder that was removed", "error", err)
		}
	})
}

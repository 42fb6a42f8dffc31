package service

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/limits"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

// A folder is an open folder of the client, with its workspace.
type folder struct {
	uri       string
	place     scope.Place
	workspace *memory.Workspace
	scope     *scope.Scope // nil if the folder has no memory

	// own is the view of the client's own session, which all documents of the folder share.
	own     *View
	ownOnce sync.Once

	// offered is what was found last of the memory of other programs.
	offered atomic.Pointer[offered]
}

// folders are the open folders of the client, in the client's order, and their
// workspaces. Folders of the same repository share a workspace.
//
// The lock guards the fields only. Files are read, and workspaces opened and closed,
// without it.
type folders struct {
	service *Service

	mu         sync.RWMutex
	open       []*folder
	workspaces map[string]*openWorkspace // by key
	closed     bool

	// disabled is the workspace of requests without a folder, made when it is needed.
	disabled     atomic.Pointer[memory.Workspace]
	disabledOnce sync.Once

	// abandoned is true if the client is gone without having ended its sessions.
	abandoned atomic.Bool

	// reconfigured counts the calls of reconfigure.
	reconfigured atomic.Int64
}

// An openWorkspace is a workspace with its settings in force.
type openWorkspace struct {
	root     string
	settings atomic.Pointer[inForce]
	// get opens the workspace at the first call and returns it; opened is it from then on.
	get    func() *memory.Workspace
	opened atomic.Pointer[memory.Workspace]
}

// initialize opens the folders of the client and returns the worktree of the first.
func (f *folders) initialize(uris []string) string {
	f.mu.Lock()
	f.workspaces = map[string]*openWorkspace{}
	f.mu.Unlock()
	opened := f.openAll(uris)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open = opened
	if len(opened) == 0 {
		return ""
	}
	return opened[0].place.Worktree
}

func (f *folders) openAll(uris []string) []*folder {
	opened := make([]*folder, 0, len(uris))
	for _, uri := range uris {
		opened = append(opened, f.openFolder(uri))
	}
	return opened
}

func (f *folders) memoryOptions(current func() *inForce) memory.Options {
	return memory.Options{
		DataDir: f.service.options.DataDir, Storage: memory.StorageOf(sqlite.Open, sqlite.SetAside),
		Log: f.service.log, Changed: f.service.notifier.changed, Rooms: f.service.options.Rooms,
		Cores:              f.service.options.Cores,
		Brief:              f.service.options.Brief,
		Unseen:             f.service.options.Unseen,
		Tell:               func(message string) { f.service.options.Outbox.Tell(message) },
		Settings:           func() *settings.Settings { return current().Settings },
		SettingsGeneration: func() int64 { return current().generation },
		Limits:             f.service.config.limits,
	}
}

// openFolder opens a folder and its workspace. If the folder has no memory, it is
// returned with the reason. The lock must not be held.
func (f *folders) openFolder(uri string) *folder {
	opened := &folder{uri: uri}
	path, err := filePath(uri)
	if err == nil {
		opened.place, err = scope.Locate(path, f.service.config.current()().Root)
	} else {
		err = fmt.Errorf("%w: %w", scope.ErrNoWorkspace, err)
	}
	if err == nil && f.service.options.DataDir == "" {
		err = ErrNoHome
	}
	if err == nil && f.service.options.Existing {
		err = existing(f.service.options.DataDir, opened.place)
	}
	var w *openWorkspace
	if err == nil {
		w, err = f.workspaceAt(opened.place)
	}
	if err != nil {
		f.service.log.Warn("a folder has no memory", "error", err)
		opened.place.Folder = path
		opened.workspace = memory.Disabled(err, f.memoryOptions(f.service.config.current()))
		return opened
	}
	opened.workspace = w.get()
	opened.scope = opened.workspace.Enter(opened.place)
	return opened
}

// workspaceAt returns the workspace of a place, which may not be open yet.
func (f *folders) workspaceAt(place scope.Place) (*openWorkspace, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, errClosing
	}
	w, ok := f.workspaces[place.Key]
	if !ok {
		w = &openWorkspace{root: place.Root}
		w.get = sync.OnceValue(func() *memory.Workspace {
			f.loadSettings(w)
			opened := memory.Open(place, f.memoryOptions(w.settings.Load))
			w.opened.Store(opened)
			return opened
		})
		f.workspaces[place.Key] = w
	}
	return w, nil
}

// loadSettings puts the current settings of a workspace in force. It reads them again
// if reconfigure is called meanwhile, so the newest are in force at the end.
func (f *folders) loadSettings(w *openWorkspace) {
	for {
		before := f.reconfigured.Load()
		w.settings.Store(f.service.config.forRepository(w.root))
		if f.reconfigured.Load() == before {
			return
		}
	}
}

// reconfigure reads the settings of all workspaces again.
func (f *folders) reconfigure() {
	f.reconfigured.Add(1)
	f.mu.RLock()
	list := make([]*openWorkspace, 0, len(f.workspaces))
	for _, w := range f.workspaces {
		list = append(list, w)
	}
	f.mu.RUnlock()
	for _, w := range list {
		f.loadSettings(w)
		if opened := w.opened.Load(); opened != nil { // others record them when they are opened
			opened.Do(func() { memory.ServiceOf[*limits.Service](opened).Record(context.Background()) })
		}
	}
}

// change opens added folders and removes others. It returns the removed folders whose
// workspace has no other open folder. The workspace stays open, because sessions in
// it may still be reported.
func (f *folders) change(added, removed []string) (left []*folder) {
	opened := f.openAll(added)
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
	f.open = append(kept, opened...)
	return slices.DeleteFunc(gone, func(g *folder) bool {
		return slices.ContainsFunc(f.open, func(k *folder) bool { return k.workspace == g.workspace })
	})
}

// choose returns the folder of a request: the one with the URI, or the one that
// contains the path, or the first. Both may be empty.
func (f *folders) choose(uri, path string) (*folder, error) {
	if uri == "" {
		if found := f.containingOrFirst(path); found != nil {
			return found, nil
		}
		f.disabledOnce.Do(func() {
			f.disabled.Store(memory.Disabled(scope.ErrNoWorkspace, f.memoryOptions(f.service.config.current())))
		})
		return &folder{workspace: f.disabled.Load()}, nil
	}
	named, err := filePath(uri)
	if err != nil {
		return nil, fault.Invalid("workspace", "%v", err)
	}
	for _, known := range f.all() {
		if filepath.Clean(named) == known.place.Folder {
			return known, nil
		}
	}
	// Agents may use a folder that the client has not opened.
	opened := f.openFolder(uri)
	if opened.scope == nil {
		defer opened.workspace.Close(context.Background())
		return nil, opened.workspace.NoWorkspace()
	}
	return opened, nil
}

// containingOrFirst returns the open folder that contains a file, or else the first, or nil.
func (f *folders) containingOrFirst(path string) *folder {
	open := f.all()
	if found := containing(open, path); found != nil {
		return found
	}
	if len(open) > 0 {
		return open[0]
	}
	return nil
}

// containing returns the innermost folder that contains a file, or nil. It follows links, so the
// lock must not be held.
func containing(open []*folder, path string) *folder {
	var found *folder
	if path == "" {
		return nil
	}
	for _, known := range open {
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

// locate returns the folder of a file and the file's path in its worktree. It returns
// false if no open folder contains the file.
func (f *folders) locate(uri string) (*folder, string, bool) {
	path, err := filePath(uri)
	if err != nil {
		return nil, "", false
	}
	found := containing(f.all(), path)
	if found == nil {
		return nil, "", false
	}
	rel, _ := found.scope.Rel("", path)
	return found, rel, true
}

// all returns the open folders.
func (f *folders) all() []*folder {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return slices.Clone(f.open)
}

// close closes all workspaces. It returns when they are closed or ctx is done.
func (f *folders) close(ctx context.Context) {
	f.mu.Lock()
	f.closed = true
	var closing sync.WaitGroup
	for _, w := range f.workspaces {
		closing.Go(func() {
			opened := w.get()
			if f.abandoned.Load() {
				opened.Abandon()
			}
			opened.Close(ctx)
		})
	}
	if disabled := f.disabled.Load(); disabled != nil {
		closing.Go(func() { disabled.Close(ctx) })
	}
	f.mu.Unlock()
	done := make(chan struct{})
	go func() {
		closing.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		f.service.log.Error("not all changes were written before the deadline", "error", ctx.Err())
	}
}

// Locate returns the client's session in the folder of a file, and the file's path
// relative to the worktree. It returns false if no open folder contains the file.
func (s *Service) Locate(uri string) (at *View, path string, ok bool) {
	found, path, ok := s.folders.locate(uri)
	if !ok {
		return nil, "", false
	}
	found.ownOnce.Do(func() { found.own = s.ownView(found) })
	return found.own, path, true
}

// Return begins the session of an editor in the folders where it had another one before, so that others see
// that it is back, such as a window that was reloaded. Elsewhere its session begins with its first event.
func (s *Service) Return() {
	if !s.person {
		return
	}
	for _, open := range s.folders.all() {
		if open.scope == nil {
			continue
		}
		at := s.ownView(open)
		at.Do(func() {
			if at.Sessions().WasHere(at.client, at.worktree(), s.began) && !at.Sessions().Live(at.own) {
				s.observe(at, event.SessionStarted{})
			}
		})
	}
}

// ChangeFolders opens and removes folders, as the client did. It returns a view for
// each workspace that has no open folder any more, for Leave.
func (s *Service) ChangeFolders(added, removed []string) (left []*View) {
	for _, gone := range s.folders.change(added, removed) {
		left = append(left, s.ownView(gone))
	}
	s.notifier.everything()
	return left
}

// Leave ends the client's session in a workspace whose folders were removed, because
// nobody would withdraw its diagnostics. A client that is only attached does not end
// the session.
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

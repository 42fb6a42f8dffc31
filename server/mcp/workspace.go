package mcp

//lint:file-ignore SA1019 hosts name their folders by roots, and only their newest version deprecates that

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

const (
	// rootsTimeout is how long requests wait for the roots of the host. After that the server uses
	// the folder that it would use if the host had none, until the roots are known.
	rootsTimeout = time.Second
	// modern is the first version of the protocol in which a server may not send requests.
	modern = "2026-07-28"
	// rootsRequest is the name of the request for the roots in a result that needs input.
	rootsRequest = "roots"
)

// A workspace opens the folders of the host when they are known. For a host with roots they
// are asked for: in older versions of the protocol after its initialization, in modern ones in
// the result of the first request that needs them.
type workspace struct {
	server *Server
	once   sync.Once // asks for the roots
	open   sync.Once // opens the folders
	ready  chan struct{}

	session sync.Once // starts the session of the server

	// client is the name of the host, follow its session. They are set when ready is closed; follow
	// is nil if the host does not name its session.
	client string
	follow *service.Follower

	mu      sync.Mutex
	folders []string // their URIs
}

// handle sets the handlers of what hosts tell of their folders.
func (w *workspace) handle(options *sdk.ServerOptions) {
	options.InitializedHandler, options.RootsListChangedHandler = w.initialized, w.rootsChanged
}

// initialized handles notifications/initialized.
func (w *workspace) initialized(_ context.Context, req *sdk.InitializedRequest) {
	w.find(req.Session)
}

// rootsChanged handles notifications/roots/list_changed.
func (w *workspace) rootsChanged(_ context.Context, req *sdk.RootsListChangedRequest) {
	go func() {
		select {
		case <-w.ready:
			if roots, err := w.roots(req.Session); err == nil {
				w.change(w.server.choose(roots))
			}
		case <-w.server.life.Done():
		}
	}()
}

// change opens and closes folders. The last change counts.
func (w *workspace) change(folders []string) {
	w.mu.Lock()
	before := w.folders
	w.folders = folders
	w.mu.Unlock()
	added := slices.DeleteFunc(slices.Clone(folders), func(f string) bool { return slices.Contains(before, f) })
	removed := slices.DeleteFunc(slices.Clone(before), func(f string) bool { return slices.Contains(folders, f) })
	for _, left := range w.server.service.ChangeFolders(added, removed) {
		w.server.service.Leave(left)
	}
	w.server.watched.changed(w.server.life, true)
}

// find opens the folders of a host of an older version, or of one without roots.
func (w *workspace) find(session *sdk.ServerSession) {
	w.once.Do(func() {
		go func() {
			late := time.AfterFunc(rootsTimeout, func() {
				w.server.log.Warn("the host has not listed its roots yet")
				w.begin(session, nil)
			})
			roots, err := w.roots(session)
			if late.Stop() {
				w.begin(session, roots)
				return
			}
			<-w.ready
			if err == nil {
				w.change(w.server.choose(roots))
			}
		}()
	})
}

// roots asks the host for its roots. It returns nil if the host has none. It waits as long as the
// connection lasts.
func (w *workspace) roots(session *sdk.ServerSession) ([]*sdk.Root, error) {
	if !hasRoots(session) || isModern(session) {
		return nil, nil
	}
	list, err := session.ListRoots(w.server.life, nil)
	if err != nil {
		w.server.log.Warn("the host has not listed its roots", "error", err)
		return nil, err
	}
	return list.Roots, nil
}

// begin opens the folders.
func (w *workspace) begin(session *sdk.ServerSession, roots []*sdk.Root) {
	w.open.Do(func() {
		name := "client"
		if p := session.InitializeParams(); p != nil && p.ClientInfo != nil && p.ClientInfo.Name != "" {
			name = p.ClientInfo.Name
		}
		folders := w.server.choose(roots)
		w.mu.Lock()
		w.folders = folders
		w.mu.Unlock()
		named := w.server.session(name)
		if w.client = name; named != "" {
			w.follow = &service.Follower{}
		}
		settings, err := json.Marshal(wire.InitializationOptions{
			SessionID: named, Agent: name, Attach: named != "",
			Strict: true, ToolNames: namesOf(w.server.tools),
		})
		if err != nil {
			panic(err)
		}
		w.server.service.Begin(service.Client{Name: name, Folders: folders, Settings: settings})
		close(w.ready)
	})
}

// An input is what a host sends with a request in answer to an earlier result.
type input struct {
	responses sdk.InputResponseMap
	state     string
}

// await returns when the folders are open. If ask is true, the host has to be asked for its
// roots, in the result of the request.
func (w *workspace) await(ctx context.Context, session *sdk.ServerSession, given input) (ask bool, err error) {
	select {
	case <-w.ready:
		return false, nil
	default:
	}
	switch {
	case !isModern(session) || !hasRoots(session):
		w.find(session)
	case given.state != rootsRequest:
		return true, nil
	default:
		var roots []*sdk.Root
		if list, is := given.responses[rootsRequest].(*sdk.ListRootsResult); is {
			roots = list.Roots
		}
		w.begin(session, roots)
	}
	select {
	case <-w.ready:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// start starts the session of the server, once.
func (w *workspace) start(ctx context.Context) {
	if w.server.options.NamedSessions {
		return
	}
	w.session.Do(func() {
		params := &wire.SessionStartParams{Params: wire.Params{SessionID: w.server.service.Session()}}
		at, err := w.server.service.View(params)
		if err != nil {
			w.server.log.Warn("start the session", "error", err)
			return
		}
		w.server.service.Post(context.WithoutCancel(ctx), w.server.operations["wm/session/start"], at, params)
	})
}

func hasRoots(session *sdk.ServerSession) bool {
	p := session.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.RootsV2 != nil
}

func isModern(session *sdk.ServerSession) bool {
	p := session.InitializeParams()
	return p != nil && p.ProtocolVersion >= modern
}

// askRoots returns the request for the roots of the host.
func askRoots() sdk.InputRequestMap {
	return sdk.InputRequestMap{rootsRequest: &sdk.ListRootsParams{}}
}

// choose returns the URIs of the folders to open: the roots, or else CLAUDE_PROJECT_DIR, or
// else the working directory, or else the one of Copilot CLI. The folder of a plugin is none.
func (s *Server) choose(roots []*sdk.Root) []string {
	var folders []string
	for _, root := range roots {
		parsed, err := url.Parse(root.URI)
		if err == nil && parsed.Scheme == "file" && !s.isPlugin(filepath.FromSlash(parsed.Path)) {
			folders = append(folders, root.URI)
		}
	}
	if len(folders) > 0 {
		return folders
	}
	for _, folder := range []string{s.environ("CLAUDE_PROJECT_DIR"), s.options.Dir} {
		if filepath.IsAbs(folder) && !s.isPlugin(folder) {
			return []string{string(uri.File(folder))}
		}
	}
	if folder := s.copilotFolder(); filepath.IsAbs(folder) {
		return []string{string(uri.File(folder))}
	}
	return nil
}

// environ returns the value of a variable.
func (s *Server) environ(name string) (value string) {
	for _, variable := range s.options.Environ {
		if key, v, _ := strings.Cut(variable, "="); key == name {
			value = v // the last one counts
		}
	}
	return value
}

// home returns the home folder, "" if there is none.
func (s *Server) home() string {
	home := s.environ("HOME")
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	return home
}

// isPlugin reports whether a folder belongs to a plugin of the host: hosts name the folder of a
// plugin in a variable, or keep plugins below a hidden folder in the home folder.
func (s *Server) isPlugin(folder string) bool {
	for _, variable := range s.options.Environ {
		key, plugin, _ := strings.Cut(variable, "=")
		if strings.HasSuffix(key, "PLUGIN_ROOT") && filepath.IsAbs(plugin) && inside(plugin, folder) {
			return true
		}
	}
	home := s.home() // without one there are no plugins below it
	if home == "" || !inside(home, folder) {
		return false
	}
	rel, err := filepath.Rel(home, folder)
	if err != nil || !strings.HasPrefix(rel, ".") {
		return false
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), func(part string) bool {
		return strings.HasSuffix(part, "plugins") || part == "extensions"
	})
}

// inside reports whether a path is a folder or in it.
func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

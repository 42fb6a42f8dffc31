package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// state is where a connection is in its life.
type state int

const (
	created     state = iota // nothing but initialize is answered
	initialized              // initialize was answered
	down                     // shutdown was answered: nothing but exit is expected
)

func (s state) String() string {
	return [...]string{"created", "initialized", "shut down"}[s]
}

// A StateError says that a message came at the wrong time of the connection's life.
type StateError struct {
	Method   string
	Expected state
	Current  state
}

func (e *StateError) Error() string {
	switch e.Current {
	case created:
		return fmt.Sprintf("%s came before initialize; send initialize first", e.Method)
	case down:
		return fmt.Sprintf("%s came after shutdown; only exit may follow it", e.Method)
	}
	return fmt.Sprintf("%s came while the server was %s, not %s", e.Method, e.Current, e.Expected)
}

// code is -32002 before initialize and -32600 otherwise, as LSP has it.
func (e *StateError) code() jsonrpc2.Code {
	if e.Current == created {
		return wire.CodeServerNotInitialized
	}
	return wire.CodeInvalidRequest
}

// lifecycle is the state of a connection.
type lifecycle struct {
	mu    sync.Mutex
	state state
}

func (l *lifecycle) is(s state) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state == s
}

// allow reports whether a message may come now.
func (l *lifecycle) allow(method string) error {
	expected := initialized
	switch method {
	case protocol.MethodInitialize:
		expected = created
	case protocol.MethodExit:
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != expected {
		return &StateError{method, expected, l.state}
	}
	return nil
}

// enter changes the state.
func (l *lifecycle) enter(next state) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = next
}

// initializeParams are the members of LSP's InitializeParams that matter here.
// The rest of what clients say of themselves is not looked at, so that nothing
// that a client makes up there can keep it from being served.
type initializeParams struct {
	ProcessID  *int `json:"processId"`
	ClientInfo *struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"clientInfo"`
	RootURI          *string         `json:"rootUri"`
	RootPath         *string         `json:"rootPath"`
	WorkspaceFolders []folderParam   `json:"workspaceFolders"`
	Options          json.RawMessage `json:"initializationOptions"`
	Trace            string          `json:"trace"`
	Capabilities     struct {
		Workspace struct {
			Configuration         bool `json:"configuration"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
		Window struct {
			ShowDocument struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
		} `json:"window"`
		TextDocument json.RawMessage `json:"textDocument"`
		Experimental struct {
			WorkingMemory wire.ClientCapability `json:"workingMemory"`
		} `json:"experimental"`
	} `json:"capabilities"`
}

type folderParam struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// folders are the URIs of the folders that the client has open. Older clients name
// a root instead.
func (p *initializeParams) folders() []string {
	uris := []string{}
	for _, given := range p.WorkspaceFolders {
		uris = append(uris, given.URI)
	}
	if len(uris) == 0 && p.RootURI != nil {
		uris = append(uris, *p.RootURI)
	}
	if len(uris) == 0 && p.RootPath != nil && *p.RootPath != "" {
		uris = append(uris, string(uri.File(*p.RootPath)))
	}
	return uris
}

// processIdentity tells a client's process from every other one; it is empty if
// that cannot be known.
func processIdentity(pid *int) string {
	if pid == nil || *pid <= 0 {
		return ""
	}
	started, err := processStart(*pid)
	if errors.Is(err, errors.ErrUnsupported) {
		return ""
	}
	return fmt.Sprintf("%d\x00%d", *pid, started.UnixMilli())
}

// client is what is known of the other side.
type client struct {
	notifications bool // wants wm/* notifications
	configuration bool // answers workspace/configuration
	watchedFiles  bool // lets file watching be registered
	showDocument  bool
	codeActions   bool // takes code actions, and not only commands
	markdown      bool // reads Markdown
}

// Prepare does what the answer to initialize would otherwise wait for: encoding/json
// looks at the types of the params, and the tables of the redaction are made. It may
// run while the first message is on its way.
func Prepare() {
	_ = json.Unmarshal([]byte("{}"), &initializeParams{})
	_ = json.Unmarshal([]byte("{}"), &wire.InitializationOptions{})
	gate.Prepare()
}

func (s *Server) initialize(_ context.Context, params *initializeParams) (any, error) {
	s.lifecycle.enter(initialized)
	capabilities := params.Capabilities
	s.client = client{
		notifications: capabilities.Experimental.WorkingMemory.Notifications,
		configuration: capabilities.Workspace.Configuration,
		watchedFiles:  capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration,
		showDocument:  capabilities.Window.ShowDocument.Support,
	}
	s.client.readsDocuments(capabilities.TextDocument)
	name := "client"
	if params.ClientInfo != nil && params.ClientInfo.Name != "" {
		name = params.ClientInfo.Name
	}
	s.trace.Store(params.Trace)
	session := s.service.Begin(service.Client{
		Name: name, Process: processIdentity(params.ProcessID), Folders: params.folders(), Settings: params.Options,
	})
	if params.ProcessID != nil {
		s.watch(*params.ProcessID)
	}
	s.later(func(context.Context) { // the first line waits for the rules of redaction
		s.log.Info("initialized", "client", name, "session", session, "folders", len(params.WorkspaceFolders))
	})
	return s.initializeResult(), nil
}

// readsDocuments takes what the client says that it can show of a document. What
// cannot be read it cannot.
func (c *client) readsDocuments(capabilities json.RawMessage) {
	var shows struct {
		CodeAction struct {
			LiteralSupport json.RawMessage `json:"codeActionLiteralSupport"`
		} `json:"codeAction"`
		Hover struct {
			ContentFormat []protocol.MarkupKind `json:"contentFormat"`
		} `json:"hover"`
	}
	_ = json.Unmarshal(capabilities, &shows)
	c.codeActions = len(shows.CodeAction.LiteralSupport) > 0
	c.markdown = slices.Contains(shows.Hover.ContentFormat, protocol.MarkupKindMarkdown)
}

// watch ends the server when the client's process is gone.
func (s *Server) watch(pid int) {
	gone := watchParent(s.life, pid)
	s.later(func(ctx context.Context) {
		select {
		case <-gone:
			s.log.Info("the client's process is gone", "pid", pid)
			s.leave(ExitUnasked)
		case <-ctx.Done():
		}
	})
}

func (s *Server) initializeResult() *protocol.InitializeResult {
	yes, incremental, scheme := true, protocol.TextDocumentSyncKindIncremental, "file"
	everything := protocol.FileOperationRegistrationOptions{Filters: []protocol.FileOperationFilter{
		{Scheme: &scheme, Pattern: protocol.FileOperationPattern{Glob: "**"}},
	}}
	methods := []string{}
	for _, m := range wire.Methods() {
		methods = append(methods, m.Name)
	}
	experimental, err := json.Marshal(map[string]any{
		"workingMemory": wire.ServerCapability{Version: wire.ProtocolVersion, Methods: methods},
	})
	if err != nil {
		panic(err)
	}
	return &protocol.InitializeResult{
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: protocol.PositionEncodingKindUTF16,
			TextDocumentSync: &protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &incremental, Save: protocol.Boolean(true)},
			Workspace: &protocol.WorkspaceOptions{
				WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{Supported: &yes, ChangeNotifications: protocol.Boolean(true)},
				FileOperations:   &protocol.FileOperationOptions{DidRename: everything, DidDelete: everything},
			},
			HoverProvider:          protocol.Boolean(true),
			CodeActionProvider:     &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{kindError, kindSelection}},
			ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: commandNames()},
			Experimental:           experimental,
		},
		ServerInfo: protocol.ServerInfo{Name: "wm-lsp", Version: protocol.NewOptional(s.options.Version)},
	}
}

// initializedNotice follows initialize: from here on the client may be asked.
func (s *Server) initializedNotice(_ context.Context, _ *struct{}) {
	s.later(func(ctx context.Context) {
		s.service.Listen()
		s.pullSettings(ctx)
		s.watchDeletedFiles(ctx)
	})
}

func (s *Server) shutdown(context.Context, *struct{}) (any, error) {
	s.lifecycle.enter(down)
	return nil, nil
}

// exitNotice ends the process: with 0 only after shutdown.
func (s *Server) exitNotice(context.Context, *struct{}) {
	if s.lifecycle.is(down) {
		s.leave(ExitOK)
		return
	}
	s.leave(ExitUnasked)
}

func (s *Server) setTrace(_ context.Context, params *protocol.SetTraceParams) {
	s.trace.Store(string(params.Value))
}

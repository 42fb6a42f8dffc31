package lsp

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// initializeParams are the members of LSP's InitializeParams that the server uses. The
// others are not decoded, so an unusual value in them causes no error.
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
		Workspace lenient[struct {
			Configuration         bool `json:"configuration"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		}] `json:"workspace"`
		Window lenient[struct {
			ShowDocument struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
			ShowMessage json.RawMessage `json:"showMessage"`
		}] `json:"window"`
		TextDocument json.RawMessage `json:"textDocument"`
		Experimental lenient[struct {
			WorkingMemory wire.ClientCapability `json:"workingMemory"`
		}] `json:"experimental"`
	} `json:"capabilities"`
}

// A lenient value is zero if it cannot be decoded. An optional member with another type, such
// as a capability of another server, does not make initialize fail.
type lenient[T any] struct{ value T }

// UnmarshalJSON implements json.Unmarshaler. It returns no error.
func (l *lenient[T]) UnmarshalJSON(doc []byte) error {
	if json.Unmarshal(doc, &l.value) != nil {
		l.value = *new(T)
	}
	return nil
}

type folderParam struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// folders returns the URIs of the open folders. Older clients send a root instead.
func (p *initializeParams) folders() []string {
	uris := []string{}
	for _, f := range p.WorkspaceFolders {
		uris = append(uris, f.URI)
	}
	if len(uris) == 0 && p.RootURI != nil {
		uris = append(uris, *p.RootURI)
	}
	if len(uris) == 0 && p.RootPath != nil && *p.RootPath != "" {
		uris = append(uris, string(uri.File(*p.RootPath)))
	}
	return uris
}

// startTime is the time after the start in which work is deferred that no response waits for.
const startTime = time.Second

// Prepare does work that would otherwise be done when the response to initialize was written: the
// types of its options are inspected. It may run while the first message is being sent.
func Prepare() {
	_ = json.Unmarshal([]byte("{}"), &wire.InitializationOptions{})
}

// prepareMore does work that the first result of wm/context would otherwise wait for: the type of the result is
// inspected.
func prepareMore() {
	_, _ = encoded(wire.ContextResult{Context: &wire.Context{}})
}

// initializing returns the handler of initialize.
func (s *Server) initializing() handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		params, err := decodeStandard[initializeParams](doc)
		return task{run: func(context.Context) (any, error) {
			s.initialize(params)
			return s.greeting()
		}}, err
	}}
}

// initialize keeps what the client says of itself.
func (s *Server) initialize(params *initializeParams) {
	s.lifecycle.enter(initialized)
	capabilities := params.Capabilities
	s.client = client{
		notifications: capabilities.Experimental.value.WorkingMemory.Notifications,
		configuration: capabilities.Workspace.value.Configuration,
		watchedFiles:  capabilities.Workspace.value.DidChangeWatchedFiles.DynamicRegistration,
		showDocument:  capabilities.Window.value.ShowDocument.Support,
		asks:          len(capabilities.Window.value.ShowMessage) > 0,
	}
	s.client.setTextDocument(capabilities.TextDocument)
	name := "client"
	if params.ClientInfo != nil && params.ClientInfo.Name != "" {
		name = params.ClientInfo.Name
	}
	s.trace.Store(params.Trace)
	begin := sync.OnceFunc(func() {
		if s.options.Begun != nil {
			s.options.Begun()
		}
		s.service.Begin(service.Client{
			Name: name, Process: processIdentity(params.ProcessID), Folders: params.folders(), Settings: params.Options,
		})
		s.later(func(ctx context.Context) {
			prepareMore() // not before, when the client needs a processor to read the response
			select {
			case <-ctx.Done():
			case <-time.After(startTime): // to write the log takes the tables of the redaction
				s.log.Info("initialized", "client", name, "session", s.service.Session(),
					"folders", len(params.WorkspaceFolders))
				s.service.Return()
			}
		})
	})
	s.begin.Store(&begin)
	if params.ProcessID != nil {
		s.watch(*params.ProcessID)
	}
}

// begun begins to serve the client, unless that was done. It is called when the response to
// initialize was written, which does not depend on it, and before the next message is handled.
func (s *Server) begun() {
	if begin := s.begin.Load(); begin != nil {
		(*begin)()
	}
}

// initializeResult returns the capabilities of the server.
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
			TextDocumentSync: &protocol.TextDocumentSyncOptions{
				OpenClose: &yes, Change: &incremental, Save: protocol.Boolean(true),
			},
			Workspace: &protocol.WorkspaceOptions{
				WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
					Supported: &yes, ChangeNotifications: protocol.Boolean(true),
				},
				FileOperations: &protocol.FileOperationOptions{DidRename: everything, DidDelete: everything},
			},
			HoverProvider: protocol.Boolean(true),
			CodeActionProvider: &protocol.CodeActionOptions{
				CodeActionKinds: []protocol.CodeActionKind{kindError, kindSelection},
			},
			ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: commandNames()},
			Experimental:           experimental,
		},
		ServerInfo: protocol.ServerInfo{Name: "wm-lsp", Version: protocol.NewOptional(s.options.Version)},
	}
}

// initializedNotice handles initialized. From now on the server may send requests.
func (s *Server) initializedNotice(_ context.Context, _ *struct{}) {
	s.later(func(ctx context.Context) {
		s.pullSettings(ctx)
		s.watchDeletedFiles(ctx)
		s.publish(ctx)
	})
}

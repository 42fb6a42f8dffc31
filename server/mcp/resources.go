package mcp

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// The URIs of the resources.
const (
	contextURI = "wm://context"
	memoryURI  = "wm://memory"
	notesURI   = "wm://notes/" // before the path of a note
)

const markdown = "text/markdown"

func (s *Server) addResources() {
	s.host.AddResource(&sdk.Resource{
		URI: contextURI, Name: "context", Title: "Working memory", MIMEType: markdown,
		Description: "What an agent should know about this workspace now.",
	}, s.readResource)
	s.host.AddResource(&sdk.Resource{
		URI: memoryURI, Name: "memory", Title: "Workspace memory", MIMEType: markdown,
		Description: "The rules and decisions that all sessions share.",
	}, s.readResource)
	s.host.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: notesURI + "{+path}", Name: "notes", Title: "Notes", MIMEType: markdown,
		Description: "A note of this session: overview.md, detail/… or archive/….",
	}, s.readResource)
}

// readResource handles resources/read.
func (s *Server) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	given := input{req.Params.InputResponses, req.Params.RequestState}
	text, ask, err := inTurn(ctx, s, req.Session, given, func() (func() (string, error), error) {
		return s.resource(ctx, req.Params.URI)
	})
	switch {
	case ask:
		return &sdk.ReadResourceResult{InputRequests: askRoots(), RequestState: rootsRequest}, nil
	case err != nil:
		return nil, resourceError(req.Params.URI, err)
	}
	return &sdk.ReadResourceResult{
		Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: markdown, Text: text}},
	}, nil
}

// resource starts to read a resource and returns a function that waits for its text.
func (s *Server) resource(ctx context.Context, uri string) (wait func() (string, error), err error) {
	var method string
	var params service.Params
	path, isNote := strings.CutPrefix(uri, notesURI)
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	switch {
	case uri == contextURI:
		method, params = "wm/context", &wire.ContextParams{Preview: true}
	case uri == memoryURI:
		method, params = "wm/memory/list", &wire.MemoryListParams{}
	case isNote:
		method, params = "wm/notes/read", &wire.NotesReadParams{Path: path}
	default:
		return nil, fault.Missing(uri, "there is no resource %q", uri)
	}
	result, err := s.start(ctx, s.operations[method], params)
	if err != nil {
		return nil, err
	}
	return func() (string, error) {
		read, err := result()
		if err != nil {
			return "", err
		}
		switch read := read.(type) {
		case wire.ContextResult:
			return read.Text, nil
		case wire.NotesReadResult:
			return read.Content, nil
		}
		return text(read)
	}, nil
}

// resourceError returns the error of the protocol for a resource that cannot be read.
func resourceError(uri string, err error) error {
	if fault.Has(err, fault.NotFound) {
		return sdk.ResourceNotFoundError(uri)
	}
	return protocolError(err)
}

// watched are the resources to which the host has subscribed, and the notes that it can list.
type watched struct {
	server *Server

	mu    sync.Mutex
	texts map[string]string // by URI, as they were last
	notes map[string]bool   // the listed ones, by URI
}

// subscribe handles a subscription. The host is told of changes after it.
func (w *watched) subscribe(ctx context.Context, req *sdk.SubscribeRequest) error {
	if ask, err := w.server.workspace.await(ctx, req.Session, input{}); err != nil || ask {
		w.put(req.Params.URI, "") // the folders are not open yet
		return err
	}
	text, err := w.read(ctx, req.Params.URI)
	if err != nil {
		return resourceError(req.Params.URI, err)
	}
	w.put(req.Params.URI, text)
	return nil
}

func (w *watched) unsubscribe(_ context.Context, req *sdk.UnsubscribeRequest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.texts, req.Params.URI)
	return nil
}

func (w *watched) put(uri, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.texts == nil {
		w.texts = map[string]string{}
	}
	w.texts[uri] = text
}

// read returns the text of a resource. That of a note that does not exist is empty.
func (w *watched) read(ctx context.Context, uri string) (string, error) {
	wait, err := w.server.resource(ctx, uri)
	if err != nil {
		return "", err
	}
	text, err := wait()
	if fault.Has(err, fault.NotFound) && strings.HasPrefix(uri, notesURI) {
		return "", nil
	}
	return text, err
}

// changed notifies the host of changed resources.
func (w *watched) changed(ctx context.Context, notes bool) {
	if notes {
		w.list(ctx)
	}
	w.mu.Lock()
	before := maps.Clone(w.texts)
	w.mu.Unlock()
	for _, uri := range slices.Sorted(maps.Keys(before)) {
		text, err := w.read(ctx, uri)
		if err != nil {
			w.server.log.Debug("read a resource that is watched", "uri", uri, "error", err)
			continue
		}
		w.mu.Lock()
		last, still := w.texts[uri]
		isNew := still && last != text
		if isNew {
			w.texts[uri] = text
		}
		w.mu.Unlock()
		if isNew {
			_ = w.server.host.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri}) // it never fails
		}
	}
}

// list brings the listed notes up to date. The library tells the host of a change.
func (w *watched) list(ctx context.Context) {
	wait, err := w.server.start(ctx, w.server.operations["wm/notes/list"], &wire.NotesListParams{})
	var result any
	if err == nil {
		result, err = wait()
	}
	if err != nil {
		w.server.log.Debug("list the notes", "error", err)
		return
	}
	there := map[string]bool{}
	for _, note := range result.(wire.NotesListResult).Files {
		there[notesURI+(&url.URL{Path: note.Path}).EscapedPath()] = true
	}
	w.mu.Lock()
	before := w.notes
	w.notes = there
	w.mu.Unlock()
	for _, uri := range slices.Sorted(maps.Keys(there)) {
		if !before[uri] {
			w.server.host.AddResource(&sdk.Resource{
				URI: uri, Name: strings.TrimPrefix(uri, notesURI), MIMEType: markdown,
			}, w.server.readResource)
		}
	}
	var gone []string
	for uri := range before {
		if !there[uri] {
			gone = append(gone, uri)
		}
	}
	if len(gone) > 0 {
		w.server.host.RemoveResources(gone...)
	}
}

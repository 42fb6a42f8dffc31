// Package service implements the operations of the protocol in plain Go: parameters
// in, a result or a fault out. It knows workspaces, sessions and settings, but not
// JSON-RPC, connections or editors. A face, such as package lsp, decodes what a client
// sends, starts an operation and encodes its result.
//
// Each operation is in the file of its feature: wm/errors/list is in errors.go. The
// panel is built here, in panelbuild.go, because no other package needs it.
package service

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/process"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Options configure a Service.
type Options struct {
	Log *slog.Logger
	// Outbox receives the notifications to the client.
	Outbox Outbox
	// Version is the version of the program.
	Version string
	// DataDir is the folder for the memory of all workspaces, UserFile the user's
	// settings file. The default is the usual place of the platform.
	DataDir, UserFile string
	// Brief is true if the client lives for one event, Unseen if it shows no problems to a person,
	// see memory.Options.
	Brief, Unseen bool
	// Host is the process of the agent for whose event a brief client lives, "" if it is not known.
	Host process.ID
	// Existing is true if no memory is to be made: a folder of which nothing is kept has none then,
	// see ErrNothingKept.
	Existing bool
	// Cores are those of memory.Options. They may be nil.
	Cores *cores.Cores
	// Rooms are memory types in addition to the builtin ones, Operations are methods
	// in addition to those of the protocol, see Define. Both may be nil.
	Rooms      []room.Maker
	Operations []Operation
}

// A Service serves the memory to one client. Several services, in one process or in
// many, share the memory of a workspace through its store.
type Service struct {
	options Options
	log     *slog.Logger
	began   time.Time // in milliseconds, like the times of changes

	// agent is the client's own agent.
	agent string
	// session returns the client's own session, see Session.
	session func() string
	// attach reports whether the client owns no session, see wire.InitializationOptions.
	attach bool
	// tools are the names by which the client's agent calls methods, nil for their own.
	tools map[string]string
	// strict reports whether unknown parameters are refused.
	strict bool
	// person is true if the client is an editor: it named no agent and owns its session.
	person bool
	// typed is Client.Typed.
	typed bool

	folders  folders
	config   configuration
	notifier notifier
	exporter exporter
	contexts *assembly.Assembler
	// met holds the beginnings of which a context was asked for, so that what others left is looked for
	// once.
	met     sync.Map
	answers cache[answered]
	panels  cache[wire.PanelResult]
}

// New returns a service. Begin must be called before anything else but Tell.
func New(options Options) *Service {
	options.DataDir = cmp.Or(options.DataDir, DataDir())
	options.UserFile = cmp.Or(options.UserFile, userFile())
	s := &Service{
		options: options, log: options.Log, began: time.Now().Truncate(time.Millisecond), contexts: assembly.New(),
	}
	s.folders.service, s.notifier.service, s.config.service, s.exporter.service = s, s, s, s
	s.notifier.init()
	return s
}

// A Client describes the client of a service.
type Client struct {
	// Name is the name of the program. It is also the name of the agent, unless the
	// settings contain one.
	Name string
	// Process identifies the client's process, also after a restart of the server. It
	// is empty if the process is not known.
	Process string
	// Folders are the URIs of the open folders.
	Folders []string
	// Settings are the client's settings, including wire.InitializationOptions.
	Settings json.RawMessage
	// Typed is true if a person types at a terminal what the client sends.
	Typed bool
}

// Begin opens the folders of the client. It must be called once, before anything else but
// Tell.
func (s *Service) Begin(c Client) {
	options := s.config.initialize(c.Name, c.Settings)
	s.agent = shorten.Bytes(cmp.Or(options.Agent, c.Name), maxID) // the request is not refused
	s.attach, s.tools = options.Attach, options.ToolNames
	s.strict = options.Strict
	s.person = options.Agent == "" && !options.Attach && len(options.ToolNames) == 0
	s.typed = c.Typed
	first := s.folders.initialize(c.Folders)
	s.session = sync.OnceValue(func() string {
		return cmp.Or(storedSessionID(options.SessionID), clientSessionID(first, c))
	})
	close(s.notifier.begun)
}

// Session returns the client's session.
func (s *Service) Session() string { return s.session() }

// Strict reports whether the client wants unknown parameters to be refused.
func (s *Service) Strict() bool { return s.strict }

// Abandon records that the client is gone without having ended its sessions, which Close ends as lost then.
func (s *Service) Abandon() { s.folders.abandoned.Store(true) }

// Close writes pending changes, for as long as ctx allows.
func (s *Service) Close(ctx context.Context) {
	s.exporter.flush()
	s.folders.close(ctx)
}

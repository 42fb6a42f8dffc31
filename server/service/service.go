// Package service does what clients ask of the memory, in plain Go: parameters
// in, a result or a fault out. It knows workspaces, sessions and settings, and
// nothing of JSON-RPC, connections or editors. A face decodes what a client
// sends, starts an operation and encodes what comes back.
package service

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"
	"github.com/google/uuid"

	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Options are what a service is run with.
type Options struct {
	Log *slog.Logger
	// Outbox takes what the client is to be told.
	Outbox Outbox
	// Version is that of the program.
	Version string
	// DataDir holds the memory of all workspaces, UserFile is the user's own
	// settings; the platform's usual places by default.
	DataDir, UserFile string
	// Listen begins to listen to the signals that end the process; it may be nil. It is
	// called once, before the first memory is opened or with Service.Listen.
	Listen func()
	// Rooms are memory types besides the builtin ones, Operations are methods
	// besides those of the protocol, see Define. Both may be nil.
	Rooms      []room.Maker
	Operations []Operation
}

// An Outbox takes what a client is to be told without having asked.
type Outbox interface {
	// Changed may wait for the client. What changes meanwhile is told at once
	// after it.
	Changed(ctx context.Context, changed wire.Changed)
	// Intervene and Compacted are called on the queue of a workspace and must not
	// wait for the client.
	Intervene(intervention wire.Intervention)
	Compacted(compacted wire.HistoryCompacted)
}

// A Service is the memory as one client uses it. Several services, in one
// process or in many, share the memory of a workspace through its store.
type Service struct {
	options Options
	log     *slog.Logger
	listen  func()    // once
	began   time.Time // in milliseconds, as the times of changes

	// The client's own agent and session.
	agent, session string
	// attach is whether the client owns no session, see wire.InitializationOptions.
	attach bool

	folders  folders
	config   configuration
	notifier notifier
	contexts *assembly.Assembler
	answers  cache[wire.ContextResult]
	panels   cache[wire.PanelResult]
}

// New returns a service that waits for Begin.
func New(options Options) *Service {
	options.DataDir = cmp.Or(options.DataDir, filepath.Join(xdg.DataHome, "wm-lsp"))
	options.UserFile = cmp.Or(options.UserFile, filepath.Join(xdg.ConfigHome, "wm-lsp", settings.FileName))
	s := &Service{
		options: options, log: options.Log, began: time.Now().Truncate(time.Millisecond), contexts: assembly.New(),
	}
	s.listen = func() {}
	if options.Listen != nil {
		s.listen = sync.OnceFunc(options.Listen)
	}
	s.folders.service, s.notifier.service, s.config.service = s, s, s
	s.notifier.init()
	return s
}

// Listen begins to listen to signals, see Options.
func (s *Service) Listen() { s.listen() }

// A Client is who a service works for.
type Client struct {
	// Name is that of the program. It is the name of the agent, unless the
	// settings have one.
	Name string
	// Process tells the process of the client from every other one, also after a
	// restart of the server; empty if that is not known.
	Process string
	// Folders are the URIs of the folders that are open.
	Folders []string
	// Settings are those of the client, with wire.InitializationOptions among them.
	Settings json.RawMessage
}

// Begin opens the folders of a client and returns its session. It is called once,
// before everything else but Tell.
func (s *Service) Begin(c Client) (session string) {
	options := s.config.initialize(c.Settings)
	s.agent, s.attach = cmp.Or(options.Agent, c.Name), options.Attach
	first := s.folders.initialize(c.Folders)
	s.session = sessionKept(options.SessionID)
	if s.session == "" {
		s.session = sessionOf(first, c)
	}
	return s.session
}

// sessionOf is the session of a client that names none: a hash of what stays the
// same when an editor restarts its server and differs for every other editor
// process (architecture, "Identity"). Without a process it is random.
func sessionOf(folder string, c Client) string {
	if c.Process == "" {
		return uuid.NewString()
	}
	sum := sha256.Sum256([]byte(folder + "\x00" + c.Name + "\x00" + c.Process))
	return hex.EncodeToString(sum[:16])
}

// sessionKept is the id under which a session is kept: its own, or where that
// holds a secret, the key made of it.
func sessionKept(id string) string {
	if gate.Text(id) != id {
		return store.SessionKey(id)
	}
	return id
}

// DataDir is the folder that holds the memory of all workspaces.
func (s *Service) DataDir() string { return s.options.DataDir }

// Configure puts other settings of the client in force.
func (s *Service) Configure(doc json.RawMessage) {
	s.config.set(doc)
	s.reconfigure()
}

// reconfigure reads the settings of the repositories again.
func (s *Service) reconfigure() {
	s.folders.reconfigure()
	s.notifier.everything()
}

// Close writes what is pending, for as long as ctx allows.
func (s *Service) Close(ctx context.Context) { s.folders.close(ctx) }

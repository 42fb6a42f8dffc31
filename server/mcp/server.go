// Package mcp is the MCP face of the service, over standard input and output. A tool decodes
// its arguments, starts an operation of package service and encodes its result; it makes no
// decisions. The resources and the prompt are results of operations, too.
package mcp

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/server/frame"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// Options configure a server.
type Options struct {
	In  io.Reader
	Out io.Writer
	Log *slog.Logger
	// Version is the version of the program.
	Version string
	// AllTools offers all tools instead of those that an agent needs every day.
	AllTools bool
	// NamedSessions is true if each call names its session: the server then starts none of its own.
	NamedSessions bool
	// Environ is the environment, Dir the working directory; those of the process by default.
	Environ []string
	Dir     string
	// DataDir is the folder for the memory of all workspaces, UserFile the user's
	// settings file. The default is the usual place of the platform.
	DataDir, UserFile string
	// Cores are those of service.Options.
	Cores *cores.Cores
}

// closeTimeout is how long the last writes may take.
const closeTimeout = 10 * time.Second

// A Server serves one host.
type Server struct {
	options Options
	log     *slog.Logger
	// life ends with the connection.
	life    context.Context
	stream  *frame.Stream
	conn    *connection
	host    *sdk.Server
	service *service.Service
	tools   []tool
	// operations are those that tools and resources use, by method.
	operations map[string]service.Operation

	turns     turns
	workspace workspace
	watched   watched
}

// Run serves one host until it closes the input, cannot be reached any more, or ctx is done.
// All acknowledged changes are on the disk when it returns. It does not close the connection,
// which would wait for the host; the caller ends the process.
func Run(ctx context.Context, options Options) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newServer(ctx, options)
	go gate.Prepare() // beside the reading of the first message
	go s.service.Tell(ctx)
	s.serve(ctx)
	closing, done := context.WithTimeout(context.Background(), closeTimeout)
	defer done()
	s.service.Close(closing)
	_ = s.stream.Close()
}

func newServer(life context.Context, options Options) *Server {
	if options.Environ == nil {
		options.Environ = os.Environ()
	}
	if options.Dir == "" {
		options.Dir, _ = os.Getwd() // without one there is no workspace, which tools say
	}
	s := &Server{
		options: options, log: options.Log, life: life, tools: offered(options.AllTools),
		stream: frame.NewLines(options.In, options.Out, options.Log), operations: map[string]service.Operation{},
	}
	s.conn = newConnection(s.stream, s.log)
	s.workspace.server, s.watched.server = s, s
	s.workspace.ready = make(chan struct{})
	s.service = service.New(service.Options{
		Log: s.log, Outbox: outbox{s}, Version: options.Version, DataDir: options.DataDir, UserFile: options.UserFile,
		Cores: options.Cores,
	})
	for _, op := range s.service.Operations() {
		s.operations[op.Name] = op
	}
	handling := sdk.ServerOptions{
		Instructions:       instructions,
		Logger:             slog.New(warnings{s.log.Handler()}),
		SubscribeHandler:   s.watched.subscribe,
		UnsubscribeHandler: s.watched.unsubscribe,
		SetCacheable:       func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{},
			Resources: &sdk.ResourceCapabilities{ListChanged: true, Subscribe: true},
		},
	}
	s.workspace.handle(&handling)
	s.host = sdk.NewServer(
		&sdk.Implementation{Name: "wm-lsp", Title: "Working memory", Version: cmp.Or(options.Version, "dev")},
		&handling)
	s.host.AddReceivingMiddleware(s.receive)
	s.addTools()
	s.addResources()
	s.addPrompt()
	return s
}

// serve returns when the connection has ended or cannot be used any more.
func (s *Server) serve(ctx context.Context) {
	session, err := s.host.Connect(ctx, s.conn, nil)
	if err != nil {
		s.log.Error("connect to the host", "error", err)
		return
	}
	var cause error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cause = session.Wait()
	}()
	select {
	case <-ended:
		if cause != nil {
			s.log.Warn("the connection ended", "error", cause)
		}
	case <-s.stream.Ended():
		s.stream.Finish(ended)
	case <-s.stream.Dead():
		s.log.Info("the host has closed its input")
	case <-ctx.Done():
		s.log.Info("stopped", "cause", context.Cause(ctx))
	}
}

// receive is called for every message in the order of arrival. A request that uses the memory
// takes its turn. A panic ends the request, not the session.
func (s *Server) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		switch method {
		case "tools/call", "resources/read", "prompts/get":
			var turn *turn
			ctx, turn = s.turns.take(ctx)
			defer turn.end()
		}
		if !strings.HasPrefix(method, "notifications/") {
			s.conn.handled()
		}
		defer func() {
			if caught := recover(); caught != nil {
				s.log.Error("a handler panicked", "method", method, "panic", caught, "stack", string(debug.Stack()))
				result, err = nil, &jsonrpc.Error{
					Code:    jsonrpc.CodeInternalError,
					Message: "internal error in the server during " + method + "; nothing was changed, see its log",
				}
			}
		}()
		return next(ctx, method, req)
	}
}

// warnings is a log handler without the messages of the library that are not warnings.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// Package lsp is the LSP face of the memory: it reads messages, starts the
// operations of the service that they ask for, in order, and encodes what comes
// back. One file per feature; a handler decodes, calls and encodes, and nothing
// else. It keeps nothing but the documents that are open.
package lsp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/wm-lsp/wm-lsp/server/frame"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// Options are what a server is run with.
type Options struct {
	In  io.Reader
	Out io.Writer
	Log *slog.Logger
	// Version is that of the program.
	Version string
	// DataDir holds the memory of all workspaces, UserFile is the user's own
	// settings; the platform's usual places by default.
	DataDir, UserFile string
	// Listen begins to listen to the signals that end ctx; it may be nil. It takes
	// 0.3 ms, and is called when a signal could lose something: before the first memory
	// is opened, or when the client is initialized.
	Listen func()
}

// The codes with which the process ends.
const (
	ExitOK = 0
	// ExitUnasked is for a client that left without shutdown.
	ExitUnasked = 1
)

// A Server is one connection. Several servers share the memory of a workspace
// through its store.
type Server struct {
	options Options
	log     *slog.Logger
	conn    jsonrpc2.Conn
	// life ends with the connection. A handler's own context ends with its
	// answer, and must not be kept.
	life   context.Context
	stream *frame.Stream

	service   *service.Service
	lifecycle lifecycle
	client    client
	documents documents
	cancels   cancels
	inFlight  chan struct{}
	remarks   remarks
	trace     atomic.Value // a string: off, messages or verbose

	background sync.WaitGroup
	exit       chan int
	exitOnce   sync.Once
}

// maxInFlight is how many requests are answered at the same time. With as many
// unanswered, because the client does not read, no more are taken.
const maxInFlight = 128

// Run serves one connection until the client leaves, its process is gone, or
// ctx is done, and returns the code with which to end the process. Everything
// that was acknowledged is on the disk when it returns.
func Run(ctx context.Context, options Options) int {
	s := newServer(options)
	return s.run(ctx, s.methods())
}

func newServer(options Options) *Server {
	s := &Server{
		options:  options,
		stream:   frame.New(options.In, options.Out, options.Log),
		inFlight: make(chan struct{}, maxInFlight), remarks: make(remarks, maxRemarks), exit: make(chan int, 1),
	}
	s.log = slog.New(clientLog{options.Log.Handler(), s})
	s.service = service.New(service.Options{
		Log: s.log, Outbox: outbox{s}, Version: options.Version, DataDir: options.DataDir, UserFile: options.UserFile,
		Listen: options.Listen,
	})
	s.conn = jsonrpc2.NewConn(s.stream)
	return s
}

func (s *Server) run(ctx context.Context, methods map[string]handler) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.life = ctx
	go s.service.Tell(ctx)
	go s.deliver(ctx)
	s.conn.Go(ctx, s.handler(methods))
	code := ExitUnasked
	select {
	case code = <-s.exit:
	case <-s.conn.Done():
		if err := s.conn.Err(); err != nil {
			s.log.Warn("the connection ended", "error", err)
		}
		if s.lifecycle.is(down) {
			code = ExitOK
		}
	case <-s.stream.Dead():
		s.log.Info("the client does not read any more")
	case <-ctx.Done():
		s.log.Info("told to end", "cause", context.Cause(ctx))
		code = ExitOK
	}
	cancel()
	s.close()
	return code
}

// leave ends Run with a code. The first one counts.
func (s *Server) leave(code int) {
	s.exitOnce.Do(func() { s.exit <- code })
}

// closeWithin is how long the last writes may take.
const closeWithin = 10 * time.Second

// close writes what is pending. It does not close the connection: that waits
// for a client that may never let go (the caller ends the process).
func (s *Server) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	s.documents.stop()
	s.service.Close(ctx)
	_ = s.stream.Close()
}

// say shows a person a sentence.
func (s *Server) say(ctx context.Context, format string, args ...any) {
	s.showMessage(ctx, fmt.Sprintf(format, args...))
}

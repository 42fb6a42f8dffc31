// Package lsp is the LSP face of the service. A handler decodes a message, starts an
// operation of package service and encodes its result; it makes no decisions. Each feature
// of LSP has its own file. The only state is that of the connection and of the open
// documents.
package lsp

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/server/frame"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// Options configure a Server.
type Options struct {
	In  io.Reader
	Out io.Writer
	Log *slog.Logger
	// Version is the version of the program.
	Version string
	// Begun is called once if it is not nil: when the response to initialize was written, and before
	// another message is handled.
	Begun func()
	// DataDir is the folder for the memory of all workspaces, UserFile the user's
	// settings file. The default is the usual place of the platform.
	DataDir, UserFile string
	// Cores are those of service.Options.
	Cores *cores.Cores
}

// The exit codes of the process.
const (
	ExitOK = 0
	// ExitNoShutdown is the code if the client left without shutdown.
	ExitNoShutdown = 1
)

// A Server serves one connection.
type Server struct {
	options Options
	log     *slog.Logger
	conn    jsonrpc2.Conn
	// life ends with the connection. The context of a handler ends with its reply, and
	// must not be kept.
	life   context.Context
	stream *frame.Stream

	service   *service.Service
	lifecycle lifecycle
	client    client
	documents documents
	published published
	cancels   cancels
	inFlight  chan struct{}
	unwritten sync.Map // the contexts of the requests in inFlight
	questions chan struct{}
	remarks   remarks
	trace     atomic.Value // a string: off, messages or verbose
	ignored   ignored

	background sync.WaitGroup
	// greeting returns the encoded result of initialize, which does not depend on its params.
	greeting func() (any, error)
	begin    atomic.Pointer[func()] // nil before initialize, see begun
	exit     chan int
	exitOnce sync.Once
}

// maxInFlight is the maximum number of requests whose responses are not written yet. While
// there are as many, the server reads no more; this happens if the client does not read.
const maxInFlight = 128

// maxQuestions is the maximum number of questions that wait for the answer of a person. Each holds the original of a
// text.
const maxQuestions = 16

// Run serves one connection until the client leaves, the client's process has ended, or ctx
// is done. It returns the exit code of the process. All acknowledged changes are on the
// disk when it returns.
func Run(ctx context.Context, options Options) int {
	s := newServer(options)
	go s.greeting() // while the first message is read
	return s.run(ctx, sync.OnceValue(s.methods))
}

func newServer(options Options) *Server {
	s := &Server{
		options:  options,
		stream:   frame.New(options.In, options.Out, options.Log),
		inFlight: make(chan struct{}, maxInFlight), questions: make(chan struct{}, maxQuestions),
		remarks: make(remarks, maxRemarks), exit: make(chan int, 1),
	}
	s.stream.Written = s.written
	s.greeting = sync.OnceValues(func() (any, error) { return encodedStandard(s.initializeResult(), nil) })
	s.log = slog.New(clientLog{options.Log.Handler(), s})
	s.service = service.New(service.Options{
		Log: s.log, Outbox: outbox{s}, Version: options.Version, DataDir: options.DataDir, UserFile: options.UserFile,
		Cores: options.Cores,
	})
	s.conn = jsonrpc2.NewConn(s.stream)
	return s
}

func (s *Server) run(ctx context.Context, methods func() map[string]handler) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.life = ctx
	go s.service.Tell(ctx)
	go s.deliver(ctx)
	s.conn.Go(ctx, s.handler(methods))
	code, late := ExitNoShutdown, false
	select {
	case code = <-s.exit:
	case <-s.conn.Done():
		if err := s.conn.Err(); err != nil {
			s.log.Warn("the connection ended", "error", err)
		}
		if s.lifecycle.is(down) {
			code = ExitOK
		}
	case <-s.stream.Ended():
		late = !s.stream.Finish(s.conn.Done())
		if s.lifecycle.is(down) {
			code = ExitOK
		}
	case <-s.stream.Dead():
		s.log.Info("the client has closed its input")
	case <-ctx.Done():
		s.log.Info("stopped", "cause", context.Cause(ctx))
		code = ExitOK
	}
	if code == ExitNoShutdown {
		s.service.Abandon()
	}
	s.close(late)
	return code
}

// leave makes Run return an exit code. Only the first call has an effect.
func (s *Server) leave(code int) {
	s.exitOnce.Do(func() { s.exit <- code })
}

// closeTimeout is how long the last writes may take.
const closeTimeout = 10 * time.Second

// answerTimeout is how long a client that has said exit may take to read its last responses.
const answerTimeout = time.Second

// answer waits until the requests in progress are answered, if the client still reads.
func (s *Server) answer() {
	late := time.After(answerTimeout)
	for range maxInFlight {
		select {
		case s.inFlight <- struct{}{}:
		case <-s.stream.Dead():
			return
		case <-late:
			return
		}
	}
}

// close writes pending changes and, unless it is late, waits for the last responses. It does
// not close the connection, which would wait for the client; the caller ends the process.
func (s *Server) close(late bool) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	s.documents.stop()
	s.service.Close(ctx)
	if !late {
		s.answer()
	}
	_ = s.stream.Close()
}

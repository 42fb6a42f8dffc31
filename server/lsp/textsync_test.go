package lsp

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// held returns a server whose queue is blocked until release is called. Until then the test
// must not wait for a message that it sends, because the server stops reading when the queue
// is full. The method test/look takes the lock of the documents on the queue. Until sent is
// closed it takes longer than reading a message, so the queue stays full.
func held(t *testing.T, sent <-chan struct{}) (p *peer, release func()) {
	begun, end := make(chan struct{}), make(chan struct{})
	hold := func(context.Context, *service.View, *wire.StatusParams) (wire.Empty, error) {
		close(begun)
		<-end
		return wire.Empty{}, nil
	}
	look := func(context.Context, *service.View, *wire.StatusParams) (wire.Empty, error) {
		select {
		case <-sent:
		case <-time.After(200 * time.Microsecond): // without the lock, which the reader of stdin may take meanwhile
		}
		p.server.documents.mu.Lock()
		defer p.server.documents.mu.Unlock()
		return wire.Empty{}, nil
	}
	p = start(t, map[string]handler{
		"test/hold": handlerOf(telling, hold), "test/look": handlerOf(telling, look),
	})
	p.configure("", map[string]any{"errors": map[string]any{"stillMillis": 60_000}})
	p.notify("test/hold", map[string]any{})
	<-begun
	return p, func() { close(end) }
}

// typedIn opens a document that is being typed in, with a held error.
func (p *peer) typedIn(name string) (uri string) {
	p.t.Helper()
	uri = p.write(name, "package a\n")
	p.open(uri, "package a\n")
	p.change(uri, "package a\nvar x = y\n")
	p.notify("wm/diagnostics/changed", map[string]any{
		"uri": uri, "diagnostics": []any{diagnostic(1, "undefined: y")},
	})
	return uri
}

func TestAFullQueueDoesNotHangTheServer(t *testing.T) {
	for name, act := range map[string]func(p *peer, uri string){
		"save": func(p *peer, uri string) { p.save(uri) },
		"close": func(p *peer, uri string) {
			p.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
		},
		"edit":   func(p *peer, uri string) { p.change(uri, "package a\nvar x = z\n") },
		"reload": func(p *peer, uri string) { p.change(uri, "package a\n") },
		"diagnostics": func(p *peer, uri string) {
			p.notify("wm/diagnostics/changed",
				map[string]any{"uri": uri, "diagnostics": []any{diagnostic(1, "undefined: z")}})
		},
		"still": func(p *peer, _ string) {
			p.configure("", map[string]any{"errors": map[string]any{"stillMillis": 10}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			filled, sent := make(chan struct{}), make(chan struct{})
			p, release := held(t, sent)
			uri := p.typedIn("a.go")
			// Longer than what the server reads ahead, so the messages before are on the queue.
			look := map[string]any{"padding": strings.Repeat("x", 2000)}
			go func() {
				defer close(sent)
				for i := range 1100 {
					_ = p.conn.Notify(context.Background(), "test/look", look)
					if i == 1000 {
						close(filled)
					}
				}
				act(p, uri)
				for range 100 {
					_ = p.conn.Notify(context.Background(), "test/look", look)
				}
			}()
			<-filled
			release()
			select {
			case <-sent:
			case <-time.After(patience):
				t.Fatal("the server hangs")
			}
			p.call("wm/status", nil, nil)
		})
	}
}

func TestTheLegalMessagesThatHungTheServerAreAnswered(t *testing.T) {
	slow.Test(t)
	p := start(t, nil)
	p.configure("", map[string]any{"errors": map[string]any{"stillMillis": 60_000}})
	uri := p.typedIn("a.go")
	other := p.write("b.go", "package b\n")
	p.notify("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go test ./..."},
		"output": strings.Repeat("ok  	example.com/a	0.1s\n", 600_000), "exitCode": 0,
	})
	answered := make(chan error, 120)
	for range cap(answered) {
		go func() {
			answered <- p.try("wm/diagnostics/changed",
				map[string]any{"uri": other, "diagnostics": []any{diagnostic(1, "bad")}}, nil)
		}()
	}
	for range 1000 {
		p.notify("wm/message/received", map[string]any{"role": "user", "text": "go on"})
	}
	p.save(uri)
	for range cap(answered) {
		require.NoError(t, <-answered)
	}
	paths := map[string]bool{}
	for _, e := range p.errors() {
		paths[e.Path] = true
	}
	assert.True(t, paths["a.go"], "the save opens what waited")
}

func TestNewerDiagnosticsAreNotDroppedByAnOlderRequest(t *testing.T) {
	p, release := held(t, nil)
	uri := p.typedIn("a.go")
	answered := make(chan error, 1)
	go func() {
		answered <- p.try("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{}}, nil)
	}()
	p.eventually("the request arrived", func() bool { return len(p.server.inFlight) > 0 })
	p.notify("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{diagnostic(1, "undefined: y")}})
	p.save(uri)
	release()
	require.NoError(t, <-answered)
	assert.Len(t, p.errors(), 1, "the notification is newer than the request")
}

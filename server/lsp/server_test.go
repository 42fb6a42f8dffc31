package lsp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// patience is how long a test waits for something that must happen.
const patience = 5 * time.Minute

// A peer is the client of a server in this process.
type peer struct {
	t      testing.TB
	server *Server
	conn   jsonrpc2.Conn
	root   string
	log    *lockedBuffer
	code   chan int
	end    func()

	data, session string

	mu      sync.Mutex
	changed []wire.Changed
	warned  []wire.Intervention
	// compacted are the wm/history/compacted notifications.
	compacted []wire.HistoryCompacted
	shown     []string
	traced    []string
	// marked are the diagnostics that the server published last, by URI.
	marked map[string][]publishedDiagnostic
	// asked are the messages of window/showMessageRequest, reply the action that is chosen.
	asked []string
	reply string
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

func fileURI(path string) string { return string(uri.File(path)) }

type duplex struct {
	io.Reader
	io.WriteCloser
}

// start runs a server with additional methods and initializes it with one folder.
func start(t testing.TB, more map[string]handler) *peer {
	t.Helper()
	return startIn(t, more, t.TempDir(), t.TempDir(), "")
}

// restarted ends the server and returns a peer with the same session on a new one.
func (p *peer) restarted() *peer {
	p.t.Helper()
	p.end()
	return startIn(p.t, nil, p.root, p.data, p.session)
}

// startWith runs a server for a client with initializationOptions.
func startWith(t testing.TB, options map[string]any) *peer {
	t.Helper()
	return startIn(t, nil, t.TempDir(), t.TempDir(), "", options)
}

func startIn(
	t testing.TB, more map[string]handler, root, data, session string, options ...map[string]any,
) *peer {
	t.Helper()
	p := &peer{
		t: t, root: root, data: data, session: cmp.Or(session, uuid.NewString()), log: &lockedBuffer{},
		code: make(chan int, 1),
	}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	p.server = newServer(Options{
		In: toServer, Out: fromServer, Version: "test", DataDir: p.data,
		UserFile: filepath.Join(t.TempDir(), "none.toml"),
		Log:      slog.New(slog.NewTextHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	methods := p.server.methods()
	for name, h := range more {
		methods[name] = h
	}
	go func() { p.code <- p.server.run(context.Background(), func() map[string]handler { return methods }) }()
	p.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(duplex{toClient, fromClient}))
	p.conn.Go(context.Background(), p.answer)
	initialization := map[string]any{"sessionId": p.session}
	for _, more := range options {
		maps.Copy(initialization, more)
	}
	p.call("initialize", map[string]any{
		"processId": nil, "clientInfo": map[string]any{"name": "test"},
		"initializationOptions": initialization,
		"workspaceFolders":      []any{map[string]any{"uri": fileURI(p.root), "name": "root"}},
		"capabilities": map[string]any{
			"experimental": map[string]any{"workingMemory": map[string]any{"notifications": true}},
			"window":       map[string]any{"showMessage": map[string]any{"messageActionItem": map[string]any{}}},
			"textDocument": map[string]any{
				"hover":              map[string]any{"contentFormat": []string{"markdown", "plaintext"}},
				"codeAction":         map[string]any{"codeActionLiteralSupport": map[string]any{}},
				"publishDiagnostics": map[string]any{},
			},
		},
	}, nil)
	p.notify("initialized", map[string]any{})
	p.end = sync.OnceFunc(func() {
		_ = fromClient.Close()
		select {
		case <-p.code:
		case <-time.After(patience):
			t.Error("the server did not end with its input")
		}
		_ = toClient.Close()
	})
	t.Cleanup(p.end)
	return p
}

func (p *peer) answer(_ context.Context, req *jsonrpc2.Request) (any, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch req.Method() {
	case wire.NotificationChanged:
		var changed wire.Changed
		if err := json.Unmarshal(req.Params(), &changed); err == nil {
			p.changed = append(p.changed, changed)
		}
	case wire.NotificationIntervention:
		var intervention wire.Intervention
		if err := json.Unmarshal(req.Params(), &intervention); err == nil {
			p.warned = append(p.warned, intervention)
		}
	case wire.NotificationHistoryCompacted:
		var compacted wire.HistoryCompacted
		if err := json.Unmarshal(req.Params(), &compacted); err == nil {
			p.compacted = append(p.compacted, compacted)
		}
	case "textDocument/publishDiagnostics":
		var published struct {
			URI         string
			Diagnostics []publishedDiagnostic
		}
		if err := json.Unmarshal(req.Params(), &published); err == nil {
			if p.marked == nil {
				p.marked = map[string][]publishedDiagnostic{}
			}
			p.marked[published.URI] = published.Diagnostics
		}
	case "$/logTrace":
		p.traced = append(p.traced, string(req.Params()))
	case "window/showMessageRequest":
		var message struct{ Message string }
		if err := json.Unmarshal(req.Params(), &message); err == nil {
			p.asked = append(p.asked, message.Message)
		}
		if p.reply == "" {
			return nil, nil
		}
		return map[string]any{"title": p.reply}, nil
	case "window/showMessage":
		var message struct{ Message string }
		if err := json.Unmarshal(req.Params(), &message); err == nil {
			p.shown = append(p.shown, message.Message)
		}
	}
	return nil, nil
}

func (p *peer) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var doc jsonrpc2.RawMessage
	if _, err := p.conn.Call(ctx, method, params, &doc); err != nil || result == nil {
		return err
	}
	return json.Unmarshal(doc, result)
}

func (p *peer) call(method string, params, result any) {
	p.t.Helper()
	require.NoError(p.t, p.try(method, params, result), method)
}

func (p *peer) fails(method string, params any) *jsonrpc2.Error {
	p.t.Helper()
	var fault *jsonrpc2.Error
	require.ErrorAs(p.t, p.try(method, params, nil), &fault, method)
	return fault
}

func (p *peer) notify(method string, params any) {
	p.t.Helper()
	require.NoError(p.t, p.conn.Notify(context.Background(), method, params))
}

func (p *peer) write(name, text string) string {
	p.t.Helper()
	path := filepath.Join(p.root, name)
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(text), 0o644))
	return fileURI(path)
}

func (p *peer) open(uri, text string) {
	p.t.Helper()
	p.notify("textDocument/didOpen",
		map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "go", "version": 1, "text": text}})
}

func (p *peer) change(uri, text string) {
	p.t.Helper()
	p.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": text}},
	})
}

func (p *peer) save(uri string) {
	p.t.Helper()
	p.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uri}})
}

func (p *peer) files() map[string]wire.ActiveFile {
	p.t.Helper()
	var result wire.FilesListResult
	p.call("wm/files/list", nil, &result)
	files := map[string]wire.ActiveFile{}
	for _, f := range result.Files {
		files[f.Path] = f
	}
	return files
}

func (p *peer) errors() []wire.OpenError {
	p.t.Helper()
	var result wire.ErrorsListResult
	p.call("wm/errors/list", nil, &result)
	return result.Errors
}

func (p *peer) eventually(what string, holds func() bool) {
	p.t.Helper()
	require.Eventually(p.t, holds, patience, 20*time.Millisecond, what)
}

func diagnostic(line int, message string) map[string]any {
	at := map[string]any{"line": line, "character": 0}
	return map[string]any{
		"range": map[string]any{"start": at, "end": at}, "severity": 1, "source": "compiler", "message": message,
	}
}

func TestEveryMethodOfTheProtocolIsAnsweredAndNoOther(t *testing.T) {
	p := start(t, nil)
	offered := map[string]bool{}
	for _, m := range wire.Methods() {
		offered[m.Name] = true
		h, there := p.server.methods()[m.Name]
		assert.True(t, there, "%s is in the protocol and not answered", m.Name)
		assert.Equal(t, m.Event, h.notify, "whether %s may be a notification", m.Name)
	}
	for name := range p.server.methods() {
		assert.True(t, !strings.HasPrefix(name, "wm/") || offered[name], "%s is answered and not in the protocol", name)
	}
}

// The kinds of additional methods.
var (
	query    = wire.Method{Name: "test/query", Access: wire.Reads}
	mutation = wire.Method{Name: "test/mutation", Access: wire.Mutates}
	telling  = wire.Method{Name: "test/event", Access: wire.Mutates, Event: true}
)

func handlerOf[R any](
	method wire.Method, run func(context.Context, *service.View, *wire.StatusParams) (R, error),
) handler {
	return operation(service.Define(method, run))
}

func TestAPanicIsAnErrorReplyAndNotTheEnd(t *testing.T) {
	boom := func(context.Context, *service.View, *wire.StatusParams) (wire.Empty, error) { panic("boom") }
	p := start(t, map[string]handler{
		"test/change": handlerOf(mutation,
			boom), "test/read": handlerOf(query, boom), "test/event": handlerOf(telling, boom),
		"test/now": standard(func(context.Context, *struct{}) (any, error) { panic("boom") }),
	})
	for _, method := range []string{"test/change", "test/read", "test/event", "test/now"} {
		fault := p.fails(method, map[string]any{})
		assert.Equal(t, jsonrpc2.InternalError, fault.Code, method)
		assert.Contains(t, fault.Message, "see its log", method)
	}
	p.notify("test/event", map[string]any{})
	p.call("wm/status", nil, nil)
	assert.Contains(t, p.log.text(), "boom")
}

func TestARequestIsCancelledByANumberAndByAText(t *testing.T) {
	entered := make(chan struct{})
	wait := func(ctx context.Context, _ *service.View, _ *wire.StatusParams) (wire.Empty, error) {
		entered <- struct{}{}
		<-ctx.Done()
		return wire.Empty{}, ctx.Err()
	}
	p := start(t, map[string]handler{"test/read": handlerOf(query, wait), "test/change": handlerOf(mutation, wait)})
	for _, method := range []string{"test/read", "test/change"} {
		failed := make(chan error, 1)
		go func() { failed <- p.try(method, map[string]any{}, nil) }()
		<-entered
		p.server.cancels.mu.Lock()
		var id jsonrpc2.ID
		for pending := range p.server.cancels.pending {
			id = pending
		}
		p.server.cancels.mu.Unlock()
		number, _ := id.Number()
		p.notify("$/cancelRequest", map[string]any{"id": number})
		var fault *jsonrpc2.Error
		require.ErrorAs(t, <-failed, &fault)
		assert.EqualValues(t, wire.CodeRequestCancelled, fault.Code, method)
	}
	ctx, done := p.server.cancels.begin(context.Background(), jsonrpc2.NewStringID("text"))
	defer done()
	p.notify("$/cancelRequest", map[string]any{"id": "text"})
	select {
	case <-ctx.Done():
	case <-time.After(patience):
		t.Fatal("an id that is a string cancels nothing")
	}
}

func TestEventsAndCallsAreFollowedInTheOrderInWhichTheyCome(t *testing.T) {
	p := start(t, nil)
	for i := range 500 {
		p.notify("wm/tool/executed",
			map[string]any{"tool": "read", "input": map[string]any{"path": "a.go"}, "callId": strings.Repeat("x", i+1)})
	}
	assert.Equal(t, 500, p.files()["a.go"].Count, "a read sees every event that was sent before it")
}

func TestB8_ABurstOfChangesIsOneEdit(t *testing.T) {
	p := start(t, nil)
	p.configure("", map[string]any{"files": map[string]any{"burstMillis": 60_000}}) // also on a slow machine
	uri := p.write("a.go", "package a\n")
	p.open(uri, "package a\n")
	for i := range 50 {
		p.change(uri, "package a\n"+strings.Repeat("// typing\n", i+1))
	}
	file := p.files()["a.go"]
	assert.Equal(t, wire.FileEdit, file.Action)
	assert.Equal(t, 2, file.Count, "one read and one edit")
	p.save(uri)
	file = p.files()["a.go"]
	assert.Equal(t, 3, file.Count)
	assert.Equal(t, wire.FileEdit, file.Action, "to write weighs less")
	assert.Len(t, file.Hash, 64)
}

func TestB8_AServerThatIsRestartedCountsNoReadAgain(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "package a\n")
	p.open(uri, "package a\n")
	assert.Equal(t, 1, p.files()["a.go"].Count)
	for range 3 {
		p = p.restarted()
		p.open(uri, "package a\n// not saved yet\n")
		assert.Equal(t, 1, p.files()["a.go"].Count)
	}
	var list wire.SessionListResult
	p.call("wm/session/list", nil, &list)
	require.Len(t, list.Sessions, 1)
	assert.True(t, list.Sessions[0].Live, "with what is open the session goes on")
	p.change(uri, "package a\n// typing\n")
	assert.Equal(t, 2, p.files()["a.go"].Count, "what follows counts")
}

func TestChangesThatEqualTheDiskAreReloadsAndNoEdits(t *testing.T) {
	p := start(t, nil)
	var names, uris []string
	for i := range 40 {
		name := strings.Repeat("d/", i%3) + string(rune('a'+i%26)) + strings.Repeat("x", i) + ".go"
		names, uris = append(names, name), append(uris, p.write(name, "package before\n"))
	}
	for _, uri := range uris {
		p.open(uri, "package before\n")
	}
	for i, uri := range uris {
		require.NoError(t, os.WriteFile(filepath.Join(p.root, names[i]), []byte("package after\n"), 0o644))
		if i%2 == 0 {
			p.change(uri, "package after\n")
			continue
		}
		p.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
		p.open(uri, "package after\n")
	}
	files := p.files()
	require.Len(t, files, 40)
	for path, file := range files {
		assert.Equal(t, wire.FileRead, file.Action, path)
		assert.Equal(t, 1, file.Count, path)
	}
}

func TestFilesThatAreNobodysBusinessAreNotTracked(t *testing.T) {
	p := start(t, nil)
	for name, text := range map[string]string{
		".env": "A=1\n", ".git/config": "x\n", "node_modules/a.js": "x\n", "id_rsa": "x\n",
		"gen.go":  "// Code generated by a tool. DO NOT EDIT.\npackage a\n",
		"big.txt": strings.Repeat("x", 1<<20+1), "out/a.o": "x\n",
	} {
		if name == "out/a.o" {
			p.write(".gitignore", "out/\n")
		}
		p.open(p.write(name, text), text)
	}
	p.open(fileURI(filepath.Join(t.TempDir(), "outside.go")), "package a\n")
	p.open("untitled:Untitled-1", "package a\n")
	assert.Empty(t, p.files())
}

func TestB10_HalfTypedCodeOpensNoErrorAndAFixClosesAtOnce(t *testing.T) {
	p := start(t, nil)
	still := func(millis int) {
		p.configure("", map[string]any{"errors": map[string]any{"stillMillis": millis}})
	}
	still(60_000) // nobody stops typing here, however slow the machine is
	uri := p.write("a.go", "package a\n")
	p.open(uri, "package a\n")
	p.change(uri, "package a\nvar x = ")
	p.notify("wm/diagnostics/changed",
		map[string]any{"uri": uri, "diagnostics": []any{diagnostic(1, "expected operand")}})
	assert.Empty(t, p.errors(), "the document is being typed in")
	p.change(uri, "package a\nvar x = 1\n")
	p.notify("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{}})
	assert.Empty(t, p.errors())

	still(100)
	p.change(uri, "package a\nvar x = y\n")
	p.notify("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{diagnostic(1, "undefined: y")}})
	p.eventually("the error opens once the document is still", func() bool { return len(p.errors()) == 1 })
	open := p.errors()[0]
	assert.Len(t, open.Fingerprint, 12)
	assert.Equal(t, "a.go", open.Path)
	assert.Equal(t, 2, open.Line)

	p.change(uri, "package a\nvar x = 2\n")
	p.notify("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{}})
	assert.Empty(t, p.errors(), "what is no longer reported closes at once")
}

func TestB10_ASaveOpensWhatWaits(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "package a\n")
	p.open(uri, "package a\n")
	p.change(uri, "package a\nvar x = y\n")
	p.notify("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{diagnostic(1, "undefined: y")}})
	p.save(uri)
	assert.Len(t, p.errors(), 1)
}

func TestRenamedAndDeletedFilesAreFollowed(t *testing.T) {
	p := start(t, nil)
	before := p.write("old/a.go", "package a\n")
	p.open(before, "package a\n")
	p.call("wm/diagnostics/changed", map[string]any{"uri": before, "diagnostics": []any{diagnostic(0, "bad")}}, nil)
	var receipt wire.Receipt
	p.call("wm/memory/add", map[string]any{"text": "The parser lives in a.go", "files": []string{"old/a.go"}}, &receipt)

	after := p.write("new/a.go", "package a\n")
	require.NoError(t, os.RemoveAll(filepath.Join(p.root, "old")))
	p.notify("workspace/didRenameFiles", map[string]any{"files": []any{map[string]any{
		"oldUri": fileURI(filepath.Join(p.root, "old")), "newUri": fileURI(filepath.Join(p.root, "new")),
	}}})
	assert.Contains(t, p.files(), "new/a.go")
	require.Len(t, p.errors(), 1)
	assert.Equal(t, "new/a.go", p.errors()[0].Path)
	var list wire.MemoryListResult
	p.call("wm/memory/list", nil, &list)
	assert.Equal(t, []string{"new/a.go"}, list.Entries[0].Files)

	p.notify("workspace/didDeleteFiles", map[string]any{"files": []any{map[string]any{"uri": after}}})
	assert.Contains(t, p.files(), "new/a.go", "a file that is still there was not deleted")
	require.NoError(t, os.Remove(filepath.Join(p.root, "new", "a.go")))
	p.notify("workspace/didDeleteFiles", map[string]any{"files": []any{map[string]any{"uri": after}}})
	assert.Empty(t, p.files())
	assert.Empty(t, p.errors())
	p.call("wm/memory/list", nil, &list)
	require.NotNil(t, list.Entries[0].Stale)
}

func TestAContextTellsWhatChangedSinceARevision(t *testing.T) {
	p := start(t, nil)
	var first, same, changed wire.ContextResult
	p.call("wm/memory/add", map[string]any{"text": "We use tabs", "type": "feedback"}, nil)
	p.call("wm/context", nil, &first)
	require.NotNil(t, first.Context)
	assert.Equal(t, first.Prefix+first.Suffix, first.Text)
	assert.Contains(t, first.Prefix, "- [feedback] We use tabs")
	p.call("wm/context", map[string]any{"since": first.Revision}, &same)
	assert.True(t, same.Unchanged)
	assert.Nil(t, same.Context)

	var receipt wire.Receipt
	p.call("wm/memory/add", map[string]any{"text": "The store is SQLite", "type": "decision"}, &receipt)
	p.call("wm/context", map[string]any{"since": first.Revision}, &changed)
	require.NotNil(t, changed.Delta)
	assert.Equal(t, "New: [decision] The store is SQLite", changed.Delta.Text)
	assert.Equal(t, []string{receipt.ID}, changed.Delta.Added)

	p.call("wm/memory/remove", map[string]any{"id": receipt.ID}, nil)
	var gone wire.ContextResult
	p.call("wm/context", map[string]any{"since": changed.Revision}, &gone)
	assert.Equal(t, "No longer holds: [decision] The store is SQLite", gone.Delta.Text)
}

func TestD3_ThePrefixStaysByteIdenticalWhileNothingInItChanges(t *testing.T) {
	p := start(t, nil)
	p.call("wm/memory/add", map[string]any{"text": "We use tabs"}, nil)
	var first wire.ContextResult
	p.call("wm/context", nil, &first)
	for i := range 100 {
		p.notify("wm/tool/executed",
			map[string]any{"tool": "edit", "input": map[string]any{"path": strings.Repeat("a", i%7+1) + ".go"}})
		var next wire.ContextResult
		p.call("wm/context", nil, &next)
		require.Equal(t, first.Prefix, next.Prefix)
	}
}

func TestAContextKeepsItsBudgetAndSaysWhatItLeftOut(t *testing.T) {
	p := start(t, nil)
	for i := range 10 {
		p.call("wm/memory/add",
			map[string]any{"text": strings.Repeat(string(rune('a'+i)), 80) + " is a rule of this project"}, nil)
	}
	for _, chars := range []int{1, 300, 1200, 1500, 5000} {
		var result wire.ContextResult
		p.call("wm/context", map[string]any{"budget": map[string]any{"chars": chars}}, &result)
		assert.LessOrEqual(t, result.Chars, chars)
	}
	var result wire.ContextResult
	p.call("wm/context", map[string]any{"budget": map[string]any{"chars": 1500}, "include": []string{"workspace"}},
		&result)
	require.Len(t, result.Sections, 1)
	assert.Empty(t, result.Sections[0].Omitted)
	assert.EqualValues(t, wire.CodeInvalidParams,
		p.fails("wm/context", map[string]any{"include": []string{"nothing"}}).Code)
}

func TestTheClientIsToldWhatChangedAndAPanelIsUnchangedUntilThen(t *testing.T) {
	p := start(t, nil)
	p.call("wm/memory/add", map[string]any{"text": "We use tabs"}, nil)
	p.eventually("the notification", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range p.changed {
			for _, section := range c.Sections {
				if section == "memory" && c.Workspace == fileURI(p.root) {
					return true
				}
			}
		}
		return false
	})
	var painted, again wire.PanelResult
	p.call("wm/panel", nil, &painted)
	require.NotNil(t, painted.Panel)
	p.call("wm/panel", map[string]any{"ifSeq": painted.Seq}, &again)
	assert.True(t, again.Unchanged)
	assert.Nil(t, again.Panel)
	var item wire.PanelResolveResult
	p.call("wm/panel/resolve", map[string]any{"id": painted.Sections[3].Items[0].ID}, &item)
	assert.Contains(t, item.Markdown, "We use tabs")
	assert.EqualValues(t, wire.CodeRequestFailed, p.fails("wm/panel/resolve", map[string]any{"id": "memory:none"}).Code)
}

func TestCommandsServeClientsThatKnowOnlyLSP(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "package a\n\n// We use tabs.\n")
	run := func(name string, args ...any) error {
		return p.try("workspace/executeCommand", map[string]any{"command": name, "arguments": args}, nil)
	}
	span := map[string]any{
		"start": map[string]any{"line": 2, "character": 3}, "end": map[string]any{"line": 2, "character": 15},
	}
	require.NoError(t, run("wm.remember", map[string]any{"uri": uri, "range": span, "type": "feedback"}))
	var list wire.MemoryListResult
	p.call("wm/memory/list", nil, &list)
	require.Len(t, list.Entries, 1)
	assert.Equal(t, "We use tabs.", list.Entries[0].Text)
	assert.Equal(t, []string{"a.go"}, list.Entries[0].Files)
	for _, name := range []string{"wm.showContext", "wm.showPanel"} {
		require.NoError(t, run(name))
	}
	require.NoError(t, run("wm.search", map[string]any{"query": "tabs"}))
	require.NoError(t, run("wm.forget", map[string]any{"id": list.Entries[0].ID}))
	require.NoError(t, run("wm.pause", map[string]any{"minutes": 5}))
	p.eventually("every document is shown", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.shown) >= 5
	})
	assert.Error(t, run("wm.nothing"))
	assert.Error(t, run("wm.remember", map[string]any{}))
}

func TestWhilePausedNothingIsRecorded(t *testing.T) {
	p := start(t, nil)
	p.call("wm/pause", map[string]any{"minutes": 5}, nil)
	p.call("wm/tool/executed", map[string]any{"tool": "read", "input": map[string]any{"path": "a.go"}}, nil)
	var receipt wire.Receipt
	p.call("wm/memory/add", map[string]any{"text": "We use tabs"}, &receipt)
	assert.Equal(t, wire.ReceiptRejected, receipt.Status)
	assert.Equal(t, "paused", receipt.Reason)
	assert.Empty(t, p.files())
	p.call("wm/pause", map[string]any{"resume": true}, nil)
	p.call("wm/memory/add", map[string]any{"text": "We use tabs"}, &receipt)
	assert.Equal(t, wire.ReceiptAdded, receipt.Status)
}

func TestAnErrorOfAnEndedSessionStaysOpenAndTheNextThatSeesItChecksIt(t *testing.T) {
	p := start(t, nil)
	p.write("go.mod", "module shop\n")
	opened := map[string]int{}
	for _, session := range []string{"first", "second"} {
		var result wire.ToolExecutedResult
		p.call("wm/tool/executed", map[string]any{
			"sessionId": session, "tool": "bash", "input": map[string]any{"command": "go test ./..."}, "exitCode": 1,
			"output": "--- FAIL: TestAdd (0.00s)\n    add_test.go:7: got 3, want 4\nFAIL\n",
		}, &result)
		opened[session] = len(result.Opened)
		assert.True(t, p.errors()[0].Verified, session)
		p.call("wm/session/end", map[string]any{"sessionId": session}, nil)
		if assert.Len(t, p.errors(), 1, session) {
			assert.False(t, p.errors()[0].Verified, session)
		}
	}
	assert.Equal(t, map[string]int{"first": 1, "second": 0}, opened)
}

func TestTheCommandThatPausesResumesAsWell(t *testing.T) {
	p := start(t, nil)
	for _, want := range []string{"paused", "", "paused"} {
		p.call("workspace/executeCommand", map[string]any{"command": "wm.pause"}, nil)
		var receipt wire.Receipt
		p.call("wm/memory/add", map[string]any{"text": "We use tabs"}, &receipt)
		assert.Equal(t, want == "paused", receipt.Reason == "paused", "%+v", receipt)
	}
	p.call("workspace/executeCommand",
		map[string]any{"command": "wm.pause", "arguments": []any{map[string]any{"minutes": 5}}}, nil)
	var receipt wire.Receipt
	p.call("wm/memory/add", map[string]any{"text": "We use tabs"}, &receipt)
	assert.Equal(t, "paused", receipt.Reason, "minutes extend a pause")
}

func TestInAFolderThatIsRemovedTheSessionEnds(t *testing.T) {
	p := start(t, nil)
	second := t.TempDir()
	file, in := fileURI(filepath.Join(second, "a.go")), map[string]any{"workspace": fileURI(second)}
	require.NoError(t, os.WriteFile(filepath.Join(second, "a.go"), []byte("package a\n"), 0o600))
	change := func(added, removed []any) {
		p.notify("workspace/didChangeWorkspaceFolders",
			map[string]any{"event": map[string]any{"added": added, "removed": removed}})
	}
	folder := []any{map[string]any{"uri": fileURI(second), "name": "second"}}
	live := func() (live []bool) {
		var list wire.SessionListResult
		p.call("wm/session/list", in, &list)
		for _, session := range list.Sessions {
			live = append(live, session.Live)
		}
		return live
	}
	errors := func() []wire.OpenError {
		var list wire.ErrorsListResult
		p.call("wm/errors/list", in, &list)
		return list.Errors
	}

	change(folder, []any{})
	p.open(p.write("b.go", "package b\n"), "package b\n")
	p.open(file, "package a\n")
	p.notify("wm/diagnostics/changed", map[string]any{"uri": file, "diagnostics": []any{diagnostic(0, "undefined: y")}})
	require.Len(t, errors(), 1)
	require.Equal(t, []bool{true}, live())

	change([]any{}, folder)
	assert.Empty(t, errors(), "nobody would take it back")
	p.change(file, "package b\n")
	p.save(file)
	assert.Equal(t, []bool{false}, live(), "what is done to its files is nobody's business now")
	assert.Contains(t, p.files(), "b.go", "the other folder is as it was")

	change(folder, []any{})
	p.open(file, "package a\n")
	assert.Equal(t, []bool{true}, live())
}

func TestOfTwoFoldersOfARepositoryOneCanGo(t *testing.T) {
	p := start(t, nil)
	p.write(".git/HEAD", "ref: refs/heads/main\n")
	one := map[string]any{"uri": fileURI(filepath.Join(p.root, "one")), "name": "one"}
	two := map[string]any{"uri": fileURI(filepath.Join(p.root, "two")), "name": "two"}
	file := p.write("one/a.go", "package a\n")
	p.write("two/b.go", "package b\n")
	p.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{one, two}, "removed": []any{map[string]any{"uri": fileURI(p.root), "name": "root"}},
	}})
	p.open(file, "package a\n")
	p.notify("workspace/didChangeWorkspaceFolders",
		map[string]any{"event": map[string]any{"added": []any{}, "removed": []any{two}}})
	p.change(file, "package b\n")
	assert.Equal(t, wire.FileEdit, p.files()["one/a.go"].Action)
}

func TestWithoutAFolderTheServerAnswersAndStoresNothing(t *testing.T) {
	p := start(t, nil)
	p.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{}, "removed": []any{map[string]any{"uri": fileURI(p.root), "name": "root"}},
	}})
	assert.Empty(t, p.files())
	p.call("wm/context", nil, nil)
	p.call("wm/panel", nil, nil)
	p.call("wm/tool/executed", map[string]any{"tool": "read", "input": map[string]any{"path": "a.go"}}, nil)
	fault := p.fails("wm/memory/add", map[string]any{"text": "We use tabs"})
	assert.EqualValues(t, wire.CodeRequestFailed, fault.Code)
	assert.JSONEq(t, `{"reason":"noWorkspace"}`, string(fault.Data))
	var status wire.StatusResult
	p.call("wm/status", nil, &status)
	assert.NotEmpty(t, status.Problems)
}

func TestATraceIsSentToWhoAsksForIt(t *testing.T) {
	p := start(t, nil)
	p.call("wm/status", nil, nil)
	p.notify("$/setTrace", map[string]any{"value": "messages"})
	p.call("wm/status", nil, nil)
	p.eventually("the trace of the call", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return slices.ContainsFunc(p.traced, func(text string) bool { return strings.Contains(text, "wm/status took") })
	})
}

func TestWhatArrivesBeforeTheClientLeavesIsKept(t *testing.T) {
	slow.Test(t)
	for name, leave := range map[string]func(p *peer){
		"end of input": func(*peer) {},
		"exit":         func(p *peer) { p.notify("exit", nil) },
		"shutdown and exit": func(p *peer) {
			p.call("shutdown", nil, nil)
			p.notify("exit", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			root, data := t.TempDir(), t.TempDir()
			for i := range 5 {
				p := startIn(t, nil, root, data, "") // the first event comes while the store is opened
				for j := range 10 {
					p.notify("wm/message/received", map[string]any{
						"role": "user",
						"text": fmt.Sprintf("Remember: part %c%c of the bridge is made of steel.", 'a'+i, 'a'+j),
					})
				}
				leave(p)
				p.end()
				assert.NotContains(t, p.log.text(), "level=WARN")
			}
			var list wire.MemoryListResult
			p := startIn(t, nil, root, data, "")
			p.call("wm/memory/list", map[string]any{"includeInactive": true}, &list)
			assert.Len(t, list.Entries, 50)
		})
	}
}

func TestASessionGoesOnAfterAnotherProcessForgotEverything(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "package a\n")
	p.open(uri, "package a\n")
	require.Len(t, p.files(), 1, "what is opened after the purge stays")
	other := startIn(t, nil, p.root, p.data, "")
	var status wire.StatusResult
	other.call("wm/status", nil, &status)
	other.call("wm/workspace/purge", map[string]any{"confirm": status.Workspace.Key}, nil)
	p.eventually("the purge arrived", func() bool { return len(p.files()) == 0 })

	p.call("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{diagnostic(0, "bad")}}, nil)
	other.eventually("the other process sees the error", func() bool { return len(other.errors()) == 1 })
	var list wire.SessionListResult
	other.call("wm/session/list", nil, &list)
	live := map[string]bool{}
	for _, session := range list.Sessions {
		live[session.SessionID] = session.Live
	}
	assert.True(t, live[p.session], "the session of the process that did not purge is live")
}

func TestACancelledEndOfASessionEndsNothing(t *testing.T) {
	p, release := held(t, nil)
	uri := p.write("a.go", "package a\n")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := p.conn.Call(ctx, "wm/session/end", map[string]any{"sessionId": p.session}, nil)
		ended <- err
	}()
	p.eventually("the request waits", func() bool {
		p.server.cancels.mu.Lock()
		defer p.server.cancels.mu.Unlock()
		return len(p.server.cancels.pending) == 1
	})
	p.server.cancels.mu.Lock()
	for _, stop := range p.server.cancels.pending {
		stop()
	}
	p.server.cancels.mu.Unlock()
	release()
	require.Error(t, <-ended)
	cancel()
	p.call("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{diagnostic(0, "bad")}}, nil)
	var list wire.SessionListResult
	p.call("wm/session/list", nil, &list)
	require.Len(t, list.Sessions, 1)
	assert.True(t, list.Sessions[0].Live)
}

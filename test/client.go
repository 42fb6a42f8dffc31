package test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/jsonrpc2"
)

// Patience is how long the harness waits for anything before the test fails: only
// what never happens takes so long, however busy the machine is.
const Patience = 5 * time.Minute

// ClientOptions are what an editor or agent says about itself. The zero value
// is a nameless editor on the workspace folder.
type ClientOptions struct {
	// Name is clientInfo.name.
	Name string
	// ProcessID is the processId of initialize: 0 stands for the process of the
	// test, -1 for null.
	ProcessID int
	// SessionID and Agent go into the initializationOptions.
	SessionID, Agent string
	// Attach makes initializationOptions say that the client owns no session.
	Attach bool
	// Folders are the workspace folders, relative to Env.Root. Nil stands for the
	// root itself, an empty slice for no folder.
	Folders []string
	// Settings are the section "wm" of the configuration. They are sent as
	// initializationOptions, and when the server asks for them.
	Settings map[string]any
	// Capabilities are the client's; nil stands for DefaultCapabilities.
	Capabilities map[string]any
	// Args are the arguments of the command, Environ what is added to its
	// environment.
	Args, Environ []string
	// Package is the command to start; empty stands for Server.
	Package string
	// Raw leaves out the handshake: the test itself sends initialize.
	Raw bool
}

// DefaultCapabilities are those of an editor that knows what wm-lsp offers.
func DefaultCapabilities() map[string]any {
	return map[string]any{
		"workspace": map[string]any{
			"configuration":         true,
			"workspaceFolders":      true,
			"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true},
		},
		"window":       map[string]any{"showDocument": map[string]any{"support": true}},
		"experimental": map[string]any{"workingMemory": map[string]any{"notifications": true}},
	}
}

// A Client is a fake editor or agent with a server process of its own. Its
// methods fail the test when something goes wrong, unless they return an
// error. When the test ends the client closes the server's input, and the
// server has to end by itself.
type Client struct {
	// Initialized is the result of initialize.
	Initialized json.RawMessage

	t         testing.TB
	env       *Env
	options   ClientOptions
	conn      jsonrpc2.Conn
	process   *exec.Cmd
	input     *pipe
	output    *gate
	ended     chan struct{} // closed when the process has ended
	stderr    *lockedBuffer
	documents map[string]*document

	mu       sync.Mutex // guards what follows
	received []Received
	changed  chan struct{} // closed and replaced when something arrives
	settings map[string]any
}

// Received is one message from the server: Method is empty for a response, ID
// for a notification.
type Received struct {
	Method string
	ID     string
	Params json.RawMessage
	// Raw is the whole message.
	Raw json.RawMessage
}

// Start starts a server and greets it, as an editor does.
func (e *Env) Start(options ClientOptions) *Client {
	t := e.t
	t.Helper()
	if options.Package == "" {
		options.Package = Server
	}
	if options.Capabilities == nil {
		options.Capabilities = DefaultCapabilities()
	}
	c := &Client{
		t: t, env: e, options: options, settings: options.Settings,
		ended: make(chan struct{}), changed: make(chan struct{}),
		stderr: &lockedBuffer{}, documents: map[string]*document{},
	}
	c.spawn()
	t.Cleanup(c.end)
	if !options.Raw {
		c.greet()
	}
	return c
}

// spawn starts the process. The pipes are made here, because the ones of
// package exec are closed by Wait before they are read to the end.
func (c *Client) spawn() {
	t := c.t
	t.Helper()
	childInput, input, err := os.Pipe()
	require.NoError(t, err)
	output, childOutput, err := os.Pipe()
	require.NoError(t, err)

	c.process = exec.Command(Binary(t, c.options.Package), c.options.Args...)
	c.process.Dir = c.env.Root
	c.process.Env = append(c.env.Environ(), c.options.Environ...)
	c.process.Stdin, c.process.Stdout, c.process.Stderr = childInput, childOutput, c.stderr
	require.NoError(t, c.process.Start())
	require.NoError(t, childInput.Close())
	require.NoError(t, childOutput.Close())
	go func() {
		_ = c.process.Wait() // Wait reports the exit code
		close(c.ended)
	}()

	c.input = &pipe{file: input}
	c.output = newGate(output)
	stream := jsonrpc2.NewHeaderStream(duplex{c.output, c.input})
	c.conn = jsonrpc2.NewConn(recorder{stream, c.record})
	c.conn.Go(context.Background(), c.answer)
}

// greet is the handshake.
func (c *Client) greet() {
	c.t.Helper()
	c.Call("initialize", c.InitializeParams(), &c.Initialized)
	c.Notify("initialized", struct{}{})
}

// InitializeParams are the params of initialize that follow from the options.
func (c *Client) InitializeParams() map[string]any {
	initializationOptions := map[string]any{}
	for name, value := range c.options.Settings {
		initializationOptions[name] = value
	}
	if c.options.SessionID != "" {
		initializationOptions["sessionId"] = c.options.SessionID
	}
	if c.options.Agent != "" {
		initializationOptions["agent"] = c.options.Agent
	}
	if c.options.Attach {
		initializationOptions["attach"] = true
	}
	params := map[string]any{
		"processId":             nil,
		"rootUri":               nil,
		"capabilities":          c.options.Capabilities,
		"initializationOptions": initializationOptions,
		"workspaceFolders":      c.folders(),
	}
	switch {
	case c.options.ProcessID > 0:
		params["processId"] = c.options.ProcessID
	case c.options.ProcessID == 0:
		params["processId"] = os.Getpid()
	}
	if folders := c.folders(); len(folders) > 0 {
		params["rootUri"] = folders[0]["uri"]
	}
	if c.options.Name != "" {
		params["clientInfo"] = map[string]any{"name": c.options.Name}
	}
	return params
}

func (c *Client) folders() []map[string]any {
	names := c.options.Folders
	if names == nil {
		names = []string{""}
	}
	folders := make([]map[string]any, 0, len(names))
	for _, name := range names {
		folders = append(folders, map[string]any{"uri": c.env.URI(name), "name": name})
	}
	return folders
}

// Call sends a request and decodes the result, which may be nil.
func (c *Client) Call(method string, params, result any) {
	c.t.Helper()
	require.NoError(c.t, c.TryCall(method, params, result), "call %s", method)
}

// TryCall sends a request and returns the server's answer if it is an error.
func (c *Client) TryCall(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	var answer json.RawMessage
	if _, err := c.conn.Call(ctx, method, params, &answer); err != nil || result == nil || len(answer) == 0 {
		return err
	}
	return json.Unmarshal(answer, result)
}

// CallError sends a request that has to fail, and returns the error.
func (c *Client) CallError(method string, params any) *jsonrpc2.Error {
	c.t.Helper()
	var fault *jsonrpc2.Error
	require.ErrorAs(c.t, c.TryCall(method, params, nil), &fault, "call %s", method)
	return fault
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) {
	c.t.Helper()
	require.NoError(c.t, c.conn.Notify(context.Background(), method, params), "notify %s", method)
}

// Raw sends bytes as they are.
func (c *Client) Raw(bytes []byte) {
	c.t.Helper()
	require.NoError(c.t, c.TryRaw(bytes))
}

// TryRaw sends bytes as they are; the error says that the server has ended.
func (c *Client) TryRaw(bytes []byte) error {
	_, err := c.input.Write(bytes)
	return err
}

// Frame sends a body as one frame, whatever it holds.
func (c *Client) Frame(body string) {
	c.t.Helper()
	c.Raw(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(body), body))
}

// Configure changes the settings and tells the server so. The notification is
// empty: the server asks for them.
func (c *Client) Configure(settings map[string]any) {
	c.t.Helper()
	c.mu.Lock()
	c.settings = settings
	c.mu.Unlock()
	c.Notify("workspace/didChangeConfiguration", map[string]any{"settings": nil})
}

// answer is the client's side of the requests that a server may make.
func (c *Client) answer(_ context.Context, request *jsonrpc2.Request) (any, error) {
	if !request.IsCall() {
		return nil, nil // recorded already
	}
	switch request.Method() {
	case "workspace/configuration":
		return c.configuration(request.Params())
	case "workspace/workspaceFolders":
		return c.folders(), nil
	case "window/showDocument":
		return map[string]any{"success": true}, nil
	case "workspace/applyEdit":
		return map[string]any{"applied": true}, nil
	case "client/registerCapability",
		"client/unregisterCapability",
		"window/workDoneProgress/create",
		"window/showMessageRequest":
		return nil, nil // null
	}
	return nil, jsonrpc2.ErrMethodNotFound
}

func (c *Client) configuration(params []byte) (any, error) {
	var asked struct {
		Items []struct{ Section string }
	}
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "workspace/configuration: %v", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	sections := make([]any, len(asked.Items))
	for i, item := range asked.Items {
		if item.Section == "wm" && c.settings != nil {
			sections[i] = c.settings
		}
	}
	return sections, nil
}

// record keeps a message and wakes those who wait for one.
func (c *Client) record(message jsonrpc2.Message) {
	raw, err := jsonrpc2.EncodeMessage(message)
	if err != nil {
		return
	}
	r := Received{Raw: raw}
	switch m := message.(type) {
	case *jsonrpc2.Call:
		r.Method, r.ID, r.Params = strings.Clone(m.Method()), idText(m.ID()), bytes.Clone(m.Params())
	case *jsonrpc2.Notification:
		r.Method, r.Params = strings.Clone(m.Method()), bytes.Clone(m.Params())
	case *jsonrpc2.Response:
		r.ID = idText(m.ID())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.received = append(c.received, r)
	close(c.changed)
	c.changed = make(chan struct{})
}

// idText is an id as it stands in a message.
func idText(id jsonrpc2.ID) string {
	if s, ok := id.StringValue(); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(id)
}

// Received returns every message from the server so far.
func (c *Client) Received() []Received {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Received(nil), c.received...)
}

// Notifications returns the params of the notifications and requests of one
// method that came from the server so far.
func (c *Client) Notifications(method string) []json.RawMessage {
	var params []json.RawMessage
	for _, r := range c.Received() {
		if r.Method == method {
			params = append(params, r.Params)
		}
	}
	return params
}

// Responses returns the raw responses with an id so far: a number as it is, a
// string in quotes, or null. It is for what was sent with Raw or Frame.
func (c *Client) Responses(id string) []json.RawMessage {
	var responses []json.RawMessage
	for _, r := range c.Received() {
		if r.Method == "" && r.ID == id {
			responses = append(responses, r.Raw)
		}
	}
	return responses
}

// pollInterval is how often Await looks again when nothing arrives.
const pollInterval = 20 * time.Millisecond

// Await waits until the condition holds. It looks again whenever a message
// arrives, and often besides, for conditions that ask the server. The message
// says what is waited for.
func (c *Client) Await(condition func() bool, message string, args ...any) {
	c.t.Helper()
	deadline := time.After(Patience)
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for {
		c.mu.Lock()
		changed := c.changed
		c.mu.Unlock()
		if condition() {
			return
		}
		select {
		case <-changed:
		case <-poll.C:
		case <-deadline:
			require.FailNow(c.t, "waited in vain: "+fmt.Sprintf(message, args...), c.account())
		}
	}
}

// AwaitNotification waits for the first notification of a method of which the
// params satisfy the condition, and returns them. A nil condition takes any.
func (c *Client) AwaitNotification(method string, condition func(params json.RawMessage) bool) (found json.RawMessage) {
	c.t.Helper()
	c.Await(func() bool {
		for _, params := range c.Notifications(method) {
			if condition == nil || condition(params) {
				found = params
				return true
			}
		}
		return false
	}, "a notification %s", method)
	return found
}

// account is what there is to know when something did not happen.
func (c *Client) account() string {
	var b strings.Builder
	b.WriteString("The server sent:\n")
	for _, r := range c.Received() {
		fmt.Fprintf(&b, "  %.400s\n", r.Raw)
	}
	fmt.Fprintf(&b, "and wrote to stderr:\n%s", c.Stderr())
	return b.String()
}

// Stderr is what the server wrote there so far.
func (c *Client) Stderr() string { return c.stderr.String() }

// PID is the server's process id.
func (c *Client) PID() int { return c.process.Process.Pid }

// Shutdown ends the server as the protocol asks for; its exit code has to be 0.
func (c *Client) Shutdown() {
	c.t.Helper()
	c.Call("shutdown", nil, nil)
	c.Notify("exit", nil)
	require.Zero(c.t, c.Wait(), "the exit code after shutdown and exit; %s", c.account())
}

// CloseInput ends the server's stdin.
func (c *Client) CloseInput() {
	c.t.Helper()
	if err := c.input.Close(); !errors.Is(err, os.ErrClosed) { // it may have ended already
		require.NoError(c.t, err)
	}
}

// CloseOutput ends the reading of the server's stdout: its next write fails.
func (c *Client) CloseOutput() {
	c.t.Helper()
	require.NoError(c.t, c.output.in.Close())
}

// StopReading leaves everything that the server writes from now on in the pipe,
// until ResumeReading. What is being read at this moment still arrives.
func (c *Client) StopReading() { c.output.shut() }

// ResumeReading ends StopReading.
func (c *Client) ResumeReading() { c.output.reopen() }

// Kill ends the server at once, and waits until it is gone.
func (c *Client) Kill() {
	c.t.Helper()
	require.NoError(c.t, c.process.Process.Kill())
	c.Wait()
}

// Signal sends a signal to the server.
func (c *Client) Signal(signal os.Signal) {
	c.t.Helper()
	require.NoError(c.t, c.process.Process.Signal(signal))
}

// AwaitEnd waits until everything that a server wrote before its end has
// arrived.
func (c *Client) AwaitEnd() {
	c.t.Helper()
	select {
	case <-c.conn.Done():
	case <-time.After(Patience):
		require.FailNow(c.t, "the output of the server does not end", c.account())
	}
}

// Ended is closed when the server has ended.
func (c *Client) Ended() <-chan struct{} { return c.ended }

// Wait waits for the end of the server, and returns its exit code: -1 after a
// signal that it did not handle.
func (c *Client) Wait() int {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(Patience):
		_ = c.process.Process.Kill()
		require.FailNow(c.t, "the server does not end", c.account())
	}
	return c.process.ProcessState.ExitCode()
}

// end is the end of the test: a server that still runs has to end with its
// input, must have written nothing but frames, and must not have raced.
func (c *Client) end() {
	c.output.reopen()
	_ = c.input.Close()
	select {
	case <-c.ended:
	case <-time.After(Patience):
		_ = c.process.Process.Kill()
		<-c.ended
		assert.Fail(c.t, "the server did not end with its input", c.account())
	}
	_ = c.output.in.Close()
	<-c.conn.Done()
	assert.NotErrorIs(
		c.t,
		c.conn.Err(),
		jsonrpc2.ErrInvalidHeader,
		"the server wrote something else than frames to stdout",
	)
	assert.NotContains(c.t, c.Stderr(), "DATA RACE")
	if c.t.Failed() {
		c.t.Log(c.account())
	}
}

// A pipe is the server's input: frames of the connection and raw bytes do not
// mix.
type pipe struct {
	mu   sync.Mutex
	file *os.File
}

func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, err := p.file.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		err = io.ErrClosedPipe // the server has ended
	}
	return n, err
}

func (p *pipe) Close() error { return p.file.Close() }

// A gate is the server's output, which can be left unread.
type gate struct {
	in   *os.File
	mu   sync.Mutex
	open chan struct{} // closed while the output is read
}

func newGate(in *os.File) *gate {
	g := &gate{in: in, open: make(chan struct{})}
	close(g.open)
	return g
}

func (g *gate) Read(p []byte) (int, error) {
	g.pass()
	n, err := g.in.Read(p)
	g.pass()
	return n, err
}

func (g *gate) pass() {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	<-open
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = make(chan struct{})
}

func (g *gate) reopen() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open:
	default:
		close(g.open)
	}
}

// duplex is both pipes as one connection. Closing it closes the input only: the
// server's last words are still read.
type duplex struct {
	io.Reader
	io.WriteCloser
}

// A recorder shows every message to see before the connection takes it.
type recorder struct {
	jsonrpc2.Stream
	see func(jsonrpc2.Message)
}

func (r recorder) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	message, n, err := r.Stream.Read(ctx)
	if err == nil {
		r.see(message)
	}
	return message, n, err
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

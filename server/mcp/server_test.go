package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// patience is how long a test waits for what has to happen.
const patience = 2 * time.Minute

// versions are the versions of the protocol that the library speaks.
var versions = sdk.SupportedProtocolVersions()

// A setting is what a test says of a host and its server. The zero value is a host without
// roots that speaks the newest version, with a project as the working directory.
type setting struct {
	version  string
	name     string
	dir      string // the working directory; a new project if empty
	data     string // of all workspaces; a new folder if empty
	home     string
	settings string // of the user
	environ  []string
	roots    []string // folders
	hasRoots bool
	allTools bool
	// named is true if calls name their sessions.
	named  bool
	client sdk.ClientOptions
	setUp  func(*sdk.Client)
}

// A host is a client of the library with a server in the same process.
type host struct {
	*sdk.ClientSession
	t      *testing.T
	client *sdk.Client
	dir    string
	data   string
	in     io.Closer // the input of the server
	ended  chan struct{}
}

func start(t *testing.T, with setting) *host {
	t.Helper()
	h := &host{t: t, dir: with.dir, data: with.data, ended: make(chan struct{})}
	if h.dir == "" {
		h.dir = t.TempDir()
	}
	if h.data == "" {
		h.data = t.TempDir()
	}
	if with.home == "" {
		with.home = t.TempDir()
	}
	if with.name == "" {
		with.name = "host"
	}
	userFile := filepath.Join(t.TempDir(), settings.FileName)
	require.NoError(t, os.WriteFile(userFile, []byte(with.settings), 0o600))
	fromHost, toServer := io.Pipe()
	fromServer, toHost := io.Pipe()
	h.in = toServer
	go func() {
		defer close(h.ended)
		Run(context.Background(), Options{
			In: fromHost, Out: toHost, Log: slog.New(slog.DiscardHandler), Version: "test", AllTools: with.allTools,
			NamedSessions: with.named,
			Environ:       append([]string{"HOME=" + with.home}, with.environ...), Dir: h.dir,
			DataDir: h.data, UserFile: userFile,
		})
	}()
	if with.client.Capabilities == nil && !with.hasRoots {
		with.client.Capabilities = &sdk.ClientCapabilities{}
	}
	h.client = sdk.NewClient(&sdk.Implementation{Name: with.name, Version: "1"}, &with.client)
	addRoots(h.client, with.roots...)
	if with.setUp != nil {
		with.setUp(h.client)
	}
	session, err := h.client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer},
		&sdk.ClientSessionOptions{ProtocolVersion: with.version})
	require.NoError(t, err)
	h.ClientSession = session
	t.Cleanup(h.leave)
	return h
}

// leave closes the input of the server and waits until it has ended.
func (h *host) leave() {
	_ = h.in.Close()
	select {
	case <-h.ended:
	case <-time.After(patience):
		h.t.Error("the server has not ended")
	}
}

// try calls a tool.
func (h *host) try(name string, arguments any) *sdk.CallToolResult {
	h.t.Helper()
	result, err := h.CallTool(h.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(h.t, err, name)
	require.Len(h.t, result.Content, 1)
	return result
}

type object = map[string]any

// call calls a tool, which must succeed, and returns its text and its data.
func (h *host) call(name string, arguments any) (said string, data object) {
	h.t.Helper()
	result := h.try(name, arguments)
	said = textOf(result)
	require.False(h.t, result.IsError, said)
	data, is := result.StructuredContent.(object)
	require.True(h.t, is, "%s has no structured result", name)
	return said, data
}

// fail calls a tool, which must fail, and returns its text.
func (h *host) fail(name string, arguments any) string {
	h.t.Helper()
	result := h.try(name, arguments)
	require.True(h.t, result.IsError, "%s succeeded: %s", name, textOf(result))
	return textOf(result)
}

func textOf(result *sdk.CallToolResult) string { return result.Content[0].(*sdk.TextContent).Text }

// resource returns the text of a resource.
func (h *host) resource(uri string) string {
	h.t.Helper()
	read, err := h.ReadResource(h.t.Context(), &sdk.ReadResourceParams{URI: uri})
	require.NoError(h.t, err)
	require.Len(h.t, read.Contents, 1)
	return read.Contents[0].Text
}

func TestEveryVersionOfTheProtocolHasTheMemory(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			h := start(t, setting{version: version, name: "some-agent"})
			greeting := h.InitializeResult()
			assert.Equal(t, version, greeting.ProtocolVersion)
			assert.Equal(t, instructions, greeting.Instructions)
			assert.Equal(t, "wm-lsp", greeting.ServerInfo.Name)

			said, data := h.call("memory_remember", object{"text": "We pin every dependency", "type": "decision"})
			id := data["id"].(string)
			assert.Contains(t, said, id)
			said, data = h.call("memory_context", nil)
			assert.Contains(t, said, "We pin every dependency")
			assert.Contains(t, data["text"], "We pin every dependency")
			assert.Contains(t, said, data["revision"])
			other := beside(t, h.data, h.dir)
			list := other.call("wm/memory/list", &wire.MemoryListParams{}).(wire.MemoryListResult)
			assert.Equal(t, "some-agent", list.Entries[0].Origin.Agent)

			assert.Contains(t, h.resource("wm://context"), "We pin every dependency")
			assert.Contains(t, h.resource("wm://memory"), id)
			prompt, err := h.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "working-memory"})
			require.NoError(t, err)
			text := prompt.Messages[0].Content.(*sdk.TextContent).Text
			assert.Contains(t, text, "We pin every dependency")
			assert.Contains(t, text, "with memory_remember", "the guide names the tools")
		})
	}
}

func TestTheToolsOfAnAgentDoWhatTheySay(t *testing.T) {
	h := start(t, setting{})
	said, data := h.call("memory_remember", object{"text": "The port of the staging server is 8080"})
	id := data["id"].(string)
	assert.Equal(t, "Remembered. Its id is "+id+".", said)
	undo := data["undo"].(object)
	h.call(undo["method"].(string), undo["params"])
	said, _ = h.call("memory_list", nil)
	assert.Equal(t, "The workspace memory is empty.", said)
	_, data = h.call("memory_remember", object{"text": "The port of the staging server is 8080"})
	id = data["id"].(string)
	said, _ = h.call("memory_remember", object{"text": "The port of the staging server is 8080"})
	assert.Contains(t, said, "Already remembered")

	said, _ = h.call("memory_search", object{"query": "staging port"})
	assert.Contains(t, said, id)
	said, _ = h.call("memory_search", object{"query": "which port has the staging machine"})
	assert.Contains(t, said, id, "words that the entry has not are not an obstacle")
	h.call("memory_forget", object{"id": id})
	said, _ = h.call("memory_search", object{"query": "staging port"})
	assert.NotContains(t, said, id, "it was forgotten")
	said, _ = h.call("memory_search", object{"query": "staging port", "includeRemoved": true})
	assert.Contains(t, said, id)
	said, data = h.call("memory_search", object{"query": "kubernetes"})
	assert.Equal(t, "Nothing that is remembered fits these words.", said)
	assert.Empty(t, data["hits"])

	_, data = h.call("memory_context", nil)
	revision := data["revision"]
	said, data = h.call("memory_context", object{"since": revision})
	assert.Equal(t, true, data["unchanged"])
	assert.Contains(t, said, "Nothing new")
	h.call("memory_remember", object{"text": "Tests run with make check"})
	said, _ = h.call("memory_context", object{"since": revision})
	assert.Contains(t, said, "make check")
	assert.NotContains(t, said, "staging server")

	said, _ = h.call("core_memory_update", object{"block": "goal", "content": "Ship it"})
	assert.Equal(t, "Written: 7 of 1000 characters.", said)
	said, _ = h.call("core_memory_update", object{"block": "goal", "content": "Ship it", "operation": "append"})
	assert.Equal(t, "Written: 15 of 1000 characters.", said)
	said, _ = h.call("core_memory_update", object{"block": "goal", "content": "Ship it"})
	assert.Equal(t, "Written: 7 of 1000 characters.", said, "a text replaces the former one")
	said, _ = h.call("notes_write", object{"path": "detail/plan.md", "content": "# Plan\nfirst\n"})
	assert.Contains(t, said, "detail/plan.md")
	said, data = h.call("notes_read", object{"path": "detail/plan.md"})
	assert.Contains(t, said, "first")
	assert.Contains(t, said, data["revision"])
	said, _ = h.call("memory_context", nil)
	assert.Contains(t, said, "Ship it")

	said, _ = h.call("open_errors", nil)
	assert.Equal(t, "No error is open.", said)
	said, _ = h.call("memory_forget", object{"id": id})
	assert.Equal(t, "Forgotten: The port of the staging server is 8080", said)
	said, _ = h.call("memory_list", nil)
	assert.NotContains(t, said, id)
	assert.Contains(t, h.fail("compact_history", object{"target": "all"}), "history.keep")
	assert.Contains(t, h.fail("memory_forget", object{"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}), "memory_list has the ids")
}

func TestTheConversationThatAHookRecordedIsCompacted(t *testing.T) {
	h := start(t, setting{})
	other := beside(t, h.data, h.dir)
	other.call("wm/session/start", &wire.SessionStartParams{Params: wire.Params{SessionID: "of a hook"}, History: true})
	for i := range 8 {
		for _, role := range []string{"user", "assistant"} {
			other.call("wm/message/received", &wire.MessageReceivedParams{
				Params: wire.Params{SessionID: "of a hook"}, Role: wire.Role(role),
				Text: fmt.Sprintf("the %s says %d", role, i),
			})
		}
	}
	said, data := h.call("compact_history",
		object{"sessionId": "of a hook", "target": "conversation", "keep_recent": 3, "archive_to": "detail/past.md"})
	assert.Len(t, data["removed"], 10)
	assert.Contains(t, said, "Removed 10 messages and kept 6")
	assert.Equal(t, "detail/past.md", data["archivedTo"])
}

func TestToolsTakeTheNamesOfTheOriginalTools(t *testing.T) {
	h := start(t, setting{allTools: true})
	h.call("working_memory_add", object{"content": "check the cache", "slot_type": "todo"})
	_, data := h.call("working_memory_read", nil)
	assert.Len(t, data["slots"].(object)["todo"], 1)
	h.call("working_memory_clear_slot", object{"slot_type": "todo"})
	_, data = h.call("working_memory_read", nil)
	assert.Empty(t, data["slots"].(object)["todo"])
	assert.Equal(t, "slot: is missing. Nothing was changed. Correct it and call again.",
		h.fail("working_memory_clear_slot", nil))
	assert.Equal(t, "workspace: must be a string, got number. Correct it and call again.",
		h.fail("working_memory_read", object{"workspace": 1}), "nothing is said of changes where there are none")
	h.call("working_memory_add", object{"content": "look at the queue"})
	h.call("working_memory_remove", object{"content": "queue"})
	_, data = h.call("working_memory_read", nil)
	assert.Empty(t, data["pool"])
}

func TestACallCanNameAnotherSession(t *testing.T) {
	h := start(t, setting{})
	h.call("core_memory_update",
		object{"sessionId": "of a hook", "block": "goal", "operation": "replace", "content": "Ship it"})
	said, _ := h.call("memory_context", object{"sessionId": "of a hook"})
	assert.Contains(t, said, "Ship it")
	said, _ = h.call("memory_context", nil)
	assert.NotContains(t, said, "Ship it")
}

// requests writes lines to a server and returns its messages after the end of the input: the
// first answer to each id, and the others.
func requests(t *testing.T, with Options, lines ...string) (answers map[string]json.RawMessage, others []string) {
	t.Helper()
	all, others := requestsOf(t, with, lines...)
	answers = map[string]json.RawMessage{}
	for id, given := range all {
		answers[id] = given[0]
	}
	return answers, others
}

// requestsOf is requests with all answers to an id.
func requestsOf(t *testing.T, with Options, lines ...string) (answers map[string][]json.RawMessage, others []string) {
	t.Helper()
	var out bytes.Buffer
	with.In, with.Out = strings.NewReader(strings.Join(lines, "\n")+"\n"), &out
	if with.Log == nil {
		with.Log = slog.New(slog.DiscardHandler)
	}
	if with.Dir == "" {
		with.Dir = t.TempDir()
	}
	with.Environ = append(with.Environ, "HOME="+t.TempDir())
	with.DataDir, with.UserFile = t.TempDir(), filepath.Join(t.TempDir(), "none.toml")
	Run(t.Context(), with)
	answers = map[string][]json.RawMessage{}
	for line := range strings.Lines(out.String()) {
		var message struct {
			ID     json.RawMessage
			Method string
		}
		require.NoError(t, json.Unmarshal([]byte(line), &message), line)
		if id := string(message.ID); message.Method == "" && id != "null" {
			answers[id] = append(answers[id], json.RawMessage(line))
		} else {
			others = append(others, line)
		}
	}
	return answers, others
}

// greeting are the first lines of a host.
func greeting(version string) []string {
	return []string{
		`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"` + version +
			`","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
}

func calling(id int, name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`,
		id, name, arguments)
}

func TestRequestsRunInTheOrderOfArrivalAndAreAnsweredAfterTheEndOfTheInput(t *testing.T) {
	lines := greeting("2025-06-18")
	const n = 50
	for i := range n {
		lines = append(lines,
			calling(2*i, "core_memory_update",
				fmt.Sprintf(`{"block":"goal","operation":"replace","content":"goal %d"}`, i)),
			calling(2*i+1, "core_memory_read", `{}`))
	}
	answers, others := requests(t, Options{AllTools: true}, lines...)
	assert.Empty(t, others)
	for i := range n {
		_, after, _ := strings.Cut(string(answers[fmt.Sprint(2*i+1)]), `"content":"goal `)
		number, _, _ := strings.Cut(after, `"`)
		read, err := strconv.Atoi(number)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, read, i, "a read waits for the updates before it")
	}
}

func TestToolsAndHooksOfAnAgentShareASession(t *testing.T) {
	written := object{"block": "goal", "operation": "replace", "content": "Ship it"}
	goal := func(h *host, session string) string {
		params := &wire.CoreReadParams{Params: wire.Params{SessionID: session}}
		return beside(t, h.data, h.dir).call("wm/core/read", params).(wire.CoreReadResult).Blocks.Goal.Content
	}
	claude := start(t, setting{name: "claude-code", environ: []string{"CLAUDE_CODE_SESSION_ID=s1"}})
	claude.call("core_memory_update", written)
	assert.Equal(t, "Ship it", goal(claude, service.AgentSession("claude-code", "s1")))

	other := start(t, setting{name: "another", environ: []string{"CLAUDE_CODE_SESSION_ID=s1"}})
	other.call("core_memory_update", written)
	assert.Empty(t, goal(other, service.AgentSession("claude-code", "s1")), "an agent that runs in Claude Code")

	codex := start(t, setting{name: "codex-mcp-client", version: "2025-06-18"})
	for _, meta := range []sdk.Meta{
		{"x-codex-turn-metadata": object{"session_id": "s2", "turn_id": "t1"}},
		{"x-codex-turn-metadata": "of another type"},
	} {
		_, err := codex.CallTool(t.Context(),
			&sdk.CallToolParams{Meta: meta, Name: "core_memory_update", Arguments: written})
		require.NoError(t, err)
	}
	assert.Equal(t, "Ship it", goal(codex, service.AgentSession("codex", "s2")))
}

func TestSecretsOfACallAreRemoved(t *testing.T) {
	h := start(t, setting{})
	said, data := h.call("memory_remember", object{"text": "The token is ghp_0123456789abcdefghijABCDEFGHIJ012345"})
	assert.Contains(t, said, "A secret was removed from it.")
	doc, err := json.Marshal(data)
	require.NoError(t, err)
	assert.NotContains(t, string(doc), "ghp_0123")
}

func TestTheSessionEndsWithTheInput(t *testing.T) {
	data, dir := t.TempDir(), t.TempDir()
	first := start(t, setting{data: data, dir: dir, name: "first"})
	first.call("core_memory_update", object{"block": "goal", "operation": "replace", "content": "Ship it"})
	assert.Equal(t, map[string]bool{"first": true}, live(t, data, dir))
	first.leave()
	assert.Equal(t, map[string]bool{"first": false}, live(t, data, dir))
}

// A neighbour is another process that uses the same memory.
type neighbour struct {
	t       *testing.T
	service *service.Service
	known   map[string]service.Operation
}

func beside(t *testing.T, data, dir string) *neighbour {
	t.Helper()
	n := &neighbour{t: t, known: map[string]service.Operation{}, service: service.New(service.Options{
		Log: slog.New(slog.DiscardHandler), Outbox: outbox{&Server{}}, DataDir: data,
		UserFile: filepath.Join(data, "none.toml"),
	})}
	n.service.Begin(service.Client{
		Name: "neighbour", Folders: []string{string(uri.File(dir))}, Settings: json.RawMessage(`{"attach": true}`),
	})
	for _, op := range n.service.Operations() {
		n.known[op.Name] = op
	}
	t.Cleanup(func() { n.service.Close(context.Background()) })
	return n
}

func (n *neighbour) call(method string, params service.Params) any {
	n.t.Helper()
	at, err := n.service.View(params)
	require.NoError(n.t, err)
	result, err := n.service.Start(n.t.Context(), n.known[method], at, params)()
	require.NoError(n.t, err)
	return result
}

// live returns the agents that have had a session, and whether it is live.
func live(t *testing.T, data, dir string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	list := beside(t, data, dir).call("wm/session/list", &wire.SessionListParams{}).(wire.SessionListResult)
	for _, session := range list.Sessions {
		found[session.Agent] = session.Live
	}
	return found
}

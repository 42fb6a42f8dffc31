package mcp

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// heard is what a host was told. It is safe for concurrent use.
type heard struct {
	mu    sync.Mutex
	texts []string
}

func (h *heard) add(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.texts = append(h.texts, text)
}

func (h *heard) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	texts := h.texts
	h.texts = nil
	return texts
}

// await waits until the host was told something.
func (h *heard) await(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return slices.Contains(h.texts, text)
	}, patience, time.Millisecond, text)
}

// listening returns a host that is told of changes.
func listening(t *testing.T, with setting) (*host, *heard) {
	told := &heard{}
	with.client.ResourceUpdatedHandler = func(_ context.Context, req *sdk.ResourceUpdatedNotificationRequest) {
		told.add(req.Params.URI)
	}
	with.client.ResourceListChangedHandler = func(context.Context, *sdk.ResourceListChangedRequest) { told.add("list") }
	with.setUp = func(client *sdk.Client) {
		client.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
			return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
				if begun, is := req.GetParams().(*sdk.SubscriptionsAcknowledgedParams); is {
					for _, uri := range begun.Notifications.ResourceSubscriptions {
						told.add(begunTo + uri)
					}
				}
				return next(ctx, method, req)
			}
		})
	}
	return start(t, with), told
}

// begunTo and a URI is what a host is told when a subscription begins. Before 2026-07-28 it is the answer instead.
const begunTo = "begun "

func TestASubscriptionTellsOfChangesOfEveryProcess(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			h, told := listening(t, setting{version: version})
			for _, uri := range []string{contextURI, memoryURI, "wm://notes/detail/plan.md"} {
				require.NoError(t, h.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}))
				if version >= "2026-07-28" {
					told.await(t, begunTo+uri)
				}
			}
			h.call("memory_remember", object{"text": rule})
			told.await(t, memoryURI)
			told.await(t, contextURI)
			assert.Contains(t, h.resource(memoryURI), rule)
			assert.NotContains(t, told.take(), "wm://notes/detail/plan.md")

			h.call("notes_write", object{"path": "detail/plan.md", "content": "# Plan\n"})
			told.await(t, "wm://notes/detail/plan.md")

			told.take()
			beside(t, h.data, h.dir).call("wm/memory/add", &wire.MemoryAddParams{Text: "Ship on Fridays"})
			told.await(t, memoryURI)
			assert.Contains(t, h.resource(memoryURI), "Ship on Fridays")

			require.NoError(t, h.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: memoryURI}))
			h.call("memory_list", nil)
			told.take()
			h.call("memory_remember", object{"text": "Tests run with make check"})
			told.await(t, contextURI)
			assert.NotContains(t, told.take(), memoryURI)
		})
	}
}

func TestASubscriptionToWhatDoesNotExistIsRefused(t *testing.T) {
	h := start(t, setting{version: "2025-06-18"})
	for _, uri := range []string{"wm://nothing", "wm://notes/../x.md", "file:///etc/passwd"} {
		assert.Error(t, h.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}), uri)
	}
}

func TestNotesAreListedAsResources(t *testing.T) {
	h, told := listening(t, setting{version: "2025-06-18"})
	list := func() (uris []string) {
		for resource, err := range h.Resources(t.Context(), nil) {
			require.NoError(t, err)
			uris = append(uris, resource.URI)
		}
		return uris
	}
	assert.Equal(t, []string{contextURI, memoryURI}, list())
	for template, err := range h.ResourceTemplates(t.Context(), nil) {
		require.NoError(t, err)
		assert.Equal(t, "wm://notes/{+path}", template.URITemplate)
	}
	h.call("notes_write", object{"path": "detail/a plan.md", "content": "# Plan\nfirst\n"})
	told.await(t, "list")
	assert.Contains(t, list(), "wm://notes/detail/a%20plan.md")
	assert.Contains(t, h.resource("wm://notes/detail/a%20plan.md"), "first")
	told.take()
	beside(t, h.data, h.dir).call("wm/notes/archive", &wire.NotesArchiveParams{
		Params: wire.Params{SessionID: sessionOf(h)}, Path: "detail/a plan.md",
	})
	told.await(t, "list")
	assert.NotContains(t, list(), "wm://notes/detail/a%20plan.md")
	assert.Contains(t, strings.Join(list(), " "), "wm://notes/archive/")
	_, err := h.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "wm://notes/detail/none.md"})
	assert.ErrorContains(t, err, "not found")
}

// sessionOf returns the session of a server.
func sessionOf(h *host) string {
	h.t.Helper()
	list := beside(h.t, h.data, h.dir).call("wm/session/list", &wire.SessionListParams{}).(wire.SessionListResult)
	for _, session := range list.Sessions {
		if session.Agent == "host" {
			return session.SessionID
		}
	}
	h.t.Fatal("the server has no session")
	return ""
}

func TestAServerWhoseCallsNameTheirSessionsStartsNone(t *testing.T) {
	h := start(t, setting{named: true})
	_, err := h.ListResources(t.Context(), nil)
	require.NoError(t, err)
	h.call("core_memory_update", object{"block": "goal", "content": "Ship it", "sessionId": "opencode:s1"})
	list := beside(t, h.data, h.dir).call("wm/session/list", &wire.SessionListParams{}).(wire.SessionListResult)
	var ids []string
	for _, session := range list.Sessions {
		ids = append(ids, session.SessionID)
	}
	assert.Equal(t, []string{"opencode:s1"}, ids)
}

func TestACallTellsItsProgress(t *testing.T) {
	for _, version := range versions {
		var told heard
		h := start(t, setting{version: version, client: sdk.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
				if req.Params.ProgressToken == "token" && req.Params.Progress > 0 {
					told.add(req.Params.Message)
				}
			},
		}})
		params := &sdk.CallToolParams{Name: "compact_history", Arguments: object{"target": "all"}}
		params.SetProgressToken("token")
		_, err := h.CallTool(t.Context(), params)
		require.NoError(t, err)
		told.await(t, "compact_history is running")
	}
}

func TestACallThatIsCancelledDoesNotHoldUpTheOthers(t *testing.T) {
	h := start(t, setting{version: "2025-06-18"})
	h.call("memory_list", nil)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		_, _ = h.CallTool(ctx, &sdk.CallToolParams{Name: "memory_context"}) // it may be answered before
	}
	said, _ := h.call("memory_list", nil)
	assert.Equal(t, "The workspace memory is empty.", said)
}

func TestTwoServersShareTheMemory(t *testing.T) {
	first := start(t, setting{name: "first"})
	second := start(t, setting{name: "second", dir: first.dir, data: first.data})
	_, data := first.call("memory_remember", object{"text": rule})
	knows := func(h *host) bool {
		said, _ := h.call("memory_context", nil)
		return strings.Contains(said, rule)
	}
	require.Eventually(t, func() bool { return knows(second) }, patience, time.Millisecond)
	second.call("memory_forget", object{"id": data["id"]})
	require.Eventually(t, func() bool { return !knows(first) }, patience, time.Millisecond)
	first.call("core_memory_update", object{"block": "goal", "operation": "replace", "content": "only of the first"})
	said, _ := second.call("memory_context", nil)
	assert.NotContains(t, said, "only of the first", "core memory belongs to a session")
}

func TestWhatAHostMayCacheIsPrivate(t *testing.T) {
	h := start(t, setting{})
	h.call("notes_write", object{"path": "detail/plan.md", "content": "x"})
	read, err := h.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: contextURI})
	require.NoError(t, err)
	assert.Equal(t, "private", read.GetCacheScope())
	list, err := h.ListResources(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, "private", list.GetCacheScope(), "it names the notes")
	tools, err := h.ListTools(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, "private", tools.GetCacheScope())
}

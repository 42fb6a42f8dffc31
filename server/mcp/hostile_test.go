package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/slow"
)

var (
	quiet    = slog.New(slog.DiscardHandler)
	testTime = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
)

// asking returns a request with the id 70, the last member, as in many libraries.
func asking(method, params string) string {
	return fmt.Sprintf(`{"method":%q,"params":%s,"jsonrpc":"2.0","id":70}`, method, params)
}

func cancelling(params string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`
}

func TestWhatIsNoRequestDoesNotEndTheSession(t *testing.T) {
	slow.Test(t)
	const version = `"io.modelcontextprotocol/protocolVersion"`
	deep := strings.Repeat("[", 2000) + strings.Repeat("]", 2000)
	for name, line := range map[string]string{
		"text":                          "hello",
		"binary":                        "\x00\xff\xfe",
		"half a message":                `{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"name`,
		"a frame of LSP":                "Content-Length: 2\r\n\r\n{}",
		"a batch":                       `[{"jsonrpc":"2.0","id":70,"method":"ping"}]`,
		"an empty batch":                `[]`,
		"no version":                    `{"id":70,"method":"ping"}`,
		"an id that is an object":       `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		"an id that is a fraction":      `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
		"an id that is null":            `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
		"a method that is a number":     `{"jsonrpc":"2.0","id":70,"method":7}`,
		"an unknown method":             `{"jsonrpc":"2.0","id":70,"method":"no/such"}`,
		"an unknown notification":       `{"jsonrpc":"2.0","method":"notifications/nothing"}`,
		"params of another type":        asking("tools/call", `7`),
		"params that are a list":        asking("tools/call", `[1]`),
		"no params":                     `{"jsonrpc":"2.0","id":70,"method":"tools/call"}`,
		"params that are null":          asking("tools/call", `null`),
		"a name of another type":        asking("tools/call", `{"name":7}`),
		"an unknown tool":               calling(70, "no_such_tool", `{}`),
		"arguments of another type":     calling(70, "memory_remember", `"text"`),
		"arguments with many levels":    calling(70, "memory_remember", `{"text":`+deep+`}`),
		"a message with many levels":    asking("ping", `{"a":`+deep+`}`),
		"a second initialize":           greeting("2025-06-18")[0],
		"a second initialized":          greeting("2025-06-18")[1],
		"an answer that nobody awaits":  `{"jsonrpc":"2.0","id":70,"result":{}}`,
		"an answer with a broken error": `{"jsonrpc":"2.0","id":70,"error":7}`,
		"a cancellation of nothing":     cancelling(`{"requestId":70}`),
		"a cancellation without an id":  cancelling(`{"requestId":{}}`),
		"a cancellation of the wrong":   cancelling(`7`),
		"a subscription without a URI":  asking("resources/subscribe", `{}`),
		"a resource that is none":       asking("resources/read", `{"uri":"wm://no"}`),
		"a note outside of the notes":   asking("resources/read", `{"uri":"wm://notes/../../x"}`),
		"a note outside, encoded":       asking("resources/read", `{"uri":"wm://notes/%2e%2e/x"}`),
		"a prompt that is none":         asking("prompts/get", `{"name":"no"}`),
		"a cursor that is none":         asking("tools/list", `{"cursor":"x"}`),
		"an unknown version":            asking("tools/list", `{"_meta":{`+version+`:"2099-01-01"}}`),
		"too long":                      asking("tools/call", `{"a":"`+strings.Repeat("x", 16<<20)+`"}`),
		"a blank":                       " \t",
	} {
		t.Run(name, func(t *testing.T) {
			answers, others := requests(t, Options{}, append(greeting("2025-06-18"), line,
				calling(1, "memory_remember", `{"text": "The session goes on"}`), line,
				calling(2, "memory_list", `{}`))...)
			assert.Contains(t, string(answers["1"]), "Remembered")
			assert.Contains(t, string(answers["2"]), "The session goes on")
			if answer, given := answers["70"]; given {
				assert.Regexp(t, `"error":|"isError":true`, string(answer))
			}
			for _, other := range others {
				var refusal struct{ Error struct{ Message string } }
				require.NoError(t, json.Unmarshal([]byte(other), &refusal))
				assert.NotEmpty(t, refusal.Error.Message, other)
			}
		})
	}
}

func TestEveryErrorHasACode(t *testing.T) {
	hello := greeting("2025-06-18")
	answers, others := requests(t, Options{}, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, hello[0], hello[1],
		strings.Replace(hello[0], `"hello"`, "2", 1), `{"jsonrpc":"2.0","id":3,"method":"no/such"}`)
	for id, code := range map[string]int{"1": -32600, "2": -32600, "3": -32601} {
		var message struct{ Error struct{ Code int } }
		require.NoError(t, json.Unmarshal(answers[id], &message), id)
		assert.Equal(t, code, message.Error.Code, "%s", answers[id])
	}
	assert.Empty(t, others)
}

func TestATwiceUsedIDDoesNotEndTheSession(t *testing.T) {
	answers, _ := requests(t, Options{}, append(greeting("2025-06-18"),
		calling(1, "memory_context", `{}`), `{"jsonrpc":"2.0","id":2,"method":"ping"}`)...)
	assert.Len(t, answers, 3)
}

func TestARequestBeforeInitializeIsRefused(t *testing.T) {
	answers, _ := requests(t, Options{},
		slices.Concat([]string{calling(1, "memory_list", `{}`)}, greeting("2025-06-18"),
			[]string{calling(2, "memory_list", `{}`)})...)
	assert.Contains(t, string(answers["1"]), `"error":`)
	assert.Contains(t, string(answers["2"]), "The workspace memory is empty.")
}

// A stuck writer never returns.
type stuck struct{ began chan struct{} }

func (s *stuck) Write([]byte) (int, error) {
	close(s.began)
	select {}
}

func TestTheServerEndsIfTheHostDoesNotReadItsAnswers(t *testing.T) {
	slow.Test(t)
	in, toServer := io.Pipe()
	out := &stuck{make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Run(t.Context(), Options{In: in, Out: out, Log: quiet, Dir: t.TempDir(), DataDir: t.TempDir()})
	}()
	_, err := io.WriteString(toServer, strings.Join(greeting("2025-06-18"), "\n")+"\n")
	require.NoError(t, err)
	<-out.began
	require.NoError(t, toServer.Close())
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the server has not ended")
	}
}

// A broken writer fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestTheServerEndsIfTheHostCannotBeReached(t *testing.T) {
	in, toServer := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Run(t.Context(), Options{In: in, Out: broken{}, Log: quiet, Dir: t.TempDir(), DataDir: t.TempDir()})
	}()
	go func() { _, _ = io.WriteString(toServer, strings.Join(greeting("2025-06-18"), "\n")+"\n") }()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the server has not ended")
	}
}

func FuzzLinesDoNotEndTheSession(f *testing.F) {
	for _, seed := range []string{"", "hello", "{}", "[]", greeting("2025-06-18")[0], calling(7, "memory_list", "{}")} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte(`"go on"`), nil)
		answers, _ := requestsOf(t, Options{}, string(line), `{"jsonrpc":"2.0","id":"go on","method":"ping"}`)
		assert.Contains(t, answers, `"go on"`)
	})
}

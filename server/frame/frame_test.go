package frame

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/textproto"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/jsonrpc2"
)

const (
	null      = "null"
	goodBody  = `{"jsonrpc":"2.0","id":99,"method":"good","params":{"a":[1,2]}}`
	parse     = int(jsonrpc2.ParseError)
	malformed = int(jsonrpc2.InvalidRequest)
)

func frameOf(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// A refusal is the part of an error response that the tests check.
type refusal struct {
	Code int
	ID   string
}

// readAll reads to the end of the input and returns the accepted bodies and the refusals.
func readAll(t *testing.T, in io.Reader) (bodies []string, refusals []refusal, logged string) {
	t.Helper()
	var out, log bytes.Buffer
	s := New(in, &out, slog.New(slog.NewTextHandler(&log, nil)))
	for {
		frame, _, err := s.ReadFrame(t.Context())
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			return bodies, parseRefusals(t, &out), log.String()
		}
		bodies = append(bodies, string(frame))
	}
}

// parseRefusals parses the frames of out with its own parser. Nothing else may be in out.
func parseRefusals(t *testing.T, out io.Reader) (refusals []refusal) {
	t.Helper()
	in := bufio.NewReader(out)
	for {
		if _, err := in.Peek(1); err != nil {
			return refusals
		}
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		require.NoError(t, err)
		length, err := strconv.Atoi(header.Get(contentLength))
		require.NoError(t, err)
		body := make([]byte, length)
		_, err = io.ReadFull(in, body)
		require.NoError(t, err)
		var reply struct {
			JSONRPC string
			ID      json.RawMessage
			Error   struct {
				Code    int
				Message string
			}
		}
		require.NoError(t, json.Unmarshal(body, &reply))
		require.Equal(t, "2.0", reply.JSONRPC)
		assert.Regexp(t, `^[A-Z].+\.$`, reply.Error.Message, "a refusal is a sentence")
		refusals = append(refusals, refusal{reply.Error.Code, string(reply.ID)})
	}
}

// badInput is input for which package jsonrpc2 would end the connection, or that it would
// misunderstand.
var badInput = []struct {
	name     string
	input    string
	refusals []refusal
	also     []string // bodies that are accepted in addition to the good one after it
}{
	{"header without a colon", "hello\r\n\r\n", []refusal{{parse, null}}, nil},
	{"header with binary rubbish", "\x00\xff\x01: \x02\r\n\r\n", []refusal{{parse, null}}, nil},
	{"header without Content-Length", "Content-Type: x\r\n\r\n{}", []refusal{{parse, null}}, nil},
	{"negative Content-Length", "Content-Length: -5\r\n\r\n{}", []refusal{{parse, null}}, nil},
	{"Content-Length that is not a number", "Content-Length: ten\r\n\r\n{}", []refusal{{parse, null}}, nil},
	{"empty Content-Length", "Content-Length:\r\n\r\n{}", []refusal{{parse, null}}, nil},
	{"hexadecimal Content-Length", "Content-Length: 0x10\r\n\r\n{}", []refusal{{parse, null}}, nil},
	{"Content-Length of zero", "Content-Length: 0\r\n\r\n", []refusal{{parse, null}}, nil},
	{
		"two Content-Length fields: the last one counts",
		"Content-Length: 3\r\n" + frameOf(`{"jsonrpc":"2.0","method":"m"}`),
		[]refusal{{parse, null}},
		[]string{`{"jsonrpc":"2.0","method":"m"}`},
	},
	{
		"two bad headers",
		"Content-Length: x\r\n\r\n{}Content-Length: -1\r\n\r\n{}",
		[]refusal{{parse, null}, {parse, null}},
		nil,
	},
	{"header line that never ends", strings.Repeat("x", 100_000) + "\r\n\r\n", []refusal{{parse, null}}, nil},
	{"header block that never ends", strings.Repeat("X-Field: y\r\n", 1000) + "\r\n", []refusal{{parse, null}}, nil},
	{"Content-Length of 1 GiB", "Content-Length: 1073741824\r\n\r\n{}", []refusal{{malformed, null}}, nil},
	{
		"Content-Length beyond 64 bits",
		"Content-Length: 99999999999999999999999\r\n\r\n{}",
		[]refusal{{malformed, null}},
		nil,
	},
	{
		"message over the limit, with its id",
		frameOf(`{"jsonrpc":"2.0","id":7,"method":"m","params":["` + strings.Repeat("x", maxBody) + `"]}`),
		[]refusal{{malformed, "7"}},
		nil,
	},
	{
		"response over the limit is not answered",
		frameOf(`{"jsonrpc":"2.0","id":7,"result":"` + strings.Repeat("x", maxBody) + `"}`),
		nil,
		nil,
	},
	{
		"id behind the first 4 KiB of a message over the limit",
		frameOf(`{"jsonrpc":"2.0","method":"m","params":["` + strings.Repeat("x", maxBody) + `"],"id":7}`),
		[]refusal{{malformed, null}},
		nil,
	},
	{
		"body shorter than declared",
		"Content-Length: 90\r\n\r\n" + `{"jsonrpc":"2.0","id":4,"method":"cut`,
		[]refusal{{parse, "4"}},
		nil,
	},
	{
		"body shorter than declared, without its id",
		"Content-Length: 90\r\n\r\n" + `{"jsonrpc":"2.0","method":"cut","params":{`,
		[]refusal{{parse, null}},
		nil,
	},
	{"body longer than declared", "Content-Length: 20\r\n\r\n" + goodBody, []refusal{{parse, null}}, nil},
	{"body that is not JSON", frameOf(`hello`), []refusal{{parse, null}}, nil},
	{
		"body with a hole, with its id",
		frameOf(`{"jsonrpc":"2.0","id":4,"method":"m","params":{"a":}}`),
		[]refusal{{parse, "4"}},
		nil,
	},
	{"body that is only brackets", frameOf(`{]`), []refusal{{parse, null}}, nil},
	{
		"params with a hole that brackets hide",
		frameOf(`{"jsonrpc":"2.0","id":"a","method":"m","params":{"a":1,,}}`),
		[]refusal{{parse, `"a"`}},
		nil,
	},
	{"broken response is not answered", frameOf(`{"jsonrpc":"2.0","id":4,"result":1,}`), nil, nil},
	{"more than one value", frameOf(`{"jsonrpc":"2.0","id":4,"method":"m"} {}`), []refusal{{parse, "4"}}, nil},
	{"blank body", frameOf("   "), []refusal{{parse, null}}, nil},
	{
		"invalid UTF-8 in a string",
		frameOf("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"m\",\"params\":[\"\xff\xfe\"]}"),
		[]refusal{{parse, "5"}},
		nil,
	},
	{"invalid UTF-8 in a name", frameOf("{\"\xff\":1}"), []refusal{{parse, null}}, nil},
	{"byte order mark", frameOf("\ufeff" + goodBody), []refusal{{parse, null}}, nil},
	{
		"control character in a string",
		frameOf("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"m\",\"params\":[\"a\nb\"]}"),
		[]refusal{{parse, "5"}},
		nil,
	},
	{
		"nested a million deep",
		frameOf(
			`{"jsonrpc":"2.0","id":6,"method":"m","params":` + strings.Repeat(
				"[",
				1_000_000,
			) + strings.Repeat(
				"]",
				1_000_000,
			) + "}",
		),
		[]refusal{{parse, "6"}},
		nil,
	},
	{"number", frameOf(`5`), []refusal{{malformed, null}}, nil},
	{"null", frameOf(`null`), []refusal{{malformed, null}}, nil},
	{"empty object", frameOf(`{}`), []refusal{{malformed, null}}, nil},
	{"only an id", frameOf(`{"jsonrpc":"2.0","id":8}`), []refusal{{malformed, "8"}}, nil},
	{"batch", frameOf(`[` + goodBody + `]`), []refusal{{malformed, null}}, nil},
	{"empty batch", frameOf(`[]`), []refusal{{malformed, null}}, nil},
	{"missing jsonrpc", frameOf(`{"id":1,"method":"m"}`), []refusal{{malformed, "1"}}, nil},
	{"wrong jsonrpc", frameOf(`{"jsonrpc":"1.0","id":1,"method":"m"}`), []refusal{{malformed, "1"}}, nil},
	{"jsonrpc as a number", frameOf(`{"jsonrpc":2.0,"id":1,"method":"m"}`), []refusal{{malformed, "1"}}, nil},
	{"id null", frameOf(`{"jsonrpc":"2.0","id":null,"method":"m"}`), []refusal{{malformed, null}}, nil},
	{"id true", frameOf(`{"jsonrpc":"2.0","id":true,"method":"m"}`), []refusal{{malformed, null}}, nil},
	{"id as a fraction", frameOf(`{"jsonrpc":"2.0","id":1.5,"method":"m"}`), []refusal{{malformed, null}}, nil},
	{"id with an exponent", frameOf(`{"jsonrpc":"2.0","id":1e3,"method":"m"}`), []refusal{{malformed, null}}, nil},
	{
		"id beyond 64 bits",
		frameOf(`{"jsonrpc":"2.0","id":9223372036854775808,"method":"m"}`),
		[]refusal{{malformed, null}},
		nil,
	},
	{"id as an object", frameOf(`{"jsonrpc":"2.0","id":{},"method":"m"}`), []refusal{{malformed, null}}, nil},
	{"two ids", frameOf(`{"jsonrpc":"2.0","id":1,"method":"m","id":2}`), []refusal{{malformed, null}}, nil},
	{"two methods", frameOf(`{"jsonrpc":"2.0","id":1,"method":"m","method":"n"}`), []refusal{{malformed, "1"}}, nil},
	{"method as a number", frameOf(`{"jsonrpc":"2.0","id":1,"method":3}`), []refusal{{malformed, "1"}}, nil},
	{"method null", frameOf(`{"jsonrpc":"2.0","id":1,"method":null}`), []refusal{{malformed, "1"}}, nil},
	{
		"method and result",
		frameOf(`{"jsonrpc":"2.0","id":1,"method":"m","result":1}`),
		[]refusal{{malformed, "1"}},
		nil,
	},
	{
		"params as a string",
		frameOf(`{"jsonrpc":"2.0","id":1,"method":"m","params":"p"}`),
		[]refusal{{malformed, "1"}},
		nil,
	},
	{
		"params as a number, without an id",
		frameOf(`{"jsonrpc":"2.0","method":"m","params":0}`),
		[]refusal{{malformed, null}},
		nil,
	},
	{"params false", frameOf(`{"jsonrpc":"2.0","id":1,"method":"m","params":false}`), []refusal{{malformed, "1"}}, nil},
	{"response without jsonrpc", frameOf(`{"id":1,"result":1}`), nil, nil},
	{
		"response with result and error",
		frameOf(`{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}`),
		nil,
		nil,
	},
	{"response with an odd id", frameOf(`{"jsonrpc":"2.0","id":{},"result":1}`), nil, nil},
	{"response with an odd error", frameOf(`{"jsonrpc":"2.0","id":1,"error":"no"}`), nil, nil},
	{"response with the error null", frameOf(`{"jsonrpc":"2.0","id":1,"error":null}`), nil, nil},
	{"response with an odd code", frameOf(`{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}`), nil, nil},
}

// inNoTime runs a test for which no time passes while it is busy, so sniffPatience does not
// end on a slow machine.
func inNoTime(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

func TestBadInputIsRefusedAndTheNextMessageIsRead(t *testing.T) {
	for _, c := range badInput {
		inNoTime(t, c.name, func(t *testing.T) {
			bodies, refusals, logged := readAll(t, strings.NewReader(c.input+frameOf(goodBody)))
			assert.Equal(t, c.refusals, refusals)
			assert.Equal(t, append(c.also, goodBody), bodies)
			assert.Contains(t, logged, "level=WARN")
		})
	}
}

func TestBadInputMeansTheSameByteByByte(t *testing.T) {
	for _, c := range badInput {
		if len(c.input) > 1<<20 {
			continue // byte by byte it takes seconds
		}
		inNoTime(t, c.name, func(t *testing.T) {
			bodies, refusals, _ := readAll(t, iotest.OneByteReader(strings.NewReader(c.input+frameOf(goodBody))))
			assert.Equal(t, c.refusals, refusals)
			assert.Equal(t, append(c.also, goodBody), bodies)
		})
	}
}

func TestBadInputDoesNotEndTheConnection(t *testing.T) {
	for _, c := range badInput {
		inNoTime(t, c.name, func(t *testing.T) {
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			conn := jsonrpc2.NewConn(New(in, out, slog.New(slog.DiscardHandler)))
			conn.Go(t.Context(), func(context.Context, *jsonrpc2.Request) (any, error) { return "pong", nil })

			go func() { _, _ = io.WriteString(toServer, c.input+frameOf(goodBody)) }()
			answers := jsonrpc2.NewHeaderStream(readOnly{fromServer})
			for {
				message, _, err := answers.Read(t.Context())
				require.NoError(t, err)
				response := message.(*jsonrpc2.Response)
				if response.ID() == jsonrpc2.NewNumberID(99) {
					assert.JSONEq(t, `"pong"`, string(response.Result()))
					break
				}
			}
			require.NoError(t, toServer.Close())
			<-conn.Done()
			assert.NoError(t, conn.Err())
		})
	}
}

type readOnly struct{ io.ReadCloser }

func (readOnly) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

func TestGoodInputComesThroughUnchanged(t *testing.T) {
	const params = `{"jsonrpc":"2.0","id":1,"method":"m","params":`
	for name, body := range map[string]string{
		"request":                      goodBody,
		"string id":                    `{"jsonrpc":"2.0","id":"a\"b","method":"m"}`,
		"negative id":                  `{"jsonrpc":"2.0","id":-1,"method":"m"}`,
		"notification":                 `{"jsonrpc":"2.0","method":"m"}`,
		"params null":                  `{"jsonrpc":"2.0","id":1,"method":"m","params":null}`,
		"params array":                 `{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`,
		"white space everywhere":       " \r\n{ \"jsonrpc\" : \"2.0\" , \"id\" : 1 ,\n\"method\" : \"m\" }\r\n ",
		"members in another order":     `{"params":{},"method":"m","id":1,"jsonrpc":"2.0"}`,
		"unknown members, even twice":  `{"jsonrpc":"2.0","id":1,"method":"m","x":1,"x":2}`,
		"names twice inside params":    `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"a":2}}`,
		"half a surrogate pair":        `{"jsonrpc":"2.0","id":1,"method":"m","params":["\ud83d"]}`,
		"a header inside a string":     `{"jsonrpc":"2.0","id":1,"method":"m","params":["Content-Length: 5\r\n\r\n"]}`,
		"nested 5,000 deep":            params + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`,
		"response":                     `{"jsonrpc":"2.0","id":1,"result":null}`,
		"response with an unknown id":  `{"jsonrpc":"2.0","id":"who","result":{}}`,
		"response with the id null":    `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what"}}`,
		"response without an id":       `{"jsonrpc":"2.0","result":{}}`,
		"a megabyte and a half":        params + `["` + strings.Repeat("é", 800_000) + `"]}`,
		"the longest message there is": params + `["` + strings.Repeat("x", maxBody-len(params+`[""]}`)) + `"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			bodies, refusals, _ := readAll(t, strings.NewReader(frameOf(body)+frameOf(goodBody)))
			assert.Empty(t, refusals)
			assert.True(t, len(bodies) == 2 && bodies[0] == body && bodies[1] == goodBody)
			_, err := jsonrpc2.DecodeMessage([]byte(body))
			assert.NoError(t, err, "the connection takes it")
		})
	}
}

func TestHeaderVariantsAreUnderstood(t *testing.T) {
	length := strconv.Itoa(len(goodBody))
	for name, header := range map[string]string{
		"bare line feeds": "Content-Length: " + length + "\n\n",
		"lower case":      "content-length: " + length + "\r\n\r\n",
		"no space":        "Content-Length:" + length + "\r\n\r\n",
		"leading zeros":   "Content-Length: 000" + length + "\r\n\r\n",
		"Content-Type first": "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" +
			"Content-Length: " + length + "\r\n\r\n",
		"blank lines before":   "\r\n\n\r\nContent-Length: " + length + "\r\n\r\n",
		"other fields besides": "X-Trace: a:b:c\r\nContent-Length: " + length + "\r\nX: \r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			bodies, refusals, _ := readAll(t, strings.NewReader(header+goodBody+header+goodBody))
			assert.Empty(t, refusals)
			assert.Equal(t, []string{goodBody, goodBody}, bodies)
		})
	}
}

func TestEndInsideAFrameIsAnEnd(t *testing.T) {
	whole := frameOf(goodBody)
	for cut := range len(whole) {
		bodies, _, logged := readAll(t, strings.NewReader(whole[:cut]))
		assert.Empty(t, bodies)
		assert.Equal(t, cut > 0, strings.Contains(logged, "inside a message"), "cut after %d bytes", cut)
	}
}

func TestMessagesInsideAFrameThatWasCutShortAreFoundAtTheEnd(t *testing.T) {
	bodies, _, logged := readAll(
		t,
		strings.NewReader("Content-Length: 10000\r\n\r\n{\"json"+frameOf(goodBody)+frameOf(goodBody)),
	)
	assert.Equal(t, []string{goodBody, goodBody}, bodies)
	assert.Contains(t, logged, "inside a message")
}

func TestOversizedMessageWithoutItsBodyIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, client := io.Pipe()
		fromServer, out := io.Pipe()
		s := New(in, out, slog.New(slog.DiscardHandler))
		frames := make(chan string)
		go func() {
			frame, _, _ := s.ReadFrame(t.Context())
			frames <- string(frame)
		}()

		sent := time.Now()
		_, err := io.WriteString(client, "Content-Length: 1073741824\r\n\r\n")
		require.NoError(t, err)
		message, _, err := jsonrpc2.NewHeaderStream(readOnly{fromServer}).Read(t.Context())
		require.NoError(t, err)
		assert.False(t, message.(*jsonrpc2.Response).ID().IsValid())
		assert.Equal(t, sniffPatience, time.Since(sent))

		_, err = io.WriteString(client, frameOf(goodBody))
		require.NoError(t, err)
		assert.Equal(t, goodBody, <-frames)
	})
}

// endless is a body without an end.
type endless []byte

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }

func TestDeclaredLengthCostsNoMemory(t *testing.T) {
	const gigabyte = 1 << 30
	rubbish := endless(strings.Repeat("x", 64<<10))
	for name, input := range map[string]io.Reader{
		"1 GiB that really comes": io.MultiReader(
			strings.NewReader("Content-Length: 1073741824\r\n\r\n"),
			io.LimitReader(rubbish, gigabyte),
			strings.NewReader(frameOf(goodBody)),
		),
		"1 GiB header line": io.MultiReader(
			io.LimitReader(rubbish, gigabyte),
			strings.NewReader("\r\n"+frameOf(goodBody)),
		),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			bodies, refusals, _ := readAll(t, input)
			runtime.ReadMemStats(&after)
			assert.Equal(t, []string{goodBody}, bodies)
			assert.Len(t, refusals, 1)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
		})
	}

	t.Run("the largest body that never comes", func(t *testing.T) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		readAll(t, strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n{", maxBody)))
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(3*keptBuffer))
	})
}

func TestLargeBuffersAreNotKept(t *testing.T) {
	var out bytes.Buffer
	large := `{"jsonrpc":"2.0","id":1,"method":"m","params":["` + strings.Repeat("x", 2*keptBuffer) + `"]}`
	s := New(strings.NewReader(frameOf(large)+frameOf(goodBody)), &out, slog.New(slog.DiscardHandler))
	for range 2 {
		_, _, err := s.ReadFrame(t.Context())
		require.NoError(t, err)
	}
	assert.LessOrEqual(t, cap(s.body), keptBuffer)

	_, err := s.WriteFrame(t.Context(), []byte(large))
	require.NoError(t, err)
	assert.LessOrEqual(t, cap(s.frame), keptBuffer)
}

func TestGarbageIsReadAtMostTwice(t *testing.T) {
	// Each header declares a body up to the end of the garbage.
	const headers = 200
	part := "Content-Length: 1234567\r\n\r\n" + strings.Repeat("x", 10_000)
	var hostile strings.Builder
	for i := range headers {
		fmt.Fprintf(&hostile, "Content-Length: %07d\r\n\r\n%s", (headers-i)*len(part)-27, strings.Repeat("x", 10_000))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	bodies, _, _ := readAll(t, strings.NewReader(hostile.String()+frameOf(goodBody)))
	runtime.ReadMemStats(&after)
	assert.Equal(t, []string{goodBody}, bodies)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(10*hostile.Len()))
}

// writes are the writes of a stream.
type writes struct{ frames [][]byte }

func (w *writes) Write(p []byte) (int, error) {
	w.frames = append(w.frames, bytes.Clone(p))
	return len(p), nil
}

func TestFramesAreWrittenWholeByManyWriters(t *testing.T) {
	out := &writes{}
	s := New(strings.NewReader(""), out, slog.New(slog.DiscardHandler))
	const writers, each = 8, 50
	done := make(chan struct{})
	for w := range writers {
		go func() {
			defer func() { done <- struct{}{} }()
			for i := range each {
				params, err := json.Marshal([]string{strings.Repeat("x", 100*w+i)})
				assert.NoError(t, err)
				n, err := s.Write(t.Context(), jsonrpc2.NewNotification("note", params))
				assert.NoError(t, err)
				assert.Positive(t, n)
			}
		}()
	}
	for range writers {
		<-done
	}
	require.Len(t, out.frames, writers*each)
	for _, frame := range out.frames {
		message, size, err := jsonrpc2.NewHeaderStream(readOnly{io.NopCloser(bytes.NewReader(frame))}).Read(t.Context())
		require.NoError(t, err)
		assert.EqualValues(t, len(frame), size)
		assert.Equal(t, "note", message.(*jsonrpc2.Notification).Method())
	}
}

// brokenPipe accepts a few bytes of the second frame, then fails.
type brokenPipe struct{ writes int }

func (w *brokenPipe) Write(p []byte) (int, error) {
	if w.writes++; w.writes == 2 {
		return 5, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestFirstFailedWriteIsTheLast(t *testing.T) {
	out := &brokenPipe{}
	s := New(strings.NewReader(""), out, slog.New(slog.DiscardHandler))
	body := []byte(goodBody)

	_, err := s.WriteFrame(t.Context(), body)
	require.NoError(t, err)
	assert.False(t, isDone(s.Dead()))

	for range 3 {
		_, err = s.WriteFrame(t.Context(), body)
		require.ErrorIs(t, err, io.ErrClosedPipe)
		assert.True(t, isDone(s.Dead()))
	}
	assert.Equal(t, 2, out.writes, "nothing follows half a frame")
}

func isDone(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestCancelledWriteWritesNothing(t *testing.T) {
	var out bytes.Buffer
	s := New(strings.NewReader(""), &out, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.WriteFrame(ctx, []byte(goodBody))
	require.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, out.Len())
	assert.False(t, isDone(s.Dead()))
}

func TestCloseDoesNotWaitForTheClient(t *testing.T) {
	in, client, err := os.Pipe()
	require.NoError(t, err)
	defer client.Close()
	unread, out, err := os.Pipe()
	require.NoError(t, err)
	defer unread.Close()
	s := New(in, out, slog.New(slog.DiscardHandler))

	read, written := make(chan error, 1), make(chan error, 1)
	go func() {
		_, _, err := s.ReadFrame(context.Background())
		read <- err
	}()
	go func() {
		_, err := s.WriteFrame(context.Background(), bytes.Repeat([]byte{' '}, 1<<20)) // more than the buffer of a pipe
		written <- err
	}()
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	assert.Error(t, <-read)
	assert.Error(t, <-written)
	_, _, err = s.ReadFrame(t.Context())
	assert.ErrorIs(t, err, io.ErrClosedPipe)
	_, err = s.WriteFrame(t.Context(), []byte(goodBody))
	assert.Error(t, err)
}

func FuzzReadFrame(f *testing.F) {
	for _, c := range badInput {
		if len(c.input) < 10_000 {
			f.Add([]byte(c.input))
		}
	}
	f.Add([]byte(frameOf(goodBody) + frameOf(`{"jsonrpc":"2.0","id":1,"result":1}`)))
	f.Fuzz(func(t *testing.T, input []byte) {
		s := New(bytes.NewReader(input), io.Discard, slog.New(slog.DiscardHandler))
		for {
			frame, size, err := s.ReadFrame(t.Context())
			if err != nil {
				require.ErrorIs(t, err, io.EOF)
				break
			}
			assert.Greater(t, size, int64(len(frame)))
			_, err = jsonrpc2.DecodeMessage(frame)
			require.NoError(t, err, "the connection would end at %q", frame)
		}
		assert.LessOrEqual(t, cap(s.body), maxBody)
	})
}

// FuzzResynchronise puts garbage before a good frame on a new line. It skips garbage with
// several lengths, because the declared bodies may include the good frame.
func FuzzResynchronise(f *testing.F) {
	for _, c := range badInput {
		if len(c.input) < 10_000 {
			f.Add([]byte(c.input))
		}
	}
	f.Fuzz(func(t *testing.T, garbage []byte) {
		if bytes.Count(bytes.ToLower(garbage), []byte("content-length:")) > 1 {
			return
		}
		input := string(garbage) + "\n" + frameOf(goodBody)
		bodies, _, _ := readAll(t, strings.NewReader(input))
		require.NotEmpty(t, bodies)
		assert.Equal(t, goodBody, bodies[len(bodies)-1])
	})
}

func BenchmarkReadFrame(b *testing.B) {
	type framed interface {
		ReadFrame(context.Context) ([]byte, int64, error)
	}
	for _, size := range []int{200, 20_000} {
		prefix := `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover",` +
			`"params":{"textDocument":{"uri":"file:///a/b/c.go"},"position":{"line":10,"character":4},"text":"`
		frame := []byte(frameOf(prefix + strings.Repeat("some text\\n", max(0, size-len(prefix)-3)/11) + `"}}`))
		for name, open := range map[string]func(io.Reader) framed{
			"guarded": func(in io.Reader) framed { return New(in, io.Discard, slog.New(slog.DiscardHandler)) },
			"library": func(in io.Reader) framed {
				return jsonrpc2.NewStream(readOnly{io.NopCloser(in)}).(framed)
			},
		} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				s := open(&repeated{frame: frame})
				b.SetBytes(int64(len(frame)))
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := s.ReadFrame(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// repeated is an endless repetition of a frame.
type repeated struct {
	frame []byte
	at    int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.frame[r.at:])
	r.at = (r.at + n) % len(r.frame)
	return n, nil
}

package frame

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/jsonrpc2"
)

// readLines reads lines to the end of the input and returns the accepted bodies and the
// refusals.
func readLines(t *testing.T, in io.Reader) (bodies []string, refusals []refusal) {
	t.Helper()
	var out bytes.Buffer
	s := NewLines(in, &out, slog.New(slog.DiscardHandler))
	for {
		body, _, err := s.ReadFrame(t.Context())
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			break
		}
		bodies = append(bodies, strings.TrimSpace(string(body)))
	}
	for line := range strings.Lines(out.String()) {
		var reply struct {
			JSONRPC string
			ID      json.RawMessage
			Error   struct {
				Code    int
				Message string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &reply), line)
		assert.Equal(t, "2.0", reply.JSONRPC)
		assert.NotEmpty(t, reply.Error.Message)
		assert.NotContains(t, reply.Error.Message, contentLength)
		refusals = append(refusals, refusal{reply.Error.Code, string(reply.ID)})
	}
	return bodies, refusals
}

func TestALineThatIsNoMessageIsRefusedAndTheNextOneIsRead(t *testing.T) {
	large := strings.Repeat("x", maxBody)
	for name, c := range map[string]struct {
		line string
		want []refusal
	}{
		"blank":             {" \t\r", nil},
		"text":              {"hello", []refusal{{parse, null}}},
		"a header of LSP":   {"Content-Length: 20", []refusal{{parse, null}}},
		"a message cut off": {`{"jsonrpc":"2.0","id":3,"method":"x","par`, []refusal{{parse, "3"}}},
		"two messages":      {goodBody + goodBody, []refusal{{parse, "99"}}},
		"bytes that are not UTF-8": {
			"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"\xff\"}", []refusal{{parse, "4"}}},
		"a batch":         {"[" + goodBody + "]", []refusal{{malformed, null}}},
		"a number":        {"7", []refusal{{malformed, null}}},
		"another version": {`{"jsonrpc":"1.0","id":5,"method":"x"}`, []refusal{{malformed, "5"}}},
		"a response without an id is left to the log": {`{"jsonrpc":"2.0","result":1,"error":2}`, nil},
		"too long, the id first": {
			`{"jsonrpc":"2.0","id":6,"method":"x","params":{"a":"` + large + `"}}`, []refusal{{malformed, "6"}}},
		"too long, the id last": {
			`{"method":"x","params":{"a":"` + large + `","id":8},"jsonrpc":"2.0","id":"seven"}`,
			[]refusal{{malformed, `"seven"`}}},
		"too long, an id that is not the message's": {
			`{"method":"x","params":{"a":"` + large + `","id":8}}`, []refusal{{malformed, null}}},
	} {
		t.Run(name, func(t *testing.T) {
			bodies, refusals := readLines(t, strings.NewReader(c.line+"\n"+goodBody+"\n"))
			assert.Equal(t, []string{goodBody}, bodies)
			assert.Equal(t, c.want, refusals)
		})
	}
}

func TestLinesMeanTheSameByteByByteAndWithoutALastLineBreak(t *testing.T) {
	in := "\r\n" + goodBody + "\r\nhello\n\n" + goodBody
	bodies, refusals := readLines(t, iotest.OneByteReader(strings.NewReader(in)))
	assert.Equal(t, []string{goodBody, goodBody}, bodies)
	assert.Equal(t, []refusal{{parse, null}}, refusals)
}

func TestALineOfTheLargestSizeIsAMessage(t *testing.T) {
	start, end := `{"jsonrpc":"2.0","method":"x","params":{"a":"`, `"}}`+"\n"
	line := start + strings.Repeat("x", maxBody-len(start)-len(end)) + end
	bodies, refusals := readLines(t, strings.NewReader(line+goodBody))
	assert.Len(t, bodies, 2)
	assert.Empty(t, refusals)
}

func TestAnEndInALineThatIsTooLongIsAnEnd(t *testing.T) {
	start := `{"jsonrpc":"2.0","id":1,"method":"`
	bodies, refusals := readLines(t, strings.NewReader(start+strings.Repeat("x", maxBody)))
	assert.Empty(t, bodies)
	assert.Equal(t, []refusal{{malformed, "1"}}, refusals)
}

func TestAMessageIsWrittenAsOneLine(t *testing.T) {
	var out bytes.Buffer
	s := NewLines(strings.NewReader(""), &out, slog.New(slog.DiscardHandler))
	_, err := s.WriteFrame(t.Context(), []byte(goodBody))
	require.NoError(t, err)
	_, err = s.Write(t.Context(), jsonrpc2.NewNotification("told", jsonrpc2.RawMessage(`{}`)))
	require.NoError(t, err)
	lines := strings.Split(out.String(), "\n")
	require.Len(t, lines, 3)
	assert.Equal(t, goodBody, lines[0])
	assert.JSONEq(t, `{"jsonrpc":"2.0","method":"told","params":{}}`, lines[1])
	assert.Empty(t, lines[2])
}

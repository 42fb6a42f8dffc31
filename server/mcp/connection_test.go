package mcp

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/frame"
)

func TestLargeCallsAreReadOnlyAsThoseBeforeThemAreAnswered(t *testing.T) {
	large := strings.Repeat("x", 15<<20)
	for name, ids := range map[string][7]int{
		"each with its id": {1, 2, 3, 4, 5, 6, 7},
		"an id twice":      {1, 1, 2, 3, 4, 5, 6},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var in []io.Reader
				for _, id := range ids {
					in = append(in, strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,`, id)),
						strings.NewReader(`"method":"tools/call","params":{"x":"`),
						strings.NewReader(large), strings.NewReader(`"}}`+"\n"))
				}
				log := slog.New(slog.DiscardHandler)
				c := newConnection(frame.NewLines(io.MultiReader(in...), io.Discard, log), log)
				read := 0
				go func() {
					for range ids {
						message, err := c.Read(t.Context())
						require.NoError(t, err)
						assert.True(t, message.(*jsonrpc.Request).IsCall())
						read++
						c.handled()
					}
				}()
				synctest.Wait()
				assert.Less(t, read, len(ids))
				for _, id := range ids {
					answered, err := jsonrpc.MakeID(float64(id))
					require.NoError(t, err)
					c.answered(answered)
					synctest.Wait()
				}
				assert.Equal(t, len(ids), read)
			})
		})
	}
}

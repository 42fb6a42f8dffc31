package test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/peer"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// synced matches the beginning of a sync in the output of strace.
var synced = regexp.MustCompile(`\b(fsync|fdatasync|syncfs|sync|sync_file_range|msync)\(`)

// underStrace starts a server whose system calls of some kinds are written to a file, and
// returns that file.
func underStrace(t *testing.T, kinds string, options ...string) (client *peer.Client, trace string) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	require.NoError(t, err, "install strace, which shows the syncs")
	trace = filepath.Join(t.TempDir(), "trace")
	options = append(options, "-f", "-qq", "-s", "500", "-o", trace, "-e", "trace="+kinds, Binary(t, Server))
	process := exec.Command(strace, options...)
	data, folder := t.TempDir(), t.TempDir()
	process.Env = append(os.Environ(), "XDG_DATA_HOME="+data, "XDG_CONFIG_HOME="+data)
	client, err = peer.Open(t.Context(), "test", process, peer.Object{
		"processId": os.Getpid(), "capabilities": peer.Object{},
		"initializationOptions": peer.Object{"sessionId": "s"},
		"workspaceFolders":      []peer.Object{{"uri": "file://" + folder, "name": "wm-lsp"}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.End() })
	return client, trace
}

// A disk may take 400 ms for each sync, so they are counted, with strace.
func TestAnAcknowledgedWriteWaitsForTwoSyncsAtMost(t *testing.T) {
	slow.Test(t)
	client, trace := underStrace(t, "fsync,fdatasync,syncfs,sync,sync_file_range,msync,write")
	calls := 0
	// syncs returns the syncs that began before now.
	syncs := func() int {
		calls++
		marker := fmt.Sprintf("wm/none%d.", calls)
		require.Error(t, client.Call(marker, peer.Object{}, nil)) // the answer names the method
		var content []byte
		require.Eventually(t, func() bool {
			var err error
			content, err = os.ReadFile(trace)
			return err == nil && strings.Contains(string(content), marker)
		}, Patience, time.Millisecond)
		before, _, _ := strings.Cut(string(content), marker)
		return len(synced.FindAllString(before, -1))
	}
	require.NoError(t, client.Call("wm/status", peer.Object{}, nil)) // the memory is open
	long := strings.Repeat("a line of the output\n", 2000)
	for _, call := range []struct {
		method string
		params peer.Object
	}{
		{"wm/notes/write", peer.Object{"path": "detail/first.md", "content": "# One\n"}}, // begins the session
		{"wm/notes/write", peer.Object{"path": "overview.md", "content": "# Overview\n"}},
		{"wm/notes/write", peer.Object{"path": "detail/a.md", "content": "# One\n"}},
		{"wm/notes/write", peer.Object{"path": "detail/a.md", "content": "# One\n\nmore\n"}},
		{"wm/notes/write", peer.Object{"path": "detail/a.md", "content": "# Another title\n"}},
		{"wm/notes/write", peer.Object{"path": "overview.md", "content": "# Overview\n\nmore\n"}},
		{"wm/notes/archive", peer.Object{"path": "detail/a.md"}},
		{"wm/memory/add", peer.Object{"type": "project", "text": "Everybody keeps the first rule of the project"}},
		{"wm/memory/add", peer.Object{"type": "project", "text": "Everybody keeps the second rule of the project"}},
		{"wm/core/update", peer.Object{"block": "goal", "operation": "replace", "content": "a goal"}},
		{"wm/working/add", peer.Object{"slot": "todo", "content": "something to do"}},
		{"wm/message/received", peer.Object{"role": "user", "text": "Remember this: port 8080 is taken"}},
		{"wm/prune", peer.Object{"output": long}},
	} {
		before := syncs()
		require.NoError(t, client.CallContext(context.Background(), call.method, call.params, nil), call.method)
		require.LessOrEqual(t, syncs()-before, 2, "%s %v", call.method, call.params["path"])
	}
}

// After a power cut there must be no archive of messages without the record that says which.
func TestWhatIsArchivedIsRecordedOnTheDiskBefore(t *testing.T) {
	slow.Test(t)
	client, trace := underStrace(t, "fsync,fdatasync,renameat,renameat2", "-y")
	require.NoError(t, client.Call("wm/session/start", peer.Object{"sessionId": "s", "history": true}, nil))
	for i := range 20 {
		text := strings.Repeat(fmt.Sprintf("This is sentence %d of the conversation. ", i), 20)
		for _, role := range []string{"user", "assistant"} {
			require.NoError(t, client.Call("wm/message/received", peer.Object{"role": role, "text": text}, nil))
		}
	}
	var done struct{ ArchivedTo string }
	require.NoError(t, client.Call("wm/history/compact", peer.Object{"target": "conversation"}, &done))
	require.NotEmpty(t, done.ArchivedTo)
	require.NoError(t, client.End())
	content, err := os.ReadFile(trace)
	require.NoError(t, err)
	recorded := regexp.MustCompile(`\bf(data)?sync\(\d+<[^>]*/messages\.jsonl>`).FindIndex(content)
	archived := regexp.MustCompile(`\brenameat2?\([^\n]*"` + regexp.QuoteMeta(filepath.Base(done.ArchivedTo)) + `"`).
		FindIndex(content)
	require.NotNil(t, archived, "the archive is written")
	require.NotNil(t, recorded, "the conversation is synced")
	require.Less(t, recorded[0], archived[0])
}

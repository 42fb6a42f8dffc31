package test_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
	"go.lsp.dev/jsonrpc2"
)

// memories are the texts that the server holds for the workspace.
func memories(client *test.Client) []string {
	var list struct {
		Entries []struct{ Text string }
	}
	client.Call("wm/memory/list", nil, &list)
	texts := []string{}
	for _, entry := range list.Entries {
		texts = append(texts, entry.Text)
	}
	return texts
}

// activeFiles are the files that the server calls active.
func activeFiles(client *test.Client) []string {
	var list struct {
		Files []struct{ Path string }
	}
	client.Call("wm/files/list", nil, &list)
	paths := []string{}
	for _, file := range list.Files {
		paths = append(paths, file.Path)
	}
	return paths
}

func remember(client *test.Client, text string) {
	client.Call("wm/memory/add", map[string]any{"text": text, "type": "decision"}, nil)
}

const decision = "The server speaks JSON-RPC over stdio and never opens a port"

func TestServerWritesOnlyFramesAndAcceptsStdio(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{Args: []string{"--stdio"}})
		var initialized struct {
			Capabilities struct {
				Experimental struct {
					WorkingMemory struct {
						Version int
						Methods []string
					}
				}
			}
		}
		require.NoError(t, json.Unmarshal(client.Initialized, &initialized))
		offered := initialized.Capabilities.Experimental.WorkingMemory
		assert.Equal(t, 1, offered.Version)
		assert.Contains(t, offered.Methods, "wm/context")
		client.Shutdown()
	})
}

func TestGigabyteMessageIsRefusedWithoutTheMemoryForIt(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{})
		require.Empty(t, memories(client)) // the workspace is open
		before := resident(t, client.PID())
		client.Raw(
			[]byte(
				"Content-Length: 1073741824\r\n\r\n" + `{"jsonrpc":"2.0","id":"large","method":"wm/memory/add",` +
					`"params":{"text":"`,
			),
		)
		client.Await(func() bool { return len(client.Responses(`"large"`)) == 1 }, "the refusal")
		chunk := []byte(strings.Repeat("x", 1<<20))
		for range 1 << 10 {
			client.Raw(chunk)
		}
		assert.Empty(t, memories(client), "the message after it is answered")
		assert.Less(t, resident(t, client.PID())-before, 32<<20)
		client.Shutdown()
	})
}

// resident is the resident memory of a process in bytes; 0 where there is no
// /proc to read it from.
func resident(t *testing.T, pid int) int {
	if runtime.GOOS != "linux" {
		return 0
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(status), "VmRSS:")
	require.True(t, found)
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return kilobytes << 10
}

func TestTenMegabyteMessageIsTaken(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{})
		output := strings.Repeat("all is well here\n", 10<<20/17)
		client.Call(
			"wm/tool/executed",
			map[string]any{"tool": "bash", "input": map[string]any{"command": "make"}, "output": output, "exitCode": 0},
			nil,
		)
		remember(client, decision)
		assert.Equal(t, []string{decision}, memories(client))
		client.Shutdown()
	})
}

func TestInputThatEndsEndsTheServer(t *testing.T) {
	for name, last := range map[string]string{
		"between messages":          "",
		"inside a header":           "Content-Le",
		"inside a body":             "Content-Length: 100\r\n\r\n{\"jsonrpc\":\"2.0\"",
		"inside a message too long": "Content-Length: 1073741824\r\n\r\n{\"jsonrpc\":\"2.0\"",
		"inside garbage":            "what is this",
	} {
		t.Run(name, func(t *testing.T) {
			test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
				client := env.Start(test.ClientOptions{SessionID: session})
				leaveTraces(client)
				client.Raw([]byte(last))
				client.CloseInput()
				assert.Equal(t, 1, client.Wait(), "the client left without shutdown")
				expectTraces(t, env)
			})
		})
	}
}

func TestSignalsEndTheServerWithItsStateFlushed(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there are no such signals
	}
	for name, signal := range map[string]os.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": os.Interrupt} {
		t.Run(name, func(t *testing.T) {
			test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
				client := env.Start(test.ClientOptions{SessionID: session})
				leaveTraces(client)
				client.Signal(signal)
				assert.Zero(t, client.Wait())
				expectTraces(t, env)
			})
		})
	}
}

// leaveTraces makes a durable and a hot change. The edit comes last and nothing
// waits for it: it has to be on the disk all the same when the server has ended.
func leaveTraces(client *test.Client) {
	remember(client, decision)
	client.Open("a.go")
	client.ChangeIncremental("a.go", "package a", "package b")
	_ = memories(client) // what was sent before is taken
}

// session is the session that leaves traces, and is resumed to look for them.
const session = "traces"

// expectTraces looks for them through a new server.
func expectTraces(t *testing.T, env *test.Env) {
	t.Helper()
	client := env.Start(test.ClientOptions{SessionID: session})
	assert.Equal(t, []string{decision}, memories(client))
	assert.Contains(t, activeFiles(client), "a.go")
	client.Shutdown()
}

func TestDeathOfTheClientsProcessEndsTheServer(t *testing.T) {
	slow.Test(t)
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		editor := env.Start(test.ClientOptions{Package: test.Echo}) // plays the editor's process
		client := env.Start(test.ClientOptions{SessionID: session, ProcessID: editor.PID()})
		leaveTraces(client)
		editor.Kill()
		assert.Equal(t, 1, client.Wait(), "its input is still open")
		expectTraces(t, env)
	})
}

func TestClientThatIsGoneForWritingEndsTheServer(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{SessionID: session})
		leaveTraces(client)
		client.CloseOutput()
		// It may have ended already, if it had something to tell.
		body := `{"jsonrpc":"2.0","id":"x","method":"wm/status"}`
		_ = client.TryRaw(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(body), body))
		assert.Equal(t, 1, client.Wait(), "its input is still open")
		expectTraces(t, env)
	})
}

func TestClientThatStopsReadingDoesNotStopAnother(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		deaf := env.Start(test.ClientOptions{Name: "deaf", ProcessID: -1})
		lively := env.Start(test.ClientOptions{Name: "lively"})
		deaf.StopReading()
		// Far more answers than a pipe holds, and at last more requests, too: the
		// writing of them stops when the server does not read any more.
		stuck := make(chan struct{})
		go func() {
			defer close(stuck)
			for i := range 1000 {
				body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"wm/panel"}`, i)
				if deaf.TryRaw(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(body), body)) != nil {
					return
				}
			}
		}()
		for i := range 20 {
			remember(lively, fmt.Sprintf("%s, as rule %d of this project says", decision, i))
		}
		assert.NotEmpty(t, memories(lively))
		lively.Shutdown()

		deaf.ResumeReading()
		deaf.Await(func() bool { return len(deaf.Responses(`"q999"`)) == 1 }, "every answer, once they are read again")
		<-stuck
		assert.NotEmpty(t, memories(deaf))
		deaf.Shutdown()
	})
}

// The client sends more requests than fit into any buffer and reads no answer. Its
// requests are read as long as the answers have room, and the end of its input is
// found behind those that were not.
func TestClientThatNeverReadsCostsLittleMemoryAndIsLeftWhenItEnds(t *testing.T) {
	slow.Test(t)
	for name, body := range map[string]string{
		"requests":              `{"jsonrpc":"2.0","id":%d,"method":"wm/context"}`,
		"requests of standards": `{"jsonrpc":"2.0","id":%d,"method":"textDocument/none"}`,
		"no messages":           `{"jsonrpc":"1.0","id":%d,"method":"wm/context"}`,
	} {
		t.Run(name, func(t *testing.T) {
			test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
				client := env.Start(test.ClientOptions{SessionID: session, ProcessID: -1})
				leaveTraces(client)
				before := resident(t, client.PID())
				client.StopReading()
				var sent atomic.Int64
				stuck := make(chan struct{})
				go func() {
					defer close(stuck)
					for i := range 1_000_000 {
						one := fmt.Sprintf(body, i)
						if client.TryRaw(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(one), one)) != nil {
							return
						}
						sent.Add(1)
					}
				}()
				last := int64(-1)
				client.Await(func() bool { // nothing more is read
					now := sent.Load()
					same := now == last && now > 0
					last = now
					return same
				}, "the server reads no more")
				assert.Less(t, resident(t, client.PID())-before, 200<<20)
				client.CloseInput()
				assert.Equal(t, 1, client.Wait(), "it ends although nobody reads")
				<-stuck
				expectTraces(t, env)
			})
		})
	}
}

func TestServerLeavesNothingInTheWorkspace(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{SessionID: session})
		leaveTraces(client)
		client.Diagnostics("a.go", test.CompileError(1, "E1", "expected 'package'"))
		client.Shutdown()
		entries, err := os.ReadDir(env.Root)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		assert.Equal(t, "a.go", entries[0].Name())

		require.NoError(t, filepath.WalkDir(env.DataDir(), func(path string, entry os.DirEntry, err error) error {
			require.NoError(t, err)
			info, err := entry.Info()
			require.NoError(t, err)
			if runtime.GOOS != "windows" {
				assert.Zero(t, info.Mode().Perm()&0o077, "others may open %s", path)
			}
			return nil
		}))
	})
}

func TestCrashLosesNothingThatWasAcknowledged(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{})
		remember(client, decision)
		client.Kill()
		again := env.Start(test.ClientOptions{})
		assert.Equal(t, []string{decision}, memories(again))
		again.Shutdown()
	})
}

func TestPanicsAndErrorsOfOneRequestAreNotTheEnd(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{})
		nested := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
		for _, params := range []string{`{"text":7}`, `[]`,
			`{"text":` + nested + `}`, `{"metadata":` + nested + `}`, `{"text":"\ud83d"}`} {
			client.Frame(`{"jsonrpc":"2.0","id":"odd","method":"wm/memory/add","params":` + params + `}`)
			client.Frame(`{"jsonrpc":"2.0","method":"wm/tool/executed","params":` + params + `}`)
		}
		client.Await(func() bool { return len(client.Responses(`"odd"`)) == 5 }, "five answers")
		assert.Equal(t, jsonrpc2.MethodNotFound, client.CallError("no/such/method", nil).Code)
		client.Shutdown()
	})
}

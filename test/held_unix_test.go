//go:build unix

package test_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

const later = "Invoices are numbered per year and no number is used again"

// stopWhileItWrites stops a server that holds the lock of the memory: it waits for the database,
// which the test has locked, and is stopped meanwhile. Others, which might hold the lock as well, are
// stopped until then.
func stopWhileItWrites(t *testing.T, client *test.Client, others ...*test.Client) {
	t.Helper()
	var status struct{ Store struct{ Path string } }
	client.Call("wm/status", nil, &status)
	lock := flock.New(filepath.Join(status.Store.Path, "memory.lock"))
	isHeld := func() bool {
		taken, err := lock.TryRLock()
		require.NoError(t, err)
		if taken {
			require.NoError(t, lock.Unlock())
		}
		return !taken
	}
	for _, other := range others {
		stopWhile(t, other, func() bool { return !isHeld() })
		defer other.Signal(syscall.SIGCONT)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(status.Store.Path, "memory.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	go func() { _ = client.TryCall("wm/memory/add", map[string]any{"text": later, "type": "decision"}, nil) }()
	stopWhile(t, client, isHeld) // also another write may hold it, which does not wait as long
	_, err = conn.ExecContext(context.WithoutCancel(t.Context()), "ROLLBACK")
	require.NoError(t, err)
}

// stopWhile stops a server while a condition holds.
func stopWhile(t *testing.T, client *test.Client, condition func() bool) {
	t.Helper()
	for {
		client.Await(condition, "the moment to stop the server")
		client.Signal(syscall.SIGSTOP)
		_, err := syscall.Wait4(client.PID(), nil, syscall.WUNTRACED, nil)
		require.NoError(t, err)
		if condition() {
			return
		}
		client.Signal(syscall.SIGCONT)
	}
}

// problemsOf are the problems that the server has in its status.
func problemsOf(client *test.Client) (all []string) {
	var status struct {
		Problems []struct{ Message, Fix string }
	}
	client.Call("wm/status", nil, &status)
	for _, p := range status.Problems {
		all = append(all, p.Message+" "+p.Fix)
	}
	return all
}

// panelProblems are the problems that the panel shows.
func panelProblems(client *test.Client) (all []string) {
	var panel struct {
		Sections []struct {
			ID    string
			Items []struct{ Label, Detail string }
		}
	}
	client.Call("wm/panel", map[string]any{"sections": []string{"problems"}}, &panel)
	for _, item := range panel.Sections[0].Items {
		all = append(all, item.Label+" "+item.Detail)
	}
	return all
}

// A heldMemory is a memory with an entry, decision, which a stopped process holds.
type heldMemory struct {
	env *test.Env
	// stopped is the client of the process, end ends it.
	stopped *test.Client
	end     func()
	// client is another one, with a file that it has edited since. It waits to write an entry, later,
	// and knows why; written receives what comes of it.
	client  *test.Client
	written <-chan error
}

// whileHeld runs body with a memory that a stopped process holds.
func whileHeld(t *testing.T, body func(t *testing.T, held heldMemory)) {
	t.Helper()
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		stopped := env.Start(test.ClientOptions{Name: "stopped"})
		client := env.Start(test.ClientOptions{Name: "client"})
		remember(client, decision)
		stopWhileItWrites(t, stopped, client)
		end := sync.OnceFunc(stopped.Kill)
		defer end()

		client.Open("a.go")
		client.ChangeIncremental("a.go", "package a", "package b")
		client.Await(func() bool { return len(activeFiles(client)) == 1 }, "the edit, which can be written later")
		written := make(chan error, 1)
		go func() {
			written <- client.TryCall("wm/memory/add", map[string]any{"text": later, "type": "decision"}, nil)
		}()
		client.Await(func() bool { return len(problemsOf(client)) > 0 }, "the problem in the status")
		body(t, heldMemory{env, stopped, end, client, written})
	})
}

func TestReadsAndEventsGoOnWhileAStoppedProcessHoldsTheMemoryAndWritesWaitAndAreTold(t *testing.T) {
	slow.Test(t)
	whileHeld(t, func(t *testing.T, held heldMemory) {
		env, stopped, client := held.env, held.stopped, held.client
		assert.Equal(t, []string{decision}, memories(client))
		var context struct{ Text string }
		client.Call("wm/context", nil, &context)
		assert.Contains(t, context.Text, decision)
		want := "Another process has held the memory"
		if runtime.GOOS == "linux" {
			want = fmt.Sprintf("Another process (pid %d) has held the memory", stopped.PID())
		}
		for _, problem := range append(problemsOf(client), panelProblems(client)...) {
			assert.Contains(t, problem, want)
			if runtime.GOOS == "linux" {
				assert.Contains(t, problem, fmt.Sprintf("kill -CONT %d", stopped.PID()))
			}
		}
		assert.Len(t, panelProblems(client), 1)

		client.AwaitNotification("window/showMessage", func(params json.RawMessage) bool {
			return strings.Contains(string(params), want)
		})

		fresh := env.Start(test.ClientOptions{Name: "fresh"})
		assert.Equal(t, []string{decision}, memories(fresh), "a process that starts now has what was written")
		fresh.Shutdown()

		select {
		case err := <-held.written:
			require.Fail(t, "nobody can write yet", "got %v", err)
		default:
		}
		held.end()
		require.NoError(t, <-held.written)
		assert.ElementsMatch(t, []string{decision, later}, memories(client))
		client.Await(func() bool { return len(problemsOf(client)) == 0 }, "no problem is left")
		assert.Empty(t, panelProblems(client))
		client.Shutdown()
	})
}

func TestAServerEndsWhileAStoppedProcessHoldsTheMemory(t *testing.T) {
	slow.Test(t)
	whileHeld(t, func(t *testing.T, held heldMemory) {
		held.client.CloseInput()
		assert.Equal(t, 1, held.client.Wait())
	})
}

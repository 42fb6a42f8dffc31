package test_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A listed session is what wm/session/list says of one.
type listed struct {
	SessionID  string
	Live       bool
	LeaseUntil *time.Time
}

func sessionOf(client *test.Client, id string) listed {
	var list struct{ Sessions []listed }
	client.Call("wm/session/list", nil, &list)
	for _, known := range list.Sessions {
		if known.SessionID == id {
			return known
		}
	}
	return listed{}
}

func summariesOf(client *test.Client) []string {
	var list struct {
		Errors []struct{ Summary string }
	}
	client.Call("wm/errors/list", nil, &list)
	summaries := []string{}
	for _, e := range list.Errors {
		summaries = append(summaries, e.Summary)
	}
	return summaries
}

// of are params that name a session, if it is not the connection's own.
func of(session string, params map[string]any) map[string]any {
	if session != "" {
		params["sessionId"] = session
	}
	return params
}

// work is what a hook tells: a file was edited, a build failed, a note was written.
func work(client *test.Client, session string) {
	client.Call("wm/tool/executed", of(session, map[string]any{
		"tool": "edit", "input": map[string]any{"filePath": "a.go"}, "output": "done",
	}), nil)
	client.Call("wm/tool/executed", of(session, map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go build ./..."}, "exitCode": 1,
		"error": "# example.com/shop\n./a.go:1:9: undefined: cart\n",
	}), nil)
	client.Call("wm/notes/write", of(session, map[string]any{"path": "detail/plan.md", "content": "# Plan\n"}), nil)
}

func notesOf(client *test.Client, session string) string {
	var list json.RawMessage
	client.Call("wm/notes/list", map[string]any{"sessionId": session}, &list)
	return string(list)
}

// ends are the ways in which a process leaves.
var ends = map[string]func(client *test.Client){
	"by exit": (*test.Client).Shutdown,
	"by the end of its input": func(client *test.Client) {
		client.CloseInput()
		client.Wait()
	},
	"killed": (*test.Client).Kill,
}

const failed = "undefined: cart"

func TestProcessThatLivesForOneEventLeavesWhatItSaid(t *testing.T) {
	slow.Test(t)
	for how, named := range map[string]string{"its own session": "", "a session that it names": "agent"} {
		for name, end := range ends {
			t.Run(how+", "+name, func(t *testing.T) {
				test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
					editor := env.Start(test.ClientOptions{Name: "editor"})
					options := test.ClientOptions{Name: "hook", SessionID: "agent", Agent: "agent", Attach: true}
					if named != "" {
						options = test.ClientOptions{Name: "hook"}
					}
					hook := env.Start(options)
					work(hook, named)
					editor.Await(func() bool { return len(summariesOf(editor)) == 1 }, "the error of the hook")
					end(hook)
					stays := func(client *test.Client) {
						t.Helper()
						known := sessionOf(client, "agent")
						assert.True(t, known.Live)
						require.NotNil(t, known.LeaseUntil)
						assert.WithinDuration(t, time.Now().Add(30*time.Minute), *known.LeaseUntil, 2*test.Patience)
						assert.Equal(t, []string{"a.go"}, activeFiles(client))
						assert.Equal(t, []string{failed}, summariesOf(client))
						assert.Contains(t, notesOf(client, "agent"), "detail/plan.md")
					}
					stays(editor)
					again := env.Start(options)
					work(again, named)
					end(again)
					stays(editor)
					editor.Shutdown()
					editor = env.Start(test.ClientOptions{Name: "editor"})
					stays(editor)
					// Whoever starts it owns it: with the owner it is over.
					agent := env.Start(test.ClientOptions{Name: "agent"})
					agent.Call("wm/session/start", map[string]any{"sessionId": "agent"}, nil)
					editor.Await(func() bool { return sessionOf(editor, "agent").LeaseUntil == nil }, "the owner")
					assert.True(t, sessionOf(editor, "agent").Live)
					end(agent)
					editor.Await(func() bool { return !sessionOf(editor, "agent").Live }, "the end of the session")
					assert.Empty(t, activeFiles(editor))
					assert.Equal(t, []string{failed}, summariesOf(editor), "nobody has run it again")
					editor.Shutdown()
				})
			})
		}
	}
}

func TestProcessThatAttachesToTheSessionOfAnotherEndsNothing(t *testing.T) {
	slow.Test(t)
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
				editor := env.Start(test.ClientOptions{Name: "editor"})
				agent := env.Start(test.ClientOptions{Name: "agent", SessionID: "agent"})
				agent.Diagnostics("a.go", test.CompileError(1, "E1", "expected 'package'"))
				hook := env.Start(test.ClientOptions{Name: "hook", SessionID: "agent", Attach: true})
				hook.Call("wm/session/start", map[string]any{"sessionId": "agent"}, nil)
				work(hook, "")
				editor.Await(func() bool { return len(summariesOf(editor)) == 2 }, "both errors")
				end(hook)
				known := sessionOf(agent, "agent")
				assert.True(t, known.Live)
				assert.Nil(t, known.LeaseUntil)
				assert.Len(t, summariesOf(agent), 2)
				end(agent)
				editor.Await(func() bool { return !sessionOf(editor, "agent").Live }, "the end of the session")
				assert.Equal(t, []string{failed}, summariesOf(editor), "the diagnostics have left")
				hook = env.Start(test.ClientOptions{Name: "hook", SessionID: "agent", Attach: true})
				hook.Call("wm/tool/executed", map[string]any{
					"tool": "edit", "input": map[string]any{"filePath": "a.go"}, "output": "done",
				}, nil)
				end(hook)
				editor.Await(func() bool { return sessionOf(editor, "agent").Live }, "the session to resume")
				assert.Equal(t, []string{failed}, summariesOf(editor))
				editor.Shutdown()
			})
		})
	}
}

func TestFolderThatAnAttachedProcessLeavesKeepsItsSession(t *testing.T) {
	for name, attach := range map[string]bool{"attached": true, "the owner": false} {
		t.Run(name, func(t *testing.T) {
			test.Run(t, "-- a.go --\npackage a\n-- one/b.go --\npackage b\n", func(t *testing.T, env *test.Env) {
				client := env.Start(test.ClientOptions{
					Name: "hook", SessionID: "agent", Attach: attach, Folders: []string{"", "one"},
				})
				lives := func() bool {
					var list struct{ Sessions []listed }
					client.Call("wm/session/list", map[string]any{"workspace": env.URI("one")}, &list)
					require.Len(t, list.Sessions, 1)
					return list.Sessions[0].Live
				}
				client.Call("wm/core/update", map[string]any{
					"workspace": env.URI("one"), "block": "goal", "operation": "replace", "content": "Ship it",
				}, nil)
				require.True(t, lives())
				client.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
					"added": []any{}, "removed": []any{map[string]any{"uri": env.URI("one"), "name": "one"}},
				}})
				assert.Equal(t, attach, lives())
				client.Shutdown()
			})
		})
	}
}

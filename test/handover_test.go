package test_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A givenContext is a context, as far as these tests look at it.
type givenContext struct {
	Text     string
	Sections []struct{ ID, Text string }
}

// given returns the handover in the context that an agent gets, "" if there is none.
func given(client *test.Client, params map[string]any) string {
	var context givenContext
	client.Call("wm/context", params, &context)
	for _, section := range context.Sections {
		if section.ID == "handover" {
			return section.Text
		}
	}
	return ""
}

// leftBy returns what a session left, nil for nothing.
func leftBy(client *test.Client, session string) *wire.Handover {
	var result wire.SessionHandoverResult
	client.Call("wm/session/handover", of(session, map[string]any{}), &result)
	return result.Handover
}

// steps are what an agent does before it dies, and what the next one must be told of it from then on.
var steps = []struct {
	name, told string
	do         func(agent *test.Client)
}{
	{"nothing", "", func(*test.Client) {}},
	{"it was asked", "", func(agent *test.Client) {
		agent.Call("wm/message/received", map[string]any{
			"role": "user", "text": "Fix the rounding of the totals in cart.go",
		}, nil)
	}},
	{"it edited", "Edited: cart.go", func(agent *test.Client) {
		agent.Call("wm/tool/executed", map[string]any{
			"tool": "edit", "input": map[string]any{"filePath": "cart.go"}, "output": "done",
		}, nil)
	}},
	{"a test failed", "[test] cart_test.go:7: TestTotal: got 3, want 4", func(agent *test.Client) {
		agent.Call("wm/tool/executed", map[string]any{
			"tool": "bash", "input": map[string]any{"command": "go test ./..."}, "exitCode": 1,
			"error": "--- FAIL: TestTotal (0.00s)\n    cart_test.go:7: got 3, want 4\nFAIL\n",
		}, nil)
	}},
	{"it noted todos", "Todo: round half up", func(agent *test.Client) {
		agent.Call("wm/todos/changed", map[string]any{"todos": []map[string]any{
			{"content": "read the totals", "status": "completed"}, {"content": "round half up", "status": "pending"},
		}}, nil)
	}},
	{"it noted its goal", "Its goal: Totals are rounded once", func(agent *test.Client) {
		agent.Call("wm/core/update", map[string]any{
			"block": "goal", "operation": "replace", "content": "Totals are rounded once",
		}, nil)
	}},
	{"it wrote a note", "detail/plan.md", func(agent *test.Client) {
		agent.Call("wm/notes/write", map[string]any{"path": "detail/plan.md", "content": "# Plan\n"}, nil)
	}},
	{"it reported its usage", "Its context was 74 % full.", func(agent *test.Client) {
		agent.Call("wm/usage/reported", map[string]any{"tokensUsed": 74, "tokensMax": 100}, nil)
	}},
}

const shop = "-- go.mod --\nmodule example.com/shop\n\ngo 1.26\n-- cart.go --\npackage shop\n" +
	"-- cart_test.go --\npackage shop\n"

func TestWhatAnAgentLeftIsHandedOverWhereverItIsKilled(t *testing.T) {
	slow.Test(t)
	for killed := range steps {
		t.Run("after "+steps[killed].name, func(t *testing.T) {
			test.Run(t, shop, func(t *testing.T, env *test.Env) {
				editor := env.Start(test.ClientOptions{Name: "editor"})
				first := env.Start(test.ClientOptions{Name: "first", Agent: "first", SessionID: "first"})
				first.Call("wm/session/start", map[string]any{"sessionId": "first"}, nil)
				for _, step := range steps[:killed+1] {
					step.do(first)
				}
				last := steps[killed]
				expected := func(told string) bool { return last.told == "" || strings.Contains(told, last.told) }
				remember(first, decision) // is acknowledged when everything before it is written
				first.Kill()
				editor.Await(func() bool { return !sessionOf(editor, "first").Live }, "the end of the first agent")

				isOpen := killed >= 2
				left := leftBy(editor, "first")
				require.NotNil(t, left)
				assert.Equal(t, "first", left.Agent)
				assert.Equal(t, isOpen, left.Open)
				assert.True(t, expected(left.Text), left.Text)
				assert.LessOrEqual(t, len([]rune(left.Text)), 1500)
				if killed > 0 {
					assert.Equal(t, "Fix the rounding of the totals in cart.go", left.Title)
					assert.Equal(t, left, leftBy(editor, ""), "it is the last one")
				}
				if killed >= 3 {
					require.Len(t, left.Errors, 1)
					assert.False(t, left.Errors[0].Verified, "nobody has run the test since")
				}

				// Who dies before it does anything passes on what it was given.
				next := env.Start(test.ClientOptions{Name: "next", Agent: "next", SessionID: "next"})
				next.Call("wm/session/start", map[string]any{"sessionId": "next"}, nil)
				preview := map[string]any{"preview": true}
				assert.Equal(t, isOpen, given(next, preview) != "", "a preview takes nothing")
				told := given(next, map[string]any{})
				assert.Equal(t, isOpen, told != "", told)
				if isOpen && killed != 3 { // the session state says what fails
					assert.True(t, expected(told), told)
				}
				assert.Empty(t, given(next, map[string]any{}), "it is told once")
				next.Kill()
				editor.Await(func() bool { return !sessionOf(editor, "next").Live }, "the end of the next agent")
				heir := env.Start(test.ClientOptions{Name: "heir", Agent: "heir", SessionID: "heir"})
				heir.Call("wm/session/start", map[string]any{"sessionId": "heir"}, nil)
				assert.Equal(t, isOpen, given(heir, map[string]any{}) != "")
				heir.Call("wm/message/received", map[string]any{"role": "user", "text": "Go on with it"}, nil)
				heir.Call("wm/message/received", map[string]any{"role": "assistant", "text": "It is as it was."}, nil)
				remember(heir, decision)
				heir.Kill()
				editor.Await(func() bool { return !sessionOf(editor, "heir").Live }, "the end of the heir")
				late := env.Start(test.ClientOptions{Name: "late", Agent: "late", SessionID: "late"})
				late.Call("wm/session/start", map[string]any{"sessionId": "late"}, nil)
				assert.Empty(t, given(late, map[string]any{}), "the heir took it and left nothing open")

				// A person gives it on once more.
				late.Shutdown()
				editor.Call("wm/session/continue", map[string]any{"sessionId": "first"}, nil)
				wanted := env.Start(test.ClientOptions{Name: "wanted", Agent: "wanted", SessionID: "wanted"})
				wanted.Call("wm/session/start", map[string]any{"sessionId": "wanted"}, nil)
				assert.Equal(t, killed > 0, given(wanted, map[string]any{}) != "")
				wanted.Shutdown()
				editor.Shutdown()
			})
		})
	}
}

func TestWhatAnAgentThatVanishesLeavesUnansweredIsHandedOver(t *testing.T) {
	for name, c := range map[string]struct {
		leaves func(agent *test.Client)
		isOpen bool
	}{
		"it is killed": {(*test.Client).Kill, true},
		"its host is gone, which closes the input of the server": {func(agent *test.Client) {
			agent.CloseInput()
			agent.Wait()
		}, true},
		"a person ends it": {(*test.Client).Shutdown, false},
	} {
		t.Run(name, func(t *testing.T) {
			test.Run(t, shop, func(t *testing.T, env *test.Env) {
				editor := env.Start(test.ClientOptions{Name: "editor"})
				first := env.Start(test.ClientOptions{Name: "first", Agent: "first", SessionID: "first"})
				first.Call("wm/message/received", map[string]any{"role": "user", "text": "Round the totals once"}, nil)
				edit := map[string]any{"tool": "Edit", "input": map[string]any{"file_path": "cart.go"}}
				first.Call("wm/tool/executed", edit, nil)
				remember(first, decision) // is acknowledged when everything before it is written
				c.leaves(first)
				editor.Await(func() bool { return !sessionOf(editor, "first").Live }, "the end of the first agent")
				assert.Equal(t, c.isOpen, leftBy(editor, "first").Open)
				next := env.Start(test.ClientOptions{Name: "next", Agent: "next", SessionID: "next"})
				next.Call("wm/session/start", map[string]any{"sessionId": "next"}, nil)
				assert.Equal(t, c.isOpen, given(next, map[string]any{}) != "")
				next.Shutdown()
				editor.Shutdown()
			})
		})
	}
}

// reportsIn lets an editor report diagnostics with messages in a file, and returns the errors that it sees then.
func reportsIn(env *test.Env, editor *test.Client, file string, messages ...string) []wire.OpenError {
	diagnostics := []map[string]any{}
	for _, message := range messages {
		diagnostics = append(diagnostics, map[string]any{
			"severity": 1, "message": message,
			"range": map[string]any{
				"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": 0, "character": 1},
			},
		})
	}
	editor.Call("wm/diagnostics/changed", map[string]any{"uri": env.URI(file), "diagnostics": diagnostics}, nil)
	var list wire.ErrorsListResult
	editor.Call("wm/errors/list", nil, &list)
	return list.Errors
}

func TestWhatAnEditorLeftIsUnverifiedUntilTheNextOneChecksIt(t *testing.T) {
	slow.Test(t)
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			test.Run(t, shop, func(t *testing.T, env *test.Env) {
				witness := env.Start(test.ClientOptions{Name: "witness"})
				editor := env.Start(test.ClientOptions{Name: "editor", SessionID: "window"})
				before := reportsIn(env, editor, "cart.go", failed)
				require.Len(t, before, 1)
				remember(editor, decision) // is acknowledged when everything before it is written
				end(editor)
				witness.Await(func() bool { return !sessionOf(witness, "window").Live }, "the end of the window")

				assert.Empty(t, summariesOf(witness), "the diagnostics of a dead editor leave")
				left := leftBy(witness, "window")
				require.Len(t, left.Errors, 1)
				assert.Equal(t, failed, left.Errors[0].Summary)
				assert.False(t, left.Errors[0].Verified)
				assert.Contains(t, left.Text, failed+" (not checked since ")
				assert.False(t, left.Open, "the file is as it was")

				next := env.Start(test.ClientOptions{Name: "editor", SessionID: "another window"})
				reportsIn(env, next, "cart_test.go")
				assert.Len(t, leftBy(witness, "window").Errors, 1, "another file says nothing of this one")
				after := reportsIn(env, next, "cart.go", failed)
				require.Len(t, after, 1)
				assert.Equal(t, before[0].FirstSeen, after[0].FirstSeen)
				assert.Equal(t, 1, after[0].Count)
				assert.True(t, after[0].Verified)
				assert.Empty(t, leftBy(next, "window").Errors, "it is the next one's now")
				assert.Empty(t, reportsIn(env, next, "cart.go"))
				next.Shutdown()
				witness.Shutdown()
			})
		})
	}
}

func TestAnErrorThatTheUserToldIsHandedOverUntilItIsGone(t *testing.T) {
	slow.Test(t)
	const told = "TypeError: total is not a function"
	test.Run(t, shop, func(t *testing.T, env *test.Env) {
		editor := env.Start(test.ClientOptions{Name: "editor"})
		first := env.Start(test.ClientOptions{Name: "first", Agent: "first", SessionID: "first"})
		says := func(agent *test.Client, text string) {
			agent.Call("wm/message/received", map[string]any{"role": "user", "text": text}, nil)
		}
		says(first, "I get "+told+" when I save the cart. Please fix it.")
		remember(first, decision) // is acknowledged when everything before it is written
		first.Kill()
		editor.Await(func() bool { return !sessionOf(editor, "first").Live }, "the end of the first agent")

		left := leftBy(editor, "first")
		require.Len(t, left.Errors, 1)
		assert.Equal(t, told, left.Errors[0].Summary)
		assert.True(t, left.Open, "nobody did anything about it")
		assert.Equal(t, []string{told}, summariesOf(editor), "it stays open")
		next := env.Start(test.ClientOptions{Name: "next", Agent: "next", SessionID: "next"})
		next.Call("wm/session/start", map[string]any{"sessionId": "next"}, nil)
		assert.Contains(t, given(next, map[string]any{}),
			"Fails: [runtime] "+told+" (told by the user) (not checked since ")
		says(next, "Saving works now, thanks.")
		editor.Await(func() bool { return len(summariesOf(editor)) == 0 }, "the error gone")
		assert.Empty(t, leftBy(editor, "first").Errors)
		next.Shutdown()
		editor.Shutdown()
	})
}

func TestARestartOfAnEditorCountsNothingAnew(t *testing.T) {
	slow.Test(t)
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			test.Run(t, shop, func(t *testing.T, env *test.Env) {
				witness := env.Start(test.ClientOptions{Name: "witness"})
				report := func(editor *test.Client) []wire.OpenError {
					return reportsIn(env, editor, "cart.go", failed)
				}
				editor := env.Start(test.ClientOptions{Name: "editor", SessionID: "window"})
				before := report(editor)
				require.Len(t, before, 1)
				assert.Equal(t, 1, before[0].Count)
				end(editor)
				for _, session := range []string{"window", "another window"} {
					editor = env.Start(test.ClientOptions{Name: "editor", SessionID: session})
					after := report(editor)
					require.Len(t, after, 1, session)
					assert.Equal(t, 1, after[0].Count, session)
					assert.True(t, after[0].Verified, session)
					end(editor)
				}
				over := func() bool { return !sessionOf(witness, "another window").Live }
				witness.Await(over, "the end of the window")
				witness.Shutdown()
			})
		})
	}
}

func TestAHookTellsWhatAnEndedSessionLeftOnce(t *testing.T) {
	test.Run(t, shop, func(t *testing.T, env *test.Env) {
		event := func(session, name, members string) string {
			return runHook(t, env, claude(env, session, name, members))
		}
		starts := func(session, source string) string {
			return contextOf(t, event(session, "SessionStart", `"source":"`+source+`"`))
		}
		starts("first", "startup")
		event("first", "UserPromptSubmit", `"prompt_id":"1","prompt":"Fix the rounding of the totals in cart.go"`)
		event("first", "PostToolUse", `"tool_use_id":"1","tool_name":"Edit","tool_input":{"file_path":"cart.go"}`)
		event("first", "PostToolUseFailure", `"tool_use_id":"2","tool_name":"Bash",`+
			`"tool_input":{"command":"go test ./..."},`+
			`"error":"Exit code 1\n--- FAIL: TestTotal (0.00s)\n    cart_test.go:7: got 3, want 4\nFAIL\n"`)
		event("first", "Stop", `"prompt_id":"1","last_assistant_message":"The test still fails."`)
		event("first", "SessionEnd", `"reason":"other"`)

		told := starts("next", "startup")
		assert.Contains(t, told, "<session_handover>\nAn earlier session (claude-code) ended at ")
		assert.Contains(t, told, "- Asked last, answered: Fix the rounding of the totals in cart.go\n"+
			"- Fails: 1 of the open errors below.\n- Edited: cart.go\n</session_handover>")
		assert.Equal(t, 1, strings.Count(told, "TestTotal: got 3, want 4"), "nothing is told twice")
		event("next", "UserPromptSubmit", `"prompt_id":"1","prompt":"What is this project about?"`)
		assert.NotContains(t, starts("next", "compact"), "session_handover")
		assert.NotContains(t, starts("other", "startup"), "session_handover")
	})
}

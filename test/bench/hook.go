package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/test/peer"
)

// hooks measures the events of an agent: a process for each, from its start to its end. The
// reference is the start and end of the echo server.
func (s *subject) hooks() error {
	n := 0
	for _, event := range []struct {
		what    string
		members func() peer.Object
	}{
		{"`wm-lsp hook`, a prompt", func() peer.Object {
			return peer.Object{"hook_event_name": "UserPromptSubmit", "prompt": fmt.Sprintf("go on with part %d", n)}
		}},
		{"`wm-lsp hook`, a command that fails", func() peer.Object {
			return peer.Object{
				"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": fmt.Sprint(n),
				"tool_input": peer.Object{"command": "go test ./..."},
				"error":      "Exit code 1\n--- FAIL: TestNumber1 (0.00s)\n    file1_test.go:2: wrong answer\nFAIL\n",
			}
		}},
		{"`wm-lsp hook`, the start of a session", func() peer.Object {
			return peer.Object{"hook_event_name": "SessionStart", "source": "startup", "session_id": fmt.Sprint(n)}
		}},
	} {
		ours := func() (time.Duration, error) {
			n++
			members := event.members()
			members["cwd"], members["prompt_id"] = s.folder, fmt.Sprint(n)
			if _, there := members["session_id"]; !there {
				members["session_id"] = "hook"
			}
			doc, err := json.Marshal(members)
			if err != nil {
				return 0, err
			}
			process := s.command("hook")
			process.Stdin = strings.NewReader(string(doc))
			return timed(process.Run)()
		}
		taken, err := interleave(100, ours, s.echoStart)
		if err != nil {
			return err
		}
		s.report.times(event.what, "start of echo", s.times, taken,
			goal{p50: 25 * time.Millisecond, p99: 60 * time.Millisecond})
	}
	return nil
}

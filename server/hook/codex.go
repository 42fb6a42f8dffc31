package hook

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/regular"
)

// codex reads the events of Codex. They have the fields of Claude Code, but no sign that a
// command failed: the exit code is in the file of the session.
func codex() host {
	return host{
		is: func(f fields, _ Environment) bool {
			switch {
			case f.text("hook_event_name") == "" || f.has("timestamp"):
				return false
			case f.text("prompt_id") != "": // Claude Code, whose events may have a turn, too
				return false
			case f.text("turn_id") != "":
				return true
			case f.path() != "":
				return strings.HasPrefix(path.Base(f.path()), "rollout-")
			}
			return f.has("model") && f.has("permission_mode")
		},
		read: func(f fields, e *Event, _ Environment) {
			readClaude(f, e)
			if e.Kind != Tool {
				return
			}
			var output string
			if json.Unmarshal(f["tool_response"], &output) != nil {
				return
			}
			if e.Output, e.Exit = takeExit(output, exitAtStart); e.Exit == nil {
				e.Exit = exitInRollout(f.text("transcript_path"), f.text("tool_use_id"))
			}
		},
	}
}

// rolloutTail is how many bytes at the end of a rollout file are searched for a command.
const rolloutTail = 4 << 20

// exitInRollout returns the exit code that Codex wrote of a call into the file of its session
// before it called the hook. It returns nil if there is none.
func exitInRollout(file, call string) *int {
	name := filepath.Base(file)
	if call == "" || !strings.HasPrefix(name, "rollout-") || !strings.HasSuffix(name, ".jsonl") {
		return nil
	}
	tail, err := regular.Tail(file, rolloutTail)
	if err != nil {
		return nil
	}
	lines := strings.Split(string(tail), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if !strings.Contains(lines[i], call) || !strings.Contains(lines[i], "exit_code") {
			continue
		}
		var line struct {
			Payload struct {
				CallID string `json:"call_id"` // of older versions, beside the code
				Code   *int   `json:"exit_code"`
				Item   struct {
					ID   string `json:"id"`
					Code *int   `json:"exit_code"`
				} `json:"item"`
			} `json:"payload"`
		}
		if json.Unmarshal([]byte(lines[i]), &line) != nil {
			continue
		}
		switch {
		case line.Payload.Item.ID == call && line.Payload.Item.Code != nil:
			return line.Payload.Item.Code
		case line.Payload.CallID == call && line.Payload.Code != nil:
			return line.Payload.Code
		}
	}
	return nil
}

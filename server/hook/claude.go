package hook

import (
	"cmp"
	"encoding/json"
	"strings"
)

// claudeCode reads the events of Claude Code. Others took over its names and fields.
func claudeCode() host {
	return host{
		is: func(f fields, _ Environment) bool {
			return f.text("hook_event_name") != "" && f.text("session_id") != "" && !f.has("timestamp")
		},
		read: func(f fields, e *Event, env Environment) {
			e.Project = env("CLAUDE_PROJECT_DIR")
			readClaude(f, e)
			if e.Kind != Tool {
				return
			}
			response := f.object("tool_response")
			switch {
			case e.Failed:
				e.Output, e.Exit = takeExit(f.text("error"), exitAtStart)
			case e.Input != nil && response.has("stdout"):
				e.Output = joined(response.text("stdout"), response.text("stderr"))
				if succeeded(response) {
					e.Exit = ok()
				}
			}
		},
	}
}

// succeeded reports whether a command ended with the exit code 0: it was neither interrupted nor
// left running, and its code was not another one that is not a failure.
func succeeded(response fields) bool {
	return !response.is("interrupted") && response.text("backgroundTaskId") == "" &&
		response.text("returnCodeInterpretation") == ""
}

// readClaude reads what all hosts have in common that use the names of Claude Code. For tools
// it leaves the output and the exit code to the host.
func readClaude(f fields, e *Event) {
	e.Name = f.text("hook_event_name")
	prompt := f.text("prompt_id", "turn_id")
	switch e.Name {
	case "SessionStart":
		e.Kind, e.Source = SessionStart, f.text("source")
	case "UserPromptSubmit":
		e.setPrompt(f.text("prompt"))
		e.setID(prompt, e.Text)
	case "PostToolUse", "PostToolUseFailure":
		e.setTool(f.text("tool_name"), f["tool_input"])
		e.Response, e.Subagent = f["tool_response"], f.text("agent_id") != ""
		e.setID(f.text("tool_use_id"))
		if e.Failed = e.Name == "PostToolUseFailure"; e.Failed && f.is("is_interrupt") {
			e.Failed = false // a person stopped it
		}
	case "PreCompact":
		e.Kind = Compacting
	case "PostCompact":
		e.Kind, e.Text = Compacted, f.text("compact_summary")
		e.setID(e.Text)
	case "SubagentStop":
		if f.text("agent_type") != "" || !f.has("agent_type") {
			return
		}
		// It is the one that summarised the conversation. PostCompact brings the same string later.
		e.Kind, e.Text = Compacted, f.text("last_assistant_message")
		e.setID(e.Text)
	case "Stop":
		e.Kind, e.Text = Stop, f.text("last_assistant_message")
		e.setID(prompt, e.Text)
	case "SessionEnd":
		e.Kind = SessionEnd
	}
}

// setPrompt sets the prompt of an event. A string that no user typed is none.
func (e *Event) setPrompt(text string) {
	if text = typed(text); text != "" {
		e.Kind, e.Text = Prompt, text
	}
}

// hostTexts are the beginnings of what a host submits in the place of the user.
var hostTexts = []string{
	"<task-notification>", "<system-reminder>", "<system_reminder>", "<local-command-stdout>", "<bash-stdout>",
}

// typed returns what a user typed of a prompt, "" if the host made it: an empty one, a notice,
// or our own context that comes back.
func typed(text string) string {
	const open, shut = "<hook_context>", "</hook_context>"
	for {
		text = strings.TrimSpace(text)
		begin := strings.Index(text, open)
		end := strings.Index(text, shut)
		if begin != 0 || end < 0 {
			break
		}
		text = text[end+len(shut):]
	}
	for _, begin := range hostTexts {
		if strings.HasPrefix(text, begin) {
			return ""
		}
	}
	if strings.HasPrefix(text, newsHead) {
		return ""
	}
	return text
}

// setID makes the ID of an event of what identifies it, unless all of that is empty.
func (e *Event) setID(parts ...string) {
	if e.Kind == Nothing || strings.Join(parts, "") == "" {
		return
	}
	doc, _ := json.Marshal(append([]string{string(e.Kind)}, parts...)) // strings can be encoded
	e.ID = digest(doc)
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return cmp.Or(a, b)
	}
	return strings.TrimSuffix(a, "\n") + "\n" + b
}

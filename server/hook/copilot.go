package hook

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// copilot reads the events of Copilot CLI. It has two forms: its own, in camel case and without
// the name of the event, and, for hooks of Claude Code's files, Claude's names with a timestamp.
// Both have the same timestamp, which identifies the event.
func copilot() host {
	return host{
		is: func(f fields, env Environment) bool {
			if f.has("sessionId") {
				return !f.has("hookEventName")
			}
			path := f.path()
			return f.has("timestamp") && (f.has("tool_result") || f.has("initial_prompt") ||
				strings.Contains(path, "/.copilot/") || path == "" && env("COPILOT_CLI") != "")
		},
		read: func(f fields, e *Event, env Environment) {
			e.Project = env("COPILOT_PROJECT_DIR")
			native := f.has("sessionId")
			if native {
				readCopilot(f, e)
			} else {
				readClaude(f, e)
				if e.Kind == Tool {
					result := f.object("tool_result")
					e.setCopilotTool(f, result.text("text_result_for_llm"), result.text("result_type"))
				}
			}
			// Nothing tells when a compaction is over, so its beginning counts as one.
			e.ID = ""
			if at := f.time("timestamp"); !at.IsZero() {
				e.setID(strconv.FormatInt(at.UnixMilli(), 10))
			}
		},
	}
}

func (e *Event) setCopilotTool(f fields, text, result string) {
	if strings.Contains(e.Tool, "-") || strings.Contains(e.Tool, "/") { // of an MCP server
		e.Kind = Nothing
		return
	}
	e.Output, e.Exit = takeExit(text, exitAtEnd)
	if result == "failure" || result == "error" || result == "denied" {
		e.Failed = true
	}
	if e.Failed {
		e.Output = cmp.Or(e.Output, f.text("error"))
	}
}

// readCopilot reads Copilot's own form. The name of the event is that of the configuration, if it
// was passed as an argument, or follows from the members.
func readCopilot(f fields, e *Event) {
	name := strings.ToLower(f.text("hookName"))
	has := f.has
	switch {
	case name == "permissionrequest" || has("permissionSuggestions") || has("transformedPrompt"):
	case name == "sessionstart" || name == "" && has("source"):
		e.Kind, e.Source, e.Name = SessionStart, f.text("source"), "sessionStart"
	case name == "userpromptsubmitted" || name == "" && has("prompt"):
		e.Name = "userPromptSubmitted"
		e.setPrompt(f.text("prompt"))
	case name == "posttooluse" || name == "posttoolusefailure" || name == "" && (has("toolResult") || has("error")):
		e.Name = "postToolUse"
		input := f["toolArgs"]
		var encoded string // of some versions
		if json.Unmarshal(input, &encoded) == nil {
			input = json.RawMessage(encoded)
		}
		e.setTool(f.text("toolName"), input)
		result := f.object("toolResult")
		e.Failed = name == "posttoolusefailure" || has("error")
		if e.Kind == Tool {
			e.setCopilotTool(f, result.text("textResultForLlm"), result.text("resultType"))
		}
	case name == "precompact" || name == "" && has("trigger"):
		e.Kind, e.Name = Compacting, "preCompact"
	case name == "agentstop" || name == "" && has("stopReason"):
		e.Kind, e.Name = Stop, "agentStop"
	case name == "sessionend" || name == "" && has("reason"):
		e.Kind, e.Name = SessionEnd, "sessionEnd"
	}
}

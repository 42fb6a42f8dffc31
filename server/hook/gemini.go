package hook

import (
	"encoding/json"
	"strings"
)

// gemini reads the events of Gemini CLI. PreCompress comes before every call of the model and
// so says nothing.
func gemini() host {
	return host{
		is: func(f fields, env Environment) bool {
			name, path := f.text("hook_event_name"), f.path()
			if name == "" || !f.has("timestamp") || strings.Contains(path, "/.qwen/") {
				return false
			}
			return strings.HasPrefix(name, "Before") || strings.HasPrefix(name, "After") || name == "PreCompress" ||
				strings.Contains(path, "/.gemini/") || path == "" && env("GEMINI_CLI") != ""
		},
		read: func(f fields, e *Event, env Environment) {
			e.Project = env("GEMINI_PROJECT_DIR")
			e.Name = f.text("hook_event_name")
			at := f.text("timestamp")
			switch e.Name {
			case "SessionStart":
				e.Kind, e.Source = SessionStart, f.text("source")
			case "BeforeAgent":
				e.setPrompt(f.text("prompt"))
			case "AfterTool":
				e.setTool(f.text("tool_name"), f["tool_input"])
				if e.Kind == Tool {
					e.setGeminiOutput(f.object("tool_response"))
				}
			case "AfterAgent":
				e.Kind, e.Text = Stop, f.text("prompt_response")
			case "SessionEnd":
				e.Kind = SessionEnd
			}
			e.setID(at, e.Name)
		},
	}
}

// setGeminiOutput reads the result of a tool of Gemini CLI and Qwen Code.
func (e *Event) setGeminiOutput(response fields) {
	e.Output = response.text("llmContent")
	if response.has("error") && string(response["error"]) != "null" {
		e.Failed = true
	}
	e.takeReport(e.Output)
}

// takeReport reads the report of a command: lines with the command, its output and its exit code.
func (e *Event) takeReport(report string) {
	text, code := takeExit(report, exitOnLine)
	e.Output, e.Exit = text, code
	if _, output, found := strings.Cut(text, "\nOutput: "); found && code != nil {
		output, _, _ = strings.Cut(output, "\nError: (none)")
		e.Output = output
	}
}

// qwen reads the events of Qwen Code: Claude's names, with the results of Gemini CLI. It reports
// an empty prompt with every turn of its tools.
func qwen() host {
	return host{
		is: func(f fields, _ Environment) bool {
			return f.text("hook_event_name") != "" && f.has("timestamp") &&
				(strings.Contains(f.path(), "/.qwen/") || f.has("permission_mode"))
		},
		read: func(f fields, e *Event, env Environment) {
			e.Project = env("QWEN_PROJECT_DIR")
			readClaude(f, e)
			if e.ID == "" {
				e.setID(f.text("timestamp"), e.Name)
			}
			if e.Kind != Tool {
				return
			}
			var text string
			if e.Failed {
				text = f.text("error")
			} else if json.Unmarshal(f["tool_response"], &text) != nil {
				e.setGeminiOutput(f.object("tool_response"))
				return
			}
			e.takeReport(text)
		},
	}
}

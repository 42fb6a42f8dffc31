package hook

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
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
				if e.Kind != Nothing {
					e.setGeminiOutput(f.object("tool_response"))
				}
			case "AfterAgent":
				e.Kind, e.Text = Stop, f.text("prompt_response")
			case "SessionEnd":
				e.Kind = SessionEnd
			}
			e.setID(at, e.Name, e.Tool, string(e.Input)) // tools may end in the same millisecond
		},
	}
}

// setGeminiOutput reads the result of a tool of Gemini CLI and Qwen Code.
func (e *Event) setGeminiOutput(response fields) {
	if response.has("error") && string(response["error"]) != "null" {
		e.Failed = true
	}
	e.takeReport(response.text("llmContent"))
}

// reportBegin finds what stands before the output in the report of a command.
var reportBegin = once.Compile(`\A(?:Command: (?s:.*?)\n)?(?:Directory: .*\n)?Output: `)

// reportLines begin the lines after the output, lastReportLine the last of them.
var reportLines = []string{"Error", "Exit Code", "Signal", "Background PIDs", "Process Group PGID"}

const lastReportLine = "\nProcess Group PGID: "

// takeReport reads the report of a command: lines with the command, its output and how it
// ended. Gemini CLI names the exit code only if it is not 0, Qwen Code always.
func (e *Event) takeReport(report string) {
	const open, shut = "<untrusted_context>\n", "\n</untrusted_context>"
	if inner, wrapped := strings.CutPrefix(report, open); wrapped {
		report = strings.TrimSuffix(inner, shut)
	}
	e.Output = report
	begin := reportBegin.FindString(report)
	if begin == "" {
		return
	}
	output, ended := report[len(begin):], map[string]string{}
	if last := strings.LastIndex(output, lastReportLine); last >= 0 { // hints for the model may follow
		line, _, _ := strings.Cut(output[last+1:], "\n")
		output = output[:last+1] + line
	}
	for {
		at := strings.LastIndexByte(output, '\n')
		label, value, _ := strings.Cut(output[at+1:], ": ")
		if _, again := ended[label]; at < 0 || again || !slices.Contains(reportLines, label) { // of the output
			break
		}
		ended[label], output = value, output[:at]
	}
	if output == "(empty)" {
		output = ""
	}
	e.Output = output
	code, named := ended["Exit Code"]
	if number, err := strconv.Atoi(code); err == nil {
		e.Exit = &number
	} else if _, whole := ended["Process Group PGID"]; whole && len(ended) == 1 && !named {
		e.Exit = ok()
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

package hook

import (
	"encoding/json"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// cline reads the events of Cline. A hook of it can give the model a context only with the result
// of a tool, so the first one of a turn brings it.
func cline() host {
	return host{
		is: func(f fields, _ Environment) bool { return f.has("taskId") && f.text("hookName") != "" },
		read: func(f fields, e *Event, _ Environment) {
			e.Name, e.Cwd = f.text("hookName"), f.object("workspaceInfo").text("rootPath")
			e.Session = f.object("sessionContext").text("rootSessionId")
			if e.Session == "" {
				e.Session = f.text("taskId")
			}
			if f.text("parent_agent_id") != "" { // of an agent that the first one has started
				return
			}
			switch e.Name {
			case "prompt_submit":
				e.setPrompt(f.object("userPromptSubmit").text("prompt"))
			case "tool_result":
				e.setClineTool(f.object("tool_result"))
				iteration := f.number("iteration")
				e.First = e.Kind == Tool && iteration != nil && *iteration == 1
			case "agent_end":
				e.Kind, e.Text = Stop, f.object("turn").text("outputText")
			case "session_shutdown":
				e.Kind = SessionEnd
			}
			e.setID(f.text("timestamp"), e.Name, f.object("tool_result").text("id"))
		},
	}
}

// stillRuns begins the output of a command that Cline does not wait for.
const stillRuns = "[Command is still running."

// setClineTool reads a call of a tool. One call may run several commands or read several files.
func (e *Event) setClineTool(result fields) {
	e.setTool(result.text("name"), result["input"])
	if e.Kind != Tool {
		return
	}
	var ends []fields
	if json.Unmarshal(result["output"], &ends) != nil {
		ends = []fields{result.object("output")}
	}
	calls := make([]Event, len(ends))
	for i, end := range ends {
		one := Event{Kind: Tool, Tool: e.Tool, Input: e.Input, Output: end.text("result")}
		query := end.text("query")
		switch {
		case e.Tool == "shell":
			one.Input, _ = json.Marshal(map[string]string{"command": query}) // a string can be encoded
			one.Output, one.Exit = takeExit(one.Output, exitOfCline)
			if one.Exit == nil && end.is("success") && !strings.HasPrefix(one.Output, stillRuns) {
				one.Exit = ok()
			}
			one.Failed = one.Exit != nil && *one.Exit != 0
		case e.Tool == string(tool.Read):
			one.Input, _ = json.Marshal(map[string]string{"path": query}) // a string can be encoded
			fallthrough
		default:
			one.Failed = end.has("success") && !end.is("success")
		}
		calls[i] = one
	}
	if len(calls) == 0 {
		e.Kind = Nothing
		return
	}
	e.Input, e.Output, e.Exit, e.Failed, e.Also = calls[0].Input, calls[0].Output, calls[0].Exit, calls[0].Failed,
		calls[1:]
}

//go:build unix

package agents

import (
	"encoding/json"

	"github.com/stretchr/testify/require"
)

// OnDemand are the agents that only `make test-agents` runs.
func OnDemand() []*Agent { return []*Agent{Gemini, Qwen, Pi, Cline} }

// shell is a call of a tool that takes a command and nothing else.
func shell(tool string) func(command string) Call {
	return func(command string) Call { return Call{Tool: tool, Args: map[string]any{"command": command}} }
}

// encoded is a value as JSON.
func (h *Home) encoded(value any) string {
	h.t.Helper()
	doc, err := json.Marshal(value)
	require.NoError(h.t, err)
	return string(doc)
}

// Gemini is Gemini CLI.
var Gemini = &Agent{
	Name: "gemini-cli", Command: "gemini", Program: "node_modules/.bin/gemini",
	Shell: shell("run_shell_command"),
	Todos: todoLists("write_todos", "todos", "description"),
	Tool:  func(name string) string { return "mcp_wm_" + name },
	Prepare: func(h *Home) {
		h.Write(".gemini/settings.json", h.encoded(object{
			"security": object{"auth": object{"selectedType": "gemini-api-key"}},
			"general":  object{"enableAutoUpdate": false}, "privacy": object{"usageStatisticsEnabled": false},
		}))
	},
	Page: "gemini",
	Environ: func(h *Home) []string {
		return []string{
			"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + h.Model.URL, "GEMINI_CLI_TRUST_WORKSPACE=true",
			"GEMINI_TELEMETRY_ENABLED=false",
		}
	},
	Arguments: func(_ *Home, prompt string, resume bool) []string {
		arguments := []string{"--approval-mode", "yolo", "--output-format", "stream-json", "-m", "gemini-2.5-flash"}
		if resume {
			arguments = append(arguments, "--resume", "latest")
		}
		return append(arguments, "-p", prompt)
	},
}

// Qwen is Qwen Code.
var Qwen = &Agent{
	Name: "qwen-code", Command: "qwen", Program: "node_modules/.bin/qwen",
	Shell: shell("run_shell_command"),
	Todos: todoLists("todo_write", "todos", "content", "id"),
	Tool:  func(name string) string { return "mcp__wm__" + name },
	Prepare: func(h *Home) {
		h.Write(".qwen/settings.json", h.encoded(object{
			"security": object{"auth": object{"selectedType": "openai"}},
			"general":  object{"enableAutoUpdate": false}, "privacy": object{"usageStatisticsEnabled": false},
			"tools": object{"todoWrite": object{"enabled": true}},
		}))
	},
	Page: "qwen",
	Environ: func(h *Home) []string {
		return []string{
			"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=" + h.Model.URL + "/v1", "OPENAI_MODEL=fake",
			"QWEN_CODE_TRUST_WORKSPACE=true",
		}
	},
	Arguments: func(_ *Home, prompt string, resume bool) []string {
		arguments := []string{"--approval-mode", "yolo", "--output-format", "stream-json", "--auth-type", "openai"}
		if resume {
			arguments = append(arguments, "--continue")
		}
		return append(arguments, "-p", prompt)
	},
}

// Pi is pi. Its tools of the memory are those of the extension.
var Pi = &Agent{
	Name: "pi", Command: "pi", Program: "node_modules/.bin/pi",
	Shell: shell("bash"),
	Tool:  func(name string) string { return name },
	Prepare: func(h *Home) {
		h.Write(".pi/agent/models.json", h.encoded(object{"providers": object{"fake": object{
			"baseUrl": h.Model.URL + "/v1", "api": "openai-completions", "apiKey": "none",
			"models": []object{{"id": "fake", "contextWindow": 32_000, "maxTokens": 2000}},
		}}}))
	},
	Page:    "pi",
	Environ: func(*Home) []string { return []string{"PI_SKIP_VERSION_CHECK=1", "PI_OFFLINE=1"} },
	Arguments: func(_ *Home, prompt string, resume bool) []string {
		arguments := []string{"--provider", "fake", "--model", "fake", "--mode", "json"}
		if resume {
			arguments = append(arguments, "--continue")
		}
		return append(arguments, "-p", prompt)
	},
}

// Cline is the command line of Cline. It reports no prompts to hooks, and cannot go on with a
// session without a terminal.
var Cline = &Agent{
	Name: "cline", Command: "cline", Program: "node_modules/.bin/cline",
	Shell: func(command string) Call {
		return Call{Tool: "run_commands", Args: map[string]any{"commands": []string{command}}}
	},
	Tool: func(name string) string { return "wm__" + name },
	Prepare: func(h *Home) {
		h.t.Cleanup(func() { h.Run("cline", "hub", "stop") }) // it leaves a process behind
		h.Run("cline", "auth", "-p", "openai-compatible", "-k", "dummy", "-m", "fake", "-b", h.Model.URL+"/v1")
	},
	Page: "cline",
	Environ: func(*Home) []string {
		return []string{"CLINE_TELEMETRY_DISABLED=1", "CLINE_NO_AUTO_UPDATE=1"}
	},
	Arguments: func(_ *Home, prompt string, _ bool) []string {
		return []string{"--json", "-P", "openai-compatible", "-m", "fake", prompt}
	},
}

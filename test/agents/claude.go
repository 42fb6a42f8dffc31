//go:build unix

package agents

// Claude is Claude Code.
var Claude = &Agent{
	Name: "claude-code", Command: "claude",
	Program: "node_modules/@anthropic-ai/claude-code-linux-*/claude",
	Shell: func(command string) Call {
		return Call{Tool: "Bash", Args: map[string]any{"command": command, "description": "run it"}}
	},
	Write: func(file, text string) Call {
		return Call{Tool: "Write", Args: map[string]any{"file_path": file, "content": text}}
	},
	Todos: []Step{ // the tools are not in the list, which has a tool to search for them
		{Calls: []Call{{Tool: "ToolSearch", Args: map[string]any{"query": "select:TaskCreate,TaskUpdate"}}}},
		{Calls: []Call{
			{Tool: "TaskCreate", Args: map[string]any{"subject": "Swap the operands", "description": "in Add"}},
			{Tool: "TaskCreate", Args: map[string]any{"subject": "Run the tests", "description": "all"}},
		}},
		{Calls: []Call{
			{Tool: "TaskUpdate", Args: map[string]any{"taskId": "1", "status": "completed"}},
			{Tool: "TaskUpdate", Args: map[string]any{"taskId": "2", "status": "in_progress"}},
		}},
	},
	// Neither are those of servers.
	Tool: func(name string) string { return "mcp__wm__" + name },
	Prepare: func(h *Home) {
		// The questions of the first start are answered.
		h.Write(".claude.json", `{"hasCompletedOnboarding": true, "autoUpdates": false}`)
	},
	Page: "claude-code",
	Plugin: func(h *Home) []string {
		h.Run("claude", "plugin", "marketplace", "add", Plugins())
		h.Run("claude", "plugin", "install", "wm@wm-lsp")
		return nil
	},
	PluginTool: func(name string) string { return "mcp__plugin_wm_wm__" + name },
	Environ: func(h *Home) []string {
		return []string{
			"ANTHROPIC_BASE_URL=" + h.Model.URL, "ANTHROPIC_API_KEY=dummy", "IS_SANDBOX=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
			"DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000",
		}
	},
	Arguments: func(_ *Home, prompt string, resume bool) []string {
		arguments := []string{
			"--allowedTools", "Bash Read Write Edit mcp__wm mcp__plugin_wm_wm",
			"--model", "claude-sonnet-4-5", "--output-format", "stream-json", "--verbose",
		}
		if resume {
			arguments = append(arguments, "--continue")
		}
		return append(arguments, "-p", prompt)
	},
}

package install

import "path/filepath"

func claudeCode() Agent {
	settings := func(p Places) string { return p.folder("CLAUDE_CONFIG_DIR", ".claude") }
	return Agent{
		Name: "claude-code", Title: "Claude Code", program: "claude",
		folder: settings,
		parts: func(p Places) []part {
			hooks := jsonFile{want: hooks(1, "Bash|Edit|MultiEdit|Write|Read|NotebookEdit",
				"TodoWrite|TaskCreate|TaskUpdate|TaskList",
				"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PreCompact", "PostCompact",
				"SubagentStop", "Stop", "SessionEnd")}
			tools := jsonFile{want: servers(member{"type", "stdio"})}
			if p.project() {
				return []part{
					{[]string{filepath.Join(p.Workspace, ".claude", "settings.json")}, hooks},
					{[]string{filepath.Join(p.Workspace, ".mcp.json")}, tools},
				}
			}
			state := filepath.Join(p.Home, ".claude.json")
			if p.Env("CLAUDE_CONFIG_DIR") != "" {
				state = filepath.Join(settings(p), ".claude.json")
			}
			return []part{{[]string{filepath.Join(settings(p), "settings.json")}, hooks}, {[]string{state}, tools}}
		},
		nextProject: "Claude Code asks at its next start in this folder whether to use the server of .mcp.json.",
		plugin:      func(p Places) bool { return enabledPlugin(filepath.Join(settings(p), "settings.json")) },
	}
}

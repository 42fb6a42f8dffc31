package install

import "path/filepath"

func copilot() Agent {
	settings := func(p Places) string { return p.folder("COPILOT_HOME", ".copilot") }
	return Agent{
		Name: "copilot", Title: "Copilot CLI", program: "copilot",
		clients: []string{"github-copilot"},
		folder:  settings,
		parts: func(p Places) []part {
			hooks := jsonFile{want: copilotHooks("sessionStart", "userPromptSubmitted", "postToolUse",
				"postToolUseFailure", "preCompact", "agentStop", "sessionEnd"), own: true}
			tools := jsonFile{want: object{{"mcpServers", object{{serverName, entry{object{
				{"type", "local"}, {"command", program}, {"args", []string{"mcp"}}, {"tools", []string{"*"}},
			}}}}}}}
			folder, file := filepath.Join(settings(p), "hooks"), filepath.Join(settings(p), "mcp-config.json")
			if p.project() {
				folder = filepath.Join(p.Workspace, ".github", "hooks")
				file = filepath.Join(p.Workspace, ".github", "mcp.json")
			}
			return []part{{[]string{filepath.Join(folder, "wm-lsp.json")}, hooks}, {[]string{file}, tools}}
		},
		nextProject: "Copilot CLI reads these files only in a folder that you trust.",
		plugin:      func(p Places) bool { return enabledPlugin(filepath.Join(settings(p), "settings.json")) },
	}
}

// copilotHooks returns hooks in the form of Copilot CLI. It does not send the names of its events.
func copilotHooks(events ...string) object {
	all := object{}
	for _, event := range events {
		seconds := hookSeconds
		if event == "sessionEnd" {
			seconds = endSeconds
		}
		all = append(all, member{event, list{{object{
			{"type", "command"}, {"bash", program + " hook --tools " + event + " 2>/dev/null || true"},
			{"timeoutSec", seconds},
		}}}})
	}
	return object{{"version", 1}, {"hooks", all}}
}

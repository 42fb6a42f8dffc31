package install

import "path/filepath"

func codex() Agent {
	settings := func(p Places) string {
		if p.project() {
			return filepath.Join(p.Workspace, ".codex")
		}
		return p.folder("CODEX_HOME", ".codex")
	}
	return Agent{
		Name: "codex", Title: "Codex", program: "codex",
		folder: settings,
		parts: func(p Places) []part {
			hooks := jsonFile{want: hooks(1, "Bash|apply_patch", "update_plan",
				"SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact", "Stop", "SessionEnd")}
			tools := tomlFile{
				table: []string{"mcp_servers", serverName},
				lines: []string{`command = "` + program + `"`, `args = ["mcp"]`},
			}
			hooksFile := filepath.Join(settings(p), "hooks.json")
			if f, err := read(hooksFile); err == nil {
				if _, gone, err := hooks.remove(f.content, nil); err == nil && gone {
					tools.hooks = hooksFile
				}
			}
			return []part{
				{[]string{hooksFile}, hooks},
				{[]string{filepath.Join(settings(p), "config.toml")}, tools},
			}
		},
		next: "Codex runs the hooks only after you have trusted them: start codex and open /hooks.",
		nextProject: "Codex reads these files only in a folder that you trust, and runs the hooks only after you " +
			"have trusted them: start codex here and open /hooks.",
		plugin: func(p Places) bool { return tablePlugin(filepath.Join(settings(p), "config.toml")) },
		trust:  askCodex,
	}
}

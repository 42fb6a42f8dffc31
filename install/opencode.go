package install

import "path/filepath"

func openCode() Agent {
	settings := func(p Places) string {
		if dir := p.Env("XDG_CONFIG_HOME"); dir != "" {
			return filepath.Join(dir, "opencode")
		}
		return filepath.Join(p.Home, ".config", "opencode")
	}
	return Agent{
		Name: "opencode", Title: "OpenCode", program: "opencode",
		folder: settings,
		parts: func(p Places) []part {
			dir := settings(p)
			if p.project() {
				dir = p.Workspace
			}
			return []part{{
				[]string{filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc")},
				jsonFile{want: object{{"mcp", object{{serverName, entry{object{
					{"type", "local"}, {"command", []string{program, "mcp"}}, {"enabled", true},
				}}}}}}},
			}}
		},
	}
}

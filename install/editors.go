package install

import (
	"path/filepath"
	"runtime"
)

func cline() Agent {
	return Agent{
		Name: "cline", Title: "Cline CLI", program: "cline", toolsOnly: true,
		clients: []string{"Cline"},
		folder:  func(p Places) string { return filepath.Join(p.Home, ".cline") },
		parts: func(p Places) []part {
			if p.project() {
				return nil
			}
			file := filepath.Join(p.Home, ".cline", "data", "settings", "cline_mcp_settings.json")
			return []part{{[]string{file}, jsonFile{want: servers()}}}
		},
	}
}

func cursor() Agent {
	return Agent{
		Name: "cursor", Title: "Cursor", program: "cursor", toolsOnly: true,
		folder: func(p Places) string { return filepath.Join(p.Home, ".cursor") },
		parts: func(p Places) []part {
			return []part{{p.either(".cursor/mcp.json", ".cursor/mcp.json"), jsonFile{want: servers()}}}
		},
	}
}

func vsCode() Agent {
	user := func(p Places) string {
		switch runtime.GOOS {
		case "darwin":
			return filepath.Join(p.Home, "Library", "Application Support", "Code", "User")
		case "windows":
			return filepath.Join(p.Env("APPDATA"), "Code", "User")
		}
		return filepath.Join(p.folder("XDG_CONFIG_HOME", ".config"), "Code", "User")
	}
	return Agent{
		Name: "vscode", Title: "VS Code", program: "code", toolsOnly: true,
		clients: []string{"Visual Studio Code"},
		folder:  user,
		parts: func(p Places) []part {
			dir := user(p)
			if p.project() {
				dir = filepath.Join(p.Workspace, ".vscode")
			}
			return []part{{[]string{filepath.Join(dir, "mcp.json")}, jsonFile{want: object{
				{"servers", object{{serverName, server(member{"type", "stdio"})}}},
			}}}}
		},
	}
}

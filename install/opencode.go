package install

import (
	_ "embed"
	"path/filepath"
	"slices"
	"strings"
)

// openCodePlugin is the plugin of editors/opencode in one file.
//
//go:embed opencode.js
var openCodePlugin []byte

func openCode() Agent {
	settings := func(p Places) string { return filepath.Join(p.folder("XDG_CONFIG_HOME", ".config"), "opencode") }
	files := func(p Places) []string {
		dir := settings(p)
		if p.project() {
			dir = p.Workspace
		}
		return []string{filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc")}
	}
	return Agent{
		Name: "opencode", Title: "OpenCode", program: "opencode",
		folder: settings,
		parts: func(p Places) []part {
			dir := settings(p)
			if p.project() {
				dir = filepath.Join(p.Workspace, ".opencode")
			}
			return []part{{[]string{filepath.Join(dir, "plugins", "wm-lsp.js")}, wholeFile{openCodePlugin}}}
		},
		former: func(p Places) []part { // the plugin adds the server to the settings itself
			return []part{{files(p), jsonFile{want: object{{"mcp", object{{serverName, entry{object{
				{"type", "local"}, {"command", []string{program, "mcp"}}, {"enabled", true},
			}}}}}}}}}
		},
		plugin: func(p Places) bool {
			return slices.ContainsFunc(files(p), func(path string) bool {
				return listedPlugin(path, "plugin", isOpenCodePlugin)
			})
		},
	}
}

// isOpenCodePlugin reports whether a name of a plugin is that of ours: of the package, or of its
// folder.
func isOpenCodePlugin(name string) bool {
	name = strings.TrimSuffix(name, "/")
	return strings.HasPrefix(name, "opencode-wm-lsp") || strings.HasSuffix(name, "/editors/opencode")
}

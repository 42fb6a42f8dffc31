package install

import (
	"path/filepath"
	"slices"
	"strings"
)

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
		Name: "opencode", Title: "OpenCode", program: "opencode", toolsOnly: true,
		folder: settings,
		parts: func(p Places) []part {
			return []part{{files(p), jsonFile{want: object{{"mcp", object{{serverName, entry{object{
				{"type", "local"}, {"command", []string{program, "mcp"}}, {"enabled", true},
			}}}}}}}}}
		},
		next:        openCodeNext,
		nextProject: openCodeNext,
		plugin: func(p Places) bool {
			return slices.ContainsFunc(files(p), func(path string) bool {
				return listedPlugin(path, "plugin", isOpenCodePlugin)
			})
		},
	}
}

// openCodeNext is what a person is told after the installation: OpenCode has no hooks.
const openCodeNext = "OpenCode has the tools. For the context, add the plugin to its settings, too: " +
	"docs/agents/opencode.md says how."

// isOpenCodePlugin reports whether a name of a plugin is that of ours: of the package, or of its
// folder.
func isOpenCodePlugin(name string) bool {
	name = strings.TrimSuffix(name, "/")
	return strings.HasPrefix(name, "opencode-wm-lsp") || strings.HasSuffix(name, "/editors/opencode")
}

package hook

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/regular"
)

// PluginVersion is the version of the plugin that this program was made with. A newer plugin may
// report events that the program does not know.
const PluginVersion = "0.1.0"

// tools returns the names of the tools by which the agent can call methods: those of the plugin,
// if it has started the program or the agent has them anyway, otherwise none.
func (o Options) tools() map[string]string {
	if !o.HasTools && o.plugin() == "" {
		return map[string]string{}
	}
	return o.Tools
}

// plugin returns the folder of the plugin that has started the program, "" if none has. Extensions
// of hosts that have no variable of their own for it set WM_PLUGIN_ROOT.
func (o Options) plugin() string { return cmp.Or(o.Env("WM_PLUGIN_ROOT"), o.Env("CLAUDE_PLUGIN_ROOT")) }

// maxManifest is how many bytes the manifest of a plugin has at most.
const maxManifest = 64 << 10

// manifests are the paths of the manifests of plugins for different hosts, in their folders.
var manifests = []string{".claude-plugin/plugin.json", "gemini-extension.json", "qwen-extension.json"}

// outdated returns a message if the program was started by a plugin that is newer, else "".
func (o Options) outdated() string {
	root := o.plugin()
	if root == "" {
		return ""
	}
	for _, path := range manifests {
		file := filepath.Join(root, filepath.FromSlash(path))
		doc, err := regular.Read(filepath.Dir(file), filepath.Base(file), maxManifest)
		var manifest struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		}
		if err != nil || json.Unmarshal(doc, &manifest) != nil || manifest.Name != "wm" ||
			!newer(manifest.Version, PluginVersion) {
			continue
		}
		return fmt.Sprintf("wm-lsp %s is older than its plugin: it knows the plugin up to %s, installed is %s. "+
			"The session goes on; install the newest wm-lsp so that nothing is missed.",
			o.Version, PluginVersion, manifest.Version)
	}
	return ""
}

// newer reports whether a version is newer than another one. What is not a number counts as 0.
func newer(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range max(len(a), len(b)) {
		if x, y := part(a, i), part(b, i); x != y {
			return x > y
		}
	}
	return false
}

func part(version []string, i int) int {
	if i >= len(version) {
		return 0
	}
	number, _ := strconv.Atoi(version[i])
	return number
}

package install

import (
	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// pluginName is the name of our plugin, with that of its marketplace.
const pluginName = "wm@wm-lsp"

// A plugin says where an agent keeps which plugins are installed.
type plugin struct {
	path func(Places) string
	// table is the table of plugins in a TOML file, "" for the member enabledPlugins of a JSON file.
	table string
}

// enabledPlugin is the member enabledPlugins of a settings file.
func enabledPlugin(path func(Places) string) *plugin { return &plugin{path: path} }

// installed reports whether the plugin is installed and enabled.
func (p plugin) installed(places Places) bool {
	f, err := read(p.path(places))
	if err != nil || !f.exists {
		return false
	}
	body, _ := withoutMark(f.content)
	if p.table != "" {
		var doc map[string]any
		if toml.Unmarshal(body, &doc) != nil {
			return false
		}
		plugins, _ := doc[p.table].(map[string]any)
		ours, _ := plugins[pluginName].(map[string]any)
		enabled, _ := ours["enabled"].(bool)
		return enabled
	}
	root, err := hujson.Parse(body)
	if err != nil {
		return false
	}
	obj, is := root.Value.(*hujson.Object)
	if !is {
		return false
	}
	for _, plugins := range named(obj, "enabledPlugins") {
		if obj, is := plugins.Value.(*hujson.Object); is {
			for _, enabled := range named(obj, pluginName) {
				if literal, is := enabled.Value.(hujson.Literal); is && literal.Bool() {
					return true
				}
			}
		}
	}
	return false
}

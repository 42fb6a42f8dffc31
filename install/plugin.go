package install

import (
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// pluginName is the name of our plugin, with that of its marketplace.
const pluginName = "wm@wm-lsp"

// pluginFolder looks for a folder below the home folder, in which an agent keeps our plugin.
func pluginFolder(path string) func(Places) bool {
	return func(p Places) bool { return exists(filepath.Join(p.Home, filepath.FromSlash(path))) }
}

// enabledPlugin looks for our plugin in the member enabledPlugins of a settings file.
func enabledPlugin(path string) bool {
	enabled := false
	eachMember(path, "enabledPlugins", func(plugins hujson.Value) {
		if obj, is := plugins.Value.(*hujson.Object); is {
			for _, value := range named(obj, pluginName) {
				literal, is := value.Value.(hujson.Literal)
				enabled = enabled || is && literal.Bool()
			}
		}
	})
	return enabled
}

// listedPlugin looks for a plugin of ours in a list, in which a plugin is a string, or a list that
// begins with one.
func listedPlugin(path, list string, isOurs func(name string) bool) bool {
	found := false
	eachMember(path, list, func(plugins hujson.Value) {
		array, is := plugins.Value.(*hujson.Array)
		if !is {
			return
		}
		for _, e := range array.Elements {
			if pair, is := e.Value.(*hujson.Array); is && n(pair) > 0 {
				e = pair.Elements[0]
			}
			literal, is := e.Value.(hujson.Literal)
			found = found || is && isOurs(literal.String())
		}
	})
	return found
}

// eachMember calls a function with the members of that name of a JSON file, if it can be read.
func eachMember(path, name string, f func(hujson.Value)) {
	file, err := read(path)
	if err != nil || !file.exists {
		return
	}
	body, _ := withoutMark(file.content)
	root, err := parse(body)
	if err != nil {
		return
	}
	if obj, is := root.Value.(*hujson.Object); is {
		for _, value := range named(obj, name) {
			f(value)
		}
	}
}

// tablePlugin looks for our plugin in the table plugins of a TOML file.
func tablePlugin(path string) bool {
	file, err := read(path)
	if err != nil || !file.exists {
		return false
	}
	body, _ := withoutMark(file.content)
	var doc struct {
		Plugins map[string]struct {
			Enabled bool `toml:"enabled"`
		} `toml:"plugins"`
	}
	return toml.Unmarshal(body, &doc) == nil && doc.Plugins[pluginName].Enabled
}

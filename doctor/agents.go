package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/install"
)

// agents looks at the agents on the machine: what is missing in their settings, whether they trust
// the hooks, and whether they were heard.
func agents(ctx context.Context, m Machine) (all []Finding) {
	list, err := install.Statuses(ctx, m.Options)
	if err != nil {
		all = append(all, note("not heard", err.Error()+".", ""))
	}
	var connected []string
	for _, s := range list {
		if !s.Found() {
			continue
		}
		all = append(all, agent(m, s)...)
		if len(s.Installed) > 0 {
			connected = append(connected, s.Title)
		}
	}
	switch {
	case len(connected) > 0:
		all = append(all, fine("connected: %s", strings.Join(connected, ", ")).with("connected", int64(len(connected))))
	case len(all) == 0:
		all = append(all, note("none", "No agent is connected.",
			"wm-lsp agents lists them; wm-lsp install AGENT connects one."))
	}
	return all
}

func agent(m Machine, s install.Status) (all []Finding) {
	for _, problem := range s.Problems {
		all = append(all, warning("settings of an agent", s.Title+": "+problem+".", "Correct the file."))
	}
	for _, place := range s.Incomplete {
		wanted := s.Completing(place)
		missing := fmt.Sprintf("Something is missing in the settings of %s (%s).", s.Title, place)
		advice := "Add it: " + wanted.String() + "."
		all = append(all, warning("incomplete", missing, advice).fixedBy(func(context.Context) error {
			o := m.Options
			o.Yes = true
			_, err := install.Install(o, wanted)
			return err
		}))
	}
	switch {
	case len(s.Installed) == 0:
		return append(all, note("not connected", s.Title+" is on this machine and does not use the memory.",
			"wm-lsp install "+s.Name+" connects it."))
	case s.TrustUnknown():
		all = append(all, note("trust not known", "Whether "+s.Title+" runs the hooks is "+s.Hooks+".",
			"Start it and look whether it trusts them."))
	case s.Hooks != "" && s.Hooks != "trusted":
		all = append(all, warning("not trusted", s.Title+" does not run the hooks: "+s.Hooks+".",
			"Trust them in the agent."))
	case s.Program == "" && s.Folder == "":
		all = append(all, note("gone", s.Title+" is connected, but it is not on this machine.",
			"wm-lsp uninstall "+s.Name+" takes the memory out of its settings."))
	case s.LastHeard.IsZero() && m.dir() != "":
		all = append(all, note("never heard", s.Title+" is connected and was never heard in this workspace.",
			"Start it here and send a prompt. If this stays, start it anew: it reads its settings at the start."))
	}
	return all
}

// editors looks at the extension of VS Code and the plugin of Neovim.
func editors(_ context.Context, m Machine) (all []Finding) {
	for _, pattern := range []string{".vscode*", ".cursor", ".windsurf"} {
		manifests, _ := filepath.Glob(filepath.Join(m.Home, pattern, "extensions", "wm-lsp.wm-lsp-*", "package.json"))
		slices.Sort(manifests)
		for _, manifest := range manifests {
			all = append(all, extension(m, manifest))
		}
	}
	data := m.Env("XDG_DATA_HOME")
	if data == "" {
		data = filepath.Join(m.Home, ".local", "share")
	}
	for _, pattern := range []string{"site/pack/*/*/*", "lazy/*", "plugged/*"} {
		plugins, _ := filepath.Glob(filepath.Join(data, "nvim", filepath.FromSlash(pattern), "lua", "wm", "init.lua"))
		for _, plugin := range plugins {
			all = append(all, fine("Neovim has the plugin in %s", filepath.Dir(filepath.Dir(filepath.Dir(plugin)))))
		}
	}
	return otherwise(all, "no extension or plugin is in the usual folders")
}

// maxManifest is how many bytes of the manifest of an extension are read.
const maxManifest = 1 << 20

// extension looks at an extension of VS Code or of an editor that is made of it.
func extension(m Machine, manifest string) Finding {
	editor := strings.TrimPrefix(filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(manifest)))), ".")
	var is struct {
		Version string `json:"version"`
	}
	file, err := os.Open(manifest)
	if err == nil {
		err = json.NewDecoder(io.LimitReader(file, maxManifest)).Decode(&is)
		_ = file.Close()
	}
	switch {
	case err != nil:
		return warning("broken extension", "The extension of "+editor+" is broken: "+err.Error()+".",
			"Install it again.")
	case is.Version != m.Version && isRelease(m.Version):
		return warning("another version", fmt.Sprintf("The extension of %s has the version %s and this program %s.",
			editor, is.Version, m.Version), "Update the older one; both use one memory.")
	}
	return fine("%s has the extension, version %s", editor, is.Version)
}

// isRelease reports whether a version is that of a release, and not of a build of a checkout.
func isRelease(version string) bool { return version != "" && version[0] >= '0' && version[0] <= '9' }

//go:build unix

package agents

import (
	"fmt"
	"path/filepath"

	"github.com/stretchr/testify/require"
)

// Copilot is the CLI of GitHub Copilot, with a provider of its own instead of a login.
var Copilot = &Agent{
	Name: "copilot-cli", Command: "copilot",
	Program: "node_modules/@github/copilot-linux-*/copilot",
	Shell: func(command string) Call {
		return Call{Tool: "bash", Args: map[string]any{"command": command, "description": "run it"}}
	},
	Write: func(file, text string) Call {
		return Call{Tool: "create", Args: map[string]any{"path": file, "file_text": text}}
	},
	Tool: func(name string) string { return "wm-" + name },
	Prepare: func(h *Home) {
		h.Write(".copilot/config.json", fmt.Sprintf(`{"trustedFolders": [%q]}`, h.Env.Root))
	},
	Page:   "copilot-cli",
	Plugin: func(*Home) []string { return []string{"--plugin-dir", filepath.Join(Plugins(), "plugin")} },
	Environ: func(h *Home) []string {
		installed, err := h.agent.Path()
		require.NoError(h.t, err)
		return []string{
			// It unpacks itself, 235 MB, where it does not find this.
			"COPILOT_PKG_CACHE_HOME=" + filepath.Join(filepath.Dir(installed), "unpacked"),
			"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + h.Model.URL + "/v1",
			"COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=dummy", "COPILOT_MODEL=fake",
			"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=100000", "COPILOT_AUTO_UPDATE=false",
		}
	},
	Arguments: func(_ *Home, prompt string, resume bool) []string {
		arguments := []string{"--allow-all-tools", "--allow-all-paths", "--no-color"}
		if resume {
			arguments = append(arguments, "--continue")
		}
		return append(arguments, "-p", prompt)
	},
}

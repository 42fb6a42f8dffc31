//go:build unix

package agents

import (
	"encoding/json"

	"github.com/stretchr/testify/require"
)

// OpenCode is the agent of that name.
var OpenCode = &Agent{
	Name: "opencode", Command: "opencode",
	Program: "node_modules/opencode-linux-*/bin/opencode",
	Shell: func(command string) Call {
		return Call{Tool: "bash", Args: map[string]any{"command": command, "description": "a command"}}
	},
	Write: func(file, text string) Call {
		return Call{Tool: "write", Args: map[string]any{"filePath": file, "content": text}}
	},
	Todos:   todoLists("todowrite", "todos", "content", "id", "priority"),
	Tool:    func(name string) string { return "wm_" + name },
	Prepare: (*Home).configureOpenCode,
	Page:    "opencode",
	Environ: func(h *Home) []string {
		return []string{
			"OPENCODE_CONFIG=" + h.Path(openCodeSettings),
			// It reads its list of the models of all providers at each start, for more than a second.
			"OPENCODE_MODELS_PATH=" + h.Path(openCodeModels),
			"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
			"OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
		}
	},
	Arguments: func(_ *Home, prompt string, resume bool) []string {
		arguments := []string{"run"}
		if resume {
			arguments = append(arguments, "--continue")
		}
		return append(arguments, prompt)
	},
}

const (
	// openCodeSettings is the file of the settings, openCodeModels that of the models it knows.
	openCodeSettings = "opencode.json"
	openCodeModels   = "models.json"
)

// openCodeTypes declares that the types of plugins are installed. Otherwise OpenCode fetches them from
// the npm registry at its first start with a plugin.
const openCodeTypes = `{"dependencies": {"@opencode-ai/plugin": "1.18.33"}}`

// configureOpenCode writes the settings. Without a context of 100,000 tokens the
// conversation would be compacted too early.
func (h *Home) configureOpenCode() {
	type object = map[string]any
	const folder = ".config/opencode/"
	h.Write(folder+"node_modules/.keep", "")
	h.Write(folder+"package.json", openCodeTypes)
	h.Write(folder+"package-lock.json", `{"lockfileVersion": 3, "packages": {"": `+openCodeTypes+`}}`)
	settings, err := json.MarshalIndent(object{
		"$schema": "https://opencode.ai/config.json",
		"model":   "fake/fake", "small_model": "fake/fake", "autoupdate": false, "share": "disabled", "snapshot": false,
		"permission": object{"bash": "allow", "edit": "allow"},
		"provider": object{"fake": object{
			"npm": "@ai-sdk/openai-compatible", "name": "Fake",
			"options": object{"baseURL": h.Model.URL + "/v1", "apiKey": "none"},
			"models": object{"fake": object{
				"name": "Fake", "tool_call": true, "limit": object{"context": 100_000, "output": 2000},
			}},
		}},
	}, "", "  ")
	require.NoError(h.t, err)
	h.Write(openCodeSettings, string(settings))
	h.Write(openCodeModels, "{}")
}

package test_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/hook"
	"github.com/wm-lsp/wm-lsp/test"
)

// An extension is a folder that Gemini CLI, or an agent made from it, installs.
type extension struct {
	folder, manifest string
	// hooked is the file with the hooks, second how many of its units of time are a second.
	hooked string
	second int
	events []string
	// starts and prompts are the events of a session that starts and of a prompt, in a folder.
	starts, prompts func(folder, prompt string) string
	// tools are the names of the agent's tools that are read.
	tools []string
}

func extensions() map[string]extension {
	event := func(host, name string) func(folder, prompt string) string {
		return func(folder, prompt string) string {
			doc, _ := json.Marshal(map[string]string{ // strings can be encoded
				"hook_event_name": name, "session_id": "s", "timestamp": "2026-11-22T02:27:59.576Z", "cwd": folder,
				"transcript_path": "/home/." + host + "/s.jsonl", "source": "startup", "prompt": prompt,
			})
			return string(doc)
		}
	}
	return map[string]extension{
		"gemini": {
			folder: "../editors/agents/gemini", manifest: "gemini-extension.json",
			hooked: "hooks/hooks.json", second: 1000,
			events: []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
			starts: event("gemini", "SessionStart"), prompts: event("gemini", "BeforeAgent"),
			tools: []string{"run_shell_command", "write_file", "replace", "read_file", "write_todos"},
		},
		"qwen": {
			folder: "../editors/agents/qwen", manifest: "qwen-extension.json",
			hooked: "qwen-extension.json", second: 1,
			events: []string{
				"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PreCompact", "PostCompact",
				"Stop", "SessionEnd",
			},
			starts: event("qwen", "SessionStart"), prompts: event("qwen", "UserPromptSubmit"),
			tools: []string{"run_shell_command", "write_file", "edit", "read_file", "todo_write"},
		},
	}
}

func (e extension) read(t *testing.T, name string, into any) {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join(e.folder, filepath.FromSlash(name)))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(doc, into), name)
}

func (e extension) hooks(t *testing.T) map[string][]hooked {
	t.Helper()
	var file struct{ Hooks map[string][]hooked }
	e.read(t, e.hooked, &file)
	return file.Hooks
}

func TestTheExtensionsAreThoseThatTheProgramKnows(t *testing.T) {
	for name, e := range extensions() {
		var manifest struct {
			Name, Version string
			MCPServers    map[string]struct {
				Command string
				Args    []string
			} `json:"mcpServers"`
		}
		e.read(t, e.manifest, &manifest)
		assert.Equal(t, "wm", manifest.Name, name)
		assert.Equal(t, hook.PluginVersion, manifest.Version, name)
		require.Len(t, manifest.MCPServers, 1, name)
		assert.Equal(t, "wm-lsp", manifest.MCPServers["wm"].Command, name)
		assert.Equal(t, []string{"mcp"}, manifest.MCPServers["wm"].Args, name)
	}
}

func TestTheExtensionOfPiIsTheOneThatTheProgramKnows(t *testing.T) {
	var manifest struct{ Version string }
	extension{folder: "../editors/agents/pi"}.read(t, "package.json", &manifest)
	assert.Equal(t, hook.PluginVersion, manifest.Version)
}

func TestTheExtensionsRunTheHookAtTheEventsThatAreRead(t *testing.T) {
	for name, e := range extensions() {
		events := e.hooks(t)
		assert.Len(t, events, len(e.events), name)
		for _, event := range e.events {
			require.Len(t, events[event], 1, event)
			require.Len(t, events[event][0].Hooks, 1, event)
			run := events[event][0].Hooks[0]
			assert.Equal(t, "command", run.Type, event)
			assert.Regexp(t, `^wm-lsp hook 2>/dev/null \|\| (?:true|echo '\{.*\}')$`, run.Command, event)
			assert.Equal(t, map[string]string{"WM_PLUGIN_ROOT": "${extensionPath}"}, run.Env, event)
			assert.GreaterOrEqual(t, run.Timeout, 3*e.second, event)
			assert.LessOrEqual(t, run.Timeout, 10*e.second, event)
			if matcher := events[event][0].Matcher; matcher != "" {
				of := regexp.MustCompile(matcher)
				for _, tool := range e.tools {
					assert.True(t, of.MatchString(tool), tool)
				}
				assert.False(t, of.MatchString("mcp_wm_memory_read_file"))
				assert.False(t, of.MatchString("glob"))
			}
		}
	}
}

func TestTheExtensionsWorkWithoutOrWithAnOldProgram(t *testing.T) {
	for name, e := range extensions() {
		test.Run(t, "", func(t *testing.T, env *test.Env) {
			current := filepath.Dir(test.Binary(t, test.Server))
			none, old := t.TempDir(), t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(old, "wm-lsp"), []byte("#!/bin/sh\nexit 2\n"), 0o755))
			prompt := e.hooks(t)[e.events[1]][0].Hooks[0].Command
			start := e.hooks(t)[e.events[0]][0].Hooks[0].Command
			for path, says := range map[string]string{current: "<guide>", none: "was not found", old: "was not found"} {
				var decoded struct {
					SystemMessage      string
					HookSpecificOutput struct{ AdditionalContext string }
				}
				answer := runCommand(t, env, path, start, e.starts(env.Path("."), ""))
				require.NoError(t, json.Unmarshal([]byte(answer), &decoded), answer)
				assert.Contains(t, decoded.SystemMessage+decoded.HookSpecificOutput.AdditionalContext, says, name)
				answer = runCommand(t, env, path, prompt, e.prompts(env.Path("."), "Remember: run make check first"))
				assert.Equal(t, path == current, strings.Contains(answer, "run make check first"), name)
			}
		})
	}
}

func TestTheCommandsOfTheExtensionsNameToolsThatExist(t *testing.T) {
	docs, err := os.ReadFile("../docs/mcp.md")
	require.NoError(t, err)
	tools := regexp.MustCompile(`\b(?:memory|notes|core_memory|open)_[a-z]+\b`)
	for name, e := range extensions() {
		for _, command := range []string{"wm", "remember"} {
			files, err := filepath.Glob(filepath.Join(e.folder, "commands", command+".*"))
			require.NoError(t, err)
			require.Len(t, files, 1, name)
			text, err := os.ReadFile(files[0])
			require.NoError(t, err)
			assert.Contains(t, string(text), "{{args}}", name)
			named := tools.FindAllString(string(text), -1)
			assert.NotEmpty(t, named, name)
			for _, tool := range named {
				assert.Contains(t, string(docs), fmt.Sprintf("`%s`", tool), name)
			}
		}
	}
}

func TestTheHooksOfClineWorkWithoutAndWithTheProgram(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		hooks, err := filepath.Glob("../editors/agents/cline/hooks/*")
		require.NoError(t, err)
		require.Len(t, hooks, 4)
		folder, err := json.Marshal(env.Path("."))
		require.NoError(t, err)
		event := fmt.Sprintf(`{"taskId":"t","hookName":"tool_result","timestamp":"2026-11-22T02:50:47.459Z",`+
			`"workspaceInfo":{"rootPath":%s},"iteration":1,"tool_result":{"id":"1","name":"run_commands",`+
			`"output":[{"query":"true","result":"","success":true}]}}`, folder)
		none, current := t.TempDir(), filepath.Dir(test.Binary(t, test.Server))
		for _, file := range hooks {
			file, err := filepath.Abs(file)
			require.NoError(t, err)
			assert.Empty(t, runCommand(t, env, none, file, event), "the event %s", filepath.Base(file))
		}
		file, err := filepath.Abs(hooks[0])
		require.NoError(t, err)
		assert.Contains(t, runCommand(t, env, current, file, event), `{"contextModification":"<guide>`)
	})
}

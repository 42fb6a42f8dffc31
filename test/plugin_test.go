package test_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/hook"
	"github.com/wm-lsp/wm-lsp/test"
)

const plugin = "../editors/agents/plugin"

// pluginFile decodes a file of the plugin.
func pluginFile(t *testing.T, name string, into any) {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join(plugin, filepath.FromSlash(name)))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(doc, into), name)
}

// A hooked event is what the plugin runs at an event.
type hooked struct {
	Matcher string
	Hooks   []struct {
		Type, Command string
		Args          []string
		Timeout       int
		Env           map[string]string
	}
}

func hooksOfThePlugin(t *testing.T) map[string][]hooked {
	t.Helper()
	var file struct{ Hooks map[string][]hooked }
	pluginFile(t, "hooks/hooks.json", &file)
	return file.Hooks
}

func TestThePluginIsTheOneThatTheProgramKnows(t *testing.T) {
	var manifest struct{ Name, Version string }
	pluginFile(t, ".claude-plugin/plugin.json", &manifest)
	assert.Equal(t, "wm", manifest.Name)
	assert.Equal(t, hook.PluginVersion, manifest.Version)
}

// Codex trusts the hash of a command, so a command must not change with an update, and the three
// agents have in common only commands of a shell.
func TestThePluginRunsOneCommandAtAllEvents(t *testing.T) {
	events := hooksOfThePlugin(t)
	for _, name := range []string{
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PreCompact", "PostCompact",
		"SubagentStop", "Stop", "SessionEnd",
	} {
		groups := 1
		if name == "PostToolUse" { // that of todo lists is newer: Codex trusts each group by its hash
			groups = 2
		}
		require.Len(t, events[name], groups, name)
		for _, group := range events[name] {
			require.Len(t, group.Hooks, 1, name)
			run := group.Hooks[0]
			assert.Equal(t, "command", run.Type, name)
			assert.Empty(t, run.Args, name)
			assert.LessOrEqual(t, run.Timeout, 10, name)
			assert.Regexp(t, `^wm-lsp hook 2>/dev/null \|\| (?:true|echo '\{.*\}')$`, run.Command, name)
		}
	}
	assert.Len(t, events, 9)
}

func TestThePluginAsksForTheToolsThatAreRead(t *testing.T) {
	asks := func(group hooked, tool string) bool {
		return regexp.MustCompile("^(?:" + group.Matcher + ")$").MatchString(tool)
	}
	events := hooksOfThePlugin(t)
	ran, todos, failed := events["PostToolUse"][0], events["PostToolUse"][1], events["PostToolUseFailure"][0]
	for _, tool := range []string{"Bash", "Edit", "MultiEdit", "Write", "Read", "NotebookEdit", "apply_patch"} {
		assert.True(t, asks(ran, tool) && asks(failed, tool) && !asks(todos, tool), tool)
	}
	for _, tool := range []string{"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "update_plan"} {
		assert.True(t, asks(todos, tool) && !asks(ran, tool) && !asks(failed, tool), tool)
	}
	for _, tool := range []string{"Grep", "Task", "TaskGet", "mcp__plugin_wm_wm__memory_list", "WebFetch"} {
		assert.False(t, asks(ran, tool) || asks(todos, tool) || asks(failed, tool), tool)
	}
}

// runCommand runs a command of the plugin as an agent does.
func runCommand(t *testing.T, env *test.Env, path, command, event string) string {
	t.Helper()
	process := exec.Command("/bin/sh", "-c", command)
	process.Env, process.Dir = append(env.Environ(), "PATH="+path), env.Path(".")
	process.Stdin = strings.NewReader(event)
	out, err := process.Output()
	require.NoError(t, err, "an agent takes another exit code for an objection")
	return string(out)
}

func TestThePluginWorksWithoutOrWithAnOldProgram(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		events := hooksOfThePlugin(t)
		current := filepath.Dir(test.Binary(t, test.Server))
		none, old := t.TempDir(), t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(old, "wm-lsp"),
			[]byte("#!/bin/sh\necho \"wm-lsp: unknown argument \\\"$1\\\"\" >&2\nexit 2\n"), 0o755))
		for path, starts := range map[string]string{current: "<guide>", none: "was not found", old: "was not found"} {
			for name, event := range events {
				answer := runCommand(t, env, path, event[0].Hooks[0].Command,
					claude(env, "s"+filepath.Base(path), name, `"source":"startup","prompt":"go on"`))
				if name != "SessionStart" {
					continue
				}
				var decoded struct {
					SystemMessage      string
					HookSpecificOutput struct{ AdditionalContext string }
				}
				require.NoError(t, json.Unmarshal([]byte(answer), &decoded), answer)
				assert.Contains(t, decoded.SystemMessage+decoded.HookSpecificOutput.AdditionalContext, starts)
			}
		}
	})
}

func TestTheServersOfThePluginAreCommandsOfTheProgram(t *testing.T) {
	var servers struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	pluginFile(t, ".mcp.json", &servers)
	assert.Equal(t, "wm-lsp", servers.MCPServers["wm"].Command)
	assert.Equal(t, []string{"mcp"}, servers.MCPServers["wm"].Args)
	_, err := os.Stat(filepath.Join(plugin, ".lsp.json"))
	assert.ErrorIs(t, err, os.ErrNotExist, "it would take the place of the language server of its files")
}

// Tools that a command or the skill names must exist.
func TestThePluginNamesToolsThatExist(t *testing.T) {
	docs, err := os.ReadFile("../docs/mcp.md")
	require.NoError(t, err)
	tools := regexp.MustCompile(`\b(?:memory|notes|core_memory|open)_[a-z]+\b`)
	for _, name := range []string{"commands/wm.md", "commands/remember.md", "skills/working-memory/SKILL.md"} {
		text, err := os.ReadFile(filepath.Join(plugin, filepath.FromSlash(name)))
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(text), "---\n"), name)
		named := tools.FindAllString(string(text), -1)
		assert.NotEmpty(t, named, name)
		for _, tool := range named {
			assert.Contains(t, string(docs), "`"+tool+"`", name)
		}
	}
}

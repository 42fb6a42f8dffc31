package mcp

//lint:file-ignore SA1019 see workspace.go

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// holds reports whether the memory of a folder has an entry.
func holds(t *testing.T, data, dir, text string) bool {
	t.Helper()
	list := beside(t, data, dir).call("wm/memory/list", &wire.MemoryListParams{}).(wire.MemoryListResult)
	for _, entry := range list.Entries {
		if entry.Text == text {
			return true
		}
	}
	return false
}

func addRoots(client *sdk.Client, folders ...string) {
	for _, folder := range folders {
		client.AddRoots(&sdk.Root{URI: string(uri.File(folder))})
	}
}

// copilot sets what Copilot CLI tells the server of a plugin, in a home folder with the file of its session.
func copilot(with *setting, home, session, file string) {
	with.home = home
	with.environ = []string{"COPILOT_PLUGIN_ROOT=" + with.dir, "COPILOT_AGENT_SESSION_ID=" + session}
	dir := filepath.Join(home, ".copilot", "session-state", "s1")
	_ = os.MkdirAll(dir, 0o755) // the test misses the file then
	_ = os.WriteFile(filepath.Join(dir, "workspace.yaml"), []byte(file+"\n"), 0o600)
}

const rule = "We pin every dependency"

func TestTheWorkspaceIsTheFolderOfTheHost(t *testing.T) {
	slow.Test(t)
	for name, c := range map[string]struct {
		set  func(with *setting, folder string)
		want string // of root, project, working and none
	}{
		"a root": {
			func(with *setting, folder string) { with.roots = []string{filepath.Join(folder, "root")} }, "root"},
		"a host with roots that has none now": {
			func(with *setting, folder string) {
				with.hasRoots = true
				with.environ = []string{"CLAUDE_PROJECT_DIR=" + filepath.Join(folder, "project")}
			}, "project"},
		"the first of two roots": {
			func(with *setting, folder string) {
				with.roots = []string{filepath.Join(folder, "project"), filepath.Join(folder, "root")}
			}, "project"},
		"a variable": {
			func(with *setting, folder string) {
				with.environ = []string{"CLAUDE_PROJECT_DIR=" + filepath.Join(folder, "project")}
			}, "project"},
		"a variable that is not absolute": {
			func(with *setting, _ string) { with.environ = []string{"CLAUDE_PROJECT_DIR=project"} }, "working"},
		"the working directory": {func(*setting, string) {}, "working"},
		"a plugin that the host names": {
			func(with *setting, folder string) {
				with.environ = []string{"CLAUDE_PLUGIN_ROOT=" + filepath.Join(folder, "working")}
			}, ""},
		"a variable, in a plugin": {
			func(with *setting, folder string) {
				with.environ = []string{
					"PLUGIN_ROOT=" + filepath.Join(folder, "working"),
					"CLAUDE_PROJECT_DIR=" + filepath.Join(folder, "project"),
				}
			}, "project"},
		"a root that is a plugin": {
			func(with *setting, folder string) {
				with.environ = []string{"CODEX_PLUGIN_ROOT=" + filepath.Join(folder, "root")}
				with.roots = []string{filepath.Join(folder, "root")}
			}, "working"},
		"a plugin below the home folder": {
			func(with *setting, folder string) {
				with.home, with.dir = folder, filepath.Join(folder, ".codex", "plugins", "cache", "wm")
			}, ""},
		"an extension below the home folder": {
			func(with *setting, folder string) {
				with.home, with.dir = folder, filepath.Join(folder, ".gemini", "extensions", "wm")
			}, ""},
		"a plugin of Copilot CLI, which says where its session works": {
			func(with *setting, folder string) {
				copilot(with, folder, "s1", "cwd: "+filepath.Join(folder, "project"))
			},
			"project"},
		"a plugin of Copilot CLI, with a home of its own": {
			func(with *setting, folder string) {
				copilot(with, folder, "s1", "cwd: "+filepath.Join(folder, "project"))
				with.environ, with.home = append(with.environ, "COPILOT_HOME="+filepath.Join(folder, ".copilot")), ""
			}, "project"},
		"a plugin of Copilot CLI, which does not say where its session works": {
			func(with *setting, folder string) { copilot(with, folder, "s1", "id: s1") }, ""},
		"a plugin of Copilot CLI, whose file is none of ours to read": {
			func(with *setting, folder string) { copilot(with, folder, "s1", "cwd: [") }, ""},
		"a plugin of Copilot CLI, with a session that is a path": {
			func(with *setting, folder string) {
				copilot(with, folder, "s1/../s1", "cwd: "+filepath.Join(folder, "project"))
			}, ""},
		"Copilot CLI in which another agent runs": {
			func(with *setting, folder string) {
				copilot(with, folder, "s1", "cwd: "+filepath.Join(folder, "project"))
				with.environ = []string{"COPILOT_AGENT_SESSION_ID=s1", "PLUGIN_ROOT=" + with.dir}
			}, ""},
		"a hidden project below the home folder": {
			func(with *setting, folder string) { with.home = folder }, "working"},
	} {
		for _, version := range []string{versions[0], versions[len(versions)-1]} {
			t.Run(name+" "+version, func(t *testing.T) {
				folder := t.TempDir()
				for _, sub := range []string{
					"root", "project", "working", ".codex/plugins/cache/wm", ".gemini/extensions/wm",
				} {
					require.NoError(t, os.MkdirAll(filepath.Join(folder, filepath.FromSlash(sub)), 0o755))
				}
				with := setting{version: version, dir: filepath.Join(folder, "working"), data: t.TempDir()}
				c.set(&with, folder)
				with.hasRoots = with.hasRoots || with.roots != nil
				h := start(t, with)
				if c.want == "" {
					assert.Contains(t, h.fail("memory_remember", object{"text": rule}), "no folder is open")
					return
				}
				h.call("memory_remember", object{"text": rule})
				for _, sub := range []string{"root", "project", "working"} {
					assert.Equal(t, sub == c.want, holds(t, with.data, filepath.Join(folder, sub), rule), sub)
				}
			})
		}
	}
}

func TestTheHomeFolderIsNoWorkspace(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	h := start(t, setting{dir: home, home: home})
	for _, tool := range []string{"memory_context", "memory_list", "open_errors"} {
		said := h.fail(tool, nil)
		assert.Contains(t, said, "is your home folder or the whole disk; open the folder of a project")
		assert.Contains(t, said, "Tell the user.")
	}
	_, err := h.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: contextURI})
	assert.ErrorContains(t, err, "open the folder of a project")

	project := t.TempDir()
	h.call("memory_remember", object{"text": rule, "workspace": string(uri.File(project))})
	assert.True(t, holds(t, h.data, project, rule), "a call can name a folder")
}

func TestTheWorkspaceFollowsTheRootsOfTheHost(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	h := start(t, setting{version: "2025-06-18", roots: []string{first}, hasRoots: true})
	h.call("memory_remember", object{"text": rule})
	addRoots(h.client, second)
	h.client.RemoveRoots(string(uri.File(first)))
	assert.Eventually(t, func() bool {
		said, _ := h.call("memory_list", nil)
		return said == "The workspace memory is empty."
	}, patience, 10*time.Millisecond)
	h.call("memory_remember", object{"text": "Ship on Fridays"})
	assert.True(t, holds(t, h.data, second, "Ship on Fridays"))
	assert.False(t, holds(t, h.data, first, "Ship on Fridays"))
}

func TestAHostThatCannotListItsRootsHasTheWorkingDirectory(t *testing.T) {
	h := start(t, setting{
		version: "2025-06-18", hasRoots: true,
		setUp: func(client *sdk.Client) {
			client.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
				return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
					if method == "roots/list" {
						return nil, os.ErrInvalid
					}
					return next(ctx, method, req)
				}
			})
		},
	})
	h.call("memory_remember", object{"text": rule})
	assert.True(t, holds(t, h.data, h.dir, rule))
}

func TestAHostThatListsItsRootsLateIsFollowed(t *testing.T) {
	slow.Test(t)
	root, asked := t.TempDir(), make(chan struct{})
	h := start(t, setting{
		version: "2025-06-18", roots: []string{root}, hasRoots: true,
		setUp: func(client *sdk.Client) {
			client.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
				return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
					if method == "roots/list" {
						<-asked
					}
					return next(ctx, method, req)
				}
			})
		},
	})
	h.call("memory_remember", object{"text": rule})
	assert.True(t, holds(t, h.data, h.dir, rule), "it does not wait for ever")
	close(asked)
	assert.Eventually(t, func() bool {
		said, _ := h.call("memory_list", nil)
		return said == "The workspace memory is empty."
	}, patience, 10*time.Millisecond)
	h.call("memory_remember", object{"text": "Ship on Fridays"})
	assert.True(t, holds(t, h.data, root, "Ship on Fridays"))
}

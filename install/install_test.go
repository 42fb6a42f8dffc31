package install_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/install"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

// A desk is a home folder with a project, and what the commands wrote.
type desk struct {
	install.Options
	home, project string
	out           bytes.Buffer
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	d := &desk{home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project")}
	require.NoError(t, os.MkdirAll(filepath.Join(d.project, ".git"), 0o755))
	require.NoError(t, os.MkdirAll(d.home, 0o755))
	d.Options = install.Options{
		Home: d.home, WorkDir: d.project, StateDir: filepath.Join(dir, "state"), DataDir: filepath.Join(dir, "data"),
		Env:      func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", fs.ErrNotExist },
		Program:  "/opt/wm/wm-lsp",
		Out:      &d.out, Yes: true,
	}
	return d
}

func (d *desk) install(t *testing.T, agent string, project bool) string {
	t.Helper()
	d.out.Reset()
	_, err := install.Install(d.Options, install.Selection{Agent: agent, Project: project})
	require.NoError(t, err)
	return d.out.String()
}

func (d *desk) uninstall(t *testing.T, agent string, project bool) string {
	t.Helper()
	d.out.Reset()
	_, err := install.Uninstall(d.Options, install.Selection{Agent: agent, Project: project})
	require.NoError(t, err)
	return d.out.String()
}

// tree returns everything below a folder: the contents, modes and targets of links.
func tree(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			all[path] = info.Mode().String()
			switch {
			case info.Mode().IsRegular():
				content, err := os.ReadFile(path)
				all[path] += "\n" + string(content)
				return err
			case info.Mode()&fs.ModeSymlink != 0:
				target, err := os.Readlink(path)
				all[path] += "\n" + target
				return err
			}
			return nil
		}))
	}
	return all
}

func (d *desk) tree(t *testing.T) map[string]string {
	t.Helper()
	return tree(t, d.home, d.project, d.StateDir)
}

func (d *desk) write(t *testing.T, path, content string) string {
	t.Helper()
	path = filepath.Join(d.home, filepath.FromSlash(path))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o640))
	return path
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}

func TestEveryAgentIsInstalledOnceAndUndoneWithoutATrace(t *testing.T) {
	for _, agent := range install.Agents() {
		for _, project := range []bool{false, true} {
			name := agent.Name
			if project {
				name += " in a project"
			}
			t.Run(name, func(t *testing.T) {
				d := newDesk(t)
				require.NoError(t, os.Mkdir(d.DataDir, 0o700))
				before := d.tree(t)
				if project && agent.Name == "cline" {
					_, err := install.Install(d.Options, install.Selection{Agent: agent.Name, Project: true})
					require.ErrorContains(t, err, "has no settings of a project")
					return
				}
				said := d.install(t, agent.Name, project)
				assert.Regexp(t, `^Created \S+ \([\d,]+ lines\)\.\n`, said)
				assert.Contains(t, said, "What was inserted is recorded in "+filepath.Join(d.StateDir, "installed"))
				assert.Less(t, strings.Count(said, "\n"), 12, said)
				installed := d.tree(t)
				assert.Greater(t, len(installed), len(before))
				assert.Contains(t, d.install(t, agent.Name, project), "has it already")
				assert.Equal(t, installed, d.tree(t))
				said = d.uninstall(t, agent.Name, project)
				assert.Regexp(t, `^Deleted \S+ \([\d,]+ lines\)\.\n`, said)
				assert.Contains(t, said, "The memory itself is kept in "+d.DataDir)
				assert.Equal(t, before, d.tree(t))
				assert.Contains(t, d.uninstall(t, agent.Name, project), "Nothing is installed there")
			})
		}
	}
}

func TestAllAgentsAreUndoneAtOnceInAllProjects(t *testing.T) {
	d := newDesk(t)
	before := d.tree(t)
	for _, agent := range install.Agents() {
		d.install(t, agent.Name, false)
		if agent.Name != "cline" { // which has no settings of projects
			d.install(t, agent.Name, true)
		}
	}
	d.WorkDir = d.home
	d.uninstall(t, "", false)
	assert.Equal(t, before, d.tree(t))
}

func TestFoldersGoWithTheLastFileInAnyOrder(t *testing.T) {
	d := newDesk(t)
	before := d.tree(t)
	for _, agent := range install.Agents() {
		d.install(t, agent.Name, false)
	}
	for _, agent := range install.Agents() {
		d.uninstall(t, agent.Name, false)
	}
	assert.Equal(t, before, d.tree(t))
}

const settings = "{\n\t// mine\n\t\"model\": \"opus\", /* why */\n" +
	"\t\"hooks\": {\"Stop\": [ {\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]} ]},\n" +
	"\t\"env\": {\"A\": \"b\"},\n}"

func TestAFileOfThePersonIsByteIdenticalAfterwards(t *testing.T) {
	for name, content := range map[string]string{
		"with comments":                          settings,
		"with line breaks of Windows":            strings.ReplaceAll(settings, "\n", "\r\n") + "\r\n",
		"with a byte order mark":                 "\ufeff" + settings,
		"that is empty":                          "",
		"with an empty object and a line break":  "{}\n",
		"with spaces at the end and in one line": `{"hooks": {}, "mcpServers": {}}  `,
	} {
		t.Run("a file "+name, func(t *testing.T) {
			d := newDesk(t)
			path := d.write(t, ".claude/settings.json", content)
			before := d.tree(t)
			d.install(t, "claude-code", false)
			if content == settings {
				assert.Contains(t, contentOf(t, path), "\n\t// mine\n\t\"model\": \"opus\", /* why */\n")
			}
			d.uninstall(t, "claude-code", false)
			assert.Equal(t, before, d.tree(t))
		})
	}
}

func TestWhatThePersonChangesInBetweenStays(t *testing.T) {
	d := newDesk(t)
	path := d.write(t, ".claude/settings.json", settings)
	d.install(t, "claude-code", false)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(contentOf(t, path), `"opus"`, `"haiku"`, 1)), 0o640))
	assert.Contains(t, d.install(t, "claude-code", false), "has it already")
	d.uninstall(t, "claude-code", false)
	assert.Equal(t, strings.Replace(settings, `"opus"`, `"haiku"`, 1), contentOf(t, path))
	assert.Empty(t, tree(t, d.StateDir))
}

func TestAFileThatWeCreatedStaysWhenThePersonHasAddedToIt(t *testing.T) {
	d := newDesk(t)
	d.install(t, "gemini", false)
	path := filepath.Join(d.home, ".gemini", "settings.json")
	edited := strings.Replace(contentOf(t, path), "{", "{\n  \"theme\": \"x\",", 1)
	require.NoError(t, os.WriteFile(path, []byte(edited), 0o600))
	d.uninstall(t, "gemini", false)
	assert.JSONEq(t, `{"theme": "x"}`, contentOf(t, path))
}

func TestTheTrustOfCodexGoesWithTheHooks(t *testing.T) {
	for name, others := range map[string]bool{"alone": false, "beside hooks of somebody else": true} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			if others {
				d.write(t, ".codex/hooks.json", `{"hooks": {"Stop": [{"hooks": [{"command": "beep"}]}]}}`)
			}
			before := d.tree(t)
			d.install(t, "codex", false)
			folder := filepath.Join(d.home, ".codex")
			hooks, config := filepath.Join(folder, "hooks.json"), filepath.Join(folder, "config.toml")
			trust := "\n[hooks.state]\n\n[hooks.state.\"" + hooks + ":session_start:0:0\"]\ntrusted_hash = \"x\"\n"
			require.NoError(t, os.WriteFile(config, []byte(contentOf(t, config)+trust), 0o600))
			d.uninstall(t, "codex", false)
			if others {
				assert.Equal(t, trust, contentOf(t, config))
				return
			}
			assert.Equal(t, before, d.tree(t))
		})
	}
}

func TestACopyOfAProjectIsUndoneWithoutARecord(t *testing.T) {
	d := newDesk(t)
	d.install(t, "copilot", true)
	d.install(t, "codex", true)
	require.NoError(t, os.RemoveAll(d.StateDir))
	d.uninstall(t, "copilot", true)
	_, err := os.Stat(filepath.Join(d.project, ".github", "hooks", "wm-lsp.json"))
	require.ErrorIs(t, err, fs.ErrNotExist, "a file that is only ours is deleted")
	d.uninstall(t, "codex", true)
	assert.JSONEq(t, "{}", contentOf(t, filepath.Join(d.project, ".codex", "hooks.json")))
	assert.Empty(t, contentOf(t, filepath.Join(d.project, ".codex", "config.toml")))
}

func TestWhatSomebodyWroteBeforeIsLeftAndSaid(t *testing.T) {
	d := newDesk(t)
	state := d.write(t, ".claude.json", `{"mcpServers": {"memory": {"command": "wm-lsp", "args": ["mcp"]}}}`)
	before := d.tree(t)
	d.install(t, "claude-code", false)
	assert.Equal(t, before[state], d.tree(t)[state], "a server of ours under another name is enough")
	assert.Contains(t, d.uninstall(t, "claude-code", false), ".claude.json is as it was before")
	assert.Equal(t, before, d.tree(t))
	d.uninstall(t, "claude-code", false)
	assert.JSONEq(t, `{}`, contentOf(t, state))
}

func TestASettingsFileThatCannotBeReadIsNotTouched(t *testing.T) {
	big := `{"a": "` + strings.Repeat("x", 17<<20) + `"}`
	for name, test := range map[string]struct{ content, message string }{
		"is broken":                     {"{\n  \"hooks\": {\n", "line 3"},
		"is not UTF-8":                  {"\xff\xfe{\x00}\x00", "is not UTF-8"},
		"is too large":                  {big, "must have at most"},
		"has something else in a place": {`{"hooks": "off"}`, `"hooks" must be an object`},
	} {
		t.Run("one that "+name, func(t *testing.T) {
			d := newDesk(t)
			path := d.write(t, ".gemini/settings.json", test.content)
			before := d.tree(t)
			_, err := install.Install(d.Options, install.Selection{Agent: "gemini"})
			require.ErrorContains(t, err, test.message)
			assert.ErrorContains(t, err, path)
			assert.Equal(t, before, d.tree(t))
		})
	}
}

func TestTheOtherFilesAreUndoneWhenOneIsBroken(t *testing.T) {
	d := newDesk(t)
	d.install(t, "codex", false)
	path := d.write(t, ".codex/config.toml", "a = \n")
	_, err := install.Uninstall(d.Options, install.Selection{Agent: "codex"})
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "line 1")
	_, err = os.Stat(filepath.Join(d.home, ".codex", "hooks.json"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestALinkIsFollowedAndStays(t *testing.T) {
	d := newDesk(t)
	target := d.write(t, "dotfiles/settings.json", settings)
	require.NoError(t, os.MkdirAll(filepath.Join(d.home, ".claude"), 0o755))
	link := filepath.Join(d.home, ".claude", "settings.json")
	require.NoError(t, os.Symlink("../dotfiles/settings.json", link))
	before := d.tree(t)
	d.install(t, "claude-code", false)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&fs.ModeSymlink)
	assert.Contains(t, contentOf(t, target), "wm-lsp hook")
	d.uninstall(t, "claude-code", false)
	assert.Equal(t, before, d.tree(t))

	require.NoError(t, os.Remove(target))
	_, err = install.Install(d.Options, install.Selection{Agent: "claude-code"})
	assert.ErrorContains(t, err, "is a link to a file that does not exist")
}

func TestAFileThatMustNotBeReplacedIsNot(t *testing.T) {
	for name, test := range map[string]struct {
		spoil   func(t *testing.T, path string)
		message string
	}{
		"read-only": {
			func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o440)) },
			"is read-only; make it writable",
		},
		"hard link": {
			func(t *testing.T, path string) { require.NoError(t, os.Link(path, path+".other")) }, "is a hard link",
		},
		"folder": {
			func(t *testing.T, path string) {
				require.NoError(t, os.Remove(path))
				require.NoError(t, os.Mkdir(path, 0o755))
			}, "not a regular file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			test.spoil(t, d.write(t, ".gemini/settings.json", "{}"))
			before := d.tree(t)
			_, err := install.Install(d.Options, install.Selection{Agent: "gemini"})
			require.ErrorContains(t, err, test.message)
			assert.Equal(t, before, d.tree(t))
		})
	}
}

func TestNothingIsWrittenUnlessThePersonAgrees(t *testing.T) {
	for name, test := range map[string]struct {
		set     func(*desk)
		message string // of the error, "" for none
		written bool
	}{
		"--dry-run":                            {func(d *desk) { d.Yes, d.DryRun = false, true }, "", false},
		"no terminal":                          {func(d *desk) { d.Yes = false }, "run it again with --yes", false},
		"a terminal and no":                    {func(d *desk) { d.asked(false) }, "nothing was written", false},
		"a terminal and yes":                   {func(d *desk) { d.asked(true) }, "", true},
		"a file that is changed meanwhile":     {(*desk).changes, "was changed meanwhile", false},
		"--yes, although it is not a terminal": {func(*desk) {}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			path := d.write(t, ".gemini/settings.json", "{}\n")
			test.set(d)
			_, err := install.Install(d.Options, install.Selection{Agent: "gemini"})
			if test.message == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.message)
			}
			shows := strings.Contains(d.out.String(), "--- "+path+"\n+++ "+path+"\n@@ ")
			assert.Equal(t, !d.Yes || d.DryRun, shows, d.out.String())
			assert.Equal(t, test.written, strings.Contains(contentOf(t, path), "wm-lsp"))
		})
	}
}

// asked gives the person a terminal and an answer.
func (d *desk) asked(agrees bool) { d.Yes, d.Agree = false, func() bool { return agrees } }

// changes lets the person say yes after the file was changed.
func (d *desk) changes() {
	path := filepath.Join(d.home, ".gemini", "settings.json")
	d.Yes, d.Agree = false, func() bool { return os.WriteFile(path, []byte("{ }\n"), 0o640) == nil }
}

func TestTheDifferenceDoesNotShowSecrets(t *testing.T) {
	d := newDesk(t)
	const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"
	path := d.write(t, ".gemini/settings.json", "{\n  \"env\": {\"ANTHROPIC_API_KEY\": \""+secret+"\"}\n}\n")
	d.asked(true)
	said := d.install(t, "gemini", false)
	assert.Contains(t, said, "ANTHROPIC_API_KEY", "it stands beside what is inserted")
	assert.NotContains(t, said, secret)
	assert.Contains(t, contentOf(t, path), secret)
	assert.NotContains(t, d.uninstall(t, "gemini", false), secret)
	assert.Contains(t, contentOf(t, path), secret)
}

func TestThePluginOfOpenCodeIsAFileOfItsOwn(t *testing.T) {
	d := newDesk(t)
	settings := d.write(t, ".config/opencode/opencode.jsonc", "{ // mine\n}\n")
	before := d.tree(t)
	d.asked(true)
	said := d.install(t, "opencode", false)
	path := filepath.Join(d.home, ".config", "opencode", "plugins", "wm-lsp.js")
	assert.Contains(t, said, "+++ "+path+"\n(a program of ")
	assert.Contains(t, said, "OpenCode uses the memory from its next session on.")
	assert.Contains(t, contentOf(t, path), "experimental.chat.system.transform")
	assert.Equal(t, before[settings], d.tree(t)[settings], "the plugin adds the server itself")
	d.uninstall(t, "opencode", false)
	assert.Equal(t, before, d.tree(t))

	d.install(t, "opencode", true)
	copied := contentOf(t, filepath.Join(d.project, ".opencode", "plugins", "wm-lsp.js"))
	d.uninstall(t, "opencode", true)
	d.write(t, ".config/opencode/plugins/wm-lsp.js", "// another line\n"+copied)
	_, err := install.Install(d.Options, install.Selection{Agent: "opencode"})
	require.ErrorContains(t, err, path+": is there already and is something else")
	assert.Contains(t, d.uninstall(t, "opencode", false), "Nothing is installed there")
	d.write(t, ".config/opencode/plugins/wm-lsp.js", copied)
	assert.Contains(t, d.install(t, "opencode", false), "has it already", "a copy")
	require.NoError(t, os.RemoveAll(d.StateDir))
	d.uninstall(t, "opencode", false)
	assert.NoFileExists(t, path, "it is known by its first line")
}

func TestTheCommandIsTheSameForAllEvents(t *testing.T) {
	d := newDesk(t)
	d.install(t, "codex", false)
	var file struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(contentOf(t, filepath.Join(d.home, ".codex", "hooks.json"))), &file))
	require.Contains(t, file.Hooks, "SessionStart")
	for event, groups := range file.Hooks {
		command, _, _ := strings.Cut(groups[0].Hooks[0].Command, " ||")
		assert.Equal(t, "wm-lsp hook --tools 2>/dev/null", command, event)
	}
}

func TestAProjectIsNotTheHomeFolder(t *testing.T) {
	d := newDesk(t)
	t.Setenv("HOME", d.home)
	d.WorkDir = d.home
	_, err := install.Install(d.Options, install.Selection{Agent: "codex", Project: true})
	assert.ErrorContains(t, err, "home folder")
	_, err = install.Install(d.Options, install.Selection{Agent: "emacs"})
	assert.IsType(t, install.UsageError(""), err)
}

func TestAgentsAreListed(t *testing.T) {
	d := newDesk(t)
	d.LookPath = func(name string) (string, error) {
		if name == "gemini" {
			return "/bin/gemini", nil
		}
		return "", fs.ErrNotExist
	}
	d.install(t, "claude-code", true)
	d.write(t, ".claude/settings.json", `{"enabledPlugins": {"wm@wm-lsp": true}}`)
	d.write(t, ".codex/config.toml", "[plugins.\"wm@wm-lsp\"]\nenabled = true\n")
	d.write(t, ".qwen/settings.json", "{")
	d.write(t, ".gemini/extensions/wm/gemini-extension.json", "{}")
	d.write(t, ".config/opencode/opencode.jsonc", `{"plugin": ["x", ["file:///src/wm-lsp/editors/opencode", {}],]}`)
	d.install(t, "opencode", false)
	require.NoError(t, os.Remove(filepath.Join(d.project, ".mcp.json")))

	all, err := install.Statuses(context.Background(), d.Options)
	require.NoError(t, err)
	byName := map[string]install.Status{}
	for _, s := range all {
		byName[s.Name] = s
	}
	assert.Equal(t, []string{"project", "plugin"}, byName["claude-code"].Installed)
	assert.Equal(t, []string{"project"}, byName["claude-code"].Incomplete)
	assert.Equal(t, []string{"plugin"}, byName["codex"].Installed)
	assert.Contains(t, byName["codex"].Hooks, "not on the PATH")
	assert.Equal(t, []string{"user", "plugin"}, byName["opencode"].Installed)
	assert.Empty(t, byName["opencode"].Incomplete)
	assert.Equal(t, "/bin/gemini", byName["gemini"].Program)
	assert.Equal(t, []string{"plugin"}, byName["gemini"].Installed)
	assert.Contains(t, strings.Join(byName["qwen"].Problems, "\n"), "cannot be read as JSON (line 1")
	assert.False(t, byName["cursor"].Found())
	assert.Empty(t, tree(t, d.DataDir), "no memory is made")

	assert.Contains(t, install.Table(d.Options, all), "something is missing; run wm-lsp install claude-code --project")
}

func TestAgentsSaysWhenAnAgentWasLastHeard(t *testing.T) {
	d := newDesk(t)
	place, err := scope.Locate(d.project, "git")
	require.NoError(t, err)
	dir := store.WorkspaceDir(d.DataDir, place.Key)
	memory, err := sqlite.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, memory.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
		for key, value := range map[string]string{
			"session\x1fcodex:1": `{"id":"codex:1","agent":"codex","updatedAt":"2026-01-02T03:04:05Z"}`,
			"session\x1f2":       `{"id":"2","agent":"codex-mcp-client","updatedAt":"2026-01-02T03:04:06Z"}`,
			"session\x1f3":       `{"id":"3","agent":"nvim","updatedAt":"2026-01-02T03:04:07Z"}`,
		} {
			if err := tx.Put("sessions", change.Row{Key: key, Value: json.RawMessage(value)}); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, memory.Close())
	names := func() []string { return slices.Sorted(maps.Keys(tree(t, d.DataDir))) }
	before, database := names(), contentOf(t, filepath.Join(dir, store.DatabaseName))
	all, err := install.Statuses(t.Context(), d.Options)
	require.NoError(t, err)
	assert.Equal(t, before, names(), "no file is made")
	assert.True(t, database == contentOf(t, filepath.Join(dir, store.DatabaseName)), "nothing is written")
	for _, s := range all {
		want := time.Time{}
		if s.Name == "codex" {
			want = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
		}
		assert.Equal(t, want, s.LastHeard, s.Name)
	}
}

func TestTheFoldersOfTheRecordsGoWithTheLastOne(t *testing.T) {
	d := newDesk(t)
	d.StateDir = filepath.Join(d.home, ".local", "state", "wm-lsp")
	before := d.tree(t)
	d.install(t, "gemini", false)
	d.install(t, "qwen", false)
	d.uninstall(t, "gemini", false)
	d.uninstall(t, "qwen", false)
	assert.Equal(t, before, d.tree(t))

	require.NoError(t, os.MkdirAll(filepath.Dir(d.StateDir), 0o755))
	before = d.tree(t)
	d.install(t, "gemini", false)
	d.uninstall(t, "gemini", false)
	assert.Equal(t, before, d.tree(t), "a folder that was there stays")
}

func TestAFileInAFolderThatAVariableNamedIsUndoneWithoutIt(t *testing.T) {
	d := newDesk(t)
	before := d.tree(t)
	d.Env = func(name string) string {
		if name == "CLAUDE_CONFIG_DIR" {
			return filepath.Join(d.home, "claude")
		}
		return ""
	}
	d.install(t, "claude-code", false)
	d.Env = func(string) string { return "" }
	for _, agent := range []string{"claude-code", ""} {
		d.uninstall(t, agent, false)
		assert.Equal(t, before, d.tree(t), "uninstall %q", agent)
	}
}

func TestWhatWasRecordedOfAFileThatSomebodyDeletedGoes(t *testing.T) {
	d := newDesk(t)
	before := d.tree(t)
	d.install(t, "gemini", false)
	require.NoError(t, os.Remove(filepath.Join(d.home, ".gemini", "settings.json")))
	d.Yes = false // nothing is left to agree to
	d.uninstall(t, "gemini", false)
	assert.Equal(t, before, d.tree(t))
}

func TestNoFolderIsNamedThatDoesNotExist(t *testing.T) {
	d := newDesk(t)
	require.NoError(t, os.Mkdir(d.DataDir, 0o700))
	d.install(t, "gemini", false)
	assert.NotContains(t, d.uninstall(t, "gemini", false), "That of this workspace", "it has no memory")
	require.NoError(t, os.Remove(d.DataDir))
	d.install(t, "gemini", false)
	assert.NotContains(t, d.uninstall(t, "gemini", false), d.DataDir)
}

func TestAPersonIsToldWhatIsMissing(t *testing.T) {
	d := newDesk(t)
	said := d.install(t, "cursor", true)
	assert.Contains(t, said, "Cursor has the tools of the memory from its next session on.")
	assert.Contains(t, said, "there is no program cursor on the PATH")
	assert.Contains(t, said, "wm-lsp is not on the PATH")
	assert.Contains(t, said, "put a link to /opt/wm/wm-lsp into a folder that is.")
	assert.Contains(t, d.uninstall(t, "cursor", false), "It is in the project "+d.project+": use --project there.")
	all, err := install.Statuses(t.Context(), d.Options)
	require.NoError(t, err)
	assert.Contains(t, install.Table(d.Options, all), "wm-lsp is not on the PATH")
}

package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/install"
)

func TestAHookThatOnlyNamesTheProgramIsSomebodyElses(t *testing.T) {
	d := newDesk(t)
	const own = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "go build -o ~/bin/wm-lsp"}]}]}}`
	path := d.write(t, ".claude/settings.json", own)
	d.install(t, "claude-code", false)
	assert.Equal(t, 10, strings.Count(contentOf(t, path), "wm-lsp hook --tools"))
	d.write(t, ".claude/settings.json", contentOf(t, path)+"\n")
	d.uninstall(t, "claude-code", false)
	assert.JSONEq(t, own, contentOf(t, path))
}

func TestNothingIsWrittenThatCannotBeRemembered(t *testing.T) {
	for _, file := range []string{"state", "state/installed"} { // a file in the place of a folder
		d := newDesk(t)
		d.StateDir = filepath.Join(d.home, "state")
		d.write(t, file, "")
		before := tree(t, d.home)
		_, err := install.Install(d.Options, install.Selection{Agent: "cursor"})
		require.ErrorContains(t, err, "mcp.json is not written: what is changed cannot be remembered", file)
		assert.Equal(t, before, tree(t, d.home), file)
	}
}

func TestWhatIsRecordedGoesWhenSomebodyHasTakenOutOurs(t *testing.T) {
	d := newDesk(t)
	path := d.write(t, ".cursor/mcp.json", "{}")
	before := d.tree(t)
	d.install(t, "cursor", false)
	d.write(t, ".cursor/mcp.json", "{}")
	d.uninstall(t, "cursor", false)
	assert.Equal(t, before, d.tree(t))

	d.install(t, "cursor", false)
	d.write(t, ".cursor/mcp.json", "{ }")
	d.install(t, "cursor", false)
	d.uninstall(t, "cursor", false)
	assert.Equal(t, "{ }", contentOf(t, path), "it is undone to what was there at the last installation")
}

func TestHomeFoldersWithUnusualNames(t *testing.T) {
	for _, name := range []string{"with [brackets", "two\nlines", "a 'b' \"c\" $d", "größe-日本"} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.home = filepath.Join(d.home, name)
			require.NoError(t, os.MkdirAll(filepath.Join(d.home, "work", ".git"), 0o755))
			d.Home, d.WorkDir = d.home, filepath.Join(d.home, "work")
			d.StateDir = filepath.Join(d.home, ".local", "state", "wm-lsp")
			before := d.tree(t)
			d.install(t, "claude-code", false)
			d.install(t, "claude-code", true)
			d.WorkDir = d.project
			d.uninstall(t, "", false)
			assert.Equal(t, before, d.tree(t))
		})
	}
}

func TestAFileThatAgentsShareByALinkIsUndoneOnce(t *testing.T) {
	d := newDesk(t)
	d.write(t, ".gemini/settings.json", "{}\n")
	require.NoError(t, os.MkdirAll(filepath.Join(d.home, ".qwen"), 0o755))
	require.NoError(t, os.Symlink("../.gemini/settings.json", filepath.Join(d.home, ".qwen", "settings.json")))
	before := d.tree(t)
	d.install(t, "gemini", false)
	d.uninstall(t, "", false)
	assert.Equal(t, before, d.tree(t))
}

func TestARelativeFolderThatAVariableNamesIsOneBelowTheWorkingDirectory(t *testing.T) {
	d := newDesk(t)
	before := d.tree(t)
	d.Env = func(name string) string {
		if name == "CLAUDE_CONFIG_DIR" {
			return "claude"
		}
		return ""
	}
	t.Chdir(d.project)
	d.install(t, "claude-code", false)
	assert.FileExists(t, filepath.Join(d.project, "claude", ".claude.json"))
	t.Chdir(d.home)
	d.Env = func(string) string { return "" }
	d.uninstall(t, "claude-code", false)
	assert.Equal(t, before, d.tree(t))
}

func TestATemporaryFileOfAnInstallThatWasKilledGoes(t *testing.T) {
	d := newDesk(t)
	before := d.tree(t)
	d.install(t, "gemini", false)
	d.write(t, ".gemini/.writing-abc.tmp", "{")
	d.uninstall(t, "gemini", false)
	assert.Equal(t, before, d.tree(t))

	d.StateDir = filepath.Join(d.home, "state")
	d.write(t, "state/installed/.writing-abc.tmp", "{")
	d.uninstall(t, "gemini", false)
	assert.NoDirExists(t, d.StateDir)
}

func TestSeveralInstallsAtOnceAreOne(t *testing.T) {
	d := newDesk(t)
	d.write(t, ".claude/settings.json", "{\n  \"model\": \"x\"\n}\n")
	before := d.tree(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			one := d.Options
			one.Out = new(strings.Builder)
			_, _ = install.Install(one, install.Selection{Agent: "claude-code"}) // one that comes too late says so
		})
	}
	all.Wait()
	assert.Contains(t, d.install(t, "claude-code", false), "has it already")
	d.uninstall(t, "claude-code", false)
	assert.Equal(t, before, d.tree(t))
}

func TestAServerThatWasThereBeforeStaysWhenTheAgentWritesItsFile(t *testing.T) {
	d := newDesk(t)
	d.write(t, ".claude.json", `{"mcpServers": {"memory": {"command": "wm-lsp", "args": ["mcp"]}}}`)
	d.install(t, "claude-code", false)
	state := d.write(t, ".claude.json", `{"mcpServers": {"memory": {"command": "wm-lsp", "args": ["mcp"]}}, "n": 1}`)
	said := d.uninstall(t, "claude-code", false)
	assert.JSONEq(t, `{"mcpServers": {"memory": {"command": "wm-lsp", "args": ["mcp"]}}, "n": 1}`, contentOf(t, state))
	assert.Contains(t, said, ".claude.json is as it was before")
}

func TestOurOwnFolderGoesAlsoIfAnInstallThatWasKilledHasMadeIt(t *testing.T) {
	d := newDesk(t)
	d.StateDir = filepath.Join(d.home, "state")
	before := d.tree(t)
	require.NoError(t, os.Mkdir(d.StateDir, 0o700))
	d.install(t, "gemini", false)
	d.uninstall(t, "gemini", false)
	assert.Equal(t, before, d.tree(t))
}

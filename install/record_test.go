package install

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A shelf is a settings file of a made-up agent, with the parts of two versions of the program.
type shelf struct {
	dir, path string
	all       records
	old, new  part
}

func newShelf(t *testing.T) shelf {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	s := shelf{
		dir: dir, path: filepath.Join(dir, "agent", "settings.json"),
		all: records{filepath.Join(dir, "state", "installed")},
	}
	of := func(line string) part {
		return part{[]string{s.path}, jsonFile{want: object{
			{"hooks", object{{"Stop", list{{object{{"hooks", []any{object{{"command", line}}}}}}}}}},
			{"mcpServers", object{{"wm", entry{object{{"command", "wm-lsp"}, {"args", []string{"mcp"}}}}}}},
		}}}
	}
	s.old, s.new = of("wm-lsp hook"), of("wm-lsp hook --tools")
	return s
}

func (s shelf) write(t *testing.T, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(s.path), 0o700))
	require.NoError(t, os.WriteFile(s.path, []byte(content), 0o600))
}

func (s shelf) content(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(s.path)
	require.NoError(t, err)
	return string(content)
}

func (s shelf) install(t *testing.T, p part) *Change {
	t.Helper()
	change, err := p.install(s.all, "agent", "")
	require.NoError(t, err)
	return change
}

// undone uninstalls and returns what is left, by name.
func (s shelf) undone(t *testing.T) map[string]string {
	t.Helper()
	changes, err := s.new.uninstall(s.all)
	require.NoError(t, err)
	var folders []string
	for _, c := range changes {
		require.NoError(t, c.apply(s.all))
		folders = append(folders, c.folders()...)
	}
	require.NoError(t, s.all.clear(folders))
	left := map[string]string{}
	require.NoError(t, filepath.WalkDir(s.dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && path != s.dir {
			name, _ := filepath.Rel(s.dir, path)
			left[name] = ""
			if !entry.IsDir() {
				content, _ := os.ReadFile(path)
				left[name] = string(content)
			}
		}
		return err
	}))
	return left
}

const theirs = "{\n  // mine\n  \"model\": \"x\",\n}\n"

func TestAnInstallThatIsKilledIsUndone(t *testing.T) {
	// The record is written first, then the folders, a temporary file and the file.
	t.Run("before the file is created", func(t *testing.T) {
		s := newShelf(t)
		change := s.install(t, s.new)
		require.NoError(t, s.all.write(s.path, *change.record))
		require.NoError(t, os.MkdirAll(filepath.Dir(s.path), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(s.path), ".writing-a.tmp"), nil, 0o600))
		assert.Empty(t, s.undone(t))
	})
	t.Run("and done again", func(t *testing.T) {
		s := newShelf(t)
		change := s.install(t, s.new)
		require.NoError(t, s.all.write(s.path, *change.record))
		require.NoError(t, os.MkdirAll(filepath.Dir(s.path), 0o700))
		require.NoError(t, s.install(t, s.new).apply(s.all))
		assert.Empty(t, s.undone(t))
	})
	t.Run("before the file is replaced", func(t *testing.T) {
		s := newShelf(t)
		s.write(t, theirs)
		require.NoError(t, s.all.write(s.path, *s.install(t, s.new).record))
		assert.Equal(t, map[string]string{"agent": "", "agent/settings.json": theirs}, s.undone(t))
	})
	t.Run("in an update", func(t *testing.T) {
		s := newShelf(t)
		s.write(t, theirs)
		require.NoError(t, s.install(t, s.old).apply(s.all))
		require.NoError(t, s.all.write(s.path, *s.install(t, s.new).record))
		assert.Contains(t, s.content(t), `"wm-lsp hook"`)
		assert.Equal(t, map[string]string{"agent": "", "agent/settings.json": theirs}, s.undone(t))
	})
	t.Run("in an update, and done again", func(t *testing.T) {
		s := newShelf(t)
		s.write(t, theirs)
		require.NoError(t, s.install(t, s.old).apply(s.all))
		require.NoError(t, s.all.write(s.path, *s.install(t, s.new).record))
		require.NoError(t, s.install(t, s.new).apply(s.all))
		assert.Contains(t, s.content(t), `"wm-lsp hook --tools"`)
		assert.Equal(t, map[string]string{"agent": "", "agent/settings.json": theirs}, s.undone(t))
	})
}

func TestWhatCannotBeWrittenIsNotRecorded(t *testing.T) {
	s := newShelf(t)
	s.new.paths = []string{"/proc/wm-lsp-test/settings.json"} // no folder can be made there
	require.ErrorContains(t, s.install(t, s.new).apply(s.all), "settings.json is not written")
	assert.Empty(t, s.undone(t))
}

func TestWhatIsOutdatedIsRenewedInAFileThatSomebodyChanged(t *testing.T) {
	s := newShelf(t)
	s.write(t, theirs)
	require.NoError(t, s.install(t, s.old).apply(s.all))
	s.write(t, "// first line\n"+s.content(t))
	require.NoError(t, s.install(t, s.new).apply(s.all))
	assert.Contains(t, s.content(t), `"wm-lsp hook --tools"`)
	assert.NotContains(t, s.content(t), `"wm-lsp hook"`)
	assert.Nil(t, s.install(t, s.new))
	assert.Equal(t, map[string]string{"agent": "", "agent/settings.json": "// first line\n" + theirs}, s.undone(t))
}

// An older version did not ask for the tools of todo lists.
func TestHooksOfAnOlderVersionAreRenewedAndTheirCopiesWork(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	o := Options{
		Home: dir, WorkDir: filepath.Join(dir, "project"), StateDir: filepath.Join(dir, "state"),
		DataDir: filepath.Join(dir, "data"),
		Env:     func(string) string { return "" }, Out: io.Discard, Yes: true,
		LookPath: func(string) (string, error) { return "", fs.ErrNotExist },
	}
	require.NoError(t, os.Mkdir(o.WorkDir, 0o755))
	status := func() Status {
		all, err := Statuses(t.Context(), o)
		require.NoError(t, err)
		return all[slices.IndexFunc(all, func(s Status) bool { return s.Name == "claude-code" })]
	}
	install := func() {
		_, err := Install(o, Selection{Agent: "claude-code"})
		require.NoError(t, err)
	}
	install()
	path := filepath.Join(dir, ".claude", "settings.json")
	file := shelf{path: path, all: o.records()}
	current := file.content(t)
	const todos = "TodoWrite|TaskCreate|TaskUpdate|TaskList"
	assert.Contains(t, current, todos)
	assert.Empty(t, status().Incomplete)

	_, err = Uninstall(o, Selection{Agent: "claude-code"})
	require.NoError(t, err)
	older := claudeCode().parts(Places{Home: dir, Env: o.Env})[0]
	tools := older.form.(jsonFile).want[0].value.(object)
	at := slices.IndexFunc(tools, func(m member) bool { return m.key == "PostToolUse" })
	tools[at].value = tools[at].value.(list)[:1]
	change, err := older.install(o.records(), "claude-code", "")
	require.NoError(t, err)
	require.NoError(t, change.apply(o.records()))
	former := file.content(t)
	assert.NotContains(t, former, todos)
	assert.Equal(t, []string{"user"}, status().Incomplete)
	install()
	assert.Equal(t, current, file.content(t))
	assert.Empty(t, status().Incomplete)

	file.write(t, former)
	require.NoError(t, os.RemoveAll(o.StateDir))
	install()
	assert.NotContains(t, status().Incomplete, "user", "what nobody knows the origin of stays as it is")
	assert.NotContains(t, file.content(t), todos)
}

func TestAFileThatTheAgentWritesMeanwhileIsNotReplaced(t *testing.T) {
	s := newShelf(t)
	s.write(t, theirs)
	f, err := read(s.path)
	require.NoError(t, err)
	s.write(t, "{}")
	require.ErrorContains(t, f.write([]byte("ours"), 0), "was changed meanwhile")
	assert.Equal(t, "{}", s.content(t))
}

func TestAFileOrALinkInThePlaceOfAFolderThatWasMadeStays(t *testing.T) {
	s := newShelf(t)
	file, link := filepath.Join(s.dir, "file"), filepath.Join(s.dir, "link")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Symlink(s.dir, link))
	removeFolders([]string{file, link})
	require.NoError(t, s.all.clear([]string{file, link}))
	assert.FileExists(t, file)
	_, err := os.Lstat(link)
	assert.NoError(t, err)
}

func TestTheEntryOfAnOlderVersionIsReplacedByThePluginOfOpenCode(t *testing.T) {
	s := newShelf(t)
	home, env := filepath.Join(s.dir, "home"), func(string) string { return "" }
	s.path = filepath.Join(home, ".config", "opencode", "opencode.json")
	s.write(t, theirs)
	o := Options{
		Home: home, WorkDir: home, StateDir: filepath.Dir(s.all.dir), DataDir: filepath.Join(s.dir, "data"),
		Env: env, LookPath: func(string) (string, error) { return "", os.ErrNotExist }, Out: io.Discard, Yes: true,
	}
	older := openCode().former(Places{Home: home, Env: env})[0]
	older.paths = older.paths[:1]
	for _, end := range []func(Options, Selection) (Result, error){Install, Uninstall} {
		change, err := older.install(s.all, "opencode", "")
		require.NoError(t, err)
		require.NoError(t, change.apply(s.all))
		assert.Contains(t, s.content(t), "wm-lsp")
		_, err = end(o, Selection{Agent: "opencode"})
		require.NoError(t, err)
		assert.Equal(t, theirs, s.content(t))
	}
	own := `{"mcp": {"wm": {"type": "local", "command": ["wm-lsp", "mcp"]}}}`
	s.write(t, own)
	_, err := Install(o, Selection{Agent: "opencode"})
	require.NoError(t, err)
	assert.Equal(t, own, s.content(t), "what a person wrote stays")
}

package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheClientSaysNothingInSeveralWays(t *testing.T) {
	for _, data := range []string{"", " ", "null", "{}", "[]", "\n{ }\n"} {
		layer, err := FromJSON([]byte(data))
		require.NoError(t, err, data)
		assert.Empty(t, layer.Values, data)
		assert.True(t, layer.Trusted)
	}
}

func TestTheClientsSettingsAreAnObject(t *testing.T) {
	layer, err := FromJSON([]byte(`{"memory": {"maxEntries": 40}, "errors": {"warnings": true}, "root": null}`))
	require.NoError(t, err)
	got, problems := Merge(layer)
	assert.Empty(t, problems)
	assert.Equal(t, 40, got.Memory.MaxEntries)
	assert.True(t, got.Errors.Warnings)

	for data, want := range map[string]string{
		"7":            "the client's settings must be a JSON object, got number",
		`"x"`:          "the client's settings must be a JSON object, got string",
		"[1]":          "the client's settings must be a JSON object, got array",
		"{":            "the client's settings are not valid JSON: ",
		`{"a": 1e999}`: "the client's settings are not valid JSON: ",
	} {
		_, err := FromJSON([]byte(data))
		assert.ErrorContains(t, err, want, data)
	}
}

func TestAFileThatIsNotTOMLIsRefusedWithThePlace(t *testing.T) {
	layer, err := ParseTOML("wm-lsp.toml", []byte("root = \"git\"\n[memory]\nmaxEntries = = 4\n"))
	require.ErrorContains(t, err, "wm-lsp.toml, line 3, column 14")
	assert.Empty(t, layer.Values, "nothing of it is used")

	_, err = ParseTOML("wm-lsp.toml", []byte("exclude = [\"a\xff\"]"))
	assert.ErrorContains(t, err, "wm-lsp.toml, line 1")
}

func TestAFileMayBeginWithAByteOrderMark(t *testing.T) {
	layer, err := ParseTOML("wm-lsp.toml", []byte("\uFEFFroot = \"folder\""))
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"root": "folder"}, layer.Values)
}

func TestTOMLThatIsMadeToHurtIsReadOrRefused(t *testing.T) {
	many := strings.Builder{}
	for i := range 5000 {
		fmt.Fprintf(&many, "a%d.b.c=1\n", i)
	}
	for name, data := range map[string]string{
		"brackets that never close": "a=" + strings.Repeat("[", 65_000),
		"lists in lists":            "a=" + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
		"tables in tables":          "a=" + strings.Repeat("{a=", 9_000) + "1" + strings.Repeat("}", 9_000),
		"a key of many parts":       strings.Repeat("memory.", 9_000) + "a=1",
		"a table of many parts":     "[" + strings.Repeat("a.", 32_000) + "a]",
		"many small tables":         many.String(),
		"one table many times":      strings.Repeat("[[exclude]]\n", 5_000),
	} {
		t.Run(name, func(t *testing.T) {
			layer, _ := ParseTOML("wm-lsp.toml", []byte(data))
			got, problems := Merge(layer)
			assert.Equal(t, Default(), got)
			assert.LessOrEqual(t, len(problems), maxProblems+1)
		})
	}
}

func TestARepositorysFileIsReadAndNotTrusted(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, FileName), "exclude = [\"dist/**\"]")
	layer, err := ReadRepositoryFile(root)
	require.NoError(t, err)
	assert.Equal(t, Layer{
		Name: filepath.Join(root, FileName), Values: map[string]any{"exclude": []any{"dist/**"}},
		Doc: []byte("exclude = [\"dist/**\"]"),
	}, layer)
}

func TestAUsersFileIsTrustedAndMayBeALink(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "dotfiles.toml"), "root = \"folder\"")
	path := filepath.Join(dir, FileName)
	require.NoError(t, os.Symlink(filepath.Join(dir, "dotfiles.toml"), path))
	layer, err := ReadUserFile(path)
	require.NoError(t, err)
	assert.Equal(t, Layer{
		Name: path, Values: map[string]any{"root": "folder"}, Trusted: true, Doc: []byte("root = \"folder\""),
	}, layer)
}

func TestAFileThatIsNotThereSaysNothing(t *testing.T) {
	dir := t.TempDir()
	for name, read := range map[string]func() (Layer, error){
		"no file of the user":  func() (Layer, error) { return ReadUserFile(filepath.Join(dir, "no", FileName)) },
		"no file in the root":  func() (Layer, error) { return ReadRepositoryFile(dir) },
		"no repository at all": func() (Layer, error) { return ReadRepositoryFile(filepath.Join(dir, "gone")) },
	} {
		t.Run(name, func(t *testing.T) {
			layer, err := read()
			require.NoError(t, err)
			assert.Empty(t, layer.Values)
		})
	}
}

func TestAHostileFileInARepositoryIsRefusedAtOnce(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.toml")
	write(t, outside, "root = \"folder\"")
	for name, test := range map[string]struct {
		make func(t *testing.T, root, path string)
		want string
	}{
		"a folder": {
			func(t *testing.T, _, path string) { require.NoError(t, os.Mkdir(path, 0o755)) },
			"not a regular file",
		},
		"more than 64 KiB": {
			func(t *testing.T, _, path string) { write(t, path, strings.Repeat("#", maxFileBytes+1)) },
			"must have at most 65536 bytes, got 65537",
		},
		"a sparse terabyte": {
			func(t *testing.T, _, path string) {
				write(t, path, "")
				require.NoError(t, os.Truncate(path, 1<<40))
			},
			"must have at most 65536 bytes",
		},
		"a link to a file outside": {
			func(t *testing.T, _, path string) { require.NoError(t, os.Symlink(outside, path)) },
			"escapes",
		},
		"a relative link to a file outside": {
			func(t *testing.T, root, path string) {
				target, err := filepath.Rel(root, outside)
				require.NoError(t, err)
				require.NoError(t, os.Symlink(target, path))
			},
			"escapes",
		},
		"a link over a folder outside": {
			func(t *testing.T, root, path string) {
				require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(root, "conf")))
				require.NoError(t, os.Symlink("conf/secret.toml", path))
			},
			"escapes",
		},
		"a link to itself": {
			func(t *testing.T, _, path string) { require.NoError(t, os.Symlink(FileName, path)) },
			"settings file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			test.make(t, root, filepath.Join(root, FileName))
			layer, err := ReadRepositoryFile(root)
			require.ErrorContains(t, err, test.want)
			assert.Empty(t, layer.Values)
			assert.False(t, layer.Trusted)
		})
	}
}

func write(t *testing.T, path, text string) {
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func FuzzParseTOML(f *testing.F) {
	f.Add("root = \"folder\"\n[memory]\nmaxEntries = 40\n[session]\nmaxFiles = 3\n")
	f.Add("exclude = [\"a/**\", \"{a,b}[\"]\n[errors]\nlinters = [\"X\"]\nwarnings = true")
	f.Add("[log]\nmaxDays = nan")
	f.Add("a = [[{b = 1979-05-27}]]")
	f.Add("[[working.slots]]\nname = \"risk\"\nmax = 4\npattern = '(?i)risk: (.+)'\n[[working.slots]]\n" +
		"name = \"risk\"\nmax = 90")
	f.Add("[[errors.patterns]]\npattern = '^(?P<file>\\S+): (?P<message>.+)'\ncategory = \"lint\"\n" +
		"command = \"{a,b}*\"\n[[prune.lines]]\npattern = 'a{9}{9}'\nkeep = \"never\"")
	f.Add("memory.patterns = [{pattern = \"x\", type = \"risk\"}]\ncompact = {light = 0.5, medium = nan}\n" +
		"pressure.high = 1\nnotes.template = \"\"\"\na\"\"\"")
	f.Fuzz(func(t *testing.T, text string) {
		layer, err := ParseTOML("fuzz", []byte(text))
		if err != nil {
			require.Empty(t, layer.Values)
			return
		}
		settings, _ := Merge(layer)
		requireSane(t, settings)
		assert.Equal(t, Default().Root, settings.Root)
		assert.Equal(t, Default().Log, settings.Log)
		assert.Equal(t, Default().Notes, settings.Notes)
		assert.Equal(t, Default().History, settings.History)
		assert.Equal(t, Default().Compact, settings.Compact)
		assert.Equal(t, Default().Pressure, settings.Pressure)
		assert.Empty(t, settings.Memory.Patterns)

		layer.Trusted = true
		settings, _ = Merge(layer)
		requireSane(t, settings)
	})
}

func FuzzFromJSON(f *testing.F) {
	f.Add(`{"memory": {"maxEntries": 40, "types": ["risk"]}, "exclude": ["a", 1, null]}`)
	f.Add(`{"session": [], "tools": {"read": {}}}`)
	f.Add(`{"working": {"slots": [{"name": "risk", "max": 4, "pattern": "("}, {}, []]}, "compact": {"light": 0.9}}`)
	f.Add(`{"memory": {"patterns": [{"pattern": "(a)|b", "type": "project"}]}, "prune": {"lines": {}}}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, text string) {
		layer, err := FromJSON([]byte(text))
		if err != nil {
			return
		}
		settings, _ := Merge(layer)
		requireSane(t, settings)
	})
}

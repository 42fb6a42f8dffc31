package install

import (
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func codexServer() tomlFile {
	return tomlFile{table: []string{"mcp_servers", "wm"}, lines: []string{`command = "wm-lsp"`, `args = ["mcp"]`}}
}

const codexTable = "[mcp_servers.wm]\ncommand = \"wm-lsp\"\nargs = [\"mcp\"]\n"

func TestATableIsPutAtTheEnd(t *testing.T) {
	for before, after := range map[string]string{
		"":                               codexTable,
		"# mine\nmodel = \"x\" # why\n":  "# mine\nmodel = \"x\" # why\n\n" + codexTable,
		"model = 1":                      "model = 1\n\n" + codexTable,
		"\ufeffmodel = 1\n":              "\ufeffmodel = 1\n\n" + codexTable,
		"[mcp_servers.x]\ncommand = 1\n": "[mcp_servers.x]\ncommand = 1\n\n" + codexTable,
		"[[a]]\nb = '''\n[x]'''\n":       "[[a]]\nb = '''\n[x]'''\n\n" + codexTable,
		"a = 1\r\nb = 2\r\n":             "a = 1\r\nb = 2\r\n\r\n" + strings.ReplaceAll(codexTable, "\n", "\r\n"),
		"[mcp_servers]\n":                "[mcp_servers]\n\n" + codexTable,
	} {
		add, err := codexServer().add([]byte(before))
		require.NoError(t, err, before)
		got, at := insert([]byte(before), add.insertions)
		assert.Equal(t, after, string(got))
		assert.Equal(t, before, string(takeOut(got, at)))
		again, err := codexServer().add(got)
		require.NoError(t, err)
		assert.Empty(t, again.insertions)
	}
}

func TestATOMLFileThatCannotTakeTheTableIsRefused(t *testing.T) {
	for before, message := range map[string]string{
		"a = 1\nb = \n":                                 "line 2",
		"mcp_servers = {}\n":                            "add these lines yourself",
		"mcp_servers = 1\n":                             "runs something else",
		"[mcp_servers.wm]\ncommand = \"other\"\n":       "is there already and runs something else",
		"[mcp_servers]\nwm = { command = \"other\" }\n": "is there already and runs something else",
	} {
		_, err := codexServer().add([]byte(before))
		assert.ErrorContains(t, err, message, before)
	}
}

func TestOurTableIsRemovedAfterSomebodyChangedTheFile(t *testing.T) {
	for name, test := range map[string]struct{ before, after string }{
		"before another table": {
			"a = 1\n\n" + codexTable + "\n# next\n[b]\nc = 1\n",
			"a = 1\n\n# next\n[b]\nc = 1\n",
		},
		"with members and tables of its own": {
			"a = 1\n\n" + codexTable + "env = { A = \"b\" } # mine\n\n[mcp_servers.wm.tools.notes_read]\n" +
				"approval_mode = \"approve\"\n",
			"a = 1\n",
		},
		"over several lines": {
			"[mcp_servers.wm]\ncommand = \"wm-lsp\"\nargs = [\n  \"mcp\",\n]\n[b]\n",
			"[b]\n",
		},
		"alone":                       {codexTable, ""},
		"first, before another table": {codexTable + "\n[b]\nc = 1\n", "[b]\nc = 1\n"},
		"with the trust in its hooks": {
			codexTable + "\n[hooks.state]\n\n[hooks.state.\"/h/hooks.json:stop:0:0\"]\ntrusted_hash = \"x\"\n", "",
		},
		"with the trust in those of others": {
			codexTable + "\n[hooks.state]\n\n[hooks.state.\"/h/hooks.json:stop:0:0\"]\ntrusted_hash = \"x\"\n" +
				"\n[hooks.state.\"/o/hooks.json:stop:0:0\"]\ntrusted_hash = \"x\"\n",
			"[hooks.state]\n\n[hooks.state.\"/o/hooks.json:stop:0:0\"]\ntrusted_hash = \"x\"\n",
		},
		"what is not ours": {
			"[mcp_servers.wm]\ncommand = \"other\"\n",
			"[mcp_servers.wm]\ncommand = \"other\"\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			ours := codexServer()
			ours.hooks = "/h/hooks.json"
			rest, _, err := ours.remove([]byte(test.before), nil)
			require.NoError(t, err)
			assert.Equal(t, test.after, string(rest))
		})
	}
}

func TestATableInAnotherFormIsLeftToThePerson(t *testing.T) {
	_, _, err := codexServer().remove([]byte("[mcp_servers]\nwm = { command = \"wm-lsp\" }\n"), nil)
	assert.ErrorContains(t, err, "remove it yourself")
}

// FuzzTOML checks that installing keeps every value, that cutting out restores every byte, and
// that removing without a record keeps every value of somebody else.
func FuzzTOML(f *testing.F) {
	for _, seed := range []string{
		"", "a = 1", "a = 1\r\n", "\ufeff[a]\nb = '''\n[c]\n'''\n", "[mcp_servers.x]\ncommand = \"x\"\n",
		"[[a]]\n# end",
		"mcp_servers.x.command = 1\n", "[mcp_servers.wm.tools]\na = 1\n", "a = [\n1,\n# x\n]\n", "a = ",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, before string) {
		add, err := codexServer().add([]byte(before))
		if err != nil || len(add.insertions) == 0 {
			return
		}
		after, at := insert([]byte(before), add.insertions)
		require.Equal(t, before, string(takeOut(after, at)))
		rest, _, err := codexServer().remove(after, nil)
		require.NoError(t, err)
		require.Equal(t, values(t, []byte(before)), values(t, rest))
	})
}

func values(t *testing.T, doc []byte) map[string]any {
	t.Helper()
	body, _ := withoutMark(doc)
	var all map[string]any
	require.NoError(t, toml.Unmarshal(body, &all))
	return withoutEmpty(all)
}

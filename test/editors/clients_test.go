package editors_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
)

const noteFiles = `
-- note.txt --
The first line
parse_expr is a name of code
The last line
-- note.md --
The first line
parse_expr is a name of code
The last line
-- gone.txt --
Soon deleted
`

// inRepository runs a test in a repository with the notes, and an agent beside.
func inRepository(t *testing.T, body func(t *testing.T, env *test.Env, agent *test.Client)) {
	test.Run(t, noteFiles, func(t *testing.T, env *test.Env) {
		git(t, env, "init", "--quiet", "--initial-branch=main")
		body(t, env, agent(env))
	})
}

func actionOn(agent *test.Client, path string) wire.FileAction {
	var result wire.FilesListResult
	agent.Call("wm/files/list", nil, &result)
	for _, file := range result.Files {
		if file.Path == path {
			return file.Action
		}
	}
	return ""
}

// remembered is the entry with a string, if there is one.
func remembered(agent *test.Client, text string) (wire.MemoryEntry, bool) {
	var result wire.MemoryListResult
	agent.Call("wm/memory/list", nil, &result)
	for _, entry := range result.Entries {
		if entry.Text == text {
			return entry, true
		}
	}
	return wire.MemoryEntry{}, false
}

func TestHelixHasTheMemoryThroughStandardFeatures(t *testing.T) {
	inRepository(t, func(t *testing.T, env *test.Env, agent *test.Client) {
		helix := env.StartHelix("note.md")
		helix.Sees("The first line")
		helix.Await("the file read", func() bool { return actionOn(agent, "note.md") == wire.FileRead })
		// The editor's server knows of it at the latest when it remembers something itself.
		agent.Call(
			"wm/memory/add",
			map[string]any{"text": "parse_expr is slow for a reason", "files": []string{"note.md"}},
			nil,
		)

		helix.Press("x", "Space", "a")
		helix.Sees("Remember the selection")
		helix.Press("Enter")
		var entry wire.MemoryEntry
		helix.Await("the selection remembered", func() (there bool) {
			entry, there = remembered(agent, "The first line")
			return there
		})
		assert.Equal(t, []string{"note.md"}, entry.Files)
		assert.Equal(t, "helix", entry.Origin.Agent)
		helix.Sees("Remembered.")

		helix.Press("g", "g", "j")
		helix.Sees("2:1")
		helix.Press("Space", "k")
		helix.Sees("Remembered (project): parse_expr is slow for a reason")
		helix.Press("Escape") // which is Alt if the next key arrives with it
		helix.Await("the hover closed", func() bool {
			return !strings.Contains(helix.Screen(), "Remembered (project)")
		})

		helix.Command("lsp-workspace-command wm.showPanel")
		helix.Sees("# Project memory")

		helix.Press("g", "g", "i", "X", "Escape")
		helix.Await("the file edited", func() bool { return actionOn(agent, "note.md") == wire.FileEdit })
	})
}

func TestEmacsHasTheMemoryThroughStandardFeatures(t *testing.T) {
	inRepository(t, func(t *testing.T, env *test.Env, agent *test.Client) {
		emacs := env.StartEmacs()
		emacs.Eval(fmt.Sprintf(`(progn (find-file %q) (run-hooks 'post-command-hook) t)`, env.Path("note.txt")))
		emacs.Await("the server", func() bool { return emacs.Eval(`(and (eglot-managed-p) t)`) == "t" })
		emacs.Await("the file read", func() bool { return actionOn(agent, "note.txt") == wire.FileRead })

		emacs.Eval(`(let ((action (seq-find (lambda (a) (equal (plist-get a :title) "Remember the selection"))
			(eglot-code-actions (point-min) (line-end-position)))))
			(eglot-execute (eglot-current-server) action))`)
		var entry wire.MemoryEntry
		emacs.Await("the selection remembered", func() (there bool) {
			entry, there = remembered(agent, "The first line")
			return there
		})
		assert.Equal(t, []string{"note.txt"}, entry.Files)

		emacs.Eval(fmt.Sprintf(`(eglot-execute (eglot-current-server) '(:command "wm.remember" :title ""
			:arguments [(:text "parse_expr is slow for a reason" :uri %q)]))`, env.URI("note.txt")))
		emacs.Eval(`(progn (goto-char (point-min)) (forward-line 1) (setq said nil)
			(eglot-hover-eldoc-function (lambda (text &rest _) (setq said text))) t)`)
		emacs.Await("the hover", func() bool {
			return emacs.Eval(
				`(and said (substring-no-properties said))`,
			) == `"Remembered (project): parse_expr is slow for a reason"`
		})

		emacs.Eval(`(eglot-execute (eglot-current-server) '(:command "wm.showContext" :title "" :arguments []))`)
		emacs.Await("the context as a document", func() bool {
			return emacs.Eval(`(and (get-buffer "context.md") t)`) == "t"
		})

		emacs.Eval(fmt.Sprintf(`(progn (find-file %q) (insert "X") (save-buffer) t)`, env.Path("note.txt")))
		emacs.Await("the file written", func() bool { return actionOn(agent, "note.txt") == wire.FileWrite })

		emacs.Eval(fmt.Sprintf(`(progn (find-file %q) (run-hooks (quote post-command-hook)) t)`, env.Path("gone.txt")))
		emacs.Await("the other file read", func() bool { return actionOn(agent, "gone.txt") == wire.FileRead })
		require.NoError(t, os.Remove(env.Path("gone.txt")))
		emacs.Await("the file gone", func() bool { return actionOn(agent, "gone.txt") == "" })
	})
}

package hot

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

const reproduction = "cat <<'E' > repro.py\nimport app\napp.run()\nE\npython repro.py"

func (d *desk) write(tool string, input map[string]string) {
	d.t.Helper()
	encoded, err := json.Marshal(input)
	require.NoError(d.t, err)
	d.tell("a", event.ToolRan{Tool: tool, Input: encoded})
}

func TestB8_AScratchScriptLeavesTheContextOnceOtherFilesWereChanged(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "cat <<'E' > try.py\nimport app\nE", "", 0)
	assert.Contains(t, d.text("a"), "try.py (write, 1x)", "it was not run yet")
	d.run("a", "python try.py", "", 0)
	d.run("a", reproduction, "", 0)
	d.run("a", "cat src/app.py", "x = 1\n", 0)
	assert.Contains(t, d.text("a"), "- src/app.py (read, 1x)\n- repro.py (write, 1x)\n", "the newest is last")
	assert.NotContains(t, d.text("a"), "try.py")
	d.run("a", "sed -i s/1/2/ src/app.py", "", 0)
	d.run("a", reproduction, "", 0)
	assert.Contains(t, d.text("a"), "- src/app.py (edit, 1x)\n")
	assert.NotContains(t, d.text("a"), "repro.py")
	assert.Contains(t, d.paths(), "repro.py", "the panel has it")
}

func TestB8_WhatOnlyLooksLikeScratchStaysInTheContext(t *testing.T) {
	for name, do := range map[string]func(*desk){
		"a new source file": func(d *desk) { d.run("a", "cat <<'E' > repro.py\nx = 1\nE", "", 0) },
		"a new test": func(d *desk) {
			d.run("a", "cat <<'E' > tests/test_repro.py\nE\npytest tests/test_repro.py", "1 passed in 0.1s\n", 0)
		},
		"a script that was read before": func(d *desk) {
			d.run("a", "cat repro.py", "x = 0\n", 0)
			d.run("a", reproduction, "", 0)
		},
		"a script that the user names": func(d *desk) {
			d.run("a", reproduction, "", 0)
			d.tell("a", event.MessageReceived{Role: "user", Text: "Let repro.py print the time, too."})
		},
		"a script that another file imports": func(d *desk) {
			d.run("a", reproduction, "", 0)
			const code = "import os\nfrom repro import run\n"
			d.write("edit", map[string]string{"file_path": "src/b.py", "new_string": code})
		},
		"a script that is moved": func(d *desk) {
			d.run("a", "cat <<'E' > try.py\nE\npython try.py", "", 0)
			d.run("a", "mv try.py repro.py", "", 0)
		},
		"a script that was added to git": func(d *desk) {
			d.run("a", reproduction, "", 0)
			d.versioned = map[string]bool{"repro.py": true}
			d.run("a", "git add -A", "", 0)
		},
		"a script of git that was written anew": func(d *desk) {
			d.versioned = map[string]bool{"repro.py": true}
			d.run("a", reproduction, "", 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			do(d)
			d.run("a", "sed -i s/1/2/ src/app.py", "", 0)
			assert.Contains(t, d.text("a"), "repro.py")
		})
	}
}

func TestB8_OfNewFilesAloneAllAreShown(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "cat <<'E' > main.py\nimport util\nE", "", 0)
	d.run("a", "cat <<'E' > util.py\nx = 1\nE", "", 0)
	d.run("a", "python main.py", "", 0)
	assert.Contains(t, d.text("a"), "util.py")
	assert.Contains(t, d.text("a"), "main.py")
}

func TestB9_ErrorsInAScratchScriptAreNotThoseOfTheProject(t *testing.T) {
	d := newDesk(t, nil)
	const lint = "repro.py:1:0: C0114: Missing module docstring\n"
	d.run("a", "cat <<'E' > repro.py\nimport app\nE", "", 0)
	d.run("a", "pylint repro.py", lint, 16)
	assert.Len(t, d.summaries(), 1, "it may be a file of the project")
	d.run("a", "python repro.py", "", 0)
	d.run("a", "sed -i s/1/2/ src/app.py", "", 0)
	assert.Empty(t, d.summaries())
	assert.NotContains(t, d.text("a"), "repro.py")
	opened := d.run("a", "pylint repro.py src/app.py", lint+"src/app.py:3:0: C0103: Bad name\n", 16)
	for _, c := range opened {
		assert.NotContains(t, c.Subject+string(c.After), "Missing module docstring")
	}
	assert.Equal(t, []string{"C0103: Bad name"}, d.summaries())
}

func TestAScratchScriptIsNoEditWithWhichAnErrorIsGone(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "go build ./...", "# a\n./a.go:1:2: undefined: x\n", 1)
	since := d.now
	d.run("a", reproduction, "", 0)
	assert.Empty(t, d.room.editedSince(room.Reader{Session: "a", Worktree: tree}, since))
}

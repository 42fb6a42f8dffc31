package hot

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// summaries returns the summaries of the open errors.
func (d *desk) summaries() []string {
	list := []string{}
	for _, e := range d.room.Errors("a", tree) {
		list = append(list, e.Summary)
	}
	return list
}

func failing(tests ...string) string {
	out := ""
	for _, name := range tests {
		out += "FAILED tests/test_a.py::" + name + " - assert 1 == 2\n"
	}
	return out + "=== " + string(rune('0'+len(tests))) + " failed, 3 passed in 0.1s ===\n"
}

func TestB9_ACompleteFailingRunReplacesTheFormerOneOfItsScope(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "pytest tests", failing("test_x", "test_y", "test_z"), 1)
	require.Len(t, d.summaries(), 3)
	d.run("a", "pytest tests | tail -4", failing("test_y"), 0)
	require.Len(t, d.summaries(), 1)
	assert.Contains(t, d.summaries()[0], "test_y")
	d.run("a", "pytest tests | tail -2", "3 passed in 0.1s\n", 0)
	assert.Empty(t, d.summaries(), "the summary of the runner counts through a pipe")
}

func TestB11_ATestIsOneErrorWhateverItsMessageIs(t *testing.T) {
	d := newDesk(t, nil)
	const failed = "FAILED tests/test_a.py::test_x - %s\n=== 1 failed in 0.1s ===\n"
	d.run("a", "pytest -x tests", fmt.Sprintf(failed, "assert 1 == 2"), 1)
	d.run("a", "pytest -x tests", fmt.Sprintf(failed, "ValueError: bad"), 1)
	assert.Equal(t, []string{"tests/test_a.py::test_x: ValueError: bad"}, d.summaries())
}

func TestARunCountsAnErrorOnce(t *testing.T) {
	d := newDesk(t, nil)
	const lint = "a.py:1:0: C0103: Bad name\na.py:7:0: C0103: Bad name\n"
	d.run("a", "pylint a.py", lint, 16)
	assert.NotContains(t, d.text("a"), "2x")
	d.run("a", "pylint a.py", lint, 16)
	assert.Contains(t, d.text("a"), "a.py:1: C0103: Bad name (2x)")
}

func TestB9_ErrorsInADeletedFileEnd(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "pylint repro.py", "repro.py:1:0: C0114: Missing module docstring\n", 16)
	d.run("a", "pylint repro_2.py", "repro_2.py:1:0: C0114: Missing module docstring\n", 16)
	require.Len(t, d.summaries(), 2)
	d.run("a", "rm repro.py", "", 0)
	require.Len(t, d.summaries(), 1)
	d.run("a", "rm -f repro*.py", "", 0)
	assert.Empty(t, d.summaries())
}

func TestB9_ARuntimeErrorFades(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "python3 scripts/load.py", "ValueError: bad price\n", 1)
	for range runtimeTurns {
		d.tell("a", event.MessageReceived{Role: "assistant", Text: "Next."})
	}
	assert.Contains(t, d.text("a"), "bad price")
	d.tell("a", event.MessageReceived{Role: "user", Text: "Go on."})
	assert.NotContains(t, d.text("a"), "bad price")
	assert.Len(t, d.summaries(), 1)
	part := d.room.part(room.Reader{Session: "a", Worktree: tree}, 1200, nil)
	for _, e := range d.room.Errors("a", tree) {
		assert.True(t, part.Withheld[render.ErrorKey(e.Fingerprint)], "the working memory does not tell it either")
	}
	d.now = d.now.Add(runtimeAge)
	assert.Empty(t, d.summaries())
}

func TestB9_WhatFailedBeforeTheFirstEditIsToldAsSuch(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "go build ./...", "# a\n./a.go:1:2: undefined: x\n", 1)
	const told = "undefined: x (failed before your first edit)"
	assert.Contains(t, d.text("a"), told)
	assert.NotContains(t, d.text("b"), "your first edit", "b did not run it")
	d.run("a", "echo package b > b.go", "", 0)
	d.run("a", "rm b.go", "", 0)
	d.run("a", "go vet ./c", "# c\n./c.go:1:2: undefined: y\n", 1)
	assert.NotContains(t, d.text("a"), "undefined: y (failed before")
}

func TestB8_CommandsTouchFiles(t *testing.T) {
	d := newDesk(t, nil)
	d.disk["a.go"] = true
	d.run("a", "sed -n '1,200p' a.go", "package a\n", 0)
	assert.Contains(t, d.text("a"), "- a.go (read lines 1–200 at step 1, unchanged)\n")
	d.run("a", "sed -i s/a/b/ a.go && go vet .", "vet: bad\n", 1)
	assert.Contains(t, d.text("a"), "- a.go (edit, 1x)\n", "it was read before")
	d.run("a", "cat missing.go | head", "", 1)
	d.run("a", "mv a.go c.go", "", 0)
	assert.Equal(t, []string{"c.go"}, d.paths())
	d.run("a", "rm c.go", "", 0)
	assert.Empty(t, d.paths())
}

func TestB8_ASearchOfAFolderCreditsTheFilesThatItReports(t *testing.T) {
	d := newDesk(t, nil)
	input, err := json.Marshal(map[string]string{"pattern": "x"})
	require.NoError(t, err)
	d.tell("a", event.ToolRan{Tool: "grep", Input: input, Output: "src/a.go:1:x\nsrc/b.go:2:x\n"})
	assert.ElementsMatch(t, []string{"src/a.go", "src/b.go"}, d.paths())
	assert.Contains(t, d.text("a"), "src/a.go (grep, 1x)")
	for name, tell := range map[string]func(*desk){
		"a search for names": func(d *desk) {
			d.tell("a", event.ToolRan{Tool: "Glob", Input: input, Output: "src/a.go\nsrc/b.go\n"})
		},
		"a command that lists": func(d *desk) {
			d.disk["src/a.go"] = true
			d.run("a", "find . -name '*.go' | grep src", "src/a.go\n", 0)
		},
	} {
		d := newDesk(t, nil)
		tell(d)
		assert.Contains(t, d.text("a"), "src/a.go (glob, 1x)", name+" has read nothing")
		d.run("a", "cat src/a.go", "package a", 0)
		assert.Contains(t, d.text("a"), "src/a.go (read", name)
	}
}

func TestB8_WhatACommandMayHaveReadIsToldIfItIsThere(t *testing.T) {
	d := newDesk(t, nil)
	const line = "test -f local.json && cat local.json || true"
	d.run("a", line, "", 0)
	assert.Empty(t, d.paths(), "no such file: nothing was read")
	d.disk["local.json"] = true
	d.run("a", line, "{}", 0)
	assert.Equal(t, []string{"local.json"}, d.paths())
}

func TestB8_AProgramThatFindsNothingToChangeHasOnlyReadTheFile(t *testing.T) {
	for line, want := range map[string]string{
		"sed -i s/x/y/ a.go":      "a.go (read, 1x)",
		"perl -pi -e s/x/y/ a.go": "a.go (read, 1x)",
		"gofmt -w a.go":           "a.go (read, 1x)",
		"git checkout -- a.go":    "a.go (edit, 1x)",
		"echo x > a.go":           "a.go (write, 1x)",
	} {
		d := newDesk(t, nil)
		d.pristine = map[string]bool{"a.go": true}
		d.run("a", line, "", 0)
		assert.Contains(t, d.text("a"), want, line)
		d.pristine = nil
		d.run("a", "sed -i s/a/b/ a.go", "", 0)
		d.pristine = map[string]bool{"a.go": true}
		d.run("a", "sed -i s/b/a/ a.go", "", 0)
		assert.NotContains(t, d.text("a"), "read, 2x", "what the session had changed it has changed back")
	}
}

func TestB8_AFileWhoseChangesAreCommittedSaysSoAndLeavesTheContext(t *testing.T) {
	d := newDesk(t, nil)
	say := func() { d.tell("a", event.MessageReceived{Role: "assistant", Text: "Next."}) }
	d.run("a", "sed -i s/a/b/ old.go", "", 0)
	d.run("a", "git commit -am 'Rename b'", "nothing to commit, working tree clean\n", 1)
	assert.Contains(t, d.text("a"), "- old.go (edit, 1x)\n")
	d.run("a", "git commit -am 'Rename b'", "[main 1a2b3c4] Rename b\n 1 file changed\n", 0)
	assert.Contains(t, d.text("a"), "- old.go (edit, 1x, before the last commit)\n")
	for range committedTurns + 1 {
		say()
	}
	assert.NotContains(t, d.text("a"), "old.go")
	d.run("a", "sed -i s/b/c/ old.go", "", 0)
	assert.Contains(t, d.text("a"), "- old.go (edit, 2x)\n", "it is changed again")

	d.run("a", "sed -i s/b/c/ new.go && git commit -qam 'Use c'", "", 0)
	assert.Contains(t, d.text("a"), "- new.go (edit, 1x, before the last commit)\n", "in one command")
}

func TestB8_AFileWhoseChangesWereTakenBackSaysSo(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "sed -i s/a/b/ a.go", "", 0)
	d.run("a", "sed -i s/b/c/ a.go", "", 0)
	d.run("a", "git checkout a.go", "Updated 1 path from the index\n", 0)
	assert.Contains(t, d.text("a"), "- a.go (edit, 2x, then restored)\n")
	d.run("a", "sed -i s/a/d/ a.go", "", 0)
	assert.Contains(t, d.text("a"), "- a.go (edit, 3x)\n")
}

func TestB7_WhatASearchInAFileShowsIsAPartOfIt(t *testing.T) {
	d := newDesk(t, nil)
	d.disk["a.go"] = true
	for line, want := range map[string]string{
		"grep -n x a.go":                "a.go (read in part at step",
		"cat a.go | grep x":             "a.go (read in part at step",
		"nl -ba a.go | sed -n '20,40p'": "a.go (read lines 20–40 at step",
		"cat a.go":                      "a.go (read at step",
	} {
		d.run("a", line, "x\n", 0)
		assert.Contains(t, d.text("a"), want, line)
	}
}

func TestB9_AFailureOfAnEarlierSessionThatNamesNoFileIsNotTold(t *testing.T) {
	d := newDesk(t, nil)
	const line, output = "git push origin main", "error: failed to push some refs to 'origin'\n"
	d.run("a", line, output, 1)
	assert.Contains(t, d.text("a"), "failed to push")
	d.live["a"] = false
	assert.NotContains(t, d.text("b"), "failed to push")
	assert.Len(t, d.room.Errors("b", tree), 1, "the panel has it")
}

func TestB8_AFileThatWasOnlyFoundSinceItsManyChangesDoesNotLead(t *testing.T) {
	d := newDesk(t, nil)
	for range 24 {
		d.tell("a", event.FileTouched{Path: "old_test.go", Action: event.Edit})
	}
	for range 20 {
		d.tell("a", event.MessageReceived{Role: "user", Text: "Another task."})
	}
	d.tell("a", event.FileTouched{Path: "script.sh", Action: event.Write})
	d.tell("a", event.MessageReceived{Role: "user", Text: "Where is the author from?"})
	d.tell("a", event.FileTouched{Path: "old_test.go", Action: event.Grep})
	assert.Equal(t, "script.sh", d.paths()[0])
	assert.Contains(t, d.text("a"), "script.sh (write, 1x)")
}

func TestB8_AFileThatWasChangedSomeMessagesOfTheUserAgoLeavesTheContextAlsoIfNothingElseWasUsed(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", event.MessageReceived{Role: "user", Text: "Change it."})
	d.tell("a", event.FileTouched{Path: "old.go", Action: event.Edit})
	for range 30 {
		d.tell("a", event.MessageReceived{Role: "assistant", Text: "Waiting."})
	}
	for range changedPrompts {
		assert.Contains(t, d.text("a"), "old.go", "the user may still be about it")
		d.tell("a", event.MessageReceived{Role: "user", Text: "What is next?"})
	}
	d.tell("a", event.MessageReceived{Role: "user", Text: "And then?"})
	assert.NotContains(t, d.text("a"), "old.go")
	assert.Contains(t, d.paths(), "old.go", "the panel has it")
}

func TestB7_AFileThatWasReadAndThenFoundStillTellsWhatWasRead(t *testing.T) {
	d := newDesk(t, nil)
	d.disk["a.go"] = true
	d.run("a", "sed -n '20,40p' a.go", "package a\n", 0)
	d.tell("a", event.FileTouched{Path: "a.go", Action: event.Grep})
	assert.Contains(t, d.text("a"), "- a.go (read lines 20–40 at step 1, unchanged)\n")
	d.tell("a", event.FileTouched{Path: "a.go", Action: event.Edit})
	assert.Contains(t, d.text("a"), "- a.go (edit, 1x)\n", "what was read is another text now")
}

func TestB8_FilesThatWereNotChangedLeaveTheContext(t *testing.T) {
	d := newDesk(t, nil)
	for range 2 {
		d.tell("a", event.FileTouched{Path: "found.go", Action: event.Grep})
	}
	d.tell("a", event.FileTouched{Path: "read.go", Action: event.Read})
	for range foundTurns {
		assert.Contains(t, d.text("a"), "found.go")
		d.tell("a", event.MessageReceived{Role: "assistant", Text: "Next."})
	}
	d.tell("a", event.MessageReceived{Role: "assistant", Text: "Next."})
	assert.NotContains(t, d.text("a"), "found.go")
	assert.Contains(t, d.text("a"), "read.go")
	d.tell("a", event.FileTouched{Path: "edited.go", Action: event.Edit})
	for range readTurns {
		d.tell("a", event.MessageReceived{Role: "assistant", Text: "Next."})
	}
	assert.NotContains(t, d.text("a"), "read.go")
	assert.Contains(t, d.text("a"), "edited.go")
}

func TestB8_TheRankOfAFileDecaysByTurn(t *testing.T) {
	d := newDesk(t, nil)
	for range 5 {
		d.tell("a", event.FileTouched{Path: "old.go", Action: event.Edit})
	}
	for range 12 {
		d.tell("a", event.MessageReceived{Role: "user", Text: "Another task."})
	}
	d.tell("a", event.FileTouched{Path: "new.go", Action: event.Read})
	assert.Equal(t, []string{"new.go", "old.go"}, d.paths())
}

func TestOnlyAnErrorThatWasNotOpenIsOpened(t *testing.T) {
	d := newDesk(t, nil)
	opened := func(exit int) (count int) {
		for _, c := range d.run("a", "go build ./...", "# a\n./a.go:1:2: undefined: x\n", exit) {
			if Opens(c) {
				count++
			}
		}
		return count
	}
	assert.Equal(t, 1, opened(1))
	assert.Zero(t, opened(1))
	d.run("a", "go build ./...", "", 0)
	assert.Equal(t, 1, opened(1))
}

// paths returns the active files, the highest rank first.
func (d *desk) paths() []string {
	list := []string{}
	for _, file := range d.room.Files("a", tree, 0) {
		list = append(list, file.Path)
	}
	return list
}

func TestAFileThatWasReadSaysNoLongerUnchangedWhenItWasModified(t *testing.T) {
	d := newDesk(t, nil)
	d.disk["a.go"] = true
	d.run("a", "cat a.go", "package a\n", 0)
	assert.Contains(t, d.text("a"), "- a.go (read at step 1, unchanged)\n")
	assert.Contains(t, d.text("b"), "- a.go (read, 1x) in agent a\n", "the steps of another session say nothing")
	d.disk["b.go"] = true
	d.tell("a", event.FileTouched{Path: "b.go", Action: event.Read})
	assert.Contains(t, d.text("a"), "- b.go (read, 1x), a.go (read at step 1, unchanged)\n",
		"b.go was opened in an editor")
	d.room.env.Unchanged = func(_, _ string, _ time.Time) bool { return false }
	assert.Contains(t, d.text("a"), "- b.go (read, 1x), a.go (read, 1x, changed since it was read)\n")
	delete(d.disk, "a.go")
	assert.Contains(t, d.text("a"), "- b.go (read, 1x), a.go (read, 1x)\n")
}

func TestAFileIsOfWhoChangedItAndTellsWhoReadIt(t *testing.T) {
	const cart = "cart.go"
	type step struct {
		session string
		body    any
	}
	opens := func(session string) step { return step{session, event.FileTouched{Path: cart, Action: event.Read}} }
	edits := func(session string) step { return step{session, event.FileTouched{Path: cart, Action: event.Edit}} }
	code := 0
	reads := func(session string) step {
		return step{session, event.ToolRan{
			Tool: "bash", Input: json.RawMessage(`{"command": "cat cart.go"}`), Output: "package cart\n",
			ExitCode: &code,
		}}
	}
	for name, test := range map[string]struct {
		steps         []step
		detail, files string // for a
	}{
		"another session changes what the reader has open": {
			[]step{opens("a"), edits("b")}, "edit, 1x · agent b · read by you", "- cart.go (edit, 1x) in agent b\n",
		},
		"the reader opens what another session has changed": {
			[]step{edits("b"), opens("a")}, "edit, 1x · agent b · read by you", "- cart.go (edit, 1x) in agent b\n",
		},
		"another session opens what the reader has changed": {
			[]step{edits("a"), opens("b")}, "edit, 1x · read by agent b", "- cart.go (edit, 1x)\n",
		},
		"a third one opens it, too": {
			[]step{edits("b"), opens("a"), opens("c")}, "edit, 1x · agent b · read by you",
			"- cart.go (edit, 1x) in agent b\n",
		},
		"of others the one is told that read it last": {
			[]step{opens("b"), edits("a"), opens("c")}, "edit, 1x · read by agent c", "- cart.go (edit, 1x)\n",
		},
		"both change it, the reader first": {
			[]step{edits("a"), edits("b")}, "edit, 2x · agent b", "- cart.go (edit, 2x) in agent b\n",
		},
		"both change it, and the first one has seen that": {
			[]step{edits("a"), edits("b"), opens("a")}, "edit, 2x · agent b · read by you",
			"- cart.go (edit, 2x) in agent b\n",
		},
		"nobody changes it": {
			[]step{opens("a"), opens("b")}, "read, 2x · agent b", "- cart.go (read, 2x) in agent b\n",
		},
		"a tool of the reader has read what another one changed": {
			[]step{edits("b"), reads("a")}, "edit, 1x · agent b · read by you",
			"- cart.go (edit, 1x in agent b; read at step 1, unchanged)\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			d.live["c"], d.disk[cart] = true, true
			for _, step := range test.steps {
				d.tell(step.session, step.body)
			}
			section := d.room.paintFiles(panel.Reader{Session: "a", Own: "a", Worktree: tree})
			require.Len(t, section.Items, 1)
			assert.Equal(t, test.detail, section.Items[0].Detail)
			assert.Contains(t, d.text("a"), test.files)
		})
	}
}

func TestB8_AFileThatCodeOnTheCommandLineRewritesIsEdited(t *testing.T) {
	d := newDesk(t, nil)
	d.disk["a.py"], d.disk["b.py"] = true, true
	d.run("a", "cat a.py b.py", "", 0)
	d.run("a", "python - <<'E'\np = 'a.py'\ns = open(p).read()\nopen(p, 'w').write(s)\n"+
		"open('c.py', 'w').write(s)\nE", "", 0)
	assert.Contains(t, d.text("a"), "- a.py (edit, 1x)\n")
	assert.Contains(t, d.text("a"), "- c.py (edit, 1x)\n")
	assert.NotContains(t, d.text("a"), "b.py (edit")
}

// text returns the state as a session is told it.
func (d *desk) text(session string) string {
	return d.room.Render(room.Reader{Session: session, Worktree: tree}, 1200, View{}).Text
}

func TestB9_WhatATaskRunnerReportedTheToolBeneathClearsAndTheOtherWayRound(t *testing.T) {
	d := newDesk(t, nil)
	d.contents = map[string]string{"package.json": `{"scripts": {"lint": "eslint ."}}`}
	const problem = "/tree/a.js\n  1:7  error  'x' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n"
	for _, clears := range []string{"npm run lint", "npx eslint ."} {
		for _, reports := range []string{"npm run lint", "npx eslint a.js"} {
			d.run("a", reports, problem, 1)
			require.Len(t, d.summaries(), 1, reports)
			d.run("a", clears, "", 0)
			require.Empty(t, d.summaries(), "%s after %s", clears, reports)
		}
	}
}

func TestAPackageThatFailedIsNotSaidBesideItsFailingTest(t *testing.T) {
	d := newDesk(t, nil)
	const failed = "- [test] example.com/shop/cart: the package failed"
	d.run("a", "make check 2>&1 | tail -2", "FAIL\texample.com/shop/cart\t0.1s\nFAIL\n", 0)
	require.Contains(t, d.text("a"), failed)
	d.run("a", "go test ./tax", "--- FAIL: TestRate (0.00s)\n    tax_test.go:7: got 3, want 4\nFAIL\n"+
		"FAIL\texample.com/shop/tax\t0.1s\nFAIL\n", 1)
	assert.Contains(t, d.text("a"), failed, "a test of another package does not say why")
	d.run("a", "go test -run TestTotal ./cart", "--- FAIL: TestTotal (0.00s)\n    cart_test.go:7: got 3, want 4\n"+
		"FAIL\nFAIL\texample.com/shop/cart\t0.1s\nFAIL\n", 1)
	assert.Contains(t, d.text("a"), "cart/cart_test.go:7: TestTotal: got 3, want 4")
	assert.NotContains(t, d.text("a"), failed)
	d.run("a", "go test -run TestTotal ./cart", "ok  \texample.com/shop/cart\t0.1s\n", 0)
	assert.Contains(t, d.text("a"), failed, "others of its tests may fail")
}

func TestB9_AnErrorThatAPersonTellsIsOpenUntilItIsSaidOrSeenToBeGone(t *testing.T) {
	d := newDesk(t, nil)
	say := func(text string) { d.tell("a", event.MessageReceived{Role: "user", Text: text}) }
	say("I get ValueError: bad price when I save.")
	assert.Contains(t, d.text("a"), "- [runtime] ValueError: bad price (told by the user)\n")
	d.tell("a", event.MessageReceived{Role: "assistant", Text: "It raises KeyError: no price."})
	require.Len(t, d.summaries(), 1, "only what a person tells")
	say("It works now, thanks.")
	assert.Empty(t, d.summaries())
	say("again: ValueError: bad price")
	require.Len(t, d.summaries(), 1)
	const failed = "FAILED tests/test_a.py::test_x - ValueError: bad price\n=== 1 failed in 0.1s ===\n"
	d.run("a", "pytest -x tests", failed, 1)
	require.Len(t, d.summaries(), 2)
	d.run("a", "pytest tests", "=== 3 passed in 0.1s ===\n", 0)
	assert.Empty(t, d.summaries(), "the same error was seen closed")
}

func TestB8_AFileThatAScriptOfTheSessionRewritesIsEdited(t *testing.T) {
	d := newDesk(t, nil)
	d.disk["src/a.py"], d.disk["src/b.py"] = true, true
	d.run("a", "cat src/a.py src/b.py", "", 0)
	d.run("a", "cat > fix.py <<'E'\nwith open('src/a.py') as f: s = f.read()\n"+
		"with open('src/a.py', 'w') as f: f.write(s)\nE", "", 0)
	assert.NotContains(t, d.text("a"), "a.py (edit", "it has not run")
	d.run("a", "python fix.py", "", 1)
	assert.NotContains(t, d.text("a"), "a.py (edit", "it failed")
	d.run("a", "python3 fix.py && git diff --stat", "", 0)
	assert.Contains(t, d.text("a"), "- src/a.py (edit, 1x)\n")
	input, err := json.Marshal(map[string]string{
		"file_path": "fix.js", "content": "const p = 'src/b.py'\nfs.writeFileSync(p, '')\n",
	})
	require.NoError(t, err)
	d.tell("a", event.ToolRan{Tool: "write", Input: input})
	d.run("b", "node fix.js", "", 0)
	assert.NotContains(t, d.text("a"), "b.py (edit", "the script of another session may be another one")
	d.run("a", "node fix.js", "", 0)
	assert.Contains(t, d.text("a"), "- src/b.py (edit, 1x)\n")
}

func TestB9_AFailureWithoutANameIsOneUntilARunNamesIt(t *testing.T) {
	d := newDesk(t, nil)
	open := func() (list []string) {
		for _, e := range d.room.Errors("a", tree) {
			list = append(list, e.Summary)
		}
		return list
	}
	const run = "pytest tests | tail -1"
	const named = "FAILED tests/a.py::test_x - assert 1 == 2\n1 failed, 4 passed in 0.1s\n"
	d.run("a", run, "2 failed, 3 passed in 0.1s\n", 0)
	d.run("a", run, "1 failed, 4 passed in 0.2s\n", 0)
	assert.Equal(t, []string{"pytest tests: 1 failed, 4 passed in 0.2s"}, open())
	d.run("a", "pytest tests | tail -3", named, 0)
	assert.Equal(t, []string{"tests/a.py::test_x: assert 1 == 2"}, open(), "the run names it")
	d.run("a", run, "1 failed, 4 passed in 0.2s\n", 0)
	assert.Equal(t, []string{"tests/a.py::test_x: assert 1 == 2"}, open(), "its name is known")
	d.run("a", run, "5 passed in 0.1s\n", 0)
	assert.Empty(t, open())
}

func TestAfterARestartWhatACommandReportedIsStillTold(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "go test ./...", "--- FAIL: TestX (0.00s)\n    a_test.go:3: bad\nFAIL\nFAIL\texample.com/a\t0.1s\n", 1)
	d.tell("a", diagnostics("b.go", "undefined: y"))
	d.tell("a", event.SessionStarted{Resumed: true})
	text := d.text("a")
	assert.Contains(t, text, "TestX: bad")
	assert.Contains(t, text, "(not run again since the restart)")
	assert.NotContains(t, text, "undefined: y", "an editor reports it again")
	d.run("a", "go test ./...", "ok  \texample.com/a\t0.1s\n", 0)
	assert.NotContains(t, d.text("a"), "TestX")
}

func TestAnErrorOfAnotherSessionSaysSoBehindItsMessage(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("b", diagnostics("b.go", "warn me"))
	assert.Contains(t, d.text("a"), "b.go:1: warn me (reported in agent b)\n")
}

func TestTheIdOfATestOfPytestDoesNotNameItsFileTwice(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "pytest", "=== FAILURES ===\n___ test_x ___\n\n    def test_x():\n>       assert 1 == 2\n"+
		"E       assert 1 == 2\n\na/test_a.py:7: AssertionError\n=== short test summary info ===\n"+
		"FAILED a/test_a.py::test_x - assert 1 == 2\n=== 1 failed in 0.1s ===\n", 1)
	assert.Contains(t, d.text("a"), "- [test] a/test_a.py::test_x: assert 1 == 2 (line 7) (failed before")
}

func TestB8_OfTheFilesThatACallNamesThoseThatCanBeKeptAreTouched(t *testing.T) {
	d := newDesk(t, nil)
	input := map[string][]string{}
	for i := range 3 * tool.MaxFiles {
		input["paths"] = append(input["paths"], fmt.Sprintf("a%d.go", i))
	}
	doc, err := json.Marshal(input)
	require.NoError(t, err)
	touched := 0
	for _, c := range d.tell("a", event.ToolRan{Tool: "read", Input: doc}) {
		if c.Kind == FileTouched {
			touched++
		}
	}
	assert.Equal(t, tool.MaxFiles, touched)
}

package hot

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

const tree = "/tree"

// A desk is a room that is told what happens, second by second.
type desk struct {
	t    *testing.T
	room *Room
	live map[string]bool
	now  time.Time
	disk map[string]bool // the files that exist, unchanged
	// contents are the files that can be read.
	contents map[string]string
	// versioned are the files that git tracks.
	versioned map[string]bool
	// pristine are those of which the disk has what git has.
	pristine map[string]bool
	log      []change.Change
}

func newDesk(t *testing.T, set func(*settings.Settings)) *desk {
	d := &desk{
		t:    t,
		live: map[string]bool{"a": true, "b": true},
		disk: map[string]bool{},
		now:  time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	s := settings.Default()
	if set != nil {
		set(s)
	}
	d.room = New(room.Env{
		Now:       func() time.Time { return d.now },
		Read:      func(_, path string) (string, bool) { content, ok := d.contents[path]; return content, ok },
		Exists:    func(_, path string) bool { return d.disk[path] },
		Unchanged: func(_, path string, _ time.Time) bool { return d.disk[path] },
		Versioned: func(_, path string) bool { return d.versioned[path] },
		Pristine:  func(_, path string) bool { return d.pristine[path] },
		Settings:  func() *settings.Settings { return s }, Live: func(id string) bool { return d.live[id] },
		Tracked: func(_, _, file string) (string, bool) {
			return strings.TrimPrefix(file, tree+"/"), !strings.HasSuffix(file, ".env")
		},
	})
	return d
}

func (d *desk) tell(session string, body any) []change.Change {
	d.t.Helper()
	d.now = d.now.Add(time.Second)
	changes, err := d.room.Observe(
		event.Event{At: d.now, Session: session, Agent: "agent " + session, Worktree: tree, Body: body},
	)
	require.NoError(d.t, err)
	if _, ended := body.(event.SessionEnded); ended {
		changes = append(changes, d.room.EndSession(session)...)
	}
	for i := range changes {
		changes[i].At, changes[i].By = d.now, "agent "+session
		if changes[i].Session == "" {
			changes[i].Session = session
		}
		_, err := d.room.Fold(changes[i])
		require.NoError(d.t, err)
	}
	d.log = append(d.log, changes...)
	return changes
}

func (d *desk) run(session, commandLine, output string, code int) []change.Change {
	d.t.Helper()
	input, err := json.Marshal(map[string]string{"command": commandLine})
	require.NoError(d.t, err)
	return d.tell(session, event.ToolRan{Tool: "bash", Input: input, Output: output, ExitCode: &code})
}

func diagnostics(path string, messages ...string) event.Diagnostics {
	body := event.Diagnostics{Path: path}
	for i, message := range messages {
		body.Items = append(
			body.Items,
			event.Diagnostic{Severity: 1, Line: i + 1, Source: "compiler", Message: message},
		)
	}
	return body
}

func TestB8_FilesRankByWeightAndCountAndNewerFirstOnATie(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", event.FileTouched{Path: "read.go", Action: event.Read})
	d.tell("a", event.FileTouched{Path: "grep.go", Action: event.Grep})
	d.tell("a", event.FileTouched{Path: "write.go", Action: event.Write})
	d.tell("a", event.FileTouched{Path: "edit.go", Action: event.Edit})
	d.tell("a", event.FileTouched{Path: "later.go", Action: event.Edit})
	d.tell("a", event.FileTouched{Path: "read.go", Action: event.Edit})
	var order []string
	for _, f := range d.room.Files("a", tree, 0) {
		order = append(order, fmt.Sprintf("%s %d", f.Path, f.Rank()))
	}
	assert.Equal(t, []string{"read.go 56", "later.go 53", "edit.go 53", "write.go 48", "grep.go 33"}, order)
}

func TestB8_OfMoreFilesThanAreKeptTheLowestGoes(t *testing.T) {
	d := newDesk(t, nil)
	touch := func(i int, action event.FileAction) {
		d.tell("a", event.FileTouched{Path: fmt.Sprint(i), Action: action})
	}
	for i := range maxFiles {
		touch(i, event.Edit)
	}
	touch(maxFiles, event.Read)
	kept := map[string]bool{}
	for _, f := range d.room.Files("a", tree, 0) {
		kept[f.Path] = true
	}
	assert.Len(t, kept, maxFiles)
	assert.NotContains(t, kept, "0", "it was edited before all others")
	assert.Contains(t, kept, fmt.Sprint(maxFiles), "the last one stays, whatever its rank")

	next := maxFiles
	allocations := testing.AllocsPerRun(50, func() {
		next++
		touch(next, event.Edit)
	})
	assert.Less(t, allocations, maxFiles/2.0, "it allocates nothing for each of the files")
}

func TestB8_AFileThatIsOpenedWithAnotherServerIsNotReadAgain(t *testing.T) {
	d := newDesk(t, nil)
	open := func(session string, since time.Time) {
		d.tell(session, event.FileTouched{Path: "a.go", Action: event.Read, Since: since})
	}
	count := func() int { return d.room.Files("a", tree, 0)[0].Count }
	began := d.now
	open("a", began)
	assert.Equal(t, 1, count())
	open("a", began)
	assert.Equal(t, 2, count(), "it was closed and opened")
	for range 6 {
		open("a", d.now.Add(time.Millisecond))
	}
	assert.Equal(t, 2, count(), "each time the server was another")
	open("a", began)
	assert.Equal(t, 3, count())
	open("b", d.now.Add(time.Millisecond))
	assert.Equal(t, 4, count(), "another session reads for itself")
}

func TestB8_ToolsTouchFilesByTheirKind(t *testing.T) {
	d := newDesk(t, nil)
	for tool, input := range map[string]string{
		"Read": `{"filePath":"r.go"}`, "multiedit": `{"file_path":"e.go"}`, "create": `{"path":"w.go"}`,
		"grep":        `{"paths":["g.go"]}`,
		"apply_patch": `{"patchText":"*** Begin Patch\n*** Update File: p.go\n*** End Patch"}`,
		"view":        `{"path":"secret.env"}`, "other": `{"path":"x.go"}`,
	} {
		d.tell("a", event.ToolRan{Tool: tool, Input: json.RawMessage(input)})
	}
	actions := map[string]event.FileAction{}
	for _, f := range d.room.Files("a", tree, 0) {
		actions[f.Path] = f.Action
	}
	assert.Equal(
		t,
		map[string]event.FileAction{
			"r.go": event.Read,
			"e.go": event.Edit,
			"w.go": event.Write,
			"g.go": event.Grep,
			"p.go": event.Edit,
		},
		actions,
	)
}

func (d *desk) render(reader string, maxChars int) Rendered {
	return d.room.Render(room.Reader{Session: reader, Worktree: tree}, maxChars, View{})
}

func TestB7_TheStateIsRenderedWithinItsLimits(t *testing.T) {
	d := newDesk(t, nil)
	assert.Empty(t, d.render("a", 1200).Text, "what is empty is absent")
	for range 18 {
		d.tell("a", event.FileTouched{Path: "often.go", Action: event.Edit})
	}
	for i := range 12 {
		d.tell("a", event.FileTouched{Path: fmt.Sprintf("file%d.go", i), Action: event.Edit})
	}
	d.tell("a", diagnostics("bad.go", "undefined: w", "undefined: x", "undefined: y", "undefined: z"))
	text := d.render("a", 1200).Text
	assert.Contains(t, text, "- often.go (edit, 18x)\n")
	assert.Equal(t, 8, strings.Count(text, "x)\n"), text)
	assert.Equal(t, 3, strings.Count(text, "[typecheck]"))
	for limit := range 1300 {
		rendered := d.render("a", limit)
		require.LessOrEqual(t, utf8.RuneCountInString(rendered.Text), limit)
	}
}

func TestB7_WhatWasChangedComesBeforeWhatWasReadOrFound(t *testing.T) {
	d := newDesk(t, nil)
	touch := func(action event.FileAction, paths ...string) {
		for _, path := range paths {
			d.tell("a", event.FileTouched{Path: path, Action: action})
		}
	}
	touch(event.Grep, "g1.go", "g2.go", "g3.go", "g4.go")
	assert.Equal(t, "<session_state>\nActive files:\n"+
		"- g4.go (grep, 1x), g3.go (grep, 1x), g2.go (grep, 1x)\n</session_state>", d.text("a"))
	d.tell("b", event.FileTouched{Path: "theirs.go", Action: event.Read})
	assert.Contains(t, d.text("a"), "- theirs.go (read, 1x) in agent b\n")
	d.tell("b", event.FileDeleted{Path: "theirs.go"})
	touch(event.Read, "r1.go", "r2.go", "r3.go", "r4.go", "r1.go", "r2.go", "r3.go", "r4.go", "once.go", "g1.go")
	d.disk["known.go"] = true
	d.run("a", "cat known.go", "package a\n", 0)
	touch(event.Write, "w1.go", "w2.go")
	touch(event.Edit, "e1.go", "e2.go")
	assert.Equal(t, "<session_state>\nActive files:\n- e2.go (edit, 1x)\n- e1.go (edit, 1x)\n"+
		"- w2.go (write, 1x), w1.go (write, 1x)\n- g1.go (read, 1x), r4.go (read, 2x), r3.go (read, 2x)\n"+
		"</session_state>", d.text("a"))
	assert.Contains(t, d.text("b"), "- g4.go (grep, 1x) in agent a\n", "the changes are not those of the reader")
}

func TestB7_AFileThatWasEditedAndReadSaysBoth(t *testing.T) {
	d := newDesk(t, nil)
	d.disk["a.go"] = true
	d.run("a", "sed -i s/a/b/ a.go", "", 0)
	d.run("a", "sed -n '1,200p' a.go", "package a\n", 0)
	assert.Contains(t, d.text("a"), "- a.go (edit, 1x; read lines 1–200 at step 2, unchanged)\n")
}

func TestB8_AFileThatWasLastUsedManyTurnsAgoLeavesTheContext(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", event.FileTouched{Path: "old.go", Action: event.Edit})
	assert.Contains(t, d.text("a"), "- old.go (edit, 1x)\n")
	for range 20 {
		d.tell("a", event.MessageReceived{Role: "assistant", Text: "Go on."})
	}
	assert.Contains(t, d.text("a"), "- old.go (edit, 1x)\n", "nothing else was used since")
	d.tell("a", event.FileTouched{Path: "new.go", Action: event.Edit})
	assert.NotContains(t, d.text("a"), "old.go")
}

func TestB12_ARequestLeavesTheContextWhenItWasFulfilledAndARuleStays(t *testing.T) {
	d := newDesk(t, nil)
	say := func(text string) { d.tell("a", event.MessageReceived{Role: "user", Text: text}) }
	say("Can we show the branch name in the list?")
	say("We should never use a global logger, because the tests replace it.")
	const request, rule = "- Can we show the branch name in the list?\n", "- We should never use a global logger"
	assert.Contains(t, d.text("a"), request, "nothing was done since")
	d.tell("a", event.FileTouched{Path: "list.go", Action: event.Edit})
	assert.NotContains(t, d.text("a"), request)
	for range 9 {
		say("Now the next one.")
	}
	assert.Contains(t, d.text("a"), rule)
	whole := d.room.Whole(room.Reader{Session: "a", Worktree: tree})
	assert.Contains(t, whole, request, "what a compaction is told is complete")

	d = newDesk(t, nil)
	d.tell("a", event.MessageReceived{Role: "user", Text: "Can we show the branch name in the list?"})
	d.tell("a", event.FileTouched{Path: "list.go", Action: event.Edit})
	assert.Contains(t, d.text("a"), request, "it is being worked on")
}

func TestAStatementFadesWhenTheSessionTurnsToSomethingElse(t *testing.T) {
	d := newDesk(t, nil)
	say := func(text string) {
		d.tell("a", event.MessageReceived{Role: "user", Text: text}.Prepared(request.Before{}))
	}
	say("The exporter should write one file per customer instead of one archive, to keep the uploads small.")
	say("Never push to main without a review.")
	say("The invoices should show the net amount rather than the gross one, to avoid questions.")
	const exporter, rule, invoices = "- The exporter should", "- Never push", "- The invoices should"
	for range 80 {
		d.run("a", "true", "", 0)
	}
	for range 3 {
		say("Why does the login page reload twice?")
	}
	assert.NotContains(t, d.text("a"), exporter)
	assert.NotContains(t, d.text("a"), invoices)
	assert.Contains(t, d.text("a"), rule, "it is about everything")
	say("Please name the files of the exporter after the customer.")
	assert.Contains(t, d.text("a"), exporter, "it is about that again")
	assert.NotContains(t, d.text("a"), invoices)
	assert.Contains(t, d.room.Whole(room.Reader{Session: "a", Worktree: tree}), invoices, "a summary has all")

	d = newDesk(t, nil)
	say("The exporter should write one file per customer instead of one archive, to keep the uploads small.")
	for range 3 {
		say("Why does the login page reload twice?")
	}
	assert.Contains(t, d.text("a"), exporter, "little was done since")
}

func TestAStatementFadesAfterManyToolsOfAnotherMatterAlsoWithFewMessages(t *testing.T) {
	d := newDesk(t, nil)
	say := func(text string) {
		d.tell("a", event.MessageReceived{Role: "user", Text: text}.Prepared(request.Before{}))
	}
	say("The exporter should write one file per customer instead of one archive, to keep the uploads small.")
	for range awaySteps {
		d.run("a", "true", "", 0)
	}
	assert.Contains(t, d.text("a"), "The exporter should", "it is what was said last")
	say("Why does the login page reload twice?")
	assert.NotContains(t, d.text("a"), "The exporter should")
}

func TestB12_WhatWasAgreedToLeavesTheContextOnceItIsDone(t *testing.T) {
	for name, c := range map[string]struct{ question, answer, want string }{
		"a question": {
			"The command could be moved.\n\nShould `clean` become a subcommand of `sessions`?", "yes",
			`"yes" → Should`,
		},
		"an option": {
			"1. Show the location in the list of sessions\n2. Hide it\n\nWhich one?", "option 1", `"option 1" → Show`,
		},
		"advice": {
			"I'd recommend the flag `--apply` because git has it, too.", "ok, let's go", `"ok, let's go" → I'd`,
		},
	} {
		d := newDesk(t, nil)
		before := request.Before{}
		say := func(role, text string) {
			d.tell("a", event.MessageReceived{Role: role, Text: text}.Prepared(before))
			before = before.After(role, text)
		}
		say("assistant", c.question)
		say("user", c.answer)
		assert.Contains(t, d.text("a"), c.want, name)
		d.run("a", "echo x >> list.go", "", 0)
		assert.Contains(t, d.text("a"), c.want, name+" is being done")
		say("assistant", "Done.")
		say("user", "What does the second column show?")
		assert.NotContains(t, d.text("a"), c.want, name+" is done")
		whole := d.room.Whole(room.Reader{Session: "a", Worktree: tree})
		assert.Contains(t, whole, c.want, "a summary has it")
	}
}

func TestB12_ADesignThatWasBuiltLeavesTheContextAndARuleStays(t *testing.T) {
	d := newDesk(t, nil)
	say := func(text string) {
		d.tell("a", event.MessageReceived{Role: "user", Text: text}.Prepared(request.Before{}))
	}
	const design = "The list should show the name of the branch behind every session of the user."
	const rule = "Never write to the main branch from a test."
	say(rule)
	say(design)
	d.run("a", "echo x >> list.go", "", 0)
	say("Why is the second column empty?")
	assert.Contains(t, d.text("a"), design, "there may be more to say about it")
	say("And where does the date come from?")
	assert.NotContains(t, d.text("a"), design)
	assert.Contains(t, d.text("a"), rule)
}

func TestB12_AnArgumentLeavesTheContextWithTheNextMessage(t *testing.T) {
	d := newDesk(t, nil)
	say := func(text string) {
		d.tell("a", event.MessageReceived{Role: "user", Text: text}.Prepared(request.Before{}))
	}
	say("We should use no cache there because nothing runs in between. Am I missing something?")
	assert.Contains(t, d.text("a"), "We should use no cache there")
	say("Then what else could it be?")
	assert.Contains(t, d.text("a"), "Task: We should use no cache there", "it is what that refers to")
	assert.NotContains(t, d.text("a"), "Said by the user")
	say("Why is the second column empty?")
	assert.NotContains(t, d.text("a"), "We should use no cache there")
}

func TestARootCauseStaysAndSaysThatFilesWereEditedSince(t *testing.T) {
	d := newDesk(t, nil)
	const cause = "The crash is caused by a lock that the writer never releases."
	d.tell("a", event.MessageReceived{Role: "assistant", Text: cause})
	assert.Contains(t, d.text("a"), "Root causes:\n- "+cause+"\n")
	d.tell("a", event.FileTouched{Path: "writer.go", Action: event.Edit})
	d.tell("a", event.FileTouched{Path: "writer.go", Action: event.Read})
	for range 12 {
		d.tell("a", event.MessageReceived{Role: "user", Text: "Go on with the next one."})
	}
	assert.Contains(t, d.text("a"), "- "+cause+" (files were edited since)\n")
}

func TestARootCauseLeavesSomeMessagesAfterFilesWereEdited(t *testing.T) {
	d := newDesk(t, nil)
	const cause = "The root cause is that the cache keys ignore the locale of the request."
	d.says("Why are the prices of some shops wrong?")
	d.tell("a", event.MessageReceived{Role: "assistant", Text: cause}.Prepared(request.Before{}))
	for range factPrompts {
		d.says("Does the export of the orders have a header line?")
	}
	assert.Contains(t, d.text("a"), "Root causes:\n- "+cause+"\n", "nobody has mended it")
	d.tell("a", event.FileTouched{Path: "cache.go", Action: event.Edit})
	assert.NotContains(t, d.text("a"), "Root causes")
}

func TestStatementsBeyondTheLimitAreNotSaidInAnotherSection(t *testing.T) {
	d := newDesk(t, nil)
	for i := range 7 {
		text := fmt.Sprintf("We should never use the logger number %d.", i)
		d.tell("a", event.MessageReceived{Role: "user", Text: text})
	}
	part := d.room.part(room.Reader{Session: "a", Worktree: tree}, 1200, nil)
	assert.Equal(t, 5, strings.Count(part.Text, "\n- "))
	assert.True(t, part.Withheld[render.DedupKey("We should never use the logger number 1.")])
	assert.False(t, part.Withheld[render.DedupKey("We should never use the logger number 2.")])
}

func TestAStatementThatTheWorkspaceMemoryHoldsIsNotSaidAgain(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", event.MessageReceived{Role: "user", Text: "Remember this: always run the linter before a commit."})
	require.Contains(t, d.text("a"), "always run the linter before a commit.")
	key := render.DedupKey("always run the linter before a commit.")
	part := d.room.part(room.Reader{Session: "a", Worktree: tree}, 1200, render.DedupSet{{key: true}})
	assert.Empty(t, part.Text)
	assert.True(t, part.Withheld[render.DedupKey("Remember this: always run the linter before a commit.")])
}

func TestB7_ManyErrorsBecomeOneLineWithTheCommonest(t *testing.T) {
	d := newDesk(t, nil)
	for i := range 60 {
		d.tell("a", diagnostics(fmt.Sprintf("f%d.go", i), "undefined: shared"))
	}
	text := d.render("a", 1200).Text
	assert.Contains(t, text, "- 60 errors are open; the commonest, 60x: [typecheck] undefined: shared\n")
}

func TestManyErrorsThatNobodyCheckedSinceSaySo(t *testing.T) {
	for name, test := range map[string]struct {
		count                           int
		command, ofOneFile, found, line string
	}{
		"errors": {
			60, "go build ./...", "go build ./f1.go", "./f%d.go:9:6: undefined: shared\n",
			"- 60 errors are open; the commonest, 60x: [build] undefined: shared",
		},
		"findings of linters": {
			40, "ruff check .", "ruff check f1.py", "f%d.py:1:1: F401 `os` imported but unused\n",
			"- [lint] 40 findings in 40 files, such as: F401 `os` imported but unused",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			var output strings.Builder
			for i := range test.count {
				fmt.Fprintf(&output, test.found, i)
			}
			d.run("a", test.command, output.String(), 1)
			assert.Contains(t, d.render("b", 1200).Text, test.line+"\n")
			d.live["a"] = false
			d.tell("a", event.SessionEnded{})
			assert.Contains(t, d.render("b", 1200).Text, test.line+" (not checked since 2026-01-02 03:04 UTC)\n")
			d.run("b", test.ofOneFile, fmt.Sprintf(test.found, 1), 1)
			assert.Contains(t, d.render("b", 1200).Text, test.line+"\n", "one is checked")
		})
	}
}

func TestManyFindingsOfLintersBecomeOneLineBesideOtherErrors(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "go build ./...", "# example.com/a\n./a.go:9:6: undefined: x\n", 1)
	lint := "a.py:1:1: F401 `os` imported but unused\na.py:2:1: F401 `re` imported but unused\n"
	d.run("a", "ruff check .", lint+"Found 2 errors.\n", 1)
	text := d.text("a")
	assert.Equal(t, 2, strings.Count(text, "- [lint] a.py:"))
	lint += "a.py:3:1: E302 expected 2 blank lines\nb.py:3:1: E302 expected 2 blank lines\n"
	d.run("a", "ruff check .", lint+"Found 4 errors.\n", 1)
	assert.Contains(t, d.text("a"), "Open errors:\n- [build] a.go:9: undefined: x (failed before your first edit)\n"+
		"- [lint] 4 findings in 2 files, such as: E302 expected 2 blank lines\n</session_state>")
	part := d.room.part(room.Reader{Session: "a", Worktree: tree}, 1200, nil)
	assert.Len(t, d.room.Errors("a", tree), 5)
	for _, e := range d.room.Errors("a", tree) {
		assert.True(t, part.Withheld[e.Fingerprint] || e.Category == "build", "no other section lists them")
	}
	d.run("a", "ruff check .", lint[strings.Index(lint, "a.py:3"):]+"Found 2 errors.\n", 1)
	assert.Equal(t, 2, strings.Count(d.text("a"), "- [lint] "), "few are listed")
}

func TestAFileThatASearchFoundOnceIsNotShownBesideFilesThatWereRead(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", event.FileTouched{Path: "found.go", Action: event.Grep})
	assert.Contains(t, d.text("a"), "found.go (grep, 1x)")
	d.tell("a", event.FileTouched{Path: "often.go", Action: event.Grep})
	d.tell("a", event.FileTouched{Path: "often.go", Action: event.Grep})
	d.tell("a", event.FileTouched{Path: "read.go", Action: event.Read})
	assert.NotContains(t, d.text("a"), "found.go")
	assert.Contains(t, d.text("a"), "often.go (grep, 2x)")
	assert.Contains(t, d.text("a"), "read.go")
}

func TestB10_TheSetOfAFileReplacesTheFormerSet(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", diagnostics("a.go", "undefined: x", "undefined: y"))
	require.Len(t, d.room.Errors("a", tree), 2)
	assert.Empty(
		t,
		d.tell("a", diagnostics("a.go", "undefined: x", "undefined: y")),
		"the same set again changes nothing",
	)
	d.tell("b", diagnostics("a.go"))
	assert.Len(t, d.room.Errors("a", tree), 2, "another session's set is another")
	body := diagnostics("a.go", "undefined: y", "undefined: new")
	body.ClosesOnly = true
	d.tell("a", body)
	require.Len(t, d.room.Errors("a", tree), 1)
	assert.Equal(t, "undefined: y", d.room.Errors("a", tree)[0].Summary)
	d.tell("a", diagnostics("a.go"))
	assert.Empty(t, d.room.Errors("a", tree))
}

func TestB10_WarningsOpenBySettingAndLintersHaveTheirCategory(t *testing.T) {
	body := event.Diagnostics{
		Path:  "a.ts",
		Items: []event.Diagnostic{{Severity: 2, Line: 1, Source: "ESLint", Message: "no-unused"}},
	}
	d := newDesk(t, nil)
	d.tell("a", body)
	assert.Empty(t, d.room.Errors("a", tree))
	d = newDesk(t, func(s *settings.Settings) { s.Errors.Warnings = true })
	d.tell("a", body)
	require.Len(t, d.room.Errors("a", tree), 1)
	assert.Equal(t, "lint", d.room.Errors("a", tree)[0].Category)
}

func TestB11_TheSameErrorFromACommandAndADiagnosticIsOneAndBothCloseIt(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", diagnostics("a.go", "undefined: x"))
	d.run("b", "go build ./...", "# example.com/a\n./a.go:9:6: undefined: x\n", 1)
	require.Len(t, d.room.Errors("a", tree), 1)
	assert.Len(t, d.room.Errors("a", tree)[0].Sources, 2)
	d.run("b", "go build ./...", "", 0)
	require.Len(t, d.room.Errors("a", tree), 1, "a command's success closes no diagnostic")
	d.tell("a", diagnostics("a.go"))
	assert.Empty(t, d.room.Errors("a", tree))
}

func TestB11_WhatACheckAndALanguageServerSayOfAFileInTheSameWordsIsOneError(t *testing.T) {
	const assignable = "Type '{ id: number; }' is not assignable to type 'Row'.\n" +
		"  Types of property 'id' are incompatible.\n    Type 'number' is not assignable to type 'string'."
	const argument = "Argument of type \"str\" cannot be assigned to parameter \"n\" of type \"int\"\n" +
		"  \"str\" is not assignable to \"int\""
	for _, test := range []struct {
		name, command, output, file, message string
		errors                               int
	}{
		{
			"code that go test cannot compile", "go test ./...",
			"# example.org/cart\n./a.go:9:6: undefined: x\nFAIL\texample.org/cart [build failed]\n",
			"a.go", "undefined: x", 1,
		},
		{
			"what go test finds without compiling", "go test ./...",
			"# example.org/cart\n./a.go:9:6: fmt.Printf format %d has arg s of wrong type string\n" +
				"FAIL\texample.org/cart [build failed]\n",
			"a.go", "fmt.Printf format %d has arg s of wrong type string", 1,
		},
		{
			"code that cargo test cannot compile", "cargo test",
			"error[E0433]: failed to resolve: use of undeclared type `Cart`\n --> a.rs:9:6\n  |\n",
			"a.rs", "failed to resolve: use of undeclared type `Cart`", 1,
		},
		{
			"cargo with what stands at the place", "cargo build",
			"error[E0308]: mismatched types\n --> a.rs:9:6\n  |\n9 |     let n: i32 = \"a\";\n" +
				"  |            ---   ^^^ expected `i32`, found `&str`\n" +
				"  |            |\n  |            expected due to this\n",
			"a.rs", "mismatched types\nexpected `i32`, found `&str`", 1,
		},
		{
			"cargo with its notes", "cargo build",
			"error[E0308]: mismatched types\n  --> a.rs:9:6\n   |\n 9 |     let s: Option<String> = t;\n" +
				"   |            --------------   ^ expected `Option<String>`, found `String`\n   |\n" +
				"   = note: expected enum `Option<String>`\n            found struct `String`\n" +
				"help: try wrapping the expression in `Some`\n   |\n 9 |     let s: Option<String> = Some(t);\n",
			"a.rs", "mismatched types\nexpected enum `Option<String>`\n found struct `String`", 1,
		},
		{
			"tsc with its reasons", "npx tsc", "a.ts(9,6): error TS2322: " + assignable + "\n",
			"a.ts", assignable, 1,
		},
		{
			"tsc in colour", "npx tsc --pretty",
			"\x1b[96ma.ts\x1b[0m:\x1b[93m9\x1b[0m:\x1b[93m6\x1b[0m - " +
				"\x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0m" + assignable +
				"\n\n\x1b[7m9\x1b[0m   rows.push(row)\n\nFound 1 error in a.ts:9\n",
			"a.ts", assignable, 1,
		},
		{
			"pyright with its reasons", "pyright",
			"/tree/a.py\n  /tree/a.py:9:6 - error: " + strings.ReplaceAll(argument, "\n", "\n    ") +
				" (reportArgumentType)\n1 error, 0 warnings, 0 informations\n",
			"a.py", strings.ReplaceAll(argument, "\n  ", "\n\u00a0\u00a0"), 1,
		},
		{
			"mypy", "mypy .",
			"a.py:9: error: Name \"total\" is not defined  [name-defined]\nFound 1 error in 1 file\n",
			"a.py", "Name \"total\" is not defined", 1,
		},
		{
			"other reasons", "npx tsc", "a.ts(9,6): error TS2322: " + assignable + "\n",
			"a.ts", strings.Replace(assignable, "'number'", "'boolean'", 1), 2,
		},
		{
			"another file", "go test ./...",
			"# example.org/cart\n./a.go:9:6: undefined: x\nFAIL\texample.org/cart [build failed]\n",
			"b.go", "undefined: x", 2,
		},
		{
			"a failing test with the words of a diagnostic", "go test ./...",
			"--- FAIL: TestX (0.00s)\n    a_test.go:9: undefined: x\nFAIL\nFAIL\texample.org/cart\t0.1s\n",
			"a_test.go", "undefined: x", 2,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, serverFirst := range []bool{false, true} {
				d := newDesk(t, nil)
				if serverFirst {
					d.tell("a", diagnostics(test.file, test.message))
				}
				d.run("b", test.command, test.output, 1)
				if !serverFirst {
					d.tell("a", diagnostics(test.file, test.message))
				}
				require.Len(t, d.summaries(), test.errors, d.summaries())
				d.run("b", test.command, "", 0)
				assert.Len(t, d.summaries(), 1, "what the language server reports stays")
				d.run("b", test.command, test.output, 1)
				d.tell("a", diagnostics(test.file))
				assert.Len(t, d.summaries(), 1, "what the command reported stays")
				d.run("b", test.command, "", 0)
				assert.Empty(t, d.summaries())
			}
		})
	}
}

func TestB9_AnErrorIsMaybeFixedOnceItsFileIsEditedAndCountsWhenItComesAgain(t *testing.T) {
	d := newDesk(t, nil)
	fail := func() { d.run("a", "go build ./...", "# example.com/a\n./a.go:9:6: undefined: x\n", 1) }
	fail()
	d.tell("a", event.FileTouched{Path: "a.go", Action: event.Edit})
	assert.True(t, d.room.Errors("a", tree)[0].MaybeFixed)
	fail()
	assert.False(t, d.room.Errors("a", tree)[0].MaybeFixed)
	assert.Equal(t, 2, d.room.Errors("a", tree)[0].Count)
	d.run("a", "cat a.go", "undefined: x", 0)
	assert.Len(t, d.room.Errors("a", tree), 1, "printing clears nothing")
}

func TestASessionThatIsOverTakesItsDiagnosticsAndOneThatResumesIsDoubted(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", diagnostics("a.go", "undefined: x"))
	d.tell("a", event.SessionStarted{Resumed: true})
	require.Len(t, d.room.Errors("a", tree), 1)
	assert.False(t, d.room.Errors("a", tree)[0].Verified())
	assert.NotContains(t, d.render("a", 1200).Text, "undefined: x")
	d.tell("a", diagnostics("a.go", "undefined: x"))
	assert.True(t, d.room.Errors("a", tree)[0].Verified())
	d.live["a"] = false
	d.tell("a", event.SessionEnded{Lost: true})
	assert.Empty(t, d.room.Errors("b", tree))
	_, open := d.room.Open(tree, tool.Fingerprint(command.Typecheck, "", "undefined: x", "a.go"))
	assert.False(t, open)
}

func TestB9_WhatACommandReportedSurvivesItsSessionAsNotChecked(t *testing.T) {
	d := newDesk(t, nil)
	const failing = "--- FAIL: TestAdd (0.00s)\n    add_test.go:7: got 3, want 4\nFAIL\n"
	d.run("a", "go test ./...", failing, 1)
	d.tell("a", diagnostics("a.go", "undefined: x"))
	d.tell("a", event.SessionEnded{})
	d.live["a"] = false
	d.run("b", "go vet ./...", "# m\n./b.go:1:1: undefined: y\n", 1)

	open := d.room.Errors("b", tree)
	require.Len(t, open, 2)
	assert.Equal(t, "undefined: y", open[0].Summary, "what is checked comes first")
	assert.True(t, open[0].Verified() && !open[0].Over)
	assert.True(t, !open[1].Verified() && open[1].Over)
	assert.Contains(t, d.render("b", 1200).Text,
		"TestAdd: got 3, want 4 (not checked since 2026-01-02 03:04 UTC) (reported in agent a)")
	assert.Empty(t, d.room.ErrorsAt("b", tree, "add_test.go", 7, 7), "its line may be another one")
	painted := d.room.paintErrors(panel.Reader{Session: "b", Worktree: tree})
	require.Len(t, painted.Items, 2)
	left := painted.Items[1]
	assert.Equal(t, "Not checked since agent a ended", left.Label)
	require.Len(t, left.Children, 1)
	assert.Equal(t, "TestAdd: got 3, want 4", left.Children[0].Label)
	assert.Equal(t, "2", painted.Summary)
	d.tell("b", event.FileTouched{Path: "b.go", Action: event.Edit})
	d.run("b", "echo package b > c.go", "", 0)
	assert.NotContains(t, d.render("b", 1200).Text, "TestAdd", "it works on other files")
	d.tell("b", event.FileTouched{Path: "add_test.go", Action: event.Read})
	assert.Contains(t, d.render("b", 1200).Text, "TestAdd", "it uses the file")

	again := d.run("b", "go test ./...", failing, 1)
	require.NotEmpty(t, again)
	assert.False(t, Opens(again[0]), "it was told already")
	assert.NotContains(t, d.render("b", 1200).Text, "not checked since 2")
	d.live["b"] = false
	assert.Len(t, d.room.Errors("c", tree), 2)
	d.live["c"] = true
	d.run("c", "go test ./...", "ok  \tm\t0.1s\n", 0)
	assert.NotContains(t, d.render("c", 1200).Text, "TestAdd")
}

func TestB9_ARuntimeErrorOfASessionThatIsOverFadesWithTheTurnsOfTheReader(t *testing.T) {
	d := newDesk(t, nil)
	d.disk["tool.py"] = true
	d.run("a", "python tool.py", "Traceback (most recent call last):\n"+
		"  File \"tool.py\", line 3, in <module>\nKeyError: 'name'\n", 1)
	d.tell("a", event.SessionEnded{})
	d.live["a"] = false
	require.Contains(t, d.render("b", 1200).Text, "KeyError: 'name' (not checked since")
	for range runtimeTurns + 1 {
		d.tell("b", event.MessageReceived{Role: "user", Text: "go on"})
	}
	assert.NotContains(t, d.render("b", 1200).Text, "KeyError")
	assert.Len(t, d.room.Errors("b", tree), 1)
}

func TestB13_TheHostsTodosAreTakenOver(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", event.TodosChanged{Todos: []event.Todo{{Content: "one", Status: "pending"}}})
	d.tell("a", event.TodosChanged{Todos: []event.Todo{{Content: "two", Status: "done"}}})
	assert.Equal(t, []event.Todo{{Content: "two", Status: "done"}}, d.room.Todos("a"))
	assert.Empty(t, d.room.Todos("b"))
}

// Two processes fold the hot changes of each other in another order; what they
// know has to be the same in the end.
func TestHotChangesOfTwoProcessesFoldToTheSameInAnyOrder(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		d := newDesk(t, nil)
		for range 30 {
			session := []string{"a", "b"}[random.IntN(2)]
			file := fmt.Sprintf("f%d.go", random.IntN(3))
			switch random.IntN(4) {
			case 0:
				d.tell(
					session,
					event.FileTouched{Path: file, Action: []event.FileAction{event.Edit, event.Read}[random.IntN(2)]},
				)
			case 1:
				d.run(session, "go build ./...", "# a\n./"+file+":1:1: undefined: x\n", 1)
			case 2:
				d.run(session, "go build ./...", "", 0)
			case 3:
				d.tell(session, event.FileTouched{Path: "other.go", Action: event.Write})
			}
		}
		// Each session's own changes stay in order, those of the two are mixed anew.
		var queues [2][]change.Change
		for _, c := range d.log {
			i := strings.Index("ab", c.Session)
			queues[i] = append(queues[i], c)
		}
		other := newDesk(t, nil)
		for len(queues[0])+len(queues[1]) > 0 {
			i := random.IntN(2)
			if len(queues[i]) == 0 {
				continue
			}
			_, err := other.room.Fold(queues[i][0])
			require.NoError(t, err)
			queues[i] = queues[i][1:]
		}
		assert.Equal(t, d.room.files, other.room.files, seed)
		assert.Equal(t, openNow(d.room), openNow(other.room), seed)
	}
}

// openNow is which errors are open, and who reports them.
func openNow(r *Room) map[string][]Source {
	open := map[string][]Source{}
	for _, e := range r.errors {
		open[e.Fingerprint] = e.Sources
	}
	return open
}

func TestB16_ErrorsOfOnesOwnToolAreFoundAndClosed(t *testing.T) {
	layer, err := settings.ParseTOML("wm-lsp.toml", []byte(`
		[[errors.patterns]]
		pattern = '^(?P<file>\S+)!(?P<line>\d+)! (?P<message>.+)$'
		category = "house"
		command = "house-*"
		[[errors.patterns]]
		pattern = 'broken pipe: (?P<message>\w+)'
		category = "build"
	`))
	require.NoError(t, err)
	merged, problems := settings.Merge(layer)
	require.Empty(t, problems)
	d := newDesk(t, func(s *settings.Settings) { *s = *merged })

	output := "checking\nsrc/a.txt!7! too long\nsrc/a.txt!7! too long\nbroken pipe: west\n"
	d.run("a", "house-lint src", output, 0)
	require.Empty(t, d.room.Errors("a", tree), "it did not fail")
	d.run("a", "cat report.txt", output, 1)
	require.Empty(t, d.room.Errors("a", tree), "it only prints")

	d.run("a", "cd sub && house-lint src", output, 1)
	found := map[string]Error{}
	for _, e := range d.room.Errors("a", tree) {
		found[e.Category] = e
	}
	require.Len(t, found, 2)
	assert.Equal(
		t,
		"sub/src/a.txt:7 too long (house-lint)",
		fmt.Sprintf(
			"%s:%d %s (%s)",
			found["house"].Path,
			found["house"].Line,
			found["house"].Summary,
			found["house"].Tool,
		),
	)
	assert.Equal(t, "west", found["build"].Summary)
	assert.Equal(t, 1, found["house"].Count)

	d.run("a", "other-lint src", "", 0)
	require.Len(t, d.room.Errors("a", tree), 2)
	d.run("a", "cd sub && house-lint src", "", 0)
	assert.Empty(t, d.room.Errors("a", tree))

	d.run("a", "other-lint src", output, 1)
	require.Len(t, d.room.Errors("a", tree), 1, "the first pattern is for other programs")
	assert.Equal(t, "west", d.room.Errors("a", tree)[0].Summary)
}

// The files of sessions are decoded when they are needed. Nobody may notice.
func TestFilesThatWereLoadedAreAsThoseThatWereFolded(t *testing.T) {
	for name, next := range map[string]func(d *desk){
		"nothing happens": func(*desk) {},
		"a file is touched once more": func(d *desk) {
			d.tell("over", event.FileTouched{Path: "src/a.go", Action: event.Read})
		},
		"a folder is renamed":    func(d *desk) { d.tell("a", event.FileRenamed{From: "src", To: "lib"}) },
		"a file is deleted":      func(d *desk) { d.tell("a", event.FileDeleted{Path: "src/a.go"}) },
		"a session is forgotten": func(d *desk) { d.room.ForgetSession("over") },
		"a row is taken back": func(d *desk) {
			require.NoError(d.t, d.room.Load([]change.Row{{Key: key(fileTable, tree, "over", "src/b.go")}}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			folded, loaded := newDesk(t, nil), newDesk(t, nil)
			folded.tell("over", event.FileTouched{Path: "src/a.go", Action: event.Edit})
			folded.tell("over", event.FileTouched{Path: "src/b.go", Action: event.Read})
			folded.tell("a", event.FileTouched{Path: "src/a.go", Action: event.Read})
			var rows []change.Row
			for k, file := range folded.room.files {
				rows = append(rows, change.NewRow(k, &file, nil))
			}
			require.NoError(t, loaded.room.Load(rows))
			loaded.now = folded.now
			next(folded)
			next(loaded)
			for _, reader := range []string{"b", "over"} {
				want := folded.room.Files(reader, tree, 0)
				assert.Equal(t, want, loaded.room.Files(reader, tree, 0), "for %s", reader)
			}
		})
	}
}

func TestAFileOfAnotherShapeIsReportedWhenItsSessionIsAskedFor(t *testing.T) {
	d := newDesk(t, nil)
	reported := []string{}
	d.room.env.Unreadable = func(room string, rows []change.Row) {
		for _, row := range rows {
			reported = append(reported, room+" "+row.Key)
		}
	}
	wrong := change.Row{Key: key(fileTable, tree, "over", "a.go"), Value: []byte(`{"path":1}`)}
	file := File{Worktree: tree, Session: "over", Path: "b.go"}
	right := change.NewRow(file.key(), &file, nil)
	require.NoError(t, d.room.Load([]change.Row{wrong, right}))
	assert.Empty(t, d.room.Files("a", tree, 0))
	assert.Empty(t, reported)
	assert.Len(t, d.room.Files("over", tree, 0), 1)
	assert.Equal(t, []string{"hot " + wrong.Key}, reported)
}

func TestAListOfStatementsForWhichThereIsNoRoomHasNoHeading(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", event.FileTouched{Path: "cart.go", Action: event.Edit})
	d.says("Rename the flag. Don't change the public API.")
	d.says("Why does the login page reload twice?")
	headings := 0
	for most := range 400 {
		text := d.render("a", most).Text
		assert.LessOrEqual(t, utf8.RuneCountInString(text), most)
		assert.NotContains(t, text, "more)")
		for _, heading := range []string{"Active files:\n", "Said by the user:\n"} {
			if _, after, there := strings.Cut(text, heading); there {
				assert.True(t, strings.HasPrefix(after, "- "), text)
				headings++
			}
		}
		assert.NotEqual(t, "<session_state>\n</session_state>", text)
	}
	assert.Greater(t, headings, 100)
}

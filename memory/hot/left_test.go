package hot

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

func (d *desk) left(session string) Left {
	return d.room.Left(session, at("b"))
}

func at(session string) room.Reader { return room.Reader{Session: session, Worktree: tree} }

func (d *desk) utters(session, role, text string) {
	d.t.Helper()
	d.tell(session, event.MessageReceived{Role: role, Text: text}.Prepared(request.Before{}))
}

func TestWhatASessionLeftIsWhatStillHolds(t *testing.T) {
	d := newDesk(t, nil)
	d.disk = map[string]bool{"cart.go": true, "tax.ts": true, "gone.go": true, "cart_test.go": true}
	d.utters("a", "user", "Fix the rounding of the totals in cart.go")
	d.run("a", "npx tsc", "tax.ts(3,1): error TS2304: Cannot find name 'rate'.\n", 2)
	for _, path := range []string{"tax.ts", "gone.go", "cart.go"} {
		d.tell("a", event.FileTouched{Path: path, Action: event.Edit})
	}
	d.run("a", "go test ./...", "--- FAIL: TestTotal (0.00s)\n    cart_test.go:7: got 3, want 4\nFAIL\n", 1)
	d.run("a", "go build ./other", "./gone.go:3:1: undefined: sum\n", 1)
	d.run("a", "git push", "error: failed to push some refs to 'origin'\n", 1)
	d.tell("a", event.TodosChanged{Todos: []event.Todo{
		{Content: "read", Status: "completed"}, {Content: "round half up", Status: "pending"},
	}})
	d.tell("b", diagnostics("cart.go", "undefined: cart"))
	delete(d.disk, "gone.go")
	d.live["a"] = false
	d.tell("a", event.SessionEnded{})

	left := d.left("a")
	assert.Equal(t, "Fix the rounding of the totals in cart.go", left.First)
	assert.True(t, left.Unanswered)
	assert.Equal(t, []string{"round half up"}, left.Todos)
	var paths []string
	for _, file := range left.Files {
		paths = append(paths, file.Path)
	}
	assert.Equal(t, []string{"cart.go", "tax.ts"}, paths, "the last edited first, without the deleted one")
	var lines []string
	for _, e := range left.Errors {
		lines = append(lines, e.Handed("a"))
	}
	const unchecked = " (not checked since 2026-01-02 03:04 UTC)"
	assert.Equal(t, []string{
		"[runtime] error: failed to push some refs to 'origin'" + unchecked,
		"[build] gone.go:3: undefined: sum" + unchecked,
		"[test] cart_test.go:7: TestTotal: got 3, want 4" + unchecked,
		"[typecheck] tax.ts:3: error TS2304: Cannot find name 'rate'. (failed before its first edit)" + unchecked +
			" (not checked since its file was edited)",
	}, lines)

	d.run("b", "go test ./...", "ok  \texample.com/shop\t0.1s\n", 0)
	d.now = d.now.Add(25 * time.Hour)
	left = d.left("a")
	require.Len(t, left.Errors, 1, "a run says otherwise, and a runtime error fades")
	assert.Equal(t, "error TS2304: Cannot find name 'rate'.", left.Errors[0].Summary)
}

func TestWhatAUserToldIsLeftUntilItIsSaidOrProvenToBeGone(t *testing.T) {
	const unchecked = "[runtime] TypeError: total is not a function (told by the user) " +
		"(not checked since 2026-01-02 03:04 UTC)"
	for name, test := range map[string]struct {
		then  func(*desk)
		lines []string
	}{
		"nothing happens":             {func(*desk) {}, []string{unchecked}},
		"another session's user says": {func(d *desk) { d.utters("b", "user", "The total works now.") }, nil},
		"a run reports it and then succeeds": {func(d *desk) {
			d.run("b", "node cart.js", "cart.js:3\nTypeError: total is not a function\n    at cart.js:3:1\n", 1)
			d.run("b", "node cart.js", "", 0)
		}, nil},
		"it is a day old": {func(d *desk) { d.now = d.now.Add(runtimeAge + time.Minute) }, nil},
		"a person dismissed it": {
			func(d *desk) { d.dismiss(d.room.errorsLeft("a", at("b"))[0], false) }, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			d.disk["cart.js"] = true
			d.utters("a", "user", "I get TypeError: total is not a function when I save. Please fix it.")
			d.live["a"] = false
			d.tell("a", event.SessionEnded{})
			assert.NotContains(t, d.render("b", 1200).Text, "TypeError", "it says nothing of what b does")

			test.then(d)
			var lines []string
			for _, e := range d.left("a").Errors {
				lines = append(lines, e.Handed("a"))
			}
			assert.Equal(t, test.lines, lines)
			assert.Len(t, d.room.Errors("b", tree), len(test.lines), "it stays open as long as it is handed over")
		})
	}
}

func TestARuntimeErrorThatItsOwnSessionLeftBehindIsNotHandedOver(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "git push", "error: failed to push some refs to 'origin'\n", 1)
	assert.Len(t, d.left("a").Errors, 1)
	for range runtimeTurns + 1 {
		d.utters("a", "user", "And now the next thing")
	}
	assert.Empty(t, d.left("a").Errors)
}

func TestAMessageIsUnansweredIfTheAgentWorkedOnItAndSaidNothing(t *testing.T) {
	d := newDesk(t, nil)
	d.utters("a", "user", "Fix the rounding of the totals")
	assert.False(t, d.left("a").Unanswered, "nothing was done")
	d.run("a", "ls", "", 0)
	assert.True(t, d.left("a").Unanswered)
	d.utters("a", "assistant", "Totals are rounded half up now.")
	assert.False(t, d.left("a").Unanswered)
	assert.True(t, d.left("a").Answered)
	d.utters("a", "user", "Now the tax")
	assert.True(t, d.left("a").Unanswered)
	assert.Equal(t, "Fix the rounding of the totals", d.left("a").First)

	for range 2 { // the host does not report what the agent says
		d.utters("b", "user", "Add a coupon")
		d.run("b", "ls", "", 0)
	}
	assert.False(t, d.left("b").Unanswered)
}

func TestAnErrorThatStaysAfterAnEditIsTold(t *testing.T) {
	const failing = "--- FAIL: TestAdd (0.00s)\n    add_test.go:7: got 3, want 4\nFAIL\n"
	d := newDesk(t, nil)
	after := func() (before, after bool) {
		d.t.Helper()
		list := d.left("a").Errors
		require.Len(d.t, list, 1)
		source, ran := list[0].From(FromCommand, "a")
		require.True(d.t, ran)
		return source.BeforeEdits, source.AfterEdits
	}
	d.disk = map[string]bool{"add.go": true, "add_test.go": true}
	for range 2 {
		d.run("a", "go test ./...", failing, 1)
		failedBefore, again := after()
		assert.True(t, failedBefore)
		assert.False(t, again, "nothing was edited")
	}
	d.tell("a", event.FileTouched{Path: "add.go", Action: event.Edit})
	_, again := after()
	assert.False(t, again, "nobody ran it since")
	for range 2 {
		d.run("a", "go test ./...", failing, 1)
		failedBefore, again := after()
		assert.True(t, failedBefore)
		assert.True(t, again)
	}
}

func TestADiagnosticThatTwoEditorsReportCountsOnce(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", diagnostics("cart.go", "undefined: cart"))
	d.tell("b", diagnostics("cart.go", "undefined: cart"))
	list := d.room.Errors("a", tree)
	require.Len(t, list, 1)
	assert.Equal(t, 1, list[0].Count)
}

// The diagnostics of an editor that ended are not open errors of others, but what it left.
func TestOfThousandsOfDiagnosticsOfAFileThoseOnItsFirstLinesAreOpen(t *testing.T) {
	d := newDesk(t, nil)
	var messages []string
	for i := range 3 * maxErrors {
		messages = append(messages, fmt.Sprintf("undefined: %c%c%c", 'a'+i/26/26, 'a'+i/26%26, 'a'+i%26))
	}
	assert.Len(t, d.tell("a", diagnostics("a.go", messages...)), maxErrors)
	for _, e := range d.room.Errors("a", tree) {
		assert.LessOrEqual(t, e.Line, maxErrors)
	}
	assert.Empty(t, d.tell("a", diagnostics("a.go", messages...)), "nothing has changed")
	assert.Len(t, d.tell("a", diagnostics("a.go", messages[0])), maxErrors-1, "the others are closed")
}

func TestDiagnosticsOfAnEndedSessionStayUntilALanguageServerSaysOtherwise(t *testing.T) {
	const unchecked = "[typecheck] a.go:1: undefined: x (not checked since 2026-01-02 03:04 UTC)"
	elsewhere := diagnostics("b.go", "undefined: y")
	kept := diagnostics("a.go", "undefined: x")
	kept.ClosesOnly = true
	gone := diagnostics("a.go")
	gone.ClosesOnly = true
	id := tool.Fingerprint(command.Typecheck, "", "undefined: x", "a.go")
	for name, test := range map[string]struct {
		then  func(*desk)
		lines []string
		count int // of the error in session b, 0 if it is not open there
	}{
		"nothing happens":                {func(*desk) {}, []string{unchecked}, 0},
		"another file is checked":        {func(d *desk) { d.tell("b", elsewhere) }, []string{unchecked}, 0},
		"an unsaved text still has it":   {func(d *desk) { d.tell("b", kept) }, []string{unchecked}, 0},
		"an unsaved text has it no more": {func(d *desk) { d.tell("b", gone) }, nil, 0},
		"it is reported again":           {func(d *desk) { d.tell("b", diagnostics("a.go", "undefined: x")) }, nil, 1},
		"it is not reported again":       {func(d *desk) { d.tell("b", diagnostics("a.go")) }, nil, 0},
		"another error is reported": {
			func(d *desk) { d.tell("b", diagnostics("a.go", "undefined: z")) }, nil, 0,
		},
		"a command reports it, too": {
			func(d *desk) { d.run("b", "go build ./...", "./a.go:1:6: undefined: x\n", 1) }, nil, 2,
		},
		"a command proves that it is gone": {func(d *desk) {
			d.run("b", "go build ./...", "./a.go:1:6: undefined: x\n", 1)
			d.run("b", "go build ./...", "", 0)
		}, nil, 0},
		"a run that covers its file succeeds": {
			func(d *desk) { d.run("b", "go build ./...", "", 0) }, nil, 0,
		},
		"a run of another folder succeeds": {
			func(d *desk) { d.run("b", "go build ./store", "", 0) }, []string{unchecked}, 0,
		},
		"a run of another language succeeds": {
			func(d *desk) { d.run("b", "npx tsc", "", 0) }, []string{unchecked}, 0,
		},
		"a run fails with another error": {
			func(d *desk) { d.run("b", "go build ./...", "./b.go:1:6: undefined: y\n", 1) }, []string{unchecked}, 0,
		},
		"its own session goes on and runs the compiler": {func(d *desk) {
			d.live["a"] = true
			d.run("a", "go test ./...", "ok  \texample.com/shop\t0.1s\n", 0)
		}, nil, 0},
		"its file is deleted":      {func(d *desk) { d.tell("b", event.FileDeleted{Path: "a.go"}) }, nil, 0},
		"it is a day old":          {func(d *desk) { d.now = d.now.Add(runtimeAge + time.Minute) }, nil, 0},
		"a person dismissed it":    {func(d *desk) { d.dismiss(d.room.errorsLeft("a", at("b"))[0], false) }, nil, 0},
		"the session is forgotten": {func(d *desk) { d.room.ForgetSession("a") }, nil, 0},
		"the session is resumed":   {func(d *desk) { d.live["a"] = true }, []string{unchecked}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			d.disk["a.go"] = true
			d.tell("a", diagnostics("a.go", "undefined: x"))
			d.live["a"] = false
			d.tell("a", event.SessionEnded{})
			assert.Empty(t, d.open("b"))
			assert.NotContains(t, d.render("b", 1200).Text, "undefined")

			test.then(d)
			var lines []string
			for _, e := range d.left("a").Errors {
				lines = append(lines, e.Handed("a"))
			}
			assert.Equal(t, test.lines, lines)
			count := 0
			for _, e := range d.room.Errors("b", tree) {
				if e.Summary == "undefined: x" {
					count = e.Count
				}
			}
			assert.Equal(t, test.count, count)
			assert.Equal(t, test.count > 0, d.room.isOpenFor("b", tree, id), "what is listed is known")
		})
	}
}

func TestAFileThatIsOnlyLookedAtStaysWhatTheEndedSessionChanged(t *testing.T) {
	for name, test := range map[string]struct {
		done   []event.FileAction
		detail string
	}{
		"nobody used it since": {nil, "edit, 1x · coder, ended just now"},
		"an editor has opened it": {
			[]event.FileAction{event.Read}, "edit, 1x · coder, ended just now · read by you",
		},
		"it was changed since": {[]event.FileAction{event.Read, event.Edit}, "edit, 1x"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			d.disk = map[string]bool{"cart.go": true}
			d.tell("a", event.FileTouched{Path: "cart.go", Action: event.Edit})
			d.live["a"] = false
			d.tell("a", event.SessionEnded{})
			for _, action := range test.done {
				d.tell("b", event.FileTouched{Path: "cart.go", Action: action})
			}
			section := d.room.paintFiles(
				panel.Reader{Session: "b", Own: "b", Worktree: tree, Left: "a", LeftBy: "coder, ended just now"},
			)
			require.Len(t, section.Items, 1)
			assert.Equal(t, test.detail, section.Items[0].Detail)
		})
	}
}

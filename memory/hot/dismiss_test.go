package hot

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// failedTest is the output of a test that fails.
const failedTest = "--- FAIL: TestTotal (0.00s)\n    cart_test.go:7: got 3, want 4\nFAIL\n"

// open returns the summaries of the errors that a session sees.
func (d *desk) open(session string) []string {
	summaries := []string{}
	for _, e := range d.room.Errors(session, tree) {
		summaries = append(summaries, e.Summary)
	}
	return summaries
}

// only returns the only error that a session sees.
func (d *desk) only(session string) Error {
	d.t.Helper()
	open := d.room.Errors(session, tree)
	require.Len(d.t, open, 1)
	return open[0]
}

// dismiss dismisses an error, or shows it again, as a person does.
func (d *desk) dismiss(e Error, undo bool) []change.Change {
	d.t.Helper()
	_, changes, err := d.room.Dismiss(tree, e.Fingerprint, undo)
	require.NoError(d.t, err)
	for _, c := range changes {
		c.At = d.now
		_, err := d.room.Fold(c)
		require.NoError(d.t, err)
	}
	return changes
}

// inTerminal is a command that a person ran in a terminal.
func (d *desk) inTerminal(session, commandLine, output string, code int) []change.Change {
	d.t.Helper()
	input, err := json.Marshal(map[string]string{"command": commandLine})
	require.NoError(d.t, err)
	ran := event.ToolRan{Tool: "terminal", Input: input, Output: output, ExitCode: &code}
	return d.tell(session, event.TerminalRan{ToolRan: ran})
}

func TestADismissedErrorIsNowhereUntilItComesBack(t *testing.T) {
	for _, test := range []struct {
		name            string
		report, elapses func(d *desk)
		comesBack       bool
	}{
		{
			"a command reports it again",
			func(d *desk) { d.run("a", "go test ./...", failedTest, 1) },
			func(d *desk) { d.run("b", "go test ./...", failedTest, 1) }, true,
		},
		{
			"another command fails",
			func(d *desk) { d.run("a", "go test ./...", failedTest, 1) },
			func(d *desk) { d.run("a", "npx tsc", "tax.ts(3,1): error TS2304: Cannot find name 'rate'.\n", 2) }, false,
		},
		{
			"a language server still reports it",
			func(d *desk) { d.tell("a", diagnostics("cart.go", "undefined: cart")) },
			func(d *desk) { d.tell("a", diagnostics("cart.go", "undefined: cart")) }, false,
		},
		{
			"a language server reports it on another line",
			func(d *desk) { d.tell("a", diagnostics("cart.go", "undefined: cart")) },
			func(d *desk) { d.tell("a", diagnostics("cart.go", "undefined: sum", "undefined: cart")) }, false,
		},
		{
			"the language server of another editor reports it, too",
			func(d *desk) { d.tell("a", diagnostics("cart.go", "undefined: cart")) },
			func(d *desk) { d.tell("b", diagnostics("cart.go", "undefined: cart")) }, false,
		},
		{
			"a language server reports it again after it was gone",
			func(d *desk) { d.tell("a", diagnostics("cart.go", "undefined: cart")) },
			func(d *desk) {
				d.tell("a", diagnostics("cart.go"))
				d.tell("a", diagnostics("cart.go", "undefined: cart"))
			}, true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t, nil)
			test.report(d)
			e := d.only("a")
			d.dismiss(e, false)
			assert.Empty(t, d.open("a"))
			assert.Empty(t, d.text("a"), "contexts do not have it")
			assert.Empty(t, d.room.ErrorsAt("a", tree, e.Path, e.Line, e.Line), "hovers do not have it")
			found, err := d.room.Find(t.Context(), nil, []string{errorsIn(tree) + e.Fingerprint})
			require.NoError(t, err)
			assert.Empty(t, found, "search does not find it")
			_, open := d.room.Open(tree, e.Fingerprint)
			assert.False(t, open)

			test.elapses(d)
			if test.comesBack {
				assert.Contains(t, d.open("a"), e.Summary)
			} else {
				assert.NotContains(t, d.open("a"), e.Summary)
			}
		})
	}
}

func TestADismissedErrorIsRestoredAsItWas(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "go test ./...", failedTest, 1)
	before := d.only("a")
	assert.NotEmpty(t, d.dismiss(before, false))
	assert.Empty(t, d.dismiss(before, false), "it is dismissed already")
	d.dismiss(before, true)
	assert.Equal(t, before, d.only("a"))

	d.dismiss(before, false)
	d.run("a", "go test ./...", "ok  \texample.org/cart\t0.1s\n", 0)
	_, _, err := d.room.Dismiss(tree, before.Fingerprint, true)
	assert.True(t, fault.Has(err, fault.NotFound), "it is fixed")
}

func TestAnAgentIsToldThatAnErrorWasDismissed(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "go test ./...", failedTest, 1)
	at := room.Reader{Session: "a", Worktree: tree}
	section := d.room.Sections(at)[0]
	part := section.Render(section.MaxChars, nil)
	require.Len(t, part.Items, 1)
	assert.Empty(t, section.Gone(part.Items[0]))
	d.dismiss(d.only("a"), false)
	assert.Equal(t, "Dismissed by the user: "+part.Items[0].Told, section.Gone(part.Items[0]))
}

func TestARunInATerminalOpensAndClosesErrorsAndIsNoWorkOfAnAgent(t *testing.T) {
	d := newDesk(t, nil)
	d.run("a", "go test ./...", failedTest, 1)
	d.inTerminal("b", "go test ./...", "ok  \texample.org/cart\t0.1s\n", 0)
	assert.Empty(t, d.open("a"), "a person's green run closes what an agent reported")
	d.inTerminal("b", "go test ./...", failedTest, 1)
	assert.Equal(t, []string{"TestTotal: got 3, want 4"}, d.open("a"))
	d.disk["cart.go"] = true
	d.inTerminal("b", "cat cart.go", "package cart\n", 0)
	assert.Empty(t, d.room.Files("b", tree, 0))
	turns, steps := d.room.Done("b")
	assert.Zero(t, turns+steps)
}

func TestACommandIsRunAgainOnlyAsItWas(t *testing.T) {
	d := newDesk(t, nil)
	for _, test := range []struct {
		name, line, cwd string
		want            *Rerun
	}{
		{"in the worktree", "go test ./...", tree, &Rerun{Line: "go test ./..."}},
		{"in a folder", " go test  -run 'A  B' .", tree + "/pkg", &Rerun{"go test  -run 'A  B' .", "pkg"}},
		{"outside", "make", "/elsewhere", &Rerun{"make", "/elsewhere"}},
		{"several lines", "cd pkg &&\n\tgo test", tree, &Rerun{Line: "cd pkg &&\n\tgo test"}},
		{"with a secret", "TOKEN=[redacted:token] make test", tree, nil},
		{"with an escape sequence", "make \x1b[8mtest; rm -r /", tree, nil},
		{"with a carriage return", "make test\rmake clean", tree, nil},
		{"with text that is not seen", "make \u202etset", tree, nil},
		{"too long", "make " + string(make([]byte, maxRerun)), tree, nil},
		{"nothing", " ", tree, nil},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, rerunOf(test.line, tree, test.cwd)) })
	}
	d.run("a", "go test ./...", failedTest, 1)
	assert.Equal(t, &Rerun{Line: "go test ./..."}, d.only("a").Rerun)
}

func TestTheErrorsOfCommandsArePublishedAtTheirPlaces(t *testing.T) {
	const broken = "# example.org/cart\n./cart.go:1:5: undefined: cart\n"
	for _, test := range []struct {
		name string
		tell func(d *desk)
		want []string
	}{
		{"a failing test", func(d *desk) { d.run("b", "go test ./...", failedTest, 1) }, []string{"cart_test.go"}},
		{"a failing build", func(d *desk) { d.run("b", "go build ./...", broken, 1) }, []string{"cart.go"}},
		{"what a language server reports itself", func(d *desk) {
			d.run("b", "go build ./...", broken, 1)
			d.tell("a", diagnostics("cart.go", "undeclared name: cart"))
		}, nil},
		{"code that go test does not compile, and a language server reports it itself", func(d *desk) {
			d.run("b", "go test ./...", broken+"FAIL\texample.org/cart [build failed]\n", 1)
			d.tell("a", diagnostics("cart.go", "undeclared name: cart"))
		}, nil},
		{"a failing test, and a language server reports something of its line", func(d *desk) {
			d.run("b", "go test ./...", failedTest, 1)
			same := diagnostics("cart_test.go", "declared and not used: sum")
			same.Items[0].Line = 7
			d.tell("a", same)
		}, []string{"cart_test.go"}},
		{"what only the language server of another editor reports", func(d *desk) {
			d.run("b", "go build ./...", broken, 1)
			d.tell("b", diagnostics("cart.go", "undeclared name: cart"))
		}, []string{"cart.go"}},
		{"what a language server reports of another line", func(d *desk) {
			d.run("b", "go build ./...", broken, 1)
			below := diagnostics("cart.go", "undeclared name: sum")
			below.Items[0].Line = 2
			d.tell("a", below)
		}, []string{"cart.go"}},
		{"what no command reports", func(d *desk) { d.tell("a", diagnostics("cart.go", "undefined: cart")) }, nil},
		{"what has no place", func(d *desk) { d.run("b", "git push", "error: failed to push some refs\n", 1) }, nil},
		{"a file that is gone", func(d *desk) { d.run("b", "go vet ./...", "./gone.go:1:5: undefined: x\n", 1) }, nil},
		{"what is fixed", func(d *desk) {
			d.run("b", "go test ./...", failedTest, 1)
			d.inTerminal("a", "go test ./...", "ok  \texample.org/cart\t0.1s\n", 0)
		}, nil},
		{"what is dismissed", func(d *desk) {
			d.run("b", "go test ./...", failedTest, 1)
			d.dismiss(d.only("a"), false)
		}, nil},
		{"a session that ended", func(d *desk) {
			d.run("b", "go test ./...", failedTest, 1)
			d.live["b"] = false
			d.tell("b", event.SessionEnded{})
		}, []string{"cart_test.go"}},
		{"a session that ended, and the file was changed since", func(d *desk) {
			d.run("b", "go test ./...", failedTest, 1)
			d.live["b"] = false
			d.tell("b", event.SessionEnded{})
			delete(d.disk, "cart_test.go")
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t, nil)
			d.disk = map[string]bool{"cart.go": true, "cart_test.go": true}
			test.tell(d)
			var paths []string
			for path := range d.room.Published("a", tree) {
				paths = append(paths, path)
			}
			assert.Equal(t, test.want, paths)
		})
	}
}

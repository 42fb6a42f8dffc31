package service

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// fails lets an agent run a command that fails, and returns the only error that it opens.
func (f *face) fails(command, cwd, output string) wire.ErrorParams {
	f.t.Helper()
	input, err := json.Marshal(map[string]string{"command": command})
	require.NoError(f.t, err)
	code := 1
	ran := get[wire.ToolExecutedResult](f, "wm/tool/executed", &wire.ToolExecutedParams{
		Params: wire.Params{SessionID: "agent"}, Tool: "bash", Input: input, Output: output, ExitCode: &code, Cwd: cwd,
	})
	require.Len(f.t, ran.Opened, 1)
	return wire.ErrorParams{Fingerprint: ran.Opened[0].Fingerprint}
}

const testFailed = "--- FAIL: TestTotal (0.00s)\n    cart_test.go:3: got 3, want 4\nFAIL\n"

func TestAPersonActsOnAnErrorByTheActionsOfItsRow(t *testing.T) {
	f := newFace(t)
	f.write("cart_test.go", "package cart\n")
	e := f.fails("go test -run 'Total|Sum' .", filepath.Join(f.root, "pkg"), testFailed)
	row := func() *panel.Item {
		result := get[wire.PanelResult](f, "wm/panel", &wire.PanelParams{Sections: []string{"errors"}})
		for _, item := range result.Sections[0].Items {
			return &item
		}
		return nil
	}
	var titles []string
	for _, action := range row().Actions {
		titles = append(titles, action.Title)
		assert.Equal(t, map[string]any{"fingerprint": e.Fingerprint}, action.Params)
	}
	assert.Equal(t, []string{"Run again", "Dismiss", "Remember with its fix", "Copy for an agent"}, titles)

	again := get[wire.ErrorsCommandResult](f, "wm/errors/command", &e)
	assert.Equal(t,
		wire.TerminalCommand{Command: "go test -run 'Total|Sum' .", Cwd: filepath.Join(f.root, "pkg")}, again.Run)
	copied := get[wire.ErrorsCopyResult](f, "wm/errors/copy", &e)
	assert.Equal(t, "pkg/cart_test.go:3: TestTotal: got 3, want 4\n"+
		"Reported by this command, in pkg:\ngo test -run 'Total|Sum' .\n", copied.Clipboard)

	receipt := get[wire.Receipt](f, "wm/errors/remember",
		&wire.ErrorsRememberParams{ErrorParams: e, Fix: "round half up"})
	require.Equal(t, wire.ReceiptAdded, receipt.Status)
	assert.Equal(t, "Error in pkg/cart_test.go: TestTotal: got 3, want 4 (go test). Fix: round half up",
		receipt.Entry.Text)
	assert.Equal(t, []string{"pkg/cart_test.go"}, receipt.Entry.Files)

	get[wire.ErrorsDismissResult](f, "wm/errors/dismiss", &e)
	assert.Nil(t, row())
	assert.Empty(t, get[wire.ErrorsListResult](f, "wm/errors/list", &wire.ErrorsListParams{}).Errors)
	get[wire.ErrorsDismissResult](f, "wm/errors/restore", &e)
	assert.NotNil(t, row())
}

func TestWhatCannotBeDoneWithAnErrorIsSaid(t *testing.T) {
	f := newFace(t)
	secret := f.fails("PASSWORD=hunter2-Kq9 go test .", f.root, testFailed)
	gone := wire.ErrorParams{Fingerprint: "0123456789ab"}
	for _, test := range []struct {
		name, method, want string
		params             Params
	}{
		{"no fingerprint", "wm/errors/dismiss", "is missing; must be the fingerprint", &wire.ErrorParams{}},
		{"an error that is gone", "wm/errors/dismiss", "no error with the fingerprint",
			&gone},
		{"nothing to restore", "wm/errors/restore", "no error with the fingerprint",
			&gone},
		{"nothing to copy", "wm/errors/copy", "no error with the fingerprint",
			&gone},
		{"nothing to remember", "wm/errors/remember", "no error with the fingerprint",
			&wire.ErrorsRememberParams{ErrorParams: gone}},
		{"a command that redaction changed", "wm/errors/command", "not known as it was",
			&secret},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := f.call(test.method, test.params)
			require.ErrorContains(t, err, test.want)
		})
	}
	copied := get[wire.ErrorsCopyResult](f, "wm/errors/copy", &secret)
	assert.NotContains(t, copied.Clipboard, "hunter2")
	var refused *fault.Fault
	_, err := f.call("wm/errors/command", &secret)
	require.ErrorAs(t, err, &refused)
	result := get[wire.PanelResult](f, "wm/panel", &wire.PanelParams{Sections: []string{"errors"}})
	assert.Equal(t, "Dismiss", result.Sections[0].Items[0].Actions[0].Title, "it is not offered")
}

func TestDismissingAnErrorIsRememberedWhileRecordingIsPaused(t *testing.T) {
	f := newFace(t)
	e := f.fails("go test .", f.root, testFailed)
	get[wire.PauseResult](f, "wm/pause", &wire.PauseParams{})
	get[wire.ErrorsDismissResult](f, "wm/errors/dismiss", &e)
	assert.Empty(t, get[wire.ErrorsListResult](f, "wm/errors/list", &wire.ErrorsListParams{}).Errors)
	get[wire.ErrorsDismissResult](f, "wm/errors/restore", &e)
	receipt := get[wire.Receipt](f, "wm/errors/remember", &wire.ErrorsRememberParams{ErrorParams: e})
	assert.Equal(t, wire.ReceiptRejected, receipt.Status)
}

package hot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

func (d *desk) says(text string) []change.Change {
	return d.tell("a", event.MessageReceived{Role: "user", Text: text}.Prepared(request.Before{}))
}

func TestB7_TheTaskIsWhatTheUserAskedForLast(t *testing.T) {
	d := newDesk(t, nil)
	d.says("The nightly build is red on windows.")
	assert.Contains(t, d.text("a"), "<session_state>\nTask: The nightly build is red on windows.\n</session_state>")
	d.says("Please add a retry to the download.")
	const task = "Task: Please add a retry to the download.\n"
	assert.Contains(t, d.text("a"), task)
	for _, next := range []string{"yes", "go on", "ok, thanks!"} {
		d.says(next)
		assert.Contains(t, d.text("a"), task, next)
	}
	d.tell("a", event.MessageReceived{Role: "assistant", Text: "Now add the tests, please."})
	assert.Contains(t, d.text("a"), task, "the assistant asks for nothing")
	assert.NotContains(t, d.text("b"), "Task:", "it is the task of that session")
	d.says("Can you explain the <cache> now?")
	assert.Contains(t, d.text("a"), "Task: Can you explain the ‹cache› now?\n")
	assert.NotContains(t, d.text("a"), "retry")
	d.says("It just happened again, on my machine.")
	assert.Contains(t, d.text("a"), "Task: Can you explain the ‹cache› now?\n", "a remark")
	d.says("The download of large files stops after exactly two minutes.")
	assert.Contains(t, d.text("a"), "Task: The download of large files stops after exactly two minutes.\n")
}

func TestB7_WhatIsAgreedToAfterAQuestionStandsBehindIt(t *testing.T) {
	d := newDesk(t, nil)
	d.says("is issue 241 really still a problem?")
	d.says("yeah close it")
	assert.Contains(t, d.text("a"), "Task: is issue 241 really still a problem? Then: \"yeah close it\"\n")
	d.says("Why does the login page reload twice?")
	assert.Contains(t, d.text("a"), "Task: Why does the login page reload twice?\n")
}

func TestB7_AQuestionThatLeansOnTheTaskStandsBehindIt(t *testing.T) {
	d := newDesk(t, nil)
	d.says("Please remove the old reader. Don't change the public API.")
	d.says("should we do this on a branch?")
	text := d.text("a")
	assert.Contains(t, text, "Task: Please remove the old reader. Don't change the public API. "+
		"Then: \"should we do this on a branch?\"\n")
	assert.NotContains(t, text, "Said by the user")
	d.says("or is a copy of it enough?")
	assert.Contains(t, d.text("a"), "API. Then: \"or is a copy of it enough?\"\n")
	d.says("Why does the login page reload twice?")
	assert.Contains(t, d.text("a"), "Task: Why does the login page reload twice?\n")
}

func TestWhatTheTaskSaysIsNotSaidAgain(t *testing.T) {
	d := newDesk(t, nil)
	d.says("Fix the parser. Don't change the public API.")
	text := d.text("a")
	assert.Contains(t, text, "Task: Fix the parser. Don't change the public API.\n")
	assert.NotContains(t, text, "Said by the user")
	d.says("Please rename the flag to --quiet.")
	assert.Contains(t, d.text("a"), "- Don't change the public API.\n")
}

func TestWhatThePromptSaysIsNotSaidAgain(t *testing.T) {
	d := newDesk(t, nil)
	at := func(prompt string) string {
		reader := room.Reader{Session: "a", Worktree: tree, Query: render.Query(prompt)}
		return d.room.Render(reader, 1200, View{}).Text
	}
	const first = "Fix the parser:\n- keep the API\n- don't use a cache"
	d.says(first)
	assert.Empty(t, at(first), "the agent has just received it")
	assert.Contains(t, at("go on"), "Task: Fix the parser: keep the API don't use a cache\n")
	assert.Contains(t, at(""), "Task: Fix the parser")
	long := "Please fix this. " + strings.Repeat("The pages of the manual and the index are wrong. ", 12)
	d.says(long)
	assert.NotContains(t, at(long), "Task:", "it is cut")
	assert.Contains(t, at(""), "Task: Please fix this.")
	const next = "should we do this on a branch?"
	d.says(next)
	assert.Contains(t, at(next), "Task: Please fix this.", "what it leans on is not in the prompt")
}

func TestTheTaskIsSilentInADeltaAndGoesWithItsSession(t *testing.T) {
	d := newDesk(t, nil)
	d.says("Please add a retry to the download.")
	part := d.room.part(room.Reader{Session: "a", Worktree: tree}, 1200, nil)
	require.Len(t, part.Items, 1)
	assert.True(t, part.Items[0].Silent)
	small := d.room.part(room.Reader{Session: "a", Worktree: tree}, 40, nil)
	assert.Empty(t, small.Text, "it is whole or absent")
	assert.NotEmpty(t, d.room.ForgetSession("a"))
	assert.Empty(t, d.text("a"))
}

func TestAnErasedTextIsNoTask(t *testing.T) {
	d := newDesk(t, nil)
	var row change.Row
	for _, c := range d.says("Please call Jane Doe in the tests.") {
		if c.Kind == TaskSet {
			rows, err := d.room.Fold(c)
			require.NoError(t, err)
			row = rows[0]
		}
	}
	assert.NotNil(t, d.room.Forget(row, []string{"John"}).Value)
	assert.Nil(t, d.room.Forget(row, []string{"Jane Doe"}).Value)
	assert.Nil(t, d.room.Forget(row, []string{"x. Please call Jane Doe in the tests. y"}).Value)
}

func TestAnAnswerThatTheTaskQuotesIsSaidOnceAndInFull(t *testing.T) {
	d := newDesk(t, nil)
	const proposal = "I would store the amounts of every invoice in cents, as integers, and convert them to the " +
		"currency of the customer where they are shown."
	d.says("is issue 241 really still a problem?")
	before := request.Before{Advised: proposal}
	d.tell("a", event.MessageReceived{Role: "user", Text: "yes, do that"}.Prepared(before))
	text := d.text("a")
	assert.Contains(t, text, "Task: is issue 241 really still a problem? Then: \"yes, do that\" → I would store")
	assert.Equal(t, 1, strings.Count(text, "I would store the amounts"), text)
	assert.Contains(t, text, "of the customer where they are shown.\n")
}

package summary_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/summary"
)

func TestTheTaskOfAMessage(t *testing.T) {
	for _, c := range []struct {
		name, message, want string
	}{
		{
			"a request",
			"Great, thanks. Can you rename the flag to --quiet?",
			"Can you rename the flag to --quiet?",
		},
		{
			"with the rest of its paragraph",
			"Add a timeout. Ten seconds are enough.",
			"Add a timeout. Ten seconds are enough.",
		},
		{"with the sentence to which it points", "Every example needs an oracle file. Can you do this?",
			"Every example needs an oracle file. Can you do this?"},
		{"with the list that it announces", "I need two things:\n- a flag for dry runs\n- a usage text",
			"I need two things: a flag for dry runs a usage text"},
		{"a question", "how does the cache work?", "how does the cache work?"},
		{
			"a statement",
			"the nightly build is broken on windows",
			"the nightly build is broken on windows",
		},
		{
			"without what it asks to remember",
			"Fix the total. Remember: amounts are cents.",
			"Fix the total.",
		},
		{"a request to remember alone", "Remember: amounts are cents.", ""},
		{"a cry and what it is about", "HALP\n\nthe index is broken again", "the index is broken again"},
		{"a decision", "We decided to use SQLite instead of Postgres because there is no server to run.", ""},
		{"a command of the host", "/review 142", "/review 142"},
		{"a path is no command", "/etc/hosts is empty on the runner", "/etc/hosts is empty on the runner"},
		{"an approval", "yes please", ""},
		{"what points to what was said", "ok, please do this", ""},
		{
			"auf Deutsch",
			"Bitte ergänze einen Test für leere Listen.",
			"Bitte ergänze einen Test für leere Listen.",
		},
		{"用中文", "请给登录接口加上限流。", "请给登录接口加上限流。"},
		{"the title of a pasted issue",
			"<issue>\nConsider the following issue:\n### Parser drops the last line\n<!-- thanks -->\n```\nx\n```\n" +
				"It should not.\n</issue>\n", "Parser drops the last line"},
		{
			"not what the host adds",
			"<system-reminder>\nAdd tests.\n</system-reminder>\nFix the parser.",
			"Fix the parser.",
		},
		{
			"not a message of the host",
			"This session is being continued from a previous conversation. Add tests.",
			"",
		},
		{
			"not what a program printed",
			"error: cannot find package x in any of\n\nplease fix the build",
			"please fix the build",
		},
	} {
		assert.Equal(t, c.want, summary.Task(c.message, false), c.name)
	}
	for message, want := range map[string]string{
		"this has happened twice now just fyi":                "",
		"uh... you got stopped again":                         "",
		"then the hook failed":                                "",
		"The login page crashes when I submit the form twice": "The login page crashes when I submit the form twice",
		"/review 142":       "/review 142",
		"Add a retry to it": "Add a retry to it",
	} {
		assert.Equal(t, want, summary.Task(message, true), "where there was a task before")
	}
	long := summary.Task("Please fix "+strings.Repeat("the parser and ", 100), false)
	assert.LessOrEqual(t, utf8.RuneCountInString(long), 200)
	assert.True(t, strings.HasSuffix(long, "…"))
}

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
		asks                summary.Asks
	}{
		{
			"a request",
			"Great, thanks. Can you rename the flag to --quiet?",
			"Can you rename the flag to --quiet?", summary.Work,
		},
		{
			"with the rest of its paragraph",
			"Add a timeout. Ten seconds are enough.",
			"Add a timeout. Ten seconds are enough.", summary.Work,
		},
		{"with the sentence to which it points", "Every example needs an oracle file. Can you do this?",
			"Every example needs an oracle file. Can you do this?", summary.Work},
		{"with the list that it announces", "I need two things:\n- a flag for dry runs\n- a usage text",
			"I need two things: a flag for dry runs a usage text", summary.Work},
		{"a question", "how does the cache work?", "how does the cache work?", summary.Answer},
		{
			"a statement",
			"the nightly build is broken on windows",
			"the nightly build is broken on windows", summary.Nothing,
		},
		{
			"without what it asks to remember",
			"Fix the total. Remember: amounts are cents.",
			"Fix the total.",
			summary.Work,
		},
		{"a request to remember alone", "Remember: amounts are cents.", "", summary.Nothing},
		{"an approval", "yes please", "", summary.Nothing},
		{"what points to what was said", "ok, please do this", "", summary.Nothing},
		{
			"auf Deutsch",
			"Bitte ergänze einen Test für leere Listen.",
			"Bitte ergänze einen Test für leere Listen.", summary.Work,
		},
		{"用中文", "请给登录接口加上限流。", "请给登录接口加上限流。", summary.Work},
		{"the title of a pasted issue",
			"<issue>\nConsider the following issue:\n### Parser drops the last line\n<!-- thanks -->\n```\nx\n```\n" +
				"It should not.\n</issue>\n", "Parser drops the last line", summary.Nothing},
		{
			"not what the host adds",
			"<system-reminder>\nAdd tests.\n</system-reminder>\nFix the parser.",
			"Fix the parser.", summary.Work,
		},
		{
			"not a message of the host",
			"This session is being continued from a previous conversation. Add tests.",
			"", summary.Nothing,
		},
		{
			"not what a program printed",
			"error: cannot find package x in any of\n\nplease fix the build",
			"please fix the build", summary.Work,
		},
	} {
		task, asks := summary.Task(c.message)
		assert.Equal(t, c.want, task, c.name)
		assert.Equal(t, c.asks, asks, c.name)
	}
	long, _ := summary.Task("Please fix " + strings.Repeat("the parser and ", 100))
	assert.LessOrEqual(t, utf8.RuneCountInString(long), 200)
	assert.True(t, strings.HasSuffix(long, "…"))
}

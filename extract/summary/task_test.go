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
		{"without what it asks to forget", "Forget that amounts are cents.", ""},
		{"with what it asks for beside that", "Forget that we use npm. Fix the build.", "Fix the build."},
		{"that removes something from memory", "Remove the pages from memory", "Remove the pages from memory"},
		{"with what it asks for before that", "Fix Add; and remember: Round once", "Fix Add"},
		{"with what it asks for before a wish", "Fix Add, and please remember that amounts are cents.", "Fix Add"},
		{"without the occasion of what it asks to remember", "For the third time, remember: amounts are cents.", ""},
		{
			"with what was said before it",
			"The dates in the export are wrong. Some rows have none. Please fix the writer.",
			"The dates in the export are wrong. Some rows have none. Please fix the writer.",
		},
		{
			"with the beginning of that, if it is long",
			"Also " + strings.Repeat("the pages of the manual and ", 12) + "the index. Push the result to the wiki.",
			"Also the pages of the manual and the pages of the manual and the pages of the… " +
				"Push the result to the wiki.",
		},
		{
			"by itself, if it says enough",
			strings.Repeat("The pages of the manual and the index. ", 8) +
				"Can you check whether all of the links in the manual still lead to a page that exists, and whether " +
				"its title is the one that is named?",
			"Can you check whether all of the links in the manual still lead to a page that exists, and whether its " +
				"title is the one that is named?",
		},
		{"without praise", "That looks great now. Rename the flag.", "Rename the flag."},
		{
			"with the text that it quotes",
			"can we change\n\"Both of them will write, and they mix.\"\n\nto something shorter",
			`can we change "Both of them will write, and they mix." to something shorter`,
		},
		{
			"all items of a list",
			"okay, do this:\n1. track the source\n2. can we keep the author?",
			"track the source can we keep the author?",
		},
		{"a request to remember alone", "Remember: amounts are cents.", ""},
		{"a cry and what it is about", "HALP\n\nthe index is broken again", "the index is broken again"},
		{"a decision", "We decided to use SQLite instead of Postgres because there is no server to run.", ""},
		{"a command of the host", "/review 142", "/review 142"},
		{"a path is not a command", "/etc/hosts is empty on the runner", "/etc/hosts is empty on the runner"},
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
		assert.Equal(t, c.want, summary.Task(c.message, ""), c.name)
	}
	for message, want := range map[string]string{
		"this has happened twice now just fyi":                "",
		"uh... you got stopped again":                         "",
		"then the hook failed":                                "",
		"The login page crashes when I submit the form twice": "The login page crashes when I submit the form twice",
		"uh...you got overwritten again it looks like...":     "",
		"that is wrong, I can see all of the trailers there":  "",
		"commit": "",
		"I pushed the branch... then the stop hook failed after the copies": "I pushed the branch... then the " +
			"stop hook failed after the copies",
		"has the worker finished, can we go on with the rest": "has the worker finished, can we go on with the rest",
		"is the docs worker done now and ready to merge":      "is the docs worker done now and ready to merge",
		"watch - i don't get the purpose of this. seems like what exporting would achieve": "watch - i don't get the " +
			"purpose of this. seems like what exporting would achieve",
		"> git gc\nfatal: bad tree object 082c\nfatal: failed to run repack\n\nHALP": "git gc fatal: bad tree object " +
			"082c fatal: failed to run repack HALP",
		"i believe we recently did research on the runner, and we forked it": "",
		"I didn't say that the main branch has all of the work":              "",
		"how would that look in the file system":                             "how would that look in the file system",
		"> git gc\nEnumerating objects: 12, done.\n\nnice":                   "",
		"> what I said before\n\nyes":                                        "",
		"Add a retry to it":                                                  "Add a retry to it",
		"这个也改一下":                                                             "",
		"可以,那个也一样处理。":                                                        "",
		"これも同じようにしてください":                                                     "",
		"이것도 고쳐줘":                                                            "",
		"请修复这个测试":                                                            "请修复这个测试",
		"把这个改成蓝色":                                                            "把这个改成蓝色",
		"/review 142":                                                        "/review 142",

		"Please fix this. The login page reloads twice.": "Please fix this. The login page reloads twice.",
	} {
		assert.Equal(t, want, summary.Task(message, "Fix the parser."), "where there was a task before")
	}
	long := summary.Task("Please fix "+strings.Repeat("the parser and ", 100), "")
	assert.LessOrEqual(t, utf8.RuneCountInString(long), 300)
	assert.True(t, strings.HasSuffix(long, "…"))
}

func TestAMessageThatLeansOnTheTaskStandsBehindIt(t *testing.T) {
	const task = "Move the cache to its own package."
	behind := func(message string) string { return task + ` Then: "` + message + `"` }
	for _, c := range []struct{ name, former, message, want string }{
		{"with a word for it", task, "should we do this on a branch?", behind("should we do this on a branch?")},
		{"at its end", task, "how long would you need for that?", behind("how long would you need for that?")},
		{"after a verb", task, "how would that look in the file system",
			behind("how would that look in the file system")},
		{"in a request", task, "Add a retry to it", behind("Add a retry to it")},
		{"for two things", task, "we are back - do both, please", behind("we are back - do both, please")},
		{"after a yes", task, "yes, can there be less space between the lines?",
			behind("yes, can there be less space between the lines?")},
		{"with a linking word", task, "or is the lock the problem?", behind("or is the lock the problem?")},
		{"with an order after it", task, "then update the changelog", behind("then update the changelog")},
		{"with what the message says of it", task, "Is this the place? I think so.",
			behind("Is this the place? I think so.")},
		{"auf Deutsch", task, "Oder ist das Schloss das Problem?", behind("Oder ist das Schloss das Problem?")},
		{"en français", task, "alors pourquoi est-ce si lent ?", behind("alors pourquoi est-ce si lent ?")},
		{"avec un pronom", task, "est-ce que ça marche sans le cache ?",
			behind("est-ce que ça marche sans le cache ?")},
		{"não com um artigo", task, "O botão ainda fica cinza no formulário?", ""},
		{"用中文", task, "请给这个新的接口加上一个限流的测试。", behind("请给这个新的接口加上一个限流的测试。")},
		{"only the last one", behind("should we do this on a branch?"), "is it slow?", behind("is it slow?")},
		{"without a task", "", "should we do this on a branch?", ""},
		{"not one that stands by itself", task, "Why does the login page reload twice?", ""},
		{"not one whose word stands for what it names", task, "there are merge conflicts now, can you fix them?", ""},
		{"nor one that names it before", task, "how do I push my local branch without checking it out?", ""},
		{"not one with a clause after that", task, "check that the tests of the parser pass", ""},
		{"not what shows what it is about", task, "can you explain this output:\n```\nok 12 s\n```", ""},
		{"not what its own beginning is about", task, "The tests of the parser hang.\n\nCan you fix this?", ""},
		{"not a remark", task, "it just happened again", ""},
		{"not an approval", task, "yes, do it", ""},
		{"not a long one", task,
			"so I want a reader and a writer of our own, so that nobody has to install the other program first", ""},
		{"not one with no before a thing", task, "No file should have more than a hundred lines.", ""},
		{"not one that says more", task,
			"Is this the right place? " + strings.Repeat("The parser has its own. ", 6), ""},
	} {
		asked := summary.Task(c.message, c.former)
		assert.Equal(t, c.want, summary.Leaning(c.former, c.message, asked), c.name)
	}
}

func TestWhatIsAgreedToFollowsAQuestion(t *testing.T) {
	const question = "is 241 really still a problem?"
	for _, c := range []struct {
		name, task, message, answers, want string
	}{
		{"with what it answers", question, "yes, do that", "Close 241 and keep 242", question +
			` Then: "yes, do that" → Close 241 and keep 242`},
		{"with its own words", question, "yeah close it", "", question + ` Then: "yeah close it"`},
		{"the last one only", question + ` Then: "yes" → Close it`, "now commit this", "", question +
			` Then: "now commit this"`},
		{"with the question that leant on another", "Move the cache. " + `Then: "is store a good name for it?"`, "yes",
			"Name it store", `is store a good name for it? Then: "yes" → Name it store`},
		{"a request that leant on a question", question + ` Then: "then fix it today"`, "yes", "Today", ""},
		{"but thanks say nothing", question, "ok, thanks!", "", ""},
		{"nor does a remark", question, "it just happened again", "", ""},
		{"a request stays as it is", "Please add a retry.", "yes, do that", "Add a retry to the download", ""},
		{"without a task", "", "yeah close it", "Close 241", ""},
	} {
		assert.Equal(t, c.want, summary.Continued(c.task, c.message, c.answers), c.name)
	}
}

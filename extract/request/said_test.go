package request_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/request"
)

// said is what a message says in brackets: [L] holds beyond the task, [D] is a choice about the
// product, [S] holds for the session.
func said(message string, before request.Before) []string {
	var all []string
	for _, s := range request.Hear("user", message, before).Sayings {
		mark := "[S] "
		switch {
		case s.Lasting:
			mark = "[L] "
		case s.Design:
			mark = "[D] "
		}
		all = append(all, mark+s.String())
	}
	return all
}

func TestWhatAUserSaysThatDirectsTheWorkIsQuoted(t *testing.T) {
	text, err := os.ReadFile("testdata/said.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		require.Len(t, fields, 3, line)
		var want []string
		if fields[1] != "-" {
			want = strings.Split(fields[1], " || ")
		}
		t.Run(fields[0], func(t *testing.T) {
			assert.Equal(t, want, said(strings.ReplaceAll(fields[2], `\n`, "\n"), request.Before{}))
		})
	}
}

func TestWhatSaysNothingByItselfIsQuotedWithWhatItAnswers(t *testing.T) {
	hear := func(messages ...string) request.Before {
		before := request.Before{}
		for i, message := range messages {
			before = before.After([]string{"user", "assistant"}[i%2], message)
		}
		return before
	}
	options := "You could:\n\n1. **Flags** - one command with flags for each kind\n" +
		"2. **Subcommands** - one for each kind\n" +
		"3. **One command** - it finds out what is there and cleans all of it\n\nWhich one do you prefer?"
	for name, c := range map[string]struct {
		before request.Before
		answer string
		want   []string
	}{
		"an option": {hear("", options), "option 3", []string{
			`[L] "option 3" → One command - it finds out what is there and cleans all of it`,
		}},
		"an option with more": {hear("", options), "3 and please keep the dry run", []string{
			`[L] "3 and please keep the dry run" → One command - it finds out what is there and cleans all of it`,
		}},
		"an option by its place": {hear("", options), "the second one", []string{`[S] "the second one" → ` +
			`Subcommands - one for each kind`}},
		"an option that is not there": {hear("", options), "option 7", nil},
		"a file for what was shown": {
			hear("", "I recommend a bounded cache in front of the parser."), "can you save this as docs/plan.md?", nil,
		},
		"a yes to a question that says what": {hear("", "Done. Should I remove the unused StageFiles function?"),
			"yes", []string{
				`[S] "yes" → Should I remove the unused StageFiles function?`,
			}},
		"an option that is taken by its place": {hear("", options), "use the second one", []string{`[S] ` +
			`"use the second one" → Subcommands - one for each kind`}},
		"a yes to work that is done once": {hear("", "Done. Would you like me to run the other tests now?"),
			"yes", nil},
		"a yes to a question that names nothing": {hear("", "The issue is solved.\n\nWant me to close it?"),
			"yeah close it", nil},
		"a refusal of what was done": {hear("", "Done.\n\nI committed it to main and pushed the branch."),
			"no, don't do that", []string{
				`[S] "no, don't do that" → I committed it to main and pushed the branch.`,
			}},
		"a refusal of what was only looked at": {hear("", "The tests pass now."), "no, don't do that", nil},
		"a yes to advice": {hear("", "I'd suggest --apply instead of --execute, as git does.\n\nWant me to do that?"),
			"ok, let's go", []string{
				`[L] "ok, let's go" → I'd suggest --apply instead of --execute, as git does.`,
			}},
		"a yes to what the user had proposed": {hear("what do you think about renaming it to cleanup?",
			"It reads well.\n\nWant me to rename it?"),
			"yes", []string{
				`[S] "yes" → what do you think about renaming it to cleanup?`,
			}},
		"a yes to a question of fact": {hear("", "Do you know whether the other developer was on main?"),
			"yes", nil},
		"a confirmed cause": {hear("", "The hook silently skips every commit when the branch is main."),
			"yes, that was it", []string{
				`[L] "yes, that was it" → The hook silently skips every commit when the branch is main.`,
			}},
		"Japanese": {hear("", "1. SQLite に保存する方法\n2. ファイルに保存する方法"),
			"案2でお願いします", []string{
				`[S] "案2でお願いします" → ファイルに保存する方法`,
			}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, said(c.answer, c.before)) })
	}
}

func TestARequestThatOnlyPointsRefersToWhatWasSaid(t *testing.T) {
	before := request.Before{}.After("assistant", "All done.\n\n"+
		"The two bugs have one cause: paths of git are relative to the root, not to the current folder.")
	want := "The two bugs have one cause: paths of git are relative to the root, not to the current folder."
	for _, message := range []string{
		"Can you add this to CLAUDE.md?", "please document this in AGENTS.md",
		"great, thanks! put that in the readme", "remember that", "let's make that a rule",
		"store this as a convention",
		"please update AGENTS.md with this", "make sure to note this down somewhere",
		"Please capture this in our AGENTS.md so the next agent knows",
	} {
		found := request.Requests(message, before)
		if assert.Len(t, found, 1, message) {
			assert.Equal(t, want, found[0].Text, message)
		}
		assert.Empty(t, request.Requests(message, request.Before{}), "%q refers to nothing", message)
	}
	for _, message := range []string{
		"update the readme", "update CLAUDE.md", "document the API", "add a test for this", "add this to the list",
		"add this to the PR description", "put this in a helper", "update the docs with the new flag",
	} {
		assert.Empty(t, request.Requests(message, before), message)
	}
	found := request.Requests("We never force-push. Add that to AGENTS.md", before)
	if assert.Len(t, found, 1) {
		assert.Equal(t, "We never force-push.", found[0].Text, "the message itself comes first")
	}
}

func TestWhatIsSaidLaterSupersedes(t *testing.T) {
	for _, c := range []struct {
		newer, older string
		want         bool
	}{
		{"use zod instead of joi", "let's use joi for the handlers", true},
		{"no, use postgres", "use sqlite", true},
		{"use postgres for the queue", "use redis for the queue", true},
		{"rename it to cleanup", "rename it to clean", false},
		{"no, rename the command to cleanup", "rename the command to clean", true},
		{"we no longer use yarn", "install it with yarn", true},
		{"statt joi nehmen wir zod", "wir nehmen joi", true},
		{"不要用 moment", "日期用 moment", true},
		{"use tabs", "use zod for the handlers", false},
		{"don't use joi", "we don't use joi", false},
		{"use zod instead of joi", "use zod instead of joi", false},
		{"not redux, zustand is enough", "use redux for the store", true},
		{"let's not make this change in this branch", "go with --apply, it implies to make the changes", false},
		{"paths are relative to the root, not current", "show the current location if it is different", false},
		{"use port 9090 for the server instead", "let's go with port 8080 for the server", true},
		{"use spaces for indentation instead", "use tabs for indentation", true},
		{"no, put the handlers in server/http", "put the handlers in internal/api", true},
		{"store the logs in s3", "store the logs in a local folder", true},
		{"put the tests in test/", "put the handlers in internal/api", false},
		{"put the handlers in internal/api", "put the handlers in internal/api please", false},
		{"set the timeout to 60 seconds", "set the timeout to 30 seconds", true},
		{"the default timeout should be 60", "the default timeout should be 30", true},
		{"the timeout should be configurable", "the timeout should be 30 seconds", false},
		{"actually, the export should be a zip file", "the export should be a csv file", true},
		{"ok you can commit now", "don't commit unless I say so", false},
		{"call the command prune", "call the command cleanup", true},
		{"use yarn instead", "use npm", true},
		{"use yarn instead", "use redis for the queue", false},
		{"nimm stattdessen zod für die Handler", "verwende joi für die Handler", true},
		{"usa el puerto 9090 para el servidor", "usa el puerto 8080 para el servidor", true},
	} {
		assert.Equal(t, c.want, request.Superseding(c.newer)(c.older), "%q after %q", c.newer, c.older)
	}
}

func TestASummaryTellsDecisionsAndRules(t *testing.T) {
	summary := "## Key Decisions\n- Exports are Parquet instead of CSV because columns are typed\n" +
		"- Is that right for the archive of last year?\n\n" +
		"## Progress\n- wrote the exporter of the archive\n" +
		"- Root cause: the pool was closed before the last page was flushed\n" +
		"4. **User clarification**: \"exports must never contain addresses of customers\" - noted.\n" +
		"5. The user asked to run the tests again\n```\n// User wants this never to be read\n```\n" +
		"<workspace_memory_candidates>\n- [project] the candidates are read elsewhere and always were\n" +
		"</workspace_memory_candidates>"
	var texts []string
	for _, s := range request.Summarised(summary) {
		texts = append(texts, s.Text)
	}
	assert.Equal(t, []string{
		"Exports are Parquet instead of CSV because columns are typed",
		"Root cause: the pool was closed before the last page was flushed",
		"exports must never contain addresses of customers",
	}, texts)
}

func TestASummaryTellsWhatItLabelsListsOrDecides(t *testing.T) {
	const decision, rule = request.Decision, request.Feedback
	type offer struct{ kind, text string }
	for summary, want := range map[string][]offer{
		"Decision: amounts are stored as integers, because floats lose cents.": {
			{decision, "amounts are stored as integers, because floats lose cents."},
		},
		"- **Decision:** amounts are stored as integers": {{decision, "amounts are stored as integers"}},
		"Entscheidung: Beträge werden als Ganzzahlen gespeichert": {
			{decision, "Beträge werden als Ganzzahlen gespeichert"},
		},
		"決定：金額は整数で保存する。小数では誤差が出るため。":             {{decision, "金額は整数で保存する。小数では誤差が出るため。"}},
		"Решение: суммы хранятся целыми числами": {{decision, "суммы хранятся целыми числами"}},
		"Rule: error messages are in lower case": {{rule, "error messages are in lower case"}},
		"The work went on. We decided to use Kafka instead of RabbitMQ, because it keeps the order.": {
			{decision, "We decided to use Kafka instead of RabbitMQ, because it keeps the order."},
		},
		"We decided to use Kafka.": {{decision, "We decided to use Kafka."}},
		"Wir haben uns für Kafka statt RabbitMQ entschieden.": {
			{decision, "Wir haben uns für Kafka statt RabbitMQ entschieden."},
		},
		"我们决定使用 Kafka 而不是 RabbitMQ。":              {{decision, "我们决定使用 Kafka 而不是 RabbitMQ。"}},
		"Always run the linters before a commit.": {{rule, "Always run the linters before a commit."}},
		"Always use integer cents for amounts of money.": {
			{rule, "Always use integer cents for amounts of money."},
		},
		"In this repository, never touch the vendor folder": {
			{rule, "In this repository, never touch the vendor folder"},
		},
		"- Never touch the vendor folder":                   {{rule, "Never touch the vendor folder"}},
		"Niemals den vendor-Ordner anfassen.":               {{rule, "Niemals den vendor-Ordner anfassen."}},
		"コミット前に必ずリンターを実行すること。":                              {{rule, "コミット前に必ずリンターを実行すること。"}},
		"提交前必须运行所有的检查工具。":                                   {{rule, "提交前必须运行所有的检查工具。"}},
		"커밋 전에 항상 린터를 실행할 것.":                               {{rule, "커밋 전에 항상 린터를 실행할 것."}},
		"## Rules\n- Never touch the vendor folder":         {{rule, "Never touch the vendor folder"}},
		"## Decisions\nUse SQLite instead of PostgreSQL":    {{decision, "Use SQLite instead of PostgreSQL"}},
		"## Team conventions\n- Errors are in lower case":   {{rule, "Errors are in lower case"}},
		"## User preferences\n* Short answers in English":   {{rule, "Short answers in English"}},
		"## Entscheidungen\n- SQLite statt PostgreSQL":      nil, // three words say too little
		"## Wichtige Regeln\n- Kurze Antworten auf Deutsch": {{rule, "Kurze Antworten auf Deutsch"}},
		"## 決定事項\n- PostgreSQLの代わりにSQLiteを使う":               {{decision, "PostgreSQLの代わりにSQLiteを使う"}},
		"## 规则\n- 不要修改 vendor 文件夹里的文件":                      {{rule, "不要修改 vendor 文件夹里的文件"}},
		"## 결정 사항\n- PostgreSQL 대신 SQLite를 사용하기로 했다":        {{decision, "PostgreSQL 대신 SQLite를 사용하기로 했다"}},
		"## Décisions\n- Utiliser SQLite au lieu de PostgreSQL": {
			{decision, "Utiliser SQLite au lieu de PostgreSQL"},
		},
		"## Reglas\n- Nunca tocar la carpeta vendor":               {{rule, "Nunca tocar la carpeta vendor"}},
		"## Preferências\n- Respostas curtas e em português":       {{rule, "Respostas curtas e em português"}},
		"## Правила\n- Никогда не трогать папку vendor":            {{rule, "Никогда не трогать папку vendor"}},
		"## Decisions and rules\n- Never touch the vendor folder":  {{rule, "Never touch the vendor folder"}},
		"Never fails on the server but always fails here.":         nil,
		"I decided to read the file first and then edit it.":       nil,
		"We have not decided on the queue of the exporter.":        nil,
		"After a long discussion we decided to do it.":             nil,
		"We decided to fix the failing test of the exporter next.": nil,
		"## Rules\n- Never touch the vendor folder\n\nThe user never answered the question about the queue.": {
			{rule, "Never touch the vendor folder"},
		},
		"Always up.": nil,
		"## Progress\n- Use of the exporter is documented in the guide": nil,
	} {
		var got []offer
		for _, s := range request.Summarised(summary) {
			got = append(got, offer{s.Type, s.Text})
		}
		assert.Equal(t, want, got, summary)
	}
}

func TestOptionsMayStandInOneLine(t *testing.T) {
	for _, c := range []struct{ listed, chosen, want string }{
		{"There are three ways: (1) Redis (2) memcached (3) in-process LRU. Which one?", "option 3", "in-process LRU"},
		{"We can use 1) Redis, 2) memcached, or 3) an LRU of our own.", "option 2", "memcached"},
		{"Either (a) Redis or (b) memcached or (c) a table of the database?", "option c", "a table of the database"},
		{"The docs (3) name Redis and memcached.", "option 3", ""},
		{"It fails in (1) the parser and (3) the printer.", "option 3", ""},
	} {
		found := request.Hear("user", c.chosen, request.Before{}.After("assistant", c.listed)).Sayings
		if c.want == "" {
			assert.Empty(t, found, c.listed)
		} else if assert.Len(t, found, 1, c.listed) {
			assert.Equal(t, c.want, found[0].Answers, c.listed)
		}
	}
}

func TestWhatIsToBeThoughtOfEachTimeIsARule(t *testing.T) {
	for message, want := range map[string][]request.Request{
		"Denk dran, vor jedem Commit gofmt laufen zu lassen": {
			{Type: request.Feedback, Text: "vor jedem Commit gofmt laufen zu lassen"},
		},
		"Vergiss nicht, nach jeder Änderung die Linter auszuführen.": {
			{Type: request.Feedback, Text: "nach jeder Änderung die Linter auszuführen."},
		},
		"Denk dran, den Test noch zu fixen": nil,
	} {
		assert.Equal(t, want, request.Requests(message, request.Before{}), message)
	}
}

func TestWhatFollowsTheGermanThatIsAWholeSentence(t *testing.T) {
	for message, want := range map[string]string{
		"Bitte merk dir, dass wir keine globalen Variablen benutzen.": "Wir benutzen keine globalen Variablen.",
		"Merk dir, dass wir Node 18 unterstützen müssen":              "Wir müssen Node 18 unterstützen",
		"Denk daran, dass ich kurze Antworten bevorzuge":              "Ich bevorzuge kurze Antworten",
		"Merk dir, dass der Server auf Port 8080 läuft.":              "der Server auf Port 8080 läuft.",
		"Merk dir, dass wir Fehler immer abfangen.":                   "wir Fehler immer abfangen.",
		"Merk dir, dass wir Tabs nutzen beim Einrücken.":              "wir Tabs nutzen beim Einrücken.",
		"Merk dir, dass wir UTC speichern, weil die Uhr springt.":     "wir UTC speichern, weil die Uhr springt.",
	} {
		found := request.Requests(message, request.Before{})
		if assert.Len(t, found, 1, message) {
			assert.Equal(t, want, found[0].Text, message)
		}
	}
}

func TestACauseStandsAlone(t *testing.T) {
	for message, want := range map[string][]string{
		"The root cause is that the pool closes before the last page is flushed.": {
			"The root cause is that the pool closes before the last page is flushed.",
		},
		"The root cause might be that the pool closes before the flush.": nil,
		"Here is the root cause of the failure that you see:":            nil,
		"That is the root cause.":                                        nil,
		"根本原因是连接池在最后一页写入之前就被关闭了。":                                        {"根本原因是连接池在最后一页写入之前就被关闭了。"},
	} {
		assert.Equal(t, want, request.Causes(message), message)
	}
	assert.Empty(t, request.Facts("The cause was the following:"), "a fact ends in no colon")
	assert.Empty(t, request.Facts("This is caused by the missing index."), "a fact stands without its neighbours")
}

func FuzzSaid(f *testing.F) {
	fuzz(f, func(t *testing.T, message string) {
		before := request.Before{}.After("assistant", message)
		for _, s := range request.Hear("user", message, before).Sayings {
			checkLine(t, s.String())
			assert.LessOrEqual(t, len([]rune(s.String())), 500)
		}
		for _, s := range request.Summarised(message) {
			checkLine(t, s.Text)
		}
		checkLines(t, request.Causes(message))
	})
}

func TestACauseInOtherWordsIsOne(t *testing.T) {
	for message, want := range map[string]bool{
		"The lint failure is due to staticcheck SA5011, which does not know that t.Fatal stops.":  true,
		"The crash happens because the pool closes before the last page is flushed.":              true,
		"The deadlock in the worker was caused by two locks that are taken in another order.":     true,
		"The crash might be caused by the pool that closes too early here.":                       false,
		"THOUGHT: The root cause is that the pool closes before the last page is flushed.":        true,
		"The failures in my script are due to my misunderstanding of what the locator returns.":   false,
		"The only failure left is the export test, which is due to a stale warning of the table.": false,
		"The list is sorted because the table needs an order of its rows.":                        false,
		"The build is slow due to the cache that is not there.":                                   false,
	} {
		assert.Equal(t, want, len(request.Causes(message)) == 1, message)
	}
}

func TestWhatIsToBeDocumentedIsTheCauseAndNotTheAdvice(t *testing.T) {
	before := request.Before{}.After("assistant", "The gc prunes objects that the index needs — this is the bug.\n\n"+
		"Only staged files are lost. A better fix would be to run the gc only when the index is clean.")
	found := request.Requests("can we document it in known_limitations?", before)
	if assert.Len(t, found, 1) {
		assert.Equal(t, "The gc prunes objects that the index needs.", found[0].Text)
	}
}

func TestAFactHasNoEmphasisAndItsNamesStay(t *testing.T) {
	assert.Empty(t, request.Facts("**The problem is exactly what I suspected earlier on today:**"))
	assert.Empty(t, request.Facts("I think the fix is caused by the missing slots and robust enough."))
	assert.Equal(t, []string{"The leak is caused by the missing `__slots__` in the class Printable."},
		request.Facts("The leak is caused by the missing **`__slots__`** in the class Printable."))
}

func TestWhatATracebackAnAuthorOrAVerdictSaysIsNoFact(t *testing.T) {
	for message, want := range map[string]bool{
		"The error is `AttributeError: 'NoneType' object has no attribute 'x'` in `lib/a.py`.":        false,
		"The traceback indicates the error is in `axes.inset_locator.py` and `offsetbox.py`.":         false,
		"The author points to `sessions.py` as the place where the bug is.":                           false,
		"**Bottom line**: The fix is sound, and the cache is not stale.":                              false,
		"The updated prompt now requires `summary.json` to point at `run_manifest.jsonl`.":            false,
		"The error is that the pool closes its connections before the last page is read from them.":   true,
		"The FITS standard requires that floating point numbers have a decimal point or an exponent.": true,
		"The gateway listens on port 7171 and depends on the queue of the billing service.":           true,
	} {
		assert.Equal(t, want, len(request.Facts(message)) == 1, message)
	}
}

func TestAnotherOptionTakesThePlaceOfTheOneThatWasChosen(t *testing.T) {
	before := request.Before{}.After("assistant", "Three ways:\n1. Keep the cache in memory\n"+
		"2. Use Redis for the cache\n3. Write the cache to SQLite\n\nWhich one do you prefer?")
	first := request.Hear("user", "option 3", before)
	if !assert.Len(t, first.Sayings, 1) {
		return
	}
	chosen := first.Sayings[0].String()
	assert.Equal(t, `"option 3" → Write the cache to SQLite`, chosen)
	assert.False(t, first.Overtakes(chosen))
	before = first.Next.After("assistant", "I wrote the table.")
	for _, message := range []string{"no, actually let's go with option 2", "Option 2", "wait, take option 2 instead"} {
		second := request.Hear("user", message, before)
		if assert.Len(t, second.Sayings, 1, message) {
			assert.Equal(t, "Use Redis for the cache", second.Sayings[0].Answers, message)
			assert.True(t, second.Overtakes(chosen), message)
		}
	}
	for _, message := range []string{"option 2 is too slow?", "add an option 2 to the menu of the settings page"} {
		assert.False(t, request.Hear("user", message, before).Overtakes(chosen), message)
	}
}

func TestWhatSpeaksOfSomethingByAPronounInItsOnlyClauseHasAReferent(t *testing.T) {
	const message = "no don't set it, let's see if it keeps happening"
	assert.Empty(t, said(message, request.Before{}))
	before := request.Before{}.After("assistant", "Should I set `gc.auto` to 0 in this repository?")
	for _, s := range said(message, before) {
		assert.Contains(t, s, "gc.auto")
	}
	assert.NotEmpty(t, said("no don't do that, use the v2 client instead of the old one", request.Before{}))
}

func TestWhatWasPastedBehindThePromptOfAShellIsNobodysSpeech(t *testing.T) {
	message := "this looks strange: ❯ Stopped by a hook: another session is active: \"---\n\n  How about this:\n\n" +
		"  - if there is no ...\"\n\n  To go on with it, you should always close here.\n\nPlease fix the message."
	assert.Equal(t, [][]string{{"this looks strange:"}, {"Please fix the message."}}, request.Speech(message))
}

func TestARuleForWhateverComesUpIsStanding(t *testing.T) {
	for text, want := range map[string]bool{
		"Never push to main without a review.":                                 true,
		"please don't touch the generated files":                               true,
		"rename it, but don't change the public API":                           true,
		"提交前一律先跑测试":                                                            true,
		"for the worker spawn that should be done in parallel":                 false,
		"if there are any steps unclear we should improve the instructions":    false,
		"i don't think we need watch, can just remove it":                      false,
		"the exporter should write one file per customer":                      false,
		"So I just want a collector and storage, so we don't need the old one": false,
	} {
		assert.Equal(t, want, request.Saying{Text: text}.Standing(), text)
	}
}

func TestAnArgumentThatAsksWhatIsWrongWithItIsMarked(t *testing.T) {
	for _, message := range []string{
		"But this is a command, there is no service running. Nothing can be stale, or what do I miss?",
		"We should use no cache there because nothing runs. Am I missing something?",
	} {
		said := request.Hear("user", message, request.Before{}).Sayings
		require.NotEmpty(t, said, message)
		assert.True(t, said[0].Argues, message)
	}
	said := request.Hear("user", "We should use no cache there because nothing runs.", request.Before{}).Sayings
	require.NotEmpty(t, said)
	assert.False(t, said[0].Argues)
}

func TestARequestInTheFormOfAQuestionAsksForWork(t *testing.T) {
	for text, want := range map[string]bool{
		"also can we push to a private repository, because the public one shows the logs": true,
		"How about a list of the sessions instead of their number":                        true,
		"could you rename it everywhere":                                                  true,
		"we can never use the public repository for logs":                                 false,
		"The list should show the branch.":                                                false,
	} {
		assert.Equal(t, want, request.Saying{Text: text}.AsksForWork(), text)
	}
}

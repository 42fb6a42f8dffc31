package request_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/request"
)

func TestDecisions(t *testing.T) {
	for message, want := range map[string][]string{
		"Let's use SQLite instead of Postgres. Then run the tests.": {"Let's use SQLite instead of Postgres."},
		"OK, let's go with option B":                                {"OK, let's go with option B"},
		"After some thought we decided to drop Python 3.8.": {
			"After some thought we decided to drop Python 3.8.",
		},
		"We've agreed on trunk based development":            {"We've agreed on trunk based development"},
		"Decision: errors are wrapped with %w":               {"Decision: errors are wrapped with %w"},
		"- We'll use gRPC for internal calls\n- fix the bug": {"We'll use gRPC for internal calls"},
		"use pnpm instead of npm":                            {"use pnpm instead of npm"},
		"我们决定用 Redis 做缓存。":                                   {"我们决定用 Redis 做缓存。"},
		"那就用 Vite 吧":                                         {"那就用 Vite 吧"},
		"我們最後決定採用 gRPC":                                      {"我們最後決定採用 gRPC"},
		"SQLiteを使うことにしました。":                                  {"SQLiteを使うことにしました。"},
		"SQLite를 쓰기로 했습니다":                                   {"SQLite를 쓰기로 했습니다"},
		"Wir haben uns für Postgres entschieden.":            {"Wir haben uns für Postgres entschieden."},
		"Nous avons décidé de garder Vite.":                  {"Nous avons décidé de garder Vite."},
		"Hemos decidido usar Go.":                            {"Hemos decidido usar Go."},
		"Decidimos usar Go.":                                 {"Decidimos usar Go."},
		"Let's run the tests":                                nil,
		"let's see what happens":                             nil,
		"We haven't decided yet.":                            nil,
		"If we decide to use Go, tell me":                    nil,
		"Should we use SQLite instead of Postgres?":          nil,
		"What have we decided?":                              nil,
		"```\nwe decided to use X\n```":                      nil,
		"> we decided to use X":                              nil,
		"我们还没决定用哪个数据库":                                       nil,
		"まだ決めていない":                                           nil,
		"We decided to " + strings.Repeat("think ", 60):      nil,
		"Let's use Go.\nlet's use go.":                       {"Let's use Go."},
	} {
		assert.Equal(t, want, request.Decisions(message), message)
	}
}

func TestTodos(t *testing.T) {
	for message, want := range map[string][]string{
		"To-do: update the docs":                            {"update the docs"},
		"todo(ann): check the index":                        {"check the index"},
		"Fixme: the cache never expires":                    {"the cache never expires"},
		"// todo remove this hack":                          {"remove this hack"},
		"- [ ] write tests\n- [x] write code\n* [ ] deploy": {"write tests", "deploy"},
		"We still need to migrate the old rows.":            {"We still need to migrate the old rows."},
		"Don't forget to push the branch":                   {"Don't forget to push the branch"},
		"Next step: rename the package":                     {"rename the package"},
		"remind me to rotate the keys":                      {"remind me to rotate the keys"},
		"待办：更新文档":                                           {"更新文档"},
		"我们还需要迁移旧数据。":                                       {"我们还需要迁移旧数据。"},
		"別忘了更新版本號":                                          {"別忘了更新版本號"},
		"やること：ドキュメントを更新":                                    {"ドキュメントを更新"},
		"할 일: 문서 업데이트":                                      {"문서 업데이트"},
		"Wir müssen noch die Doku anpassen":                 {"Wir müssen noch die Doku anpassen"},
		"Il reste à mettre à jour la doc":                   {"Il reste à mettre à jour la doc"},
		"Pendiente: actualizar la documentación":            {"actualizar la documentación"},
		"Ainda precisamos migrar os dados":                  {"Ainda precisamos migrar os dados"},
		"Do we still need to migrate?":                      nil,
		"The app still has a bug in the parser":             nil,
		"Remember that we use tabs":                         nil,
		"```\ntodo: in code\n```":                           nil,
		"add it to the todo list page":                      nil,
	} {
		assert.Equal(t, want, request.Todos(message), message)
	}
}

func TestWhatWasPastedIsNobodysTodoOrRequest(t *testing.T) {
	issue := "## Steps\n\n- [ ] open the page\n- TODO: explain the rest\n- always use the new interface\n\n" +
		strings.Repeat("The parser skips blanks in front of a number and fails on those behind it. "+
			"Note that it did not before.\n", 20)
	for _, message := range []string{
		"please fix this issue:\n\n" + issue, "<pr_description>\n" + issue + "</pr_description>\n\nfix it",
		"<instructions>\nAlways use the flag -y.\n- [ ] run it\n</instructions>",
	} {
		assert.Empty(t, request.Todos(message))
		assert.Empty(t, request.Requests(message, request.Before{}))
	}
	asked := request.Requests("From now on use the branch next. Here is the issue:\n\n"+issue, request.Before{})
	assert.Len(t, asked, 1, "what the user says before it counts")
}

func TestFacts(t *testing.T) {
	for message, want := range map[string][]string{
		"The root cause was a missing index. I'll add it now.": {"The root cause was a missing index."},
		"I found that the config is read twice.":               {"I found that the config is read twice."},
		"It turns out the worker never closes its channel.":    {"It turns out the worker never closes its channel."},
		"The server listens on port 8080 by default.":          {"The server listens on port 8080 by default."},
		"Note: the migration is defined in db/schema.sql":      {"Note: the migration is defined in db/schema.sql"},
		"根本原因是连接没有关闭。":                                         {"根本原因是连接没有关闭。"},
		"原因はロックの取り忘れでした。":                                      {"原因はロックの取り忘れでした。"},
		"Let me look at the file.":                             nil,
		"The cause might be a race.":                           nil,
		"Should I fix it?":                                     nil,
		"Done.":                                                nil,
		"THOUGHT: The root cause is that the worker never closes its channel.": {
			"The root cause is that the worker never closes its channel.",
		},
		"THOUGHT: The issue is reproduced.":                              nil,
		"The PR description says the problem is in the compiler module.": nil,
		"The test expects the old error message.":                        nil,
		"But the bug is only in the second of the two readers.":          nil,
		"The issue is in the else block.":                                nil,
		"The `Checker` class uses the `Similar` class.":                  nil,
		"The lambda returns `x.attrs` for all of them.":                  nil,
		"The early returns preserve the old values of the inputs.":       nil,
		"The project uses pnpm workspaces for all packages.": {
			"The project uses pnpm workspaces for all packages.",
		},
		"The `/list` endpoint returns at most 50 entries.": {
			"The `/list` endpoint returns at most 50 entries.",
		},
		"One note: the earlier commit has another author than this one.":     nil,
		"Local note: the checkout is behind by one commit.":                  nil,
		"One operational note: `add` created the branch from the local one.": nil,
		"Added the section with the root cause and the way out of it.":       nil,
		"The problem is that it fits, but it is long and takes up the room.": nil,
		"The issue is that my new code path writes into the wrong folder.":   nil,
		"The problem is the same wherever the worktree has its folder.":      nil,
		"The issue is that the reader closes the index before it is written.": {
			"The issue is that the reader closes the index before it is written.",
		},
	} {
		assert.Equal(t, want, request.Facts(message), message)
	}
}

func TestThereIsOneProblemAtATime(t *testing.T) {
	for fact, want := range map[string]string{
		"The issue is that the index is built twice.": "problem", "The root cause was a missing index.": "problem",
		"The bug was in the reader.": "problem", "The fix is to build it once.": "fix",
		"The server listens on port 8080.": "",
	} {
		assert.Equal(t, want, request.Topic(fact), fact)
	}
}

func TestWorkThatIsDoneOnceIsToldFromRulesAndChoices(t *testing.T) {
	before := request.Before{}.After("assistant", "Want me to add a flag for it?")
	for message, want := range map[string]bool{
		"Can we show the branch name in the list?":            true,
		"Could we also print the prompt here?":                true,
		"yes please":                                          true,
		"We should never use a global logger.":                false,
		"use pnpm instead of npm":                             false,
		"no, keep the old name in the settings":               false,
		"don't fix anything, but just validate that it works": true,
		"don't touch the generated files":                     false,
	} {
		said := request.Hear("user", message, before).Sayings
		if assert.NotEmpty(t, said, message) {
			assert.Equal(t, want, said[0].Once(), message)
		}
	}
}

var seeds = []string{
	"Remember this: we use pnpm.", "from now on\n- a\n- b", "记住：我们用 pnpm", "これを覚えておいて", "기억해 줘: 가", "remember", "```",
	"> q", "- [ ] x", "todo:", "\xff\x00\"", "remember that \"a. b", "Merk dir:", "¿Recuerdas?",
	"Let's use Go instead of C.",
}

func fuzz(f *testing.F, check func(t *testing.T, message string)) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(check)
}

func FuzzRequests(f *testing.F) {
	fuzz(f, func(t *testing.T, message string) {
		for _, r := range request.Requests(message, request.Before{}) {
			assert.Contains(t, []string{request.Feedback, request.Project, request.Decision, request.Reference}, r.Type)
			checkLine(t, r.Text)
		}
	})
}

func FuzzDecisions(f *testing.F) {
	fuzz(f, func(t *testing.T, message string) { checkLines(t, request.Decisions(message)) })
}

func FuzzTodos(f *testing.F) {
	fuzz(f, func(t *testing.T, message string) { checkLines(t, request.Todos(message)) })
}

func FuzzFacts(f *testing.F) {
	fuzz(f, func(t *testing.T, message string) { checkLines(t, request.Facts(message)) })
}

func checkLines(t *testing.T, lines []string) {
	for _, l := range lines {
		checkLine(t, l)
		assert.LessOrEqual(t, utf8.RuneCountInString(l), 300)
	}
}

func checkLine(t *testing.T, text string) {
	assert.NotEmpty(t, text)
	assert.NotContains(t, text, "\n")
	assert.True(t, utf8.ValidString(text))
}

func BenchmarkRequestsInAPromptWithoutAny(b *testing.B) {
	const prompt = "Please fix the failing test in parser_test.go. The error is always the same: expected 3, got 4. " +
		"I think the tokenizer is wrong."
	b.SetBytes(int64(len(prompt)))
	for b.Loop() {
		request.Requests(prompt, request.Before{})
	}
}

func BenchmarkRequestsInAPastedLog(b *testing.B) {
	log := strings.Repeat("2026-01-02 12:00:00 INFO worker: processed 12 items, never saw an error\n", 1<<12)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		request.Requests(log, request.Before{})
	}
}

func BenchmarkAllOfAnAssistantMessage(b *testing.B) {
	message := strings.Repeat(
		"I looked at the handler. The root cause was a missing lock. We decided to keep the map.\n- [ ] add a test\n",
		20,
	)
	b.SetBytes(int64(len(message)))
	for b.Loop() {
		request.Decisions(message)
		request.Todos(message)
		request.Facts(message)
	}
}

func TestLinesOfALogAskForNothing(t *testing.T) {
	for _, line := range []string{
		"2026-03-01 10:00:00 INFO always remember to note that the worker runs, from now on",
		"[2026-03-01T10:00:00Z] from now on use the new pool",
		"10:00:00 never retry twice",
		"WARN: always close the pool before the end",
	} {
		assert.Empty(t, request.Requests(strings.Repeat(line+"\n", 3), request.Before{}), line)
	}
	assert.NotEmpty(t, request.Requests("Two things. From now on use the new pool", request.Before{}))
}

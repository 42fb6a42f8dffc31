package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// conversed starts a session that keeps its conversation, with a number of turns. A turn is
// a request, the output of a tool, and an answer.
func conversed(t *testing.T, turns int) notebook {
	n := notebook{start(t, nil)}
	n.call("wm/session/start",
		map[string]any{"sessionId": n.session, "agent": "coder", "title": "The cart", "history": true}, nil)
	for i := 1; i <= turns; i++ {
		n.say("user", fmt.Sprintf("u%d", i), fmt.Sprintf("Please implement part %d of the cart.", i))
		n.call("wm/tool/executed", map[string]any{
			"tool": "bash", "callId": fmt.Sprintf("t%d", i), "input": map[string]any{"command": "make"},
			"output": strings.Repeat(fmt.Sprintf("line of part %d\n", i), 20), "exitCode": 0,
		}, nil)
		n.say("assistant", fmt.Sprintf("a%d", i), fmt.Sprintf("Part %d is done.", i))
	}
	return n
}

func (n notebook) say(role, id, text string) {
	n.call("wm/message/received", map[string]any{"role": role, "messageId": id, "text": text}, nil)
}

func (n notebook) compact(params map[string]any) wire.HistoryCompactResult {
	n.t.Helper()
	var done wire.HistoryCompactResult
	n.call("wm/history/compact", params, &done)
	return done
}

func TestD1_TheFolderOfASessionIsMadeWithIt(t *testing.T) {
	n := conversed(t, 1)
	dir := filepath.Dir(n.root())
	for _, name := range []string{
		"messages.jsonl", "meta.json", "working-memory/overview.md", "working-memory/detail", "working-memory/archive",
	} {
		_, err := os.Stat(filepath.Join(dir, name))
		assert.NoError(t, err, name)
	}
	meta, err := os.ReadFile(filepath.Join(dir, "meta.json"))
	require.NoError(t, err)
	assert.Contains(t, string(meta), `"The cart"`)
	messages, err := os.ReadFile(filepath.Join(dir, "messages.jsonl"))
	require.NoError(t, err)
	assert.Equal(t, 3, strings.Count(string(messages), "\n"))
	n.say("user", "u1", "Please implement part 1 of the cart.")
	again, err := os.ReadFile(filepath.Join(dir, "messages.jsonl"))
	require.NoError(t, err)
	assert.Equal(t, string(messages), string(again), "a message that is told twice is kept once")
}

func TestD1_AConversationIsKeptOnlyWhereThatIsAskedFor(t *testing.T) {
	n := notebook{start(t, nil)}
	n.say("user", "u1", "Please implement the cart.")
	assert.NoFileExists(t, filepath.Join(filepath.Dir(n.root()), "messages.jsonl"))
	refused := n.fails("wm/history/compact", map[string]any{"target": "all"})
	assert.Contains(t, refused.Message, "history: true")
	assert.Equal(t, wire.RefusalNotFound, n.refusal("wm/history/compact", map[string]any{"target": "all"}).Reason)
	n.configure("", map[string]any{"history": map[string]any{"keep": true}})
	n.say("user", "u2", "Please implement the tax.")
	assert.FileExists(t, filepath.Join(filepath.Dir(n.root()), "messages.jsonl"))
}

func TestC3_TheConversationIsArchivedAndTheLastTurnsStay(t *testing.T) {
	n := conversed(t, 8)
	n.say("user", "d", "We decided to keep cents, because floats lose them.")
	done := n.compact(map[string]any{"target": "conversation"})
	assert.Len(t, done.Removed, 12, "four of nine turns, three messages each")
	assert.Equal(t, "u1", done.Removed[0])
	assert.Equal(t, []string{"u5", "t5", "a5"}, done.Kept[:3])
	assert.Equal(t, "d", done.Kept[len(done.Kept)-1])
	assert.Less(t, done.TokensAfter, done.TokensBefore)
	assert.Regexp(t, `^detail/conversation-[\d-]+\.md$`, done.ArchivedTo)
	assert.Contains(t, done.Summary, "keep cents", "what was decided stays, with its reason")
	assert.Contains(t, done.Summary, "because floats lose them")

	archive := n.read(done.ArchivedTo).Content
	for _, said := range []string{"Please implement part 1 of the cart.", "line of part 4", "a4"} {
		assert.Contains(t, archive, said, "it can be found again")
	}
	assert.NotContains(t, archive, "part 5 of the cart")
	again := n.compact(map[string]any{"target": "conversation"})
	assert.Empty(t, again.Removed)
	assert.Equal(t, done.Kept, again.Kept)
	assert.Empty(t, again.ArchivedTo)
	assert.Equal(t, again.TokensBefore, again.TokensAfter)
}

func TestC3_EveryTargetAndStrategy(t *testing.T) {
	for name, c := range map[string]struct {
		params   map[string]any
		removed  int
		archived string
	}{
		"tools":                    {map[string]any{"target": "tools"}, 3, `^detail/tools-`},
		"tools, the last two stay": {map[string]any{"target": "tools", "keepRecent": 2}, 6, `^detail/tools-`},
		"conversation, three turns stay at least": {
			map[string]any{"target": "conversation", "keepRecent": 1}, 15, `^detail/conversation-`,
		},
		"all":             {map[string]any{"target": "all", "strategy": "archive"}, 9, `^detail/`},
		"only summarised": {map[string]any{"target": "all", "strategy": "summarize"}, 9, `^$`},
		"into a note": {
			map[string]any{"target": "all", "archiveTo": "working-memory/detail/first.md"}, 9, `^detail/first\.md$`,
		},
	} {
		n := conversed(t, 8)
		done := n.compact(c.params)
		assert.Len(t, done.Removed, c.removed, name)
		assert.Len(t, done.Kept, 24-c.removed, name)
		assert.Regexp(t, c.archived, done.ArchivedTo, name)
		assert.NotEmpty(t, done.Summary, name)
	}
	n := conversed(t, 2)
	for _, wrong := range []map[string]any{
		{}, {"target": "everything"}, {"target": "all", "strategy": "burn"}, {"target": "all", "keepRecent": -1},
	} {
		assert.EqualValues(t, wire.CodeInvalidParams, n.fails("wm/history/compact", wrong).Code, wrong)
	}
	assert.EqualValues(t, wire.CodeInvalidParams,
		n.fails("wm/history/compact", map[string]any{"target": "all", "keepRecent": 1, "archiveTo": "../x.md"}).Code)
	assert.EqualValues(
		t,
		wire.CodeInvalidParams,
		n.fails("wm/history/compact",
			map[string]any{"target": "all", "keepRecent": 1, "archiveTo": "overview.md"}).Code,
	)
	assert.Len(t, n.compact(map[string]any{"target": "all"}).Kept, 6, "what was refused changed nothing")
}

func TestC3_ANoteThatIsThereIsContinued(t *testing.T) {
	n := conversed(t, 8)
	n.write("detail/first.md", "# Mine\n")
	n.compact(map[string]any{"target": "tools", "archiveTo": "detail/first.md"})
	n.compact(map[string]any{"target": "conversation", "archiveTo": "detail/first.md"})
	text := n.read("detail/first.md").Content
	assert.True(t, strings.HasPrefix(text, "# Mine\n\n"), text)
	assert.Contains(t, text, "line of part 1")
	assert.Contains(t, text, "Please implement part 2 of the cart.")
}

func TestC3_TheModelsSummaryIsKeptAndWhatItForgotIsAdded(t *testing.T) {
	n := conversed(t, 8)
	n.call("wm/core/update",
		map[string]any{"block": "goal", "operation": "replace", "content": "Ship the cart by March"}, nil)
	n.say("user", "d", "We decided to keep cents, because floats lose them.")
	done := n.compact(map[string]any{"target": "all", "summary": "The first parts of the cart are done."})
	assert.True(t, strings.HasPrefix(done.Summary, "The first parts of the cart are done.\n\n"), done.Summary)
	assert.Contains(t, done.Summary, "Ship the cart by March")
	assert.Contains(t, done.Summary, "keep cents")
	n.say("user", "e", "Please go on with part nine of the cart.")
	whole := n.compact(map[string]any{
		"target": "all", "keepRecent": 1,
		"summary": done.Summary + "\n\nNext: part nine of the cart, go on with it.",
	})
	assert.Equal(t, 1, strings.Count(whole.Summary, "Ship the cart by March"), "what it says is not said again")
}

func TestC3_TheExtractiveSummaryTellsOfFilesAndErrors(t *testing.T) {
	n := conversed(t, 1)
	run := func(exit int, output string) {
		n.call("wm/tool/executed", map[string]any{
			"tool": "bash", "input": map[string]any{"command": "go vet ./..."}, "exitCode": exit, "output": output,
		}, nil)
	}
	n.call("wm/tool/executed", map[string]any{"tool": "edit", "input": map[string]any{"filePath": "cart.go"}}, nil)
	run(1, "cart.go:3:1: undefined: total\n")
	run(0, "")
	n.call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go test ./..."}, "exitCode": 1,
		"output": "--- FAIL: TestTax (0.00s)\n    tax_test.go:9: off by one\nFAIL\n",
	}, nil)
	n.say("assistant", "a", "Next I will round the tax at the end.")
	for i := range 3 {
		n.say("user", fmt.Sprintf("v%d", i), "ok")
	}
	done := n.compact(map[string]any{"target": "all", "keepRecent": 1})
	for _, said := range []string{
		"part 1 of the cart", "round the tax at the end", "cart.go", "undefined: total", "TestTax: off by one",
	} {
		assert.Contains(t, done.Summary, said)
	}
}

func TestC4_TheOverviewTellsWhatWasCompacted(t *testing.T) {
	n := conversed(t, 8)
	n.put("overview.md", "# Cart\n\nIt is red.\n")
	first := n.compact(map[string]any{"target": "tools", "summary": "The builds went well."})
	text := n.read("overview.md").Content
	assert.True(t, strings.HasPrefix(text, "# Cart\n\nIt is red.\n"), "the writer's text stays")
	assert.Contains(t, text, "The builds went well.")
	assert.Equal(t, 2, strings.Count(text, "("+first.ArchivedTo+")")+strings.Count(text, "(<"+first.ArchivedTo+">)"),
		"in the index and with the summary")
	assert.Contains(t, n.context(nil).Prefix, "The builds went well.")
	n.compact(map[string]any{"target": "conversation", "summary": "Three parts are done."})
	text = n.read("overview.md").Content
	assert.Less(t, strings.Index(text, "Three parts are done."), strings.Index(text, "The builds went well."),
		"the newest first")
	assert.Equal(t, wire.KeepActiveTurn, n.context(nil).History.Keep)
	n.put("overview.md", strings.Replace(text, "It is red.", "", 1))
	assert.Equal(t, wire.KeepAll, n.context(nil).History.Keep, "what the server wrote is not the model's")
}

func TestA13_CompactionsAreLoggedAndWhatIsKeptSurvivesThem(t *testing.T) {
	n := conversed(t, 8)
	n.call("wm/core/update", map[string]any{"block": "goal", "operation": "replace", "content": "Ship the cart"}, nil)
	n.call("wm/working/add", map[string]any{"content": "call the bank", "slot": "todo"}, nil)
	n.call("wm/usage/reported", map[string]any{"tokensUsed": 71, "tokensMax": 100}, nil)
	n.compact(map[string]any{"target": "all"})
	n.call("wm/compaction/finished", map[string]any{"summary": "All was said."}, nil)
	var trace wire.TraceResult
	n.call("wm/trace", map[string]any{"kinds": []string{"session.compacted"}}, &trace)
	require.Len(t, trace.Events, 2)
	assert.Contains(t, string(trace.Events[0].After), `"by":"model"`)
	assert.Contains(t, string(trace.Events[0].After), `"archivedTo":"detail/`)
	assert.Contains(t, string(trace.Events[1].After), `"by":"host"`)

	text := n.context(nil).Text
	for _, kept := range []string{"Ship the cart", "call the bank"} {
		assert.Contains(t, text, kept)
	}
	var pressure wire.Pressure
	n.call("wm/pressure", nil, &pressure)
	assert.EqualValues(t, 71, pressure.Percentage)
	assert.NotContains(t, text, "of your context", "which is less full now")
}

func TestD6_NothingIsCompactedByItselfButAtTheFallback(t *testing.T) {
	n := conversed(t, 8)
	report := func(percent int) {
		n.call("wm/usage/reported", map[string]any{"tokensUsed": percent, "tokensMax": 100}, nil)
	}
	messages := func() int { return len(n.compact(map[string]any{"target": "all", "keepRecent": 100}).Kept) }
	report(74)
	assert.Equal(t, 24, messages())
	report(75)
	assert.Equal(t, 15, messages(), "five turns")
	n.eventually("the client is told", func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return len(n.compacted) == 1
	})
	told := n.compacted[0]
	assert.Equal(t, n.session, told.SessionID)
	assert.Len(t, told.Removed, 9)
	assert.Contains(t, n.read(told.ArchivedTo).Content, "part 1 of the cart")
	assert.Contains(t, told.Summary, "part 8 of the cart", "the current task")
	report(80)
	assert.Equal(t, 15, messages(), "once for each crossing")

	n = conversed(t, 8)
	n.configure("", map[string]any{"compact": map[string]any{"auto": false}})
	report(90)
	assert.Equal(t, 24, messages(), "it is a setting")
}

func TestD8_TheOldestMessagesAreNamed(t *testing.T) {
	n := conversed(t, 8)
	n.call("wm/usage/reported", map[string]any{"tokensUsed": 60, "tokensMax": 100}, nil)
	meta := metaOf(t, n.context(nil).Text)
	assert.Equal(t, 24.0, meta["messages_in_history"])
	assert.Contains(t, fmt.Sprint(meta["suggestions"]),
		"3 messages of the history, with wm/history/compact and target tools")
}

func TestD6_TheFallbackGoesOnWhileTheContextStaysFull(t *testing.T) {
	n := conversed(t, 6)
	report := func() {
		n.call("wm/usage/reported", map[string]any{"tokensUsed": 80, "tokensMax": 100}, nil)
	}
	kept := func() int { return len(n.compact(map[string]any{"target": "all", "keepRecent": 100}).Kept) }
	report()
	assert.Equal(t, 15, kept())
	for i := range 4 {
		n.say("user", fmt.Sprintf("v%d", i), "go on")
	}
	report()
	assert.Equal(t, 19, kept(), "four new turns")
	n.say("user", "v5", "go on")
	report()
	assert.Less(t, kept(), 15, "as many as are kept")
}

func TestC3_NoNameOfAnArchiveIsUsedTwiceAndNoDeadLinkStays(t *testing.T) {
	n := conversed(t, 4)
	n.configure("", map[string]any{"history": map[string]any{"maxArchives": 2}})
	seen := map[string]bool{}
	for i := range 5 {
		n.say("user", fmt.Sprintf("w%d", i), strings.Repeat(fmt.Sprintf("Please paint wall number %d. ", i), 20))
		done := n.compact(map[string]any{"target": "all", "keepRecent": 1})
		require.NotEmpty(t, done.ArchivedTo)
		assert.False(t, seen[done.ArchivedTo], done.ArchivedTo)
		seen[done.ArchivedTo] = true
	}
	var list wire.NotesListResult
	n.call("wm/notes/list", nil, &list)
	require.Len(t, list.Files, 3)
	text := n.read("overview.md").Content
	for name := range seen {
		there := name == list.Files[1].Path || name == list.Files[2].Path
		assert.Equal(t, there, strings.Contains(text, name), name)
	}
}

func TestC3_TokensGoOnFromOneCompactionToTheNext(t *testing.T) {
	n := conversed(t, 8)
	first := n.compact(map[string]any{"target": "tools", "keepRecent": 4})
	second := n.compact(map[string]any{"target": "all", "keepRecent": 2})
	assert.Equal(t, first.TokensAfter, second.TokensBefore)
	assert.EqualValues(
		t,
		wire.CodeInvalidParams,
		n.fails("wm/history/compact",
			map[string]any{"target": "all", "strategy": "summarize", "archiveTo": "detail/a.md"}).Code,
	)
	assert.Contains(
		t,
		string(n.fails("wm/history/compact", map[string]any{"target": "all", "keepRecent": 1, "archiveTo": "x"}).Data),
		`"field":"archiveTo"`,
	)
}

func TestB12_TheGivenSummaryOfACompactionIsRead(t *testing.T) {
	n := conversed(t, 8)
	const (
		candidate = "Integration tests need Docker and a free port 5433"
		decision  = "Use SQLite instead of bbolt because several processes open the file"
	)
	done := n.compact(map[string]any{"target": "all", "summary": "## Decisions\n- " + decision +
		"\n\n<workspace_memory_candidates>\n- [project] " + candidate + "\n</workspace_memory_candidates>\n"})
	require.NotEmpty(t, done.Removed)
	require.Len(t, done.Memories, 1)
	assert.Equal(t, wire.ReceiptAdded, done.Memories[0].Status)
	require.Len(t, done.Promoted, 1)
	assert.Equal(t, decision, done.Promoted[0].Entry.Text)
	var listed wire.MemoryListResult
	n.call("wm/memory/list", map[string]any{"includeInactive": true}, &listed)
	statuses := map[string]wire.EntryStatus{}
	for _, entry := range listed.Entries {
		statuses[entry.Text] = entry.Status
	}
	assert.Equal(t, map[string]wire.EntryStatus{candidate: wire.StatusActive, decision: wire.StatusOffered}, statuses)
	var trace wire.TraceResult
	n.call("wm/trace", map[string]any{"kinds": []string{"session.compacted"}}, &trace)
	assert.Len(t, trace.Events, 1, "it is one compaction")
}

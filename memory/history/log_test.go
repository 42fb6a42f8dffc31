package history_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sourcegraph/conc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

var start = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)

func words(text string) int { return len(strings.Fields(text)) }

func log(dir string, maxBytes int) history.Log {
	return history.In(dir, history.Options{MaxBytes: func() int { return maxBytes }, Tokens: words})
}

func load(t testing.TB, l history.Log) history.Conversation {
	t.Helper()
	c, err := l.Load()
	require.NoError(t, err)
	return c
}

func add(t testing.TB, l history.Log, role, text string) history.Message {
	t.Helper()
	m, err := l.Append(history.Message{Role: role, Text: text, At: start})
	require.NoError(t, err)
	return m
}

func idsOf(messages []history.Message) []string {
	all := []string{}
	for _, m := range messages {
		all = append(all, m.ID)
	}
	return all
}

func TestD1_AConversationIsKeptInTheOrderInWhichItWasAppended(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "session")
	l := log(dir, 1<<20)
	assert.Empty(t, load(t, l).Messages)
	want := []history.Message{
		add(t, l, history.System, "be brief"),
		add(t, l, history.User, "fix <it> & go"),
		add(t, l, history.Assistant, "done"),
	}
	late, err := l.Append(
		history.Message{
			ID:      "x",
			Role:    history.Tool,
			Tool:    "bash",
			Command: "ls",
			Text:    "a b c",
			At:      start.Add(-time.Hour),
			Tokens:  9,
		},
	)
	require.NoError(t, err)
	want = append(want, late)
	for name, l := range map[string]history.Log{"the same log": l, "a new one": log(dir, 1<<20)} {
		c := load(t, l)
		assert.Equal(t, want, c.Messages, name)
		assert.Equal(t, 2+4+1+9, c.Tokens, name)
		assert.Equal(t, 1, c.Turn, name)
	}
	assert.Equal(t, []int{0, 1, 1, 1}, []int{want[0].Turn, want[1].Turn, want[2].Turn, want[3].Turn})
	text, err := os.ReadFile(filepath.Join(dir, store.HistoryName))
	require.NoError(t, err)
	assert.Equal(
		t,
		`{"kind":"message","id":"x","role":"tool","text":"a b c","at":"2026-03-01T07:00:00Z",`+
			`"turn":1,"tokens":9,"tool":"bash","command":"ls"}`,
		strings.Split(string(text), "\n")[3],
	)
	info, err := os.Stat(filepath.Join(dir, store.HistoryName))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestD1_AMessageThatIsKnownIsNotAppendedAgain(t *testing.T) {
	dir := t.TempDir()
	l, other := log(dir, 1<<20), log(dir, 1<<20)
	first, err := l.Append(history.Message{ID: "a", Role: history.User, Text: "one"})
	require.NoError(t, err)
	again, err := other.Append(history.Message{ID: "a", Role: history.User, Text: "two"})
	require.NoError(t, err)
	assert.Equal(t, first, again)
	require.NoError(t, l.Record(history.Compaction{Removed: []string{"a"}}))
	_, err = other.Append(history.Message{ID: "a", Role: history.User, Text: "three"})
	require.NoError(t, err)
	assert.Empty(t, load(t, l).Messages)
}

func TestA13_ACompactionTakesItsMessagesOutAndIsLogged(t *testing.T) {
	dir := t.TempDir()
	l := log(dir, 1<<20)
	a, b := add(t, l, history.User, "one"), add(t, l, history.User, "two words")
	held := load(t, l)
	done := history.Compaction{
		Removed: []string{
			a.ID,
		}, Summary: "**Task:** one", ArchivedTo: "detail/a.md", Target: history.TargetConversation,
		Strategy: history.Archive, By: history.ByModel, At: start, TokensBefore: 3, TokensAfter: 2,
	}
	require.NoError(t, l.Record(done))
	done.Count = 1
	for _, l := range []history.Log{l, log(dir, 1<<20)} {
		c := load(t, l)
		assert.Equal(t, []history.Message{b}, c.Messages)
		assert.Equal(t, 2, c.Tokens)
		assert.Equal(t, []history.Compaction{done}, c.Compactions)
	}
	assert.Equal(t, []history.Message{a, b}, held.Messages, "what was loaded before does not change")
	for range 2 * history.MaxCompactions {
		require.NoError(t, l.Record(history.Compaction{Summary: "more"}))
	}
	assert.Len(t, load(t, l).Compactions, history.MaxCompactions)
}

func TestALineOfBeforeThatACompactionBeginsChangesNothing(t *testing.T) {
	dir := t.TempDir()
	l := log(dir, 1<<20)
	a := add(t, l, history.User, "fix it")
	before := fmt.Sprintf(`{"kind":"archiving","removed":[%q],"archivedTo":"detail/a.md"}`+"\n", a.ID)
	file, err := os.OpenFile(filepath.Join(dir, store.HistoryName), os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = file.WriteString(before)
	require.NoError(t, errors.Join(err, file.Close()))
	b := add(t, l, history.Assistant, "done")
	c := load(t, log(dir, 1<<20))
	assert.Equal(t, []history.Message{a, b}, c.Messages)
	assert.Empty(t, c.Compactions)
	assert.Zero(t, c.Broken)
}

func TestALineThatACrashCutIsPassedOver(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, store.HistoryName)
	l := log(dir, 1<<20)
	a := add(t, l, history.User, "one")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		tail   string
		broken int
		ids    []string
	}{
		"half a line":              {`{"kind":"message","id":"c","role":"us`, 1, []string{a.ID}},
		"a line without its end":   {`{"kind":"message","id":"c","role":"user","text":"x"}`, 0, []string{a.ID, "c"}},
		"bytes that are not text":  {"\xff\x00\n\n", 1, []string{a.ID}},
		"an unknown kind":          {`{"kind":"later"}` + "\n", 1, []string{a.ID}},
		"a message without an id":  {`{"kind":"message","role":"user"}` + "\n", 1, []string{a.ID}},
		"numbers that are no such": {`{"kind":"message","id":"c","role":"user","turn":"x"}` + "\n", 1, []string{a.ID}},
		"the same message again":   {string(whole), 0, []string{a.ID}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, append(whole[:len(whole):len(whole)], c.tail...), 0o600))
			for _, l := range []history.Log{l, log(dir, 1<<20)} {
				got := load(t, l)
				assert.Equal(t, c.broken, got.Broken)
				assert.Equal(t, c.ids, idsOf(got.Messages))
			}
			next := add(t, l, history.Assistant, "two")
			for _, l := range []history.Log{l, log(dir, 1<<20)} {
				got := load(t, l)
				assert.Equal(t, c.broken, got.Broken)
				assert.Equal(t, append(c.ids, next.ID), idsOf(got.Messages))
			}
		})
	}
}

func TestAFileThatIsReplacedOrDeletedIsReadAnew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, store.HistoryName)
	l := log(dir, 1<<20)
	add(t, l, history.User, "one")
	load(t, l)
	require.NoError(
		t,
		os.WriteFile(path, []byte(strings.Repeat(`{"kind":"message","id":"n","role":"user"}`+"\n", 9)), 0o600),
	)
	assert.Equal(t, []string{"n"}, idsOf(load(t, l).Messages))
	require.NoError(t, os.Remove(path))
	assert.Empty(t, load(t, l).Messages)
}

func TestALongTextKeepsItsHeadAndItsTail(t *testing.T) {
	l := log(t.TempDir(), 1<<20)
	m := add(t, l, history.Tool, "head"+strings.Repeat("é", 50_000)+"tail")
	assert.LessOrEqual(t, utf8.RuneCountInString(m.Text), history.MaxChars)
	assert.Greater(t, utf8.RuneCountInString(m.Text), history.MaxChars-200)
	assert.True(t, strings.HasPrefix(m.Text, "headé") && strings.HasSuffix(m.Text, "étail"))
	assert.Regexp(t, `\n\[… 18108 characters were left out …\]\n`, m.Text)
	assert.Equal(t, []history.Message{m}, load(t, l).Messages)
}

func TestD1_TenThousandMessagesStayBoundedAndTheNewestStay(t *testing.T) {
	dir := t.TempDir()
	l := log(dir, 1<<18)
	messages := slow.Rounds(10_000)
	var last history.Message
	for i := range messages {
		last = add(t, l, history.User, fmt.Sprintf("message %d %s", i, strings.Repeat("word ", 20)))
		if i%500 == 499 {
			c := load(t, l)
			require.NoError(
				t,
				l.Record(history.Compaction{Removed: idsOf(c.Messages[:len(c.Messages)/2]), Summary: "half"}),
			)
		}
		if i%50 == 0 {
			info, err := os.Stat(filepath.Join(dir, store.HistoryName))
			require.NoError(t, err)
			require.LessOrEqual(t, info.Size(), int64(1<<18))
		}
	}
	c := load(t, l)
	assert.Equal(t, last, c.Messages[len(c.Messages)-1])
	assert.Equal(t, messages, c.Turn)
	assert.Greater(t, len(c.Messages), 100)
	assert.Len(t, c.Compactions, messages/500)
	assert.Equal(t, load(t, log(dir, 1<<18)), c)
}

func TestWhatWasRemovedGoesBeforeWhatIsOld(t *testing.T) {
	dir := t.TempDir()
	l := log(dir, 20_000)
	first := add(t, l, history.System, "rules")
	var removed []string
	for range 15 {
		removed = append(removed, add(t, l, history.Tool, strings.Repeat("X", 1000)).ID)
	}
	require.NoError(t, l.Record(history.Compaction{Removed: removed, Summary: "outputs"}))
	for range 5 {
		add(t, l, history.User, strings.Repeat("y", 900))
	}
	c := load(t, l)
	assert.Equal(t, first, c.Messages[0])
	assert.Len(t, c.Messages, 6)
	text, err := os.ReadFile(filepath.Join(dir, store.HistoryName))
	require.NoError(t, err)
	assert.NotContains(t, string(text), "XXX", "ids have no capital letters")
	again, err := l.Append(history.Message{ID: removed[3], Role: history.Tool, Text: "again"})
	require.NoError(t, err)
	assert.Equal(t, "again", again.Text)
	assert.Len(t, load(t, l).Messages, 6, "what left does not come back")
}

func TestSeveralWritersLoseNoLineWhileOneWritesTheFileAnew(t *testing.T) {
	dir := t.TempDir()
	const writers, each = 8, 100
	logs := []history.Log{log(dir, 1<<19), log(dir, 1<<19)}
	gone := make([]string, 0, 400)
	for i := range cap(gone) {
		m, err := logs[0].Append(
			history.Message{ID: fmt.Sprint("old", i), Role: history.Tool, Text: strings.Repeat("z", 1000)},
		)
		require.NoError(t, err)
		gone = append(gone, m.ID)
	}
	require.NoError(t, logs[1].Record(history.Compaction{Removed: gone, Summary: "old"}))
	before, err := os.Stat(filepath.Join(dir, store.HistoryName))
	require.NoError(t, err)
	var wg conc.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				_, err := logs[w%2].Append(
					history.Message{
						ID:   fmt.Sprintf("w%d-%d", w, i),
						Role: history.User,
						Text: strings.Repeat("n", 200),
					},
				)
				assert.NoError(t, err)
				_, err = logs[(w+1)%2].Load()
				assert.NoError(t, err)
			}
		})
	}
	wg.Wait()
	after, err := os.Stat(filepath.Join(dir, store.HistoryName))
	require.NoError(t, err)
	assert.False(t, os.SameFile(before, after), "the file was written anew meanwhile")
	for _, l := range append(logs, log(dir, 1<<19)) {
		c := load(t, l)
		assert.Zero(t, c.Broken)
		assert.Len(t, c.Messages, writers*each)
		next := map[string]int{}
		for _, m := range c.Messages {
			var w, i int
			_, err := fmt.Sscanf(m.ID, "w%d-%d", &w, &i)
			require.NoError(t, err)
			assert.Equal(t, next[fmt.Sprint(w)], i, "the order of each writer")
			next[fmt.Sprint(w)]++
		}
	}
}

func TestAPlaceThatCannotHoldAConversationIsAnErrorThatSaysSo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	l := log(file, 1<<20)
	_, err := l.Append(history.Message{Role: history.User})
	assert.ErrorContains(t, err, "keep a message of the conversation: lock the conversation: make the folder")
	assert.ErrorContains(t, l.Record(history.Compaction{}), "keep what was compacted")
	assert.ErrorContains(t, l.SetMeta(history.Meta{}), "write the description of the session")
	_, err = l.Load()
	assert.ErrorContains(t, err, "read the conversation")

	require.NoError(t, os.Mkdir(filepath.Join(dir, store.HistoryName), 0o700))
	_, err = log(dir, 1<<20).Load()
	assert.ErrorContains(t, err, "not a regular file")
	_, err = log(dir, 1<<20).Append(history.Message{Role: history.User})
	assert.ErrorContains(t, err, "not a regular file")
	_, err = log(dir, 1<<20).Append(history.Message{Text: "x"})
	assert.ErrorContains(t, err, "needs a role")
}

func TestD1_MetaSaysWhatSessionTheFolderIsOf(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	l := log(dir, 1<<20)
	_, err := l.Meta()
	require.ErrorIs(t, err, os.ErrNotExist)
	meta := history.Meta{
		SessionID:   "s",
		Agent:       "a",
		Title:       "t",
		Worktree:    "/w",
		StartedAt:   start,
		UpdatedAt:   start,
		Turn:        2,
		Messages:    3,
		Compactions: 1,
	}
	require.NoError(t, l.SetMeta(meta))
	meta.Version = 1
	got, err := l.Meta()
	require.NoError(t, err)
	assert.Equal(t, meta, got)

	path := filepath.Join(dir, store.MetaName)
	require.NoError(t, os.WriteFile(path, []byte(`{"version":1,`), 0o600))
	require.NoError(t, l.SetMeta(meta), "what cannot be understood is replaced")
	require.NoError(t, os.WriteFile(path, []byte(`{"version":2}`), 0o600))
	assert.ErrorContains(t, l.SetMeta(meta), "update wm-lsp")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, `{"version":2}`, string(text))
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "{", `{"kind":"message","id":"a","role":"user","text":"x"}`,
		`{"kind":"compacted","removed":["a"],"count":-1}` + "\n",
		`{"kind":"message","id":"a","role":"user","tokens":-5,"turn":-1}` + "\n" +
			`{"kind":"compacted","removed":["a","b"]}`,
		"\xff\x00\n{}",
	} {
		f.Add([]byte(seed), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, first, more []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, store.HistoryName)
		require.NoError(t, os.WriteFile(path, first, 0o600))
		l := log(dir, 1<<20)
		load(t, l)
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		_, err = file.Write(more)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		m, err := l.Append(history.Message{Role: history.User, Text: "kept"})
		require.NoError(t, err)
		followed, anew := load(t, l), load(t, log(dir, 1<<20))
		require.Equal(t, anew.Messages, followed.Messages)
		require.Equal(t, anew.Compactions, followed.Compactions)
		require.Equal(t, m, followed.Messages[len(followed.Messages)-1])
		require.GreaterOrEqual(t, followed.Tokens, 0)
		for _, target := range []history.Target{history.TargetConversation, history.TargetTools, history.TargetAll} {
			plan := history.NewPlan(followed, history.Choice{Target: target})
			require.Len(t, append(plan.Removed, plan.Kept...), len(followed.Messages))
			plan.Archive("", "", start)
		}
		history.Block(followed.Compactions, "en", 500)
	})
}

func BenchmarkAppendAndLoadOfTenThousand(b *testing.B) {
	dir := b.TempDir()
	l := log(dir, 1<<28)
	for i := range 10_000 {
		add(b, l, history.User, fmt.Sprint("a message of usual length that says something about the work, number ", i))
	}
	b.Run("append", func(b *testing.B) {
		for b.Loop() {
			add(b, l, history.Assistant, "a message that is appended")
		}
	})
	b.Run("load after an append", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			add(b, l, history.Assistant, "a message that is appended")
			b.StartTimer()
			load(b, l)
		}
	})
	b.Run("load at the start", func(b *testing.B) {
		for b.Loop() {
			load(b, log(dir, 1<<28))
		}
	})
}

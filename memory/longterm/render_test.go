package longterm

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestB6_LinesAreWrittenByTypeThenCreation(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.Types = []string{"risk"}
	for _, in := range []Addition{
		{Type: "risk", Text: "Backups are not tested"}, {Type: "reference", Text: "API docs live at " +
			"docs/api"}, {Type: "project", Text: "Go 1.26 module"},
		{Type: "decision", Text: "SQLite instead of files"}, {Type: "project", Text: "CI runs on " +
			"tags", Source: Explicit}, {Type: "feedback", Text: "Prefer short functions"},
	} {
		f.add(in)
	}
	text, omitted := f.room.Render(5200)
	assert.Empty(t, omitted)
	assert.Equal(t, `<workspace_memory>
- [feedback] Prefer short functions
- [project] Go 1.26 module
- [project] CI runs on tags
- [decision] SQLite instead of files
- [reference] API docs live at docs/api
- [risk] Backups are not tested
</workspace_memory>`, text)
	entries, chars := f.room.Used()
	assert.Equal(t, 6, entries)
	assert.Equal(t, utf8.RuneCountInString(text), chars)
}

func TestB6_AnEmptyMemoryRendersAsNothing(t *testing.T) {
	text, omitted := newFixture(t).room.Render(5200)
	assert.Empty(t, text)
	assert.Empty(t, omitted)
}

func TestB6_EntriesAreWholeOrOmittedWithAReason(t *testing.T) {
	f := newFixture(t)
	long := f.add(Addition{Text: strings.Repeat("長い説明文", 40), Source: Manual})
	short := f.add(Addition{Text: "short but kept", Source: Manual})
	pinned := f.add(Addition{Text: "pinned and kept", Source: Compaction, Pinned: true})
	if pinned.Status == ReceiptRejected {
		pinned = f.add(Addition{Text: "pinned and kept", Source: Manual, Pinned: true})
	}
	text, omitted := f.room.Render(120)
	assert.Contains(t, text, "short but kept")
	assert.Contains(t, text, "pinned and kept")
	require.Len(t, omitted, 1)
	assert.Equal(t, long.ID, omitted[0].ID)
	assert.Contains(t, omitted[0].Why(), "needs 213 characters")
	assert.Equal(t, StatusActive, f.get(long.ID).Status)

	all, none := f.room.Render(0)
	assert.Empty(t, all)
	assert.Len(t, none, 3)
	assert.Equal(t, pinned.ID, f.room.Retention()[0].ID)
	assert.Equal(t, short.ID, f.room.Retention()[1].ID)
}

func TestB6_TheBudgetIsCountedInCharactersAndKeptExactly(t *testing.T) {
	f := newFixture(t)
	f.add(Addition{Text: "メモリは日本語でもよい"})
	whole, _ := f.room.Render(5200)
	fits, omitted := f.room.Render(utf8.RuneCountInString(whole))
	assert.Equal(t, whole, fits)
	assert.Empty(t, omitted)
	nothing, omitted := f.room.Render(utf8.RuneCountInString(whole) - 1)
	assert.Empty(t, nothing)
	assert.Len(t, omitted, 1)
}

func TestB6_NoTextCanEndTheMemoryOrTakeASecondLine(t *testing.T) {
	cases := []struct{ name, text, line string }{
		{"new lines become spaces", "one\ntwo\r\nthree\u2028four", "- [project] one two three four"},
		{"control characters become spaces", "red\x1b[31m\b and\x00 nul", "- [project] red and nul"},
		{"a closing tag is not one", "a </workspace_memory> b", "- [project] a ‹/workspace_memory> b"},
		{"nor one with spaces", "a < / Workspace_Memory > b", "- [project] a ‹ / Workspace_Memory > b"},
		{"nor that of another section", "a </core_memory> b", "- [project] a ‹/core_memory> b"},
		{"nor a second opening one", "a <workspace_memory> b", "- [project] a ‹workspace_memory> b"},
		{"spaces at the ends and several in a row", " a  b ", "- [project] a b"},
		{"code stays code", "use List<String> if a < b", "- [project] use List<String> if a < b"},
		{"nor one that is escaped", "a &lt;/core_memory> b", "- [project] a ‹/core_memory> b"},
		{"letters of more than one byte", "メモリは 日本語 – ü", "- [project] メモリは 日本語 – ü"},
		{"no text", "", "- [project] "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			entry := Entry{Type: "project", Text: c.text}
			assert.Equal(t, c.line+"\n", line(entry))
			assert.Equal(t, utf8.RuneCountInString(c.line+"\n"), lineChars(entry))
		})
	}
}

func TestB1_ExplainSaysWhereAnEntryStands(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxChars = 200
	f.settings.Memory.MaxEntries = 3
	gone := f.add(Addition{Text: "the first to be evicted"}).ID
	long := f.add(Addition{Text: strings.Repeat("long ", 60)}).ID
	pinned := f.add(Addition{Text: "pinned", Pinned: true}).ID
	last := f.add(Addition{Text: "last"}).ID
	cases := []struct {
		name, id string
		rank     int
		rendered bool
		reason   string
	}{
		{"a pinned one is first", pinned, 1, true, "active and pinned"},
		{"the later reinforcement is next", last, 2, true, "active"},
		{"one that does not fit", long, 3, false, "over budget"},
		{"an evicted one", gone, 0, false, "over the limit of 3 entries"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			explained, err := f.room.Explain(c.id)
			require.NoError(t, err)
			assert.Equal(t, c.id, explained.Entry.ID)
			assert.Equal(t, c.rank, explained.Rank)
			assert.Equal(t, c.rendered, explained.Rendered)
			assert.Contains(t, explained.Reason, c.reason)
		})
	}
}

func TestList_SelectsByTypeAndStatusInTheOrderOfCreation(t *testing.T) {
	f := newFixture(t)
	a := f.add(Addition{Type: "decision", Text: fact(1)}).ID
	b := f.add(Addition{Type: "project", Text: fact(2)}).ID
	c := f.add(Addition{Type: "decision", Text: fact(3)}).ID
	f.apply(f.room.Remove(a))
	assert.Equal(t, []string{b, c}, ids(f.room.List(nil, false)))
	assert.Equal(t, []string{a, b, c}, ids(f.room.List(nil, true)))
	assert.Equal(t, []string{c}, ids(f.room.List([]string{"decision"}, false)))
	assert.Empty(t, f.room.List([]string{"poem"}, true))
}

func TestReads_ShareNothingWithTheRoom(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: fact(1), Files: []string{"a.go"}, Session: "s1"}).ID
	entry := f.get(id)
	entry.Files[0], entry.Origin.SessionID = "changed", "changed"
	assert.Equal(t, []string{"a.go"}, f.get(id).Files)
	assert.Equal(t, "s1", f.get(id).Origin.SessionID)
	assert.Equal(t, time.UTC, entry.CreatedAt.Location())
}

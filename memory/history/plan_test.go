package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory/history"
)

// talk makes a conversation of lines "role: text"; ids are their numbers.
func talk(lines ...string) history.Conversation {
	var c history.Conversation
	for i, line := range lines {
		role, text, _ := strings.Cut(line, ": ")
		c.Messages = append(
			c.Messages,
			history.Message{
				ID:     fmt.Sprint(i),
				Role:   role,
				Text:   text,
				At:     start.Add(time.Duration(i) * time.Minute),
				Tokens: 10,
			},
		)
	}
	return c
}

var work = talk(
	"system: be brief",
	"user: Fix the parser.", "assistant: I look.", "tool: a.go", "tool: b.go", "assistant: Fixed.",
	"user: thanks", "assistant: you are welcome", "tool: c.go",
	"user: go on", "assistant: ok", "tool: d.go",
)

// longer is work with two turns more, in which no tool ran.
var longer = history.Conversation{Messages: append(slices.Clone(work.Messages),
	history.Message{ID: "12", Role: "user", Text: "and then"}, history.Message{ID: "13", Role: "user", Text: "good"})}

func TestC3_APlanTakesWhatTheTargetAndTheRecentTurnsLeave(t *testing.T) {
	for name, c := range map[string]struct {
		of     history.Conversation
		choice history.Choice
		want   string
	}{
		"of the conversation the last turns, the system and the task stay": {
			longer, history.Choice{Target: history.TargetConversation, KeepRecent: 4}, "2 3 4 5",
		},
		"three turns always stay": {
			longer, history.Choice{Target: history.TargetConversation, KeepRecent: 1}, "2 3 4 5 6 7 8",
		},
		"of the tools the last outputs stay": {
			work, history.Choice{Target: history.TargetTools, KeepRecent: 2}, "3 4",
		},
		"all is both": {
			longer, history.Choice{Target: history.TargetAll, KeepRecent: 1}, "2 3 4 5 6 7 8",
		},
		"all takes outputs of turns that stay": {
			work, history.Choice{Target: history.TargetAll, KeepRecent: 3}, "3",
		},
		"where there are no more turns than stay nothing leaves": {
			work, history.Choice{Target: history.TargetConversation, KeepRecent: 3}, "",
		},
		"an unknown target takes nothing": {work, history.Choice{Target: "x", KeepRecent: 1}, ""},
		"of nothing nothing leaves": {
			history.Conversation{}, history.Choice{Target: history.TargetAll, KeepRecent: 1}, "",
		},
		"a conversation without a user is one turn": {
			talk("assistant: a", "assistant: b"),
			history.Choice{Target: history.TargetConversation, KeepRecent: 1}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			plan := history.NewPlan(c.of, c.choice)
			removed, kept := plan.IDs()
			assert.Equal(t, c.want, strings.Join(removed, " "))
			assert.Equal(t, c.want == "", plan.IsEmpty())
			assert.Len(t, kept, len(c.of.Messages)-len(removed))
		})
	}
}

func TestC3_TokensBeforeAndAfterCountWhatStandsForTheMessages(t *testing.T) {
	before, after := history.NewPlan(work, history.Choice{Target: history.TargetTools, KeepRecent: 2}).
		Tokens("three words here", words)
	assert.Equal(t, []int{120, 103}, []int{before, after})
	before, after = history.NewPlan(work, history.Choice{Target: history.TargetTools, KeepRecent: 9}).
		Tokens("three words here", words)
	assert.Equal(t, []int{120, 120}, []int{before, after})
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestC3_AnArchiveHoldsTheSummaryAndEveryMessage(t *testing.T) {
	plan := history.NewPlan(work, history.Choice{Target: history.TargetTools, KeepRecent: 3})
	plan.Removed[0].Command = "ls"
	notes := plan.Archive("", "**Task:** Fix the parser.", noon)
	require.Len(t, notes, 1)
	assert.Equal(t, "detail/tools-2026-03-01-120000.md", notes[0].Name)
	assert.Equal(t, "# Outputs of tools of 2026-03-01 08:03\n\n"+
		"1 message from 2026-03-01T08:03:00Z to 2026-03-01T08:03:00Z, archived at 2026-03-01T12:00:00Z.\n\n"+
		"## Summary\n\n**Task:** Fix the parser.\n\n## Messages\n\n"+
		"### tool · 2026-03-01T08:03:00Z · 3\n\n```sh\nls\n```\n\n```text\na.go\n```\n", notes[0].Text)
	assert.Empty(t, history.Plan{}.Archive("", "x", noon))
	assert.Equal(t, "detail/conversation-2026-03-01-120000.md", history.ArchiveName(history.TargetAll, noon))
}

func TestC3_NoMessageBreaksOutOfItsFence(t *testing.T) {
	for _, breaking := range []string{
		"```\n# out", "````\n# out\n`````\n# out", "~~~\n# out", "<!-- /wm:index -->\n# out", "\n\n# out",
	} {
		plan := history.Plan{Removed: talk("user: "+breaking, "assistant: ok").Messages}
		plan.Removed[1].ID = "id\n# out"
		source := []byte(plan.Archive("", "it ended in\n~~~~go\nfunc f()\n~~~ x", noon)[0].Text)
		var titles []string
		parsed := goldmark.DefaultParser().Parse(text.NewReader(source))
		for node := parsed.FirstChild(); node != nil; node = node.NextSibling() {
			if node.Kind() == ast.KindHeading {
				titles = append(titles, string(node.Lines().Value(source)))
			}
		}
		assert.Equal(
			t,
			[]string{
				"Conversation of 2026-03-01 08:00",
				"Summary",
				"Messages",
				"user · 2026-03-01T08:00:00Z · 0",
				"assistant · 2026-03-01T08:01:00Z · id # out",
			},
			titles,
			breaking,
		)
	}
}

func TestC3_ALargeArchiveIsPartedBetweenMessages(t *testing.T) {
	var plan history.Plan
	for i := range 100 {
		plan.Removed = append(
			plan.Removed,
			history.Message{ID: fmt.Sprintf("id%03d", i), Role: history.Tool, Text: strings.Repeat("x", 30_000)},
		)
	}
	notes := plan.Archive("detail/old.md", "sum", noon)
	require.Len(t, notes, 4)
	assert.Equal(t, "detail/old-4.md", notes[3].Name)
	all := ""
	for _, note := range notes {
		assert.LessOrEqual(t, len(note.Text), 900<<10)
		all += note.Text
	}
	for _, m := range plan.Removed {
		assert.Equal(t, 1, strings.Count(all, m.ID))
	}
}

func compaction(hour, count int, summary, to string) history.Compaction {
	return history.Compaction{
		At:         start.Add(time.Duration(hour) * time.Hour),
		Count:      count,
		Summary:    summary,
		ArchivedTo: to,
	}
}

func TestC4_TheBlockOfTheOverviewTellsTheNewestFirst(t *testing.T) {
	all := []history.Compaction{compaction(0, 1, "", ""), compaction(1, 12, "# Task\nfix it\n", "detail/a.md")}
	assert.Equal(
		t,
		"### 2026-03-01 09:00 · 12 messages compacted, archived in [detail/a.md](<detail/a.md>)\n**Task**\nfix it\n\n"+
			"### 2026-03-01 08:00 · 1 message compacted",
		history.Block(all, "en", 1500),
	)
	assert.Equal(
		t,
		"### 2026-03-01 09:00 · 压缩了 12 条消息，归档于 [detail/a.md](<detail/a.md>)\n**Task**\nfix it\n\n"+
			"### 2026-03-01 08:00 · 压缩了 1 条消息",
		history.Block(all, "zh", 1500),
	)
	assert.Empty(t, history.Block(nil, "en", 1500))
}

func TestC4_TheBlockStaysWithinItsLength(t *testing.T) {
	var all []history.Compaction
	for i := range 20 {
		all = append(all, compaction(i, i, strings.Repeat("a line of the summary, 汉\n", 10), "detail/x.md"))
	}
	for limit := range 3000 {
		require.LessOrEqual(t, utf8.RuneCountInString(history.Block(all, "en", limit)), max(0, limit))
	}
	block := history.Block(all, "en", 500)
	assert.Equal(t, 10, strings.Count(block, "a line"))
	assert.Greater(t, strings.Count(block, "### "), 1, "an older one is told without its summary")
	assert.Contains(t, history.Block(all, "en", 120), "archived in")
}

func TestC4_TheBlockLeavesTheRestOfTheOverviewAsItIs(t *testing.T) {
	before := overview.Template("en")
	after := overview.SetBlock(
		before,
		overview.History,
		history.Block(
			[]history.Compaction{compaction(0, 3, "## Task\nother <!-- /wm:history -->\n```\nopen", "detail/a.md")},
			"en",
			1500,
		),
	)
	assert.True(t, strings.HasPrefix(after, before))
	assert.False(t, overview.Maintained(after))
}

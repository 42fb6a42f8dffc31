package longterm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

func TestTheRowOfAnEntryTellsWhoSaidIt(t *testing.T) {
	tests := map[string]struct {
		entry        Entry
		detail, icon string
	}{
		"a person, without the agent that they said it to": {
			Entry{Author: Person, Origin: &Origin{SessionID: "s1", Agent: "claude-code"}},
			"Decision · person", "person",
		},
		"an agent by its name": {
			Entry{Author: Agent, Origin: &Origin{SessionID: "s1", Agent: "claude-code"}},
			"Decision · claude-code", "hubot",
		},
		"an agent without a name": {Entry{Author: Agent}, "Decision · agent", "hubot"},
		"an agent with a name that is long and has lines": {
			Entry{Author: Agent, Origin: &Origin{Agent: "my\n" + strings.Repeat("x", 30)}},
			"Decision · my " + strings.Repeat("x", 16) + "…", "hubot",
		},
		"a command that no person typed": {
			Entry{Author: Agent, Origin: &Origin{Agent: CommandLine}}, "Decision · command", "terminal",
		},
		"a person who typed the command": {
			Entry{Author: Person, Origin: &Origin{Agent: CommandLine}}, "Decision · person", "person",
		},
		"a summary": {
			Entry{Author: Summary, Origin: &Origin{SessionID: "s1", Agent: "codex"}}, "Decision · summary", "fold",
		},
		"another program by its name": {
			Entry{Author: Person, Imported: &Imported{Program: "cursor", File: ".cursorrules"}},
			"Decision · cursor", "desktop-download",
		},
		"another program that is not known": {Entry{Author: Machine}, "Decision · machine", "desktop-download"},
		"nobody if that is not known":       {Entry{Source: Manual}, "Decision", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.entry.Type = "decision"
			row := test.entry.row()
			assert.Equal(t, test.detail, row.Detail)
			assert.Equal(t, test.icon, row.AuthorIcon)
		})
	}
}

func TestEveryRowOfAnEntryTellsWhoSaidIt(t *testing.T) {
	f := newFixture(t)
	f.add(Addition{
		Type: "feedback", Text: "Indent with tabs", Source: Manual, Author: Agent, Session: "s1", Agent: "claude-code",
	})
	f.add(Addition{Type: "feedback", Text: "Write table tests", Source: Explicit, Author: Person, Pinned: true})
	gone := f.add(Addition{Type: "feedback", Text: "Use the color red", Source: Manual, Author: Person})
	f.apply(f.room.Remove(gone.ID))
	f.observe(event.CompactionFinished{Summary: "We decided to store amounts as integers, in cents."})
	var told []string
	var tell func(items []panel.Item)
	tell = func(items []panel.Item) {
		for _, item := range items {
			if item.Kind == "memory" {
				told = append(told, item.AuthorIcon+" "+item.Label+" ("+item.Detail+")")
			}
			tell(item.Children)
		}
	}
	section := f.room.paint(panel.Reader{})
	tell(section.Items)
	assert.Equal(t, []string{
		"fold We decided to store amounts as integers, in cents. (Decision · summary · offered)",
		"person Write table tests (Preference · person · pinned)",
		"hubot Indent with tabs (Preference · claude-code)",
		"person Use the color red (Preference · person · forgotten)",
	}, told)
}

func TestTheDetailsOfAnEntryTellWhetherAPersonTypedItsCommand(t *testing.T) {
	for author, want := range map[Author]string{
		Agent: "a command of a script or an agent, ", Person: "a person in wm-lsp, ",
		Summary: "a summary of wm-lsp, ",
	} {
		entry := Entry{Author: author, Source: Manual, Origin: &Origin{Agent: CommandLine}}
		assert.True(t, strings.HasPrefix(entry.saidBy(panel.Reader{}), want), entry.saidBy(panel.Reader{}))
	}
}

func TestThePairOfTwoEntriesTellsWhoSaidEach(t *testing.T) {
	f := newFixture(t)
	f.add(Addition{Type: "feedback", Text: "Indent with spaces", Source: Explicit, Author: Person})
	f.add(Addition{
		Type: "feedback", Text: "Indent with tabs", Source: Manual, Author: Agent, Session: "s1", Agent: "claude-code",
	})
	pairs := f.room.Pairs()
	require.Len(t, pairs, 1)
	markdown, there := f.room.markdown(panel.Reader{}, pairPrefix+pairs[0].First.ID+":"+pairs[0].Second.ID)
	require.True(t, there)
	lines := strings.Split(markdown, "\n")
	assert.Regexp(t, `^1\. \[Indent with spaces\]\(.*\): a person, `, lines[2])
	assert.Regexp(t, `^2\. \[Indent with tabs\]\(.*\): claude\\?-code, `, lines[3])
}

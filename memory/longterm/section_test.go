package longterm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

const (
	aboutPaths = "Paths of git status are relative to the root of the repository and not to the current folder: with " +
		"`os.Getwd()` in front they are wrong in a subfolder."
	aboutCents = "Amounts are integers, in cents"
)

// recalled stands for what Related returns.
const recalled = "recalled"

// texts returns the texts of the sections of a session that is about something, "" for nothing yet.
func (f *fixture) texts(about string) map[string]string {
	f.Helper()
	at := room.Reader{About: func() quality.Topic { return quality.TopicOf(about) }}
	all := map[string]string{}
	for _, section := range f.room.Sections(at) {
		all[section.ID] = section.Render(section.MaxChars, nil).Text
	}
	all[recalled] = f.room.Related(at, Bound{}, 5200).Text
	return all
}

func TestB6_AnEntryAboutCodeIsShownToASessionAboutTheSame(t *testing.T) {
	f := newFixture(t)
	f.add(Addition{Type: "project", Text: aboutPaths})
	f.add(Addition{Type: "decision", Text: aboutCents})
	const always = "<workspace_memory>\n- [decision] " + aboutCents + "\n</workspace_memory>"
	const bound = "- [project] " + aboutPaths + "\n"
	for about, related := range map[string]string{
		"":                                      bound,
		"git status shows wrong paths":          bound,
		"where do we call os.Getwd?":            bound,
		"add a loading indicator to the list":   "",
		"the totals of the invoice are doubled": "",
	} {
		assert.Equal(t, map[string]string{ContextSection: always, recalled: related}, f.texts(about), about)
	}
	all, _ := f.room.Render(5200)
	assert.Contains(t, all, aboutPaths, "the memory holds it whatever a session is about")
}

func TestB6_AnEntryIsShownInTheSessionInWhichItWasAdded(t *testing.T) {
	f := newFixture(t)
	receipts := f.observe(event.MessageReceived{Role: "user", Text: "Remember this: " + aboutPaths})
	require.Len(t, receipts, 1)
	added, known := f.room.Get(receipts[0].ID)
	require.True(t, known)
	other := func() quality.Topic { return quality.TopicOf("the login page") }
	for session, shown := range map[string]bool{added.Origin.SessionID: true, "another": false} {
		part := f.room.Related(room.Reader{Session: session, About: other}, Bound{}, 5200)
		assert.Equal(t, shown, part.Text != "", session)
	}
}

func TestB6_RulesPinnedAndShortEntriesAreShownToEverySession(t *testing.T) {
	f := newFixture(t)
	long := " so that " + strings.Repeat("the build stays green and ", 5) + "nobody waits."
	f.add(Addition{Type: "feedback", Text: "Run `make check` before each commit," + long})
	f.add(Addition{Type: "project", Text: "The servers are called after rivers," + long})
	f.add(Addition{Type: "project", Text: "We use `pnpm`, not `npm`."})
	pinned := f.add(Addition{Type: "project", Text: "The folder `gen/` is written by a script," + long})
	assert.NotContains(t, f.texts("the login page")[ContextSection], "gen/")
	yes := true
	f.update(pinned.ID, Patch{Pinned: &yes})
	texts := f.texts("the login page")
	assert.Equal(t, 4, strings.Count(texts[ContextSection], "\n- "))
	assert.Empty(t, texts[recalled])
}

func TestAnEntryOfAnotherTopicIsOmittedWithTheReasonAndSaidNowhereElse(t *testing.T) {
	f := newFixture(t)
	added := f.add(Addition{Type: "project", Text: aboutPaths})
	at := room.Reader{About: func() quality.Topic { return quality.TopicOf("the login page") }}
	sections := f.room.Sections(at)
	part := f.room.Related(at, Bound{}, 5200)
	assert.Empty(t, part.Text)
	assert.Equal(t, []render.Omission{{ID: added.ID, Reason: "of another topic"}}, part.Omitted)
	assert.True(t, part.Withheld[render.DedupKey(aboutPaths)])
	assert.Empty(t, sections[0].Render(sections[0].MaxChars, nil).Omitted)
	assert.Empty(t, sections[0].Gone(render.Item{ID: added.ID, Text: aboutPaths}), "it still holds")
	explained, err := f.room.Explain(added.ID)
	require.NoError(t, err)
	assert.True(t, explained.Rendered)
	assert.Equal(t, "active, for sessions that are about the same", explained.Reason)
}

func TestEntriesThatContradictEachOtherSayItInAContext(t *testing.T) {
	const tabs, spaces = "Indent with tabs", "Indent with spaces"
	mark := func(other string) string { return ` (contradicts "` + other + `")` }
	const one = len(opening) + len("- [feedback] Indent with spaces\n") + len(closingTag)
	for name, test := range map[string]struct {
		texts    []string
		settle   func(f *fixture, ids []string)
		maxChars int
		lines    string
	}{
		"both are marked, others are not": {
			[]string{tabs, "Round once", spaces}, nil, 5200,
			"- [feedback] Indent with tabs" + mark(spaces) + "\n- [feedback] Round once\n" +
				"- [feedback] Indent with spaces" + mark(tabs) + "\n",
		},
		"of those that it contradicts each names the oldest one": {
			[]string{"The server listens on 8080", "The server listens on 8081", "The server listens on 8082"},
			nil, 5200,
			"- [feedback] The server listens on 8080" + mark("The server listens on 8081") +
				"\n- [feedback] The server listens on 8081" + mark("The server listens on 8080") +
				"\n- [feedback] The server listens on 8082" + mark("The server listens on 8080") + "\n",
		},
		"two pairs name their own": {
			[]string{tabs, "Use pnpm for packages", spaces, "Use npm for packages"}, nil, 5200,
			"- [feedback] Indent with tabs" + mark(spaces) +
				"\n- [feedback] Use pnpm for packages" + mark("Use npm for packages") +
				"\n- [feedback] Indent with spaces" + mark(tabs) +
				"\n- [feedback] Use npm for packages" + mark("Use pnpm for packages") + "\n",
		},
		"a long one is named by its beginning": {
			[]string{
				"Use tabs for the indentation of all source files",
				"Use spaces for the indentation of all source files",
			}, nil, 5200,
			"- [feedback] Use tabs for the indentation of all source files" +
				mark("Use spaces for the indentation of all s…") +
				"\n- [feedback] Use spaces for the indentation of all source files" +
				mark("Use tabs for the indentation of all sou…") + "\n",
		},
		"what begins alike is named by what differs": {
			[]string{
				"The timeout of the payment provider is 30 seconds",
				"The timeout of the payment provider is 60 seconds",
			}, nil, 5200,
			"- [feedback] The timeout of the payment provider is 30 seconds" + mark("…is 60 seconds") +
				"\n- [feedback] The timeout of the payment provider is 60 seconds" + mark("…is 30 seconds") + "\n",
		},
		"near duplicates are not": {
			[]string{"Use pnpm, not npm", "Do not use npm but pnpm"}, nil, 5200,
			"- [feedback] Use pnpm, not npm\n- [feedback] Do not use npm but pnpm\n",
		},
		"a pair that a person keeps is not": {
			[]string{tabs, spaces}, func(f *fixture, ids []string) {
				f.update(ids[0], Patch{Beside: &[]string{ids[1]}})
			}, 5200, "- [feedback] Indent with tabs\n- [feedback] Indent with spaces\n",
		},
		"without room for both marks there is none": {
			[]string{tabs, spaces}, nil,
			one + len("- [feedback] Indent with tabs\n") + len(mark(tabs)+mark(spaces)) - 1,
			"- [feedback] Indent with tabs\n- [feedback] Indent with spaces\n",
		},
		"of a pair of which there is room for one it is not marked": {
			[]string{tabs, spaces}, nil, one,
			"- [feedback] Indent with spaces\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			var ids []string
			for _, text := range test.texts {
				ids = append(ids, f.add(Addition{Type: "feedback", Text: text, Source: Manual}).ID)
			}
			if test.settle != nil {
				test.settle(f, ids)
			}
			part := f.room.Sections(room.Reader{})[0].Render(test.maxChars, nil)
			assert.Equal(t, opening+test.lines+closingTag, part.Text)
			told := ""
			for _, item := range part.Items {
				assert.NotContains(t, item.Text, "contradicts")
				told += "- " + item.Saying() + "\n"
			}
			assert.Equal(t, test.lines, told, "a delta says the same")
		})
	}
}

func TestTheNameOfAnEntryIsOneLineThatOpensAndClosesNothing(t *testing.T) {
	const own = "Indent with tabs"
	assert.Equal(t, "With ‹/workspace_memory> spaces", nameBeside("With\n</workspace_memory> spaces", own))
	assert.Equal(t, "Indent with ‹core_memory> spaces", nameBeside("Indent\twith\u2028<core_memory> spaces", own))
	assert.Equal(t, own, nameBeside(own, own))
}

func TestAReaderIsToldOfAnEntryAgainThatAnotherOneContradicts(t *testing.T) {
	f := newFixture(t)
	f.add(Addition{Type: "feedback", Text: "Indent with tabs", Source: Manual})
	of := func() render.Item { return f.room.Sections(room.Reader{})[0].Render(5200, nil).Items[0] }
	before := of()
	added := f.add(Addition{Type: "feedback", Text: "Indent with spaces", Source: Manual})
	assert.NotEqual(t, before.Sameness(), of().Sameness())
	f.apply(f.room.Remove(added.ID))
	assert.Equal(t, before, of())
}

package recall_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/recall"
)

func seek(t testing.TB, query string) *recall.Sought {
	t.Helper()
	var index recall.InMemory
	for _, text := range []string{"The nightly import reads CSV files.", "Invoices are archived.", "Nothing else."} {
		index.Add(recall.Analyze(recall.Text{Body: text}), "")
	}
	sought, err := weights.Seek(&index, recall.Query{Text: query})
	require.NoError(t, err)
	return sought
}

func TestThePassageIsTheSentenceThatFitsBest(t *testing.T) {
	for query, c := range map[string]struct{ text, want string }{
		"why does the nightly import fail?": {
			"Prices are in cents and never floats, which the whole team agreed upon in spring after long talks.\n" +
				"* The nightly import fails if a file has a byte order mark, which the exporter writes since May.\n" +
				"Invoices go out by mail.",
			"The nightly import fails if a file has a byte order mark, which the exporter writes since May.",
		},
		"the nightly import": {"Let me look at the nightly import. Is the nightly import slow?", ""},
		"nightly builds":     {"The nightly import reads files.", ""},
		"go on":              {"The nightly import reads files.", ""},
		"nightly import":     {"```\nnightly import\n```\nThe **nightly import** ran.", "The nightly import ran."},
		"夜间导入失败":             {"昨天很忙。夜间导入失败是因为文件太大。", "夜间导入失败是因为文件太大。"},
		"the nightly import's runs": {
			"Its runs are at https://ci.example.org/builds/nightly and the import has a log.",
			"Its runs are at https://ci.example.org/builds/nightly and the import has a log.",
		},
		"nightly import log": {
			"The log of the nightly import is at https://ci.example.org/log?of=import. Invoices go out by mail.",
			"The log of the nightly import is at https://ci.example.org/log?of=import.",
		},
		"import of nightly data": {
			"https://ci.example.org/nightly/import/data\nhttps://ci.example.org/import/nightly", "",
		},
		"see https://ci.example.org/builds/nightly/import": {
			"Read https://ci.example.org/builds/nightly today.", "",
		},
	} {
		passage := seek(t, query).Passage(c.text)
		assert.Equal(t, c.want, passage.Text, query)
		assert.Equal(t, c.want != "", passage.Fit > 0, query)
	}
}

func TestE3_WhatWasAtAPastTimeIsAskedFor(t *testing.T) {
	dayOf := func(date string) uint16 {
		at, err := time.Parse(time.DateOnly, date)
		require.NoError(t, err)
		return recall.Day(at)
	}
	index := conversation(t, "|Ada|2026-11-17|The build runs.")
	const text = "Invoices are archived. The old shop moved yesterday to another host in another town of the land."
	const first, second = text, "The old shop moved yesterday to another host in another town of the land."
	for query, c := range map[string]struct{ written, want string }{
		"What happened yesterday?":        {"2026-11-17", first},
		"What did we do last week?":       {"2026-11-13", first},
		"Was haben wir gestern gemacht?":  {"2026-11-17", first},
		"what was done on 16 November":    {"2026-11-17", second},
		"What happened in October?":       {"2026-10-05", first},
		"What happened on 18 November?":   {"2026-11-18", ""}, // it isn't over
		"What happens tomorrow?":          {"2026-11-19", ""},
		"What happened in 2025?":          {"2025-11-17", ""},
		"What happened?":                  {"2026-11-17", ""},
		"Why is yesterday's build red?":   {"2026-11-17", ""},
		"What did Ada do yesterday?":      {"2026-11-17", ""}, // which words find
		"What happened on 12 November?":   {"2026-11-17", ""},
		"What happened the last weekend?": {"2026-11-16", second},
	} {
		sought, err := weights.Seek(index, recall.Query{Text: query, Day: dayOf("2026-11-18")})
		require.NoError(t, err)
		assert.Equal(t, c.want, sought.PassageThen(text, dayOf(c.written)).Text, query)
	}
	sought, err := weights.Seek(index, recall.Query{Text: "What happened yesterday?", Day: dayOf("2026-11-18")})
	require.NoError(t, err)
	assert.Empty(t, sought.PassageThen(text, 0), "its day is not known")
	assert.Empty(t, sought.PassageThen("Shall we archive invoices?", dayOf("2026-11-17")), "it tells nothing")
}

func TestAPassageFitsTheLessTheMoreElseItSays(t *testing.T) {
	sought := seek(t, "why does the nightly import fail?")
	short := sought.Passage("The nightly import fails without a lock.")
	long := sought.Passage("The nightly import fails without a lock, as do the export of parcels, the printing of " +
		"labels, the archive of invoices and whatever else Hamburg's warehouse runs.")
	rare := sought.Passage("The nightly run fails without a lock.")
	assert.Greater(t, short.Fit, long.Fit)
	assert.Greater(t, short.Fit, rare.Fit, "fewer of its words are there")
	assert.Positive(t, rare.Fit)
}

func TestPassagesThatAnswerDifferentQuestionsShareNothing(t *testing.T) {
	sought := seek(t, "why does the nightly import fail, and who archives invoices?")
	fails := sought.Passage("The nightly import fails without a lock.")
	nightly := sought.Passage("The nightly import reads files.")
	archive := sought.Passage("Grace archives invoices on Mondays.")
	assert.Zero(t, fails.Share(archive))
	assert.Greater(t, nightly.Share(fails), 0.8, "nearly all of it")
	assert.Less(t, fails.Share(nightly), nightly.Share(fails), "it has more of the query")
	assert.Positive(t, fails.Share(nightly))
	assert.Zero(t, recall.Passage{}.Share(fails))
}

func TestALongSentenceIsCutAboutWhatIsAskedFor(t *testing.T) {
	text := strings.Repeat("some more words about parcels, ", 30) + "the nightly import fails, " +
		strings.Repeat("and labels are printed, ", 30)
	passage := seek(t, "nightly import fails").Passage(text)
	assert.Contains(t, passage.Text, "nightly import fails")
	assert.LessOrEqual(t, utf8.RuneCountInString(passage.Text), 244)
	assert.True(t, strings.HasPrefix(passage.Text, "… ") && strings.HasSuffix(passage.Text, " …"), passage.Text)
}

func TestAsks(t *testing.T) {
	for prompt, asks := range map[string]bool{
		"why does the import fail":                       true,
		"so where do we keep the keys":                   true,
		"Is there a test for it?":                        true,
		"hm, wasn't that fixed?":                         true,
		"It is slow. What did we decide?":                true,
		"I get this:\nfatal: bad object HEAD":            true,
		"为什么失败？":                                         true,
		"can you rename the button?":                     false,
		"Could we show the branch instead?":              false,
		"please run the tests":                           false,
		"run the tests that failed":                      false,
		"it is broken":                                   false,
		"look at https://example.org/?q=why":             false,
		"add the page that says which versions are read": false,
		"": false,
	} {
		assert.Equal(t, asks, recall.Asks(prompt), prompt)
	}
}

func TestE8_WhatIsBesideTheQueryDecidesBetweenWhatFitsAlike(t *testing.T) {
	var index recall.InMemory
	names := []string{"Pipedrive", "Salesforce", "Odoo", "Hubspot"}
	for _, name := range names {
		index.Add(recall.Analyze(recall.Text{Body: "The import of customers from " + name}), "")
	}
	for i, name := range names {
		hits := search(t, &index, recall.Query{Text: "import of customers", Beside: "Replace what we have for " + name})
		assert.EqualValues(t, i+1, hits[0].Doc, name)
		assert.Empty(t, search(t, &index, recall.Query{Text: "and then?", Beside: name}), "there is no query")
	}
}

func FuzzPassage(f *testing.F) {
	f.Add("why does the nightly import fail?", "The nightly import fails.")
	f.Add("a://b", "://\n```\n夜间导入失败。://")
	f.Add("İstanbul import", strings.Repeat("İ", 300)+" import nightly İstanbul")
	f.Fuzz(func(t *testing.T, query, text string) {
		recall.Asks(query)
		passage := seek(t, query).Passage(text)
		assert.Equal(t, passage.Fit > 0, passage.Text != "")
		assert.LessOrEqual(t, utf8.RuneCountInString(passage.Text), 244)
		assert.Equal(t, passage, seek(t, query).Passage(text))
	})
}

package recall_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/recall"
)

// weights are those that the settings have when nobody changed them.
var weights = index.WeightsOf(settings.Default().Recall.Weights)

// A turn is one document of a conversation: "thread|speaker|date|text".
type turn string

// conversation returns an index of turns, which have the numbers 1, 2, …
func conversation(t *testing.T, turns ...turn) *recall.InMemory {
	t.Helper()
	var index recall.InMemory
	for _, turn := range turns {
		fields := strings.SplitN(string(turn), "|", 4)
		require.Len(t, fields, 4)
		text := recall.Text{Body: fields[3], Speaker: fields[1]}
		if fields[2] != "" {
			at, err := time.Parse(time.DateOnly, fields[2])
			require.NoError(t, err)
			text.At = at
		}
		index.Add(recall.Analyze(text), fields[0])
	}
	return &index
}

func search(t *testing.T, index recall.Index, query recall.Query) []recall.Hit {
	t.Helper()
	if query.TopK == 0 {
		query.TopK = 10
	}
	hits, err := weights.Search(index, query)
	require.NoError(t, err)
	return hits
}

var conversed = []turn{
	"a|Ada|2024-03-04|Good morning! How was the weekend?",
	"a|Ben|2024-03-04|Quiet. We repaired the old bicycle of my father.",
	"a|Ada|2024-03-04|Nice. Which color will you paint it?",
	"a|Ben|2024-03-04|Green, like the first one.",
	"a|Ada|2024-03-04|I moved the invoices to another database yesterday.",
	"b|Ada|2024-05-20|The release is out.",
	"b|Ben|2024-05-20|Great. I hope parseConfig stops with TS2345 no more.",
	"b|Ada|2024-05-20|No, that was fixed two weeks ago in Hamburg.",
	"b|Ben|2024-05-20|Then I will visit three customers.",
	"c||2024-06-01|我们把订单服务的数据库换成了 PostgreSQL。",
	"||2024-06-02|Invoices are archived for ten years.",
	"||2024-07-15|Die Rechnungen werden von der Datenbank archiviert.",
	"||2024-07-16|The lease of the attic ends in winter.",
	"||2024-07-16|The lease of the garage ends on 17 August.",
}

func TestTheFirstHitIs(t *testing.T) {
	index := conversation(t, conversed...)
	for name, test := range map[string]struct {
		query string
		want  recall.Doc
	}{
		"what has the word": {"repairing bicycles", 2},
		"the answer, not the question that has the word":  {"What color is the bicycle?", 4},
		"what the one who is named said":                  {"What did Ada do with invoices?", 5},
		"what names a time, if the question asks for one": {"When was the problem fixed?", 8},
		"an identifier in another convention":             {"parse_config", 7},
		"a code of an error":                              {"ts2345", 7},
		"in Chinese what has the pairs":                   {"订单的数据库是什么？", 10},
		"in Chinese what has the character":               {"换", 10},
		"in German an inflection":                         {"Wo wird die Rechnung archiviert?", 12},
		"what begins alike":                               {"archiver", 11},
		"what names the time that is asked for":           {"Which lease ends on 17 August?", 14},
		"another word for the same thing":                 {"purchasers", 9},
	} {
		t.Run(name, func(t *testing.T) {
			hits := search(t, index, recall.Query{Text: test.query})
			require.NotEmpty(t, hits)
			assert.Equal(t, test.want, hits[0].Doc, "%v", hits)
		})
	}
}

func TestAWordWithoutOthersThatTellItsLanguageFindsWhatIsWrittenInIt(t *testing.T) {
	index := conversation(t,
		"||2024-06-01|The houses of the customers have horses.",
		"||2024-06-02|Die Häuser sind gelb.",
		"||2024-06-03|Die Kunden zahlen in bar.",
		"||2024-06-04|Les appareils sont dans la cave.",
		"||2024-06-05|Los niños comieron en el patio.",
		"||2024-06-06|Bücher: Häuser.", // which does not tell it either
	)
	for query, want := range map[string][]recall.Doc{
		"Häuser": {2, 6}, "Kunden": {3}, "Kunde": {3}, "appareils": {4}, "niño": {5}, "nino": {5}, "houses": {1},
		"caves horses": {1, 4},
	} {
		t.Run(query, func(t *testing.T) {
			var found []recall.Doc
			for _, hit := range search(t, index, recall.Query{Text: query}) {
				found = append(found, hit.Doc)
			}
			assert.Equal(t, want, found)
		})
	}
}

func TestE8_AStemOfALanguageFindsOnlyWhatIsWrittenInIt(t *testing.T) {
	index := conversation(t,
		"||2024-06-01|The parser reads the header of each frame before the body",
		"||2024-06-02|We parse twice: parse the file, then parse the lines of it",
		"||2024-06-03|The server drops connections under heavy load",
		"||2024-06-04|We serve static files from the cache and serve the rest from disk",
		"||2024-06-05|The counter of retries is reset each hour",
		"||2024-06-06|Count rows, count columns, count pages",
		"||2024-06-07|Die Rechnung wurde von der Datenbank archiviert",
		"||2024-06-08|Der Speicher der Servern ist nicht groß genug für alle Bilder",
	)
	for query, want := range map[string]recall.Doc{
		"parser": 1, "parser header": 1, "counter": 5, "counter retries": 5, "server": 3, "server connections": 3,
		"Rechnungen": 7, "Server Bild": 8,
	} {
		t.Run(query, func(t *testing.T) {
			hits := search(t, index, recall.Query{Text: query})
			require.NotEmpty(t, hits)
			assert.Equal(t, want, hits[0].Doc, "%v", hits)
		})
	}
}

func TestE8_ATextIsFoundByItsWordsThatNamesSomebody(t *testing.T) {
	for text, query := range map[string]string{
		"Müller restarted servers nightly":                "server",
		"Ağaoğlu parsing failures":                        "parse",
		"Søren cached responses":                          "cache",
		"Jörg Schröder: flaky tests quarantined":          "quarantine test",
		"über-fast queries, indexes dropped":              "drop",
		"Łukasz and Dvořák rotated the keys in São Paulo": "rotate key",
	} {
		t.Run(text, func(t *testing.T) {
			index := conversation(t, turn("||2024-06-01|"+text), "||2024-06-02|The gate opens at nine in the morning.")
			hits := search(t, index, recall.Query{Text: "what is the " + query})
			require.NotEmpty(t, hits)
			assert.Equal(t, recall.Doc(1), hits[0].Doc)
		})
	}
}

// TestE8_AShortQueryMeetsTheFormsOfItsLanguage looks for sentences by other forms of two of their words. Each word
// stands as it is asked for in one of the other documents, which has nothing else of the query.
func TestE8_AShortQueryMeetsTheFormsOfItsLanguage(t *testing.T) {
	table, err := os.ReadFile("testdata/inflected.txt")
	require.NoError(t, err)
	type row struct{ language, query, text string }
	var rows []row
	for line := range strings.Lines(string(table)) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		require.Len(t, fields, 3)
		rows = append(rows, row{fields[0], fields[1], fields[2]})
	}
	var index recall.InMemory
	add := func(text string) recall.Doc { return index.Add(recall.Analyze(recall.Text{Body: text}), "") }
	wanted := make([]recall.Doc, len(rows))
	for i, row := range rows {
		wanted[i] = add(row.text)
		own, other := strings.Fields(row.query), strings.Fields(rows[(i+1)%len(rows)].query)
		add(own[0] + " 123 " + other[len(other)-1])
	}
	first, found := map[string]int{}, 0
	for i, row := range rows {
		hits := search(t, &index, recall.Query{Text: row.query, TopK: 5})
		if len(hits) > 0 && hits[0].Doc == wanted[i] {
			first[row.language]++
		}
		if slices.ContainsFunc(hits, func(hit recall.Hit) bool { return hit.Doc == wanted[i] }) {
			found++
		}
	}
	for language, least := range map[string]int{
		"de": 8, "fr": 7, "es": 7, "it": 5, "pt": 5, "nl": 5, "sv": 4, "ru": 6, "tr": 3, "pl": 4, "cs": 5, "el": 5,
	} {
		assert.GreaterOrEqual(t, first[language], least, language)
	}
	assert.GreaterOrEqual(t, found, 84)
}

func TestTimesOfAQueryAreThoseOfItsDay(t *testing.T) {
	var index recall.InMemory
	for day := 1; day <= 28; day++ {
		index.Add(recall.Analyze(recall.Text{
			Body: "The deployment went well.", At: time.Date(2024, 2, day, 9, 0, 0, 0, time.UTC),
		}), "")
	}
	asked := recall.Day(time.Date(2024, 2, 28, 0, 0, 0, 0, time.UTC)) // a Wednesday
	for query, want := range map[string]recall.Doc{
		"the deployment of yesterday":     27,
		"the deployment of last Friday":   23,
		"the deployment on Monday":        26,
		"the deployment two weeks ago":    11,
		"the deployment on 7 February":    7,
		"deployment of 2024-02-13":        13,
		"the deployment of last week":     19,
		"what happened on February 3rd":   3,
		"deployment on the 4th of Feb":    4,
		"what was deployed today":         28,
		"what was there yesterday?":       27,
		"deployments in February of 2024": 1,
		"what did we deploy 3 days ago":   25,
		"部署 昨天 deployment":                27,
	} {
		t.Run(query, func(t *testing.T) {
			hits := search(t, &index, recall.Query{Text: query, Day: asked})
			require.NotEmpty(t, hits)
			assert.Equal(t, want, hits[0].Doc)
		})
	}
}

func TestE8_ATimeFromNowIsThatOfTheQueryAndNotOneThatAnotherTextNames(t *testing.T) {
	index := conversation(t,
		"||2024-02-27|The certificates of the blog were renewed.",
		"||2024-02-20|The certificates of the wiki were renewed.",
		"||2024-02-13|Last Tuesday the certificates of the shop were renewed.",
		"||2024-02-12|The certificates of yesterday, of last week and of two weeks ago were renewed.",
		"||2024-02-01|The team meets each Tuesday.",
	)
	asked := recall.Day(time.Date(2024, 2, 28, 0, 0, 0, 0, time.UTC)) // a Wednesday
	for name, test := range map[string]struct {
		query string
		day   uint16
		want  recall.Doc
	}{
		"last Tuesday is the one before the query":     {"Which certificates were renewed last Tuesday?", asked, 1},
		"yesterday is the day before the query":        {"certificates of yesterday", asked, 1},
		"last week is the one before the query":        {"certificates of last week", asked, 2},
		"what two weeks ago was is seen from now":      {"certificates of two weeks ago", asked, 3},
		"a day of the week may come back":              {"Who meets on Tuesday?", asked, 5},
		"without a day of the query they are words":    {"certificates of yesterday", 0, 4},
		"a time alone is what was written at the time": {"last Tuesday", asked, 1},
	} {
		t.Run(name, func(t *testing.T) {
			hits := search(t, index, recall.Query{Text: test.query, Day: test.day})
			require.NotEmpty(t, hits)
			assert.Equal(t, test.want, hits[0].Doc, "%v", hits)
		})
	}
}

func TestE8_ATimeThatATextNamesIsThatOfItsDay(t *testing.T) {
	index := conversation(t,
		"||2026-10-20|The queue runs on Redis.",
		"||2026-11-05|We decided last Tuesday to move the queue to PostgreSQL.",
		"||2026-11-12|We decided last Tuesday to keep the cache.",
		"||2026-11-20|Last month the office was painted.",
		"||2026-10-05|The contract of the office ends on 3 December.",
		"||2026-11-02|Letzten Freitag haben wir die Lizenz bezahlt.",
		"||2026-11-18|The office is closed on 2026-12-24.",
		"||2026-11-19|Die Inventur ist am 24. Dezember.",
		"||2026-11-23|April signs the report each Friday.",
		"||2026-11-17|Of 17 disks three were replaced.",
		"||2026-11-17|The fans were replaced.",
	)
	asked := recall.Day(time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC))
	for query, want := range map[string][]recall.Doc{
		"what did we decide on 3 November": {2},
		"2026-11-03":                       {2},
		"2026-11-10":                       {3},
		"3 December":                       {5},
		"30 October":                       {6},
		"on October 30":                    {6},
		"last month":                       {1, 4, 5, 6}, // two of them of October
		"what was negotiated on the 3rd of November": {2}, // which no word finds
		"24 December":                 {8, 7},
		"what happened on 7 November": nil,
		"yesterday":                   nil,
		"in March":                    nil,
		"17 November":                 {10, 11},
		"Friday":                      {4, 9}, // of the 20th, and of each
		"April":                       {9},
		"2026-10":                     {1, 4, 5, 6},
		"vorgestern":                  {9},
		"the day before yesterday":    {9},
		"3 de noviembre de 2026":      {2},
		"2026年11月3日":                  {2},
	} {
		t.Run(query, func(t *testing.T) {
			var found []recall.Doc
			for _, hit := range search(t, index, recall.Query{Text: query, Day: asked}) {
				found = append(found, hit.Doc)
			}
			assert.ElementsMatch(t, want, found)
		})
	}
	for query, want := range map[string]recall.Doc{
		"the queue on 3 November":       2,
		"the queue on 20 October":       1,
		"the queue in July":             1, // of which nothing is known
		"what did we decide 2026-11-10": 3,
		"the queue 2026-11":             2,
	} {
		t.Run(query, func(t *testing.T) {
			hits := search(t, index, recall.Query{Text: query, Day: asked})
			require.NotEmpty(t, hits)
			assert.Equal(t, want, hits[0].Doc)
		})
	}
}

func TestWordsOfATimeThatMayBeMeantThemselvesAreFound(t *testing.T) {
	turns := []turn{
		"||2026-11-10|next day delivery is offered to customers",
		"||2026-10-03|tomorrow() adds a day to a date",
		"||2026-10-05|Budget for next year was approved",
		"||2026-10-06|The next month button is disabled",
		"||2026-11-10|today button of the calendar widget is broken",
		"||2026-11-18|The release of last week broke the build",
		"||2026-08-12|The cache was moved to redis",
		"||2026-11-20|August reviewed the migration script",
		"||2026-06-02|The lease of the garage",
		"||2026-11-19|June owns the deployment pipeline",
	}
	index, asked := conversation(t, turns...), recall.Day(time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC))
	for query, want := range map[string]recall.Doc{
		"next day": 1, "tomorrow": 2, "next year": 3, "next month button": 4,
		"what was done in August": 7, "August reviewed": 8, "lease june": 9, "june": 9,
	} {
		hits := search(t, index, recall.Query{Text: query, Day: asked})
		if assert.NotEmpty(t, hits, query) {
			assert.Equal(t, want, hits[0].Doc, query)
		}
	}
}

func TestE8_APersonAndATimeAreWhatThePersonSaidThen(t *testing.T) {
	index := conversation(t,
		"||2026-10-20|The queue is slow.",
		"|Ada|2026-11-24|The queue runs.",
		"|Ben|2026-11-24|The cache runs.",
		"|Ada|2026-11-20|The parser runs.",
		"|Ada|2026-11-25|On 23 November the disks were replaced.",
	)
	asked := recall.Day(time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC))
	for query, want := range map[string][]recall.Doc{
		"what did Ada say yesterday":         {2},
		"what did Ben say yesterday":         {3},
		"what did Ada tell on 23 November":   {5},
		"what did Ada or Ben say yesterday?": {2, 3},
		"what did Ada say?":                  {2, 4, 5},
		"what did Ben say on 20 November?":   {3, 4}, // nothing, so what is of either
	} {
		t.Run(query, func(t *testing.T) {
			var found []recall.Doc
			for _, hit := range search(t, index, recall.Query{Text: query, Day: asked}) {
				found = append(found, hit.Doc)
			}
			assert.ElementsMatch(t, want, found)
		})
	}
	notOfAda := func(doc recall.Doc) bool { return doc != 2 }
	hits := search(t, index, recall.Query{Text: "what did Ada say yesterday", Day: asked, Allowed: notOfAda})
	assert.Len(t, hits, 3, "as if that were not there")
}

func TestWhatWasWrittenInAMonthIsFoundIfNothingElseIsAsked(t *testing.T) {
	hits := search(t, conversation(t, conversed...), recall.Query{Text: "What happened in May 2024?", TopK: 4})
	var found []recall.Doc
	for _, hit := range hits {
		found = append(found, hit.Doc)
	}
	assert.ElementsMatch(t, []recall.Doc{6, 7, 8, 9}, found)
}

func TestWhatIsNearInMeaningIsFoundByAnIndexWithSketches(t *testing.T) {
	index := conversation(t,
		"||2024-06-02|The thumbnails of pictures are resized.", "||2024-06-03|Salaries are paid on Fridays.")
	query := recall.Query{Text: "rendering bitmaps and photographs", Explain: true}
	hits := search(t, index, query)
	require.NotEmpty(t, hits)
	assert.EqualValues(t, 1, hits[0].Doc)
	assert.Contains(t, reasonsOf(hits[0]), recall.InMeaning)
	for _, hit := range search(t, struct{ recall.Index }{index}, query) {
		assert.NotContains(t, reasonsOf(hit), recall.InMeaning)
	}
}

func TestOfAHugeIndexTheNewestBlocksAreLookedThroughForMeaning(t *testing.T) {
	const text = "The thumbnails of pictures are resized."
	var index recall.InMemory
	old := index.Add(recall.Analyze(recall.Text{Body: text}), "")
	for range 33 * recall.BlockSize {
		index.Add(recall.Entry{}, "")
	}
	recent := index.Add(recall.Analyze(recall.Text{Body: text}), "")
	unrelated := weights
	unrelated.Related = 0
	byMeaning, err := unrelated.Search(&index, recall.Query{Text: "bitmaps and photographs", TopK: 10})
	require.NoError(t, err)
	require.Len(t, byMeaning, 1)
	assert.Equal(t, recent, byMeaning[0].Doc)
	byWord := search(t, &index, recall.Query{Text: "thumbnails"})
	require.Len(t, byWord, 2)
	assert.Equal(t, old, byWord[0].Doc)
}

func reasonsOf(hit recall.Hit) (reasons []recall.Reason) {
	for _, part := range hit.Parts {
		reasons = append(reasons, part.Reason)
	}
	return reasons
}

func TestOnlyAllowedDocumentsAreFoundAsIfTheOthersWereNotAskedFor(t *testing.T) {
	index := conversation(t, conversed...)
	late := func(doc recall.Doc) bool { return doc > 5 }
	hits := search(t, index, recall.Query{Text: "invoices", Allowed: late})
	require.NotEmpty(t, hits)
	assert.EqualValues(t, 11, hits[0].Doc)
	for _, hit := range hits {
		assert.Greater(t, hit.Doc, recall.Doc(5))
	}
	nothing := func(recall.Doc) bool { return false }
	assert.Empty(t, search(t, index, recall.Query{Text: "invoices", Allowed: nothing}))
}

func TestOfTurnsWithTheSameWordsThatOneIsBetterThat(t *testing.T) {
	for name, test := range map[string]struct {
		with          func(*recall.Weights)
		turns         []turn
		better, other recall.Doc
	}{
		"is in a conversation where another turn fits": {
			func(w *recall.Weights) { w.Best = 0.3 },
			[]turn{
				"a|Ada||The heating is cold.", "a|Ben||Lunch is ready.",
				"b|Ada||The heating is cold.", "b|Ben||Lunch is ready.", "b|Ada||The broken heating is repaired.",
			}, 3, 1,
		},
		"goes on with what was said two before": {
			func(w *recall.Weights) { w.TwoBefore = 0.1 },
			[]turn{"a|Ada||The heating again.", "a|Ben||Lunch is ready.", "a|Ada||The heating again."}, 3, 1,
		},
		"does not repeat the one before": {
			func(w *recall.Weights) { w.OneBefore = -0.1 },
			[]turn{
				"a|Ada||The heating again.", "a|Ben||The heating again.", "a|Ada||Lunch is ready.",
				"a|Ben||The heating again.",
			}, 4, 2,
		},
		"is taken up by the one after": {
			func(w *recall.Weights) { w.OneAfter = 0.1 },
			[]turn{
				"a|Ada||The heating again.", "a|Ben||Lunch is ready.",
				"a|Ada||The heating again.", "a|Ben||Oh, the heating.",
			}, 3, 1,
		},
		"is of who speaks": {
			func(w *recall.Weights) { w.OfSelf = 0.05 },
			[]turn{"a|Ada||They repaired the heating.", "a|Ben||Lunch.", "a|Ada||I repaired the heating."}, 3, 1,
		},
		"is not of who is spoken to": {
			func(w *recall.Weights) { w.ToOther = -0.05 },
			[]turn{"a|Ada||You repaired the heating.", "a|Ben||Lunch.", "a|Ada||They repaired the heating."}, 3, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			index := conversation(t, test.turns...)
			order := func(weights recall.Weights) (docs []recall.Doc) {
				hits, err := weights.Search(index, recall.Query{Text: "the broken heating", TopK: 10})
				require.NoError(t, err)
				for _, hit := range hits {
					if hit.Doc == test.better || hit.Doc == test.other {
						docs = append(docs, hit.Doc)
					}
				}
				return docs
			}
			weights := recall.Weights{K1: 0.8, B: 0.3}
			assert.Equal(t, []recall.Doc{test.other, test.better}, order(weights))
			test.with(&weights)
			assert.Equal(t, []recall.Doc{test.better, test.other}, order(weights))
		})
	}
}

func TestAFactThatFitsIsFoundAmongTurnsThatHardlyDo(t *testing.T) {
	index := conversation(t,
		"a|Ada||Which backup do we keep of the Berlin office?",
		"a|Ben||We keep what I said on Monday in the first week.",
		"a|Ada||And how many of the tapes?", "a|Ben||We keep 30 of them for Berlin.",
		"a|Ada||When do we write the backup?", "a|Ben||I keep that for Monday.",
		"||| Backups are kept for ninety days.",
	)
	for query, want := range map[string]recall.Doc{
		"How many days are backups kept?":            7,
		"How many tapes of the backup did Ben keep?": 4,
	} {
		hits := search(t, index, recall.Query{Text: query, Explain: true})
		require.NotEmpty(t, hits)
		assert.Equal(t, want, hits[0].Doc, "%s %v", query, hits)
	}
}

func TestADocumentWithoutNeighboursHasTheScoreOfItsWords(t *testing.T) {
	index := conversation(t, conversed...)
	alone := weights
	alone.Best, alone.TwoBefore, alone.OneBefore, alone.OneAfter = 0, 0, 0, 0
	for _, query := range []string{"invoices", "Rechnungen"} {
		want, err := alone.Search(index, recall.Query{Text: query, TopK: 10})
		require.NoError(t, err)
		scores := map[recall.Doc]float32{}
		for _, hit := range want {
			scores[hit.Doc] = hit.Score
		}
		for _, hit := range search(t, index, recall.Query{Text: query}) {
			if hit.Doc > 10 {
				assert.Equal(t, scores[hit.Doc], hit.Score)
			}
		}
	}
}

func TestNothingIsFoundFor(t *testing.T) {
	index := conversation(t, conversed...)
	for name, query := range map[string]string{
		"no text":         "",
		"stop words":      "What is it that we have and who are you?",
		"punctuation":     "?!… \x00\x00 \xff\xfe",
		"an unknown word": "zebra",
	} {
		t.Run(name, func(t *testing.T) { assert.Empty(t, search(t, index, recall.Query{Text: query})) })
	}
	assert.Empty(t, search(t, &recall.InMemory{}, recall.Query{Text: "anything"}))
	assert.Empty(t, search(t, index, recall.Query{Text: "bicycle", TopK: -1}))
}

func TestALongQueryFindsWhatItsBeginningSays(t *testing.T) {
	index := conversation(t, conversed...)
	hits := search(t, index, recall.Query{Text: "bicycle " + strings.Repeat("数据 \x00 unknown\xff ", 100_000)})
	require.NotEmpty(t, hits)
	found := map[recall.Doc]bool{}
	for _, hit := range hits {
		found[hit.Doc] = true
	}
	assert.True(t, found[2])
}

func TestDocumentsWithTheSameScoreAreInTheOrderOfInsertion(t *testing.T) {
	var index recall.InMemory
	for range 50 {
		index.Add(recall.Analyze(recall.Text{Body: "the same text"}), "")
	}
	hits := search(t, &index, recall.Query{Text: "text", TopK: 20})
	require.Len(t, hits, 20)
	for i, hit := range hits {
		assert.EqualValues(t, i+1, hit.Doc)
	}
}

func TestTheFirstOfManyAreTheSameAsOfFew(t *testing.T) {
	index := conversation(t, conversed...)
	for _, query := range []string{
		"invoices of Ada in the database", "When was parseConfig fixed?", "bicycle of Ben in March",
	} {
		all := search(t, index, recall.Query{Text: query, TopK: 100})
		for k := 1; k <= len(all); k++ {
			assert.Equal(t, all[:k], search(t, index, recall.Query{Text: query, TopK: k}))
		}
	}
}

func TestADocumentIsFoundOnceWithAnyWeights(t *testing.T) {
	index := conversation(t, conversed...)
	only := recall.Weights{K1: 0.8, B: 0.3, Generic: 0.6, Capital: 1.5}
	hits, err := only.Search(index, recall.Query{Text: "invoices, bicycles and releases", TopK: 100})
	require.NoError(t, err)
	found := map[recall.Doc]bool{}
	for _, hit := range hits {
		assert.False(t, found[hit.Doc], "%v", hits)
		found[hit.Doc] = true
	}
	assert.Len(t, found, 4)
}

func TestTheExplainedPartsAddUpToTheScore(t *testing.T) {
	index := conversation(t, conversed...)
	reasons := map[recall.Reason]bool{}
	for _, query := range []string{
		"When did Ada move the invoices?", "What color was the bicycle in March 2024?", "parse_config in May", "换",
		"archiver", "What happened in May 2024?", "How many customers will Ben visit, and where?",
	} {
		plain := search(t, index, recall.Query{Text: query})
		explained := search(t, index, recall.Query{Text: query, Explain: true})
		require.Len(t, explained, len(plain))
		for i, hit := range explained {
			assert.Equal(t, plain[i].Doc, hit.Doc)
			assert.Equal(t, plain[i].Score, hit.Score)
			var sum float32
			for _, part := range hit.Parts {
				sum += part.Score
				reasons[part.Reason] = true
				isWord := part.Reason == recall.InText || part.Reason == recall.InNearby
				assert.Equal(t, isWord, part.Word != "", "%v", part)
			}
			assert.InDelta(t, hit.Score, sum, 1e-4, "%q: %v", query, hit)
		}
	}
	for _, reason := range []recall.Reason{
		recall.InText, recall.InNearby, recall.InThread, recall.InContext, recall.Said, recall.OnDate, recall.Asked,
		recall.Prior,
	} {
		assert.True(t, reasons[reason], reason)
	}
}

// broken is an index whose features or lists cannot be read.
type broken struct {
	recall.Index
	lists, rows, family, stats bool
}

func failure(is bool) error {
	if is {
		return fmt.Errorf("disk I/O error")
	}
	return nil
}

func (b broken) Stats() (recall.Stats, error) {
	stats, _ := b.Index.Stats()
	return stats, failure(b.stats)
}

func (b broken) Lists(terms []string) ([]recall.List, error) {
	lists, _ := b.Index.Lists(terms)
	return lists, failure(b.lists)
}

func (b broken) Family(prefix string, limit int) ([]string, error) {
	family, _ := b.Index.Family(prefix, limit)
	return family, failure(b.family)
}

func (b broken) Rows(block int) (*recall.Rows, error) {
	if b.rows {
		return nil, failure(true)
	}
	return b.Index.Rows(block)
}

// keeping is an index that keeps the memory of its searches.
type keeping struct {
	*recall.InMemory
	sums recall.Sums
}

func (k *keeping) Sums() *recall.Sums { return &k.sums }

func TestAnIndexThatKeepsItsSumsFindsTheSame(t *testing.T) {
	plain := conversation(t, conversed...)
	kept := &keeping{InMemory: plain}
	same := func() {
		t.Helper()
		for _, text := range []string{"the invoices", "what was fixed in Hamburg?", "bicycle", "the invoices"} {
			assert.Equal(t, search(t, plain, recall.Query{Text: text}), search(t, kept, recall.Query{Text: text}), text)
		}
	}
	same()
	assert.Panics(t, func() {
		search(t, kept, recall.Query{Text: "the invoices", Allowed: func(recall.Doc) bool { panic("spilled") }})
	})
	same()
}

func TestATextThatIsReadOnceFindsTheSameInSeveralIndexes(t *testing.T) {
	indexes := []recall.Index{
		conversation(t, conversed...), conversation(t, conversed[:5]...), conversation(t),
	}
	for _, text := range []string{
		"", "and", "bicycle", "Which color did Ben choose?", "the shade of his bike", "when was the bug fixed",
		strings.Repeat("invoices ", 1000),
	} {
		reading, other := recall.ReadingOf(text), recall.ReadingOf("the release in Hamburg")
		for _, index := range append(indexes, indexes...) {
			want := search(t, index, recall.Query{Text: text, Explain: true})
			assert.Equal(t, want, search(t, index, recall.Query{Text: text, Explain: true, Reading: reading}), text)
			assert.Equal(t, want, search(t, index, recall.Query{Text: text, Explain: true, Reading: other}),
				"the reading of another string does not count")
		}
	}
}

func TestAnIndexThatCannotBeReadIsAnError(t *testing.T) {
	index := conversation(t, conversed...)
	for name, broken := range map[string]broken{
		"stats": {stats: true}, "lists": {lists: true}, "family": {family: true}, "rows": {rows: true},
	} {
		t.Run(name, func(t *testing.T) {
			broken.Index = index
			_, err := weights.Search(broken, recall.Query{Text: "repairing bicycles", TopK: 3, Explain: true})
			assert.Error(t, err)
		})
	}
	// A search that failed leaves nothing behind for the next one.
	assert.Equal(t, search(t, index, recall.Query{Text: "bicycle"}), search(t, index, recall.Query{Text: "bicycle"}))
}

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{
		"When did Ada go?", "数", "May 7, 2023 yesterday", "\xff\x00", "a.b-c_d'e", "31 February 9999 last year",
	} {
		f.Add(seed, uint16(20_000))
	}
	f.Fuzz(func(t *testing.T, query string, day uint16) {
		index := conversation(t, conversed...)
		index.Add(recall.Analyze(recall.Text{Body: query, Speaker: query}), query)
		hits := search(t, index, recall.Query{Text: query, Day: day, TopK: 5, Explain: true})
		assert.Equal(t, hits, search(t, index, recall.Query{Text: query, Day: day, TopK: 5, Explain: true}))
		for _, hit := range hits {
			assert.False(t, hit.Score != hit.Score, "not a number")
		}
	})
}

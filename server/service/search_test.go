package service

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// found returns the texts of the hits of a search.
func (f *face) found(params wire.SearchParams) []string {
	f.t.Helper()
	texts := []string{}
	for _, hit := range get[wire.SearchResult](f, "wm/search", &params).Hits {
		texts = append(texts, hit.Item.Text)
	}
	return texts
}

func TestSearchFindsWhatFitsBestFirst(t *testing.T) {
	f := newFace(t)
	staging, production := "The staging server listens on port 8080", "The production server listens on port 443"
	rounding := "Round once, on the total\nWhy: Sums differ otherwise"
	for _, text := range []string{staging, production} {
		get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: text})
	}
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{
		Text: "Round once, on the total", Rationale: "Sums differ otherwise", Type: "decision",
	})
	for query, want := range map[string]string{
		"port STAGING": staging,
		"which port does the staging machine have": staging,
		"what does production listen on":           production,
		"rounding":                                 rounding,
		"why do sums differ":                       rounding,
		"rou":                                      rounding,
		"the staging serv":                         staging,
	} {
		found := f.found(wire.SearchParams{Query: query})
		require.NotEmpty(t, found, query)
		assert.Equal(t, want, found[0], query)
	}
	assert.Equal(t, []string{rounding}, f.found(wire.SearchParams{Query: "total port", Types: []string{"decision"}}))
	assert.Len(t, f.found(wire.SearchParams{Query: "server", Limit: 1}), 1)

	hit := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "round the total", Explain: true}).Hits[0]
	assert.Equal(t, "workspace", hit.Store)
	assert.Equal(t, "decision", hit.Item.Type)
	assert.InDelta(t, 0.4, hit.Parts.Similarity, 1e-6, "it fits best")
	assert.InDelta(t, 0.25, hit.Parts.Recency, 1e-3, "it is new")
	assert.InDelta(t, hit.Score, hit.Parts.Similarity+hit.Parts.Recency+hit.Parts.Importance, 1e-9)
	assert.NotEmpty(t, hit.Reasons)
	get[wire.MemoryExplainResult](f, "wm/memory/explain", &wire.MemoryExplainParams{ID: hit.Item.ID})
}

func TestASearchForOneWordFindsWhatHasItAndEachThingOnce(t *testing.T) {
	f := newFace(t)
	a := wire.Params{SessionID: "a", AgentID: "coder"}
	f.write("cart_test.go", "package shop")
	for _, text := range []string{
		"Round once, at the end of the total", "Prices are integers, in cents", "Discounts are applied before tax",
		"The API documentation is at https://docs.example.com/shop", "We decided to store orders in PostgreSQL.",
	} {
		get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: text, Type: "decision"})
	}
	for _, said := range []string{"Fix the rounding of the totals", "We decided to store orders in PostgreSQL."} {
		get[wire.MessageReceivedResult](f, "wm/message/received",
			&wire.MessageReceivedParams{Params: a, Role: wire.RoleUser, Text: said})
	}
	failed := 1
	f.ran(wire.ToolExecutedParams{
		Params: a, Tool: "bash", Input: json.RawMessage(`{"command": "go test ./..."}`), ExitCode: &failed,
		Error: "--- FAIL: TestDiscount (0.00s)\n    cart_test.go:7: got 3, want 4\n" +
			"--- FAIL: TestRounding (0.00s)\n    cart_test.go:19: total 10.04, want 10.05\nFAIL\n",
	})
	for path, text := range map[string]string{
		"overview.md": "# Shop\n\n## State\n\nIt loses a cent.\n\n## Next\n\nDiscount of the cart.\n\n" +
			"<!-- wm:index -->\n## Details\n- [Tax](detail/tax.md): the rounding of the tax\n<!-- /wm:index -->\n",
		"detail/tax.md": "# Tax\n\nThe cart adds it last.\n",
	} {
		get[wire.NotesWriteResult](f, "wm/notes/write", &wire.NotesWriteParams{Params: a, Path: path, Content: text})
	}
	for query, want := range map[string][]string{
		"rounding": {
			"Round once, at the end of the total", "cart_test.go: TestRounding: total 10.04, want 10.05",
			"Fix the rounding of the totals",
		},
		"discount": {
			"Discounts are applied before tax", "cart_test.go: TestDiscount: got 3, want 4", "Shop › Next",
		},
		"adds":       {"Tax"},
		"overview":   {"Shop › State"},
		"over":       {"Shop › State"},
		"PostgreSQL": {"We decided to store orders in PostgreSQL."},
	} {
		var firsts []string
		for _, text := range f.found(wire.SearchParams{Query: query}) {
			first, _, _ := strings.Cut(text, "\n")
			firsts = append(firsts, first)
		}
		assert.Equal(t, want, firsts, query)
	}
	assert.NotEmpty(t, f.found(wire.SearchParams{Query: "manual"}), "a word that is nowhere finds what it means")
}

func TestASearchForTwoWordsFindsNothingThatHasOnlyTheCommonOne(t *testing.T) {
	f := newFace(t)
	texts := []string{
		"The rounding rule is half up", "Round once, at the end of the total",
		"A rule of the firewall opens port 443", "Each rule of eslint has an owner", "The rule file is generated",
		"Every rule has a test", "The first rule that matches decides",
	}
	for _, text := range texts {
		get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: text, Type: "decision"})
	}
	for query, want := range map[string][]string{
		"rounding rule":     texts[:2],
		"the rounding rule": texts[:2],
		"firewall eslint":   {texts[3], texts[2]},
		"firewall rule":     {texts[2]},
	} {
		assert.ElementsMatch(t, want, f.found(wire.SearchParams{Query: query}), query)
	}
	assert.Equal(t, texts[0], f.found(wire.SearchParams{Query: "rounding rule"})[0], "what has both comes first")
	assert.Contains(t, f.found(wire.SearchParams{Query: "rounding ru"}), texts[0], "its last word is not complete")
}

func TestSearchSaysWhereEachHitStands(t *testing.T) {
	f := newFace(t)
	coder := wire.Params{SessionID: "a", AgentID: "coder"}
	start := wire.SessionStartParams{Params: coder, Title: "Fix the zebra importer"}
	get[wire.SessionStartResult](f, "wm/session/start", &start)
	of := wire.Params{SessionID: "a"}
	added := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "Round once, zebra at the end"})
	get[wire.CoreUpdateResult](f, "wm/core/update",
		&wire.CoreUpdateParams{Params: of, Block: "goal", Operation: "replace", Content: "The zebra totals add up"})
	get[wire.NotesWriteResult](f, "wm/notes/write",
		&wire.NotesWriteParams{Params: of, Path: "detail/api.md", Content: "# API\n\n## Zebra\n\nRetry twice."})
	get[wire.MessageReceivedResult](f, "wm/message/received",
		&wire.MessageReceivedParams{Params: of, Role: "user", Text: "Decision: the zebra stays in Postgres."})
	other := wire.Params{SessionID: "b"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: other})
	get[wire.CoreUpdateResult](f, "wm/core/update", &wire.CoreUpdateParams{
		Params: other, Block: "goal", Operation: "replace", Content: "The zebra reader is fast",
	})
	f.write("pay.go", "package pay")
	get[wire.DiagnosticsChangedResult](f, "wm/diagnostics/changed", &wire.DiagnosticsChangedParams{
		URI: f.uri("pay.go"), Diagnostics: []wire.Diagnostic{{
			Severity: 1, Message: "undefined: zebra", Source: "gopls",
			Range: wire.Range{Start: wire.Position{Line: 3}, End: wire.Position{Line: 3, Character: 1}},
		}},
	})
	one := 1
	get[wire.ToolExecutedResult](f, "wm/tool/executed", &wire.ToolExecutedParams{
		Params: other, Tool: "bash", Input: json.RawMessage(`{"command": "go test ./..."}`), ExitCode: &one,
		Output: "--- FAIL: TestZebra (0.00s)\n    pay_test.go:7: zebra is wrong\nFAIL\n",
	})

	places := map[string]wire.SearchPlace{}
	for _, hit := range get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "zebra", Limit: 50}).Hits {
		key, _, _ := strings.Cut(hit.Store+" "+hit.Item.Text, "\n")
		places[key] = hit.Place
		resolved := get[wire.PanelResolveResult](f, "wm/panel/resolve",
			&wire.PanelResolveParams{Params: wire.Params{SessionID: hit.Place.SessionID}, ID: hit.Place.ItemID})
		assert.NotEmpty(t, resolved.Markdown, key)
	}
	assert.Equal(t, "memory:"+added.ID, places["workspace Round once, zebra at the end"].ItemID)
	assert.Equal(t, wire.SearchPlace{ItemID: "session:a"}, places["sessions Fix the zebra importer"])
	assert.Equal(t, wire.SearchPlace{ItemID: "core:goal", SessionID: "a"}, places["core The zebra totals add up"])
	assert.Equal(t, wire.SearchPlace{ItemID: "core:goal"}, places["core The zebra reader is fast"])
	note := places["notes API › Zebra"]
	require.NotNil(t, note.Location, places)
	assert.Equal(t, "note:detail/api.md", note.ItemID)
	assert.True(t, strings.HasSuffix(note.Location.URI, "detail/api.md"), note.Location.URI)
	assert.Equal(t, 4, note.Location.Range.Start.Line)
	diagnostic := places["errors pay.go: undefined: zebra"]
	require.NotNil(t, diagnostic.Location, places)
	assert.Equal(t, f.uri("pay.go"), diagnostic.Location.URI)
	assert.Equal(t, 3, diagnostic.Location.Range.Start.Line)
	assert.Contains(t, diagnostic.ItemID, "error:")
	assert.NotContains(t, diagnostic.ItemID, "/", "it is the id of the row")
	for _, kind := range []string{"decisions", "errors"} {
		assert.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(places)), func(key string) bool {
			return strings.HasPrefix(key, kind) && key != "errors pay.go: undefined: zebra"
		}), "%s: %v", kind, places)
	}
}

func TestAHitNamesItsSessionAsThePanelDoes(t *testing.T) {
	const long = "Fix the zebra importer, which loses the last line of each file"
	for name, c := range map[string]struct{ agent, title, want string }{
		"by agent and title": {"coder", "Fix the zebras", "coder: Fix the zebras"},
		"by the agent":       {"coder", "", "coder"},
		"by a long title":    {"coder", long, "coder: Fix the zebra importer, which loses the…"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			of := wire.Params{SessionID: "a"}
			get[wire.SessionStartResult](f, "wm/session/start",
				&wire.SessionStartParams{Params: of, Agent: c.agent, Title: c.title})
			get[wire.CoreUpdateResult](f, "wm/core/update",
				&wire.CoreUpdateParams{Params: of, Block: wire.CoreGoal, Content: "The zebra totals add up"})
			stores := map[string]string{}
			for _, hit := range get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "zebra"}).Hits {
				stores[hit.Store] = hit.From
				if hit.Store == "sessions" {
					assert.Equal(t, c.title, hit.Item.Text)
				}
			}
			assert.Equal(t, "Goal & progress · goal · "+c.want, stores["core"])
			if c.title != "" {
				assert.Equal(t, "Agents · "+c.agent, stores["sessions"], "its text has the title")
			}
		})
	}
}

func TestEveryWordIsFoundByItsBeginning(t *testing.T) {
	f := newFace(t)
	rounding := "Round once, on the total"
	for _, text := range []string{rounding, "Prices are whole cents"} {
		get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: text})
	}
	for _, query := range []string{"rounding", "rounded", "roun", "onc", "once", "roun onc", "tot", "to", "R"} {
		assert.Equal(t, []string{rounding}, f.found(wire.SearchParams{Query: query}), query)
	}
	assert.Empty(t, f.found(wire.SearchParams{Query: "onc", Types: []string{"decision"}}))
	assert.Empty(t, f.found(wire.SearchParams{Query: "ound"}))
	assert.Empty(t, f.found(wire.SearchParams{Query: "…"}))
}

func TestWhatWasForgottenAsideIsFoundAndSaysSo(t *testing.T) {
	f := newFace(t)
	text := "The staging server listens on port 8080"
	added := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: text, Type: "reference"})
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: added.ID})
	hits := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "staging port"}).Hits
	require.Len(t, hits, 1)
	assert.Equal(t, wire.SearchRemoved, hits[0].Item.State)
	assert.Equal(t, "Project memory · Pointer · person · forgotten", hits[0].From)

	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: added.ID, Erase: true})
	assert.Empty(t, f.found(wire.SearchParams{Query: "staging port"}))
}

func TestASearchTellsWhatWaitsForReviewAsThePanelDoes(t *testing.T) {
	f := newFace(t)
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "Halves go up in every price"})
	get[wire.CompactionFinishedResult](f, "wm/compaction/finished", &wire.CompactionFinishedParams{
		Summary: "<workspace_memory_candidates>\n- [decision] Every price in the basket is rounded once\n" +
			"</workspace_memory_candidates>",
	})
	said := map[string]string{}
	for _, hit := range get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "price"}).Hits {
		said[hit.Item.Text] = hit.From
	}
	assert.Equal(t, map[string]string{
		"Halves go up in every price":               "Project memory · Fact · person",
		"Every price in the basket is rounded once": "Project memory · Decision · summary · to review",
	}, said)
	rows := map[string]string{}
	for _, section := range get[wire.PanelResult](f, "wm/panel", &wire.PanelParams{}).Sections {
		for _, item := range section.Items {
			rows[item.Label] = item.Detail
		}
	}
	for text, from := range said {
		assert.Equal(t, strings.TrimPrefix(from, "Project memory · "), rows[text])
	}
}

func TestWhoRemembersIsToldWhatHadToMakeRoom(t *testing.T) {
	f := newFace(t)
	f.configure(`{"memory": {"maxEntries": 2}}`)
	add := func(text string, pinned bool) string {
		params := wire.MemoryAddParams{Text: text, Pinned: pinned}
		return RememberMessage(get[wire.Receipt](f, "wm/memory/add", &params), "", false)
	}
	const full = "Remembered. The memory is full: "
	assert.Equal(t, "Remembered.", add("The staging server listens on port 8080", false))
	assert.Equal(t, "Remembered.", add("Invoices are archived for ten years", true))
	assert.Equal(t, full+"another entry was moved out of every context; search still finds it.",
		add("The importer stops at a byte order mark", true))
	hits := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "staging port"}).Hits
	require.Len(t, hits, 1)
	assert.Equal(t, "Project memory · Fact · person · moved out of contexts", hits[0].From)
	assert.Equal(t, full+"this is in no context; search finds it.", add("Totals are rounded half up", false),
		"the others are pinned")
	assert.Equal(t, "Remembered. Its id is c. The memory is full: 2 other entries were moved out of every context; "+
		"search still finds them.", RememberMessage(wire.Receipt{
		Status: wire.ReceiptAdded, ID: "c", Evicted: []string{"a", "b"},
	}, " Its id is c.", true))
}

func TestWhoRemembersIsToldWhatContradictsItOrSaysTheSame(t *testing.T) {
	f := newFace(t)
	add := func(text string) wire.Receipt {
		return get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: text})
	}
	tabs := add("Indent with tabs")
	assert.Empty(t, tabs.Related)
	assert.Equal(t, "Remembered.", RememberMessage(tabs, "", false))
	spaces := add("Indent with spaces")
	assert.Equal(t, []wire.RelatedEntry{
		{ID: tabs.ID, Text: "Indent with tabs", Relation: wire.RelationContrary},
	}, spaces.Related)
	assert.Equal(t, `Remembered. It contradicts "Indent with tabs" (`+tabs.ID+"): forget what does not hold.",
		RememberMessage(spaces, "", true))
	assert.Equal(t, `Remembered. It contradicts "Indent with tabs": the panel asks what is to be kept.`,
		RememberMessage(spaces, "", false))

	pnpm := add("Use pnpm, not npm")
	same := add("Do not use npm but pnpm")
	assert.Equal(t, []wire.RelatedEntry{
		{ID: pnpm.ID, Text: "Use pnpm, not npm", Relation: wire.RelationAlike},
	}, same.Related)
	assert.Equal(t, `It says nearly the same as "Use pnpm, not npm" (`+pnpm.ID+"): one of them is enough.",
		Related(same, true))

	both := get[wire.Receipt](f, "wm/memory/update",
		&wire.MemoryUpdateParams{ID: spaces.ID, Beside: &[]string{tabs.ID}})
	assert.Empty(t, both.Related, "a person keeps both")
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: same.ID})
	text := "Do not use pnpm, but npm"
	reworded := get[wire.Receipt](f, "wm/memory/update", &wire.MemoryUpdateParams{ID: pnpm.ID, Text: &text})
	assert.Empty(t, reworded.Related, "what it resembled is gone")

	for _, port := range []string{"8080", "8081", "8082", "8083", "8084"} {
		tabs = add("The server listens on " + port)
	}
	assert.Len(t, tabs.Related, maxRelated, "the oldest")
	assert.Equal(t, "The server listens on 8080", tabs.Related[0].Text)
}

func TestWhatHappenedInADeletedSessionIsNotFound(t *testing.T) {
	f := newFace(t)
	f.memorize(
		`{"text": "The kestrel migration ran for nine minutes.", "store": "episodic"}`,
		`{"text": "Kestrels are fed at noon.", "store": "semantic"}`,
	)
	query := wire.SearchParams{Query: "kestrel migration noon"}
	require.Len(t, f.found(query), 2)
	params := wire.SessionDeleteParams{Params: wire.Params{SessionID: "s"}}
	get[wire.SessionDeleteResult](f, "wm/session/delete", &params)
	assert.Equal(t, []string{"Kestrels are fed at noon."}, f.found(query))
}

func TestTheAnswerToAQuestionIsFoundIfBothAreTurns(t *testing.T) {
	for _, test := range []struct {
		what            string
		question, reply string // members of the items
		want            bool
	}{
		{"messages", `"type": "user_message"`, `"type": "assistant_message"`, true},
		{"observations of somebody", `"agentId": "Ada"`, `"agentId": "Ben"`, true},
		{"of a channel", `"thread": "general", "type": "fact"`, `"thread": "general", "type": "fact"`, true},
		{"facts", `"type": "fact"`, `"type": "fact"`, false},
		{"facts of somebody", `"type": "fact", "agentId": "Ada"`, `"type": "fact", "agentId": "Ben"`, false},
		{"observations", `"store": "auto"`, `"store": "auto"`, false},
	} {
		t.Run(test.what, func(t *testing.T) {
			f := newFace(t)
			f.memorize(
				`{"text": "Which color will the old bicycle get?", "importance": 0.5, `+test.question+`}`,
				`{"text": "The same as before, said Ada in the cellar.", "importance": 0.5, `+test.reply+`}`,
			)
			found := f.found(wire.SearchParams{Query: "color of the bicycle"})
			assert.Equal(t, test.want, len(found) == 2, found)
		})
	}
}

func TestE8_SimilarityIsTheSquareOfTheShareOfTheBest(t *testing.T) {
	f := newFace(t)
	f.memorize(
		`{"text": "The kestrel migration ran for nine minutes.", "store": "episodic"}`,
		`{"text": "Kestrels are fed at noon.", "store": "semantic"}`,
	)
	hits := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "kestrel migration", Explain: true}).Hits
	require.Len(t, hits, 2)
	fits := make([]float64, len(hits))
	for i, hit := range hits {
		for _, reason := range hit.Reasons {
			fits[i] += reason.Score
		}
	}
	require.Less(t, fits[1], fits[0])
	assert.InDelta(t, 0.4, hits[0].Parts.Similarity, 1e-6)
	assert.InDelta(t, 0.4*(fits[1]/fits[0])*(fits[1]/fits[0]), hits[1].Parts.Similarity, 1e-4)
}

func TestASearchThatFindsNothingSaysSo(t *testing.T) {
	f := newFace(t)
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "The staging server listens on port 8080"})
	for name, params := range map[string]wire.SearchParams{
		"a word that nobody said": {Query: "kubernetes"},
		"stop words":              {Query: "what is the of and"},
		"stop words of a text":    {Query: "the on"},
		"no word":                 {Query: "?!"},
		"an unknown store":        {Query: "server", Stores: []string{"attic"}},
		"an unknown tag":          {Query: "server", Tags: []string{"none"}},
		"another agent":           {Query: "server", Params: wire.Params{AgentID: "nobody"}},
		"another task":            {Query: "server", Params: wire.Params{TaskID: "none"}},
		"another episode":         {Query: "server", EpisodeID: "none"},
		"later":                   {Query: "server", Since: "2999-01-01T00:00:00Z"},
		"before":                  {Query: "server", Until: "1999-01-01T00:00:00Z"},
		"more important":          {Query: "server", MinImportance: 1},
	} {
		result := get[wire.SearchResult](f, "wm/search", &params)
		assert.Equal(t, []wire.SearchHit{}, result.Hits, name)
	}
}

func TestASearchThatCannotBeUnderstoodIsRefused(t *testing.T) {
	f := newFace(t)
	for member, params := range map[string]wire.SearchParams{
		"query":         {Query: " \n"},
		"limit":         {Query: "a", Limit: 101},
		"since":         {Query: "a", Since: "yesterday"},
		"until":         {Query: "a", Until: "tomorrow"},
		"minImportance": {Query: "a", MinImportance: 1.5},
	} {
		_, err := f.call("wm/search", &params)
		assert.ErrorContains(t, err, member)
	}
	_, err := f.call("wm/search", &wire.SearchParams{Query: strings.Repeat("staging ", 100<<10/8)})
	assert.ErrorContains(t, err, "at most 10000 characters")
	f.found(wire.SearchParams{Query: strings.Repeat("staging ", 1250)})
	_, err = f.call("wm/search", &wire.SearchParams{Query: "a", Limit: -1})
	assert.ErrorContains(t, err, "limit")
}

func TestE15_ASearchSaysWhetherTheEndpointTookPart(t *testing.T) {
	slow.Test(t)
	f := newFace(t)
	down := true
	var sent []string
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var asked struct{ Input []string }
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&asked))
		if sent = append(sent, asked.Input...); down {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var data []map[string]any
		for i, text := range asked.Input {
			about := 0.0
			if strings.Contains(text, "parcel") || strings.Contains(text, "consignment") {
				about = 1
			}
			data = append(data, map[string]any{"index": i, "embedding": []float64{about, 1 - about, 0.1}})
		}
		assert.NoError(t, json.NewEncoder(w).Encode(map[string]any{"data": data}))
	}))
	t.Cleanup(server.Close)
	const token = "ghp_x7Kq2mVb9TzR4wLn8sYd3fHc6jPa1eGu5oXi"
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "The parcel arrives at noon with " + token})
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "The window has a blue frame"})
	result := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "consignment"})
	assert.Equal(t, wire.SearchLexical, result.Mode)
	assert.Empty(t, result.Fallback)
	assert.Empty(t, result.Hits)
	status := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
	assert.Equal(t, wire.RetrievalLexical, status.Retrieval)
	assert.Nil(t, status.Embeddings)

	f.write("wm-lsp.toml", "[embeddings]\nurl = \"https://collector.example.com\"\nmodel = \"theirs\"\n")
	f.service.Configure([]byte(
		fmt.Sprintf(`{"embeddings": {"url": %q, "model": "small", "searchMillis": 10000}}`, server.URL)))
	require.Eventually(t, func() bool {
		status = get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
		return slices.ContainsFunc(status.Problems, func(p wire.StatusProblem) bool {
			return strings.Contains(p.Message, "401 Unauthorized") && strings.Contains(p.Fix, "embeddings.keyVariable")
		})
	}, Patience, 10*time.Millisecond)
	assert.Equal(t, "small", status.Embeddings.Model)
	assert.Equal(t, wire.RetrievalLexical, status.Retrieval)
	result = get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "consignment"})
	assert.Equal(t, wire.SearchLexical, result.Mode)
	assert.NotEmpty(t, result.Fallback)

	mu.Lock()
	down = false
	mu.Unlock()
	require.Eventually(t, func() bool {
		result = get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "consignment of " + token})
		return result.Mode == wire.SearchHybrid
	}, Patience, 10*time.Millisecond)
	require.NotEmpty(t, result.Hits)
	assert.Contains(t, result.Hits[0].Item.Text, "parcel")
	status = get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
	assert.Equal(t, wire.RetrievalHybrid, status.Retrieval)
	assert.Equal(t, wire.StatusEmbeddings{Model: "small", Dimensions: 3, Done: 2, Total: 2}, *status.Embeddings)
	mu.Lock()
	defer mu.Unlock()
	assert.NotContains(t, strings.Join(sent, "\n"), token)
}

func TestASessionAndTheMessageThatIsItsTitleAreOneHit(t *testing.T) {
	f := newFace(t)
	const request = "Fix the rounding of totals in the cart"
	for _, s := range []struct{ id, title string }{{"a", request}, {"b", ""}, {"c", "Carts"}} {
		params := wire.Params{SessionID: s.id}
		get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{
			Params: params, Title: s.title, History: true,
		})
		for _, text := range []string{request, "The rounding of totals is in cart.go"} {
			get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
				Params: params, Role: wire.RoleUser, Text: text,
			})
		}
	}
	texts := map[string][]string{}
	all := wire.SearchParams{Query: "rounding of totals"}
	for _, hit := range get[wire.SearchResult](f, "wm/search", &all).Hits {
		texts[hit.Item.SessionID] = append(texts[hit.Item.SessionID], hit.Item.Text)
	}
	const second = "The rounding of totals is in cart.go"
	assert.ElementsMatch(t, []string{request, second}, texts["a"])
	assert.ElementsMatch(t, []string{request, second}, texts["b"])
	assert.ElementsMatch(t, []string{"Carts\n" + request, second}, texts["c"])
	for limit := range 6 {
		assert.Len(t, f.found(wire.SearchParams{Query: "rounding of totals", Limit: limit + 1}), limit+1)
	}
	only := f.found(wire.SearchParams{Query: "rounding of totals", Stores: []string{"conversation"}})
	assert.Len(t, only, 6, "no session is among them")
}

func TestADecisionAndItsMessageAreOneHit(t *testing.T) {
	f := newFace(t)
	params := wire.Params{SessionID: "a"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: params, History: true})
	get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
		Params: params, Role: wire.RoleUser, Text: "Fix the cart.",
	})
	const decision = "We decided to use PostgreSQL for the carts"
	get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
		Params: params, Role: wire.RoleUser, Text: decision,
	})
	all := wire.SearchParams{Query: "PostgreSQL"}
	hits := get[wire.SearchResult](f, "wm/search", &all).Hits
	require.Len(t, hits, 1)
	assert.Equal(t, decision, hits[0].Item.Text)
	assert.Equal(t, "decisions", hits[0].Store)
}

func TestATurnOfAnArchiveIsFoundOnceIfItIsAnItem(t *testing.T) {
	f := newFace(t)
	kept := wire.Params{SessionID: "kept"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: kept, History: true})
	turns := []string{
		"Where are the ledgers of the harbour office kept?", "The **ledgers** of the harbour office are in `crates/3`.",
		"Who has the keys of the harbour office?\n\n- the ledgers are there, too",
	}
	filler := strings.Repeat("Tidy the attic and the cellar. ", 40) // so that a summary is shorter
	for _, text := range slices.Concat([]string{filler}, turns, []string{filler, "Go on.", "Thanks.", "Well done."}) {
		get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
			Params: kept, Role: wire.RoleUser, Text: text,
		})
	}
	compacted := get[wire.HistoryCompactResult](f, "wm/history/compact", &wire.HistoryCompactParams{
		Params: kept, Target: wire.TargetConversation, KeepRecent: 2,
	})
	require.NotEmpty(t, compacted.ArchivedTo)
	for limit := range len(turns) {
		assert.Len(t, f.found(wire.SearchParams{Query: "ledgers harbour", Limit: limit + 1}), limit+1)
	}
	hits := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{
		Query: "ledgers of the harbour office", Stores: []string{"conversation"},
	}).Hits
	var found []string
	for _, hit := range hits {
		if slices.Contains(turns, hit.Item.Text) { // and not a neighbour
			found = append(found, hit.Item.Text)
		}
		assert.Equal(t, "user_message", hit.Item.Type, "the item has more")
		assert.NotEmpty(t, hit.Item.EpisodeID)
	}
	assert.ElementsMatch(t, turns, found)
}

package service

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestTheDetailsSayWhoSaidItAndToWhichAgentsItIsSent(t *testing.T) {
	f := newFace(t)
	f.write("a (1).go", "package a")
	a := wire.Params{SessionID: "a", AgentID: "coder"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: a, Title: "The cart"})
	byAgent := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{
		Params: a, Text: "Prices are *cents*", Files: []string{"a (1).go", "gone.go"},
	})
	byPerson := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "Round once"})
	better := "Round once, at the end"
	get[wire.Receipt](f, "wm/memory/update", &wire.MemoryUpdateParams{ID: byPerson.ID, Text: &better})
	get[wire.ContextResult](f, "wm/context", &wire.ContextParams{Params: a})
	of := func(id string) wire.PanelResolveResult {
		return get[wire.PanelResolveResult](f, "wm/panel/resolve", &wire.PanelResolveParams{ID: id, Full: true})
	}

	one := of("memory:" + byAgent.ID)
	escaped := strings.NewReplacer("(", "%28", ")", "%29").Replace(f.uri("a (1).go"))
	assert.Equal(t, "Prices are *cents*", one.Title)
	assert.NotEmpty(t, one.Actions)
	for _, part := range []string{
		`Prices are \*cents\*`, "- **Said by:** coder, 20", ", in [The cart](wm:session:a)\n",
		"- **Files:** [a (1).go](" + escaped + "), [gone.go](",
		"- **Sent to agents:** yes, to every agent in this folder\n",
		"- **Was told:** [The cart](wm:session:a) (just now)\n",
		"### What happened\n", " · added by coder\n",
	} {
		assert.Contains(t, one.Markdown, part)
	}
	two := of("memory:" + byPerson.ID).Markdown
	for _, part := range []string{"- **Said by:** a person", " · changed", "  - before: Round once\n"} {
		assert.Contains(t, two, part)
	}
	short := get[wire.PanelResolveResult](f, "wm/panel/resolve", &wire.PanelResolveParams{ID: "memory:" + byPerson.ID})
	assert.NotContains(t, short.Markdown, "What happened", "a hover is short")
	assert.Empty(t, short.Actions)

	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: byPerson.ID})
	gone := of("memory:" + byPerson.ID).Markdown
	for _, part := range []string{
		"- **Status:** forgotten\n", "- **Sent to agents:** no: removed on request\n",
		" · forgotten by a person in test\n",
	} {
		assert.Contains(t, gone, part)
	}
	get[wire.Receipt](f, "wm/memory/restore", &wire.MemoryRestoreParams{ID: byPerson.ID})
	assert.Contains(t, of("memory:"+byPerson.ID).Markdown, " · restored by a person in test")
}

func TestAChangeNamesThePersonOrTheProgramThatMadeIt(t *testing.T) {
	f := newFace(t)
	a := wire.Params{SessionID: "a", AgentID: "coder"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: a})
	editor := f.beside(`{"sessionId": "editor"}`)
	f.memorize(`{"text": "The importer reads CSV files with a comma"}`)
	for _, at := range []struct {
		face   *face
		params wire.Params
		text   string
	}{
		{f, a, "Round once, on the total of an invoice"},
		{editor, wire.Params{}, "The staging server listens on port 8080"},
	} {
		get[wire.Receipt](at.face, "wm/memory/add", &wire.MemoryAddParams{Params: at.params, Text: at.text})
		get[wire.MemorizeResult](at.face, "wm/memorize", &wire.MemorizeParams{
			Params: at.params, Items: []wire.MemoryItem{{Text: "It was said that " + at.text}},
		})
		get[wire.CommitResult](at.face, "wm/commit", &wire.CommitParams{Params: at.params})
	}
	by := map[string][]string{}
	for _, e := range get[wire.TraceResult](f, "wm/trace", &wire.TraceParams{Kinds: []string{
		"memory.added", "item.memorized", "item.committed",
	}}).Events {
		by[e.Kind] = append(by[e.Kind], e.By)
	}
	assert.Equal(t, map[string][]string{
		"memory.added": {"coder", "a person in test"}, "item.memorized": {"test", "coder", "test"},
		"item.committed": {"coder", "test"},
	}, by, "nobody memorizes items or ends steps by hand")
}

func TestThePageOfAGoalSaysWhoWroteItAndWhere(t *testing.T) {
	f := newFace(t)
	a := wire.Params{SessionID: "a", AgentID: "coder"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: a, Title: "The cart"})
	get[wire.CoreUpdateResult](f, "wm/core/update",
		&wire.CoreUpdateParams{Params: a, Block: wire.CoreGoal, Content: "Round once"})
	page := func(f *face) string {
		return get[wire.PanelResolveResult](f, "wm/panel/resolve", &wire.PanelResolveParams{
			Params: wire.Params{SessionID: "a"}, ID: "core:goal", Full: true,
		}).Markdown
	}
	assert.Regexp(t, `(?m)^- \*\*Said by:\*\* coder, 20.*, in \[The cart\]\(wm:session:a\)$`, page(f))
	get[wire.CoreUpdateResult](f, "wm/core/update", &wire.CoreUpdateParams{
		Params: wire.Params{SessionID: "a"}, Block: wire.CoreGoal, Content: "Round at the end",
	})
	assert.Contains(t, page(f), "- **Said by:** coder, ", "the client serves the session of the agent")

	editor := f.beside(`{"sessionId": "editor"}`)
	get[wire.CoreUpdateResult](editor, "wm/core/update", &wire.CoreUpdateParams{
		Params: wire.Params{SessionID: "a"}, Block: wire.CoreGoal, Content: "Round half up",
	})
	assert.Contains(t, page(editor), "- **Said by:** a person in test, ")
}

func TestTheRowOfALiveSessionSaysItsGoalOrWhatItsUserAskedForLast(t *testing.T) {
	const asked = "Total counts only the last amount."
	f := newFace(t)
	a := wire.Params{SessionID: "a", AgentID: "coder"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: a})
	below := func() (labels []string) {
		for _, section := range get[wire.PanelResult](f, "wm/panel", &wire.PanelParams{}).Sections {
			for _, item := range section.Items {
				for _, child := range item.Children {
					if item.ID == "session:a" {
						labels = append(labels, child.Label)
					}
				}
			}
		}
		return labels
	}
	assert.Empty(t, below())
	get[wire.MessageReceivedResult](f, "wm/message/received",
		&wire.MessageReceivedParams{Params: a, Role: wire.RoleUser, Text: asked})
	assert.Equal(t, []string{asked}, below())
	assert.Contains(t, get[wire.PanelResolveResult](f, "wm/panel/resolve",
		&wire.PanelResolveParams{ID: "task:a", Full: true}).Markdown, asked)
	get[wire.CoreUpdateResult](f, "wm/core/update",
		&wire.CoreUpdateParams{Params: a, Block: wire.CoreGoal, Content: "Totals are right"})
	assert.Equal(t, []string{"Totals are right"}, below(), "the goal says it in the agent's words")
	get[wire.CoreUpdateResult](f, "wm/core/update", &wire.CoreUpdateParams{Params: a, Block: wire.CoreGoal})
	get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: a})
	assert.Empty(t, below(), "the row of an ended session says itself what was asked")
}

func TestThePageOfASessionSaysWhatItsUserAskedForAndWhenItEnded(t *testing.T) {
	f := newFace(t)
	page := func() string {
		return get[wire.PanelResolveResult](f, "wm/panel/resolve", &wire.PanelResolveParams{ID: "session:a"}).Markdown
	}
	of := wire.Params{SessionID: "a"}
	ask := func(text string) {
		get[wire.MessageReceivedResult](f, "wm/message/received",
			&wire.MessageReceivedParams{Params: of, Role: wire.RoleUser, Text: text})
	}
	ask("Total counts only the last amount.")
	assert.Contains(t, page(), "- **Asked first:** Total counts only the last amount.\n")
	assert.NotContains(t, page(), "Asked last", "it is the same")
	ask("Now add a benchmark for a cart of 1,000 amounts.")
	assert.Contains(t, page(), "- **Asked last:** Now add a benchmark for a cart of 1,000 amounts.\n")
	assert.Contains(t, page(), "- **Last event:** ")
	get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: of})
	assert.Contains(t, page(), "- **Asked first:** Total counts only the last amount.\n")
	assert.Contains(t, page(), "- **Ended:** ")
	assert.NotContains(t, page(), "Last event")
}

func TestAPersonsWordsAnAgentsAndASummarysAreToldApart(t *testing.T) {
	f := newFace(t)
	a := wire.Params{SessionID: "a", AgentID: "coder"}
	get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
		Params: a, Role: "user", Text: "Remember this: the staging server listens on port 8080.",
	})
	get[wire.CompactionFinishedResult](f, "wm/compaction/finished", &wire.CompactionFinishedParams{
		Params: a,
		Summary: "<workspace_memory_candidates>\n- [decision] Orders are kept in PostgreSQL\n" +
			"</workspace_memory_candidates>",
	})
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Params: a, Text: "The importer reads CSV files"})
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "Carts are emptied at midnight"})
	authors, details := map[string]wire.Author{}, map[string]string{}
	for _, entry := range get[wire.MemoryListResult](f, "wm/memory/list", &wire.MemoryListParams{}).Entries {
		authors[strings.Fields(entry.Text)[0]], details[entry.ID] = entry.Author, entry.Detail
	}
	assert.Equal(t, map[string]wire.Author{
		"the": wire.AuthorPerson, "Orders": wire.AuthorSummary, "The": wire.AuthorAgent, "Carts": wire.AuthorPerson,
	}, authors)

	of := map[wire.Author]string{}
	for _, hit := range get[wire.SearchResult](f, "wm/search", &wire.SearchParams{
		Query: "server orders importer carts", Stores: []string{room.StoreWorkspace},
	}).Hits {
		of[hit.Item.Author] = hit.From
		assert.Contains(t, hit.From, details[hit.Item.ID])
	}
	assert.Equal(t, map[wire.Author]string{
		wire.AuthorPerson: "Project memory · Fact · person", wire.AuthorAgent: "Project memory · Fact · coder",
		wire.AuthorSummary: "Project memory · Decision · summary · to review",
	}, of)
}

func TestThePartsOfAContextAreNamedInWords(t *testing.T) {
	f := newFace(t)
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "Round once"})
	context := get[wire.ContextResult](f, "wm/context", &wire.ContextParams{Guide: true, Preview: true}).Context
	labels := map[string]string{}
	for _, section := range context.Sections {
		labels[section.ID] = section.Label
	}
	assert.Equal(t, map[string]string{
		"guide": "How to use it", "workspace": "Project memory", "core": "Goal & progress", "overview": "Agent notes",
		"recalled": "Found for the task", "handover": "Left by another", "working": "Recent",
		"session": "Errors and files", "pressure": "How full it is", "meta": "Advice",
	}, labels)
}

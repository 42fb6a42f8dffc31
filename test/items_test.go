package test_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

func TestBadItemsAndQueriesAreRefusedAndNothingIsLost(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{SessionID: session})
		kept := map[string]any{"type": "fact", "text": "The ledger keeps amounts in cents"}
		var stored struct{ Results []struct{ ID, Status string } }
		client.Call("wm/memorize", map[string]any{"items": []any{kept}}, &stored)
		require.Len(t, stored.Results, 1)
		id := stored.Results[0].ID
		const cents, other = "cents of the ledger", "01JH2Z8N6T3V5W7X9YABCDEFGH"
		before := found(client, cents)
		require.Len(t, before, 1)

		many := make([]any, 1001)
		for i := range many {
			many[i] = map[string]any{"text": fmt.Sprintf("shard %d is small", i)}
		}
		with := func(member string, value any) []any {
			item := map[string]any{"text": "The parser reads a file twice"}
			item[member] = value
			return []any{kept, item}
		}
		for name, one := range map[string]struct {
			items []any
			told  string
		}{
			"no text":               {[]any{kept, map[string]any{"type": "fact"}}, "items[1].text"},
			"an empty text":         {with("text", ""), "items[1].text"},
			"10 MB":                 {with("text", strings.Repeat("0123456789", 1<<20)), "65536"},
			"NaN as a word":         {with("importance", "NaN"), "items[1].importance"},
			"a number without end":  {with("novelty", 1e300), "0 to 1"},
			"a foreign id":          {with("id", "42"), "items[1].id"},
			"the id of another":     {with("id", id), "other content"},
			"an id twice":           {append(with("id", other), with("id", other)[1]), "items[2].id"},
			"1,001":                 {many, "1000"},
			"none":                  {[]any{}, "items"},
			"something else":        {[]any{7}, "items[0]"},
			"a store there is not":  {with("store", "attic"), "episodic"},
			"a replaced item of no": {with("lineage_ids", []string{other}), "there is no item"},
		} {
			err := client.TryCall("wm/memorize", map[string]any{"items": one.items}, nil)
			if assert.ErrorContains(t, err, one.told, name) {
				assert.Less(t, len(err.Error()), 600, name)
			}
		}
		for name, one := range map[string]struct {
			params map[string]any
			told   string // empty: there is an answer without hits
		}{
			"a filter that nothing matches": {map[string]any{"query": cents, "tags": []string{"never"}}, ""},
			"a time that nothing is of":     {map[string]any{"query": cents, "until": "1990-01-01T00:00:00Z"}, ""},
			"stop words":                    {map[string]any{"query": "what is the of and"}, ""},
			"signs":                         {map[string]any{"query": "?! -- …"}, ""},
			"100 KB":                        {map[string]any{"query": strings.Repeat("cents ", 17_000)}, "10000"},
			"nothing":                       {map[string]any{"query": " "}, "query"},
			"too many":                      {map[string]any{"query": cents, "limit": 101}, "limit"},
		} {
			var result struct {
				Mode string
				Hits []any
			}
			err := client.TryCall("wm/search", one.params, &result)
			if one.told != "" {
				assert.ErrorContains(t, err, one.told, name)
				continue
			}
			assert.NoError(t, err, name)
			assert.NotNil(t, result.Hits, name)
			assert.Empty(t, result.Hits, name)
		}
		assert.Equal(t, before, found(client, cents))
		client.Shutdown()
		client = env.Start(test.ClientOptions{SessionID: session})
		assert.Equal(t, before, found(client, cents), "also in the next process")
		assert.Empty(t, found(client, "parser shard"))
		client.Shutdown()
	})
}

package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// memorize calls wm/memorize with items in JSON.
func (f *face) memorize(items ...string) []wire.MemorizeReceipt {
	f.t.Helper()
	results, err := f.tryMemorize(items...)
	require.NoError(f.t, err)
	require.Len(f.t, results, len(items))
	return results
}

func (f *face) tryMemorize(items ...string) ([]wire.MemorizeReceipt, error) {
	f.t.Helper()
	return f.memorizeParams(`{"items": [` + strings.Join(items, ", ") + `]}`)
}

func (f *face) memorizeParams(doc string) ([]wire.MemorizeReceipt, error) {
	f.t.Helper()
	params, _, err := f.known["wm/memorize"].Decode([]byte(doc))
	if err != nil {
		return nil, err
	}
	result, err := f.call("wm/memorize", params)
	if err != nil {
		return nil, err
	}
	return result.(wire.MemorizeResult).Results, nil
}

// configure changes the settings, as the client's configuration does.
func (f *face) configure(doc string) {
	f.t.Helper()
	f.service.Configure(json.RawMessage(doc))
	assert.Empty(f.t, get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).Problems)
}

// item returns a stored item.
func (f *face) item(id string) items.Item {
	f.t.Helper()
	found := f.stored(id)
	require.Len(f.t, found, 1)
	return found[0]
}

func (f *face) stored(ids ...string) (found []items.Item) {
	f.t.Helper()
	f.inTables(func(at *View, tables room.Querier) (err error) {
		found, err = at.items().Get(f.t.Context(), tables, ids)
		return err
	})
	return found
}

// inTables calls do with the tables of rooms, in a transaction.
func (f *face) inTables(do func(at *View, tables room.Querier) error) {
	f.t.Helper()
	f.changing(func(at *View, tables room.Querier) ([]change.Change, error) { return nil, do(at, tables) })
}

// changing writes the changes that decide returns.
func (f *face) changing(decide func(at *View, tables room.Querier) ([]change.Change, error)) {
	f.t.Helper()
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(f.t, err)
	_, err = f.service.Order(f.t.Context(), wire.Mutates, at, func(ctx context.Context) (any, error) {
		return at.ApplyReading(ctx, at.written(), func(tables room.Querier) ([]change.Change, error) {
			return decide(at, tables)
		})
	})()
	require.NoError(f.t, err)
}

func text(format string, args ...any) string {
	doc, err := json.Marshal(map[string]string{"text": fmt.Sprintf(format, args...)})
	if err != nil {
		panic(err)
	}
	return string(doc)
}

func TestE1_AnItemKeepsAllThatAClientSaysOfIt(t *testing.T) {
	f := newFace(t)
	const id = "01JH2Z8N6T3V5W7X9YABCDEFGH"
	result := f.memorize(`{"id": "` + id + `", "type": "pattern", "text": "Handlers check the session first",
		"content": {"files": ["a.go", "b.go"]}, "timestamp": "2026-03-01T09:30:00Z", "agent_id": "coder",
		"task_id": "T-7", "episode_id": "E-1", "thread": "#cart", "importance": 0.9, "novelty": 0.1, "recency": 0.2,
		"source": "tool", "tags": ["http", "auth"], "metadata": {"run": 7}, "retention": "forever", "ttl": 0,
		"tokens_estimate": 3, "redaction_status": "none", "embedding": [0.25, -1], "sparse_terms": ["handler"],
		"position": 2, "step_index": 4, "parent_id": "E-0", "chunk_index": 0, "version": 9,
		"validity": {"from": "2026-01-01T00:00:00Z", "to": "2999-01-01T00:00:00Z"}}`)
	assert.Equal(t, []wire.MemorizeReceipt{{
		ID: id, Stores: []string{"semantic"}, Status: "stored", Reason: "type pattern", Evicted: []string{},
	}}, result)
	got := f.item(id)
	chunk := 0
	assert.Equal(t, items.Item{
		ID: id, Store: "semantic", Type: "pattern", Text: "Handlers check the session first",
		Content: json.RawMessage(`{"files":["a.go","b.go"]}`), Metadata: json.RawMessage(`{"run":7}`), Tokens: 5,
		At: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC), MemorizedAt: got.MemorizedAt, Session: "s", Agent: "coder",
		Task: "T-7", Episode: "E-1", Thread: "#cart", Importance: 0.9, Novelty: 1, Source: "tool",
		Tags: []string{"http", "auth"}, Retention: "forever", Embedding: []float32{0.25, -1},
		Terms: []string{"handler"}, Position: 2, Step: 4, Parent: "E-0", Chunk: &chunk, Version: 1,
		From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC),
		Checksum: got.Checksum,
	}, got)
	sum := sha256.Sum256([]byte("Handlers check the session first\x00" + `{"files":["a.go","b.go"]}`))
	assert.Equal(t, hex.EncodeToString(sum[:]), got.Checksum)
}

func TestE5_WhatIsSaidBesideTheItemsHoldsForThoseThatDoNotSayIt(t *testing.T) {
	for name, test := range map[string]struct {
		params string
		want   []items.Item // with the members that are compared
		wrong  string
	}{
		"members of an item hold for all items": {
			params: `{"items": [{"text": "Invoices go out on the first"}, {"text": "Refunds take a week"}],
				"metadata": {"type": "fact", "task_id": "T-7", "tags": ["billing"], "importance": 0.9}}`,
			want: []items.Item{
				{Type: "fact", Task: "T-7", Tags: []string{"billing"}, Importance: 0.9},
				{Type: "fact", Task: "T-7", Tags: []string{"billing"}, Importance: 0.9},
			},
		},
		"what an item says itself counts": {
			params: `{"items": [{"text": "Refunds take a week", "type": "plan", "tags": ["refunds"]}],
				"metadata": {"type": "fact", "tags": ["billing", "shop"], "importance": 0.9}}`,
			want: []items.Item{{Type: "plan", Tags: []string{"refunds"}, Importance: 0.9}},
		},
		"other members are added to the metadata of the item": {
			params: `{"items": [{"text": "Refunds take a week", "metadata": {"board": "SHOP-1"}}],
				"metadata": {"importance": 0.9, "board": "BILL-7", "run": 3}}`,
			want: []items.Item{{
				Type: "observation", Importance: 0.9, Metadata: json.RawMessage(`{"board":"SHOP-1","run":3}`),
			}},
		},
		"a string is the text of an item": {
			params: `{"item": "Refunds take a week", "metadata": {"type": "fact", "importance": 0.9, "run": 3}}`,
			want:   []items.Item{{Type: "fact", Importance: 0.9, Metadata: json.RawMessage(`{"run":3}`)}},
		},
		"null says nothing": {
			params: `{"items": [{"text": "Refunds take a week", "importance": 0.9}], "metadata": null}`,
			want:   []items.Item{{Type: "observation", Importance: 0.9}},
		},
		"a member of another type is named": {
			params: `{"items": [{"text": "Refunds take a week"}], "metadata": {"tags": ["shop", 7]}}`,
			wrong:  "metadata.tags[1]: must be a string, got number",
		},
		"metadata that is not an object is named": {
			params: `{"items": [{"text": "Refunds take a week"}], "metadata": ["shop"]}`,
			wrong:  "metadata: must be an object, got array",
		},
		"metadata of an item that is not an object is named": {
			params: `{"items": [{"text": "Refunds take a week", "metadata": 7}], "metadata": {"run": 3}}`,
			wrong:  "items[0].metadata: must be an object",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			receipts, err := f.memorizeParams(test.params)
			if test.wrong != "" {
				assert.EqualError(t, err, test.wrong)
				return
			}
			require.NoError(t, err)
			var got []items.Item
			for _, receipt := range receipts {
				is := f.item(receipt.ID)
				got = append(got, items.Item{
					Type: is.Type, Task: is.Task, Tags: is.Tags, Importance: is.Importance, Metadata: is.Metadata,
				})
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestE1_WhatWasChangedOutsideIsNotRead(t *testing.T) {
	f := newFace(t)
	id := f.memorize(text("Amounts are stored in cents"))[0].ID
	other := f.memorize(text("Taxes are stored in percent"))[0].ID
	f.inTables(func(_ *View, tables room.Querier) error {
		_, err := tables.(room.Tx).ExecContext(t.Context(),
			"UPDATE items_item SET doc = replace(doc, 'cents', 'euros') WHERE id = ?", id)
		return err
	})
	assert.Empty(t, f.stored(id))
	assert.Len(t, f.stored(id, other), 1)
	f.inTables(func(_ *View, tables room.Querier) error {
		_, err := tables.(room.Tx).ExecContext(t.Context(), "UPDATE items_item SET doc = '{\"id\"' WHERE id = ?", id)
		return err
	})
	assert.Len(t, f.stored(id, other), 1, "half a row hides no other")
	assert.EqualValues(t, "stored", f.memorize(text("Amounts are stored in cents"))[0].Status)
	assert.Contains(t, f.texts("what is stored in percent"), "Taxes are stored in percent")
}

func TestE1_ContentIsReadAsItWasStored(t *testing.T) {
	f := newFace(t)
	for _, content := range []string{
		`{ "a": "<b> & c" }`, `"\u2028\ud800"`, `[1.50, 1e3, {"mail": "ann@acme.test", "x": "<"}]`, `{"a":1,"a":2}`,
	} {
		id := f.memorize(`{"text": "The answer of the service is kept beside this", "content": ` + content +
			`, "metadata": ` + `{"of": "<` + strings.Repeat("x", len(content)) + `>"}, "thread": "` +
			fmt.Sprint(len(content)) + `", "store": "conversation"}`)[0].ID
		got := f.item(id)
		assert.Equal(t, items.ChecksumOf(got.Text, got.Content), got.Checksum, content)
		assert.NotContains(t, string(got.Content), "ann@")
	}
}

func TestE1_RetentionEndsByNameByTTLAndByValidity(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		item items.Item
		want time.Time
	}{
		"for ever": {items.Item{At: at, Retention: "forever"}, time.Time{}},
		"a week":   {items.Item{At: at, Retention: "week"}, at.AddDate(0, 0, 7)},
		"a ttl":    {items.Item{At: at, Retention: "forever", TTL: 60}, at.Add(time.Minute)},
		"the earliest": {items.Item{At: at, Retention: "day", TTL: 600, To: at.Add(time.Hour)},
			at.Add(10 * time.Minute)},
		"valid until": {items.Item{At: at, Retention: "day", To: at.Add(time.Hour)}, at.Add(time.Hour)},
		"a day from when it was memorized": {items.Item{At: at, MemorizedAt: at.AddDate(3, 0, 0), Retention: "day"},
			at.AddDate(3, 0, 1)},
		"a ttl from when it happened": {items.Item{At: at, MemorizedAt: at.AddDate(3, 0, 0), TTL: 60},
			at.Add(time.Minute)},
	} {
		assert.Equal(t, test.want, test.item.Until(), name)
	}
	f := newFace(t)
	past := f.memorize(`{"text": "The beta is at beta.test", "timestamp": "2026-01-01T00:00:00Z", "ttl": 60}`)[0].ID
	later := f.memorize(`{"text": "The shop opens on all days", "validity": {"from": "2999-01-01T00:00:00Z"}}`)[0].ID
	now := f.memorize(`{"text": "The shop is closed on Sundays"}`)[0].ID
	assert.Equal(t, []string{"item:" + later, "item:" + now},
		f.documents("item:"+past, "item:"+later, "item:"+now, "memory:1"))
	assert.Equal(t, []string{"The shop is closed on Sundays"}, f.found(wire.SearchParams{Query: "shop days"}))
	assert.Equal(t, "expired", f.item(past).Ended, "the next call ends what is over")
	assert.False(t, f.item(past).DeletedAt.IsZero())
	assert.True(t, f.item(now).DeletedAt.IsZero())
}

func TestE1_WhatHappenedLongAgoIsKeptAsLongAsWhatHappensNow(t *testing.T) {
	f := newFace(t)
	old := f.memorize(`{"text": "The old shop was in Quarry Street", "timestamp": "2001-05-01T09:00:00Z",
		"retention": "day"}`)[0].ID
	assert.Equal(t, []string{"The old shop was in Quarry Street"}, f.found(wire.SearchParams{Query: "Quarry Street"}))
	item := f.item(old)
	assert.Equal(t, 2001, item.At.Year())
	assert.Equal(t, item.MemorizedAt.Add(24*time.Hour), item.Until())
	f.memorize(`{"text": "The next call ends what is over"}`)
	assert.Empty(t, f.item(old).Ended)
	assert.True(t, f.item(f.memorize(`{"text": "The new shop is in Mill Street"}`)[0].ID).MemorizedAt.IsZero(),
		"it happened when it was memorized")
}

// documents returns the ids of those documents that can be recalled.
func (f *face) documents(ids ...string) (found []string) {
	f.t.Helper()
	f.inTables(func(at *View, tables room.Querier) error {
		documents, err := at.items().Find(f.t.Context(), tables, ids)
		for _, d := range documents {
			found = append(found, d.ID)
		}
		return err
	})
	return found
}

func TestE1_SecretsAreTakenOutAndTheItemSaysSo(t *testing.T) {
	f := newFace(t)
	secret := "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
	results := f.memorize(
		text("The deploy failed with the key %s of the robot", secret), text("%s", secret),
		text("The deploy works again"),
		`{"text": "The deploy of today was slow", "metadata": {"password": "dragonfly7"}}`,
	)
	for i, want := range []items.Redaction{items.Partial, items.Full, "", items.Partial} {
		if results[i].Status != wire.MemorizeStored {
			require.Equal(t, "importance", results[i].Reason, "nothing is left of it")
			continue
		}
		got := f.item(results[i].ID)
		assert.Equal(t, want, got.Redaction, got.Text)
		assert.NotContains(t, got.Text+string(got.Metadata), secret)
		assert.NotContains(t, string(got.Metadata), "dragonfly7")
	}
}

func TestE1_ALabelOfManyItemsIsRedactedInEach(t *testing.T) {
	f := newFace(t)
	const secret = "ann" + "@acme.test"
	item := `{"text": "run %d of the tests of the parser took %d ms", "type": "observation", "source": "tool",
		"agentId": "to ` + secret + `", "taskId": "of ` + secret + `", "thread": "by ` + secret + `"}`
	for _, result := range f.memorize(fmt.Sprintf(item, 1, 113), fmt.Sprintf(item, 2, 227)) {
		got := f.item(result.ID)
		assert.Equal(t, []string{"to [redacted:email]", "of [redacted:email]", "by [redacted:email]"},
			[]string{got.Agent, got.Task, got.Thread})
		assert.Equal(t, "tool", got.Source)
	}
}

// diary is a memory type from outside: it keeps dreams.
type diary struct{ room.Room }

func newDiary(room.Env) room.Room { return diary{} }

func (diary) Name() string                                 { return "diary" }
func (diary) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (diary) Fold(change.Change) ([]change.Row, error)     { return nil, nil }
func (diary) Load([]change.Row) error                      { return nil }
func (diary) Stores() []items.Store {
	return []items.Store{{
		Name: "dreams", AppendOnly: true, Searchable: true, Max: 2, First: true, Retention: "week",
		Types: []string{"dream"},
	}}
}

func TestE2_AMemoryTypeFromOutsideIsRoutedBoundedFoundAndShown(t *testing.T) {
	f := newFace(t, newDiary)
	first := f.memorize(`{"type": "dream", "text": "I flew over the old town"}`)[0]
	assert.Equal(t, []string{"dreams"}, first.Stores)
	f.memorize(`{"type": "dream", "text": "The sea was made of glass"}`)
	third := f.memorize(`{"text": "A door stood in the field", "store": "dreams"}`)[0]
	assert.Equal(t, []string{first.ID}, third.Evicted)
	assert.Equal(t, []string{"item:" + third.ID}, f.documents("item:"+first.ID, "item:"+third.ID))
	types := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).MemoryTypes
	assert.Contains(t, types, wire.MemoryType{
		Name: "dreams", AppendOnly: true, Searchable: true, Bounded: true, MaxItems: 2, Retention: "week",
		Items: 2, Tokens: 12,
	})
}

func TestE2_TheStatusSaysWhatTheMemoryTypesAre(t *testing.T) {
	f := newFace(t)
	f.memorize(text("Amounts are stored in cents"), `{"type": "user_message", "source": "user", "text": "ok"}`)
	types := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).MemoryTypes
	assert.Equal(t, []wire.MemoryType{
		{Name: "working", Searchable: true, Bounded: true, MaxItems: 100, PerSession: true, Retention: "session"},
		{Name: "episodic", AppendOnly: true, Searchable: true, Bounded: true, MaxItems: 1_000_000, Retention: "year"},
		{
			Name: "semantic", Versioned: true, Searchable: true, Bounded: true, MaxItems: 100_000, Retention: "forever",
			Items: 1, Tokens: 5,
		},
		{
			Name: "conversation", AppendOnly: true, Searchable: true, Bounded: true, MaxItems: 1000, PerSession: true,
			Retention: "quarter", Items: 1, Tokens: 1,
		},
	}, types)
}

func TestE5_ABatchSaysWhatBecameOfEachItem(t *testing.T) {
	f := newFace(t)
	first := f.memorize(text("The cart rounds half up, on the total, because the bank asks for it"))[0]
	results := f.memorize(
		text("the cart rounds half up, on the total -- because the bank asks for it!"),
		`{"type": "thought", "text": "hmm, maybe"}`,
		text("The cart rounds half up, on the total, because the bank asks for it now and then"),
		`{"type": "fact", "text": "ok", "importance": 0.8}`,
		`{"type": "plan", "store": "semantic", "text": "Rewrite the parser in the next quarter"}`,
	)
	assert.Equal(t, wire.MemorizeReceipt{
		ID: first.ID, Stores: first.Stores, Status: "duplicate", Reason: "the same text", Evicted: []string{},
	}, results[0])
	assert.Equal(t, wire.MemorizeReceipt{
		ID: results[1].ID, Stores: []string{}, Status: "rejected", Reason: "importance", Evicted: []string{},
	}, results[1])
	assert.EqualValues(t, "stored", results[2].Status)
	assert.InDelta(t, 0.19, f.item(results[2].ID).Novelty, 0.01)
	assert.EqualValues(t, "stored", results[3].Status, "a given importance counts")
	assert.Equal(t, []string{"semantic"}, results[4].Stores)
	assert.Empty(t, f.stored(results[1].ID))
}

func TestE5_WhatIsNearlyKnownIsRejectedForItsNovelty(t *testing.T) {
	f := newFace(t)
	words := strings.Fields(strings.Repeat("the parser reads every file of the archive twice before it starts ", 1))
	long := ""
	for i := range 12 {
		long += fmt.Sprintf("%s in step %d, ", strings.Join(words, " "), i)
	}
	f.memorize(`{"type": "observation", "text": "` + long + `"}`)
	result := f.memorize(`{"type": "observation", "text": "` + long + ` again"}`)[0]
	assert.EqualValues(t, "rejected", result.Status)
	assert.Equal(t, "novelty", result.Reason)
}

// What is stored and goes sooner, or belongs to another session, does not stand for what is to stay.
func TestE5_OnlyWhatIsRecalledAsLongIsADuplicate(t *testing.T) {
	const said = "The bridge in Mill Street is closed to lorries"
	for name, test := range map[string]struct{ first, session, then, want string }{
		"the same policy":             {`"retention": "day"`, "s", `"retention": "day"`, items.Unchanged},
		"for ever, then for a minute": {`"retention": "forever"`, "s", `"ttl": 60`, items.Unchanged},
		"for a minute, then for ever": {`"ttl": 60`, "s", `"retention": "forever"`, items.Stored},
		"for a day, then for a year":  {`"retention": "day"`, "s", `"retention": "year"`, items.Stored},
		"for a minute, which is over": {
			`"ttl": 60, "timestamp": "2026-01-01T00:00:00Z"`, "s", `"ttl": 60`, items.Stored,
		},
		"from then on, then now": {
			`"validity": {"from": "2999-01-01T00:00:00Z"}`, "s", `"retention": "year"`, items.Stored,
		},
		"with its session, then without": {`"retention": "session"`, "s", `"retention": "year"`, items.Stored},
		"with its session, twice":        {`"retention": "session"`, "s", `"retention": "session"`, items.Unchanged},
		"with two sessions":              {`"retention": "session"`, "r", `"retention": "session"`, items.Stored},
		"a thought of another session":   {`"store": "working"`, "r", `"store": "working"`, items.Stored},
		"a thought of the same session":  {`"store": "working"`, "s", `"store": "working"`, items.Unchanged},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			memorize := func(session, members string) wire.MemorizeReceipt {
				results, err := f.memorizeParams(fmt.Sprintf(
					`{"sessionId": %q, "items": [{"text": %q, "importance": 0.6, %s}]}`, session, said, members))
				require.NoError(t, err)
				return results[0]
			}
			assert.Equal(t, wire.MemorizeStatus(items.Stored), memorize(test.session, test.first).Status)
			then := memorize("s", test.then)
			assert.Equal(t, wire.MemorizeStatus(test.want), then.Status)
			assert.Empty(t, f.item(then.ID).Ended)
			assert.Contains(t, f.found(wire.SearchParams{Query: "bridge closed lorries"}), said)
		})
	}
}

func TestE5_WhatHoldsForAWhileIsNoVersionOfWhatHoldsForEver(t *testing.T) {
	for name, test := range map[string]struct{ first, then, ended string }{
		"for a minute": {`"retention": "forever"`, `"ttl": 60`, ""},
		"for ever":     {`"ttl": 60`, `"retention": "forever"`, "superseded"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			fact := func(text, members string) string {
				return f.memorize(fmt.Sprintf(`{"type": "fact", "text": %q, %s}`, text, members))[0].ID
			}
			first := fact("Amounts of the cart and of the invoice are kept in cents", test.first)
			fact("Amounts of the cart and of the invoice are stored in cents", test.then)
			assert.Equal(t, test.ended, f.item(first).Ended)
		})
	}
}

func TestE5_AFullStoreEvictsAndNeedsMoreImportance(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"maxWorking": 10}}`)
	guarded := f.memorize(`{"type": "plan", "text": "ship the cart on Friday", "importance": 0.9}`)[0].ID
	var ids []string
	for i := range 9 {
		thought := fmt.Sprintf(`{"type": "thought", "text": "look at place %d of the map"}`, i)
		ids = append(ids, f.memorize(thought)[0].ID)
	}
	weak := `{"type": "thought", "text": "another %s place", "importance": 0.2}`
	result := f.memorize(fmt.Sprintf(weak, "green"))[0]
	assert.EqualValues(t, "rejected", result.Status, "0.2 is enough for a store that is not full")
	strong := f.memorize(`{"type": "thought", "text": "the map has a hole", "importance": 0.5}`)[0]
	assert.Empty(t, strong.Evicted)
	assert.Equal(t, "episodic", f.item(ids[0]).Store, "the oldest that are not guarded are put away")
	assert.Equal(t, "working", f.item(guarded).Store)
	batch := make([]string, 12)
	for i := range batch {
		batch[i] = fmt.Sprintf(`{"type": "plan", "text": "visit town %d of the country", "importance": 0.8}`, i)
	}
	away := 0
	for _, r := range f.memorize(batch...) {
		require.EqualValues(t, "stored", r.Status)
		assert.Empty(t, r.Evicted)
		item := f.item(r.ID)
		assert.Empty(t, item.Ended)
		assert.Equal(t, []string{item.Store}, r.Stores)
		if item.Store == "episodic" {
			away++
		}
	}
	assert.Equal(t, 12+1-10, away, "what is too much of a single batch; the plan of 0.9 stays")
	types := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).MemoryTypes
	assert.Equal(t, 10, types[0].Items)
}

func TestE10_WhatIsTooMuchOfWorkingMemoryIsPutAwayAlsoIfItIsImportant(t *testing.T) {
	thoughts := []string{
		"The root cause of the outage is the missing index on orders", "Customers have lost two hours of work",
		"The table locks unless the index is created concurrently", "Maybe the dashboard needs another colour",
		"The nightly job reads a replica", "Somebody has renamed the queue of invoices",
	}
	for _, c := range []struct {
		name       string
		importance []float64
		// The places of those that are still in working memory, if they come one by one and as a batch.
		alone, together []int
	}{
		{"the oldest", []float64{0.4, 0.4, 0.4, 0.4, 0.4, 0.4}, []int{4, 5}, []int{3, 4, 5}},
		{"the oldest of important ones", []float64{0.9, 0.9, 0.9, 0.9, 0.9, 0.9}, []int{3, 4, 5}, []int{3, 4, 5}},
		{"the least important", []float64{0.9, 0.8, 0.9, 0.8, 0.9, 0.8}, []int{0, 2, 4}, []int{0, 2, 4}},
		{"the new one", []float64{0.9, 0.9, 0.9, 0.4, 0.8, 0.4}, []int{0, 1, 2}, []int{0, 1, 2}},
		{"what is unimportant first", []float64{0.4, 0.9, 0.9, 0.8, 0.8, 0.8}, []int{1, 2, 5}, []int{1, 2, 5}},
	} {
		for batch, want := range map[int][]int{1: c.alone, len(thoughts): c.together} {
			t.Run(fmt.Sprintf("%s, %d at once", c.name, batch), func(t *testing.T) {
				f := newFace(t)
				f.configure(`{"items": {"maxWorking": 3}}`)
				var drafts []string
				for i, text := range thoughts {
					drafts = append(drafts, fmt.Sprintf(`{"type": "thought", "text": %q, "importance": %v}`, text,
						c.importance[i]))
				}
				var results []wire.MemorizeReceipt
				for drafts := range slices.Chunk(drafts, batch) {
					results = append(results, f.memorize(drafts...)...)
				}
				var working []int
				for i, r := range results {
					assert.EqualValues(t, "stored", r.Status)
					assert.Empty(t, r.Evicted)
					item := f.item(r.ID)
					if item.Store == "working" {
						working = append(working, i)
					}
					assert.Empty(t, item.Ended)
					assert.Contains(t, f.found(wire.SearchParams{Query: thoughts[i]}), thoughts[i])
				}
				assert.Equal(t, want, working)
				for _, draft := range drafts {
					again := f.memorize(draft)[0]
					assert.EqualValues(t, "duplicate", again.Status, "also of what is put away")
					assert.Equal(t, []string{f.item(again.ID).Store}, again.Stores)
				}
			})
		}
	}
}

func TestE10_WhatIsPutAwayAtOnceSaysWhereItIsAndWhy(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"maxWorking": 1}}`)
	f.memorize(`{"type": "thought", "text": "the index on orders is missing", "importance": 0.9}`)
	got := f.memorize(`{"type": "thought", "text": "the dashboard is blue", "importance": 0.4}`)[0]
	const why = "over the limit of 1 items of working; the oldest of the least important"
	assert.Equal(t, wire.MemorizeReceipt{
		ID: got.ID, Stores: []string{"episodic"}, Status: "stored", Reason: why, Evicted: []string{},
	}, got)
	events := get[wire.TraceResult](f, "wm/trace", &wire.TraceParams{ID: got.ID}).Events
	require.Len(t, events, 1, "it is stored there and not moved")
	assert.Equal(t, why, events[0].Reason)
	get[wire.CoreUpdateResult](f, "wm/core/update", &wire.CoreUpdateParams{
		Block: "goal", Operation: wire.CoreReplace, Content: "Ship the cart",
	})
	f.memorize(`{"type": "action", "text": "created the index on orders", "importance": 0.3}`)
	assert.Equal(t, "Step 1: created the index on orders", f.commit().Exports.Goals.Added, "a thought is no outcome")
}

func TestE10_ALowerLimitOfWorkingMemoryPutsAwayWhatIsTooMuch(t *testing.T) {
	f := newFace(t)
	var ids []string
	for i := range 8 {
		ids = append(ids, f.memorize(fmt.Sprintf(`{"type": "thought", "text": %q, "importance": %v}`, thoughtOf(i),
			[]float64{0.4, 0.9, 0.8, 0.9}[i%4]))[0].ID)
	}
	f.configure(`{"items": {"maxWorking": 3}}`)
	f.changing(func(at *View, tables room.Querier) ([]change.Change, error) {
		return at.items().Trim(t.Context(), tables, at.memoryTypes(), at.AgeNow())
	})
	var working []string
	for _, item := range f.stored(ids...) {
		assert.Empty(t, item.Ended)
		if item.Store == "working" {
			working = append(working, item.ID)
		}
	}
	assert.Equal(t, []string{ids[3], ids[5], ids[7]}, working)
}

func TestE10_AMemoryTypeOfTheSettingsRefusesWhatIsLessImportantThanAllThatItGuards(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"memoryTypes": [{"name": "attic", "max": 1, "retention": "year"}]}}`)
	store := func(text string, importance float64) wire.MemorizeReceipt {
		return f.memorize(fmt.Sprintf(`{"store": "attic", "text": %q, "importance": %v}`, text, importance))[0]
	}
	chest := store("The chest holds the maps", 0.8)
	lamp := store("A lamp is broken", 0.6)
	assert.Equal(t, wire.MemorizeReceipt{
		ID: lamp.ID, Stores: []string{}, Status: "rejected", Reason: "importance", Evicted: []string{},
	}, lamp)
	assert.Equal(t, []string{chest.ID}, store("The letters are in the trunk", 0.8).Evicted)
}

func TestE10_AFullStoreEvictsWhatIsTheLeastUsefulWhereverItIs(t *testing.T) {
	const size = 600 // more than the oldest that are considered
	for name, c := range map[string]struct{ oldest, newer, new float64 }{
		"the newest":          {0.6, 0.6, 0.4},
		"what is in between":  {0.6, 0.4, 0.6},
		"the oldest, as ever": {0.4, 0.6, 0.6},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			f.configure(fmt.Sprintf(`{"items": {"maxSemantic": %d, "minNovelty": 0}}`, 2*size))
			n, weak := 0, map[string]bool{}
			memorize := func(number int, importance float64) (evicted []string) {
				batch := make([]string, number)
				for i := range batch {
					n++
					batch[i] = fmt.Sprintf(`{"type": "fact", "text": "Door %d has key %d", "importance": %v}`, 1000+n,
						3000+n, importance)
				}
				for _, r := range f.memorize(batch...) {
					weak[r.ID] = importance < 0.5
					evicted = append(evicted, r.Evicted...)
				}
				return evicted
			}
			require.Empty(t, append(memorize(size, c.oldest), memorize(size, c.newer)...))
			lost := 0
			for _, number := range []int{1, 1, 1, 1, 100, 1, 1} {
				evicted := memorize(number, c.new)
				assert.Len(t, evicted, number)
				for _, id := range evicted {
					if !weak[id] {
						lost++
					}
				}
			}
			assert.LessOrEqual(t, lost, 1, "what is new stays at first")
		})
	}
}

// corpus is a fixed set of items with what should become of them.
func corpus() (list []string, keep []bool) {
	add := func(worth bool, typ, format string, args ...any) {
		doc, _ := json.Marshal(map[string]string{"type": typ, "text": fmt.Sprintf(format, args...)})
		list, keep = append(list, string(doc)), append(keep, worth)
	}
	parts := []string{"cart", "parser", "index", "invoice", "mailer", "search"}
	for i, part := range parts {
		add(true, "observation", "go test ./%s failed: undefined: total%d", part, i)
		add(true, "fact", "The %s is owned by team %d", part, i)
		add(true, "action", "renamed load%d to read in %s/load.go", i, part)
		add(true, "thought", "the %s needs %d passes over the input", part, i+2)
		add(true, "tool_result", "wrote %d lines to %s/out.txt", 10+i, part)
		add(false, "thought", "let me see")
		add(false, "thought", "hmm, maybe %s", part)
		add(false, "observation", "done")
		add(false, "thought", "ok")
		add(false, "fact", "The %s is owned by team %d", part, i)
	}
	return list, keep
}

func TestE5_TheRateOfAcceptanceOfAFixedCorpus(t *testing.T) {
	f := newFace(t)
	list, keep := corpus()
	accepted, right := 0, 0
	for i, r := range f.memorize(list...) {
		stored := r.Status == wire.MemorizeStored
		if stored {
			accepted++
		}
		if stored == keep[i] {
			right++
		}
	}
	assert.Equal(t, 30, accepted)
	assert.Equal(t, len(list), right)
	for _, r := range f.memorize(list...) {
		assert.NotEqual(t, wire.MemorizeStored, r.Status, "a second time nothing is new")
	}
}

func TestE5_ACallCanBeRepeatedAndImportanceBeSetAfterwards(t *testing.T) {
	f := newFace(t)
	const item = `{"id": "01JH2Z8N6T3V5W7X9YABCDEFGH", "text": "Amounts are stored in cents"`
	assert.EqualValues(t, "stored", f.memorize(item + `}`)[0].Status)
	assert.EqualValues(t, "duplicate", f.memorize(item + `}`)[0].Status)
	assert.EqualValues(t, "updated", f.memorize(item + `, "importance": 1, "tags": ["money"]}`)[0].Status)
	got := f.item("01JH2Z8N6T3V5W7X9YABCDEFGH")
	assert.InDelta(t, 1, got.Importance, 0)
	assert.Equal(t, []string{"money"}, got.Tags)
	assert.False(t, got.ModifiedAt.IsZero())
	_, err := f.tryMemorize(`{"id": "01JH2Z8N6T3V5W7X9YABCDEFGH", "text": "Amounts are stored in euros"}`)
	assert.ErrorContains(t, err, "items[0].id")
}

func TestE2_AFactReplacesNothingInAStoreThatOnlyGrows(t *testing.T) {
	f := newFace(t)
	seen := f.memorize(`{"type": "observation", "text": "The kiln reached nine hundred degrees"}`)[0].ID
	former := f.memorize(`{"type": "fact", "text": "The kiln reaches eight hundred degrees"}`)[0].ID
	fact := f.memorize(`{"type": "fact", "text": "The kiln reaches nine hundred degrees at most",
		"lineageIds": ["` + seen + `", "` + former + `"]}`)[0].ID
	assert.Equal(t, []string{seen, former}, f.item(fact).Lineage)
	assert.Equal(t, 2, f.item(fact).Version)
	assert.Empty(t, f.item(seen).Ended)
	assert.Equal(t, "superseded", f.item(former).Ended)
	assert.Equal(t, []string{"item:" + seen, "item:" + fact}, f.documents("item:"+seen, "item:"+former, "item:"+fact))
}

func TestE5_SemanticMemoryHasVersions(t *testing.T) {
	f := newFace(t)
	one := f.memorize(`{"type": "fact", "text": "The timeout of the mailer is 30 s"}`)[0].ID
	newer := `{"type": "fact", "text": "The timeout of the mailer is 60 s", "lineage_ids": ["` + one + `"]}`
	two := f.memorize(newer)[0].ID
	got := f.item(two)
	assert.Equal(t, 2, got.Version)
	assert.Equal(t, []string{one}, got.Lineage)
	assert.Equal(t, "superseded", f.item(one).Ended)
	assert.Equal(t, []string{"item:" + two}, f.documents("item:"+one, "item:"+two))

	three := f.memorize(`{"type": "fact", "text": "Amounts of the cart and of the invoice are kept in cents"}`)[0].ID
	four := f.memorize(`{"type": "fact", "text": "Amounts of the cart and of the invoice are stored in cents"}`)[0].ID
	assert.Equal(t, []string{three}, f.item(four).Lineage, "the same in other words")
	five := f.memorize(`{"type": "fact", "text": "Amounts of the cart and of the invoice are stored in Euro"}`)[0].ID
	assert.Empty(t, f.item(five).Lineage, "another name is another fact")
	assert.Empty(t, f.item(four).Ended)
	_, err := f.tryMemorize(`{"text": "x is one", "lineageIds": ["01JH2Z8N6T3V5W7X9YABCDEFGH"]}`)
	assert.ErrorContains(t, err, "items[0].lineageIds")
}

func TestE5_BadInputIsRefusedAsAWhole(t *testing.T) {
	f := newFace(t)
	good := text("Amounts are stored in cents")
	for name, test := range map[string]struct{ item, field, reason string }{
		"no text":                     {`{}`, "items[1].text", "missing"},
		"blanks":                      {`{"text": " \n"}`, "items[1].text", "empty"},
		"blanks that are not seen":    {`{"text": " \n\u200b"}`, "items[1].text", "empty"},
		"10 MB":                       {text("%s", strings.Repeat("word ", 2<<20)), "items[1].text", "65536"},
		"another type of text":        {`{"text": 7}`, "items[1].text", "number"},
		"importance is a word":        {`{"text": "a b", "importance": "NaN"}`, "items[1].importance", "string"},
		"importance over 1":           {`{"text": "a b", "importance": 1.5}`, "items[1].importance", "0 to 1"},
		"novelty under 0":             {`{"text": "a b", "novelty": -1}`, "items[1].novelty", "0 to 1"},
		"a foreign id":                {`{"text": "a b", "id": "42"}`, "items[1].id", "ULID"},
		"a store that does not exist": {`{"text": "a b", "store": "attic"}`, "items[1].store", "episodic"},
		"a source":                    {`{"text": "a b", "source": "rumour"}`, "items[1].source", "user"},
		"a retention":                 {`{"text": "a b", "retention": "century"}`, "items[1].retention", "forever"},
		"a time":                      {`{"text": "a b", "timestamp": "noon"}`, "items[1].timestamp", "time"},
		"validity": {
			`{"text": "a b", "validity": {"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}}`,
			"items[1].validity", "end",
		},
		"metadata":   {`{"text": "a b", "metadata": [1]}`, "items[1].metadata", "object"},
		"a checksum": {`{"text": "a b", "checksum": "00"}`, "items[1].checksum", "SHA-256"},
		"ttl":        {`{"text": "a b", "ttl": -1}`, "items[1].ttl", "0"},
		"a long tag": {
			`{"text": "a b", "tags": ["` + strings.Repeat("x", 300) + `"]}`, "items[1].tags", "200",
		},
		"lineage":    {`{"text": "a b", "lineage_ids": ["x"]}`, "items[1].lineageIds", "ids"},
		"a position": {`{"text": "a b", "position": -1}`, "items[1].position", "got -1"},
		"a step":     {`{"text": "a b", "stepIndex": -2}`, "items[1].stepIndex", "got -2"},
		"a chunk":    {`{"text": "a b", "chunk_index": -3}`, "items[1].chunkIndex", "got -3"},
	} {
		_, err := f.tryMemorize(good, test.item)
		var invalid *fault.Fault
		require.ErrorAs(t, err, &invalid, name)
		assert.Equal(t, test.field, invalid.Field, name)
		assert.Contains(t, invalid.Message, test.reason, name)
		assert.Less(t, len(invalid.Message), 300, name)
	}
	twice := `{"text": "a b c", "id": "01JH2Z8N6T3V5W7X9YABCDEFGH"}`
	_, err := f.tryMemorize(twice, good, twice)
	assert.ErrorContains(t, err, "items[2].id")
	_, err = f.tryMemorize(twice, strings.ToLower(twice))
	assert.ErrorContains(t, err, "items[1].id", "the case of an id says nothing")
	_, err = f.tryMemorize(slices.Repeat([]string{good}, 1001)...)
	assert.ErrorContains(t, err, "1000")
	_, err = f.tryMemorize()
	assert.ErrorContains(t, err, "items")
	nan := math.NaN()
	for _, bad := range []wire.MemoryItem{
		{Text: "a b", Importance: &nan}, {Text: "a b", Novelty: &nan}, {Text: "a b", Recency: &nan},
		{Text: "a b", Embedding: []float32{float32(nan)}}, {Text: "a b", Content: json.RawMessage("{")},
	} {
		_, err := f.call("wm/memorize", &wire.MemorizeParams{Items: []wire.MemoryItem{{Text: "Fine and well"}, bad}})
		assert.ErrorContains(t, err, "items[1].")
	}
	for _, memoryType := range get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).MemoryTypes {
		assert.Zero(t, memoryType.Items, "nothing is half written")
	}
	assert.EqualValues(t, "stored", f.memorize(good)[0].Status, "and the next call works")
}

func TestE9_MandatesWeighInRouting(t *testing.T) {
	f := newFace(t)
	const thought = `{"type": "thought", "text": "perhaps the cart could round amounts early"}`
	assert.EqualValues(t, "rejected", f.memorize(thought)[0].Status)
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{
		Text: "Never round amounts in the cart before the total is known", Type: "feedback", Pinned: true,
	})
	assert.EqualValues(t, "stored", f.memorize(thought)[0].Status)
}

func TestE9_SettingsRouteTypesAndAddMemoryTypes(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"memoryTypes": [{"name": "incidents", "max": 2, "retention": "week"}],
		"routes": [{"type": "outage", "store": "incidents"}, {"type": "thought", "store": "episodic"}]}}`)
	results := f.memorize(
		`{"type": "outage", "text": "The shop was down for an hour"}`,
		`{"type": "thought", "text": "the map has a hole"}`,
	)
	assert.Equal(t, []string{"incidents"}, results[0].Stores)
	assert.Equal(t, "by the settings, type outage", results[0].Reason)
	assert.Equal(t, []string{"episodic"}, results[1].Stores)
}

func TestE16_TheNamesOfTheOriginalSystemConfigureItems(t *testing.T) {
	f := newFace(t)
	f.configure(`{"enable_tool_tracking": true, "default_filters": {"stores": ["attic"]},
		"memory_types": [{"name": "attic", "max": 2, "retention": "week", "routes": ["trifle"]}]}`)
	trifle := f.memorize(`{"type": "trifle", "text": "The lamp of the cellar is broken"}`)[0]
	assert.Equal(t, []string{"attic"}, trifle.Stores)
	assert.NotEmpty(t, f.ran(wire.ToolExecutedParams{Tool: "Bash", Input: json.RawMessage(`{"command": "make all"}`)}))
	f.memorize(fact(webhooks, ""))
	lines, _ := f.recalls(wire.ContextParams{Query: asking})
	assert.Empty(t, lines, "the default filters hold")
	assert.Empty(t, get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).Problems)
}

func TestE13_EveryDecisionAboutAnItemIsInTheTrace(t *testing.T) {
	f := newFace(t)
	results := f.memorize(text("Amounts are stored in cents"), `{"type": "thought", "text": "hmm"}`)
	events := get[wire.TraceResult](f, "wm/trace", &wire.TraceParams{Kinds: []string{"item"}}).Events
	require.Len(t, events, 2)
	assert.Equal(t, "item.memorized", events[0].Kind)
	assert.Equal(t, results[0].ID, events[0].Subject)
	assert.Equal(t, "the text holds beyond the episode", events[0].Reason)
	assert.Equal(t, "item.rejected", events[1].Kind)
	assert.Equal(t, "importance", events[1].Reason)
	assert.JSONEq(t, `{"store": "working", "importance": 0, "needed": 0.15, "novelty": 1}`, string(events[1].After))
}

func TestE13_TheSameCallsLeadToTheSameItems(t *testing.T) {
	var runs [2][]string
	for i := range runs {
		f := newFace(t)
		f.configure(`{"items": {"maxWorking": 5}}`)
		list, _ := corpus()
		for _, r := range f.memorize(append(list, list...)...) {
			runs[i] = append(runs[i], fmt.Sprint(r.Status, r.Stores, r.Reason, len(r.Evicted)))
		}
	}
	assert.Equal(t, runs[0], runs[1])
}

func TestItemsOfADeletedSessionAreGoneExceptWhatHoldsBeyondIt(t *testing.T) {
	f := newFace(t)
	var ids []string
	for _, r := range f.memorize(
		`{"type": "thought", "text": "the map has a hole"}`, `{"type": "observation", "text": "the map has two holes"}`,
		`{"type": "user_message", "text": "mend the map"}`, `{"type": "fact", "text": "Maps are kept in the attic"}`,
	) {
		ids = append(ids, r.ID)
	}
	s := wire.Params{SessionID: "s"}
	get[wire.SessionDeleteResult](f, "wm/session/delete", &wire.SessionDeleteParams{Params: s})
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: s})
	left := f.stored(ids...)
	require.Len(t, left, 1)
	assert.Equal(t, ids[3], left[0].ID)
	for _, memoryType := range get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).MemoryTypes {
		if memoryType.Name != "semantic" {
			assert.Zero(t, memoryType.Items, memoryType.Name)
		}
	}
}

func TestE1_WhatIsKeptAsLongAsItsSessionGoesWithIt(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"memoryTypes": [{"name": "runbook", "max": 9, "retention": "session"}]}}`)
	results, err := f.memorizeParams(`{"sessionId": "other", "items": [
		{"text": "The other session has a lamp", "type": "fact", "retention": "session"}]}`)
	require.NoError(t, err)
	kept := []string{results[0].ID}
	for _, r := range f.memorize(
		`{"text": "Lamps are of brass", "type": "fact"}`, `{"text": "I saw a lamp", "type": "observation"}`,
	) {
		kept = append(kept, r.ID)
	}
	var gone []string
	for _, r := range f.memorize(
		`{"text": "The lamp is lit", "type": "fact", "retention": "session"}`,
		`{"text": "I lit a lamp", "type": "observation", "retention": "session"}`,
		`{"text": "Lamps are lit with a match", "store": "runbook"}`,
		`{"text": "I think of lamps and of lanterns", "store": "working", "importance": 0.6}`,
	) {
		assert.Equal(t, wire.MemorizeStatus(items.Stored), r.Status)
		gone = append(gone, r.ID)
	}
	f.changing(func(*View, room.Querier) ([]change.Change, error) {
		return []change.Change{change.New(sessions.Swept, "s", struct{}{})}, nil
	})
	assert.Empty(t, f.stored(gone...))
	assert.Len(t, f.stored(kept...), len(kept))
	assert.Len(t, f.found(wire.SearchParams{Query: "lamp"}), len(kept))
}

func TestE1_WhatIsKeptAsLongAsItsSessionIsRecalledWhileThatIsLive(t *testing.T) {
	f := newFace(t)
	one := wire.Params{SessionID: "one"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: one})
	const most = 100 // that are kept of one call's ranking
	var bound []string
	for i := range 2 * most {
		bound = append(bound, fmt.Sprintf(
			`{"text": "The lamp of room %d is lit by cable %d", "type": "fact", "retention": "session"}`, i, 7*i))
	}
	_, err := f.memorizeParams(`{"sessionId": "one", "items": [` + strings.Join(bound, ", ") + `]}`)
	require.NoError(t, err)
	const harbour = "Nobody in the harbour office knows who has to order another lamp"
	f.memorize(`{"text": "` + harbour + `", "type": "fact"}`)
	ofOthers := func() (n int) {
		for _, text := range f.found(wire.SearchParams{Query: "lamp of a room", Limit: 20}) {
			if strings.HasPrefix(text, "The lamp of room") {
				n++
			}
		}
		return n
	}
	assert.Equal(t, 20, ofOthers(), "both sessions are at work")
	for range 2 {
		get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: one})
		for _, session := range []string{"s", ""} {
			search := wire.SearchParams{Params: wire.Params{SessionID: session}, Query: "lamp of a room"}
			assert.Zero(t, ofOthers(), session)
			require.Eventually(t, func() bool { return slices.Equal(f.found(search), []string{harbour}) },
				5*time.Second, 20*time.Millisecond, "the ranking leaves them out, in whole seconds")
		}
		own := f.found(wire.SearchParams{Params: one, Query: "lamp of a room", Limit: 20})
		assert.Len(t, own, 20, "they are its own")
		get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: one})
		assert.Equal(t, 20, ofOthers(), "the session goes on")
	}
}

func TestErasedTextsLeaveItems(t *testing.T) {
	f := newFace(t)
	const secret = "The launch codename is Halcyon Meridian"
	entry := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: secret}).ID
	id := f.memorize(text("%s, and it is in May", secret))[0].ID
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: entry, Erase: true})
	assert.Equal(t, "[erased], and it is in May", f.item(id).Text)
}

func TestAnErasedItemIsGoneAsAWhole(t *testing.T) {
	f := newFace(t)
	id := f.memorize(`{"text": "The merger of the zanthocorp is off", "tags": ["zanthotag"],
		"content": {"why": "zanthocontent"}, "metadata": {"of": "zanthodata"}, "sparseTerms": ["zanthoterm"]}`)[0].ID
	require.Contains(t, f.raw(), "zanthocontent")
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: id, Erase: true})
	assert.NotContains(t, f.raw(), "zantho")
}

func TestAnErasedTextIsGoneWithASmallAndACapitalLetterAtItsBeginning(t *testing.T) {
	f := newFace(t)
	entry := f.remember("the quaggafactory pin is on the blue wall")
	kept := f.memorize(text("The quaggafactory pin is on the blue wall. The ladder is in the shed."))[0].ID
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: entry, Erase: true})
	assert.NotContains(t, f.raw(), "quaggafactory")
	assert.Equal(t, "[erased]. The ladder is in the shed.", f.item(kept).Text)
}

func TestAnItemHasNoIDOfAnEntry(t *testing.T) {
	f := newFace(t)
	entry := f.remember("The gate opens at six")
	_, err := f.tryMemorize(`{"text": "Penguins swim"}`, `{"id": "`+strings.ToLower(entry)+`", "text": "They dive"}`)
	assert.Equal(t, "items[1].id", fault.Of(err).Field)
	assert.ErrorContains(t, err, "is the id of an entry of the workspace memory")
}

func TestNothingIsMemorizedWhilePaused(t *testing.T) {
	f := newFace(t)
	get[wire.PauseResult](f, "wm/pause", &wire.PauseParams{Minutes: 5})
	_, err := f.tryMemorize(text("Amounts are stored in cents"))
	assert.True(t, fault.Has(err, fault.Paused))
}

func TestE5_WhatAnotherProcessHasStoredIsKnown(t *testing.T) {
	f := newFace(t)
	const fact = `{"type": "fact", "text": "Amounts are stored in cents"}`
	id := f.memorize(fact)[0].ID
	other := f.beside(`{"sessionId": "o"}`)
	got := other.memorize(fact, `{"type": "fact", "text": "Taxes are stored in percent"}`)
	assert.Equal(t, wire.MemorizeDuplicate, got[0].Status)
	assert.Equal(t, id, got[0].ID)
	assert.Equal(t, wire.MemorizeStored, got[1].Status)
	again := f.memorize(`{"type": "fact", "text": "taxes are stored in percent!"}`)[0]
	assert.Equal(t, wire.MemorizeDuplicate, again.Status)
	assert.Equal(t, got[1].ID, again.ID)
}

func TestE10_DuplicatesInSemanticMemoryAreMergedInClusters(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"minNovelty": 0}}`)
	// A batch looks for few of those that are similar; here it finds none.
	var ids []string
	for i, wording := range []string{
		"the server of the archive begins to copy the old ledgers at noon on each first day of the month",
		"the server of the archive starts to copy the old ledgers at noon on each first day of the month",
		"the servers of the archive start to copy old ledgers at noon on each first day of a month",
	} {
		ids = append(ids, f.memorize(fmt.Sprintf(`{"type": "fact", "text": %q, "tags": ["t%d"], "importance": 0.%d}`,
			wording, i, 9-i))[0].ID)
		f.inTables(func(_ *View, tables room.Querier) error {
			_, err := tables.(room.Tx).ExecContext(t.Context(), "DELETE FROM items_newkey")
			return err
		})
	}
	others := f.memorize(
		`{"type": "fact", "text": "the server of the archive begins to copy the old ledgers at night on each first `+
			`day of the month"}`,
		`{"type": "skill", "text": "the server of the archive begins to copy the old ledgers at noon on each first `+
			`day of the month"}`,
		`{"type": "fact", "text": "the server of the archive does not begin to copy the old ledgers at noon on each `+
			`first day of the month"}`,
	)
	f.changing(func(at *View, tables room.Querier) ([]change.Change, error) {
		return at.items().Merge(t.Context(), tables, at.memoryTypes(), at.AgeNow())
	})
	kept := f.item(ids[2])
	assert.Empty(t, kept.Ended, "the newest wording stays")
	assert.Equal(t, "superseded", f.item(ids[0]).Ended)
	assert.Equal(t, "superseded", f.item(ids[1]).Ended)
	assert.ElementsMatch(t, ids[:2], kept.Lineage)
	assert.InDelta(t, 0.9, kept.Importance, 1e-9)
	assert.ElementsMatch(t, []string{"t0", "t1", "t2"}, kept.Tags)
	assert.Greater(t, kept.Version, 1)
	for _, other := range others {
		assert.Empty(t, f.item(other.ID).Ended, "it says something else")
	}
	assert.Equal(t, 4, f.held("semantic"))
	found := f.texts("when are the old ledgers of the archive copied", "semantic")
	assert.Len(t, found, 4)
}

func TestAnItemIsRemovedByItsID(t *testing.T) {
	f := newFace(t)
	kept := f.memorize(`{"text": "The greenhouse is watered at noon"}`, `{"text": "The archive is closed on Sundays"}`)
	removed := get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: kept[0].ID})
	assert.Equal(t, "The greenhouse is watered at noon", removed.Entry.Text)
	assert.Equal(t, wire.EntryStatus("removed"), removed.Entry.Status)
	assert.Empty(t, f.texts("greenhouse watered", "episodic"))
	_, err := f.call("wm/memory/remove", &wire.MemoryRemoveParams{ID: kept[0].ID})
	assert.True(t, fault.Has(err, fault.NotFound), "once")

	erased := get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: kept[1].ID, Erase: true})
	assert.Equal(t, kept[1].ID, erased.Entry.ID)
	assert.Empty(t, erased.Entry.Text)
	assert.Empty(t, erased.FilesLeft)
	for _, item := range f.stored(kept[1].ID) {
		assert.NotContains(t, item.Text, "Sundays")
	}
	events := get[wire.TraceResult](f, "wm/trace", &wire.TraceParams{}).Events
	doc, err := json.Marshal(events)
	require.NoError(t, err)
	assert.NotContains(t, string(doc), "Sundays")
}

func TestAnItemThatWasRemovedIsRestored(t *testing.T) {
	f := newFace(t)
	kept := f.memorize(`{"text": "The greenhouse is watered at noon"}`,
		`{"type": "fact", "text": "Taxes are in percent"}`)
	remove := func() {
		get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: kept[0].ID})
		assert.Empty(t, f.texts("greenhouse watered", "episodic"))
		assert.Equal(t, 0, f.held("episodic"))
	}
	remove()
	for range 2 {
		back := get[wire.Receipt](f, "wm/memory/restore", &wire.MemoryRestoreParams{ID: kept[0].ID})
		require.NotNil(t, back.Undo)
		assert.Equal(t, wire.ReceiptUpdated, back.Status)
		assert.Equal(t, wire.StatusActive, back.Entry.Status)
		assert.Equal(t, []string{"The greenhouse is watered at noon"}, f.texts("greenhouse watered", "episodic"))
		assert.Equal(t, 1, f.held("episodic"))
		assert.Empty(t, f.item(kept[0].ID).Ended)

		again := get[wire.Receipt](f, "wm/memory/restore", &wire.MemoryRestoreParams{ID: kept[0].ID})
		assert.Equal(t, wire.ReceiptUnchanged, again.Status)
		assert.Nil(t, again.Undo)
		remove()
	}
	_, err := f.call("wm/memory/restore", &wire.MemoryRestoreParams{ID: kept[0].ID, IfRevision: "1"})
	assert.ErrorContains(t, err, "ifRevision: must be empty, because an item has no revisions")

	f.memorize(`{"type": "fact", "text": "Taxes are in cents", "lineageIds": ["` + kept[1].ID + `"]}`)
	_, err = f.call("wm/memory/restore", &wire.MemoryRestoreParams{ID: kept[1].ID})
	assert.ErrorContains(t, err, "id: must be of an item that was removed; this one is superseded")

	brief := f.memorize(`{"text": "The gate is open", "timestamp": "2026-01-01T00:00:00Z",
		"validity": {"to": "` + string(wire.At(time.Now().Add(time.Second))) + `"}}`)[0].ID
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: brief})
	require.Eventually(t, func() bool {
		_, err := f.call("wm/memory/restore", &wire.MemoryRestoreParams{ID: brief})
		if err == nil {
			get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: brief})
		}
		return err != nil && strings.Contains(err.Error(), "id: must be of an item whose time is not over")
	}, 10*time.Second, 50*time.Millisecond)

	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: kept[0].ID, Erase: true})
	_, err = f.call("wm/memory/restore", &wire.MemoryRestoreParams{ID: kept[0].ID})
	assert.True(t, fault.Has(err, fault.NotFound), "what is erased is gone: %v", err)
}

func TestAnItemIsNotRestoredBesideOneThatSaysTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		first, then string
		found       int
	}{
		"in episodic memory":            {`"store": "episodic"`, `"store": "episodic"`, 1},
		"in semantic memory":            {`"store": "semantic"`, `"store": "semantic"`, 1},
		"unless it is recalled longer":  {`"store": "semantic"`, `"store": "semantic", "ttl": 3600`, 2},
		"unless they are turns of talk": {`"store": "conversation"`, `"store": "conversation"`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			memorize := func(members string) string {
				return f.memorize(`{"text": "The greenhouse is watered at noon", ` + members + `}`)[0].ID
			}
			first := memorize(c.first)
			get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: first})
			then := memorize(c.then)
			require.NotEqual(t, first, then)
			restored := get[wire.Receipt](f, "wm/memory/restore", &wire.MemoryRestoreParams{ID: first})
			assert.Len(t, f.found(wire.SearchParams{Query: "greenhouse watered"}), c.found)
			if c.found == 1 {
				assert.Equal(t, wire.ReceiptUnchanged, restored.Status)
				assert.Equal(t, then, restored.ID)
				assert.Equal(t, then, restored.Entry.ID)
				assert.Nil(t, restored.Undo)
				get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: then})
				restored = get[wire.Receipt](f, "wm/memory/restore", &wire.MemoryRestoreParams{ID: first})
			}
			assert.Equal(t, wire.ReceiptUpdated, restored.Status)
			assert.Equal(t, first, restored.ID)
			view, err := f.service.View(&wire.StatusParams{})
			require.NoError(t, err)
			for again := 0; c.found == 1 && again < 2; again++ { // with the keys as they were written, and made anew
				restored = get[wire.Receipt](f, "wm/memory/restore", &wire.MemoryRestoreParams{ID: then})
				assert.Equal(t, wire.ReceiptUnchanged, restored.Status)
				assert.Equal(t, first, restored.ID)
				assert.Equal(t, first, memorize(c.then))
				require.NoError(t, view.Rebuild(t.Context()))
			}
		})
	}
}

func TestWhatGetsBetweenOthersIsFoundAsInAnIndexThatIsMadeAnew(t *testing.T) {
	section := func(heading, text string) string { return "## " + heading + "\n\n" + text + "\n\n" }
	loading := section("Loading", "The parser loads the config at start")
	question := section("Place", "Where does the queue live?")
	answer := section("Worker", "It lives in the worker of the invoices")
	deploys := section("Deploys", "They run from the staging host")
	write := func(f *face, sections ...string) {
		get[wire.NotesWriteResult](f, "wm/notes/write",
			&wire.NotesWriteParams{Path: "detail/a.md", Content: strings.Join(sections, "")})
		require.Len(f.t, f.found(wire.SearchParams{Query: "parser queue worker staging"}), len(sections))
	}
	for name, change := range map[string]func(f *face){
		"a section that is written between others": func(f *face) {
			write(f, loading, answer, deploys)
			write(f, loading, question, answer, deploys)
		},
		"a section that is written before all others": func(f *face) {
			write(f, answer, deploys)
			write(f, question, answer, deploys)
		},
		"sections in another order": func(f *face) {
			write(f, deploys, answer, loading, question)
			write(f, loading, question, answer, deploys)
		},
		"turns that were removed and restored": func(f *face) {
			turns := f.memorize(
				`{"thread": "support", "text": "The parser loads the config at start"}`,
				`{"thread": "support", "text": "Where does the queue live?"}`,
				`{"thread": "support", "text": "It lives in the worker of the invoices"}`,
				`{"thread": "support", "text": "Deploys run from the staging host"}`)
			for _, i := range []int{1, 2, 0} {
				get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: turns[i].ID})
			}
			for _, i := range []int{0, 2, 1} {
				get[wire.Receipt](f, "wm/memory/restore", &wire.MemoryRestoreParams{ID: turns[i].ID})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			change(f)
			similar := func() map[string]float64 {
				all := map[string]float64{}
				params := &wire.SearchParams{Query: "where is the queue worker?"}
				for _, hit := range get[wire.SearchResult](f, "wm/search", params).Hits {
					all[hit.Item.Text] = hit.Parts.Similarity
				}
				return all
			}
			before := similar()
			require.Greater(t, len(before), 1)
			view, err := f.service.View(&wire.StatusParams{})
			require.NoError(t, err)
			require.NoError(t, view.Rebuild(t.Context()))
			assert.Equal(t, before, similar())
		})
	}
}

func TestTheTimeOfAnItemIsNotInTheFuture(t *testing.T) {
	f := newFace(t)
	_, err := f.tryMemorize(`{"text": "The archive is closed on Sundays", "timestamp": "2999-01-01T00:00:00Z"}`)
	assert.ErrorContains(t, err, "items[0].timestamp: must not be in the future, got 2999-01-01T00:00:00Z")
	_, err = f.tryMemorize(`{"text": "The archive is closed on Sundays", "timestamp": "1969-01-01T00:00:00Z"}`)
	assert.ErrorContains(t, err, "items[0].timestamp: must be between the years 1970 and 9999")
}

func TestAnItemThatNamesNoEpisodeIsNotOfANamedOne(t *testing.T) {
	f := newFace(t)
	stored := f.memorize(
		`{"text": "The greenhouse is watered at noon", "episodeId": "E-1"}`,
		`{"text": "The archive is closed on Sundays"}`,
		`{"text": "The roof of the archive leaks"}`, `{"text": "The gate of hall four is broken", "episodeId": "E-1"}`)
	assert.Equal(t, "E-1", f.item(stored[0].ID).Episode)
	assert.NotEqual(t, "E-1", f.item(stored[1].ID).Episode)
	assert.Equal(t, f.item(stored[1].ID).Episode, f.item(stored[2].ID).Episode)
	assert.Equal(t, "E-1", f.item(stored[3].ID).Episode)
}

func TestATrackedToolNeedsTheImportanceOfAnItem(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"enableToolTracking": true, "minImportance": 1}}`)
	assert.Empty(t, f.ran(wire.ToolExecutedParams{Tool: "Read", Input: json.RawMessage(`{"file_path": "cart.go"}`)}))
	f.configure(`{"items": {"enableToolTracking": true}}`)
	assert.NotEmpty(t, f.ran(wire.ToolExecutedParams{Tool: "Read", Input: json.RawMessage(`{"file_path": "a.go"}`)}))
}

func TestATrackedToolNeedsTheNoveltyOfAnItem(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"enableToolTracking": true}}`)
	run := func(command, output string) string {
		return f.ran(wire.ToolExecutedParams{
			Tool: "Bash", Input: json.RawMessage(`{"command": "` + command + `"}`), Output: output,
		})
	}
	const passed = "ok  \tshop/cart\t0.012s\nok  \tshop/till\t0.034s\n"
	first := run("go test ./...", passed)
	require.NotEmpty(t, first)
	assert.EqualValues(t, 1, f.item(first).Novelty)
	require.Eventually(t, func() bool { return run("go test ./...", passed) == "" }, Patience, 20*time.Millisecond,
		"the same run says nothing new once the first one is written")
	assert.NotEmpty(t, run("go test ./...", "--- FAIL: TestTotal (0.00s)\n    cart_test.go:12: total is 3\nFAIL\n"))
	var refused []wire.TraceEvent
	require.Eventually(t, func() bool {
		kinds := []string{string(items.Rejected)}
		refused = get[wire.TraceResult](f, "wm/trace", &wire.TraceParams{Kinds: kinds}).Events
		return len(refused) > 0
	}, Patience, 20*time.Millisecond)
	assert.Equal(t, "novelty", refused[0].Reason)
	assert.Contains(t, string(refused[0].After), first, "it is like the first one")
}

func TestAddingAnEntryAgainKeepsItsTypeUnlessAnotherIsNamed(t *testing.T) {
	f := newFace(t)
	add := func(of string) wire.Receipt {
		return get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Type: of, Text: "Amounts are in cents"})
	}
	require.Equal(t, "decision", add("decision").Entry.Type)
	again := add("")
	assert.Equal(t, wire.ReceiptMerged, again.Status)
	assert.Equal(t, "decision", again.Entry.Type)
	other := add("feedback")
	assert.Equal(t, "feedback", other.Entry.Type)
	assert.Equal(t, "says the same; its type was decision", other.Reason)
}

package items

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

func TestAnItemOfALostRowIsTakenFromTheLogUnlessItEnded(t *testing.T) {
	own := Item{ID: "a", Store: gating.Working, Text: "The gate is open", Session: "s", Own: true}
	episodic := Item{ID: "a", Store: gating.Episodic, Text: "The gate was opened", Session: "s"}
	fact := Item{ID: "a", Store: gating.Semantic, Text: "The gate opens at nine", Session: "s"}
	reworded := fact
	reworded.Importance = 0.9
	stored := func(item Item) change.Change { return change.New(Memorized, "a", item) }
	ended := func(kind change.Kind) change.Change { return change.New(kind, "a", struct{}{}) }
	over := func(kind change.Kind) change.Change { return change.New(kind, "s", struct{}{}) }
	for _, c := range []struct {
		name string
		log  []change.Change
		want []Item
	}{
		{"stored", []change.Change{stored(fact)}, []Item{fact}},
		{"updated", []change.Change{stored(fact), change.New(Updated, "a", reworded)}, []Item{reworded}},
		{"evicted", []change.Change{stored(fact), ended(Evicted)}, nil},
		{"removed", []change.Change{stored(fact), ended(Removed)}, nil},
		{"restored", []change.Change{stored(fact), ended(Removed), change.New(Restored, "a", fact)}, []Item{fact}},
		{"recalled", []change.Change{stored(fact), ended(Recalled)}, []Item{fact}},
		{"erased", []change.Change{{Kind: Memorized, Subject: "a"}}, nil},
		{"of another id", []change.Change{change.New(Memorized, "b", fact)}, nil},
		{"a fact of a deleted session", []change.Change{stored(fact), over(sessions.Deleted)}, []Item{fact}},
		{"what happened in a deleted session", []change.Change{stored(episodic), over(sessions.Deleted)}, nil},
		{"what happened in a swept session", []change.Change{stored(episodic), over(sessions.Swept)}, []Item{episodic}},
		{"what a swept session has alone", []change.Change{stored(own), over(sessions.Swept)}, nil},
	} {
		read := func(table room.Table, yield func([]any) error) error {
			if table.Name == "items_item" {
				return errors.New("every page is damaged")
			}
			if table.Name != room.LogTable().Name {
				return nil
			}
			for i, change := range c.log {
				columns := []any{int64(i + 1), string(change.Kind), change.Subject, string(change.After)}
				if err := yield(columns); err != nil {
					return err
				}
			}
			return nil
		}
		var taken []Item
		rescued, err := (&Room{}).Rescue(read, func(c change.Change) error {
			var item Item
			require.NoError(t, json.Unmarshal(c.After, &item))
			taken = append(taken, item)
			return nil
		})
		require.NoError(t, err)
		assert.Equal(t, c.want, taken, c.name)
		assert.Equal(t, room.Rescued{Name: "items", Read: len(c.want), Partly: true}, rescued, c.name)
	}
}

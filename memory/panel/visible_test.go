package panel

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNothingInvisibleIsInASectionButInWhatItsActionsSend(t *testing.T) {
	const hidden = "a\u202eb\u200b\U000e0041\u2028c"
	undo := Action{Title: hidden, Params: map[string]any{"text": "kept"}}
	action := Action{
		Title: hidden, Undo: &undo,
		Inputs: []Input{{Prompt: hidden, Value: hidden, Choices: []Choice{{Label: hidden, Detail: hidden}}}},
	}
	item := Item{ID: hidden, Label: hidden, Detail: hidden, Actions: []Action{action}}
	item.Children = []Item{{ID: "b" + hidden, Label: hidden}}
	doc, err := json.Marshal(Visible(Section{
		Title: hidden, Summary: hidden, Empty: hidden, Items: []Item{item}, Actions: []Action{action},
	}))
	require.NoError(t, err)
	assert.NotContains(t, string(doc), "\u202e")
	assert.NotContains(t, string(doc), "\u200b")
	assert.Equal(t, strings.Count(string(doc), `"ab c"`), strings.Count(string(doc), `"ab`))
	sent := Visible(Section{Actions: []Action{{Params: map[string]any{"text": hidden}}}})
	assert.Equal(t, hidden, sent.Actions[0].Params["text"])
}

func TestTwoIdsThatLookAlikeStayTwoAndAreReadAsTheyWere(t *testing.T) {
	ids := []string{"file:a.go", "file:a\u200b.go", "file:a\u202e.go", "file:~a%20.go", "file:ä\u2028%.go", "~"}
	seen := map[string]bool{}
	for _, id := range ids {
		visible := Visible(Section{Items: []Item{{ID: id}}}).Items[0].ID
		assert.Equal(t, id, OriginalID(visible))
		assert.NotRegexp(t, "[\u200b\u202e\u2028]", visible)
		seen[visible] = true
	}
	assert.Len(t, seen, len(ids))
	assert.Equal(t, "file:a.go", Visible(Section{Items: []Item{{ID: "file:a.go"}}}).Items[0].ID)
}

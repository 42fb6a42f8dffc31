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
	item := Item{Label: hidden, Detail: hidden, Actions: []Action{action}}
	item.Children = []Item{{Label: hidden}}
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

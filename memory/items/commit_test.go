package items

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
)

func TestTheSummaryOfATailQuotesWhatIsMostImportantFirst(t *testing.T) {
	thought := func(importance float64, text string) Item {
		return Item{Type: "thought", Text: text, Tokens: tokens.Count(text), Importance: importance}
	}
	tail := []Item{
		thought(0.4, "The form posts to /api/session. I should look at the type of its content."),
		thought(0.6, "All tests pass after the jar was moved."),
		thought(0.3, "The helper is in testutil/login.go now. It is used by all tests of the package."),
		thought(0.4, "The race detector reports a write. A mutex is enough because writes are rare."),
	}
	former := Item{Type: summaryType, Source: "system", Importance: 0.7,
		Text: "- The pool must never run dry.\n- The linter is quiet.\nFiles: cart/pool.go"}
	former.Tokens = tokens.Count(former.Text)
	for _, c := range []struct {
		name  string
		items []Item
		most  int
		want  string
	}{
		{"what there is room for", tail, 12, "- All tests pass after the jar was moved."},
		{"the newer of equally important ones, with its most important words", tail, 22,
			"- All tests pass after the jar was moved.\n- A mutex is enough because writes are rare."},
		{"in half of their tokens, and in their order", tail, 1000,
			"- The form posts to /api/session.\n- All tests pass after the jar was moved.\n" +
				"- A mutex is enough because writes are rare."},
		{"no sentence that speaks of something only by a pronoun", []Item{
			thought(0.4, "The metric has another name. It has to be renamed to sessions_active in deploy/all.json."),
		}, 13, "- The metric has another name."},
		{"files if there is room", []Item{
			thought(0.4, "The metric has another name. It has to be renamed in deploy/all.json and deploy/eu.json."),
			thought(0.4, "The alerts have the old one, as far as I can see, and nobody was told about that yet."),
		}, 19, "- The metric has another name.\nFiles: deploy/all.json, deploy/eu.json"},
		{"the lines of a former one, as important as their words", append([]Item{former}, tail[:2]...), 21,
			"- The pool must never run dry.\n- All tests pass after the jar was moved."},
		{"nothing that does not fit", tail, 5, ""},
		{"at most half of what it stands for", tail[1:2], 1000, ""},
	} {
		got := summaryOf(c.items, c.most)
		assert.Equal(t, c.want, got, c.name)
		assert.LessOrEqual(t, tokens.Count(got), c.most, c.name)
	}
}

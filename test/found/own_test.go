package found_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/test/found"
)

// The 400 memories and 200 questions of testdata were written for this project without sight of the list of synonyms
// and of other sets. 172 questions share no word with their memory. Every other question that found nothing was read
// before the list was extended; the rest is aside and shows what the list is worth.
func TestAMemoryIsFoundByAQuestionThatSharesNoWordWithIt(t *testing.T) {
	set, err := found.Memories("testdata/memories")
	require.NoError(t, err)
	group := set.Groups[0]
	require.Len(t, group.Documents, 400)
	require.Len(t, group.Questions, 200)
	var all recall.InMemory
	for _, doc := range group.Documents {
		all.Add(recall.Analyze(recall.Text{Body: doc.Text}), "")
	}
	weights := index.WeightsOf(settings.Default().Recall.Weights)
	var read, aside found.Figures
	for i, question := range group.Questions {
		hits, err := weights.Search(&all, recall.Query{Text: question.Text, TopK: 100})
		require.NoError(t, err)
		ids := make([]string, len(hits))
		for k, hit := range hits {
			ids[k] = group.Documents[hit.Doc-1].ID
		}
		if i%2 == 0 {
			read.Add(question, ids)
		} else {
			aside.Add(question, ids)
		}
	}
	t.Logf("R@10 / R@20 / MRR: %s, aside: %s", read, aside)
	assert.Greater(t, read.Mean().R10, 80.0)
	assert.Greater(t, aside.Mean().R10, 48.0)
	assert.Greater(t, aside.Mean().R20, 64.0)
}

package index

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/recall"
)

func TestE8_EveryWeightOfTheRankingIsASettingWithItsDefault(t *testing.T) {
	defaults := settings.Default().Recall.Weights
	changed := map[string]bool{}
	of := reflect.ValueOf(&defaults).Elem()
	for i := range of.NumField() {
		set := settings.Default().Recall.Weights
		reflect.ValueOf(&set).Elem().Field(i).SetFloat(0.875)
		was, is := reflect.ValueOf(WeightsOf(defaults)), reflect.ValueOf(WeightsOf(set))
		differ := 0
		for k := range is.NumField() {
			name := is.Type().Field(k).Name
			if is.Field(k).Kind() != reflect.Array {
				if is.Field(k).Interface() != was.Field(k).Interface() {
					differ++
					changed[name] = true
				}
				continue
			}
			for n := range is.Field(k).Len() {
				if is.Field(k).Index(n).Interface() != was.Field(k).Index(n).Interface() {
					differ++
					changed[fmt.Sprint(name, n)] = true
				}
			}
		}
		assert.Equal(t, 1, differ, "the setting %s sets one weight", of.Type().Field(i).Name)
	}
	all := 0
	of = reflect.ValueOf(recall.Weights{})
	for k := range of.NumField() {
		if all++; of.Field(k).Kind() == reflect.Array {
			all += of.Field(k).Len() - 1
		}
	}
	assert.Len(t, changed, all, "a weight has no setting: add it to settings.Weights and WeightsOf")
}

func TestE8_ASettingOfTheRankingChangesWhatIsFound(t *testing.T) {
	o := open(t, shelfOf(
		note(1, "the automobile is parked behind the house"), note(2, "the window has a blue frame"),
	), newServer(t))
	o.set.Embeddings.URL = ""
	assert.NotEmpty(t, o.find("car").Hits)
	o.set.Recall.Weights.Related, o.set.Recall.Weights.Meaning = 0, 0
	assert.Empty(t, o.find("car").Hits)
}

// pooled returns 100 documents of episodic memory, which fit better, 5 of semantic and 30 of working
// memory.
func pooled() *shelf {
	var docs []room.Document
	add := func(n int, store, text string) {
		for range n {
			doc := note(len(docs), fmt.Sprintf("%s %d", text, len(docs)))
			doc.Store, doc.At = store, doc.At.Add(time.Duration(len(docs))*time.Hour)
			docs = append(docs, doc)
		}
	}
	add(100, "episodic", "the parcel arrives")
	add(5, "semantic", "the parcel and other things and more of it")
	add(30, "working", "the parcel and other things and more of it")
	return shelfOf(docs...)
}

func TestE8_TheCandidatesAreANumberOfEachMemory(t *testing.T) {
	o := open(t, pooled(), newServer(t))
	o.set.Embeddings.URL = ""
	counts := func(limit int, stores ...string) map[string]int {
		result, err := o.service.Search(t.Context(), Query{Text: "parcel arrives", Limit: limit, Stores: stores})
		require.NoError(t, err)
		counts := map[string]int{}
		for _, hit := range result.Hits {
			counts[hit.Store]++
		}
		return counts
	}
	of := &o.set.Recall
	of.Similarity, of.Recency, of.Importance, of.Duplication = 1, 0, 0, 0
	of.Candidates, of.Episodic, of.Semantic, of.Working = 60, 12, 3, 7
	assert.Equal(t, map[string]int{"episodic": 10}, counts(10), "what fits best")
	assert.Equal(t, map[string]int{"semantic": 5}, counts(10, "semantic"), "as many as are asked for")

	var docs []room.Document
	for _, id := range o.shelf.ids() {
		docs = append(docs, o.shelf.docs[id])
	}
	pools := o.process.room.pools(Query{Limit: 1})
	got := map[string]int{}
	for _, doc := range pools.newest(pools.take(o.shelf.ids(), docs)) {
		if got[doc.Store]++; doc.Store == "working" {
			assert.Greater(t, doc.ID, "note:00127", "the newest of working memory")
		}
	}
	assert.Equal(t, map[string]int{"episodic": 12, "semantic": 3, "working": 7}, got)
}

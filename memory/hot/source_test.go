package hot

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// searched follows the documents of the log as an index does, compares them with those of Each and
// Find, and returns their texts by their ids.
func (d *desk) searched(log []change.Change) map[string]room.Document {
	d.t.Helper()
	index := map[string]room.Document{}
	for _, c := range log {
		put, removed := d.room.Documents(c)
		for _, id := range removed {
			for known := range index {
				if known == id || strings.HasSuffix(id, "/") && strings.HasPrefix(known, id) {
					delete(index, known)
				}
			}
		}
		for _, doc := range put {
			index[doc.ID] = doc
		}
	}
	each := map[string]room.Document{}
	require.NoError(d.t, d.room.Each(d.t.Context(), nil, func(doc room.Document) bool {
		each[doc.ID] = doc
		return true
	}))
	assert.Equal(d.t, each, index)
	for id, doc := range index {
		found, err := d.room.Find(d.t.Context(), nil, []string{"note:" + id, id, "error:x/y", "said:x", "said:%"})
		require.NoError(d.t, err)
		assert.Equal(d.t, []room.Document{doc}, found)
	}
	return index
}

func textsOf(docs map[string]room.Document) []string {
	texts := []string{}
	for _, doc := range docs {
		texts = append(texts, doc.Text)
	}
	return texts
}

// fixes returns the fixes that changes hold.
func fixes(changes []change.Change) (list []Fix) {
	for _, c := range changes {
		if fix, _, held := FixOf(c); held {
			list = append(list, fix)
		}
	}
	return list
}

func TestADiagnosticThatLastedIsKeptWithWhatClosedIt(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", diagnostics("a.go", "undefined: half"))
	assert.Empty(t, fixes(d.tell("a", diagnostics("a.go"))), "it came and went while somebody typed")
	d.tell("a", diagnostics("a.go", "undefined: half"))
	d.tell("a", event.FileTouched{Path: "round.go", Action: event.Edit})
	d.tell("a", event.FileTouched{Path: "read.go", Action: event.Read})
	d.tell("b", event.FileTouched{Path: "other.go", Action: event.Edit})
	d.now = d.now.Add(minLasting)
	first := d.now
	list := fixes(d.tell("a", diagnostics("a.go")))
	require.Len(t, list, 1)
	assert.WithinDuration(t, first.Add(-minLasting), list[0].FirstSeen, time.Minute)
	list[0].FirstSeen = time.Time{}
	assert.Equal(t, []Fix{{
		Category: "typecheck", Summary: "undefined: half", Path: "a.go", Line: 1, Tool: "compiler", Count: 1,
		Edited: []string{"round.go"},
	}}, list)
}

func TestAFixHasTheCauseThatTheAssistantStated(t *testing.T) {
	d := newDesk(t, nil)
	said := event.MessageReceived{Role: "assistant", Text: "The root cause is that the cache keys ignore the locale."}
	d.tell("a", said.Prepared(request.Before{}))
	d.run("a", "pytest tests", failing("test_x"), 1)
	list := fixes(d.run("a", "pytest tests", "3 passed in 0.1s\n", 0))
	require.Len(t, list, 1)
	assert.Empty(t, list[0].Cause, "it was said before")
	d.run("a", "pytest tests", failing("test_x"), 1)
	d.tell("a", said.Prepared(request.Before{}))
	list = fixes(d.run("a", "pytest tests", "3 passed in 0.1s\n", 0))
	require.Len(t, list, 1)
	assert.Contains(t, list[0].Cause, "the cache keys ignore the locale")
	assert.Equal(t, "pytest tests", list[0].By)
}

func TestOpenErrorsAndStatementsAreDocuments(t *testing.T) {
	d := newDesk(t, nil)
	d.tell("a", diagnostics("a.go", "undefined: half"))
	assert.Empty(t, d.searched(d.log), "diagnostics come and go")
	d.run("a", "pytest tests", failing("test_x", "test_y"), 1)
	docs := d.searched(d.log)
	require.Len(t, docs, 2)
	for _, doc := range docs {
		assert.Equal(t, room.Open, doc.State)
		assert.Equal(t, "a", doc.Session)
	}
	d.run("a", "pytest tests", "3 passed in 0.1s\n", 0)
	assert.Empty(t, d.searched(d.log))

	d.says("We always deploy on Thursday, never on Fridays.")
	docs = d.searched(d.log)
	require.Len(t, docs, 1)
	assert.Contains(t, textsOf(docs)[0], "Thursday")
	for _, doc := range docs {
		assert.Equal(t, room.StoreDecisions, doc.Store)
		assert.True(t, d.room.Drops(doc, []string{"Thursday"}))
		assert.True(t, d.room.Drops(doc, []string{"He said: " + doc.Text}))
		assert.False(t, d.room.Drops(doc, []string{"Monday"}))
	}
	for _, c := range d.room.ForgetStatements("a", textsOf(docs)) {
		_, err := d.room.Fold(c)
		require.NoError(t, err)
		d.log = append(d.log, c)
	}
	assert.Empty(t, d.searched(d.log))
}

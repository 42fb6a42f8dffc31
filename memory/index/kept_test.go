package index

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// table is a shelf whose documents are in tables. It notes the ids of those that are read.
type table struct {
	*shelf
	read []string
}

func (t *table) Tabled() {}

func (t *table) Find(ctx context.Context, db room.Querier, ids []string) ([]room.Document, error) {
	t.read = append(t.read, ids...)
	return t.shelf.Find(ctx, db, ids)
}

func TestADocumentOfASmallIndexIsReadOnceUntilTheIndexChanges(t *testing.T) {
	dir, of := t.TempDir(), &table{shelf: shelfOf()}
	one, other := newProcess(t, dir, of.shelf), newProcess(t, dir, of.shelf)
	one.room.env.Sources = func() []room.Source { return []room.Source{of} }
	one.put(note(1, "a heron on the pier"), note(2, "a heron at night"), note(3, "a kestrel"))
	find := func(read []string, hits ...string) {
		t.Helper()
		of.read = nil
		found := one.search(Query{Text: "heron"})
		assert.Equal(t, Lexical, found.Mode)
		texts := []string{}
		for _, hit := range found.Hits {
			texts = append(texts, hit.ID+" "+hit.Text)
		}
		assert.ElementsMatch(t, hits, texts)
		assert.ElementsMatch(t, read, of.read)
	}
	find([]string{"note:00001", "note:00002"}, "note:00001 a heron on the pier", "note:00002 a heron at night")
	find(nil, "note:00001 a heron on the pier", "note:00002 a heron at night")

	other.put(note(2, "a heron at dawn"))
	find([]string{"note:00001", "note:00002"}, "note:00001 a heron on the pier", "note:00002 a heron at dawn")

	other.remove("note:00001")
	other.put(note(4, "heron "+strings.Repeat("long ", longestKept/5)))
	read := []string{"note:00002", "note:00004"}
	find(read, "note:00002 a heron at dawn", "note:00004 "+of.docs["note:00004"].Text)
	find(read[1:], "note:00002 a heron at dawn", "note:00004 "+of.docs["note:00004"].Text)

	other.remove("note:00004")
	other.put(notes(10, mostKept, "xyzzy")...)
	find(read[:1], "note:00002 a heron at dawn")
	find(read[:1], "note:00002 a heron at dawn")
}

func TestADocumentThatMayBeOlderThanTheIndexIsNotKept(t *testing.T) {
	dir, of := t.TempDir(), &table{shelf: shelfOf()}
	p := newProcess(t, dir, of.shelf)
	p.room.env.Sources = func() []room.Source { return []room.Source{of} }
	p.put(note(1, "a heron on the pier"))
	query := Query{Text: "heron", Limit: 10, reading: recall.ReadingOf("heron")}
	ranked, err := p.room.lookUp(t.Context(), query)
	require.NoError(t, err)
	p.put(note(2, "a kestrel"))
	p.search(Query{Text: "kestrel"})
	_, err = p.room.gather(t.Context(), &ranked, query)
	require.NoError(t, err)
	of.read = nil
	p.search(query)
	assert.Equal(t, []string{"note:00001"}, of.read)
}

func TestADocumentInMemoryIsReadByEachSearch(t *testing.T) {
	p := newProcess(t, t.TempDir(), shelfOf())
	p.put(note(1, "a heron on the pier"))
	p.search(Query{Text: "heron"})
	p.shelf.docs["note:00001"] = note(1, "a heron that is not in the index yet")
	assert.Equal(t, "a heron that is not in the index yet", p.search(Query{Text: "heron"}).Hits[0].Text)
}

package service

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestSearchFindsTheEntriesWithTheMostWords(t *testing.T) {
	f := newFace(t)
	staging, production := "The staging server listens on port 8080", "The production server listens on port 443"
	for _, text := range []string{staging, production, "Amounts are in cents"} {
		get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: text})
	}
	at, err := f.service.View(&wire.MemoryListParams{})
	require.NoError(t, err)
	for query, want := range map[string][]string{
		"port STAGING": {staging},
		"which port does the staging machine have": {staging},
		"server":                       {staging, production},
		"the port of the other server": {staging, production},
		"kubernetes":                   {},
	} {
		found, err := f.service.Search(at, query)
		require.NoError(t, err)
		texts := []string{}
		for _, entry := range found.Entries {
			texts = append(texts, entry.Text)
		}
		assert.Equal(t, want, texts, query)
	}
	_, err = f.service.Search(at, "  ")
	assert.ErrorContains(t, err, "query")
}

package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func newRoom() *core.Room {
	s := settings.Default()
	return core.New(room.Env{Settings: func() *settings.Settings { return s }})
}

func update(r *core.Room, block string, operation core.Operation, content string) ([]change.Row, error) {
	changes, err := r.Update("s", block, operation, content, "")
	if err != nil {
		return nil, err
	}
	changes[0].At = began
	return r.Fold(changes[0])
}

func TestA1_ABlockIsReplacedOrContinuedOnANewLine(t *testing.T) {
	r := newRoom()
	for _, c := range []struct {
		operation     core.Operation
		content, want string
	}{
		{core.Append, "first", "first"}, {core.Append, "second", "first\nsecond"}, {core.Replace, "anew", "anew"},
		{core.Replace, "", ""}, {core.Append, "日本", "日本"},
	} {
		_, err := update(r, "goal", c.operation, c.content)
		require.NoError(t, err)
		assert.Equal(t, core.Block{Content: c.want, UpdatedAt: began}, r.Get("s", "goal"))
	}
	assert.Equal(t, 2, r.Get("s", "goal").Chars(), "characters, not bytes")
	assert.Empty(t, r.Get("s", "progress"))
	assert.Empty(t, r.Get("other", "goal"))
}

func TestA1_OverTheLimitIsRefusedAndTheBlockUnchanged(t *testing.T) {
	for block, limit := range map[string]int{"goal": 1000, "progress": 2000, "context": 1500} {
		r := newRoom()
		full := strings.Repeat("ü", limit)
		_, err := update(r, block, core.Replace, full)
		require.NoError(t, err, block)
		_, err = update(r, block, core.Append, "x")
		require.True(t, fault.Has(err, fault.Limit), block)
		assert.Equal(t, fault.Data{Chars: limit + 2, MaxChars: limit}, fault.Of(err).Data)
		assert.ErrorContains(t, err, "2 more than its")
		assert.Equal(t, full, r.Get("s", block).Content)
	}
}

func TestA2_TheBlocksAreRenderedWithTheirLengths(t *testing.T) {
	r := newRoom()
	text, fits := r.Render("s", 10_000)
	assert.Equal(t, "<core_memory>empty (goal 1000, progress 2000, context 1500 characters)</core_memory>", text)
	assert.True(t, fits)
	_, err := update(r, "goal", core.Replace, "Ship </goal> the cart")
	require.NoError(t, err)
	text, _ = r.Render("s", 10_000)
	assert.Equal(t, `<core_memory>
<goal chars="21/1000">Ship ‹/goal> the cart</goal>
<progress chars="0/2000"></progress>
<context chars="0/1500"></context>
</core_memory>`, text)
	text, fits = r.Render("s", 50)
	assert.Empty(t, text)
	assert.False(t, fits)
}

func TestARoomLoadedFromItsRowsIsTheSameUntilTheSessionIsDeleted(t *testing.T) {
	r, copied := newRoom(), newRoom()
	for _, block := range core.Names() {
		rows, err := update(r, block, core.Replace, "the "+block)
		require.NoError(t, err)
		require.NoError(t, copied.Load(rows))
	}
	for _, block := range core.Names() {
		assert.Equal(t, r.Get("s", block), copied.Get("s", block))
	}
	rows := r.ForgetSession("s")
	require.NoError(t, copied.Load(rows))
	assert.Empty(t, copied.Get("s", "goal"))
}

func TestASecretNeverEntersABlock(t *testing.T) {
	r := newRoom()
	_, err := update(r, "context", core.Replace, "export DB_PASSWORD="+"tr0ub4dorAnd3")
	require.NoError(t, err)
	assert.Equal(t, "export DB_PASSWORD=[redacted:secret]", r.Get("s", "context").Content)
}

func TestAPrivateKeyThatIsAppendedInPiecesNeverEntersABlock(t *testing.T) {
	r := newRoom()
	line := strings.Repeat("MIIEpAIBAAKCAQEA0Z3VS5JJ", 2)
	for _, piece := range []string{
		"The key:\n-----BEGIN RSA " + "PRIVATE KEY-----\n" + line, line, line + "\n-----END RSA " + "PRIVATE KEY-----",
		"Next: run make check",
	} {
		_, err := update(r, "progress", core.Append, piece)
		require.NoError(t, err)
	}
	content := r.Get("s", "progress").Content
	assert.NotContains(t, content, "MIIE")
	assert.Contains(t, content, "The key:\n")
	assert.Contains(t, content, "\nNext: run make check")
}

func TestBlocksAreDocumentsUntilTheyAreEmptied(t *testing.T) {
	r := newRoom()
	searched := func(operation core.Operation, content string) (texts, removed []string) {
		changes, err := r.Update("a/b", "goal", operation, content, "")
		require.NoError(t, err)
		changes[0].At = began
		_, err = r.Fold(changes[0])
		require.NoError(t, err)
		put, removed := r.Documents(changes[0])
		var each []room.Document
		require.NoError(t, r.Each(t.Context(), nil, func(doc room.Document) bool {
			each = append(each, doc)
			return true
		}))
		assert.Equal(t, put, each)
		for _, doc := range put {
			assert.Equal(t, "a/b", doc.Session)
			found, err := r.Find(t.Context(), nil, []string{"core:%", "core:x/goal", "goal", doc.ID})
			require.NoError(t, err)
			assert.Equal(t, put, found)
			texts = append(texts, doc.Text)
		}
		return texts, removed
	}
	texts, removed := searched(core.Replace, "Ship the cart")
	assert.Equal(t, []string{"Ship the cart"}, texts)
	assert.Empty(t, removed)
	texts, _ = searched(core.Append, "by May")
	assert.Equal(t, []string{"Ship the cart\nby May"}, texts)
	texts, removed = searched(core.Replace, "")
	assert.Empty(t, texts)
	assert.Equal(t, []string{"core:a%2Fb/goal"}, removed)
}

func TestThePageOfAGoalInTheListOfSessionsLinksItsOwnSession(t *testing.T) {
	r := newRoom()
	_, err := update(r, "goal", core.Replace, "Totals are right")
	require.NoError(t, err)
	at := panel.Reader{Shown: "other", SessionLink: func(session string) string { return "[" + session + "]" }}
	page, ours := r.Panels()[0].Markdown(at, r.Describe("s").First[0].ID)
	require.True(t, ours)
	assert.Contains(t, page, ", in [s]")
}

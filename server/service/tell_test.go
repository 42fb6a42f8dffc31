package service

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (f *face) told(tell wire.Tell) wire.ContextResult {
	f.t.Helper()
	return get[wire.ContextResult](f, "wm/context", &wire.ContextParams{Tell: tell})
}

func (f *face) remember(text string) string {
	f.t.Helper()
	return get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: text}).ID
}

func TestASessionIsToldTheWholeAndThenTheNews(t *testing.T) {
	f := newFace(t)
	id := f.remember("Amounts are integers in cents")
	require.NotNil(t, f.told(wire.TellNews).Context, "it was told nothing yet")
	assert.True(t, f.told(wire.TellNews).Unchanged)
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: id})
	gone := f.told(wire.TellNews)
	require.NotNil(t, gone.Delta)
	assert.Equal(t, "No longer holds: [project] Amounts are integers in cents", gone.Delta.Text)
	assert.True(t, f.told(wire.TellNews).Unchanged)
	assert.NotNil(t, f.told(wire.TellWhole).Context)
}

func TestNewsThatDoNotFitAreToldLater(t *testing.T) {
	f := newFace(t)
	f.told(wire.TellWhole)
	const entries = 12
	for i := range entries {
		f.remember(fmt.Sprintf("%d %s", i, strings.Repeat("金额以分为单位的整数保存", 25)))
	}
	added, counter := 0, tokens.NewCounter()
	for rounds := 0; ; rounds++ {
		require.Less(t, rounds, 20)
		news := f.told(wire.TellNews)
		if news.Unchanged {
			assert.Greater(t, rounds, 1)
			break
		}
		require.NotNil(t, news.Delta)
		assert.LessOrEqual(t, counter.Count(news.Delta.Text), 1500)
		added += len(news.Delta.Added)
	}
	assert.Equal(t, entries, added)
}

func TestWhilePausedThereIsNoNews(t *testing.T) {
	f := newFace(t)
	get[wire.PauseResult](f, "wm/pause", &wire.PauseParams{Minutes: 5})
	assert.True(t, f.told(wire.TellNews).Unchanged)
	assert.NotNil(t, f.told(wire.TellWhole).Context)
	get[wire.PauseResult](f, "wm/pause", &wire.PauseParams{Resume: true})
	assert.NotNil(t, f.told(wire.TellNews).Context, "nothing was recorded")
}

func TestOnlyTheWholeAndNewsAreTold(t *testing.T) {
	f := newFace(t)
	_, err := f.call("wm/context", &wire.ContextParams{Tell: "half"})
	assert.ErrorContains(t, err, "must be whole or news")
}

func TestAnEventThatArrivesManyTimesIsFirstOnce(t *testing.T) {
	f := newFace(t)
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(t, err)
	var firsts atomic.Int32
	for range 8 {
		t.Run("", func(t *testing.T) {
			first, err := f.service.First(context.Background(), at, "", "a", "b")
			require.NoError(t, err)
			if first {
				firsts.Add(1)
			}
		})
	}
	assert.EqualValues(t, 1, firsts.Load())
	first, err := f.service.First(context.Background(), at, "", "c", "a")
	require.NoError(t, err)
	assert.False(t, first, "one of the others came before")
	for i, event := range []struct {
		id    string
		first bool
	}{{"run: red", true}, {"run: red", false}, {"run: green", true}, {"edit: red", true}, {"run: red", true}} {
		first, err := f.service.First(context.Background(), at, event.id[:4], event.id)
		require.NoError(t, err)
		assert.Equal(t, event.first, first, "%d: of what is about the same thing only the latest counts", i)
	}
}

func TestWhatIsErasedIsNoLongerKnownAsTold(t *testing.T) {
	f := newFace(t)
	const text = "Zanzibar is the name of the second server"
	id := f.remember(text)
	require.Contains(t, f.told(wire.TellWhole).Text, text)
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: id, Erase: true})
	news := f.told(wire.TellNews)
	if news.Delta != nil {
		assert.NotContains(t, news.Delta.Text, "Zanzibar")
	}
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(t, err)
	entries, err := os.ReadDir(at.Dir())
	require.NoError(t, err)
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		doc, err := os.ReadFile(filepath.Join(at.Dir(), entry.Name()))
		require.NoError(t, err)
		assert.NotContains(t, string(doc), "Zanzibar", entry.Name())
	}
}

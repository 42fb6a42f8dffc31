package memory_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

func outputsOf(w *memory.Workspace) *outputs.Service { return memory.ServiceOf[*outputs.Service](w) }

// long is an output of n lines, named so that no two are the same.
func long(name string, n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%s%d/%c%c.go\n", name, i, 'a'+i%26, 'a'+i/26%26)
	}
	return text.String()
}

func TestA9_ThePrunedOutputCanBeReadBackWithoutItsSecrets(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	text := long("one", 100) + "API_" + "KEY=" + "q8Zt3vLw0sXk2uYf7bNc\n" + long("two", 100)
	result, ref := outputsOf(w).Prune(outputs.Output{Text: text, Mode: "normal"})
	require.True(t, result.Pruned)
	require.Len(t, ref, 16)
	assert.Contains(t, result.Noted(ref), ref)

	back, err := outputsOf(w).Read(ref)
	require.NoError(t, err)
	assert.NotContains(t, back, "q8Zt3vLw0sXk2uYf7bNc")
	assert.Equal(t, strings.Count(text, "\n"), strings.Count(back, "\n"))
	for path, content := range files(t, world.data) {
		assert.NotContains(t, string(content), "q8Zt3vLw0sXk2uYf7bNc", path)
	}

	_, again := outputsOf(w).Prune(outputs.Output{Text: text, Mode: "hyper"})
	assert.Equal(t, ref, again, "the same text is kept once")
	for _, wrong := range []string{"", "0123456789abcdef", "../memory.db", ref[:15], strings.ToUpper(ref) + "0"} {
		_, err := outputsOf(w).Read(wrong)
		assert.ErrorIs(t, err, store.ErrNoOutput, wrong)
	}
}

// pause stops recording until a time; the zero time resumes. It is called on the queue.
func pause(w *memory.Workspace, until time.Time) error {
	_, err := w.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
		return w.Sessions().Pause(until), nil
	})
	return err
}

func TestA9_NothingIsLeftOutThatCannotBeReadBack(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	text := long("one", 200)
	on(w, func() {
		require.NoError(t, pause(w, time.Now().Add(time.Hour)))
	})
	result, ref := outputsOf(w).Prune(outputs.Output{Text: text, Mode: "hyper"})
	assert.False(t, result.Pruned)
	assert.Equal(t, text, result.Noted(ref))
	assert.Equal(t, result.CharsIn, result.CharsOut)
	on(w, func() { require.NoError(t, pause(w, time.Time{})) })

	assert.Empty(t, w.Problems())
	cache := filepath.Join(w.Dir(), "cache")
	require.NoError(t, os.WriteFile(cache, []byte("in the way"), 0o600))
	result, ref = outputsOf(w).Prune(outputs.Output{Text: text, Mode: "hyper"})
	assert.False(t, result.Pruned)
	assert.Empty(t, ref)
	require.Len(t, w.Problems(), 1)
	assert.Contains(t, w.Problems()[0].Message, cache+" is a file and not a folder; move it away")

	require.NoError(t, os.Remove(cache))
	result, _ = outputsOf(w).Prune(outputs.Output{Text: text, Mode: "hyper"})
	assert.True(t, result.Pruned)
	assert.Empty(t, w.Problems())
}

func TestA12_KeptOutputsAreBounded(t *testing.T) {
	world := newWorld(t)
	world.settings.Outputs.MaxFiles = 3
	w := world.open()
	kept := func() []string {
		found, err := filepath.Glob(filepath.Join(w.Dir(), "cache", "tool-outputs", "*"))
		require.NoError(t, err)
		return found
	}
	var refs []string
	for i := range 5 {
		_, ref := outputsOf(w).Prune(outputs.Output{Text: long(fmt.Sprint("part", i, "-"), 200), Mode: "normal"})
		refs = append(refs, ref)
		old := time.Now().Add(time.Duration(i-10) * time.Minute)
		require.NoError(t, os.Chtimes(filepath.Join(w.Dir(), "cache", "tool-outputs", ref), old, old))
	}
	assert.Len(t, kept(), 3)
	_, err := outputsOf(w).Read(refs[0])
	assert.ErrorIs(t, err, store.ErrNoOutput)
	_, err = outputsOf(w).Read(refs[4])
	assert.NoError(t, err)

	aged := time.Now().Add(-8 * 24 * time.Hour)
	for _, path := range kept() {
		require.NoError(t, os.Chtimes(path, aged, aged))
	}
	_, fresh := outputsOf(w).Prune(outputs.Output{Text: long("fresh", 200), Mode: "normal"})
	assert.Len(t, kept(), 1)
	_, err = outputsOf(w).Read(fresh)
	assert.NoError(t, err)
}

func TestA15_LinesOfTheSettingsStayOrNeverDo(t *testing.T) {
	world := newMemoryWorld(t)
	layer, err := settings.ParseTOML("wm-lsp.toml", []byte(
		"[[prune.lines]]\npattern = '^seed \\d'\nkeep = \"always\"\n"+
			"[[prune.lines]]\npattern = 'beat$'\nkeep = \"never\"",
	))
	require.NoError(t, err)
	merged, problems := settings.Merge(layer)
	require.Empty(t, problems)
	world.settings = merged
	w := world.open()
	text := "one beat\n" + long("one", 100) + "seed 77\n" + long("two", 100) + "error: no beat\ntwo beat\n"
	result, ref := outputsOf(w).Prune(outputs.Output{Text: text, Mode: "hyper"})
	require.True(t, result.Pruned)
	assert.Contains(t, result.Output, "seed 77")
	assert.Contains(t, result.Output, "error: no beat")
	assert.NotContains(t, result.Output, "one beat")
	assert.NotContains(t, result.Output, "two beat")
	back, err := outputsOf(w).Read(ref)
	require.NoError(t, err)
	assert.Equal(t, text, back, "the noise can be read back")
}

func TestErasingAndPurgingTakeKeptOutputsAlong(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	receipt := add(t, w, longterm.Addition{Text: "The launch codename is Halcyon Meridian"})
	_, holds := outputsOf(
		w,
	).Prune(outputs.Output{Text: long("one", 200) + "The launch codename is Halcyon Meridian\n", Mode: "normal"})
	_, other := outputsOf(w).Prune(outputs.Output{Text: long("two", 200), Mode: "normal"})
	on(w, func() {
		_, _, err := w.Erase(context.Background(), change.Actor{}, receipt.ID)
		require.NoError(t, err)
	})
	_, err := outputsOf(w).Read(holds)
	assert.ErrorIs(t, err, store.ErrNoOutput)
	_, err = outputsOf(w).Read(other)
	assert.NoError(t, err)

	on(w, func() {
		_, _, err := w.Purge(context.Background(), change.Actor{})
		require.NoError(t, err)
	})
	_, err = outputsOf(w).Read(other)
	assert.ErrorIs(t, err, store.ErrNoOutput)
}

func TestWhatPrintsFilesHasNoErrorLines(t *testing.T) {
	w := newMemoryWorld(t).open()
	text := long("one", 250) + "the errors that may come back\n" + long("two", 100)
	for name, output := range map[string]outputs.Output{
		"a reading tool":     {Tool: "Read"},
		"a searching tool":   {Tool: "grep"},
		"a printing command": {Tool: "bash", Command: "cd src && cat notes.md"},
	} {
		output.Text, output.Mode = text, "normal"
		result, _ := outputsOf(w).Prune(output)
		assert.NotContains(t, result.Output, "the errors", name)
	}
	result, _ := outputsOf(w).Prune(outputs.Output{Tool: "bash", Command: "make", Text: text, Mode: "normal"})
	assert.Contains(t, result.Output, "the errors")
}

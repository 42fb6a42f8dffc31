package service

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// eventually searches until the hits are as they should be. What is hot is written a little later.
func (f *face) eventually(params wire.SearchParams, are func(hits []wire.SearchHit) bool) (hits []wire.SearchHit) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		hits = get[wire.SearchResult](f, "wm/search", &params).Hits
		return are(hits)
	}, Patience, 10*time.Millisecond, params.Query)
	return hits
}

func some(hits []wire.SearchHit) bool { return len(hits) > 0 }

func none(hits []wire.SearchHit) bool { return len(hits) == 0 }

// shell reports a command of an agent.
func (f *face) shell(session, command, output string, exit int) {
	f.t.Helper()
	input, err := json.Marshal(map[string]string{"command": command})
	require.NoError(f.t, err)
	get[wire.ToolExecutedResult](f, "wm/tool/executed", &wire.ToolExecutedParams{
		Params: wire.Params{SessionID: session}, Tool: "bash", Input: input, Output: output, ExitCode: &exit,
	})
}

// edit reports that an agent edited a file.
func (f *face) edit(session, name string) {
	f.t.Helper()
	f.write(name, "package cart\n")
	input, err := json.Marshal(map[string]string{"filePath": name, "oldString": "a", "newString": "b"})
	require.NoError(f.t, err)
	get[wire.ToolExecutedResult](f, "wm/tool/executed", &wire.ToolExecutedParams{
		Params: wire.Params{SessionID: session}, Tool: "edit", Input: input,
	})
}

const vetFails = "# example.com/cart\n./total.go:12:9: undefined: roundHalf\n"

var roundHalf = wire.SearchParams{Query: "undefined roundHalf", Stores: []string{"errors"}}

func TestAnErrorIsFoundWhileItIsOpenAndWithWhatClosedIt(t *testing.T) {
	f := newFace(t)
	f.shell("a", "go build ./...", vetFails, 1)
	open := f.eventually(roundHalf, some)
	require.Len(t, open, 1)
	assert.Equal(t, wire.SearchOpen, open[0].Item.State)
	assert.Equal(t, "errors", open[0].Store)
	assert.Equal(t, "total.go: undefined: roundHalf\nReported by: go build ./...", open[0].Item.Text)
	assert.Equal(t, "Errors · "+open[0].Item.Type+" · open · total.go · test", open[0].From)

	f.edit("a", "round.go")
	f.shell("a", "go build ./...", "", 0)
	closed := f.eventually(roundHalf, func(hits []wire.SearchHit) bool {
		return len(hits) == 1 && hits[0].Item.State == wire.SearchClosed
	})
	assert.Equal(t, "total.go: undefined: roundHalf\nReported by: go build ./...\n"+
		"Closed: the command succeeded: go build ./...\nEdited: round.go", closed[0].Item.Text)
	assert.Equal(t, "total.go", closed[0].Item.Path)
	assert.Equal(t, "a", closed[0].Item.SessionID)

	f.shell("b", "go build ./...", vetFails, 1)
	both := f.eventually(roundHalf, func(hits []wire.SearchHit) bool {
		return len(hits) == 2
	})
	states := []wire.SearchState{both[0].Item.State, both[1].Item.State}
	slices.Sort(states)
	assert.Equal(t, []wire.SearchState{wire.SearchClosed, wire.SearchOpen}, states, "it is back, and was fixed before")
	assert.Len(t, f.found(roundHalf), 2)

	for _, session := range []string{"a", "b"} {
		params := wire.SessionDeleteParams{Params: wire.Params{SessionID: session}}
		get[wire.SessionDeleteResult](f, "wm/session/delete", &params)
	}
	f.eventually(roundHalf, none)
}

func TestAnErrorInAFileThatIsRenamedOrDeletedFollowsIt(t *testing.T) {
	f := newFace(t)
	f.write("total.go", "package cart\n")
	f.shell("a", "go build ./...", vetFails, 1)
	f.eventually(roundHalf, some)
	f.shell("a", "git mv total.go sum.go", "", 0)
	f.eventually(roundHalf, func(hits []wire.SearchHit) bool {
		return len(hits) == 1 && hits[0].Item.Path == "sum.go"
	})
	f.shell("a", "rm sum.go", "", 0)
	f.eventually(roundHalf, none)
}

func TestDecisionsAndCoreMemoryAreFound(t *testing.T) {
	f := newFace(t)
	get[wire.CoreUpdateResult](f, "wm/core/update", &wire.CoreUpdateParams{
		Params: wire.Params{SessionID: "a"}, Block: "goal", Operation: "replace",
		Content: "Migrate the cart to Postgres",
	})
	core := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "postgres migration"}).Hits
	require.NotEmpty(t, core)
	assert.Equal(t, "Goal & progress · goal · test", core[0].From)
	get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
		Params: wire.Params{SessionID: "a"}, Role: "user", Text: "No, never round the amounts before the total.",
	})
	said := f.eventually(wire.SearchParams{Query: "rounding amounts", Stores: []string{"decisions"}}, some)
	assert.Equal(t, "Said and chosen · test", said[0].From)
	assert.Equal(t, "user", said[0].Item.Speaker)
	params := wire.SessionDeleteParams{Params: wire.Params{SessionID: "a"}}
	get[wire.SessionDeleteResult](f, "wm/session/delete", &params)
	f.eventually(wire.SearchParams{Query: "rounding amounts postgres", Stores: []string{"core", "decisions"}}, none)
}

// raw returns the bytes of the database.
func (f *face) raw() string {
	f.t.Helper()
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(f.t, err)
	var all strings.Builder
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(filepath.Join(at.Dir(), store.DatabaseName+suffix))
		require.NoError(f.t, err)
		all.Write(content)
	}
	return all.String()
}

func TestWhatIsErasedIsInNoPostingOfAnySource(t *testing.T) {
	f := newFace(t)
	const secret = "The launch codename is halcyonium"
	a := wire.Params{SessionID: "a"}
	get[wire.CoreUpdateResult](f, "wm/core/update", &wire.CoreUpdateParams{
		Params: a, Block: "context", Operation: "replace", Content: "Albatross. " + secret + ".",
	})
	f.shell("a", "pytest tests", "FAILED tests/test_a.py::test_x - "+secret+" = 1 failed in 0.1s =", 1)
	f.shell("a", "pytest tests", "=== 3 passed in 0.1s ===\n", 0)
	f.shell("a", "pytest tests", "FAILED tests/test_a.py::test_x - "+secret+" = 1 failed in 0.1s =", 1)
	get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
		Params: a, Role: "user", Text: "No, " + secret + ", never the Meridian.",
	})
	get[wire.NotesWriteResult](f, "wm/notes/write", &wire.NotesWriteParams{
		Params: a, Path: "detail/launch.md", Content: "# Launch\n\nOsprey. " + secret + ".\n",
	})
	items := []string{text("Kestrel. %s.", secret)}
	for i := range 1500 {
		items = append(items, text("The sparrow number %d is fed on time.", i))
	}
	f.memorize(items[:1000]...)
	f.memorize(items[1000:]...)
	added := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: secret})
	f.eventually(wire.SearchParams{Query: "halcyonium", Limit: 100}, func(hits []wire.SearchHit) bool {
		stores := map[string]bool{}
		for _, hit := range hits {
			stores[hit.Store+" "+string(hit.Item.State)] = true
		}
		return stores["core "] && stores["errors open"] && stores["errors closed"] && stores["decisions "] &&
			stores["workspace "] && stores["notes "] && stores["sessions "] && len(stores) == 8
	})
	require.Contains(t, f.raw(), "halcyon")
	removed := get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: added.ID, Erase: true})
	assert.Empty(t, removed.FilesLeft)
	assert.NotContains(t, f.raw(), "halcyon")
	for _, rest := range []string{"kestrel", "albatross", "osprey"} {
		assert.NotEmpty(t, f.found(wire.SearchParams{Query: rest}), "the rest of the texts is found")
	}
}

func TestNotesAreFoundBySectionWhereverTheyAreMoved(t *testing.T) {
	f := newFace(t)
	a := wire.Params{SessionID: "a"}
	token := "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
	get[wire.NotesWriteResult](f, "wm/notes/write", &wire.NotesWriteParams{
		Params: a, Path: "detail/api.md", Content: "# API\n\n## Retries\n\nThe kestrel client backs off.\n\n" +
			"## Timeouts\n\nThe sparrow client waits for nine seconds.\n",
	})
	kestrel := wire.SearchParams{Query: "kestrel back off", Stores: []string{"notes"}}
	in := func(path, text string) func(hits []wire.SearchHit) bool {
		return func(hits []wire.SearchHit) bool {
			return len(hits) > 0 && hits[0].Item.Path == path && hits[0].Item.Text == text
		}
	}
	const text = "API › Retries\nThe kestrel client backs off."
	hits := f.eventually(kestrel, in("detail/api.md", text))
	assert.Equal(t, "Agent notes · detail/api.md › API › Retries · test", hits[0].From)

	get[wire.NotesArchiveResult](f, "wm/notes/archive", &wire.NotesArchiveParams{Params: a, Path: "detail/api.md"})
	f.eventually(kestrel, in("archive/api.md", text))
	get[wire.NotesRestoreResult](f, "wm/notes/restore", &wire.NotesRestoreParams{
		Params: a, Path: "archive/api.md", To: "detail/client.md",
	})
	hits = f.eventually(kestrel, in("detail/client.md", text))
	for _, hit := range hits {
		assert.Equal(t, "detail/client.md", hit.Item.Path, "nothing is found where it was before")
	}
	get[wire.NotesWriteResult](f, "wm/notes/write", &wire.NotesWriteParams{
		Params: a, Path: "detail/client.md", Content: "# API\n\n## Retries\n\nThe kestrel gives up. " + token + "\n",
	})
	f.eventually(kestrel, func(hits []wire.SearchHit) bool {
		return len(hits) == 1 && strings.Contains(hits[0].Item.Text, "The kestrel gives up.")
	})
	assert.NotContains(t, f.raw(), token)
	get[wire.NotesRestoreResult](f, "wm/notes/restore", &wire.NotesRestoreParams{
		Params: a, Path: "detail/client.md", Revision: "absent",
	})
	f.eventually(kestrel, none)

	get[wire.NotesWriteResult](f, "wm/notes/write", &wire.NotesWriteParams{
		Params: a, Path: "archive/talk.md",
		Content: "# Talk\n\n### user · 2026-03-01T09:00:00Z · m1\n\n```text\nThe kestrel backs off.\n```\n",
	})
	said := wire.SearchParams{Query: "kestrel back off", Stores: []string{"conversation"}}
	hits = f.eventually(said, some)
	assert.Equal(t, "user", hits[0].Item.Speaker)
	assert.Equal(t, wire.Time("2026-03-01T09:00:00.000Z"), hits[0].Item.At)
	params := wire.SessionDeleteParams{Params: a}
	get[wire.SessionDeleteResult](f, "wm/session/delete", &params)
	f.eventually(said, none)
}

func TestNotesThatAreWrittenByHandAreFound(t *testing.T) {
	slow.Test(t)
	f := newFace(t)
	list := get[wire.NotesWriteResult](f, "wm/notes/write", &wire.NotesWriteParams{
		Path: "detail/a.md", Content: "The sparrow.",
	})
	require.NotEmpty(t, list.Revision)
	root := get[wire.NotesListResult](f, "wm/notes/list", &wire.NotesListParams{}).Root
	path := filepath.Join(root, "detail", "a.md")
	require.NoError(t, os.WriteFile(path, []byte("# Birds\nThe kestrel hovers.\n"), 0o600))
	hits := f.eventually(wire.SearchParams{Query: "kestrel hovering"}, some)
	assert.Equal(t, "Agent notes · detail/a.md › Birds · test", hits[0].From)
	require.NoError(t, os.Remove(path))
	f.eventually(wire.SearchParams{Query: "kestrel hovering"}, none)
}

package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// daily are the tools that are offered by default.
var daily = []string{
	"compact_history", "core_memory_update", "memory_context", "memory_forget", "memory_list", "memory_remember",
	"memory_search", "notes_read", "notes_write", "open_errors",
}

// more are the other tools.
var more = []string{
	"active_files", "budget_status", "commit", "core_memory_read", "handover", "memorize", "memory_explain",
	"memory_update", "notes_archive", "notes_list",
	"prune_output", "read_output", "report_usage", "skills", "working_memory_add", "working_memory_clear",
	"working_memory_clear_slot", "working_memory_read", "working_memory_remove",
}

func names(t *testing.T, h *host) (names []string) {
	t.Helper()
	list, err := h.ListTools(t.Context(), nil)
	require.NoError(t, err)
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func TestTenToolsAreOfferedUnlessAllAreWanted(t *testing.T) {
	assert.Equal(t, daily, names(t, start(t, setting{})))
	all := slices.Concat(daily, more)
	slices.Sort(all)
	assert.Equal(t, all, names(t, start(t, setting{allTools: true})))
}

func TestAMemoryThatCannotBeOpenedIsNotReadAsEmpty(t *testing.T) {
	data := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(data, nil, 0o600))
	h := start(t, setting{data: data, allTools: true})
	for name, arguments := range map[string]object{
		"memory_context": nil, "memory_list": nil, "open_errors": nil, "memory_search": {"query": "port"},
		"notes_list": nil, "notes_read": {"path": "overview.md"}, "core_memory_read": nil, "working_memory_read": nil,
		"active_files": nil, "memory_explain": {"id": "01JZZZZZZZZZZZZZZZZZZZZZZZ"},
	} {
		said := h.fail(name, arguments)
		assert.Contains(t, said, "the memory cannot be opened: ", name)
		assert.Contains(t, said, "Check that the folder "+data, name)
		assert.Contains(t, said, "Tell the user", name)
		assert.NotContains(t, said, "..", name)
	}
	assert.Contains(t, h.fail("memory_search", object{"query": " "}), "query", "a wrong call is told first")
	said, _ := h.call("prune_output", object{"command": "go test", "output": "--- FAIL: TestAdd (0.00s)\nFAIL\n"})
	assert.Contains(t, said, "TestAdd", "it needs no memory")
	assert.Contains(t, h.fail("memory_remember", object{"text": rule}), "the memory cannot be written: ")

	for _, uri := range []string{contextURI, memoryURI, notesURI + "overview.md"} {
		_, err := h.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		assert.ErrorContains(t, err, "the memory cannot be opened: ", uri)
		assert.ErrorContains(t, err, "Check that the folder "+data, uri)
	}
	_, err := h.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: promptName})
	assert.ErrorContains(t, err, "Check that the folder "+data)
}

func TestTheListOfToolsAndTheInstructionsAreShort(t *testing.T) {
	for _, version := range versions[1:] { // the newest has no initialize
		answers, _ := requests(t, Options{},
			append(greeting(version), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)...)
		assert.Less(t, len(answers["1"]), 6<<10, "the list of tools as it is sent")
	}
	assert.Less(t, len(instructions), 2<<10)
	for _, tool := range daily {
		assert.Contains(t, instructions, tool)
	}
}

func TestToolsSayWhatTheyDoToTheMemory(t *testing.T) {
	methods := map[string]wire.Method{}
	for _, method := range wire.Methods() {
		methods[method.Name] = method
	}
	offered := map[string]string{}
	for _, tool := range allTools() {
		offered[tool.name] = tool.method
	}
	list, err := start(t, setting{allTools: true}).ListTools(t.Context(), nil)
	require.NoError(t, err)
	for _, tool := range list.Tools {
		method := methods[offered[tool.Name]]
		assert.Equal(t, method.Access == wire.Reads, tool.Annotations.ReadOnlyHint, tool.Name)
		assert.Equal(t, method.Idempotent, tool.Annotations.IdempotentHint, tool.Name)
		assert.False(t, *tool.Annotations.OpenWorldHint, tool.Name)
		if method.Access == wire.Mutates {
			assert.Equal(t, method.Destructive, *tool.Annotations.DestructiveHint, tool.Name)
		}
		assert.NotEmpty(t, tool.Description)
	}
	for tool, want := range map[string]sdk.ToolAnnotations{
		"memory_context":  {ReadOnlyHint: true},
		"memory_remember": {DestructiveHint: new(bool)},
		"notes_write":     {DestructiveHint: new(bool), IdempotentHint: true},
	} {
		got := hints(methods[offered[tool]])
		got.OpenWorldHint = nil
		assert.Equal(t, &want, got, tool)
	}
	assert.True(t, *hints(methods["wm/memory/remove"]).DestructiveHint)
}

// wrong are values of other types than that of a parameter, by its type.
func wrong(of string) []string {
	values := map[string]string{
		"string": `"text"`, "integer": `7`, "boolean": `true`, "array": `["a"]`, "object": `{"a": 1}`,
	}
	delete(values, of)
	list := []string{}
	for _, value := range values {
		list = append(list, value)
	}
	switch of {
	case "integer":
		list = append(list, `1.5`, `99999999999999999999999`)
	case "array":
		list = append(list, `[1]`, `[["a"]]`)
	}
	return list
}

func TestEveryToolRefusesOtherTypesAndNamesTheParameter(t *testing.T) {
	h := start(t, setting{allTools: true})
	list, err := h.ListTools(t.Context(), nil)
	require.NoError(t, err)
	for _, tool := range list.Tools {
		doc, err := json.Marshal(tool.InputSchema)
		require.NoError(t, err)
		var schema struct {
			Properties map[string]struct{ Type string }
			Required   []string
		}
		require.NoError(t, json.Unmarshal(doc, &schema))
		for _, common := range []string{"sessionId", "workspace", "agentId", "taskId", "at"} {
			if schema.Properties == nil {
				schema.Properties = map[string]struct{ Type string }{}
			}
			schema.Properties[common] = struct{ Type string }{"string"}
		}
		for name, property := range schema.Properties {
			require.NotEmpty(t, property.Type, "%s.%s", tool.Name, name)
			for _, value := range wrong(property.Type) {
				said := h.fail(tool.Name, json.RawMessage(fmt.Sprintf(`{%q: %s}`, name, value)))
				assert.Regexp(t, "^"+name+`(\[0\])?: must be a`, said, "%s {%s: %s}", tool.Name, name, value)
			}
		}
		for _, name := range schema.Required {
			assert.Contains(t, h.fail(tool.Name, object{}), ": is missing", "%s without %s", tool.Name, name)
		}
		for _, arguments := range []string{`[]`, `"text"`, `7`, `true`} {
			said := h.fail(tool.Name, json.RawMessage(arguments))
			assert.Contains(t, said, "arguments: must be an object", tool.Name)
		}
		said := h.fail(tool.Name, json.RawMessage(`{"workspce": "file:///tmp"}`))
		assert.Contains(t, said, "workspce: is not a parameter of "+tool.Name+"; the nearest is workspace")
	}
	said, _ := h.call("memory_list", nil)
	assert.Equal(t, "The workspace memory is empty.", said, "a call that is refused changes nothing")
}

func TestAFailedCallSaysWhatToDoNext(t *testing.T) {
	h := start(t, setting{allTools: true})
	for name, c := range map[string]struct {
		tool      string
		arguments object
		want      []string
	}{
		"a value out of range": {
			"core_memory_update", object{"block": "aim", "operation": "replace", "content": "x"},
			[]string{"block: ", "Correct it and call again."}},
		"a limit": {
			"core_memory_update",
			object{"block": "goal", "operation": "replace", "content": strings.Repeat("word ", 300)},
			[]string{"1000", "Send less"}},
		"a note that leaves the folder": {
			"notes_write", object{"path": "../x.md", "content": "x"}, []string{"path: ", "Correct it"}},
		"a note that does not exist": {
			"notes_read", object{"path": "detail/none.md"}, []string{"detail/none.md", "notes_write makes a new one"}},
		"a note that was changed meanwhile": {
			"notes_write", object{"path": "overview.md", "content": "x", "ifRevision": "another"},
			[]string{"Read it again"}},
		"an entry that does not exist": {
			"memory_update", object{"id": "none", "text": "x"}, []string{"none", "memory_list has the ids."}},
		"a folder that does not exist": {
			"memory_list", object{"workspace": "file:///does/not/exist"}, []string{"/does/not/exist", "Tell the user"}},
		"a workspace that is not a URI": {
			"memory_list", object{"workspace": "project"}, []string{"cannot be opened", "file:///"}},
	} {
		t.Run(name, func(t *testing.T) {
			result := h.try(c.tool, c.arguments)
			require.True(t, result.IsError)
			for _, want := range c.want {
				assert.Contains(t, textOf(result), want)
			}
			failed := result.StructuredContent.(object)["error"].(object)
			assert.Equal(t, textOf(result), failed["message"], "many hosts show the model only the data")
		})
	}
}

func TestWithoutAHomeFolderNoOtherFolderIsSuggested(t *testing.T) {
	said := textOf(failure(service.ErrNoHome, wire.Reads, ""))
	assert.Contains(t, said, "set HOME or XDG_DATA_HOME")
	assert.True(t, strings.HasSuffix(said, ". Tell the user."), said)
}

func TestAResultIsDataAndAText(t *testing.T) {
	at := wire.At(testTime)
	for name, c := range map[string]struct {
		result any
		want   string
	}{
		"an entry that is offered": {
			wire.MemoryListResult{Entries: []wire.MemoryEntry{{
				ID: "m1", Type: "decision", Text: "use\ntabs", Rationale: "gofmt", Status: wire.StatusOffered,
				Stale: &wire.Stale{Reason: "a.go is gone"},
			}}},
			"- m1 [decision] use tabs (gofmt) – offered – may be outdated: a.go is gone",
		},
		"open errors": {
			wire.ErrorsListResult{Errors: []wire.OpenError{
				{
					Category: "test", Summary: "TestA: no", Path: "a_test.go", Line: 3, Command: "go test ./...",
					Verified: true,
				},
				{
					Category: "typecheck", Summary: "undefined: x", Path: "b.go", Tool: "gopls", LastSeen: at,
					MaybeFixed: true,
				},
			}},
			"- [test] TestA: no (a_test.go:3), reported by go test ./...\n" +
				"- [typecheck] undefined: x (b.go), reported by gopls, not checked since " +
				"2026-03-01T09:30:00.000Z, its file was edited since",
		},
		"what was refused": {
			wire.Receipt{Status: wire.ReceiptRejected, Text: "x", Reason: "injection"}, "Not remembered: injection.",
		},
		"what was changed": {wire.Receipt{Status: wire.ReceiptUpdated, ID: "m1"}, "Changed. Its id is m1."},
		"what was changed and contradicts others": {
			wire.Receipt{Status: wire.ReceiptUpdated, ID: "m1", Related: []wire.RelatedEntry{
				{ID: "m2", Text: "Indent\nwith \u202etabs", Relation: wire.RelationContrary},
				{ID: "m3", Text: "Use pnpm", Relation: wire.RelationAlike},
			}},
			`Changed. Its id is m1. It contradicts "Indent with \u202etabs" (m2): forget what does not hold. ` +
				`It says nearly the same as "Use pnpm" (m3): one of them is enough.`,
		},
		"a note with secrets": {
			wire.NotesWriteResult{Path: "overview.md", Revision: "r1", Redactions: 2},
			"Written: overview.md, revision r1. 2 secrets were removed from it.",
		},
		"a compaction": {
			wire.HistoryCompactResult{
				Removed: []string{"a", "b"}, Kept: []string{"c"}, Summary: "It works.", ArchivedTo: "detail/x.md",
				TokensBefore: 90, TokensAfter: 20,
			},
			"Removed 2 messages and kept 1: 90 tokens before, 20 now. They are in the note detail/x.md.\n\nIt works.",
		},
		"anything else": {wire.NotesArchiveResult{Path: "archive/<x>.md"}, `{"path":"archive/<x>.md"}`},
	} {
		got, err := text(c.result)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
}

func TestAResultHasNoCharactersThatAPersonDoesNotSee(t *testing.T) {
	const hidden = "\x1b[31mred\x1b[0m \u202egnp.exe\u202c"
	entry := wire.MemoryEntry{
		ID: "m1", Type: "project", Text: hidden, Rationale: hidden, Files: []string{hidden}, Status: wire.StatusActive,
	}
	for _, result := range []any{
		wire.MemoryListResult{Entries: []wire.MemoryEntry{entry}},
		wire.SearchResult{Hits: []wire.SearchHit{{Item: wire.SearchItem{ID: "m1", Text: hidden, Type: hidden}}}},
		wire.MemoryRemoveResult{Entry: entry},
		wire.ErrorsListResult{Errors: []wire.OpenError{{Summary: hidden, Path: hidden, Command: hidden}}},
	} {
		said, err := text(result)
		require.NoError(t, err)
		doc, err := wire.Encode(structured(result))
		require.NoError(t, err)
		for _, got := range []string{said, string(doc)} {
			assert.Contains(t, got, "red")
			for _, not := range []string{"\x1b", `\u001b`, "\u202e", "\u202c"} {
				assert.NotContains(t, got, not, "%T", result)
			}
		}
	}
	note, err := text(wire.NotesReadResult{Content: hidden})
	require.NoError(t, err)
	assert.Contains(t, note, hidden, "a note is written back")
}

func TestARefusedParameterIsExplainedByThoseThatTheToolShows(t *testing.T) {
	h := start(t, setting{allTools: true})
	for _, c := range []struct{ tool, name, want string }{
		{"memory_remember", "txt", "; the nearest is text."},
		{"memory_remember", "foo", ", which has text, type, rationale, files."},
		{"memory_search", "q", ", which has query."},
		{"core_memory_read", "a", ", which needs none."},
	} {
		said := h.fail(c.tool, object{c.name: "x"})
		assert.Contains(t, said, c.name+": is not a parameter of "+c.tool+c.want)
	}
}

func TestTheDataOfAResultIsWhatAModelNeeds(t *testing.T) {
	entry := wire.MemoryEntry{ID: "m1", Type: "decision", Text: "use tabs", Status: wire.StatusActive, Confidence: 1}
	offered := entry
	offered.Status = wire.StatusOffered
	for name, c := range map[string]struct {
		result any
		want   string
	}{
		"a receipt": {
			wire.Receipt{Status: wire.ReceiptAdded, ID: "m1", Entry: &entry}, `{"status":"added","id":"m1"}`},
		"entries": {
			wire.MemoryListResult{Entries: []wire.MemoryEntry{entry, offered}},
			`{"entries":[{"id":"m1","type":"decision","text":"use tabs"},` +
				`{"id":"m1","type":"decision","text":"use tabs","status":"offered"}]}`},
		"no entries": {wire.MemoryListResult{}, `{"entries":[]}`},
		"hits": {
			wire.SearchResult{Hits: []wire.SearchHit{{
				Item:  wire.SearchItem{ID: "m1", Type: "decision", Text: "use tabs", At: "now"},
				Store: "workspace", From: "workspace · decision", Score: 1,
			}}},
			`{"hits":[{"id":"m1","store":"workspace","type":"decision","text":"use tabs",` +
				`"from":"workspace · decision","at":"now"}]}`},
		"no hits": {wire.SearchResult{}, `{"hits":[]}`},
		"an entry that was removed": {
			wire.MemoryRemoveResult{Entry: entry}, `{"entry":{"id":"m1","type":"decision","text":"use tabs"}}`},
		"open errors": {
			wire.ErrorsListResult{Errors: []wire.OpenError{{
				Fingerprint: "f", Category: "test", Summary: "TestA", Count: 2, LastSeen: "now", Verified: true,
			}}},
			`{"errors":[{"category":"test","summary":"TestA","count":2,"lastSeen":"now","verified":true}]}`},
		"no errors": {wire.ErrorsListResult{}, `{"errors":[]}`},
		"a context": {
			wire.ContextResult{Context: &wire.Context{Text: "a", Prefix: "a", Tokens: 1}, Revision: "r1"},
			`{"text":"a","revision":"r1","tokens":1}`},
		"a difference": {
			wire.ContextResult{Delta: &wire.ContextDelta{Text: "b"}, Revision: "r2"}, `{"text":"b","revision":"r2"}`},
		"nothing new": {wire.ContextResult{Unchanged: true, Revision: "r2"}, `{"unchanged":true,"revision":"r2"}`},
	} {
		doc, err := wire.Encode(structured(c.result))
		require.NoError(t, err, name)
		assert.JSONEq(t, c.want, string(doc), name)
	}
}

func TestAnUndoIsACallOfAToolThatIsOffered(t *testing.T) {
	few := newServer(t.Context(), Options{In: &bytes.Buffer{}, Out: &bytes.Buffer{}, Log: quiet})
	kept := few.callable(json.RawMessage(`{"a":1,"undo":{"method":"wm/memory/remove","params":{"id":"m1"}}}`))
	assert.JSONEq(t, `{"a":1,"undo":{"method":"memory_forget","params":{"id":"m1"}}}`, string(kept))
	dropped := few.callable(json.RawMessage(`{"a":1,"undo":{"method":"wm/notes/archive","params":{}}}`))
	assert.JSONEq(t, `{"a":1}`, string(dropped))
	all := newServer(t.Context(), Options{In: &bytes.Buffer{}, Out: &bytes.Buffer{}, Log: quiet, AllTools: true})
	kept = all.callable(json.RawMessage(`{"undo":{"method":"wm/notes/archive","params":{}}}`))
	assert.JSONEq(t, `{"undo":{"method":"notes_archive","params":{}}}`, string(kept))
}

func TestEveryParameterOfAToolIsOneOfItsMethod(t *testing.T) {
	for _, tool := range allTools() {
		params := paramsOf(t, tool)
		for _, name := range slices.Concat(tool.shown, tool.required) {
			assert.NotEqual(t, reflect.StructField{}, fieldOf(t, params, name), "%s.%s", tool.name, name)
		}
	}
}

func TestASecretInANameIsRefusedUnlessTheFileExists(t *testing.T) {
	const token, card = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345", "4111" + "111111111111"
	h := start(t, setting{allTools: true})
	other := beside(t, h.data, h.dir)
	for _, name := range []string{token, card, "of " + card, "ann" + "@acme.test?token=" + token} {
		said := h.fail("memory_remember", object{"text": "We pin Go", "files": []string{"x/" + name + ".txt"}})
		assert.Contains(t, said, "files: \"x/")
		assert.Contains(t, said, "is not a file of the workspace")
		note := "detail/" + name + ".md"
		said = h.fail("notes_write", object{"path": note, "content": "x"})
		assert.Contains(t, said, "holds a secret; call it otherwise")
	}
	none, _ := h.call("memory_list", nil)
	assert.Equal(t, "The workspace memory is empty.", none)

	for _, name := range []string{"x/" + card + ".txt", "users/ann" + "@acme.test/keys.txt"} {
		require.NoError(t, os.MkdirAll(filepath.Join(h.dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(h.dir, name), nil, 0o644))
		_, data := h.call("memory_remember",
			object{"text": "What " + filepath.Base(name) + " is for", "files": []string{"./" + name}})
		id := data["id"].(string)
		h.call("memory_update", object{"id": id, "pinned": true})
		list := other.call("wm/memory/list", &wire.MemoryListParams{}).(wire.MemoryListResult)
		last := slices.IndexFunc(list.Entries, func(e wire.MemoryEntry) bool { return e.ID == id })
		assert.Equal(t, []string{name}, list.Entries[last].Files, "the name of a real file is kept as it is")
	}
}

func TestAnAgentIsToldWhatTheOneBeforeItLeft(t *testing.T) {
	data, folder := t.TempDir(), t.TempDir()
	first := start(t, setting{data: data, dir: folder, allTools: true})
	said, _ := first.call("handover", nil)
	assert.Equal(t, "No session that has ended left anything here.", said)
	first.call("core_memory_update", object{"block": "goal", "operation": "replace", "content": "Round half up."})
	first.call("working_memory_add", object{"content": "total.go rounds down"})
	first.leave()
	second := start(t, setting{data: data, dir: folder, allTools: true})
	said, _ = second.call("handover", nil)
	assert.Contains(t, said, "Round half up.")
}

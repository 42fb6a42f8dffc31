package service

import (
	"context"
	"go/build"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

func TestTheServiceKnowsNothingOfJSONRPCAndLSP(t *testing.T) {
	own, err := build.Import(".", ".", 0)
	require.NoError(t, err)
	for _, path := range own.Imports {
		assert.NotContains(t, path, "jsonrpc2")
		assert.NotContains(t, path, "go.lsp.dev/protocol")
		assert.False(t, strings.HasSuffix(path, "server/lsp") || strings.HasSuffix(path, "server/frame"), path)
	}
	assert.Contains(t, own.Imports, "github.com/wm-lsp/wm-lsp/server/wire", "the imports are those of this package")
}

func TestEveryMethodOfTheProtocolIsAnOperation(t *testing.T) {
	ops := map[string]Operation{}
	for _, op := range New(Options{}).Operations() {
		ops[op.Name] = op
	}
	for _, method := range wire.Methods() {
		op, there := ops[method.Name]
		require.True(t, there, method.Name)
		assert.Equal(t, method, op.Method)
		assert.Equal(t, method.Params, reflect.TypeOf(op.NewParams()).Elem(), method.Name)
		assert.Contains(t, []wire.Access{wire.Reads, wire.Mutates}, op.Access, method.Name)
		assert.True(t, op.Access == wire.Mutates || !op.Event, "%s tells what happened and only reads", method.Name)
	}
	assert.Len(t, New(Options{}).operations(), len(wire.Methods()))
}

// A call is a call of an operation in walk. If check is nil, the operation must fail with
// the reason.
type call struct {
	name   string
	params func() Params
	check  func(t *testing.T, result any)
	reason fault.Reason
}

// calling returns a call that must succeed.
func calling[R any](name string, params Params, check func(t *testing.T, result R)) call {
	return callingLater(name, func() Params { return params }, check)
}

// callingLater is calling with params that depend on earlier calls.
func callingLater[R any](name string, params func() Params, check func(t *testing.T, result R)) call {
	return call{name: name, params: params, check: func(t *testing.T, result any) {
		typed, right := result.(R)
		require.True(t, right, "%s returns %T", name, result)
		check(t, typed)
	}}
}

func failing(name string, params Params, reason fault.Reason) call {
	return call{name: name, params: func() Params { return params }, reason: reason}
}

func anything[R any](*testing.T, R) {}

// walk returns calls of all operations, in an order in which each has an effect.
func walk(f *face) []call {
	var entry, failure, output, note string
	used, most := 100, 1000
	return []call{
		calling("wm/session/start", &wire.SessionStartParams{
			Params: wire.Params{SessionID: "s"}, Agent: "coder", Title: "The cart", History: true,
		}, func(t *testing.T, r wire.SessionStartResult) { assert.Equal(t, "s", r.SessionID) }),
		calling("wm/message/received", &wire.MessageReceivedParams{
			Role: wire.RoleUser, Text: "Remember this: amounts are integers, in cents",
		}, func(t *testing.T, r wire.MessageReceivedResult) { assert.Len(t, r.Memories, 1) }),
		calling("wm/todos/changed", &wire.TodosChangedParams{
			Todos: []wire.Todo{{ID: "1", Content: "round once", Status: "pending"}}, Partial: true,
		}, anything[wire.Empty]),
		calling("wm/tool/executed", &wire.ToolExecutedParams{
			Tool: "read", Input: []byte(`{"path": "cart.go"}`),
		}, func(t *testing.T, r wire.ToolExecutedResult) { assert.Len(t, r.ActiveFiles, 1) }),
		calling("wm/diagnostics/changed", &wire.DiagnosticsChangedParams{
			URI: f.uri("cart.go"), Diagnostics: []wire.Diagnostic{{Severity: 1, Message: "undefined: cnt"}},
		}, func(t *testing.T, r wire.DiagnosticsChangedResult) { assert.Len(t, r.Opened, 1) }),
		calling("wm/state/event", &wire.StateEventParams{
			Type: "task_started", Data: wire.Object{"task": "Total adds up all amounts"},
		}, anything[wire.Empty]),
		calling("wm/usage/reported", &wire.UsageReportedParams{TokensUsed: &used, TokensMax: &most},
			func(t *testing.T, r wire.Pressure) { assert.InDelta(t, 10, r.Percentage, 0.01) }),
		calling("wm/compaction/starting", &wire.CompactionStartingParams{},
			func(t *testing.T, r wire.CompactionStartingResult) { assert.Contains(t, r.Context, "round once") }),
		calling("wm/compaction/finished", &wire.CompactionFinishedParams{
			Summary: "<workspace_memory_candidates>\n- [project] Discounts come off before the tax is added\n" +
				"</workspace_memory_candidates>",
		}, func(t *testing.T, r wire.CompactionFinishedResult) { assert.Len(t, r.Memories, 1) }),

		calling("wm/session/list", &wire.SessionListParams{},
			func(t *testing.T, r wire.SessionListResult) { assert.Len(t, r.Sessions, 1) }),
		calling("wm/context", &wire.ContextParams{}, func(t *testing.T, r wire.ContextResult) {
			assert.Contains(t, r.Text, "amounts are integers, in cents")
		}),
		calling("wm/search", &wire.SearchParams{Query: "amount in cents"}, func(t *testing.T, r wire.SearchResult) {
			require.NotEmpty(t, r.Hits)
			assert.Contains(t, r.Hits[0].Item.Text, "amounts are integers, in cents")
		}),
		calling("wm/errors/list", &wire.ErrorsListParams{},
			func(t *testing.T, r wire.ErrorsListResult) {
				require.Len(t, r.Errors, 1)
				failure = r.Errors[0].Fingerprint
			}),
		callingLater("wm/errors/copy", func() Params { return &wire.ErrorParams{Fingerprint: failure} },
			func(t *testing.T, r wire.ErrorsCopyResult) { assert.Contains(t, r.Clipboard, "undefined: cnt") }),
		failing("wm/errors/command", &wire.ErrorParams{Fingerprint: "nothing"}, fault.NotFound),
		callingLater("wm/errors/dismiss", func() Params { return &wire.ErrorParams{Fingerprint: failure} },
			func(t *testing.T, r wire.ErrorsDismissResult) { assert.Equal(t, "undefined: cnt", r.Error.Summary) }),
		callingLater("wm/errors/restore", func() Params { return &wire.ErrorParams{Fingerprint: failure} },
			func(t *testing.T, r wire.ErrorsDismissResult) { assert.Equal(t, failure, r.Error.Fingerprint) }),
		calling("wm/files/list", &wire.FilesListParams{},
			func(t *testing.T, r wire.FilesListResult) { assert.Len(t, r.Files, 1) }),
		calling("wm/panel", &wire.PanelParams{},
			func(t *testing.T, r wire.PanelResult) { assert.NotEmpty(t, r.Panel.Sections) }),
		calling("wm/pressure", &wire.PressureParams{},
			func(t *testing.T, r wire.Pressure) { assert.Equal(t, 100, r.Used) }),
		failing("wm/panel/resolve", &wire.PanelResolveParams{ID: "nothing"}, fault.NotFound),

		calling("wm/memory/add", &wire.MemoryAddParams{Text: "Round once, on the total, half up"},
			func(t *testing.T, r wire.Receipt) {
				require.NotNil(t, r.Entry)
				entry = r.Entry.ID
			}),
		callingLater("wm/memory/update", func() Params {
			decision := "decision"
			return &wire.MemoryUpdateParams{ID: entry, Type: &decision}
		}, func(t *testing.T, r wire.Receipt) { assert.Equal(t, "decision", r.Entry.Type) }),
		callingLater("wm/memory/explain", func() Params { return &wire.MemoryExplainParams{ID: entry} },
			func(t *testing.T, r wire.MemoryExplainResult) { assert.Len(t, r.Events, 2) }),
		callingLater("wm/memory/remove", func() Params { return &wire.MemoryRemoveParams{ID: entry} },
			func(t *testing.T, r wire.MemoryRemoveResult) { assert.EqualValues(t, "removed", r.Entry.Status) }),
		callingLater("wm/memory/restore", func() Params { return &wire.MemoryRestoreParams{ID: entry} },
			func(t *testing.T, r wire.Receipt) { assert.Equal(t, entry, r.ID) }),
		callingLater("wm/errors/remember", func() Params {
			return &wire.ErrorsRememberParams{
				ErrorParams: wire.ErrorParams{Fingerprint: failure}, Fix: "declare cnt before the loop",
			}
		}, func(t *testing.T, r wire.Receipt) { assert.Contains(t, r.Entry.Text, "declare cnt before the loop") }),
		calling("wm/memory/list", &wire.MemoryListParams{},
			func(t *testing.T, r wire.MemoryListResult) { assert.Len(t, r.Entries, 4) }),
		calling("wm/core/update", &wire.CoreUpdateParams{
			Block: "goal", Operation: wire.CoreReplace, Content: "Total adds up all amounts",
		}, func(t *testing.T, r wire.CoreUpdateResult) { assert.Equal(t, 25, r.Block.Chars) }),
		calling("wm/core/read", &wire.CoreReadParams{},
			func(t *testing.T, r wire.CoreReadResult) { assert.Equal(t, 25, r.Blocks.Goal.Chars) }),
		calling("wm/working/add", &wire.WorkingAddParams{Slot: "todo", Content: "ask about the tax"},
			func(t *testing.T, r wire.WorkingAddResult) { assert.Equal(t, "ask about the tax", r.Item.Content) }),
		calling("wm/working/read", &wire.WorkingReadParams{},
			func(t *testing.T, r wire.WorkingReadResult) { assert.NotEmpty(t, r.Slots["todo"]) }),
		calling("wm/working/remove", &wire.WorkingRemoveParams{Match: "about the tax"},
			func(t *testing.T, r wire.WorkingRemoveResult) { assert.Len(t, r.Removed, 1) }),
		calling("wm/working/restore", &wire.WorkingRestoreParams{
			Items: []wire.WorkingDropped{{Slot: "todo", Content: "ask about the tax"}},
		}, func(t *testing.T, r wire.WorkingRestoreResult) { assert.Equal(t, 1, r.Restored) }),
		calling("wm/working/clear", &wire.WorkingClearParams{Slot: "todo"},
			func(t *testing.T, r wire.WorkingClearResult) { assert.NotZero(t, r.Removed) }),
		calling("wm/notes/write", &wire.NotesWriteParams{Path: "detail/tax.md", Content: "# Tax\n"},
			func(t *testing.T, r wire.NotesWriteResult) { assert.NotEmpty(t, r.Revision) }),
		calling("wm/notes/list", &wire.NotesListParams{},
			func(t *testing.T, r wire.NotesListResult) { assert.Len(t, r.Files, 2) }),
		calling("wm/notes/read", &wire.NotesReadParams{Path: "detail/tax.md"},
			func(t *testing.T, r wire.NotesReadResult) { assert.Equal(t, "# Tax\n", r.Content) }),
		calling("wm/notes/archive", &wire.NotesArchiveParams{Path: "detail/tax.md"},
			func(t *testing.T, r wire.NotesArchiveResult) {
				note = r.Path
				assert.Equal(t, "wm/notes/restore", r.Undo.Method)
			}),
		callingLater("wm/notes/restore", func() Params { return &wire.NotesRestoreParams{Path: note} },
			func(t *testing.T, r wire.NotesRestoreResult) { assert.Equal(t, "detail/tax.md", r.Path) }),
		calling("wm/state/write", &wire.StateWriteParams{YAML: "current_state:\n  task: Round the total\n"},
			func(t *testing.T, r wire.StateWriteResult) { assert.NotEmpty(t, r.Revision) }),
		calling("wm/state/read", &wire.StateReadParams{},
			func(t *testing.T, r wire.StateReadResult) { assert.Contains(t, r.YAML, "Round the total") }),
		calling("wm/history/compact", &wire.HistoryCompactParams{Target: wire.TargetAll},
			anything[wire.HistoryCompactResult]),
		calling("wm/prune", &wire.PruneParams{
			Output: strings.Repeat("ok  \texample.com/cart\t0.1s\n", 5000), Mode: wire.PruneHyper,
		}, func(t *testing.T, r wire.Pruned) {
			assert.True(t, r.Pruned)
			output = r.Ref
		}),
		callingLater("wm/output/read", func() Params { return &wire.OutputReadParams{Ref: output, Limit: 2} },
			func(t *testing.T, r wire.OutputReadResult) { assert.Equal(t, "ok", r.Output) }),
		calling("wm/search/tune", &wire.SearchTuneParams{Coefficients: &wire.Coefficients{Similarity: 1}},
			func(t *testing.T, r wire.SearchTuneResult) {
				assert.Equal(t, wire.Coefficients{Similarity: 1}, r.After)
			}),
		calling("wm/sweep", &wire.SweepParams{}, anything[wire.SweepResult]),
		calling("wm/memorize", &wire.MemorizeParams{Items: []wire.MemoryItem{
			{Text: "The cart rounds half up, on the total", Type: "fact"},
		}}, func(t *testing.T, r wire.MemorizeResult) {
			require.Len(t, r.Results, 1)
			assert.Equal(t, []string{"semantic"}, r.Results[0].Stores)
		}),
		calling("wm/commit", &wire.CommitParams{}, func(t *testing.T, r wire.CommitResult) {
			assert.Equal(t, 1, r.Turn)
			assert.Len(t, r.Exports.Semantic, 1)
		}),
		calling("wm/skills", &wire.SkillsParams{},
			func(t *testing.T, r wire.SkillsResult) { assert.Empty(t, r.Skills) }),
		failing("wm/skills/get", &wire.SkillsGetParams{ID: "none"}, fault.NotFound),
		failing("wm/skills/update", &wire.SkillsUpdateParams{ID: "none"}, fault.NotFound),
		failing("wm/skills/remove", &wire.SkillsRemoveParams{ID: "none"}, fault.NotFound),
		failing("wm/skills/restore", &wire.SkillsRestoreParams{ID: "none"}, fault.NotFound),
		calling("wm/skills/export", &wire.SkillsExportParams{Folder: "skills", Consent: true},
			func(t *testing.T, r wire.SkillsExportResult) { assert.Empty(t, r.Skills) }),
		calling("wm/budget", &wire.BudgetParams{}, func(t *testing.T, r wire.BudgetResult) {
			assert.NotZero(t, r.Tokens.Used)
		}),
		calling("wm/trace", &wire.TraceParams{},
			func(t *testing.T, r wire.TraceResult) { assert.NotEmpty(t, r.Events) }),
		calling("wm/import", &wire.ImportParams{},
			func(t *testing.T, r wire.ImportResult) { assert.Empty(t, r.Memories) }),
		calling("wm/pause", &wire.PauseParams{Minutes: 5},
			func(t *testing.T, r wire.PauseResult) { assert.NotEmpty(t, r.PausedUntil) }),
		failing("wm/notes/write", &wire.NotesWriteParams{Path: "detail/tax.md", Content: "x"}, fault.Paused),
		calling("wm/pause", &wire.PauseParams{Resume: true},
			func(t *testing.T, r wire.PauseResult) { assert.Empty(t, r.PausedUntil) }),
		calling("wm/status", &wire.StatusParams{}, func(t *testing.T, r wire.StatusResult) {
			assert.Equal(t, "test", r.Version)
			assert.True(t, r.Store.Healthy)
		}),
		calling("wm/session/end", &wire.SessionEndParams{Params: wire.Params{SessionID: "s"}},
			anything[wire.SessionEndResult]),
		calling("wm/session/handover", &wire.SessionHandoverParams{},
			func(t *testing.T, r wire.SessionHandoverResult) {
				require.NotNil(t, r.Handover)
				assert.Contains(t, r.Handover.Text, "round once")
			}),
		calling("wm/session/continue", &wire.SessionContinueParams{Params: wire.Params{SessionID: "s"}},
			func(t *testing.T, r wire.SessionContinueResult) { assert.True(t, r.Handover.Offered) }),
		calling("wm/session/delete", &wire.SessionDeleteParams{Params: wire.Params{SessionID: "s"}},
			func(t *testing.T, r wire.SessionDeleteResult) { assert.NotEmpty(t, r.Removed) }),
		failing("wm/core/read", &wire.CoreReadParams{}, fault.NotFound),
		callingLater("wm/workspace/purge", func() Params {
			status := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
			return &wire.WorkspacePurgeParams{Confirm: status.Workspace.Key}
		}, func(t *testing.T, r wire.WorkspacePurgeResult) { assert.NotEmpty(t, r.Removed) }),
	}
}

// A face without JSON and connection can call every operation. Operations that read do not
// change the version of the workspace.
func TestEveryOperationCanBeCalledFromGo(t *testing.T) {
	f := newFace(t)
	f.write("cart.go", "package cart\n")
	called := map[string]bool{}
	for _, c := range walk(f) {
		called[c.name] = true
		params := c.params()
		at, err := f.service.View(params)
		require.NoError(t, err, c.name)
		before := at.Version()
		result, err := f.call(c.name, params)
		if f.known[c.name].Access == wire.Reads {
			assert.Equal(t, before, at.Version(), "%s only reads", c.name)
		}
		if c.check == nil {
			assert.IsType(t, &fault.Fault{}, err, c.name)
			assert.True(t, fault.Has(err, c.reason), "%s: %v", c.name, err)
			continue
		}
		require.NoError(t, err, c.name)
		assert.Equal(t, f.known[c.name].Result, reflect.TypeOf(result), "the result of %s", c.name)
		c.check(t, result)
	}
	for name := range f.known {
		assert.True(t, called[name], "%s is not called here", name)
	}
	assert.Eventually(t, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.changed) > 0
	}, Patience, 10*time.Millisecond, "the outbox is told what changed")
}

func TestWhatReadsWaitsForWhatWasStartedBefore(t *testing.T) {
	f := newFace(t)
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(t, err)
	hold := make(chan struct{})
	f.service.Order(t.Context(), wire.Mutates, at, func(context.Context) (any, error) {
		<-hold
		return nil, nil
	})
	added := f.start("wm/memory/add", &wire.MemoryAddParams{Text: "Round once, on the total, half up"})
	listed := f.start("wm/memory/list", &wire.MemoryListParams{})
	close(hold)
	result, err := listed()
	require.NoError(t, err)
	assert.Len(t, result.(wire.MemoryListResult).Entries, 1)
	_, err = added()
	assert.NoError(t, err)
}

func TestACancelledOperationIsAFaultAndChangesNothing(t *testing.T) {
	f := newFace(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, params := range map[string]Params{
		"wm/memory/add": &wire.MemoryAddParams{Text: "Round once, on the total, half up"},
		"wm/core/update": &wire.CoreUpdateParams{
			Block: "goal", Operation: wire.CoreReplace, Content: "Total adds up all amounts",
		},
	} {
		at, err := f.service.View(params)
		require.NoError(t, err)
		_, err = f.service.Start(ctx, f.known[name], at, params)()
		assert.Equal(t, fault.Cancelled, fault.Of(err).Kind, name)
	}
	assert.Empty(t, get[wire.MemoryListResult](f, "wm/memory/list", &wire.MemoryListParams{}).Entries)
}

func TestAPanicIsAFaultAndTheNextOperationRuns(t *testing.T) {
	f := newFace(t)
	boom := func(context.Context, *View, *wire.StatusParams) (wire.Empty, error) { panic("boom") }
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(t, err)
	for _, access := range []wire.Access{wire.Reads, wire.Mutates} {
		op := Define(wire.Method{Name: "test/boom", Access: access}, boom)
		f.service.Post(t.Context(), op, at, &wire.StatusParams{})
		_, err := f.service.Start(t.Context(), op, at, &wire.StatusParams{})()
		assert.Equal(t, fault.Internal, fault.Of(err).Kind, access)
		assert.ErrorContains(t, err, "see its log")
	}
	get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
}

func TestStatusAndPanelDoNotWaitForLongWorkOnTheQueue(t *testing.T) {
	slow.Test(t)
	f := newFace(t)
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(t, err)
	get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
	release, released := make(chan struct{}), make(chan struct{})
	require.True(t, at.Do(func() {
		defer close(released)
		<-release // an output of many megabytes
	}))
	get[wire.StatusResult](f, "wm/status", &wire.StatusParams{})
	get[wire.PanelResult](f, "wm/panel", &wire.PanelParams{})
	select {
	case <-released:
		t.Fatal("they waited for the queue")
	default:
	}
	close(release)
	<-released
}

func TestAnOperationTakesOnlyItsOwnParams(t *testing.T) {
	f := newFace(t)
	_, err := f.call("wm/status", &wire.PauseParams{})
	assert.ErrorContains(t, err, "wm/status takes *wire.StatusParams, got *wire.PauseParams")
}

// The time is measured by make bench.
func TestD9_AContextIsMadeAnewOnlyWhenTheOverviewSaysSomethingElse(t *testing.T) {
	f := newFace(t)
	context := func() string {
		return get[wire.ContextResult](f, "wm/context", &wire.ContextParams{}).Text
	}
	get[wire.NotesWriteResult](f, "wm/notes/write", &wire.NotesWriteParams{Path: "overview.md", Content: "Cart\n"})
	root := get[wire.NotesListResult](f, "wm/notes/list", &wire.NotesListParams{}).Root
	put := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, "overview.md"), []byte(text), 0o600))
	}
	made := func() int {
		f.service.answers.mu.Lock()
		defer f.service.answers.mu.Unlock()
		return len(f.service.answers.results)
	}
	context()
	before := made()
	for range 10 {
		put("Cart\n") // written again, with the same words
		context()
	}
	assert.Equal(t, before, made())
	put("Cat!\n")
	assert.Contains(t, context(), "Cat!", "as long as it was, and in the same second")
	assert.Equal(t, before+1, made())
}

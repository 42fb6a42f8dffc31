package lsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestA12_ASweepIsMadeOnRequestAndEveryFiveHundredEvents(t *testing.T) {
	p := start(t, nil)
	var output strings.Builder
	for i := range 200 {
		fmt.Fprintf(&output, "unit %d of %x\n", i, i*i)
	}
	var pruned wire.Pruned
	p.call("wm/prune", map[string]any{"output": output.String()}, &pruned)
	require.NotEmpty(t, pruned.Ref)
	var swept wire.SweepResult
	p.call("wm/sweep", nil, &swept)
	assert.Equal(t, 1, swept.Scanned)
	assert.Zero(t, swept.Deleted)
	assert.Empty(t, swept.Failed)
	assert.NotNil(t, swept.Failed)
	assert.NotZero(t, swept.At)

	sweeps := func() int {
		var trace wire.TraceResult
		p.call("wm/trace", map[string]any{"kinds": []string{"outputs"}}, &trace)
		return len(trace.Events)
	}
	require.Equal(t, 1, sweeps())
	for range 499 {
		p.notify("wm/tool/executed", map[string]any{"tool": "read"})
	}
	assert.Equal(t, 1, sweeps())
	p.notify("wm/tool/executed", map[string]any{"tool": "read"})
	p.call("wm/pressure", nil, nil)
	assert.Equal(t, 2, sweeps())
}

func TestB14_NothingIsWrittenForASessionThatWasDeleted(t *testing.T) {
	p := start(t, nil)
	p.call("wm/session/start", map[string]any{"sessionId": "gone"}, nil)
	p.call("wm/notes/write", map[string]any{"sessionId": "gone", "path": "detail/plan.md", "content": "# Plan"}, nil)
	var deleted wire.SessionDeleteResult
	p.call("wm/session/delete", map[string]any{"sessionId": "gone"}, &deleted)
	assert.True(t, strings.HasSuffix(strings.Join(deleted.Removed, "\n"), "working-memory/detail/plan.md"), "%q",
		deleted.Removed)
	for method, params := range map[string]map[string]any{
		"wm/notes/write": {"path": "detail/plan.md", "content": "# Plan"},
		"wm/core/update": {"block": "goal", "operation": "replace", "content": "ship"},
		"wm/working/add": {"content": "a finding"},
	} {
		params["sessionId"] = "gone"
		assert.Error(t, p.try(method, params, nil), method)
	}
	var context wire.ContextResult
	p.call("wm/context", map[string]any{"sessionId": "gone"}, &context)
	p.call("wm/session/delete", map[string]any{"sessionId": "gone"}, &deleted)
	assert.Empty(t, deleted.Removed, "nothing came back")

	p.call("wm/session/start", map[string]any{"sessionId": "gone"}, nil)
	p.call("wm/core/update",
		map[string]any{"sessionId": "gone", "block": "goal", "operation": "replace", "content": "ship"}, nil)
}

func TestB1_AnEntryThatWasSweptIsSaidSo(t *testing.T) {
	p := startWith(t, map[string]any{"memory": map[string]any{"maxEntries": 1, "maxPast": 10}})
	var added []string
	for i := range 13 {
		var receipt wire.Receipt
		p.call("wm/memory/add", map[string]any{"text": fmt.Sprintf("The archive %d is read only", i)}, &receipt)
		added = append(added, receipt.ID)
	}
	var swept wire.SweepResult
	p.call("wm/sweep", nil, &swept)
	assert.Equal(t, 2, swept.Entries)
	for _, method := range []string{"wm/memory/restore", "wm/memory/explain", "wm/memory/remove"} {
		refused := p.fails(method, map[string]any{"id": added[1]})
		assert.Contains(t, refused.Message, "was deleted by a sweep on ", method)
		assert.Contains(t, refused.Message, "over the limit of 10 entries no longer in force", method)
	}
	assert.Contains(t, p.fails("wm/memory/explain", map[string]any{"id": "none"}).Message, "there is no memory")
	var trace wire.TraceResult
	p.call("wm/trace", map[string]any{"id": added[1]}, &trace)
	assert.Equal(t, "memory.swept", trace.Events[len(trace.Events)-1].Kind)
	var restored wire.Receipt
	p.call("wm/memory/restore", map[string]any{"id": added[2]}, &restored)
	assert.Equal(t, wire.EntryStatus("active"), restored.Entry.Status)
}

package lsp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func report(p *peer, params map[string]any) wire.Pressure {
	var told wire.Pressure
	p.call("wm/usage/reported", params, &told)
	return told
}

func TestA10_TheLatestReportCountsInCharactersOrTokens(t *testing.T) {
	p := start(t, nil)
	var told wire.Pressure
	p.call("wm/pressure", nil, &told)
	assert.Equal(t, wire.Pressure{
		Level: wire.PressureSafe, Hint: wire.HintNormal, Limit: 180_000, Unit: wire.UnitChars,
		History: []wire.PressurePoint{},
	}, told)

	told = report(p, map[string]any{"promptChars": 126_000})
	assert.Equal(t, wire.PressureModerate, told.Level)
	assert.Equal(t, wire.HintHeavy, told.Hint)
	assert.InDelta(t, 70, told.Percentage, 1e-9)
	told = report(p, map[string]any{"promptChars": 10, "tokensUsed": 100_000, "tokensMax": 200_000})
	assert.Equal(t, wire.UnitTokens, told.Unit)
	assert.InDelta(t, 50, told.Percentage, 1e-9)
	assert.Len(t, told.History, 2)
	var again wire.Pressure
	p.call("wm/pressure", nil, &again)
	assert.Equal(t, told, again)
	p.call("wm/pressure", map[string]any{"sessionId": "another"}, &again)
	assert.Zero(t, again.Used)

	var panel wire.PanelResult
	p.call("wm/panel", nil, &panel)
	require.NotNil(t, panel.Pressure)
	assert.Equal(t, told, *panel.Pressure)
	for _, wrong := range []map[string]any{
		{}, {"tokensUsed": 5}, {"promptChars": -1}, {"tokensUsed": 5, "tokensMax": 0},
	} {
		assert.EqualValues(t, wire.CodeInvalidParams, p.fails("wm/usage/reported", wrong).Code, wrong)
	}
}

func TestA11_ACriticalContextIsToldOnceForEachCrossing(t *testing.T) {
	p := start(t, nil)
	for _, c := range []struct{ used, sent int }{{94, 0}, {95, 1}, {99, 1}, {50, 1}, {100, 2}} {
		assert.Equal(t, c.sent, report(
			p,
			map[string]any{"promptChars": c.used, "charLimit": 100, "visiblePrompt": "all of it"},
		).InterventionsSent, c.used)
	}
	p.eventually("both interventions", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.warned) == 2
	})
	assert.Equal(t, "all of it", p.warned[0].VisiblePrompt)
	assert.Equal(t, 1, p.warned[0].Pressure.InterventionsSent)
}

func TestA11_ThePressureIsOneLineOfTheContextThatGrowsFirmer(t *testing.T) {
	p := start(t, nil)
	section := func() string {
		var context wire.ContextResult
		p.call("wm/context", map[string]any{"include": []string{"pressure"}}, &context)
		return context.Text
	}
	assert.Empty(t, section(), "nothing was reported")
	report(p, map[string]any{"promptChars": 30, "charLimit": 100})
	assert.Equal(t, "<pressure>30 % of your context is used (safe).</pressure>", section(), "the hint is another one")
	report(p, map[string]any{"promptChars": 31, "charLimit": 100})
	assert.Empty(t, section(), "nothing is new")
	report(p, map[string]any{"promptChars": 61, "charLimit": 100})
	assert.Equal(t, "<pressure>61 % of your context is used (safe). Archive what you are done with before it gets "+
		"full.</pressure>", section(), "the advice beside it is to archive")
	report(p, map[string]any{"promptChars": 75, "charLimit": 100})
	assert.Contains(t, section(), "(moderate). It is getting full.</pressure>")
	report(p, map[string]any{"promptChars": 90, "charLimit": 100})
	for _, named := range []string{"Compress your core blocks", "clear resolved errors", "compact the history"} {
		assert.Contains(t, section(), named)
	}
	assert.NotContains(t, section(), "\n")

	var context wire.ContextResult
	p.call("wm/context", map[string]any{"budget": map[string]any{"chars": 400}}, &context)
	assert.Contains(t, context.Suffix, "<pressure>90 %", "it is kept where other sections give way")
	assert.Equal(t, wire.PressureHigh, context.Pressure.Level)
}

func TestA8_TheModeOfPruningFollowsThePressure(t *testing.T) {
	p := start(t, nil)
	output := strings.Repeat("a\nb\nc\nd\n", 50)
	for used, want := range map[int]wire.PruneMode{
		84: wire.PruneNormal, 85: wire.PruneAggressive, 95: wire.PruneHyper,
	} {
		report(p, map[string]any{"promptChars": used, "charLimit": 100})
		var pruned wire.Pruned
		p.call("wm/prune", map[string]any{"output": output}, &pruned)
		assert.Equal(t, want, pruned.Mode)
		var told wire.ToolExecutedResult
		p.call("wm/tool/executed", map[string]any{"tool": "bash", "output": output, "prune": true}, &told)
		assert.Equal(t, want, told.Output.Mode)
		p.call("wm/prune", map[string]any{"output": output, "mode": "normal"}, &pruned)
		assert.Equal(t, wire.PruneNormal, pruned.Mode)
	}
}

func TestA8_APressureFromBeforeACompactionDoesNotPrune(t *testing.T) {
	p := start(t, nil)
	mode := func() wire.PruneMode {
		var pruned wire.Pruned
		p.call("wm/prune", map[string]any{"output": strings.Repeat("a\nb\nc\nd\n", 50)}, &pruned)
		return pruned.Mode
	}
	report(p, map[string]any{"promptChars": 96, "charLimit": 100})
	assert.Equal(t, wire.PruneHyper, mode())
	p.call("wm/compaction/finished", map[string]any{"summary": "The totals are rounded."}, nil)
	assert.Equal(t, wire.PruneNormal, mode(), "nobody knows how full the context is now")
	report(p, map[string]any{"promptChars": 86, "charLimit": 100})
	assert.Equal(t, wire.PruneAggressive, mode())
}

func TestC2_EachHintSaysWhatToCompress(t *testing.T) {
	p := start(t, nil)
	said := map[string]bool{}
	for _, c := range []struct {
		used int
		hint wire.PressureHint
	}{
		{0, wire.HintNormal}, {19, wire.HintNormal}, {20, wire.HintLight}, {39, wire.HintLight}, {40, wire.HintMedium},
		{59, wire.HintMedium},
		{60, wire.HintHeavy}, {74, wire.HintHeavy}, {75, wire.HintEmergency}, {100, wire.HintEmergency},
	} {
		report(p, map[string]any{"tokensUsed": 30, "tokensMax": 100})
		report(p, map[string]any{"tokensUsed": 0, "tokensMax": 100})
		got := report(p, map[string]any{"tokensUsed": c.used, "tokensMax": 100})
		assert.Equal(t, c.hint, got.Hint, c.used)
		assert.Equal(t, c.hint == wire.HintNormal, got.Advice == "", c.used)
		said[got.Advice] = true
		var context wire.ContextResult
		p.call("wm/context", nil, &context)
		if c.hint == wire.HintNormal {
			assert.NotContains(t, context.Text, "tokens_percent", "the hint was normal before")
			continue
		}
		assert.Equal(t, got.Advice, metaOf(t, context.Text)["compress"])
	}
	assert.Len(t, said, 5, "each says something else")
}

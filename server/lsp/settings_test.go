package lsp

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// configure writes the settings file of the repository and sends settings of the client.
func (p *peer) configure(file string, client map[string]any) {
	p.t.Helper()
	p.write("wm-lsp.toml", file)
	p.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"wm": client}})
}

// told returns the problems of the settings, without the folder of the file.
func (p *peer) told() []string {
	p.t.Helper()
	var status wire.StatusResult
	p.call("wm/status", nil, &status)
	told := []string{}
	for _, problem := range status.Problems {
		told = append(told, strings.ReplaceAll(problem.Message, p.root+string(filepath.Separator), ""))
	}
	return told
}

func TestA15_ThresholdsAndLinesAreSettings(t *testing.T) {
	p := start(t, nil)
	p.configure(`
		[pressure]
		critical = 20
		[[prune.lines]]
		pattern = '^seed \d+'
		keep = "always"
		[[prune.lines]]
		pattern = "("
		keep = "never"
	`, map[string]any{
		"pressure": map[string]any{"moderate": 30, "high": 40, "critical": 50},
		"prune":    map[string]any{"lines": []any{map[string]any{"pattern": "beat$", "keep": "never"}}},
		"working": map[string]any{
			"slots": []any{map[string]any{"name": "risk", "max": 2}, map[string]any{"name": "plan", "max": 51}},
		},
	})
	assert.Equal(t, []string{
		"test: working.slots[1].max must be at most 50, got 51; it is ignored",
		"wm-lsp.toml: pressure.critical cannot be set by a repository; used instead: 50",
		`wm-lsp.toml: prune.lines[1].pattern must be a regular expression, got "(": missing closing ) at "("; ` +
			`it is ignored`,
	}, p.told())

	for _, c := range []struct {
		used, sent int
		level      wire.PressureLevel
		mode       wire.PruneMode
	}{
		{29, 0, wire.PressureSafe, wire.PruneNormal}, {30, 0, wire.PressureModerate, wire.PruneNormal},
		{40, 0, wire.PressureHigh, wire.PruneAggressive}, {50, 1, wire.PressureCritical, wire.PruneHyper},
	} {
		told := report(p, map[string]any{"promptChars": c.used, "charLimit": 100})
		assert.Equal(t, c.level, told.Level)
		assert.Equal(t, c.sent, told.InterventionsSent)
		var pruned wire.Pruned
		p.call("wm/prune", map[string]any{
			"output": strings.Repeat("a\nb\nc\nd\n", 50) + "seed 7\nlast beat\n" + strings.Repeat("e\nf\ng\n", 50),
		}, &pruned)
		assert.Equal(t, c.mode, pruned.Mode)
		assert.Contains(t, pruned.Output, "seed 7")
		assert.NotContains(t, pruned.Output, "beat")
	}
}

func TestC7_TheThresholdsOfCompressionAreSettings(t *testing.T) {
	p := start(t, nil)
	p.configure("[compact]\nlight = 0.9", map[string]any{"compact": map[string]any{"light": 0.5, "medium": 0.55}})
	assert.Equal(t, []string{"wm-lsp.toml: compact.light cannot be set by a repository; used instead: 0.5"}, p.told())
	for used, hint := range map[int]wire.PressureHint{
		49: wire.HintNormal, 50: wire.HintLight, 55: wire.HintMedium, 60: wire.HintHeavy,
	} {
		assert.Equal(t, hint, report(p, map[string]any{"promptChars": used, "charLimit": 100}).Hint, used)
	}
	p.configure("", map[string]any{"compact": map[string]any{"light": 0.5}})
	assert.Equal(
		t,
		[]string{
			"test: compact.medium must be greater than compact.light (0.5), got 0.4; " +
				"used instead: light 0.2, medium 0.4, heavy 0.6, emergency 0.75",
		},
		p.told(),
	)
	assert.Equal(t, wire.HintLight, report(p, map[string]any{"promptChars": 20, "charLimit": 100}).Hint)
}

func TestB16_PatternsOfErrorsAndMemoriesAreSettings(t *testing.T) {
	p := start(t, nil)
	p.configure(`
		[memory]
		types = ["risk"]
		patterns = [{pattern = '.+', type = "feedback"}]
		[[errors.patterns]]
		pattern = '^(?P<file>\S+)!(?P<line>\d+)! (?P<message>.+)$'
		category = "house"
		command = "house-*"
		[[errors.patterns]]
		pattern = 'E (.+)'
		category = "house"
	`, map[string]any{"memory": map[string]any{
		"types": []any{"law"}, "patterns": []any{map[string]any{"pattern": "^Law: (.+)", "type": "law"}},
	}})
	assert.Equal(t, []string{
		"wm-lsp.toml: errors.patterns[1].pattern must have a group (?P<message>…); it is ignored",
		"wm-lsp.toml: memory.patterns cannot be set by a repository; used instead: a list of 1",
	}, p.told())

	p.call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "house-lint"},
		"output": "src/a.txt!7! the line is too long\n", "exitCode": 1,
	}, nil)
	require.Len(t, p.errors(), 1)
	assert.Equal(t, "house src/a.txt the line is too long",
		strings.Join([]string{string(p.errors()[0].Category), p.errors()[0].Path, p.errors()[0].Summary}, " "))

	p.call("wm/message/received",
		map[string]any{"role": "user", "text": "Law: the gate of the depot closes at nine in the evening"}, nil)
	p.call("wm/message/received", map[string]any{"role": "user", "text": "the lamps of the depot burn all night"}, nil)
	var list wire.MemoryListResult
	p.call("wm/memory/list", nil, &list)
	require.Len(t, list.Entries, 1)
	assert.Equal(t, "law", string(list.Entries[0].Type))
	assert.Equal(t, "the gate of the depot closes at nine in the evening", list.Entries[0].Text)
}

func TestAClientsSettingIsNamedAsTheClientNamesIt(t *testing.T) {
	p := startWith(t, map[string]any{
		"settingsPrefix": "workingMemory.", "memory": map[string]any{"maxEntries": 900},
	})
	want := []string{"test: workingMemory.memory.maxEntries must be at most 500, got 900; used instead: 28"}
	assert.Equal(t, want, p.told())
	p.configure("[session]\nmaxDecisions = 51\n", map[string]any{"memory": map[string]any{"maxEntries": 900}})
	assert.Equal(t, append(want,
		"wm-lsp.toml: session.maxDecisions must be at most 50, got 51; used instead: 5"), p.told())
}

package settings

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestC7_ThresholdsAreSetByTheClientAndRiseOrAreTheDefaults(t *testing.T) {
	client, repository := both(t, `{"compact": {"auto": false, "light": 0.3, "emergency": 0.9}}`,
		"[compact]\nauto = false\nlight = 0.3")
	got, problems := Merge(client)
	require.Empty(t, problems)
	assert.Equal(t, Compact{Auto: false, Light: 0.3, Medium: 0.4, Heavy: 0.6, Emergency: 0.9}, got.Compact)

	got, problems = Merge(repository)
	require.Len(t, problems, 2)
	assert.Equal(t, "wm-lsp.toml: compact.auto cannot be set by a repository; used instead: true", problems[0].String())
	assert.Equal(t, Default(), got)
	repository.Trusted = true // the user's own file
	got, problems = Merge(repository)
	require.Empty(t, problems)
	assert.InDelta(t, 0.3, got.Compact.Light, 0)

	for name, test := range map[string]struct {
		compact map[string]any
		want    string
	}{
		"not above": {map[string]any{"medium": 0.1}, "compact.medium must be greater than compact.light (0.2), " +
			"got 0.1; used instead: light 0.2, medium 0.4, heavy 0.6, emergency 0.75"},
		"equal": {map[string]any{"light": 0.4}, "compact.medium must be greater than compact.light (0.4), " +
			"got 0.4; used instead: light 0.2, medium 0.4, heavy 0.6, emergency 0.75"},
		"the last": {map[string]any{"light": 0.1, "heavy": 0.8}, "compact.emergency must be greater than " +
			"compact.heavy (0.8), got 0.75; used instead: light 0.2, medium 0.4, heavy 0.6, emergency 0.75"},
		"a percentage": {
			map[string]any{"heavy": int64(60)},
			"compact.heavy must be at most 1, got 60; used instead: 0.6",
		},
		"nothing": {map[string]any{"heavy": 0.0}, "compact.heavy must be at least 0.01, got 0; used instead: 0.6"},
		"no number": {
			map[string]any{"heavy": math.NaN()},
			"compact.heavy must be a number, got NaN; used instead: 0.6",
		},
		"a string": {map[string]any{"heavy": "0.6"}, "compact.heavy must be a number, got string; used instead: 0.6"},
	} {
		t.Run(name, func(t *testing.T) {
			got, problems := Merge(Layer{
				Name:    "client",
				Trusted: true,
				Values:  map[string]any{"compact": test.compact},
			})
			require.Len(t, problems, 1)
			assert.Equal(t, "client: "+test.want, problems[0].String())
			assert.Equal(t, Default(), got)
		})
	}
}

func TestNumbersOfSeveralLayersAgreeOnceAllAreLaid(t *testing.T) {
	layer := func(name string, pressure map[string]any) Layer {
		return Layer{Name: name, Trusted: true, Values: map[string]any{"pressure": pressure}}
	}
	got, problems := Merge(layer("client", map[string]any{"high": int64(60)}),
		layer("user", map[string]any{"moderate": int64(50), "charLimit": int64(5000)}))
	require.Empty(t, problems)
	assert.Equal(t, Pressure{CharLimit: 5000, Moderate: 50, High: 60, Critical: 95}, got.Pressure)

	got, problems = Merge(layer("client", map[string]any{"high": int64(60)}),
		layer("user", map[string]any{"moderate": int64(65), "charLimit": int64(5000)}))
	require.Len(t, problems, 1)
	assert.Equal(t,
		"client: pressure.high must be greater than pressure.moderate (65), got 60; used instead: moderate "+
			"70, high 85, critical 95", problems[0].String())
	assert.Equal(t, Pressure{CharLimit: 5000, Moderate: 70, High: 85, Critical: 95}, got.Pressure,
		"what is not bound to them stays")
}

func TestAFreeTextIsAnyTextUpToItsLength(t *testing.T) {
	notes := func(template any) (*Settings, []Problem) {
		return Merge(Layer{
			Name:    "user",
			Trusted: true,
			Values:  map[string]any{"notes": map[string]any{"template": template}},
		})
	}
	got, problems := notes("# Overview\r\n\r\n\t任务\n")
	require.Empty(t, problems)
	assert.Equal(t, "# Overview\n\n\t任务\n", got.Notes.Template)
	got, problems = notes(strings.Repeat("任", 5000))
	require.Empty(t, problems)
	requireSane(t, got)

	for want, template := range map[string]any{
		`user: notes.template must have at most 5000 characters, got 5001; used instead: ""`: strings.Repeat("x",
			5001),
		`user: notes.template must be valid UTF-8 without control characters; used instead: ""`: "a\x1b[31m",
		`user: notes.template must be a string, got list; used instead: ""`:                     []any{"a"},
	} {
		got, problems := notes(template)
		require.Len(t, problems, 1)
		assert.Equal(t, want, problems[0].String())
		assert.Equal(t, Default(), got)
	}
	_, problems = Merge(
		Layer{Name: "client", Trusted: true, Values: map[string]any{"notes": map[string]any{"template": 1.0}}},
		Layer{
			Name:    "user",
			Trusted: true,
			Values:  map[string]any{"notes": map[string]any{"template": "# Mine\n" + strings.Repeat("x", 100)}},
		})
	require.Len(t, problems, 1)
	assert.Equal(t, `"# Mine\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"`, problems[0].Instead, "on one line, and short")
}

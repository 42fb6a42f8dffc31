package settings

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOnlyValidLimitsOfALayerAreLimits(t *testing.T) {
	client, err := FromJSON([]byte(`{
		"memory": {"maxEntries": 500, "maxChars": 1, "types": ["rule"], "patterns": []},
		"working": {"slots": [{"name": "risk", "max": 4}]},
		"log": {"max_days": 7}, "exclude": ["a/**"], "session": {"maxFiles": 3}
	}`))
	require.NoError(t, err)
	assert.Equal(t, Limits{
		"memory.maxEntries": 500.0, "memory.types": []any{"rule"}, "log.maxDays": 7.0,
		"working.slots": []any{map[string]any{"name": "risk", "max": 4.0}},
	}, LimitsIn(client))
	assert.Empty(t, LimitsIn(Layer{Trusted: true}))
}

func TestLimitsReplaceTheSettingsOfAProcessButNotWhatARepositoryAdds(t *testing.T) {
	client, repository := both(t, `{"memory": {"maxEntries": 20, "types": ["mine"]}, "session": {"keepDays": 3}}`,
		"[memory]\ntypes = [\"ours\"]\n[[working.slots]]\nname = \"risk\"\nmax = 2\n")
	client.Trusted = true
	own, problems := Merge(client, repository)
	require.Empty(t, problems)
	limited := own.WithLimits(Limits{
		"memory.maxEntries": 500.0, "memory.types": []any{"theirs"},
		"memory.maxChars": 1.0, "memory.maxFuture": 3.0, "future": true,
	})
	assert.Equal(t, 500, limited.Memory.MaxEntries)
	assert.Equal(t, []string{"theirs", "ours"}, limited.Memory.Types)
	assert.Equal(t, own.Working.Slots, limited.Working.Slots)
	assert.Equal(t, 5200, limited.Memory.MaxChars, "what is invalid is left out")
	assert.Equal(t, 3, limited.Session.KeepDays)
	assert.Equal(t, 20, own.Memory.MaxEntries)
	assert.Equal(t, []string{"mine", "ours"}, own.Memory.Types)
}

func TestASettingIsShownByItsKey(t *testing.T) {
	for key, want := range map[string]string{
		"memory.maxEntries": "28", "root": "git", "none": "", "memory.none": "", "root.x": "",
	} {
		assert.Equal(t, want, Default().Show(key), key)
	}
}

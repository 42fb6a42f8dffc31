package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zricethezav/gitleaks/v8/config"
)

func TestTheTableIsThatOfThePinnedGitleaks(t *testing.T) {
	current, err := os.ReadFile("../../extract/redact/leaks_table.go")
	require.NoError(t, err)
	table, err := tableOf(config.DefaultConfig)
	require.NoError(t, err)
	if string(table) != string(current) {
		t.Error("gitleaks or the generator was changed; run go generate ./extract/redact")
	}
}

func TestOnlyRulesThatThereAreStandBackForOurs(t *testing.T) {
	for id := range ours {
		assert.Contains(t, config.DefaultConfig, fmt.Sprintf("id = %q", id))
	}
	for _, id := range apart {
		assert.Contains(t, config.DefaultConfig, fmt.Sprintf("id = %q", id))
	}
}

func TestABrokenConfigurationIsAnError(t *testing.T) {
	for _, configuration := range []string{"rules = 3", "[[rules]]\nid = \"x\"\nregex = \"(\""} {
		_, err := tableOf(configuration)
		assert.Error(t, err, configuration)
	}
}

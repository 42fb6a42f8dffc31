package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/slow"
)

// The demo is one of the commands of the README, so it has to pass in every version.
func TestTheDemoOfTheReadmePasses(t *testing.T) {
	slow.Test(t)
	require.NoError(t, run())
}

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The demo is one of the commands of the README, so it has to pass in every version.
func TestTheDemoOfTheReadmePasses(t *testing.T) { require.NoError(t, run()) }

package test_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// Every start waits for what packages allocate before main, also for tables that it never uses: they belong into
// values of package once.
func TestPackagesAllocateLittleBeforeMain(t *testing.T) {
	const most = 150 // 375 were a twentieth of the time until the response to initialize
	start := exec.Command(test.Binary(t, test.Server), "--version")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	start.Stderr = &trace
	require.NoError(t, start.Run())
	lines := trace.String()

	ours := regexp.MustCompile(`(?m)^init (?:main|github\.com/wm-lsp/\S+) .* (\d+) allocs$`)
	found, total := ours.FindAllStringSubmatch(lines, -1), 0
	require.NotEmpty(t, found, lines)
	for _, line := range found {
		allocations, err := strconv.Atoi(line[1])
		require.NoError(t, err)
		total += allocations
	}
	assert.LessOrEqual(t, total, most, "%s", lines)
}

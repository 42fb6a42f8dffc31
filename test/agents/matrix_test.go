//go:build unix

package agents_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/agents"
)

var (
	// named is the test that a number of the matrix stands for: `[1]: file "Test"`.
	named = regexp.MustCompile(`(?m)^(\[\d\]): (\S+) "(\w+)"$`)
	// rows are those of the matrix, with all their cells.
	rows = regexp.MustCompile(`(?m)^\| ([^|]+) \|((?:[^|\n]*\|){7})$`)
)

// What the README says that an agent can is shown by a test that exists, and nothing else is said.
func TestEveryCellOfTheMatrixNamesATestThatExists(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(agents.Repository(), "README.md"))
	require.NoError(t, err)
	tests := map[string]bool{}
	for _, test := range named.FindAllStringSubmatch(string(readme), -1) {
		source, err := os.ReadFile(filepath.Join(agents.Repository(), filepath.FromSlash(test[2])))
		require.NoError(t, err)
		assert.Contains(t, string(source), "\nfunc "+test[3]+"(t *testing.T) {\n")
		tests[test[1]] = true
	}
	require.NotEmpty(t, tests)
	lines := rows.FindAllStringSubmatch(string(readme), -1)
	require.Greater(t, len(lines), 5)
	for _, row := range lines {
		if row[1] == "agent" || strings.HasPrefix(row[1], "---") {
			continue
		}
		for _, cell := range strings.Split(strings.TrimSuffix(row[2], "|"), "|") {
			number, _, _ := strings.Cut(strings.TrimSpace(cell), ",")
			assert.True(t, number == "" || tests[number], "%s: %q", row[1], cell)
		}
	}
}

// A page is followed by the tests of its agent; that of VS Code is tested with the extension.
func TestEveryPageIsThatOfAnAgentWhichIsTested(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(agents.Repository(), "docs", "agents", "*.md"))
	require.NoError(t, err)
	var found []string
	for _, page := range pages {
		found = append(found, strings.TrimSuffix(filepath.Base(page), ".md"))
	}
	tested := []string{"vscode"}
	for _, agent := range slices.Concat(agents.All(), agents.OnDemand()) {
		tested = append(tested, agent.Page)
	}
	assert.ElementsMatch(t, tested, found)
}

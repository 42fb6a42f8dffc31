package test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repositoryPath matches a path of the repository in backticks.
var repositoryPath = regexp.MustCompile("`((?:cmd|docs|editors|extract|memory|server|test|tools)(?:/[\\w./-]+)?)`")

func TestThePathsInTheArchitectureExist(t *testing.T) {
	document, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	found := repositoryPath.FindAllSubmatch(document, -1)
	require.NotEmpty(t, found)
	for _, match := range found {
		_, err := os.Stat("../" + string(match[1]))
		assert.NoError(t, err)
	}
}

func TestTheArchitectureNamesEveryPackageOfTheProduct(t *testing.T) {
	document, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	for _, folder := range []string{"server", "memory", "memory/store"} {
		entries, err := os.ReadDir("../" + folder)
		require.NoError(t, err)
		for _, entry := range entries {
			if !entry.IsDir() || entry.Name() == "testdata" {
				continue
			}
			name := folder + "/" + entry.Name()
			assert.True(t, strings.Contains(string(document), "`"+name+"`"), "docs/architecture.md does not name %s", name)
		}
	}
}

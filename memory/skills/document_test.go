package skills

import (
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAgentsReadTheDocumentOfASkill(t *testing.T) {
	for name, s := range map[string]Skill{
		"with placeholders": procedure("Run the tests for a path", "", "bin/test <path>", "make > out"),
		"with the signs of YAML": procedure(
			`Say "yes": no # or \ maybe`, "When: it\n---\n- fails & {x} *y !z %a @b `c`\t|", `echo "a: b" # c`,
		),
		"of many words": procedure(
			strings.Repeat("check everything ", 12), strings.Repeat("Überall prüfen. ", 60), "make",
		),
		"in Chinese": procedure("运行测试", "修改之后", "make test"),
		"with marks": procedure("<script>alert(1)</script>", "When <b>it</b> fails.", "make"),
	} {
		t.Run(name, func(t *testing.T) {
			s.Version = 3
			document := string(s.Document())
			front, body, found := strings.Cut(strings.TrimPrefix(document, "---\n"), "\n---\n")
			require.True(t, found)
			var read struct {
				Name        string            `yaml:"name"`
				Description string            `yaml:"description"`
				Metadata    map[string]string `yaml:"metadata"`
			}
			require.NoError(t, yaml.Unmarshal([]byte(front), &read))
			assert.Regexp(t, regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`), read.Name)
			assert.LessOrEqual(t, len(read.Name), 64)
			assert.NotEmpty(t, read.Description)
			assert.LessOrEqual(t, len(read.Description), 1024)
			assert.NotContains(t, read.Description, "<")
			assert.NotContains(t, read.Description, ">")
			assert.Equal(t, map[string]string{"generator": "wm-lsp", "version": "3"}, read.Metadata)
			assert.Contains(t, body, "# ")
		})
	}
}

package quality

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTextsThatSayNearlyTheSameAndThatContradict(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want Relation
	}{
		{"Use pnpm, not npm", "Do not use npm but pnpm", Alike},
		{"Use pnpm instead of npm", "Use pnpm, not npm", Alike},
		{"Run the tests with the race detector", "Tests are run with the race detector", Alike},
		{"Indent with tabs", "Indent with spaces", Contrary},
		{"Indent with tabs", "Use spaces for indentation", Contrary},
		{"Use tabs", "Use spaces", Contrary},
		{"Indent with spaces, not tabs", "Indent with tabs", Contrary},
		{"Use pnpm, not npm", "Use npm, not pnpm", Contrary},
		{"Use npm", "Never use npm", Contrary},
		{"Use single quotes", "Use double quotes", Contrary},
		{"The staging server listens on 8080", "The staging server listens on port 8081", Contrary},

		{"Use tabs in Makefiles", "Use spaces in Go files", ""},
		{"Use pnpm, not npm", "Publish with npm from the release branch", ""},
		{"Run the tests with the race detector", "Run the tests with the verbose flag", ""},
		{"The staging server listens on 8080", "The production server listens on 443", ""},
		{"Don't commit secrets", "Commit often", ""},
		{"Prices are whole cents", "The parser is written by hand", ""},
		{"", "", ""},
	} {
		assert.Equal(t, c.want, StanceOf(c.a).To(StanceOf(c.b)), "%s | %s", c.a, c.b)
		assert.Equal(t, c.want, StanceOf(c.b).To(StanceOf(c.a)), "%s | %s", c.b, c.a)
	}
}

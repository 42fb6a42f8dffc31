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
		{"Round half up", "Round half-up", Alike},
		{"Totals are rounded half-up, never down", "Round totals half up, never down", Alike},
		{"Use double-quotes", "Use single quotes", Contrary},
		{"Name files in kebab-case", "Name files in snake_case", Contrary},
		{"Indent with tabs", "Indent with spaces", Contrary},
		{"Indent with tabs", "Use spaces for indentation", Contrary},
		{"Use tabs", "Use spaces", Contrary},
		{"Indent with spaces, not tabs", "Indent with tabs", Contrary},
		{"Use pnpm, not npm", "Use npm, not pnpm", Contrary},
		{"Use npm", "Never use npm", Contrary},
		{"Use single quotes", "Use double quotes", Contrary},
		{"Lint with eslint", "Lint with biome", Contrary},
		{"Format with prettier", "Format with biome", Contrary},
		{"The staging server listens on 8080", "The staging server listens on port 8081", Contrary},

		{"Telemetry of the editor is opt-in", "Telemetry of the editor is opt-out", ""},
		{"Parsers return null values", "Parsers return non-null values", ""},
		{"Run the linter in the pre-commit hook", "Run the linter in the post-commit hook", ""},
		{"The handler of the parser is a no-op", "The handler of the parser is an op", ""},
		{"Use tabs in Makefiles", "Use spaces in Go files", ""},
		{"Use pnpm, not npm", "Publish with npm from the release branch", ""},
		{"Run the tests with the race detector", "Run the tests with the verbose flag", ""},
		{"The staging server listens on 8080", "The production server listens on 443", ""},
		{"Lint with eslint", "Lint with prettier", ""},
		{"Never use npm, but npm is fine for publishing packages", "Never use npm", ""},
		{"Table number 3 is kept in PostgreSQL", "Table number 4 is kept in PostgreSQL", ""},
		{"Several of them, 3", "Several of them, 4", ""},
		{"Rule 3: amounts are integers", "Rule 4: amounts are integers", ""},
		{"Don't commit secrets", "Commit often", ""},
		{"Prices are whole cents", "The parser is written by hand", ""},
		{"", "", ""},
	} {
		assert.Equal(t, c.want, StanceOf(c.a).To(StanceOf(c.b)), "%s | %s", c.a, c.b)
		assert.Equal(t, c.want, StanceOf(c.b).To(StanceOf(c.a)), "%s | %s", c.b, c.a)
	}
}

func BenchmarkStance(b *testing.B) {
	const one, other = "Run the tests of the parser with the race detector", "Tests of the lexer run without caches"
	b.Run("of a text", func(b *testing.B) {
		for b.Loop() {
			StanceOf(one)
		}
	})
	b.Run("to another one", func(b *testing.B) {
		mine, theirs := StanceOf(one), StanceOf(other)
		for b.Loop() {
			mine.To(theirs)
		}
	})
}

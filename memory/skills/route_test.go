package skills

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// routed are the skills of three workspaces, as they are found, see testdata/routing.md.
var routed = map[string][]Skill{
	"go": {
		procedure("Check a change: lint and test", "Before a change to Go files below cmd/entire/cli is done.",
			"mise run lint", "mise run test"),
		procedure("Run tests by name", "",
			"go test -v -tags=integration ./cmd/entire/cli/integration_test/... -run <name>"),
		procedure(
			"Run the tests: test:integration",
			"",
			"mise run test:integration",
		),
		procedure("Format the code: fmt", "", "mise run fmt"),
		procedure("Build", "", "go build -o entire ./cmd/entire"),
		together("Change auto_commit.go with strategy.go", "cmd/entire/cli/strategy/strategy.go",
			"cmd/entire/cli/strategy/auto_commit.go"),
	},
	"ts": {
		procedure("Check a change: lint, check the types and test", "Before a change to TypeScript files is done.",
			"bun run lint", "bun run typecheck", "bun run test"),
		fix("Fix a failing bun run lint", "When it fails with “Formatter would have printed the following content”.",
			"bun run lint", "bunx biome check --write <path>"),
		asked(procedure("Run bd search", "Asked for with: beads, issues.",
			"bd --readonly search <arg> --json"), "beads", "issues"),
		asked(procedure("Run workmux capture", "Asked for with: worker.",
			"workmux capture <arg> -n <number>"), "worker"),
		procedure("Run db:generate and db:migrate", "", "bun run db:generate",
			"bun run db:migrate"),
		procedure("Publish a change: build and release", "", "bun run build",
			"bun run release"),
		procedure("Run the tests for a path: playwright", "",
			"bunx playwright test <path>"),
		together("Change openapi.json with routes.ts", "apps/api/src/routes.ts", "apps/api/openapi.json"),
	},
	"py": {
		procedure("Run the tests: runtests.py", "", "python3 tests/runtests.py <name>"),
		procedure("Build: html", "", "cd docs && make html"),
		fix("Fix a failing pytest", "When it fails with “ModuleNotFoundError: No module named 'django'”.", "pytest",
			"pip install -e ."),
		procedure("Run makemigrations and migrate", "",
			"python manage.py makemigrations", "python manage.py migrate"),
		procedure("Run makemessages and compilemessages", "",
			"python manage.py makemessages -a", "python manage.py compilemessages"),
		procedure("Run docker compose", "", "docker compose up -d db"),
		procedure("Run the tests: benchmarks", "", "pytest benchmarks --benchmark-only"),
		together("Change serializers.py with models.py", "shop/models.py", "shop/serializers.py"),
		procedure("Check the types and lint", "", "mypy src", "ruff check src"),
	},
	"rust": {
		procedure("Check a change: lint and test", "Before a change to Rust files below src is done.",
			"cargo clippy --all-targets -- -D warnings", "cargo test"),
		procedure("Run the tests for a path: fuzz", "", "cargo fuzz run <name>"),
		procedure("Build: release", "", "cargo build --release"),
		fix(
			"Fix a failing cargo test",
			"When it fails with “snapshot assertion failed”.",
			"cargo test",
			"cargo insta accept",
		),
		asked(procedure("Run cargo flamegraph", "Asked for with: profile, slow.",
			"cargo flamegraph --bin parse -- <path>"), "profile", "slow"),
		together("Change grammar.md with parser.rs", "src/parser.rs", "docs/grammar.md"),
	},
	"infra": {
		asked(procedure("Run terraform plan and terraform apply", "Asked for with: staging, infrastructure.",
			"terraform plan -out plan.bin", "terraform apply plan.bin"), "staging", "infrastructure"),
		procedure("Publish a change: deploy", "", "./scripts/deploy.sh api"),
		asked(procedure("Run kubectl rollout", "Asked for with: restart, pods.",
			"kubectl rollout restart deployment/api", "kubectl rollout status deployment/api"), "restart", "pods"),
		procedure("Run the linter: helm", "", "helm lint charts/api"),
		fix("Fix a failing terraform init", "When it fails with “Error acquiring the state lock”.", "terraform init",
			"terraform force-unlock <id>"),
		together("Change values.yaml with deployment.yaml", "charts/api/deployment.yaml", "charts/api/values.yaml"),
	},
	"java": {
		procedure("Check a change: build and test", "Before a change to Java files is done.", "./gradlew build",
			"./gradlew test"),
		procedure("Run tests by name", "", "./gradlew test --tests <name>"),
		procedure("Format the code: spotlessApply", "", "./gradlew spotlessApply"),
		asked(procedure("Run flyway migrate", "Asked for with: database.",
			"./gradlew flywayMigrate"), "database"),
		asked(procedure("Run bootRun", "Asked for with: app, locally.", "./gradlew bootRun"), "app",
			"locally"),
	},
}

func procedure(title, purpose string, commands ...string) Skill {
	return Skill{
		Kind: mining.Procedure, Title: title, Purpose: purpose, Commands: commands, Status: Offering,
		Name: nameOf(title, func(string) bool { return false }),
	}
}

func fix(title, purpose string, commands ...string) Skill {
	s := procedure(title, purpose, commands...)
	s.Kind = mining.Fix
	return s
}

func together(title string, files ...string) Skill {
	s := procedure(title, "When "+files[0]+" is changed.")
	s.Kind, s.Files = mining.Together, files
	return s
}

func asked(s Skill, words ...string) Skill {
	s.Words = words
	return s
}

// ofOneKind returns the skills that are found in what sessions did, one kind of work in each workspace, and what is
// asked there, see testdata/routing.md.
func ofOneKind(t *testing.T) (workspaces map[string][]Skill, asked []question) {
	t.Helper()
	doc, err := os.ReadFile("testdata/onekind.tsv")
	require.NoError(t, err)
	did := map[string][]mining.Episode{}
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		workspace, label, prompt := cells[0], cells[1], cells[2]
		if label != "did" {
			asked = append(asked, question{workspace, label, prompt})
			continue
		}
		e := mining.Episode{Session: fmt.Sprint(workspace, len(did[workspace])), Turn: 1, Purpose: prompt}
		for step := range strings.SplitSeq(cells[3], "; ") {
			if file, edits := strings.CutPrefix(step, "edit "); edits {
				e.Steps = append(e.Steps, mining.Step{File: file})
				continue
			}
			run := tool.NewRun(step, "/w", "/w", command.Output{ExitCode: new(int)}, settings.Default().Errors)
			e.Steps = append(e.Steps, mining.StepsOf(run, func(string) bool { return false })...)
		}
		did[workspace] = append(did[workspace], e)
	}
	workspaces = map[string][]Skill{}
	for workspace, episodes := range did {
		room := newRoom()
		learn(t, room, mining.Mine(episodes)...)
		workspaces[workspace] = room.List()
	}
	return workspaces, asked
}

// A question is a line of the set: what is asked in a workspace, and the names of the skills that are right, "+" for
// any procedure, or "-" for none.
type question struct{ workspace, want, query string }

// right reports whether a match answers the question.
func (q question) right(m Match) bool {
	return q.want == "+" && m.Kind == mining.Procedure || slices.Contains(strings.Split(q.want, "|"), m.Name)
}

// TestE17_SkillsAreRoutedByPurpose measures the precision of the first match, see testdata/routing.md.
func TestE17_SkillsAreRoutedByPurpose(t *testing.T) {
	workspaces, asked := ofOneKind(t)
	for workspace, list := range workspaces {
		assert.True(t, slices.ContainsFunc(list, func(s Skill) bool {
			return s.Kind == mining.Procedure && s.Purpose != ""
		}), "%s: its work has a purpose", workspace)
	}
	mined := len(asked)
	maps.Copy(workspaces, routed)
	doc, err := os.ReadFile("testdata/routing.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		asked = append(asked, question{cells[0], cells[1], cells[2]})
		for name := range strings.SplitSeq(cells[1], "|") {
			isKnown := slices.ContainsFunc(routed[cells[0]], func(s Skill) bool { return s.Name == name })
			require.True(t, name == "-" || isKnown, "no skill has the name %s", name)
		}
	}
	var all result
	for _, part := range []struct {
		name string
		of   []question
	}{{"one kind of work", asked[:mined]}, {"several kinds", asked[mined:]}} {
		var r result
		for _, q := range part.of {
			r.add(t, q, Route(workspaces[q.workspace], q.query, 1))
		}
		t.Logf("%s: %+v, precision %.3f, recall %.3f", part.name, r, r.precision(), r.recall())
		assert.Greater(t, r.precision(), 0.95, part.name)
		assert.Greater(t, r.recall(), 0.7, part.name)
		all = result{all.right + r.right, all.wrong + r.wrong, all.missed + r.missed, all.none + r.none}
	}
	t.Attr("routing", fmt.Sprintf("%d of %d", all.right, all.right+all.wrong)) // make bench reports it
}

// A result counts answers: right and wrong ones, those that were missed, and none where none is right.
type result struct{ right, wrong, missed, none int }

func (r *result) add(t *testing.T, q question, matches []Match) {
	switch {
	case len(matches) == 0 && q.want == "-":
		r.none++
	case len(matches) == 0:
		r.missed++
		t.Logf("missed: %v", q)
	case q.right(matches[0]):
		r.right++
	default:
		r.wrong++
		t.Logf("wrong: %s %.2f for %v", matches[0].Name, matches[0].Score, q)
	}
}

func (r *result) precision() float64 { return float64(r.right) / float64(r.right+r.wrong) }

func (r *result) recall() float64 { return float64(r.right) / float64(r.right+r.missed) }

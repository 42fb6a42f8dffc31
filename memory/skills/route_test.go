package skills

import (
	"fmt"
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

// onekind returns the skills that are found in workspaces whose sessions did one kind of work, and what is asked in
// them: "+" if a procedure of the workspace is right, "-" if nothing is, see testdata/routing.md.
func onekind(t *testing.T) (workspaces map[string][]Skill, queries [][3]string) {
	t.Helper()
	doc, err := os.ReadFile("testdata/onekind.tsv")
	require.NoError(t, err)
	did := map[string][]mining.Episode{}
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		workspace, label, prompt := cells[0], cells[1], cells[2]
		if label != "did" {
			queries = append(queries, [3]string{workspace, label, prompt})
			continue
		}
		e := mining.Episode{Session: prompt, Turn: 1, Purpose: prompt}
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
		for _, f := range mining.Mine(episodes) {
			s := Skill{Kind: f.Kind, Status: Offering, Name: nameOf(f.Title, func(string) bool { return false })}
			s.take(f)
			s.prove(f)
			workspaces[workspace] = append(workspaces[workspace], s)
		}
	}
	return workspaces, queries
}

// TestE17_SkillsOfOneKindOfWorkAreRoutedByPurpose measures the precision of the first match where no other work tells
// what is particular to a skill.
func TestE17_SkillsOfOneKindOfWorkAreRoutedByPurpose(t *testing.T) {
	workspaces, queries := onekind(t)
	for workspace, list := range workspaces {
		for _, s := range list {
			t.Logf("%s: %s: %s (%v) %v", workspace, s.Title, s.Purpose, s.Words, s.Commands)
		}
	}
	right, wrong, missed, none := 0, 0, 0, 0
	for _, q := range queries {
		matches := Route(workspaces[q[0]], q[2], 1)
		switch {
		case len(matches) == 0 && q[1] == "-":
			none++
		case len(matches) == 0:
			missed++
			t.Logf("missed: %s", strings.Join(q[:], "\t"))
		case q[1] == "+" && matches[0].Kind == mining.Procedure:
			right++
		default:
			wrong++
			t.Logf("wrong: %s %.2f for %s", matches[0].Name, matches[0].Score, strings.Join(q[:], "\t"))
		}
	}
	t.Logf("right %d, wrong %d, missed %d, rightly none %d", right, wrong, missed, none)
}

// TestE17_SkillsAreRoutedByPurpose measures the precision of the first match, see testdata/routing.md.
func TestE17_SkillsAreRoutedByPurpose(t *testing.T) {
	doc, err := os.ReadFile("testdata/routing.tsv")
	require.NoError(t, err)
	right, wrong, missed, none := 0, 0, 0, 0
	for line := range strings.Lines(string(doc)) {
		workspace, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		want, query, _ := strings.Cut(rest, "\t")
		list, known := routed[workspace]
		require.True(t, known, line)
		names := strings.Split(want, "|")
		for _, name := range names {
			isKnown := slices.ContainsFunc(list, func(s Skill) bool { return s.Name == name })
			require.True(t, name == "-" || isKnown, "no skill has the name %s", name)
		}
		matches := Route(list, query, 1)
		switch {
		case len(matches) == 0 && want == "-":
			none++
		case len(matches) == 0:
			missed++
			t.Logf("missed: %s", strings.TrimSpace(line))
		case slices.Contains(names, matches[0].Name):
			right++
		default:
			wrong++
			t.Logf("wrong: %s %.2f for %s", matches[0].Name, matches[0].Score, strings.TrimSpace(line))
		}
	}
	precision := float64(right) / float64(right+wrong)
	recall := float64(right) / float64(right+missed)
	t.Logf("right %d, wrong %d, missed %d, rightly none %d: precision %.3f, recall %.3f", right, wrong, missed, none,
		precision, recall)
	t.Attr("routing", fmt.Sprintf("%d of %d", right, right+wrong)) // make bench reports it
	assert.Greater(t, precision, 0.95)
	assert.Greater(t, recall, 0.75)
}

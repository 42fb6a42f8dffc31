package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

func TestWrappersAreSeenThrough(t *testing.T) {
	tests := map[string]string{
		"pytest tests":                                  "pytest",
		"FOO=1 BAR=2 pytest":                            "pytest",
		"env -u X FOO=1 pytest":                         "pytest",
		"sudo -u me pytest":                             "pytest",
		"time pytest":                                   "pytest",
		"timeout -k 5 60 pytest":                        "pytest",
		"nice -n 10 pytest":                             "pytest",
		"xvfb-run -a pytest":                            "pytest",
		"uv run --with x pytest":                        "pytest",
		"poetry run pytest":                             "pytest",
		"pipenv run pytest":                             "pytest",
		"python3.12 -m pytest -x":                       "pytest",
		"python -X dev -W error -m pytest":              "pytest",
		"coverage run -m pytest":                        "pytest",
		"python -m coverage run -m pytest":              "pytest",
		"/opt/venv/bin/pytest":                          "pytest",
		"bash -c 'cd x && pytest'":                      "pytest",
		"bash -lc \"pytest -q\"":                        "pytest",
		"sh -c 'bash -c \"pytest\"'":                    "pytest",
		"docker exec -it web pytest":                    "pytest",
		"docker compose logs":                           "docker",
		"npx tsc --noEmit":                              "tsc",
		"pnpm exec tsc":                                 "tsc",
		"pnpm tsc":                                      "tsc",
		"yarn tsc -p .":                                 "tsc",
		"bunx tsc":                                      "tsc",
		"npm exec -- tsc":                               "tsc",
		"./node_modules/.bin/eslint src":                "eslint",
		"node --test a.test.js":                         "node --test",
		"node a.js":                                     "node",
		"npm test":                                      "npm run test",
		"npm run lint":                                  "npm run lint",
		"yarn build":                                    "yarn run build",
		"npm ci":                                        "npm install",
		"make -j4 test":                                 "make",
		"go test ./...":                                 "go test",
		"go1.26 test ./...":                             "go test",
		"go -C sub build ./...":                         "go build",
		"go run ./cmd/x":                                "go run",
		"cargo +nightly test":                           "cargo test",
		"cargo clippy -- -D warnings":                   "cargo clippy",
		"python -m mypy src":                            "mypy",
		"ruff check .":                                  "ruff",
		"ruff format --check .":                         "ruff format",
		"./gradlew test":                                "gradle",
		"./mvnw -q verify":                              "mvn",
		`C:\Python311\python.exe -m unittest`:           "unittest",
		"gcc-13 -c a.c":                                 "gcc",
		"find . -name '*.go' | xargs golangci-lint run": "golangci-lint",
	}
	for line, tool := range tests {
		t.Run(line, func(t *testing.T) {
			steps := command.Parse(line).Steps
			require.NotEmpty(t, steps)
			assert.Equal(t, tool, steps[len(steps)-1].Tool)
		})
	}
}

func TestATargetSaysByItsNameWhatItRuns(t *testing.T) {
	for line, want := range map[string]command.Category{
		"make":                     command.Build,
		"make test":                command.Test,
		"make test-integration":    command.Test,
		"make test_unit":           command.Test,
		"make tests/unit":          command.Test,
		"make integration-test":    command.Test,
		"make go-tests":            command.Test,
		"make test.race":           command.Test,
		"make build-tests":         command.Build,
		"make lint-tests":          command.Build,
		"make latest":              command.Build,
		"make testdata":            command.Build,
		"make lint":                command.Lint,
		"npm run test:unit":        command.Test,
		"npm run test-integration": command.Test,
		"npm run check-types":      command.Typecheck,
		"npm run start":            command.Runtime,
		"task test-integration":    command.Test,
	} {
		t.Run(line, func(t *testing.T) {
			steps := command.Parse(line).Steps
			require.Len(t, steps, 1)
			assert.Equal(t, want, steps[0].Category)
		})
	}
}

func TestAStepKnowsItsScope(t *testing.T) {
	tests := []struct {
		line   string
		scope  []string
		filter string
		script string
		dir    string
	}{
		{line: "pytest", scope: nil},
		{
			line:   "pytest -x --tb short tests/a.py::test_x -k 'one or two'",
			scope:  []string{"tests/a.py::test_x"},
			filter: "one or two",
		},
		{line: "go test -run TestX -count 1 ./a ./b/...", scope: []string{"./a", "./b/..."}, filter: "TestX"},
		{line: "go test -run=TestX", filter: "TestX"},
		{
			line:   "cd web && npx jest src/a.test.ts -t 'adds up'",
			scope:  []string{"src/a.test.ts"},
			filter: "adds up",
			dir:    "web",
		},
		{line: "cd a && cd b && tsc -p tsconfig.x.json", script: "tsconfig.x.json", dir: "a/b"},
		{line: "eslint --ext .ts 'src/**/*.ts'", scope: []string{"src/**/*.ts"}},
		{line: "make -C sub CFLAGS=-O2 test", script: "test", dir: "sub"},
		{line: "npm --prefix web run build", script: "build", dir: "web"},
		{line: "python scripts/x.py a b", script: "scripts/x.py", scope: []string{"a", "b"}},
		{line: "./run.sh --fast now", script: "run.sh", scope: []string{"now"}},
		{line: "cargo test -p core parse -- --nocapture", script: "core", filter: "parse"},
		{line: "python -m unittest discover -s tests", scope: nil},
		{line: "python -m unittest tests.test_a.T.test_x", scope: []string{"tests.test_a.T.test_x"}},
		{line: "(cd sub && go build) ; go vet ./...", scope: []string{"./..."}},
	}
	for _, test := range tests {
		t.Run(test.line, func(t *testing.T) {
			steps := command.Parse(test.line).Steps
			require.NotEmpty(t, steps)
			step := steps[len(steps)-1]
			assert.Empty(t, cmpScope(test.scope, step.Scope))
			assert.Equal(t, test.filter, step.Filter, "filter")
			assert.Equal(t, test.script, step.Script, "script")
			assert.Equal(t, test.dir, step.Dir, "dir")
		})
	}
}

func cmpScope(want, got []string) string {
	if strings.Join(want, "\n") == strings.Join(got, "\n") {
		return ""
	}
	return "want " + strings.Join(want, " ") + ", got " + strings.Join(got, " ")
}

func TestOnlyWhatTheExitCodeProvesIsProven(t *testing.T) {
	tests := map[string][]bool{
		"go vet && go test":                         {true, true},
		"go vet; go test":                           {false, true},
		"go vet\ngo test":                           {false, true},
		"go vet || go test":                         {false, false},
		"go vet | go test":                          {false, true},
		"set -o pipefail; go vet | go test":         {true, true},
		"set -e; go vet; go test":                   {true, true},
		"set -euo pipefail\ngo vet | tail\ngo test": {true, true, true},
		"go vet & go test":                          {false, true},
		"! go vet":                                  {false},
		"if go vet; then go test; fi":               {false, false},
		"for x in a b; do go test; done":            {false},
		"(go vet && go test)":                       {true, true},
		"bash -c 'go vet; go test'":                 {false, true},
		"bash -ec 'go vet; go test'":                {true, true},
		"bash -c 'go vet && go test' || true":       {false, false, false},
		"go test | tee log":                         {false, true},
	}
	for line, want := range tests {
		t.Run(line, func(t *testing.T) {
			var got []bool
			for _, step := range command.Parse(line).Steps {
				got = append(got, step.Proven)
			}
			assert.Equal(t, want, got)
		})
	}
}

func TestWhatIsNoShellIsOneOpaqueStep(t *testing.T) {
	for _, line := range []string{"pytest 'unclosed", "if then fi fi", "pytest " + strings.Repeat("x ", 100_000)} {
		steps := command.Parse(line).Steps
		require.Len(t, steps, 1)
		assert.True(t, steps[0].Opaque)
		assert.False(t, steps[0].Proven)
	}
	assert.Empty(t, command.Parse("  \n").Steps)
}

package command_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

// summaries returns what a command with an exit code opens in /r.
func summaries(line, output string, exit int) []string {
	found := []string{}
	out := command.Output{Stdout: output, ExitCode: &exit, Cwd: "/r", Root: "/r"}
	for _, e := range command.Parse(line).Errors(out) {
		found = append(found, e.Summary)
	}
	return found
}

const (
	nameError = "Traceback (most recent call last):\nNameError: f\n"
	trace     = "Traceback (most recent call last):\n  File \"/r/scripts/a.py\", line 3\nValueError: bad\n"
)

func TestOnlyErrorsOfTheProjectAreOpened(t *testing.T) {
	for name, one := range map[string]struct {
		line, output string
		exit         int
	}{
		"a probe for a program":       {"command -v entire.io", "", 1},
		"a probe for a file":          {"test -f a.go", "", 1},
		"a probe in brackets":         {"[ -d build ] && go build", "", 1},
		"a process that is not there": {"pgrep server", "", 1},
		"a program that is missing":   {"golangci-lint run", "bash: line 1: golangci-lint: command not found\n", 127},
		"an unknown subcommand":       {"bd unlink --help", "Error: unknown command \"unlink\" for \"bd\"\n", 1},
		"an unknown flag of a linter": {
			"golangci-lint run --disable-all", "Error: unknown flag: --disable-all\nUsage: golangci-lint run\n", 3,
		},
		"missing arguments": {
			"python3 tools/gen.py",
			"usage: gen.py [-h] file\ngen.py: error: the following arguments are required: file\n", 2,
		},
		"a test file that is not there": {
			"pytest tests/nope.py", "ERROR: file or directory not found: tests/nope.py\n\nno tests ran in 0.00s\n", 4,
		},
		"a module that is not installed": {"python3 -m pytest tests", "/usr/bin/python3: No module named pytest\n", 1},
		"a script of npm that is not there": {
			"npm run gone", "npm error Missing script: \"gone\"\n", 1,
		},
		"code on the command line":          {"python3 -c 'f()'", nameError, 1},
		"code for node":                     {"node -e 'f()'", "ReferenceError: f is not defined\n", 1},
		"code in a here-document":           {"python3 - <<'X'\nf()\nX", nameError, 1},
		"a script outside the workspace":    {"python3 /tmp/x.py", nameError, 1},
		"a command in another folder":       {"cd /elsewhere && go vet ./...", "# x\n./a.go:1:2: undefined: y\n", 1},
		"code that is piped":                {"cat <<'X' | python3\nf()\nX", nameError, 1},
		"code that is printed":              {"echo 'f()' | python3", nameError, 1},
		"nothing to commit":                 {"git commit -m x", "On branch main\nnothing to commit\n", 1},
		"a conflict":                        {"git merge main", "CONFLICT (content): Merge conflict in a.go\n", 1},
		"a target that is none":             {"make nope", "make: *** No rule to make target 'nope'.  Stop.\n", 2},
		"an option of pytest":               {"pytest --nope", "ERROR: usage: pytest [options] [file_or_dir]\n", 4},
		"a folder that is none":             {"cd nope && go test", "cd: nope: No such file or directory\n", 1},
		"a file for a program":              {"sqlite3 x.db 'select'", "Error: in prepare, incomplete input\n", 1},
		"another program":                   {"workmux capture x", "Error: No agent running in worktree 'x'\n", 1},
		"another program behind a wrapper":  {"rtk workmux capture x", "Error: No agent running in worktree 'x'\n", 1},
		"another program in a container":    {"docker exec web workmux x", "Error: No agent\n", 1},
		"a shell that says it cannot start": {"./gen.sh x", "(eval):1: no such file or directory: ./gen.sh\n", 127},
	} {
		t.Run(name, func(t *testing.T) { assert.Empty(t, summaries(one.line, one.output, one.exit)) })
	}
}

func TestErrorsOfTheProjectAreOpenedWhateverStartsTheProgram(t *testing.T) {
	for line, output := range map[string]string{
		"python3 scripts/a.py":                       trace,
		"rtk timeout 60 python3 scripts/a.py":        trace,
		"sudo -u bob nice -n 5 env A=1 go vet ./...": "# x\n./a.go:1:2: undefined: y\n",
		"docker exec -e A=1 web go vet ./...":        "# x\n./a.go:1:2: undefined: y\n",
		"workmux run check":                          "src/a.ts:3:4 - error TS2304: Cannot find name 'x'.\n",
		"git push origin main":                       "error: failed to push some refs to 'origin'\n",
		"npm install":                                "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve\n",
		"./scripts/deploy.sh":                        "Error: no bucket\n",
		"xargs -n1 go vet < list":                    "# x\n./a.go:1:2: undefined: y\n",
		"pytest tests":                               "FAILED tests/a.py::test_x - boom\n=== 1 failed in 1s ===\n",
	} {
		assert.NotEmpty(t, summaries(line, output, 1), line)
	}
}

package command_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

func TestASuccessOfATaskRunnerProvesTheToolsBeneath(t *testing.T) {
	files := map[string]string{
		"package.json":     `{"scripts": {"lint": "eslint src && npm run types", "types": "tsc --noEmit"}}`,
		"web/package.json": `{"scripts": {"test": "vitest run"}}`,
		"Makefile": "GO := go\nPKG ?= ./...\n.PHONY: check lint\ncheck: lint test # all\n\n" +
			"lint:\n\t@$(GO) vet $(PKG)\n\n" +
			"test: build\n\t$(GO) test ${PKG}\n\nbuild:\n\t-$(GO) build\nloop: loop\n\tgo vet\n",
		"justfile": "check: lint\n    ruff check .\nlint:\n    mypy src\n",
	}
	files["mise.toml"] = "[tasks.lint]\nrun = \"golangci-lint run\"\n[tasks.all]\ndepends = [\"lint\", \"types\"]\n" +
		"run = [\"go test ./...\", \"go vet\"]\n[tasks.types]\n" +
		"run = \"\"\"\n#!/usr/bin/env bash\nset -e\ntsc --noEmit\n\"\"\"\n" +
		"[tasks.loop]\ndepends = \"loop\"\nrun = \"go vet\"\n" +
		"[tasks.script]\nrun = \"#!/usr/bin/env python3\\nmypy\"\n"
	files["Taskfile.yml"] = "version: '3'\ntasks:\n  lint:\n    deps: [types, {task: vet}]\n    " +
		"cmds:\n      - eslint src\n" +
		"      - cmd: ruff check .\n      - task: vet\n  types: tsc --noEmit\n" +
		"  vet: [go vet]\n  broken: {cmds: [{task: broken}]}\n"
	read := func(file string) (string, bool) { content, ok := files[file]; return content, ok }
	for line, want := range map[string][]string{
		"npm run lint":            {"eslint", "npm run types", "tsc"},
		"cd web && npm test":      {"vitest"},
		"make check":              {"go vet", "go test"},
		"make lint":               {"go vet"},
		"make loop":               {"go vet"},
		"make unknown":            {},
		"just check":              {"mypy", "ruff"},
		"npm run lint -- --quiet": {"eslint", "npm run types", "tsc"},
		"npm run unknown":         {},
		"mise run lint":           {"golangci-lint"},
		"mise lint":               {"golangci-lint"},
		"mise r all -- -v":        {"golangci-lint", "tsc", "go test", "go vet"},
		"mise run loop":           {"go vet"},
		"mise run script":         {},
		"mise install":            {},
		"task lint":               {"tsc", "go vet", "eslint", "ruff", "go vet"},
		"task broken":             {},
		"rake lint":               {},
		"go vet":                  {},
	} {
		cmd := command.Parse(line)
		tools := []string{}
		proven := cmd.Successes(command.Output{ExitCode: new(int), Cwd: "/r", Root: "/r"})
		for _, s := range cmd.Beneath(proven, "/r", read) {
			tools = append(tools, s.Tool)
		}
		assert.Equal(t, want, tools, line)
	}
}

func TestWhatATaskIsGivenIsPassedOnToWhatItRuns(t *testing.T) {
	read := func(file string) (string, bool) {
		return `{"scripts": {"lint": "eslint .", "test": "vitest run"}}`, file == "package.json"
	}
	failed := command.Error{Category: command.Test, Tool: "vitest", Path: "src/a.test.ts", Test: "src/a.test.ts > sums"}
	warned := command.Error{Category: command.Lint, Tool: "eslint", Path: "src/a.ts", Warning: true}
	for _, test := range []struct {
		says, red string
		e         command.Error
		green     string
		want      bool
	}{
		{"all tests", "npx vitest run", failed, "npm test", true},
		{"the test by its name", "npx vitest run", failed, "npm test -- -t sums", true},
		{"another by its name", "npx vitest run", failed, "npm test -- -t logs", false},
		{"what changed", "npx vitest run", failed, "npm test -- --changed", false},
		{"all warnings", "npx eslint . --max-warnings 0", warned, "npm run lint -- --max-warnings 0", false},
		{"no warnings", "npx eslint .", warned, "npm run lint -- --quiet", false},
	} {
		cmd := command.Parse(test.green)
		proven := cmd.Successes(command.Output{ExitCode: new(int), Cwd: root, Root: root})
		isCleared := false
		for _, s := range append(proven, cmd.Beneath(proven, root, read)...) {
			isCleared = isCleared || s.Clears(opened(test.red, test.e))
		}
		assert.Equal(t, test.want, isCleared, test.says)
	}
}

func TestASuccessOfATargetProvesWhatItsRecipeLooksFor(t *testing.T) {
	failed := command.Error{Category: command.Test, Tool: "go test", Path: "a/a_test.go", Line: 3, Test: "TestA"}
	const all, tagged = "go test ./...", "go test -tags integration ./..."
	for _, each := range []struct {
		says, makefile, red string
		want                bool
	}{
		{"the tags of the recipe", "test:\n\tgo test -tags integration ./...\n", tagged, true},
		{"a recipe without the tags", "test:\n\tgo test ./...\n", tagged, false},
		{"tags in a variable of a variable", "TAGS = integration\nFLAGS := -race -tags $(TAGS) # all\n" +
			"test:\n\tgo test ${FLAGS} ./...\n", tagged, true},
		{"tags that are added to a variable", "FLAGS = -race\nFLAGS += -tags integration\ntest:\n" +
			"\tgo test $(FLAGS) ./...\n", tagged, true},
		{"less in what is added to a variable", "FLAGS = -race\nFLAGS += -run TestB\ntest:\n" +
			"\tgo test $(FLAGS) ./...\n", all, false},
		{"a variable that is set if it is not", "FLAGS = -race\nFLAGS ?= -run TestB\ntest:\n" +
			"\tgo test $(FLAGS) ./...\n", all, true},
		{"a variable of which a condition chooses the value", "FLAGS = -race\nifdef QUICK\n" +
			"FLAGS = -run TestB\nendif\ntest:\n\tgo test $(FLAGS) ./...\n", all, false},
		{"tags on a line of their own", "test:\n\t@go test \\\n\t\t-tags integration \\\n\t\t./...\n",
			tagged, true},
		{"a test on a line of its own", "test:\n\t@go test \\\n\t\t-run TestB ./...\n", all, false},
		{"a recipe with empty lines", "test:\n\t@echo tests\n\n# all\n\tgo test ./...\n", all, true},
		{"a line whose failure is ignored", "test:\n\t-go test ./...\n", all, false},
		{"one that is silent, too", "test:\n\t@-go test ./...\n", all, false},
		{"a target of which a condition chooses the recipe", "ifdef CI\ntest:\n\tgo test ./...\nelse\n" +
			"test:\n\tgo test -short ./...\nendif\n", all, false},
		{"a target with a variable of its own", "test: FLAGS = -short\ntest:\n\tgo test $(FLAGS) ./...\n", all, false},
		{"an exported variable", "export FLAGS = -run TestB\ntest:\n\tgo test $(FLAGS) ./...\n", all, false},
		{"tags in an exported variable", "export override TAGS := integration\ntest:\n\tgo test -tags $(TAGS) ./...\n",
			tagged, true},
		{"a variable of an included file", "include mk/flags.mk\ntest:\n\tgo test $(FLAGS) ./...\n", all, false},
		{"tags of an included file", "include mk/flags.mk\ntest:\n\tgo test -tags $(TAGS) ./...\n", tagged, true},
		{"a target of an included file", "-include mk/none.mk mk/flags.mk # those of all\ntest: integration\n",
			tagged, true},
		{"a variable of a file that cannot be read", "include mk/none.mk\ntest:\n\tgo test $(FLAGS) ./...\n", all,
			false},
		{"a variable of files with a pattern", "-include mk/*.mk\ntest:\n\tgo test $(FLAGS) ./...\n", all, false},
		{"a variable of a file that need not be there", "-include mk/none.mk\ntest:\n\tgo test $(FLAGS) ./...\n",
			all, true},
		{"a rule of one line", "test: ; go test ./...\n", all, true},
		{"a rule of one line with a dependency", "test: vet; @go test -run TestB ./...\nvet:\n\tgo vet\n", all, false},
		{"a rule of one line whose failure is ignored", "test: ; -go test ./...\n", all, false},
		{"a rule of one line with variables of the shell", "test: ; CGO_ENABLED=0 go test ./... # all\n", all, true},
		{"dependencies and recipe in two rules", "test: vet\ntest:\n\tgo test ./...\nvet:\n\tgo vet ./...\n",
			all, true},
	} {
		t.Run(each.says, func(t *testing.T) {
			files := map[string]string{
				"Makefile": each.makefile,
				"mk/flags.mk": "include mk/flags.mk mk/tags.mk\nFLAGS = -run TestB\n" +
					"integration:\n\tgo test -tags integration ./...\n",
				"mk/tags.mk": "TAGS = integration\n",
			}
			read := func(file string) (string, bool) { content, found := files[file]; return content, found }
			cmd := command.Parse("make test")
			proven := cmd.Successes(command.Output{ExitCode: new(int), Cwd: root, Root: root})
			isCleared := func(s command.Success) bool { return s.Clears(opened(each.red, failed)) }
			assert.Equal(t, each.want, slices.ContainsFunc(cmd.Beneath(proven, root, read), isCleared))
		})
	}
}

func TestAMakefileOfVariablesOfVariablesIsNotExpanded(t *testing.T) {
	file := "A = go test " + strings.Repeat("$(B) ", 1000) + "\n"
	for name := byte('B'); name < 'Z'; name++ {
		file += fmt.Sprintf("%c = %s\n", name, strings.Repeat(fmt.Sprintf("$(%c) ", name+1), 1000))
	}
	file += "test: " + strings.Repeat("a b ", 10_000) + "\n\t$(A)\na: b c\n\tgo vet\nb: a c\n\tgo build\n" +
		"c: a b\n\tgofmt -l .\n"
	read := func(name string) (string, bool) { return file, name == "Makefile" }
	cmd := command.Parse("make test")
	proven := cmd.Successes(command.Output{ExitCode: new(int), Cwd: "/r", Root: "/r"})
	tools := []string{}
	for _, s := range cmd.Beneath(proven, "/r", read) {
		tools = append(tools, s.Tool)
	}
	assert.Equal(t, []string{"gofmt", "go build", "go vet"}, tools, "each target is made once")
}

func TestATaskfileOfAliasesOfAliasesIsNotExpanded(t *testing.T) {
	file, last := "tasks:\n  a0: &a0 [go vet, go vet]\n", "a0"
	for i := range 40 {
		next := fmt.Sprintf("a%d", i+1)
		file += fmt.Sprintf("  %s: &%s [*%s, *%s, *%s, *%s]\n", next, next, last, last, last, last)
		last = next
	}
	read := func(name string) (string, bool) { return file, name == "Taskfile.yml" }
	cmd := command.Parse("task " + last)
	proven := cmd.Successes(command.Output{ExitCode: new(int), Cwd: "/r", Root: "/r"})
	assert.Empty(t, cmd.Beneath(proven, "/r", read))
}

package command_test

import (
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
	read := func(file string) (string, bool) { content, ok := files[file]; return content, ok }
	for line, want := range map[string][]string{
		"npm run lint":            {"eslint", "npm run types", "tsc"},
		"cd web && npm test":      {"vitest"},
		"make check":              {"go vet", "go build", "go test"},
		"make lint":               {"go vet"},
		"make loop":               {"go vet"},
		"make unknown":            {},
		"just check":              {"mypy", "ruff"},
		"npm run lint -- --quiet": {"eslint", "npm run types", "tsc"},
		"npm run unknown":         {},
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

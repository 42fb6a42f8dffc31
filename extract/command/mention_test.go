package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

func TestA5_DependenciesAreWhatWasInstalledOrIsMissing(t *testing.T) {
	for _, c := range []struct {
		line, output string
		code         int
		want         []string
	}{
		{"npm install --save-dev jest@29 @types/node", "added 3 packages", 0, []string{"jest@29", "@types/node"}},
		{"npm install", "up to date", 0, nil},
		{"npm install --prefix web react ./local", "", 0, []string{"react"}},
		{"cd web && pnpm add -D vite", "", 0, []string{"vite"}},
		{"pip install -r req.txt 'uvicorn[standard]>=0.2'", "", 0, []string{"uvicorn[standard]>=0.2"}},
		{"python3 -m pip install --quiet flask==3.0", "", 0, []string{"flask==3.0"}},
		{"uv pip install httpx", "", 0, []string{"httpx"}},
		{"uv add httpx", "", 0, []string{"httpx"}},
		{"go get github.com/x/y@v1.2.3", "go: added github.com/x/y v1.2.3", 0, []string{"github.com/x/y@v1.2.3"}},
		{"cargo add serde --features derive", "", 0, []string{"serde"}},
		{"sudo apt-get install -y jq ripgrep", "", 0, []string{"jq", "ripgrep"}},
		{"npm install left-pad", "npm error 404", 1, nil},
		{"npm install left-pad || true", "", 0, nil},
		{"npm test", "Error: Cannot find module 'lodash'\n", 1, []string{"missing: lodash"}},
		{"npm test", "Cannot find module './sum' from 'a.test.js'\n", 1, nil},
		{"pytest", "E   ModuleNotFoundError: No module named 'flask'\n", 2, []string{"missing: flask"}},
		{"go build ./...",
			"a.go:3:8: no required module provides package github.com/x/y; to add it:\n\tgo get " +
				"github.com/x/y\n", 1, []string{"missing: github.com/x/y"}},
		{"make", "a.c:1:10: fatal error: zlib.h: No such file or directory\n", 2, []string{"missing: zlib.h"}},
		{"cat build.log", "Error: Cannot find module 'lodash'\n", 1, nil},
		{"npm test", "Cannot find module 'lodash'", 0, nil},
	} {
		assert.Equal(
			t,
			c.want,
			command.Parse(c.line).Dependencies(command.Output{Stdout: c.output, ExitCode: &c.code}),
			c.line,
		)
	}
	many := strings.Repeat("x", 3)
	var names []string
	for i := range 200 {
		names = append(names, many+strings.Repeat("y", i))
	}
	zero := 0
	assert.Len(
		t,
		command.Parse("npm install "+strings.Join(names, " ")).Dependencies(command.Output{ExitCode: &zero}),
		50,
	)
}

func TestA5_FilesAreThoseOfTheWorkspaceThatAnOutputNames(t *testing.T) {
	out := command.Output{Root: "/home/dev/shop", Cwd: "/home/dev/shop/web", Stdout: strings.Join([]string{
		"src/cart.ts:3:5 - error TS2322",
		"  at total (/home/dev/shop/lib/sum.js:4:2)",
		"see https://example.com/a/b.html and /usr/lib/x.so", "../README.md is fine, so is ./src/cart.ts",
		"main.go:7: undefined", "version 1.2.3 of e.g. this", "node_modules/x/y.js:1:1", "and/or", "C:\\other\\x.cs",
	}, "\n")}
	assert.Equal(t, []string{"web/src/cart.ts", "lib/sum.js", "README.md", "web/main.go"}, out.Files())
}

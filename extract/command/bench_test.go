package command_test

import (
	"strings"
	"testing"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

func failedWith(text string, code int) command.Output {
	return command.Output{Stdout: text, ExitCode: &code, Cwd: "/home/dev/project", Root: "/home/dev/project"}
}

// outputs are texts that are repeated up to the size of a benchmark.
var outputs = map[string]struct{ line, text string }{
	"passing go test": {"go test -v ./...", "=== RUN   TestA\n    a_test.go:5: log line\n--- PASS: TestA (0.00s)\n"},
	"failing go test": {"go test ./...", "--- FAIL: TestA (0.00s)\n    a_test.go:5: Add(1,2) = 3; want 4\n"},
	"go test -json": {
		"go test -json ./...",
		`{"Time":"2026-11-21T00:17:51Z","Action":"output","Package":"ex3","Test":"TestAdd","Output":"    ` +
			`a_test.go:5: Add(1,2) = 3; want 4\n"}` + "\n",
	},
	"failing pytest": {
		"pytest",
		"tests/test_a.py::test_x FAILED [ 10%]\n    def test_x():\n>       assert f() == 3\nE       assert 4 == 3\n",
	},
	"tsc": {"tsc -p .", "src/c.ts(3,10): error TS1005: ':' expected.\n"},
	"a log": {
		"./run.sh",
		"2026-11-21 00:17:51 INFO worker 7 handled request /api/v1/items in 12ms without errors\n",
	},
	"an unknown script": {
		"make all",
		"gcc -c -o a.o a.c\na.c:2:3: warning: unused variable ‘x’\n    2 | int x;\n      |     ^\n",
	},
	"mypy": {
		"mypy .",
		"src/a.py:3: error: Incompatible types in assignment  [assignment]\nsrc/a.py:9: note: see here\n",
	},
	"flake8": {
		"flake8",
		"a line that is not a finding at all: 3 of 9\n./a.py:3:1: E302 expected 2 blank lines\n",
	},
	"coloured": {
		"jest",
		"\x1b[31m  ● suite › wrong\x1b[0m\n\n\x1b[2m    expect(received)\x1b[0m\n      at Object.x (a.test.js:3:36)\n",
	},
	"one line": {"./run.sh", "error: "},
	"eslint as JSON": {
		"eslint --format json .",
		`[{"filePath":"/home/dev/project/a.js","messages":[{"ruleId":"semi","severity":2,"message":"Missing ` +
			`semicolon.","line":1,"column":10}]},`,
	},
}

func BenchmarkErrors(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"4KB", 4 << 10}, {"1MB", 1 << 20}, {"16MB", 16 << 20}} {
		for name, o := range outputs {
			if size.bytes > 1<<20 && name != "one line" {
				continue
			}
			text := strings.Repeat(o.text, size.bytes/len(o.text)+1)[:size.bytes]
			parsed := command.Parse(o.line)
			b.Run(size.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					parsed.Errors(failedWith(text, 1))
				}
			})
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		command.Parse("cd web && NODE_ENV=test npx jest --ci src/a.test.ts 2>&1 | tail -40")
	}
}

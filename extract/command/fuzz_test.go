package command_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"cd x && FOO=1 npx jest a 2>&1 | tail -3",
		"bash -c 'go test ./... || true'", "python - <<'EOF'\nprint(1)\nEOF\n", "set -eo pipefail; a | b & wait",
		"if a; then b; elif c; then d; else e; fi",
		"xargs -n1 pytest", "'", "$(", "timeout", "env", "python -m", "make -C", `C:\x\y.exe -m z`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		parsed := command.Parse(line)
		for _, success := range parsed.Successes(command.Output{ExitCode: new(int), Cwd: "/r/sub", Root: "/r"}) {
			success.Clears(
				parsed.Opener(command.Error{Category: command.Test, Tool: success.Tool, Path: "a"}, "/r/sub", "/r"),
			)
		}
	})
}

func FuzzErrors(f *testing.F) {
	for _, o := range outputs {
		f.Add(o.line, o.text, 1)
	}
	for _, one := range readLabelled(f, "known.jsonl") {
		if len(one.Output) < 2000 && len(one.Want) > 0 {
			f.Add(one.Command, one.Output, one.ExitCode)
		}
	}
	f.Add("house-lint", "a.txt!7! too long\n\n!!\n", 1)
	one := own(f, command.Lint, "", `^(?P<file>\S*)!(?P<line>\w*)!(?P<message>.*)`)
	f.Fuzz(func(t *testing.T, line, text string, code int) {
		errors := command.Parse(line).
			Errors(command.Output{Stdout: text, ExitCode: &code, Cwd: "/r/sub", Root: "/r"}, one)
		if len(errors) > command.MaxErrors {
			t.Fatalf("%d errors", len(errors))
		}
		for _, e := range errors {
			if e.Summary == "" || strings.ContainsAny(e.Summary, "\r\n\x00") || !utf8.ValidString(e.Summary) ||
				utf8.RuneCountInString(e.Summary) > command.MaxSummary {
				t.Fatalf("summary %q", e.Summary)
			}
			if code == 0 && (!e.Masked || e.Category != command.Test) {
				t.Fatalf("exit code 0 opens %+v", e)
			}
			if strings.Contains(e.Path, `\`) {
				t.Fatalf("path %q", e.Path)
			}
		}
	})
}

func FuzzMentions(f *testing.F) {
	f.Add("npm install a@1 ./b && pip install 'c>=2'", "Error: Cannot find module 'd'\n  at x (/home/dev/e.js:1:2)", 1)
	f.Add("go get a.b/c", "", 0)
	f.Fuzz(func(t *testing.T, line, output string, code int) {
		out := command.Output{Stdout: output, ExitCode: &code, Cwd: "/home/dev", Root: "/home/dev"}
		if len(command.Parse(line).Dependencies(out)) > 50 || len(out.Files()) > 50 {
			t.Fatal("not bounded")
		}
	})
}

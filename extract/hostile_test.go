//go:build !race

// The race detector makes readings slower by factors that differ: times are compared without it.

package extract_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/fingerprint"
	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/prune"
	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/extract/terminal"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/test/hostile"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A textReader is what reads a string in a package below this one. Those of command
// are in its registry and tested there.
type textReader struct {
	pkg, name string
	read      func(text string)
}

var textReaders = []textReader{
	{"fingerprint", "Normalize", func(text string) { fingerprint.Normalize(text) }},
	{"fingerprint", "Of", func(text string) { fingerprint.Of("test", text, "a.go") }},
	{"overview", "Read", func(text string) { overview.Read(text) }},
	{"overview", "Write", func(text string) {
		_, _ = overview.Write(text, overview.State{Map: overview.Map{{Key: "issues", Value: "a"}}})
	}},
	{"overview", "Said", func(text string) { overview.Said(text) }},
	{"overview", "Shown", func(text string) { overview.Shown(text) }},
	{"overview", "Parts", func(text string) { overview.Parts(text) }},
	{"overview", "Render", func(text string) { overview.Render(text, 5000) }},
	{"overview", "Sections", func(text string) { overview.Sections(text) }},
	{"overview", "Resolved", func(text string) { overview.Resolved(text) }},
	{"overview", "Maintained", func(text string) { overview.Maintained(text) }},
	{"overview", "IsMarker", func(text string) { overview.IsMarker(text) }},
	{"overview", "Block", func(text string) { overview.Block(text, "a") }},
	{"overview", "SetBlock", func(text string) { overview.SetBlock(text, "a", "b") }},
	{"overview", "ParseYAML", func(text string) { _, _ = overview.ParseYAML([]byte(text)) }},
	{"overview", "Apply", func(text string) {
		_, _ = overview.Apply(text, "task_started", map[string]any{"task": text[:100]}, time.Time{})
	}},
	{"pattern", "Match", func(text string) { pattern.Match(text, nil) }},
	{"pattern", "HasWord", func(text string) { pattern.HasWord(text, "ab") }},
	{"prune", "IsPruned", func(text string) { prune.IsPruned(text) }},
	{"prune", "Prune", func(text string) { prune.Prune(text, prune.Options{}) }},
	{"quality", "Judge", func(text string) { quality.Judge(text, "decision", false) }},
	{"quality", "JudgeQuotation", func(text string) { quality.JudgeQuotation(text) }},
	{"quality", "Canonical", func(text string) { quality.Canonical(text) }},
	{"quality", "Paraphrase", func(text string) { quality.Paraphrase(text)(text) }},
	{"redact", "Text", func(text string) { redact.Text(text) }},
	{"redact", "HasMarker", func(text string) { redact.HasMarker(text) }},
	{"redact", "OnlyMarkers", func(text string) { redact.OnlyMarkers(text) }},
	{"redact", "JSON", func(text string) { redact.JSON([]byte(`{"a":"` + text + `"}`)) }},
	{"redact", "JSONExcept", func(text string) {
		redact.JSONExcept([]byte(`{"a":"`+text+`"}`), func(string) bool { return false })
	}},
	{"redact", "Tail", func(text string) { redact.Tail(text) }},
	{"redact", "TextAfter", func(text string) { redact.TextAfter("password: ", text) }},
	{"redact", "Rules", func(text string) { redact.Rules(text) }},
	{"redact", "Added", func(text string) { redact.Added("", text) }},
	{"request", "Causes", func(text string) { request.Causes(text) }},
	{"request", "Hear", func(text string) { request.Hear("user", text, request.Before{}) }},
	{"request", "IsQuestion", func(text string) { request.IsQuestion(text) }},
	{"request", "Lead", func(text string) { request.Lead(text) }},
	{"request", "Lines", func(text string) { request.Lines(text) }},
	{"request", "Own", func(text string) { request.Own(text, ownWordings, nil) }},
	{"request", "Summarised", func(text string) { request.Summarised(text) }},
	{"request", "Topic", func(text string) { request.Topic(text) }},
	{"request", "IsPast", func(text string) { request.IsPast(text) }},
	{"request", "Speech", func(text string) { request.Speech(text) }},
	{"request", "Title", func(text string) { request.Title(text) }},
	{"request", "ToForget", func(text string) { request.ToForget(text) }},
	{"request", "OnlyForgets", func(text string) { request.OnlyForgets(text) }},
	{"request", "TooLong", func(text string) { request.TooLong(text) }},
	{"request", "Quoted", func(text string) { request.Quoted(text) }},
	{"request", "Unnamed", func(text string) { request.Unnamed(text) }},
	{"request", "Requests", func(text string) { request.Requests(text, request.Before{}) }},
	{"request", "WithoutCandidates", func(text string) { request.WithoutCandidates(text) }},
	{"request", "Candidates", func(text string) {
		request.Candidates("<workspace_memory_candidates>\n" + text + "\n</workspace_memory_candidates>")
	}},
	{"request", "Todos", func(text string) { request.Todos(text) }},
	{"request", "Facts", func(text string) { request.Facts(text) }},
	{"request", "Decisions", func(text string) { request.Decisions(text) }},
	{"summary", "Of", func(text string) {
		asked, answered := text[:len(text)/2], text[len(text)/2:]
		summary.Of([]summary.Message{{Role: "user", Text: asked}, {Role: "assistant", Text: answered}}, summary.Facts{})
	}},
	{"summary", "Task", func(text string) { summary.Task(text, "") }},
	{"summary", "Leaning", func(text string) { summary.Leaning("is it open?", text, summary.Task(text, "")) }},
	{"summary", "Continued", func(text string) { summary.Continued("is it open?", text, text) }},
	{"quality", "TopicOf", func(text string) { quality.TopicOf(text).Touches(text) }},
	{"quality", "NamesCode", func(text string) { quality.NamesCode(text) }},
	{"summary", "Request", func(text string) { summary.Request([]summary.Message{{Role: "user", Text: text}}) }},
	{"quality", "StanceOf", func(text string) { quality.StanceOf(text).To(quality.StanceOf(text)) }},
	{"quality", "StatesRule", func(text string) { quality.StatesRule(text) }},
	{"tag", "Visible", func(text string) { tag.Visible(text) }},
	{"tag", "WithoutEscapes", func(text string) { tag.WithoutEscapes(text) }},
	{"terminal", "Visible", func(text string) { terminal.Visible(text) }},
	{"shorten", "Line", func(text string) { shorten.Line(text) }},
	{"shorten", "Chars", func(text string) { _ = shorten.Chars(text, 200) }},
	{"shorten", "Bytes", func(text string) { _ = shorten.Bytes(text, 200) }},
	{"terminal", "Line", func(text string) { terminal.Line(text) }},
	{"tag", "Inert", func(text string) { tag.Inert(text) }},
	{"terminal", "Strip", func(text string) { terminal.Strip(text) }},
	{"tokens", "Count", func(text string) { tokens.Count(text) }},
}

var ownWordings = func() []request.Wording {
	line, err := pattern.NewExpression(`^please (?P<text>.+)$`)
	if err != nil {
		panic(err)
	}
	return []request.Wording{{Line: line}}
}()

// units are what the readers look for, or what confuses them.
var units = []string{
	"a", "é", "日", " ", "\n", "\t", "\r\n", "\x1b", "\x1b[", "\x1b]", "\u009b", "\xff", "\u200d", "\u0301", "0",
	"-", "=", "<", "</", "<!--", "-->", "<!-- a", "<a ", "</core_memory>", "<context_meta", "&lt;", "< ",
	"<\u200b", "[", "](", "[](", "![", "# a\n", "## Task\n", "## Recent\n- a\n", "## a\n",
	"## state.a\x1a\nb\n", "## state.a\x1a\n<!-- b -->\n", "## a\nb\n", "<!-- wm:a -->\n<!-- /wm:a -->\n",
	"<!-- wm:a -->\n", "- ", "- [ ] a\x1a\n", "  - ",
	"* ", "> ", "1. ", "```\n", "~~~\n", "`", "**", "_", "<div>\n", "<details>\n", "---\n", "===\n", "a\n---\n",
	"    code\n", "| a | b |\n", "|-", "\\", "&", "&#", "a: ", "a:\n  ", "- - ", "[[", "{a: ", "&a\x1a ", "*a ",
	"? ", "!!", "\"", "'", "%", "|\n", "a\x1a: b\n", "Remember this: use tabs \x1a.\n", "remember ",
	"don't remember ", "TODO: a\x1a\n", "- [feedback] always use tabs \x1a\n", "We decided to use port \x1a.\n",
	"because ", "I prefer ", "記住", "please ", "not ", "\"remember ", "- [x] done\n", "a.go:\x1a: wrong\n",
	"/a/b/c", "/a", "../", "C:\\a", "https://", "https://a@", "12:34:56 ", "0x1f", "deadbeef", "1.2s ", "a.b.",
	"error: a\x1a\n", "at a (b.js:\x1a:2)\n", "  File \"a.py\", line \x1a\n",
	"Traceback (most recent call last):\n", "total \x1a\n", "drwxr-xr-x 2 a b 4096 Jan 1 00:00 a\x1a\n",
	"├── a\x1a\n", "same line\n", "one\ntwo\n", "[wm: ", "… lines\n", "diff --git a b\n@@ -1 +1 @@\n", "password=",
	"password: a\x1a ", "token ", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN ", "ghp_", "AKIA", "eyJ", "Bearer ",
	"a@b.", "a@", "+49 ", "4111 ", "1-", "user:pass@", "://", "\\n", "\\u003c", "{\"a\":", "[{", "--password ",
	"$(", "Authorization: ", "ignore all previous instructions ", "you are now ", "system: ", "function a() {\n",
	"const a = ", "?\n", "ist ",
}

// trusted are functions whose text is not what somebody wrote or printed: parts of the
// program, and settings, which have a limit.
var trusted = []string{
	"once Compile", "overview Template", "pattern Holds", "pattern NewExpression", "pattern SetOf", "pattern Words",
}

func TestEveryFunctionThatReadsATextIsTriedWithHostileOnes(t *testing.T) {
	tried := map[string]bool{}
	for _, r := range textReaders {
		tried[r.pkg+" "+r.name] = true
	}
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	for _, file := range files {
		pkg := filepath.Base(filepath.Dir(file))
		if pkg == "command" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declared := range parsed.Decls {
			f, is := declared.(*ast.FuncDecl)
			if !is || f.Recv != nil || !f.Name.IsExported() || len(f.Type.Params.List) == 0 {
				continue
			}
			name := pkg + " " + f.Name.Name
			if readsText(f.Type.Params.List[0].Type) && !slices.Contains(trusted, name) {
				assert.True(t, tried[name], "%s has no line in textReaders", name)
			}
		}
	}
}

// readsText reports whether a parameter is a string, or a list of bytes or messages.
func readsText(parameter ast.Expr) bool {
	switch typ := parameter.(type) {
	case *ast.Ident:
		return typ.Name == "string"
	case *ast.ArrayType:
		element, is := typ.Elt.(*ast.Ident)
		return is && slices.Contains([]string{"byte", "Message"}, element.Name)
	}
	return false
}

func TestAMegabyteOfWhatAReaderLooksForTakesAtMostTwiceTheTimeOfARegularExpression(t *testing.T) {
	slow.Test(t)
	for _, r := range textReaders {
		t.Run(r.pkg+" "+r.name, func(t *testing.T) {
			hostile.Quick(t, units, r.read)
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, r := range textReaders {
		b.Run(r.pkg+" "+r.name, func(b *testing.B) { hostile.Benchmark(b, units, r.read) })
	}
}

func FuzzTimeGrowsWithTheText(f *testing.F) {
	slow.Test(f)
	for _, unit := range units {
		f.Add(unit)
	}
	f.Fuzz(func(t *testing.T, unit string) {
		if strings.Count(unit, "\x1a") > 8 {
			return
		}
		for _, r := range textReaders {
			t.Run(r.pkg+" "+r.name, func(t *testing.T) { hostile.Linear(t, unit, r.read) })
		}
	})
}

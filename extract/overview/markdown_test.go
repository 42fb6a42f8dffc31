package overview

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// markdownSamples have lines in all the ways in which blocks begin, go on and end.
var markdownSamples = []string{
	"",
	"a",
	"# a\n",
	"  ## a ##  \nb",
	"####### a\n",
	"#\n",
	"# #\n",
	"#a\n",
	"a\n# b\n",
	"# a \\#\n#\tb\t#",
	"    # code\n",
	"a\n===\nb\n  c \n---\n",
	"a\n\n---\n",
	"===\n",
	"a\n= =\n",
	"- a\n---\n",
	"> a\n---\n",
	"> a\n===\n",
	"a\n    ---\n",
	"a\n\t---\n",
	"```\n# a\n```\n# b\n",
	"~~~ x\n```\n~~~~ \n# b",
	"``` a`b\n# c\n",
	"   ```\n# a\n    ```\n```\n",
	"```\nopen",
	"> ```\n# a\n",
	"- ```\n# a\n",
	"- ```\n\n  # a\n  ```\n# b\n",
	"- a\n# b\n",
	"- a\n  # b\n",
	"1. a\n   # b\n# c\n",
	"a\n2. b\n# c",
	"a\n1. b\n   # c\n",
	"a\n-\n# b\n",
	"-\n  # a\n",
	"-\n\n  # a\n",
	"- a\n\n\n  # b\n",
	"- a\n+ b\n  # c\n",
	"- - a\n    # b\n  # c\n",
	"-     a\n  # b\n",
	"- a\n* * *\n# b\n",
	"123456789. a\n# b\n",
	"1234567890. a\n===\n",
	"- a\nb\n===\n",
	"-\tx\n\n\t# a\n",
	"> a\nb\n# c\n",
	"> - a\n> # b\n# c\n",
	">\ta\n> \t# b\n",
	">     # a\n",
	"> # a\n>\n# b\n",
	">a\n>> b\n> c\n===\n",
	"> <div>\n# a\n",
	"<!-- a -->\n# b\n",
	"<!--\n# a\n\n-->\n# b\n",
	"a\n<!-- b\n# c\n",
	"<!-- a --> b\n# c\n",
	"<!-->\n# a\n",
	"    <!-- a\n# b\n",
	"- <!-- a\n# b\n",
	" <!-- a\n  --> b\n",
	"<div>\n# a\n\n# b\n",
	"<pre>\n# a\n\n# b\n</pre>\n# c\n",
	"<script>\n</STYLE>\n# a\n",
	"<a>\n# b\n",
	"a\n<a>\n===\n",
	"<a b='c' d>\n# e\n",
	"</a b>\n# c\n",
	"</ a b>\n# c\n",
	"<?a\n# b\n?>\n# c\n",
	"<!A\n# b\n>\n# c\n",
	"<!a\n# b\n",
	"<![CDATA[\n# a\n]]>\n# b\n",
	"</ div\n# a\n",
	"<div\n# a\n",
	"<divs\n# a\n",
	"<table/>\n# a\n",
	"<a/ >\n===\n",
	"    a\n\n    # b\n# c\n",
	"\ta\n# b\n",
	" \ta\n===\n",
	"a\n    b\n===\n",
	"[a]: b\n===\n",
	"***\n# a\n",
	"_ _ _\n# a\n",
	"_ _\n# a\n",
	"a\r\n===\r\n\r\n-\r\n  # b\r\n```\r\n# c\r\n```\r\n",
	"\r# a\n",
	"#\ra\n",
	"a\r===\n",
	"\x00\n===\n",
	"# ä \xff\n",
	"\u00a0# a\n",
}

var goldmarkParser = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// A place is what an oracle and our reader have to agree on.
type place struct {
	span
	what  kind
	level int
	title string
}

// placesOf returns what our reader finds.
func placesOf(source string) []place {
	found := []place{}
	topBlocks(source, func(n *node) {
		switch {
		case n.kind == atx || n.kind == setext:
			found = append(found, place{n.span, atx, n.level, n.title})
		case n.kind == fencedCode && n.body.end > 0:
			found = append(found, place{span: n.body, what: fencedCode})
		case n.kind == html && n.comment:
			found = append(found, place{span: n.span, what: html})
		}
	})
	return found
}

// placesOfGoldmark returns what goldmark finds, in whole lines.
func placesOfGoldmark(source string) []place {
	lines := func(start, end int) span {
		start = strings.LastIndexByte(source[:start], '\n') + 1
		if at := strings.IndexByte(source[max(end-1, start):], '\n'); at >= 0 {
			return span{start, max(end-1, start) + at + 1}
		}
		return span{start, len(source)}
	}
	found := []place{}
	root := goldmarkParser.Parse(text.NewReader([]byte(source)))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			h := place{span: lines(n.Pos(), n.Pos()), what: atx, level: n.Level}
			if texts := n.Lines(); texts.Len() > 0 {
				start, end := texts.At(0).Start, texts.At(texts.Len()-1).Stop
				h.title, h.span = strings.TrimSpace(source[start:end]), lines(n.Pos(), end)
			}
			if !strings.HasPrefix(strings.TrimLeft(source[h.start:], " "), "#") || !isATX(source[h.start:]) {
				h.end = lines(h.end, h.end).end // the line under it
			}
			found = append(found, h)
		case *ast.FencedCodeBlock:
			if texts := n.Lines(); texts.Len() > 0 {
				found = append(found,
					place{span: lines(texts.At(0).Start, texts.At(texts.Len()-1).Stop), what: fencedCode})
			}
		case *ast.HTMLBlock:
			if n.HTMLBlockType != ast.HTMLBlockType2 {
				continue
			}
			end := n.Lines().At(n.Lines().Len() - 1).Stop
			if n.HasClosure() {
				end = n.ClosureLine.Stop
			}
			found = append(found, place{span: lines(n.Pos(), end), what: html})
		}
	}
	return found
}

// isATX reports whether a line is a heading by itself.
func isATX(line string) bool {
	line = strings.TrimLeft(line, " ")
	marks := runOf(line, '#')
	return marks > 0 && marks <= maxLevel && (marks == len(line) || strings.IndexByte(space, line[marks]) >= 0)
}

func TestBlocksAreThoseOfGoldmark(t *testing.T) {
	for _, sample := range markdownSamples {
		require.Equal(t, placesOfGoldmark(sample), placesOf(sample), "%q", sample)
	}
	for _, first := range markdownSamples {
		for _, second := range markdownSamples {
			require.Equal(t, placesOfGoldmark(first+second), placesOf(first+second), "%q", first+second)
		}
	}
}

func FuzzBlocksAreThoseOfGoldmark(f *testing.F) {
	for _, sample := range markdownSamples {
		f.Add(sample)
	}
	f.Fuzz(func(t *testing.T, source string) {
		source = shallow(source)
		require.Equal(t, placesOfGoldmark(source), placesOf(source), "%q", source)
	})
}

package panel

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tag"
)

func TestATextIsEscapedOnlyWhereItWouldBeMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"use max_len, not MaxLen (see a-b.md)!":  "use max_len, not MaxLen (see a-b.md)!",
		"2 + 2 = 4, 50 % #1":                     "2 + 2 = 4, 50 % #1",
		"[here](command:quit) <img src=x>":       `\[here\](command:quit) \<img src=x>`,
		"![a](https://example.org/a.png) &lt;b>": `!\[a\](https://example.org/a.png) \&lt;b>`,
		"*all* _of_ `it` ~~now~~ a|b":            "\\*all\\* \\_of\\_ \\`it\\` \\~\\~now\\~\\~ a\\|b",
		"# title":                                `\# title`,
		"1. one":                                 `1\. one`,
		"two\nlines":                             "two lines",
		`C:\path`:                                `C:\\path`,
	} {
		assert.Equal(t, want, Escape(text))
	}
	assert.Equal(t, "```\ntwo\n*lines*\n```", Literal("two\n*lines*"))
}

func TestATimelessTextDoesNotSayHowLongAgoSomethingWas(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for _, past := range []time.Duration{0, time.Minute, 59 * time.Minute, time.Hour, 23 * time.Hour} {
		assert.Equal(t, "ended , 2x", Timeless("ended "+Ago(now, now.Add(-past))+", 2x"), past)
	}
	assert.Equal(t, "years ago", Timeless("years ago"))
}

var tags = regexp.MustCompile(`<[^>]*>`)

// FuzzAnEscapedTextIsThatTextAndNothingElse renders what is escaped, and expects
// one paragraph with the text.
func FuzzAnEscapedTextIsThatTextAndNothingElse(f *testing.F) {
	for _, text := range []string{
		"plain", "[a](b)", "<b>", "**x**", "# x", "- x", "1) x", "a_b_c", "`x`", "&amp;", "![x](y)", "> x", "=",
		"| a |",
		"~~x~~", `\`, "[x]: y", "***", "+ x", "_a_",
	} {
		f.Add(text)
	}
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(shorten.Line(tag.Visible(text)), "")
		if text == "" {
			return
		}
		var rendered bytes.Buffer
		require.NoError(t, markdown.Convert([]byte("- x: "+Escape(text)+"\n\n"+Escape(text)+"\n"), &rendered))
		for _, tag := range tags.FindAllString(rendered.String(), -1) {
			assert.Contains(t, []string{"<ul>", "<li>", "</li>", "</ul>", "<p>", "</p>"}, tag, rendered.String())
		}
		said := strings.Fields(html.UnescapeString(tags.ReplaceAllString(rendered.String(), "")))
		assert.Equal(t, strings.Fields("x: "+text+" "+text), said, rendered.String())
	})
}

func TestHowLongAgo(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.Local)
	for before, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "just now", 3*time.Minute + time.Second: "3 min ago",
		59 * time.Minute: "59 min ago", time.Hour: "1 h ago", 23*time.Hour + 59*time.Minute: "23 h ago",
		24 * time.Hour: "1 Mar 12:00", -time.Minute: "2 Mar 12:01",
	} {
		assert.Equal(t, want, Ago(now, now.Add(-before)))
	}
}

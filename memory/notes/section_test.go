package notes

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestANoteIsFoundBySection(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []section
	}{
		"nothing":        {"", nil},
		"only headings":  {"# A\n\n## B\n", nil},
		"no heading":     {"one\ntwo\n", []section{{Text: "one\ntwo"}}},
		"before heading": {"zero\n# A\none", []section{{Text: "zero"}, {Heading: "A", Text: "one"}}},
		"nested": {"# A\none\n## B ##\ntwo\n### C\nthree\n## D\nfour\n# E\nfive", []section{
			{Heading: "A", Text: "one"}, {Heading: "A › B", Text: "two"}, {Heading: "A › B › C", Text: "three"},
			{Heading: "A › D", Text: "four"}, {Heading: "E", Text: "five"},
		}},
		"a level is left out": {"### C\none\n# A\ntwo", []section{
			{Heading: "C", Text: "one"}, {Heading: "A", Text: "two"},
		}},
		"fences": {"# A\n```sh\n# no heading\n```\n## B\n~~~~\n```\n# none\n~~~~\nend", []section{
			{Heading: "A", Text: "```sh\n# no heading\n```"}, {Heading: "A › B", Text: "~~~~\n```\n# none\n~~~~\nend"},
		}},
		"markers": {
			"# A\none\n\n<!-- wm:index -->\n## Details\n- [B](detail/b.md)\n<!-- /wm:index -->\n",
			[]section{{Heading: "A", Text: "one"}, {Heading: "A › Details", Text: "- [B](detail/b.md)"}},
		},
		"markers in fenced code": {"```\n<!-- wm:index -->\n```", []section{{Text: "```\n<!-- wm:index -->\n```"}}},
		"no headings at all":     {"#hashtag\n####### seven\n", []section{{Text: "#hashtag\n####### seven"}}},
		"a message": {"# C\n\n## Messages\n\n### user · 2026-03-01T09:00:00Z · m1\n\n```text\nhello\n```\n", []section{{
			Heading: "C › Messages › user · 2026-03-01T09:00:00Z · m1", Text: "hello", Speaker: "user",
			At: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
		}}},
		"CRLF": {"# A\r\none\r\n", []section{{Heading: "A", Text: "one"}}},
	} {
		assert.Equal(t, test.want, sectionsOf(test.text), name)
	}
}

func TestALongSectionIsSeveral(t *testing.T) {
	line := strings.Repeat("word ", 100)
	sections := sectionsOf("# A\n" + strings.Repeat(line+"\n", 9) + strings.Repeat("ü", 3000))
	require.Len(t, sections, 6)
	all := ""
	for _, s := range sections {
		assert.LessOrEqual(t, len(s.Text), maxSectionBytes)
		assert.Equal(t, "A", s.Heading)
		all += s.Text
	}
	assert.Equal(t, 900, strings.Count(all, "word"))
	assert.Equal(t, 3000, strings.Count(all, "ü"))
	assert.Len(t, sectionsOf(strings.Repeat("# A\nb\n", 2*maxSections)), maxSections)
}

func FuzzSectionsLoseNoWord(f *testing.F) {
	f.Add("# A\none\n## B\n```\n# c\n```\n")
	f.Add("#\n\x00\xff### \n~~~\n")
	f.Fuzz(func(t *testing.T, text string) {
		total := 0
		for _, s := range sectionsOf(text) {
			assert.NotEmpty(t, s.Text)
			assert.LessOrEqual(t, len(s.Text), maxSectionBytes+1)
			total += len(s.Text)
		}
		assert.LessOrEqual(t, total, len(text)+maxSections)
	})
}

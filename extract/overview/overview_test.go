package overview_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/overview"
)

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func TestD2_TheTemplateIsShortAndSaysHowToUseEachSection(t *testing.T) {
	for lang, titles := range map[string][]string{
		"en": {"Task", "Decisions", "Known", "Open", "Recent"},
		"zh": {"任务", "决定", "已知", "未决", "最近"},
	} {
		text := overview.Template(lang)
		assert.Less(t, utf8.RuneCountInString(text), 1100)
		assert.Contains(t, text, "detail/")
		rest := text
		for _, title := range titles {
			_, after, found := strings.Cut(rest, "\n## "+title+"\n<!-- ")
			require.True(t, found, "%s after what stands before it", title)
			rest = after
		}
		assert.Empty(t, overview.Read(text).Map, "the template holds no state")
	}
	assert.Equal(t, overview.Template("en"), overview.Template("fr"))
}

func TestD4_AnOverviewIsMaintainedOnceALineIsNeitherHeadingNorCommentNorBlank(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"nothing":                                {"", false},
		"the English template":                   {overview.Template("en"), false},
		"the Chinese template":                   {overview.Template("zh"), false},
		"the template with CRLF":                 {crlf(overview.Template("en")), false},
		"the template with a byte order mark":    {"\ufeff" + overview.Template("en"), false},
		"the template without its last line end": {strings.TrimSuffix(overview.Template("en"), "\n"), false},
		"one line in the template":               {overview.Template("en") + "did it\n", true},
		"a comment of several lines":             {"<!-- a\n\nb\n## c\n-->\n", false},
		"text behind a comment on its line":      {"<!-- a --> b\n", true},
		"a comment within a line":                {"a <!-- b -->\n", true},
		"two comments on a line":                 {"<!-- a --> <!-- b -->\n", false},
		"a comment that nothing closes":          {"# a\n<!-- b\nc", false},
		"headings of every kind":                 {"a\n===\nb\n---\n### c\n#\n", false},
		"a hash without a space":                 {"#tag\n", true},
		"fenced code":                            {"```\n# a\n```\n", true},
		"empty fenced code":                      {"```\n```\n", true},
		"a heading in a list":                    {"- # a\n", true},
		"a link definition":                      {"[a]: b\n", true},
		"only the server's blocks": {
			overview.SetBlock(overview.SetBlock("# a\n", overview.Index, "## I\n- x"), overview.History, "y"),
			false,
		},
		"text behind the server's block":  {overview.SetBlock("# a\n", overview.Index, "x") + "mine\n", true},
		"a marker without its other half": {"<!-- wm:index -->\nmine\n", true},
		"markers in fenced code":          {"```\n<!-- wm:index -->\n<!-- /wm:index -->\n```\n", true},
		"only blanks":                     {" \t\r\n\n", false},
	} {
		assert.Equal(t, c.want, overview.Maintained(c.text), name)
	}
}

func TestD2_WholeSectionsThatDoNotFitAreLeftOut(t *testing.T) {
	text := "# T\nlead\n\n## One\n1\n\nTwo\n---\n2\n```\n## code\n```\n\n## Three\n3\n\n\n"
	for name, c := range map[string]struct {
		text    string
		max     int
		shown   string
		omitted []string
	}{
		"all fits, without the blank lines at the end": {
			text,
			utf8.RuneCountInString(text) - 3,
			strings.TrimRight(text, "\n"),
			nil,
		},
		"one character too few": {
			text,
			utf8.RuneCountInString(text) - 4,
			text[:strings.Index(text, "\n\n## Three")],
			[]string{"Three"},
		},
		"room for one section":                     {text, 20, "# T\nlead\n\n## One\n1", []string{"Two", "Three"}},
		"room for what stands before the sections": {text, 8, "# T\nlead", []string{"One", "Two", "Three"}},
		"room for less":                            {text, 7, "# T", []string{"T", "One", "Two", "Three"}},
		"a long section in the midst": {
			"# T\n\n## A\n" + strings.Repeat("a", 50) + "\n\n## B\nb\n",
			20,
			"# T\n\n## B\nb",
			[]string{"A"},
		},
		"a long beginning": {
			"# T\n" + strings.Repeat("t", 50) + "\n\n## B\nb\n",
			20,
			"## B\nb",
			[]string{"T"},
		},
		"no room":                                 {text, 0, "", []string{"T", "One", "Two", "Three"}},
		"code points count, not bytes":            {"## 任务\n修复\n## 决定\n无", 8, "## 任务\n修复", []string{"决定"}},
		"a byte order mark is not shown":          {"\ufeff# T\n", 3, "# T", nil},
		"line ends stay":                          {"## A\r\n1\r\n\r\n## B\r\n2\r\n", 7, "## A\r\n1", []string{"B"}},
		"no heading at all":                       {"much text", 3, "", []string{""}},
		"a later heading of level 1 is a section": {"# A\n# B\nb", 3, "# A", []string{"B"}},
		"a block of the server goes as a whole": {
			overview.SetBlock("## A\n", overview.Index, "## Detail\n- x\n## More\n- y"),
			20,
			"## A",
			[]string{"Detail"},
		},
	} {
		shown, omitted := overview.Render(c.text, c.max)
		assert.Equal(t, c.shown, shown, name)
		assert.Equal(t, c.omitted, omitted, name)
	}
}

func TestC5_ABlockIsReplacedAppendedAndTakenAwayWithoutTouchingTheRest(t *testing.T) {
	const index = "<!-- wm:index -->\nnew\n<!-- /wm:index -->"
	for name, c := range map[string]struct{ text, body, want string }{
		"appended after an empty line":      {"a\n", "new", "a\n\n" + index + "\n"},
		"appended where no line end stands": {"a", "new", "a\n\n" + index + "\n"},
		"appended to an empty line":         {"a\n\n", "new", "a\n\n" + index + "\n"},
		"the only thing":                    {"", "new", index + "\n"},
		"behind a byte order mark":          {"\ufeff", "new", "\ufeff" + index + "\n"},
		"line ends at its end do not count": {"", "new\n\n", index + "\n"},
		"replaced in place": {
			"a \n<!-- wm:index -->\nold\n\n<!-- /wm:index -->\n b",
			"new",
			"a \n" + index + "\n b",
		},
		"replaced where it was empty": {"<!-- wm:index -->\n<!-- /wm:index -->", "new", index},
		"another block stays": {
			"<!-- wm:history -->\nh\n<!-- /wm:history -->\n",
			"new",
			"<!-- wm:history -->\nh\n<!-- /wm:history -->\n\n" + index + "\n",
		},
		"with the line ends of the text": {
			"a\r\n",
			"x\ny",
			"a\r\n\r\n<!-- wm:index -->\r\nx\r\ny\r\n<!-- /wm:index -->\r\n",
		},
		"markers in fenced code are text": {
			"```\n<!-- wm:index -->\nold\n<!-- /wm:index -->\n```\n",
			"new",
			"```\n<!-- wm:index -->\nold\n<!-- /wm:index -->\n```\n\n" + index + "\n",
		},
		"a marker that is indented is text": {
			"  <!-- wm:index -->\nold\n<!-- /wm:index -->\n",
			"new",
			"  <!-- wm:index -->\nold\n<!-- /wm:index -->\n\n" + index + "\n",
		},
		"only an opening marker stays": {
			"<!-- wm:index -->\nmine\n",
			"new",
			"<!-- wm:index -->\nmine\n\n" + index + "\n",
		},
		"only a closing marker stays": {
			"mine\n<!-- /wm:index -->\n",
			"new",
			"mine\n<!-- /wm:index -->\n\n" + index + "\n",
		},
		"markers in the wrong order stay": {
			"<!-- /wm:index -->\nmine\n<!-- wm:index -->\n",
			"new",
			"<!-- /wm:index -->\nmine\n<!-- wm:index -->\n\n" + index + "\n",
		},
		"an opening marker twice": {
			"<!-- wm:index -->\nmine\n<!-- wm:index -->\nold\n<!-- /wm:index -->\n",
			"new",
			"<!-- wm:index -->\nmine\n" + index + "\n",
		},
		"blocks that cross": {
			"<!-- wm:index -->\na\n<!-- wm:history -->\nb\n<!-- /wm:index -->\nc\n<!-- /wm:history -->\n",
			"new",
			"<!-- wm:index -->\na\n<!-- wm:history -->\nb\n<!-- /wm:index -->\nc\n<!-- /wm:history -->\n\n" + index +
				"\n",
		},
		"put first where code is not closed": {"a\n```\ncode", "new", index + "\n\na\n```\ncode"},
		"code that is not closed is indented": {
			"",
			"```\nx",
			"<!-- wm:index -->\n    ```\n    x\n<!-- /wm:index -->\n",
		},
		"a marker in it is indented": {
			"",
			"<!-- /wm:index -->",
			"<!-- wm:index -->\n    <!-- /wm:index -->\n<!-- /wm:index -->\n",
		},
		"a page of HTML in it is indented": {"", "<script>", "<!-- wm:index -->\n    <script>\n<!-- /wm:index -->\n"},
		"taken away with its empty line":   {"a\n\n" + index + "\n", "", "a\n"},
		"taken away from between":          {"a\n" + index + "\nb\n", " \n", "a\nb\n"},
		"nothing to take away":             {"a", "", "a"},
		"emptied beside a broken marker": {
			"<!-- wm:index -->\nmine\n" + index + "\n",
			"",
			"<!-- wm:index -->\nmine\n<!-- wm:index -->\n<!-- /wm:index -->\n",
		},
		"no HTML comment hides it": {"<!-- open", "new", "<!-- open\n\n" + index + "\n"},
	} {
		got := overview.SetBlock(c.text, overview.Index, c.body)
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, got, overview.SetBlock(got, overview.Index, c.body), "again: %s", name)
	}
	assert.Equal(t, "x\ny", overview.Block(overview.SetBlock("a\r\n", overview.History, "x\ny"), overview.History))
	assert.Empty(t, overview.Block("a", overview.History))
}

func TestC4_BothBlocksStandSideBySide(t *testing.T) {
	text := overview.SetBlock(
		overview.SetBlock(overview.Template("zh"), overview.Index, "## 目录\n- detail/a.md"),
		overview.History,
		"## 历史\n- b",
	)
	assert.Equal(
		t,
		overview.Template(
			"zh",
		)+"\n<!-- wm:index -->\n## 目录\n- detail/a.md\n<!-- /wm:index -->\n\n<!-- wm:history -->\n## 历史\n- b\n"+
			"<!-- /wm:history -->\n",
		text,
	)
	text = overview.SetBlock(overview.SetBlock(text, overview.History, ""), overview.Index, "")
	assert.Equal(t, overview.Template("zh"), text)
}

func fiveKilobytes() string {
	text := strings.ReplaceAll(
		overview.Template("en"),
		" -->\n",
		" -->\n"+strings.Repeat("- a line about `extract/overview` that is of ordinary length\n", 14),
	)
	return text[:5000]
}

func BenchmarkRender5KB(b *testing.B) {
	text := fiveKilobytes()
	for b.Loop() {
		overview.Render(text, 4000)
	}
}

func BenchmarkMaintained5KB(b *testing.B) {
	text := fiveKilobytes()
	for b.Loop() {
		overview.Maintained(text)
	}
}

func BenchmarkApply5KB(b *testing.B) {
	text := fiveKilobytes()
	for b.Loop() {
		if _, err := overview.Apply(text, "task_started", map[string]any{"task": "x"}, time.Time{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestD2_ALongTextOfAnythingIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		line       string
		maintained bool
	}{
		"list items":       {"- an item of a list\n", true},
		"headings":         {"## h\n", false},
		"comments":         {"<!-- c -->\n", false},
		"definitions":      {"[a]: b\n", true},
		"blocks":           {"<!-- wm:index -->\n## h\n<!-- /wm:index -->\n", false},
		"opening brackets": {"[[[[", true},
		"quotes":           {"> a\n", true},
		"one line":         {"word ", true},
		"keys":             {"## state.a\nb\n", true},
	} {
		text := strings.Repeat(c.line, 256<<10/len(c.line))
		assert.Equal(t, c.maintained, overview.Maintained(text), name)
		shown, _ := overview.Render(text, 5000)
		assert.LessOrEqual(t, utf8.RuneCountInString(shown), 5000, name)
		overview.Read(text)
	}
}

func TestALineThatNestsWithoutEndIsTextAndReadAsQuickly(t *testing.T) {
	for _, mark := range []string{">", "> ", "1. ", "- ", "* > "} {
		text := strings.Repeat(mark, 200_000) + "\n\n## Task\nship it\n"
		assert.True(t, overview.Maintained(text), mark)
		shown, omitted := overview.Render(text, 100)
		assert.Equal(t, "## Task\nship it", shown, mark)
		assert.Equal(t, []string{""}, omitted, "what stands before the sections has no heading")
		task, _ := overview.Read(text).Get("current_state")
		assert.Equal(t, overview.Map{{Key: "task", Value: "ship it"}}, task, mark)
	}
	quoted := strings.Repeat("> ", 20) + "## no heading\n\n## Task\nx\n"
	assert.Len(t, overview.Sections(quoted), 1)
	_, err := overview.ParseYAML([]byte(strings.Repeat("? a\n", 60_000)))
	assert.ErrorContains(t, err, "more than 2000")
}

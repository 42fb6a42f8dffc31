package quality_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/quality"
)

func TestATextTouchesATopicWithWhichItSharesWords(t *testing.T) {
	for _, c := range []struct {
		name, topic, text string
		want              bool
	}{
		{"words with other endings", "why are the trailers of commits lost", "The trailer links a commit.", true},
		{"a name in code", "os.Getwd is called in a subfolder", "Paths of `os.Getwd()` are relative to it.", true},
		{"the name of a file", "open memory/hot/render.go", "Never sort in render.go, the room does.", true},
		{"a part of a name", "the manualCommit strategy", "The manual_commit strategy writes trailers.", true},
		{"中文", "登录接口返回错误", "登录接口需要限流", true},
		{"a word of a header", "the entire checkpoint is lost", "Commits have the trailer Entire-Checkpoint.", false},
		{"another topic", "can we show the branch in the list", "The tax rates stand in chapter 4", false},
		{"words of every request only", "please fix the test and run it", "Run the tests of the calendar first", false},
		{"one word of many", "the index is corrupt", "The docs describe how an index of pages is made", false},
		{"a few words of many", "are the hashes real commits?",
			"The trailer links the real commits, whose hashes change: hosts drop old branches.", true},
		{"fewer", "is that a real commit?",
			"The trailer links the real commits, whose hashes change: hosts drop old branches.", false},
		{"as few with a name in code", "does os.Getwd work in a folder?",
			"Paths of `os.Getwd()` are wrong in a subfolder: the status of git counts from the root of a clone.", true},
		{"what a contraction leaves", "it doesn't list what isn't there",
			"The trailer doesn't rot and isn't lost.", false},
		{"a text without words of its own", "the index", "yes, do that", true},
		{"no topic", "", "The tax rates stand in chapter 4", false},
	} {
		assert.Equal(t, c.want, quality.TopicOf(c.topic).Touches(c.text), c.name)
	}
}

func TestATextThatNamesCode(t *testing.T) {
	for text, want := range map[string]bool{
		"Paths of `os` are relative.":                 true,
		"Call filepath.Join(cwd, file) first.":        true,
		"The trailer Entire-Checkpoint is the link.":  true,
		"sessionCount starts at 1":                    true,
		"Rates stand in docs/tax.md":                  true,
		"Discounts come off before the tax is added":  false,
		"Round once, on the total, half-up.":          false,
		"The API has version 1.2 and/or 3.":           false,
		"See https://example.com/a/b for the numbers": false,
		"Ask first, e.g. before a push":               false,
		"GitHub is where the issues are":              false,
		"Team 2301 has 3rd_party and 7zip.exe":        false,
	} {
		assert.Equal(t, want, quality.NamesCode(text), text)
	}
}

package tag_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/tag"
)

func TestWhateverReadsLikeATagIsMadeInert(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"a < b && c > d":                   "a < b && c > d",
		"<div>":                            "<div>",
		"<goals> <contextual>":             "<goals> <contextual>",
		"AT&T, R&D; &amp; &lt; &":          "AT&T, R&D; &amp; &lt; &",
		"<progress>":                       "‹progress>",
		"</session_state>":                 "‹/session_state>",
		"< / Session_STATE >":              "‹ / Session_STATE >",
		"<\n/\tguide x=\"1\">":             "‹\n/\tguide x=\"1\">",
		"<goal":                            "‹goal",
		"<<goal>":                          "<‹goal>",
		"<\u200b/\u2060go\u202eal>":        "‹/goal>",
		"<go\u00adal\ufe0f\u034f>":         "‹goal\ufe0f>",
		"<go\x00\x1bal>":                   "‹goal>",
		"<\u00a0\u2028goal>":               "‹\u00a0 goal>",
		"＜/ｇｏａｌ＞":                          "‹/ｇｏａｌ＞",
		"﹤goal>":                           "‹goal>",
		"<ſession_ﬆate>":                   "‹ſession_ﬆate>",
		"<𝐠𝐨𝐚𝐥>":                           "‹𝐠𝐨𝐚𝐥>",
		"&lt;/goal&gt;":                    "‹/goal&gt;",
		"&ltgoal>":                         "‹goal>",
		"&#60;goal> &#x0003C; goal>":       "‹goal> ‹ goal>",
		"<&sol;g&#111;al&ZeroWidthSpace;>": "‹&sol;g&#111;al&ZeroWidthSpace;>",
		"a <goal> b </goal> c":             "a ‹goal> b ‹/goal> c",
	} {
		assert.Equal(t, want, tag.Inert(text), "%q", text)
		assert.Equal(t, want, tag.Inert(want), "%q", want)
	}
	for _, name := range tag.Names() {
		assert.Equal(t, "‹"+name+">", tag.Inert("<"+name+">"))
		assert.Equal(t, "‹/"+name+">", tag.Inert("</"+name+">"))
	}
}

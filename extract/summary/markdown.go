package summary

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Titles of the parts, in English and in Chinese.
type title struct{ english, chinese string }

func (t title) in(lang string) string {
	if lang == "zh" {
		return "**" + t.chinese + "：**"
	}
	return "**" + t.english + ":**"
}

// A part is what stands under one title: in the line of the title itself, or as
// a list below it.
type part struct {
	title title
	lines []string
	list  bool
	shown int // how many of the lines
}

// Markdown returns the summary in at most maxChars Unicode code points, whole
// lines only: "zh" has Chinese titles, all else English ones. What does not fit
// is left out from the least to the most important: what was asked, files,
// errors, decisions, the next step, the task. Of a list the newest lines stay;
// of the files, which begin with those that were written last, the first.
func (s Summary) Markdown(maxChars int, lang string) string {
	parts := s.parts()
	left := maxChars + len("\n")
	for i := range parts {
		parts[i].fit(&left, lang)
	}
	var b strings.Builder
	for _, p := range parts {
		p.write(&b, lang)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// parts are in the order of their importance, which is also that of the text.
func (s Summary) parts() []part {
	newestFirst := func(texts []string) []string {
		reversed := slices.Clone(texts)
		slices.Reverse(reversed)
		return reversed
	}
	return []part{
		{title: title{"Task", "任务"}, lines: single(s.Task)},
		{title: title{"Next step", "下一步"}, lines: single(s.NextStep)},
		{title: title{"Decisions", "决定"}, lines: newestFirst(s.Decisions), list: true},
		{title: title{"Errors opened", "出现的错误"}, lines: newestFirst(s.Opened), list: true},
		{title: title{"Errors closed", "已解决的错误"}, lines: newestFirst(s.Closed), list: true},
		{title: title{"Files", "文件"}, lines: s.Files, list: true},
		{title: title{"Asked before", "此前的请求"}, lines: newestFirst(s.Asked), list: true},
	}
}

func single(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// fit takes as many lines as there is room for.
func (p *part) fit(left *int, lang string) {
	for _, text := range p.lines {
		cost := utf8.RuneCountInString("- " + text + "\n")
		if p.shown == 0 {
			cost += utf8.RuneCountInString(p.title.in(lang) + "\n")
		}
		if !p.list {
			cost -= len("- ")
		}
		if cost > *left {
			return
		}
		*left -= cost
		p.shown++
	}
}

func (p *part) write(b *strings.Builder, lang string) {
	switch {
	case p.shown == 0:
	case !p.list:
		b.WriteString(p.title.in(lang) + " " + p.lines[0] + "\n")
	default:
		b.WriteString(p.title.in(lang) + "\n")
		for _, text := range p.lines[:p.shown] {
			b.WriteString("- " + text + "\n")
		}
	}
}

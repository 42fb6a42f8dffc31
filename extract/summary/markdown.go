package summary

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A title is the title of a part in English and Chinese.
type title struct{ english, chinese string }

func (t title) in(lang string) string {
	if lang == "zh" {
		return "**" + t.chinese + "：**"
	}
	return "**" + t.english + ":**"
}

// A part is a title with one line, or with a list below it.
type part struct {
	title title
	lines []string
	list  bool
	shown int // number of lines that fit
}

// Markdown returns the summary in at most maxChars Unicode code points, in whole
// lines. The titles are Chinese for "zh" and otherwise English. Lines that do not fit
// are left out by importance, the least important first: requests, files, errors,
// decisions, the next step, the task. The newest lines of a list are kept, or the
// first files, which are those written last.
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

// parts returns the parts in the order of their importance, which is also the order
// in the text.
func (s Summary) parts() []part {
	newestFirst := func(list []string) []string {
		reversed := slices.Clone(list)
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

// fit determines how many lines there is room for.
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

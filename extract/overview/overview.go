// Package overview reads and writes the Markdown text of a session's overview.md:
// its template, its rendering in a context, the blocks that the server maintains,
// the state that its sections hold, and the changes that an event makes. Functions
// map text to text; the caller reads and writes files. Text that is not recognized
// belongs to the author of the overview and is kept byte for byte.
package overview

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const english = `# Overview
<!-- Your notes for this session. They are in every context: keep them short and true. Long things go to detail/, ` +
	`with a line here that says where. -->

## Task
<!-- What is asked for, in one or two lines. -->

## Decisions
<!-- One line each, with the reason: "- use X — because Y". -->

## Known
<!-- Facts that were found out and hold: paths, commands, limits. -->

## Open
<!-- Questions and bugs that are not solved. Take a line away when it is. -->

## Recent
<!-- What was done last, newest at the end. Take old lines away. -->
`

const chinese = `# 概览
<!-- 本次会话的笔记，每次上下文都会带上：保持简短、准确。长内容放到 detail/，这里只留一行说明位置。 -->

## 任务
<!-- 要做什么，一两行。 -->

## 决定
<!-- 每行一条，写明理由：“- 用 X — 因为 Y”。 -->

## 已知
<!-- 已查明且仍成立的事实：路径、命令、限制。 -->

## 未决
<!-- 尚未解决的问题和缺陷；解决后删去该行。 -->

## 最近
<!-- 最近做了什么，新的在最后；删去旧行。 -->
`

// Template returns the initial overview (systems.md D2) in a language: "zh" is
// Chinese, everything else is English.
func Template(lang string) string {
	if lang == "zh" {
		return chinese
	}
	return english
}

// Maintained reports whether a text has a line that is not a heading, a comment,
// blank or in a block of the server (systems.md D4). As usual in Markdown, an
// unclosed comment extends to the end.
func Maintained(text string) bool {
	d := parse(text)
	silent := slices.Clone(d.comments)
	for _, h := range d.headings {
		silent = append(silent, h.span)
	}
	for _, b := range d.blocks {
		silent = append(silent, b.span)
	}
	slices.SortFunc(silent, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	at := d.begin
	for _, s := range silent {
		if at < s.start && strings.TrimSpace(text[at:s.start]) != "" {
			return true
		}
		at = max(at, s.end)
	}
	return strings.TrimSpace(text[at:]) != ""
}

// Render returns the part of a text for a context (systems.md D2): at most maxChars
// code points, without trailing blank lines. A section that does not fit after the
// ones before it is left out as a whole, and its heading is in omitted. The heading
// of the beginning is "" if it has none.
func Render(text string, maxChars int) (shown string, omitted []string) {
	text = strings.TrimPrefix(text, bom)
	if shown = trimmed(text); fits(shown, maxChars) {
		return shown, nil
	}
	d := parse(text)
	parts := d.parts()
	beginning := section{span: span{end: len(text)}}
	if len(parts) > 0 {
		beginning.end = parts[0].start
	}
	if len(d.headings) > 0 && d.headings[0].start < beginning.end {
		beginning.title = d.headings[0].title
	}
	var chosen strings.Builder
	left := maxChars
	for _, part := range append([]section{beginning}, parts...) {
		piece := text[part.start:part.end]
		switch {
		case fits(trimmed(piece), left):
			chosen.WriteString(piece)
			left -= utf8.RuneCountInString(piece)
		case strings.TrimSpace(piece) != "":
			omitted = append(omitted, part.title)
		}
	}
	return trimmed(chosen.String()), omitted
}

// parts returns the sections with the server's blocks that have no heading as part
// of the section around them.
func (d *document) parts() []section {
	return slices.DeleteFunc(d.sections(), func(s section) bool { return s.own && s.level == 0 })
}

func trimmed(text string) string { return strings.TrimRight(text, " \t\r\n") }

// fits reports whether a text has at most maxChars code points. It counts them only
// if the number of bytes does not decide.
func fits(text string, maxChars int) bool {
	return len(text) <= maxChars || len(text) <= utf8.UTFMax*maxChars && utf8.RuneCountInString(text) <= maxChars
}

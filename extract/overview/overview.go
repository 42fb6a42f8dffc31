// Package overview reads and writes the Markdown text of a session's
// overview.md: its template, what of it enters a context, the parts that the
// server maintains in it, the state that its sections hold as data, and what an
// event changes in them. Text goes in and text comes out; files are the caller's.
// Whatever is not understood is the writer's and stays, byte for byte.
package overview

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const english = `# Overview
<!-- Your notes for this session. They are in every context: keep them short and true. Long things go to detail/, with a line here that says where. -->

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

// Template returns what an overview begins with (systems.md D2) in a language:
// "zh" is Chinese, all else English.
func Template(lang string) string {
	if lang == "zh" {
		return chinese
	}
	return english
}

// Maintained tells whether there is a line that is neither heading nor comment
// nor blank nor the server's own (systems.md D4). A comment that nothing closes
// reaches to the end, as in every reader of Markdown.
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

// Render returns what of a text enters a context (systems.md D2): at most
// maxChars code points, without the blank lines at the end. Whole sections are
// left out, those that do not fit behind what stands before them, and their
// headings returned; that of a beginning without one is empty.
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

// parts are the sections as a reader sees them: a block of the server that has
// no heading belongs to the section that it stands in.
func (d *document) parts() []section {
	return slices.DeleteFunc(d.sections(), func(s section) bool { return s.own && s.level == 0 })
}

func trimmed(text string) string { return strings.TrimRight(text, " \t\r\n") }

// fits counts only where the number of bytes does not tell.
func fits(text string, maxChars int) bool {
	return len(text) <= maxChars || len(text) <= utf8.UTFMax*maxChars && utf8.RuneCountInString(text) <= maxChars
}

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

// Maintained reports whether a string has a line that is not a heading, a comment,
// blank or in a block of the server (systems.md D4). As usual in Markdown, an
// unclosed comment extends to the end.
func Maintained(text string) bool {
	d := parse(text)
	return d.hasContent(d.silent(), span{d.begin, len(text)})
}

// silent returns the headings, the comments and the blocks of the server, in order and
// joined where they overlap.
func (d *document) silent() []span {
	silent := slices.Clone(d.comments)
	for _, h := range d.headings {
		silent = append(silent, h.span)
	}
	for _, b := range d.blocks {
		silent = append(silent, b.span)
	}
	slices.SortFunc(silent, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	joined := silent[:0]
	for _, s := range silent {
		if last := len(joined) - 1; last >= 0 && s.start < joined[last].end {
			joined[last].end = max(joined[last].end, s.end)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// hasContent reports whether a part of the text, which begins with a line, has a line that
// is not blank and in none of the silent parts.
func (d *document) hasContent(silent []span, part span) bool {
	at := part.start
	first, _ := slices.BinarySearchFunc(silent, at, func(s span, at int) int { return cmp.Compare(s.start, at) })
	if first > 0 && silent[first-1].end > at {
		first-- // it reaches into the part
	}
	for _, s := range silent[first:] {
		if at >= part.end {
			return false
		}
		if at < s.start && strings.TrimSpace(d.text[at:min(s.start, part.end)]) != "" {
			return true
		}
		at = max(at, s.end)
	}
	return at < part.end && strings.TrimSpace(d.text[at:part.end]) != ""
}

// Said returns what Shown returns, without the index of the notes.
func Said(text string) string {
	d := parse(text)
	if _, there := d.block(Index); there {
		d = parse(d.withoutBlock(Index))
	}
	return d.shown()
}

// Shown returns a string without what tells its reader nothing: sections without
// content, and the title and the comments of the templates. It is empty if the text
// has no content and no block of the server, as a template.
func Shown(text string) string { return parse(text).shown() }

func (d *document) shown() string {
	text, silent := d.text, d.silent()
	if len(d.blocks) == 0 && !d.hasContent(silent, span{d.begin, len(text)}) {
		return ""
	}
	var cuts []span
	for _, s := range d.sections() {
		if !s.own && !d.hasContent(silent, s.span) {
			cuts = append(cuts, s.span)
		}
	}
	for _, c := range d.comments {
		if isOfTemplate(text[c.start:c.end]) {
			cuts = append(cuts, c)
		}
	}
	if len(d.headings) > 0 && isOfTemplate(text[d.headings[0].start:d.headings[0].end]) {
		cuts = append(cuts, d.headings[0].span)
	}
	slices.SortFunc(cuts, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	var shown strings.Builder
	at := d.begin
	for _, cut := range cuts {
		if at < cut.start {
			shown.WriteString(text[at:cut.start])
		}
		at = max(at, cut.end)
	}
	shown.WriteString(text[at:])
	return strings.TrimLeft(shown.String(), "\r\n")
}

// isOfTemplate reports whether lines are in a template.
func isOfTemplate(lines string) bool {
	lines = strings.TrimSpace(strings.ReplaceAll(lines, "\r\n", "\n"))
	return lines != "" && !strings.HasPrefix(lines, "## ") &&
		(strings.Contains(english, lines) || strings.Contains(chinese, lines))
}

// A Part is a section of a string, or what stands before the first. Its title is then
// empty.
type Part struct{ Title, Text string }

// Parts returns the sections of a string that are not blank, in order.
func Parts(text string) []Part {
	d := parse(text)
	sections := d.parts()
	beginning := section{span: span{start: d.begin, end: len(text)}}
	if len(sections) > 0 {
		beginning.end = sections[0].start
	}
	var parts []Part
	for _, s := range append([]section{beginning}, sections...) {
		if piece := strings.TrimSpace(text[s.start:s.end]); piece != "" {
			parts = append(parts, Part{s.title, piece})
		}
	}
	return parts
}

// Render returns the part of a string for a context (systems.md D2): at most maxChars
// code points, without trailing blank lines. A section that does not fit after the
// ones before it is left out as a whole, and its heading is in omitted. The heading
// of the beginning is "" if it has none. If no section fits, shown has the first lines that do.
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
	if shown = trimmed(chosen.String()); shown == "" {
		shown = firstLines(text, maxChars)
	}
	return shown, omitted
}

// firstLines returns the first lines of a string that have at most maxChars code points.
func firstLines(text string, maxChars int) string {
	end := 0
	for line := range strings.Lines(text) {
		if !fits(trimmed(text[:end+len(line)]), maxChars) {
			break
		}
		end += len(line)
	}
	return trimmed(text[:end])
}

// parts returns the sections with the server's blocks that have no heading as part
// of the section around them.
func (d *document) parts() []section {
	return slices.DeleteFunc(slices.Clone(d.sections()), func(s section) bool { return s.own && s.level == 0 })
}

func trimmed(text string) string { return strings.TrimRight(text, " \t\r\n") }

// fits reports whether a string has at most maxChars code points. It counts them only
// if the number of bytes does not decide.
func fits(text string, maxChars int) bool {
	return len(text) <= maxChars || len(text) <= utf8.UTFMax*maxChars && utf8.RuneCountInString(text) <= maxChars
}

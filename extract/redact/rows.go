package redact

import (
	"slices"
	"strings"
)

// Rows of which a line says what stands in them: "# user:password:uid" above "anna:…:1000", or "these users
// (login/password):" above a list. The names have one sign between them and no blanks.

// rows appends the secrets of the rows that are described where a name stands. It reports whether the name
// is a part of such a description rather than one with its value.
func rows(s string, n named, found []span) ([]span, bool) {
	if n.kind != password && n.kind != key && n.kind != variable {
		return found, false
	}
	isPart := func(c byte) bool { return isWord(c) || strings.IndexByte(":/;|,", c) >= 0 }
	start, end := back(s, n.start, maxName, isPart), run(s, n.end, maxName, isPart)
	description := strings.TrimRight(s[start:end], ":/;|,")
	by := description[:max(0, n.start-start)]
	if by = by[max(0, len(by)-1):]; by == "" {
		by = description[min(len(description), n.end-start):]
		by = by[:min(len(by), 1)]
	}
	if by == "" || strings.IndexByte(":/;|,", by[0]) < 0 {
		return found, false
	}
	names := strings.Split(description, by)
	column := slices.Index(names, n.text)
	isLogin := func(name string) bool { return loginWords.Has(lowered(name)) || name == "name" }
	isOdd := func(name string) bool { return name == "" || !isLetters(strings.Trim(name, "_")) }
	if column < 0 || !slices.ContainsFunc(names, isLogin) || slices.ContainsFunc(names, isOdd) {
		return found, false
	}
	more := found
	looked := 0
	take := func(from, to int) bool {
		cell, ok := rowCell(s, from, to, by, len(names), column)
		if ok && isCell(n, s[cell.start:cell.end]) {
			more = append(more, cell)
		}
		looked++
		return ok && looked < maxRows && s[cell.start:cell.end] != n.text // which describes the rows below it
	}
	first, last := start-len(lineBefore(s, start)), lineEnd(s, end)
	for at := last + 1; at < len(s) && take(at, lineEnd(s, at)); {
		at = lineEnd(s, at) + 1
	}
	comments := prefixOf(strings.TrimSpace(s[first:last]), "#", "//", ";", "--") != ""
	if comments && len(more) == len(found) {
		for end := first - 1; end > 0; {
			at := strings.LastIndexByte(s[:end], '\n') + 1
			if !take(at, end) {
				break
			}
			end = at - 1
		}
	}
	return more, len(more) > len(found) || comments && len(names) > 2
}

// rowCell returns the cell of a column in the row s[from:to], which may be an item of a list or have a name and "="
// before it. It is no row if it has another number of cells, or blanks in them.
func rowCell(s string, from, to int, by string, cells, column int) (cell span, ok bool) {
	if to-from > maxLine {
		return span{}, false
	}
	at := from + len(listMark.Find(s[from:to]))
	line := strings.TrimRight(s[at:to], " \t\r`*")
	if name := run(line, 0, maxName, isDotted); name > 0 && byteAt(line, name) == '=' {
		at, line = at+name+1, line[name+1:]
	}
	of := strings.Split(line, by)
	if len(of) != cells || slices.ContainsFunc(of, func(text string) bool { return strings.ContainsAny(text, " \t") }) {
		return span{}, false
	}
	start := at + column
	for _, text := range of[:column] {
		start += len(text)
	}
	return span{start, start + len(of[column]), assigned}, true
}

// userSection appends the passwords of a section in which each user has one: [users] of Shiro, with roles behind it.
func userSection(s string, at int, found []span) []span {
	if strings.TrimSpace(lineBefore(s, at)) != "" {
		return found
	}
	for at = lineEnd(s, at) + 1; at < len(s); {
		end := lineEnd(s, at)
		line := s[at:end]
		name, value, ok := strings.Cut(line, "=")
		trimmed := strings.TrimSpace(line)
		if !ok && trimmed != "" && trimmed[0] != '#' || strings.HasPrefix(trimmed, "[") {
			break
		}
		if ok && trimmed[0] != '#' {
			word, _, _ := strings.Cut(value, ",")
			text := strings.TrimSpace(word)
			start := at + len(name) + 1 + strings.Index(word, text)
			if n := (named{kind: password}); isCell(n, text) && !strings.Contains(text, " ") &&
				(hasDigit(text) && !isNumberOnly(text) && !measured.Match(lowered(text)) ||
					isSaid(text) && !words().about[lowered(text)]) {
				found = append(found, span{start, start + len(text), assigned})
			}
		}
		at = end + 1
	}
	return found
}

package redact

import (
	"strings"
)

// A table has a line with the names of its columns. Where one of them is the name of a
// secret, all the values below it are secrets.

// maxRows bounds how many lines of a table are looked at.
const maxRows = 200

// tables appends the secrets of the table in whose header a name stands.
func tables(s string, n named, found []span) []span {
	if n.kind == harmless || n.kind == auth || !mayEndCell(s, n.end) {
		return found
	}
	first := strings.LastIndexByte(s[max(0, n.start-512):n.start], '\n') + 1 + max(0, n.start-512)
	last := max(n.end, lineEnd(s, first))
	for last < len(s) && s[last] != '\n' && last-first <= 512 {
		last++
	}
	if last >= len(s) || last-first > 512 {
		return found
	}
	header := s[first:last]
	split := splitter(header, n.start-first, n.end-first)
	if split == nil {
		return found
	}
	cells := split(header)
	column := -1
	for i, c := range cells {
		if !isColumn(header[c.start:c.end]) {
			return found
		}
		if first+c.start <= n.start && n.end <= first+c.end {
			column = i
		}
	}
	if column < 0 || len(cells) < 2 {
		return found
	}
	at := last + 1
	for range maxRows {
		if at >= len(s) {
			break
		}
		end := min(len(s), at+maxLine)
		if n := strings.IndexByte(s[at:end], '\n'); n >= 0 {
			end = at + n
		}
		row := s[at:end]
		if isRule(row) {
			at = end + 1
			continue
		}
		of := split(row)
		if len(of) != len(cells) {
			break
		}
		c := of[column]
		text := row[c.start:c.end]
		for len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
			c.start, c.end = c.start+1, c.end-1
			text = row[c.start:c.end]
		}
		if len(text) >= 3 && !isPlaceholder(text) && !isReference(text) && !strings.Contains(text, markerOpen) &&
			(n.kind == password || n.kind == variable || n.kind == code || !isWordy(text)) &&
			!types.Has(strings.ToLower(text)) && (n.kind != code || hasDigit(text)) &&
			!(strings.Contains(text, " ") && isProse(text)) && n.kind != weak {
			found = append(found, span{at + c.start, at + c.end, assigned})
		}
		at = end + 1
	}
	return found
}

// mayEndCell reports whether a name that ends at at may be the name of a column.
func mayEndCell(s string, at int) bool {
	next := run(s, at, 64, func(c byte) bool { return c == ' ' || c == '"' || c == '\'' || c == '*' || c == '\r' })
	return next >= len(s) || next > at+1 || strings.IndexByte("|\t;,\n", s[next]) >= 0 ||
		strings.HasPrefix(s[next:], "│")
}

// maxLine bounds a line of a table, in bytes.
const maxLine = 1 << 11

// isRule reports whether a line only divides a table.
func isRule(row string) bool {
	return strings.Trim(row, "-+|=: ┼─│├┤┬┴━┌┐└┘\r") == ""
}

// isColumn reports whether a text may be the name of a column.
func isColumn(text string) bool {
	text = strings.Trim(text, `"'* `)
	return text != "" && len(text) <= 40 && !strings.ContainsAny(text, "=(){}<>;@\\$") && strings.Count(text, " ") <= 3
}

// splitter returns how a header is divided in which a name stands, nil if it is none.
func splitter(header string, from, to int) func(string) []span {
	before := strings.TrimRight(header[:from], ` "'*`)
	behind := strings.TrimLeft(header[to:], ` "'*`+"\r")
	for _, by := range []string{"|", "\t", ";", ",", "│"} {
		left := from == 0 || before == "" || strings.HasSuffix(before, by)
		right := behind == "" || strings.HasPrefix(behind, by)
		if left && right && strings.Contains(header, by) {
			return func(line string) []span { return cellsBy(line, by) }
		}
	}
	wide := func(text string) bool { return strings.HasPrefix(text, "  ") || strings.TrimSpace(text) == "" }
	if (from == 0 || strings.HasSuffix(header[:from], "  ")) && wide(header[to:]) &&
		strings.Contains(strings.TrimSpace(header), "  ") {
		return wideCells
	}
	return nil
}

// cellsBy returns the cells of a line that are divided by a sign. Signs in quotes divide
// nothing, and those at the ends of a line are a frame.
func cellsBy(line, by string) []span {
	line = strings.TrimRight(line, "\r")
	var cells []span
	start, quoted := 0, false
	for i := 0; i <= len(line); {
		switch {
		case i < len(line) && line[i] == '"' && (quoted || strings.TrimSpace(line[start:i]) == ""):
			quoted = !quoted && strings.IndexByte(line[i+1:], '"') >= 0
		case i == len(line) || !quoted && strings.HasPrefix(line[i:], by):
			cells = append(cells, trimmedCell(line, start, i))
			start = i + len(by)
			i += len(by) - 1
		}
		i++
	}
	if by == "|" || by == "│" {
		if len(cells) > 0 && cells[0].start == cells[0].end {
			cells = cells[1:]
		}
		if last := len(cells) - 1; last >= 0 && cells[last].start == cells[last].end {
			cells = cells[:last]
		}
	}
	return cells
}

func trimmedCell(line string, start, end int) span {
	for start < end && isSpace(line[start]) {
		start++
	}
	for start < end && isSpace(line[end-1]) {
		end--
	}
	return span{start: start, end: end}
}

// wideCells returns the cells of a line that are divided by two blanks or more, or a tab.
func wideCells(line string) []span {
	line = strings.TrimRight(line, "\r ")
	var cells []span
	for at := 0; at < len(line); {
		at = run(line, at, len(line), isBlank)
		end := at
		for end < len(line) && line[end] != '\t' && (line[end] != ' ' || end+1 < len(line) && line[end+1] != ' ') {
			end++
		}
		if end > at {
			cells = append(cells, span{start: at, end: end})
		}
		at = end + 1
	}
	return cells
}

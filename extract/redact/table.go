package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A table has a line with the names of its columns. Where one of them is the name of a
// secret, all the values below it are secrets.

// maxRows bounds how many lines of a table are looked at.
const maxRows = 200

func tableRules() []manyRule { return []manyRule{{"insert into", inserted}, {"[users]", userSection}} }

// tables appends the secrets of the table in whose header a name stands.
func tables(s string, n named, found []span) []span {
	if n.kind == harmless || n.kind == auth {
		return found
	}
	if strings.HasPrefix(s[n.end:], "</t") {
		return htmlCells(s, n, found)
	}
	if start, end, ok := besideElement(s, n); ok {
		return append(found, span{start, end, assigned})
	}
	if more := listedRows(s, n, found); len(more) > len(found) {
		return more
	}
	queried := isQueried(s, n)
	return below(s, n.start, n.end, found, assigned, func(text string) bool {
		return isCell(n, text) || n.kind == key && isRare(text) && isBesideLogin(s, n) ||
			queried && isSaid(text) && isWordy(text) && lowered(text) == text &&
				!words().about[text] && !isParticiple(text) && !types.Has(text)
	})
}

// isBesideLogin reports whether a name is a column beside one of logins.
func isBesideLogin(s string, n named) bool {
	line := lineBefore(s, n.start) + s[n.start:lineEnd(s, n.start)]
	for name := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("|,;\t│\" \r", r) }) {
		if loginWords.Has(lowered(name)) {
			return true
		}
	}
	return false
}

// isQueried reports whether a name is a column of what a database printed, with a rule below it.
func isQueried(s string, n named) bool {
	end := lineEnd(s, n.end)
	rule := rowBelow(s, end)
	return n.kind == key && strings.Contains(rule, "-+-") && isRule(rule)
}

// A heading is the line of a table that names its columns.
type heading struct {
	split   func(string) []span // a line into cells
	columns int
	column  int // the number of the one that is asked for
	rows    int // where the first row begins
}

// below appends the cells that are secrets below the name s[from:to] of a column.
func below(s string, from, to int, found []span, rule string, secret func(string) bool) []span {
	head, is := headingOf(s, from, to)
	if !is {
		return found
	}
	at := head.rows
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
		of := head.split(row)
		if len(of) != head.columns {
			break
		}
		c := of[head.column]
		text := row[c.start:c.end]
		for len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
			c.start, c.end = c.start+1, c.end-1
			text = row[c.start:c.end]
		}
		if strings.EqualFold(text, s[from:to]) { // another heading
			break
		}
		if secret(text) {
			found = append(found, span{at + c.start, at + c.end, rule})
		}
		at = end + 1
	}
	return found
}

// headingOf returns the heading in which s[from:to] names a column, if there is one.
func headingOf(s string, from, to int) (head heading, is bool) {
	if !mayEndCell(s, to) {
		return head, false
	}
	first := strings.LastIndexByte(s[max(0, from-512):from], '\n') + 1 + max(0, from-512)
	last := max(to, lineEnd(s, first))
	for last < len(s) && s[last] != '\n' && last-first <= 512 {
		last++
	}
	if last >= len(s) || last-first > 512 {
		return head, false
	}
	if before := strings.IndexByte(s[first:from], '|'); before > 0 && byteAt(s, last+1) == '|' {
		first += before // behind what introduces the table
	}
	line := s[first:last]
	head.split, head.rows = ruled(s, last+1), last+1
	if head.split == nil {
		start := columnStart(line, from-first)
		if start < from-first && isRowAbove(s, first, line) {
			return head, false
		}
		head.split = splitter(line, start, to-first)
	}
	if head.split == nil {
		return head, false
	}
	cells := head.split(line)
	for i, c := range cells {
		if !isColumn(line[c.start:c.end]) {
			return head, false
		}
		if first+c.start <= from && to <= first+c.end {
			head.column, is = i, true
		}
	}
	head.columns = len(cells)
	return head, is && len(cells) > 1
}

// isRowAbove reports whether the line above a line at at is of the same table, so that the line is none of names.
func isRowAbove(s string, at int, header string) bool {
	if at == 0 {
		return false
	}
	above := s[max(0, at-1-maxLine/4) : at-1]
	above = above[strings.LastIndexByte(above, '\n')+1:]
	if isRule(above) {
		return false
	}
	for _, by := range []string{"|", "\t", ";", ",", "│"} {
		if n := strings.Count(header, by); n > 0 && strings.Count(above, by) == n {
			return true
		}
	}
	return false
}

// ruled returns how the lines of a table are divided below whose header a line of hyphens starts at at: where the
// hyphens begin. It is nil if there is none.
func ruled(s string, at int) func(string) []span {
	if at >= len(s) || s[at] != '-' {
		return nil
	}
	line := strings.TrimRight(s[at:lineEnd(s, at)], " \r")
	if strings.Trim(line, "- ") != "" || !strings.Contains(line, "- -") || strings.Contains(line, "  ") {
		return nil
	}
	var starts []int
	for i := range len(line) {
		if line[i] == '-' && (i == 0 || line[i-1] == ' ') {
			starts = append(starts, i)
		}
	}
	return func(row string) []span {
		var cells []span
		for i, start := range starts {
			end := len(row)
			if i+1 < len(starts) {
				end = min(end, starts[i+1])
			}
			if start < end {
				cells = append(cells, trimmedCell(row, start, end))
			}
		}
		return cells
	}
}

// listedRows appends the secrets of lists below or behind the list of names in which a name stands:
// [["user", "password"], ["bob", "…"]].
func listedRows(s string, n named, found []span) []span {
	before := lineBefore(s, n.start)
	open := strings.LastIndexByte(before, '[')
	if open < 0 || strings.IndexByte(before, ']') >= 0 || strings.ContainsAny(before[open:], "{}()") {
		return found
	}
	names, next := listItems(s, n.start-len(before)+open+1)
	column := strings.Count(before[open:], ",")
	if len(names) < 2 || column >= len(names) || !strings.Contains(s[names[column].start:names[column].end], n.text) {
		return found
	}
	for range maxRows {
		at := run(s, next, 32, func(c byte) bool {
			return isSpace(c) || isWord(c) || strings.IndexByte(",:-\"", c) >= 0
		})
		if at < len(s) && s[at] == '[' && at+1 < len(s) && s[at+1] == '[' {
			at++
		}
		if at >= len(s) || s[at] != '[' {
			break
		}
		var items []span
		if items, next = listItems(s, at+1); len(items) != len(names) {
			break
		}
		if c := items[column]; isCell(n, s[c.start:c.end]) && !words().idle[s[c.start:c.end]] {
			found = append(found, c)
		}
	}
	return found
}

// listItems returns the items of a list that was opened before at, without their quotes, and where the list ends. It
// has none if the list is not of plain items.
func listItems(s string, at int) (items []span, end int) {
	line := s[at:lineEnd(s, at)]
	closes := strings.IndexByte(line, ']')
	if closes < 1 || strings.ContainsAny(line[:closes], "[{(}=") {
		return nil, at
	}
	for _, c := range cellsBy(line[:closes], ",") {
		if text := line[c.start:c.end]; len(text) > 1 && (text[0] == '"' || text[0] == '\'') &&
			text[len(text)-1] == text[0] {
			c.start, c.end = c.start+1, c.end-1
		}
		items = append(items, span{at + c.start, at + c.end, assigned})
	}
	return items, at + closes + 1
}

// isCell reports whether the text of a cell is a secret of the kind of its column.
func isCell(n named, text string) bool {
	return len(text) >= 3 && !isPlaceholder(text) && !isReference(text) && !strings.Contains(text, markerOpen) &&
		(n.kind == password || n.kind == variable || n.kind == code || !isWordy(text)) &&
		!types.Has(lowered(text)) && !goType.Match(text) &&
		!constantName.Match(text) && !strings.HasPrefix(text, "- ") && (n.kind != code || hasDigit(text)) &&
		!(strings.Contains(text, " ") && isProse(text)) && n.kind != weak
}

// besideCell returns the secret of a row of two cells, of which the first is its name.
func besideCell(s string, n named) (start, end int, ok bool) {
	at := run(s, n.end, 64, func(c byte) bool { return isBlank(c) || c == '*' || c == '`' })
	by := prefixOf(s[at:], "|", "│")
	if by == "" {
		return 0, 0, false
	}
	line := lineBefore(s, n.start)
	if before := strings.TrimRight(line[:columnStart(line, len(line))], " *`\""); before != by {
		return 0, 0, false
	}
	start = run(s, at+len(by), 64, func(c byte) bool { return isBlank(c) || c == '`' })
	stop := lineEnd(s, start)
	cell := strings.Index(s[start:stop], by)
	if cell < 0 || strings.TrimSpace(s[start+cell+len(by):stop]) != "" {
		return 0, 0, false
	}
	text := strings.TrimRight(s[start:start+cell], " `")
	if n.kind == password && isCell(n, text) && isWordy(text) && isGiven(s, start, start+len(text)) &&
		(!isRule(rowBelow(s, stop)) || isRare(text) && rowBelow(s, stop) == "") {
		return start, start + len(text), true
	}
	return start, start + len(text), isCell(n, text) && n.kind != login && !isWordy(text) && !isProse(text) &&
		!strings.Contains(text, " ") && (hasDigit(text) || isStrong(text)) && !versioned.Match(text) &&
		!isAlgorithm(text) && (n.kind == password || n.kind == variable || n.kind == code || isRandom(text))
}

// rowBelow returns the line below the one that ends at at.
func rowBelow(s string, at int) string {
	next := min(len(s), at+1)
	return s[next:lineEnd(s, next)]
}

// besideElement returns the text of the element behind the one that holds a name: <dt>name</dt><dd>…</dd>.
func besideElement(s string, n named) (start, end int, ok bool) {
	at := n.end + len(prefixOf(s[n.end:], " :", ":"))
	if prefixOf(s[at:], "</dt>", "</b>", "</strong>", "</label>", "</span>", "</em>", "</div>", "</p>") == "" {
		return 0, 0, false
	}
	at = run(s, at+strings.IndexByte(s[at:], '>')+1, 64, func(c byte) bool { return isSpace(c) || c == ':' })
	if prefixOf(s[at:], "<dd", "<code", "<span", "<b>", "<strong", "<em>", "<kbd", "<tt>", "<samp", "<div",
		"<p") != "" {
		if closes := strings.IndexByte(s[at:lineEnd(s, at)], '>'); closes > 0 {
			at += closes + 1
		}
	} else if at-n.end > len("</strong>: ") {
		return 0, 0, false
	}
	end = at + run(s[at:], 0, maxName, func(c byte) bool { return isSecretByte(c) && c != '<' })
	text := s[at:end]
	return at, end, (strings.HasPrefix(s[run(s, end, 16, isSpace):], "<") || standsLast(s, at)) && len(text) >= 4 &&
		!strings.ContainsAny(text, "'\"/;(){}&") && isCell(n, text) &&
		(n.kind == password || n.kind == variable) && isSaid(text) && !words().about[lowered(text)] &&
		!isParticiple(lowered(text))
}

// htmlCells appends the secrets of a table in HTML: the cell behind a name, or those below it.
func htmlCells(s string, n named, found []span) []span {
	row := strings.LastIndex(s[max(0, n.start-512):n.start], "<tr")
	if row < 0 {
		return found
	}
	column := strings.Count(s[max(0, n.start-512)+row:n.start], "</t")
	at := n.end + strings.IndexByte(s[n.end:], '>') + 1
	if column == 0 {
		if c, _ := htmlCell(s, at); c.end > 0 && !strings.HasPrefix(s[run(s, at, 64, isSpace):], "<th") &&
			isCell(n, s[c.start:c.end]) {
			return append(found, c)
		}
	}
	limit := min(len(s), at+maxQuoted)
	for range maxRows {
		if at >= limit {
			break
		}
		next := strings.Index(s[at:limit], "<tr")
		if next < 0 {
			break
		}
		at += next
		at += strings.IndexByte(s[at:limit]+">", '>') + 1
		if strings.HasPrefix(s[min(at, limit):], "<th") || isSecretCell(s, n, at) { // another header
			break
		}
		var c span
		for i := range column + 1 {
			if c, at = htmlCell(s, min(at, limit)); c.end == 0 {
				break
			}
			if i == column && isCell(n, s[c.start:c.end]) {
				found = append(found, c)
			}
		}
	}
	return found
}

// isSecretCell reports whether the row at at begins with the same name, and so is no row below it.
func isSecretCell(s string, n named, at int) bool {
	c, _ := htmlCell(s, min(at, len(s)))
	return c.end > 0 && strings.EqualFold(s[c.start:c.end], n.text)
}

// htmlCell returns the text of the cell that starts at at, and where the next one does. Its end
// is 0 if no cell starts there.
func htmlCell(s string, at int) (cell span, next int) {
	open := run(s, at, 64, isSpace)
	if !strings.HasPrefix(s[open:], "<td") && !strings.HasPrefix(s[open:], "<th") {
		return span{}, at
	}
	line := s[open:min(len(s), open+maxQuoted/4)]
	from := strings.IndexByte(line, '>') + 1
	to := strings.Index(line, "</t")
	if from == 0 || to < from {
		return span{}, at
	}
	for strings.HasPrefix(line[from:to], "<") && strings.IndexByte(line[from:to], '>') > 0 { // <code>…</code>
		from += strings.IndexByte(line[from:to], '>') + 1
	}
	end := to
	if tag := strings.IndexByte(line[from:to], '<'); tag >= 0 {
		end = from + tag
	}
	return span{open + from, open + end, assigned}, open + to + strings.IndexByte(line[to:]+">", '>') + 1
}

// inserted appends the secrets of "INSERT INTO t (name, password) VALUES ('x', 'y')".
func inserted(s string, at int, found []span) []span {
	limit := min(len(s), at+maxLine)
	open := strings.IndexByte(s[at:limit], '(')
	if open < 0 {
		return found
	}
	closes := strings.IndexByte(s[at+open:limit], ')')
	if closes < 0 {
		return found
	}
	kinds := map[int]named{}
	i := 0
	for name := range strings.SplitSeq(s[at+open+1:at+open+closes], ",") {
		name = strings.Trim(name, " \t\r\n`\"[]")
		if kind := nameKind(name); kind != harmless {
			kinds[i] = named{text: name, kind: kind}
		}
		i++
	}
	at += open + closes + 1
	if len(kinds) == 0 || !hasPrefixFold(strings.TrimLeft(s[at:min(len(s), at+16)], " \r\n\t"), "values") {
		return found
	}
	at = run(s, at, 16, func(c byte) bool { return c != '(' }) + 1
	for range maxRows {
		args := argumentsOf(s, min(at, len(s)))
		for i, a := range args {
			if n, ok := kinds[i]; ok && a.quoted && isCell(n, a.text) {
				found = append(found, span{a.start, a.end, assigned})
			}
		}
		if len(args) == 0 { // a quote is open
			break
		}
		end := args[len(args)-1]
		from := max(end.start, end.end)
		close := strings.IndexByte(s[from:min(len(s), from+maxLine)], ')')
		if close < 0 {
			break
		}
		if containsFold(s[at:from+close], "insert into") { // which has rows of its own
			break
		}
		next := run(s, from+close+1, 64, func(c byte) bool { return isSpace(c) || c == ',' })
		if next >= len(s) || s[next] != '(' {
			break
		}
		at = next + 1
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

// isColumn reports whether a string may be the name of a column.
func isColumn(text string) bool {
	text = strings.Trim(text, `"'* `)
	return text != "" && len(text) <= 40 && !strings.ContainsAny(text, "=(){}<>;@\\$") && strings.Count(text, " ") <= 3
}

// beforeName are words before the name of a secret in the name of a column.
var beforeName = pattern.SetOf(`initial temp temporary new old current default first start admin user login
	account wifi db root master neues altes initiales nouveau nueva nova nuova nowe nové новый новий старый
	временный`)

// columnStart returns where the name of a column starts that ends with the name of a secret at at.
func columnStart(header string, at int) int {
	for at > 0 && isDenseBefore(header, at) {
		_, size := utf8.DecodeLastRuneInString(header[:at])
		at -= size
	}
	cell := back(header, at, 24, func(c byte) bool { return isAlnum(c) || c == ' ' || c == '-' || c >= 0x80 })
	if wide := strings.LastIndex(header[cell:at], "  "); wide >= 0 {
		cell += wide + len("  ")
	}
	if words := strings.Fields(header[cell:at]); len(words) > 0 && len(words) <= 2 && (cell == 0 ||
		strings.IndexByte("|,;\"\t ", header[cell-1]) >= 0) && !isSentence(words) {
		return cell + strings.Index(header[cell:], words[0])
	}
	return at
}

// isSentence reports whether words before the name of a secret are of a sentence about it.
func isSentence(of []string) bool {
	for _, word := range of {
		if low := lowered(word); !beforeName.Has(low) && (words().idle[low] || words().gaps[low] ||
			words().isVerb(low) ||
			words().stops[low] || words().is[low]) {
			return true
		}
	}
	return false
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

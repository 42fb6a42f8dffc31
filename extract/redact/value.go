package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A value is what is assigned: the bytes [start, end) within its quotes.
type value struct {
	text       string
	start, end int
	quoted     bool
	// tight is true if nothing stands between the separator and the value.
	tight bool
	// query is true for a parameter of a URL or a form.
	query bool
	// besideUser is true if the name of a user stands before the name.
	besideUser bool
}

// closesText is what stands behind a quote that closes a string of code.
var closesText = pattern.New(`^(?: [+.]|[);,])`)

// maxValue is how many bytes of a value are looked at to judge it. Text may hold
// the names of secrets so often that most of it is the value of many.
const maxValue = 512

// readValue reads the value that starts at at, behind a separator. A query is true for a parameter of a URL or a form.
func readValue(s string, at int, sep string, query bool) value {
	if block := prefixOf(s[at:], "|\n", "|-\n", ">\n", ">-\n", "|+\n"); block != "" && sep == ":" { // of YAML
		return readBlock(s, at, at+len(block))
	}
	if strings.HasPrefix(s[at:], "<<") && (sep == ":" || sep == "=") {
		if v, ok := readHere(s, at+len("<<")); ok {
			return v
		}
	}
	at = valueStart(s, at, sep)
	v := value{tight: at > 0 && !isBlank(s[at-1]), query: query}
	if end := constructed(s, at); end > 0 {
		v.start = at + strings.IndexAny(s[at:], "([{") + 1
		v.end, v.quoted = end, true
		if strings.HasPrefix(s[v.start:], "[") { // [[…]]
			v.start++
		}
		v.text = s[v.start:v.end]
		return v
	}
	if literal := at + len(prefixOf(s[at:], literals...)); quoteAt(s, literal) != "" {
		at = literal
	}
	quote := quoteAt(s, at)
	if closesString(s, at, quote, v.tight) {
		v.start, v.end = at, at
		return v
	}
	v.start = at + len(quote)
	if v.end, v.quoted = quotedEnd(s, at); !v.quoted {
		v.start, v.end, v.quoted = curlyQuoted(s, at)
	}
	if !v.quoted {
		v.start = at
		if strings.HasPrefix(quote, `\`) {
			v.start += len(quote)
		}
		v.end = bareEnd(s, v.start, sep, query)
	}
	v.text = s[v.start:v.end]
	return v
}

// valueStart skips what may stand between a separator and the value: the tag of YAML, the blanks of an element,
// brackets, the end of a line that is continued.
func valueStart(s string, at int, sep string) int {
	switch sep {
	case ":":
		at = behindTag(s, at)
	case "<>":
		at = elementLine(s, at)
	}
	at = behindBracket(s, at)
	if sep == "=" && strings.HasPrefix(s[at:], "\\\n") { // of a shell
		at = run(s, at+len("\\\n"), 64, isBlank)
	}
	if sep == ":" || sep == "is" || sep == "=" {
		at = behindInline(s, at)
	}
	return at
}

// elementLine returns where the text of an element starts that is one word on a line of its own.
func elementLine(s string, at int) int {
	text := run(s, at, 64, isSpace)
	if text == at || text >= len(s) || s[text] == '<' {
		return at
	}
	end := run(s, text, maxName, func(c byte) bool { return isSecretByte(c) && c != '<' })
	if strings.HasPrefix(s[run(s, end, 64, isSpace):], "</") {
		return text
	}
	return at
}

// closesString reports whether the quote at at closes a string of code, rather than to open a value.
func closesString(s string, at int, quote string, tight bool) bool {
	if len(quote) != 1 {
		return false
	}
	next := at + len(quote)
	return (tight || closesText.Match(s[next:min(len(s), next+3)])) &&
		(&opened{line: lineBefore(s, at)}).has(quote[0]) &&
		(next >= len(s) || !isSecretByte(s[next]) || strings.IndexByte(",;.):]}", s[next]) >= 0)
}

// curlyQuoted returns the value in typographic quotes that starts at at, without the blanks at its ends.
func curlyQuoted(s string, at int) (start, end int, ok bool) {
	open := curlyQuote(s, at)
	if open == "" {
		return 0, 0, false
	}
	from := at + len(open)
	line, _, _ := strings.Cut(s[from:min(len(s), at+maxQuoted)], "\n")
	closes := strings.IndexAny(line, curlyQuotes.Get()[open])
	if closes < 0 {
		return 0, 0, false
	}
	inner := line[:closes]
	end = from + len(strings.TrimRightFunc(inner, unicode.IsSpace))
	start = min(end, from+len(inner)-len(strings.TrimLeftFunc(inner, unicode.IsSpace)))
	return start, end, true
}

// behindTag skips the tag or the anchor of a value in YAML.
func behindTag(s string, at int) int {
	if at+2 >= len(s) || s[at] != '&' && s[at] != '!' || s[at] == '!' && isReference(s[at:wordEnd(s, at)]) &&
		!strings.HasPrefix(s[at:], "!!") && !strings.Contains(s[at:wordEnd(s, at)], "plain") {
		return at
	}
	end := run(s, at+1, 32, func(c byte) bool { return isWord(c) || c == '!' || c == '-' })
	next := run(s, end, 4, isBlank)
	line := strings.TrimRight(s[next:lineEnd(s, next)], " \r")
	if next == end || line == "" || strings.ContainsAny(line, " ,;=") {
		return at
	}
	return next
}

// behindInline skips the tag of an element that marks a word: <code>…</code>.
func behindInline(s string, at int) int {
	if tag := prefixOf(s[at:], "<code>", "<strong>", "<b>", "<em>", "<kbd>", "<tt>", "<samp>", "<mark>"); tag != "" {
		end := at + len(tag)
		if word := run(s, end, maxName, func(c byte) bool {
			return isSecretByte(c) &&
				c != '<'
		}); strings.HasPrefix(s[word:], "</") {
			return end
		}
	}
	return at
}

// behindBracket skips the bracket and the end of its line behind which a string in quotes
// stands on a line of its own.
func behindBracket(s string, at int) int {
	if at >= len(s) || s[at] != '(' {
		return at
	}
	if next := run(s, at+1, 64, isSpace); quoteAt(s, next) != "" && strings.IndexByte(s[at:next], '\n') > 0 {
		return next
	}
	return at
}

// constructed returns the end of a string that stands in brackets instead of quotes, such as
// q(…) of Perl and [[…]] of Lua, 0 if none does.
func constructed(s string, at int) int {
	for _, b := range constructors {
		if strings.HasPrefix(s[at:], b.open) {
			text := s[at+len(b.open) : lineEnd(s, at)]
			if n := strings.Index(text, b.closes); n >= 4 && !strings.ContainsAny(text[:n], " \"'$,") {
				return at + len(b.open) + n
			}
		}
	}
	return 0
}

var constructors = []struct{ open, closes string }{{"q(", ")"}, {"qq(", ")"}, {"q{", "}"}, {"[[", "]]"}}

// fallback returns the value that is taken where a variable has none: ${NAME:-value},
// ${NAME:value}, {{ … | default('value') }}. Its text is empty if there is none.
func (v value) fallback(s string) value {
	none := value{start: v.end, end: v.end}
	rest := s[v.start:lineEnd(s, v.start)]
	switch {
	case strings.HasPrefix(rest, "${"):
		name := run(rest, 2, maxName, isDotted)
		if name == 2 || name >= len(rest) || rest[name] != ':' {
			return none
		}
		from := name + 1 + run(rest[name+1:], 0, 1, func(c byte) bool { return c == '-' || c == '=' })
		end := strings.IndexByte(rest, '}')
		if end < from+3 || strings.IndexByte("?+${", rest[from]) >= 0 || isLetterless(rest[from:end]) {
			return none
		}
		return value{text: rest[from:end], start: v.start + from, end: v.start + end, tight: true}
	case strings.HasPrefix(rest, "{{"):
		from := strings.Index(rest, "default(")
		if from < 0 {
			return none
		}
		at := v.start + from + len("default(")
		if end, ok := quotedEnd(s, at); ok {
			return value{text: s[at+1 : end], start: at + 1, end: end, quoted: true}
		}
	}
	return none
}

// readHere returns the lines of a here-document whose word stands at at.
func readHere(s string, at int) (v value, ok bool) {
	at += len(prefixOf(s[at:], "-", "~"))
	at += len(quoteAt(s, at))
	end := run(s, at, maxName, isWord)
	word := s[at:end]
	end += len(quoteAt(s, end))
	if word == "" || end >= len(s) || s[end] != '\n' {
		return v, false
	}
	v = value{start: run(s, end, maxName, isSpace), quoted: true}
	for line := end; line < min(len(s), end+maxQuoted); {
		line++
		next := lineEnd(s, line)
		if strings.TrimSpace(s[line:next]) == word {
			v.end = line - 1
			v.text = s[v.start:max(v.start, v.end)]
			return v, v.end > v.start
		}
		if next >= len(s) || s[next] != '\n' {
			break
		}
		line = next
	}
	return v, false
}

// readBlock reads a value of YAML that stands on the lines below, which are indented more
// than the line of its name.
func readBlock(s string, at, below int) value {
	line := strings.LastIndexByte(s[:at], '\n') + 1
	indent := run(s, line, 64, isBlank) - line
	v := value{start: run(s, below, 64, isBlank)}
	for next := below; next < len(s) && next-below < maxQuoted; {
		text := run(s, next, 64, isBlank)
		if text-next <= indent && (text >= len(s) || s[text] != '\n') {
			break
		}
		end := strings.IndexByte(s[text:], '\n')
		if end < 0 {
			end = len(s) - text
		}
		if end > 0 {
			v.end = text + end
		}
		next = text + end + 1
	}
	v.end = max(v.start, v.end)
	v.text = s[v.start:v.end]
	v.quoted = strings.Contains(v.text, "\n")
	return v
}

// curlyQuotes are quotes with those of which one closes them, by language.
var curlyQuotes = once.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"“": "”", "‘": "’", "„": "“”", "«": "»", "»": "«»", "”": "”", "’": "’", "‹": "›", "›": "‹", "「": "」",
		"『": "』", "‚": "‘’", "｢": "｣", "＂": "＂", "《": "》", "【": "】",
	}
}}

// curlyQuote returns the quote of curlyQuotes that starts at at, "" if none does.
func curlyQuote(s string, at int) string {
	if at >= len(s) || s[at] < utf8.RuneSelf {
		return ""
	}
	_, size := utf8.DecodeRuneInString(s[at:])
	if open := s[at : at+size]; curlyQuotes.Get()[open] != "" {
		return open
	}
	return ""
}

// quotedEnd returns where the value ends whose quote stands at at, if there is
// one and it is closed on the line. A list of values goes as a whole. Long lines of
// assignments may hold a value over several lines.
func quotedEnd(s string, at int) (end int, ok bool) {
	quote := quoteAt(s, at)
	if quote == "" {
		return 0, false
	}
	start := at + len(quote)
	if triple := prefixOf(s[at:], `"""`, `'''`); triple != "" {
		if n := strings.Index(s[at+3:min(len(s), at+maxQuoted)], triple); n > 0 {
			return at + 3 + n, true
		}
	}
	line, _, _ := strings.Cut(s[start:min(len(s), start+maxQuoted)], "\n")
	if at > 0 && s[at-1] == '[' {
		if last := strings.Index(line, quote+"]"); last > 0 && hasDigit(line[:last]) {
			return start + last, true
		}
	}
	if n := closing(line, quote); n >= 0 {
		return start + n, true
	}
	if at > 0 && (s[at-1] == '=' || isBlank(s[at-1])) && len(quote) == 1 { // over several lines
		text := s[start:min(len(s), start+maxValue)]
		if n := closing(text, quote); n >= 0 && strings.Count(text[:n], "\n") <= 8 && !isProse(text[:n]) &&
			strings.IndexByte(text[:n], '=') < 0 {
			return start + n, true
		}
	}
	return 0, false
}

// closing returns where the quote stands in a string that closes what it opened, -1 if
// there is none. One that stands in a word, as in aH"tC, closes nothing if another one
// follows at the end of a word.
func closing(text, quote string) int {
	for from := 0; ; from++ {
		n := strings.Index(text[from:], quote)
		if n < 0 {
			return -1
		}
		from += n
		if from > 0 && text[from-1] == '\\' && len(quote) == 1 && !endsInBackslash(text[:from]) {
			continue // it is escaped
		}
		next := from + len(quote)
		if quote == "'" && from > 0 && next+1 < len(text) && text[next] == '\'' && isAlnum(text[from-1]) &&
			isAlnum(text[next+1]) {
			from = next // doubled, as in YAML and SQL
			continue
		}
		if next < len(text) && (isAlnum(text[next]) || text[next] >= utf8.RuneSelf &&
			isLetterAt(text, next)) && from > 0 {
			rest := text[next:]
			if m := strings.Index(rest, quote); m > 0 && run(rest, 0, m, isSecretByte) == m &&
				(m+len(quote) == len(rest) || !isAlnum(rest[m+len(quote)])) {
				from = next + m
				return from
			}
		}
		return from
	}
}

// endsInBackslash reports whether the backslash at the end of a string is itself escaped.
func endsInBackslash(text string) bool {
	n := len(text) - len(strings.TrimRight(text, `\`))
	return n%2 == 0
}

// isSecretByte reports whether a byte may stand in a value without quotes.
func isSecretByte(c byte) bool { return c > ' ' && c != 0x7f }

// bareEnd returns the end of a value without quotes: a blank, or what ends the phrase,
// the member, the argument or the literal that it stands in.
func bareEnd(s string, start int, sep string, query bool) int {
	if end := appPassword(s, start); end > 0 {
		return end
	}
	limit := min(len(s), start+maxValue)
	open := &opened{line: lineBefore(s, start)}
	end := start
scan:
	for end < limit {
		c := s[end]
		switch {
		case c <= ' ' || c == 0x7f:
			break scan
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[end:])
			if endsValue(r) || end > start && isDense(r) && s[end-1] < utf8.RuneSelf {
				break scan
			}
			end += size
			continue
		case c == '"' || c == '\'' || c == '`':
			if open.has(c) {
				break scan
			}
		case c == '\\':
			if end > start && quoteAt(s, end) != "" || escapesBlank(s, end) {
				break scan
			}
		case c == '<':
			if sep == "<>" || end+1 < len(s) && (s[end+1] == '/' || hasPrefixFold(s[end:], "<br")) {
				break scan
			}
		case c == ')':
			if open.has('(') && end > start && strings.IndexByte(s[start:end], '(') < 0 &&
				(end+1 == len(s) || strings.IndexByte(".,;) \t\r\n:", s[end+1]) >= 0) {
				break scan
			}
		case c == '&':
			if query || prefixOf(s[end:], "&quot;", "&#39;", "&lt;", "&gt;") != "" || isParameter(s, end+1) ||
				end > start && startsCommand(s, end) {
				break scan
			}
		case c == ',' || c == ';':
			if end > start && (isParameter(s, end+1) || end+1 < len(s) && (s[end+1] == '"' || s[end+1] == '\'')) {
				break scan
			}
		}
		end++
	}
	return trimmed(s, start, end, sep, open)
}

// escapesBlank reports whether the backslash at at starts an escape sequence of a line end or a tab, rather than a
// word, as in a path of Windows.
func escapesBlank(s string, at int) bool {
	return at+1 < len(s) && strings.IndexByte("nrt", s[at+1]) >= 0 && (at+2 >= len(s) || !isLower(s[at+2]))
}

// startsCommand reports whether "&&" stands at at, and the next command behind it.
func startsCommand(s string, at int) bool {
	if !strings.HasPrefix(s[at:], "&&") {
		return false
	}
	word := run(s, at+len("&&"), 4, isBlank)
	end := run(s, word, maxName, isDotted)
	return word > at+len("&&") || end < len(s) && s[end] == ' '
}

// trimmed returns the end of a value without the signs of the sentence or the code behind
// it.
func trimmed(s string, start, end int, sep string, open *opened) int {
	last := end
	for end > start {
		switch c := s[end-1]; {
		case c == ')' && !strings.Contains(s[start:end], "(") && open.has('('),
			c == ']' && !strings.Contains(s[start:end], "[") && open.has('['),
			c == '}' && !strings.Contains(s[start:end], "{") && open.has('{'):
			end--
			last = end
			continue
		case (c == ',' || c == ';' || c == '.') && end == last:
			end--
			continue
		case c == ':' && end == last && sep != "--":
			end--
			continue
		case c == '?' && end == last && sep == "is" && isWordy(s[start:end-1]):
			end--
			continue
		}
		break
	}
	return end
}

// endsValue reports whether a character beyond ASCII ends a value like a blank does.
func endsValue(r rune) bool {
	switch r {
	case '。', '，', '；', '！', '？', '、', '」', '』', '”', '’', '»', '）', '】', '》', '—', '–', '…', '،', '؛', '।', '　':
		return true
	}
	return unicode.IsSpace(r)
}

// isParameter reports whether a name and its separator stand at at.
func isParameter(s string, at int) bool {
	at = run(s, at, 4, isBlank)
	name := run(s, at, maxName, isDotted)
	return name > at && name < len(s) && (s[name] == '=' || s[name] == ':') && !isDigit(s[at])
}

// lineBefore returns what stands before at on its line, as far as it matters.
func lineBefore(s string, at int) string {
	before := s[max(0, at-256):at]
	return before[lastLine(before):]
}

// lastLine returns where the last line of a string starts. It looks at eight bytes at once.
func lastLine(s string) int {
	const ones, highest = 0x0101010101010101, 0x8080808080808080
	at := len(s)
	for ; at >= 8; at -= 8 {
		eight := s[at-8 : at]
		word := uint64(eight[0]) | uint64(eight[1])<<8 | uint64(eight[2])<<16 | uint64(eight[3])<<24 |
			uint64(eight[4])<<32 | uint64(eight[5])<<40 | uint64(eight[6])<<48 | uint64(eight[7])<<56
		word ^= '\n' * ones // so that a line end is a zero byte
		if (word-ones)&^word&highest != 0 {
			break
		}
	}
	for at > 0 && s[at-1] != '\n' {
		at--
	}
	return at
}

// opened finds what is open at the end of a line: quotes and brackets.
type opened struct{ line string }

// has reports whether a quote or a bracket stands open.
func (o *opened) has(c byte) bool {
	switch c {
	case '(':
		return strings.Count(o.line, "(") > strings.Count(o.line, ")")
	case '[':
		return strings.Count(o.line, "[") > strings.Count(o.line, "]")
	case '{':
		return strings.Count(o.line, "{") > strings.Count(o.line, "}")
	}
	n := 0
	for i := range len(o.line) {
		if o.line[i] != c || i > 0 && o.line[i-1] == '\\' {
			continue
		}
		if c == '\'' && i > 0 && i+1 < len(o.line) && isAlpha(o.line[i-1]) && isAlpha(o.line[i+1]) { // it's
			continue
		}
		n++
	}
	return n%2 == 1
}

// literals are what may stand before the quote of a value in code.
var literals = []string{
	"[]byte(", "[]string{", "Some(String::from(", "Some(", "Optional.of(", "Secret::new(", "SecretString::new(",
	"SecretString::from(", "Just ", "std::string{", "String::from(", "std::string(", "SecureString(", "new String(",
	"N", "[",
	"Buffer.from(", "bytes(", "string(", "String(", "SecretStr(", "Secret(", "b",
	"r", "f", "@", "$", "u", "L",
}

// appPassword returns the end of four groups of four small letters on the rest
// of a line, as Google makes them; 0 if there are none.
func appPassword(s string, at int) int {
	for group := range 4 {
		if group > 0 {
			if at >= len(s) || s[at] != ' ' {
				return 0
			}
			at++
		}
		if run(s, at, 4, isLower) != at+4 {
			return 0
		}
		at += 4
	}
	if at < len(s) && s[at] != '\n' && s[at] != '\r' {
		return 0
	}
	return at
}
